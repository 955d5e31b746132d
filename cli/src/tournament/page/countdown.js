"use strict";
const end = document.querySelector("[data-end]");
const left = document.querySelector(".left");
const champion = document.querySelector(".champion");
const units = [["d", 86400, Infinity], ["h", 3600, 24], ["min", 60, 60], ["s", 1, 60]];
function show() {
  const seconds = Math.max(0, Math.floor((Date.parse(end.dataset.end) - Date.now()) / 1000));
  const parts = units.map(([name, size, most]) => [Math.floor(seconds / size) % most, name]);
  const first = parts.findIndex(([count]) => count > 0);
  if (champion) {
    champion.hidden = seconds > 0;
  }
  left.textContent = first < 0 ? "time is up" : parts.slice(first, first + 2).map(([count, name]) => count + " " + name).join(" ") + " left";
}
if (end) {
  show();
  setInterval(show, 1000);
}
