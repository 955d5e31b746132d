// What the pages do beyond plain forms: take the secret out of a link, keep focus and half-filled forms when the table
// changes, say aloud once what has happened, and connect again after sleep. Pages work without it.
(function () {
  "use strict";

  // --- taking a seat: the secret is behind the #, which browsers send to nobody ---
  var secret = document.getElementById("secret");
  if (secret && location.hash.length > 1) {
    secret.value = location.hash.slice(1);
    document.getElementById("claim").classList.add("filled");
    document.querySelector("#claim button").focus();
  }
  if (location.hash.length > 1) {
    history.replaceState(null, "", location.pathname);
  }

  // What was read is put away.
  document.addEventListener("submit", function (event) {
    if (event.target.querySelector("#close")) {
      event.preventDefault();
      document.getElementById("notice").replaceChildren();
    }
  });

  var table = document.getElementById("table");
  if (!table) {
    return;
  }

  // --- what is shown now ---
  function scene() {
    return table.querySelector(".scene");
  }
  // "RUN-NUMBER": numbers of one run go up.
  function isOld(html) {
    var found = /data-seen="([0-9a-f]+)-([0-9]+)"/.exec(html.slice(0, 200));
    var shown = /^([0-9a-f]+)-([0-9]+)$/.exec(scene() ? scene().dataset.seen : "");
    return Boolean(found && shown && found[1] === shown[1] && Number(found[2]) <= Number(shown[2]));
  }

  // --- what stays when it changes ---
  function keep() {
    var kept = { focus: null, open: {}, values: {}, scroll: {} };
    var active = document.activeElement;
    if (active && table.contains(active)) {
      kept.focus = active.id || "asked";
    }
    table.querySelectorAll("details[id]").forEach(function (one) {
      kept.open[one.id] = one.open;
    });
    table.querySelectorAll("input[id], select[id]").forEach(function (one) {
      kept.values[one.id] = one.type === "checkbox" ? one.checked : one.value;
    });
    return kept;
  }
  function restore(kept) {
    table.querySelectorAll("details[id]").forEach(function (one) {
      if (one.id in kept.open) {
        one.open = kept.open[one.id];
      }
    });
    table.querySelectorAll("input[id], select[id]").forEach(function (one) {
      if (one.id in kept.values) {
        if (one.type === "checkbox") {
          one.checked = kept.values[one.id];
        } else {
          one.value = kept.values[one.id];
        }
      }
    });
    if (kept.focus && !table.contains(document.activeElement)) {
      var next = document.getElementById(kept.focus) || document.getElementById("asked");
      if (next) {
        next.focus({ preventScroll: true });
      }
    }
  }

  // --- what is said aloud, once ---
  var said = 0;
  function last() {
    var lines = table.querySelectorAll(".story li");
    return lines.length ? Number(lines[lines.length - 1].dataset.n) : 0;
  }
  function announce() {
    var fresh = [];
    table.querySelectorAll(".story li").forEach(function (one) {
      if (Number(one.dataset.n) > said) {
        fresh.push(one.textContent);
      }
    });
    var asked = table.querySelector("form.question h2");
    if (asked && asked.textContent !== lastAsked) {
      fresh.push("Your move: " + asked.textContent);
    }
    lastAsked = asked ? asked.textContent : "";
    said = Math.max(said, last());
    if (fresh.length) {
      document.getElementById("said").textContent = fresh.join(". ");
    }
  }
  var lastAsked = "";
  function dress() {
    var stage = table.querySelector(".stage");
    if (stage) {
      document.title = stage.dataset.title;
    }
  }

  var run = scene() ? scene().dataset.seen.split("-")[0] : "";
  said = last();
  var heading = table.querySelector("form.question h2");
  lastAsked = heading ? heading.textContent : "";
  dress();

  var kept = null;
  function before() {
    kept = kept || keep();
  }
  function after() {
    var now = scene() ? scene().dataset.seen.split("-")[0] : run;
    if (now !== run) {
      // Another process counts its lines anew.
      run = now;
      said = last();
    }
    if (kept) {
      restore(kept);
      kept = null;
    }
    announce();
    dress();
  }

  document.body.addEventListener("htmx:sseBeforeMessage", function (event) {
    if (isOld(event.detail.data)) {
      event.preventDefault();
    } else {
      before();
    }
  });
  document.body.addEventListener("htmx:sseMessage", after);
  document.body.addEventListener("htmx:beforeSwap", function (event) {
    var html = event.detail.serverResponse || "";
    if (isOld(html)) {
      // The table has gone on while this reply was on its way: only what it tells beside the table is new.
      event.detail.shouldSwap = false;
      var told = new DOMParser().parseFromString(html, "text/html").getElementById("notice");
      if (told) {
        told.removeAttribute("hx-swap-oob");
        document.getElementById("notice").replaceWith(told);
      }
      return;
    }
    before();
    if (event.detail.xhr && event.detail.xhr.status >= 400 && html.indexOf("data-seen") < 0) {
      // A refusal is a page of its own: only what it says is shown.
      event.detail.shouldSwap = false;
      kept = null;
      var page = new DOMParser().parseFromString(html, "text/html");
      tell(page.querySelector("main") ? page.querySelector("main").textContent : "That did not work.");
    }
  });
  document.body.addEventListener("htmx:afterSettle", function () {
    after();
  });
  var unreachable = "The table cannot be reached. Nothing was sent; try again.";
  document.body.addEventListener("htmx:sendError", function () {
    tell(unreachable);
  });
  // Whatever arrives from the table says that it can be reached again.
  function reached() {
    if (document.getElementById("notice").textContent === unreachable) {
      tell("");
    }
  }
  document.body.addEventListener("htmx:afterOnLoad", reached);
  function tell(text) {
    document.getElementById("notice").textContent = text;
  }

  // --- the connection ---
  var source = null;
  document.body.addEventListener("htmx:sseOpen", function (event) {
    source = event.detail.source;
    document.body.classList.remove("away");
    reached();
  });
  document.body.addEventListener("htmx:sseError", function () {
    document.body.classList.add("away");
  });
  function connect() {
    var old = table;
    var state = keep();
    if (source) {
      source.close();
    }
    table = old.cloneNode(true);
    old.replaceWith(table);
    restore(state);
    htmx.process(table);
  }
  // A device that has slept may hold on to a connection that nobody answers any more.
  var hidden = 0;
  document.addEventListener("visibilitychange", function () {
    if (document.hidden) {
      hidden = Date.now();
    } else if (hidden && Date.now() - hidden > 15000) {
      connect();
    }
  });
  window.addEventListener("online", connect);
})();
