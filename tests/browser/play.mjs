// Plays whole games in a real browser, two contexts at one table, and looks for what only a browser shows: errors of scripts,
// focus, what is announced, names of controls, a connection that is cut, a server that is killed. Run by `tests/browser/run`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const ludex = process.env.LUDEX;
const shots = process.env.SHOTS;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const classics = join(import.meta.dirname, "../../examples/classics");
const folder = mkdtempSync(join(tmpdir(), "ludex-browser-"));
const MOST_ROUNDS = 3000;
// Whoever takes screenshots puts a style without anything in it into the page, which its policy refuses.
const EMPTY = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
if (shots) mkdirSync(shots, { recursive: true });

// --- a server and its browsers ---

async function serve(args, port = 0) {
  const all = ["serve", ...args, "--port", String(port), "--format", "json"];
  const child = spawn(ludex, all, { env: { ...process.env, XDG_STATE_HOME: folder, HOME: folder }, stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  for await (const part of child.stdout) {
    text += part;
    if (text.includes("\n")) break;
  }
  const told = JSON.parse(text);
  const links = told.tables[0].links;
  return {
    child,
    port: Number(new URL(told.address).port),
    watch: told.tables[0].watch,
    seats: links.filter((link) => !link.owner).map((link) => link.link),
    end: () => new Promise((done) => child.once("exit", done) && child.kill("SIGKILL")),
  };
}

const found = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? found, headless: true, args: flags });
const wrong = [];

async function open(link, options = {}) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, ...options });
  const page = await context.newPage();
  page.received = "";
  page.on("pageerror", (error) => wrong.push(`script: ${error.message}`));
  page.on("console", (line) => {
    const against = line.type() === "error" && /content security|refused to/i.test(line.text());
    if (against && !line.text().includes(EMPTY)) wrong.push(line.text());
  });
  page.on("response", async (response) => {
    if (!response.url().includes("/events")) page.received += await response.text().catch(() => "");
  });
  await page.goto(link);
  return page;
}

async function sit(link, options) {
  const page = await open(link, options);
  assert.equal(new URL(page.url()).hash, "", "the secret leaves the address at once");
  await page.getByRole("button", { name: "Take this seat" }).click();
  await page.waitForSelector("#table");
  return page;
}

const question = (page) => page.locator("form.question").count();

/** Answers by chance; tells whether something was asked. Without a script the page is loaded again. */
async function answer(page) {
  const seen = await page.evaluate(() => {
    const form = document.querySelector("form.question");
    if (!form) return null;
    const buttons = [...form.querySelectorAll('button[name="key"]')].filter((button) => button.value !== "back");
    const boxes = [...form.querySelectorAll('input[type="checkbox"]')];
    const amounts = [...form.querySelectorAll('input[name="amount"]')];
    if (boxes.length) {
      const least = Number(/\d+/.exec(form.querySelector("legend").textContent)[0]);
      boxes.slice(0, least).forEach((box) => (box.checked = true));
    }
    if (amounts.length) amounts[0].value = /\d+/.exec(form.querySelector("legend").textContent)[0];
    const button = buttons.length ? buttons[Math.floor(Math.random() * buttons.length)] : form.querySelector("#choose");
    const before = document.querySelector(".scene").dataset.seen;
    button.click();
    return before;
  });
  if (seen === null) return false;
  await page.waitForFunction((before) => document.querySelector(".scene")?.dataset.seen !== before, seen);
  return true;
}

async function playOn(pages, rounds) {
  for (let round = 0; round < rounds; round++) {
    let asked = 0;
    for (const page of pages) if (await question(page)) asked += Number(await answer(page));
    if (!asked) {
      await pages[0].waitForTimeout(250);
      if (!(await question(pages[0])) && !(await question(pages[1]))) return true;
    }
  }
  return false;
}

async function look(name, page) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [width, height] of [[360, 740], [1280, 800]]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${name} at ${width} is ${wide} pixels too wide`);
      const over = await page.evaluate(() => [...document.querySelectorAll(".card text")].filter((text) => text.getBBox().x + text.getBBox().width > 127).map((text) => text.textContent));
      assert.deepEqual(over, [], `words that stand out of a card, ${name}`);
      await accessible(`${name} at ${width}, ${colorScheme}`, page);
      if (shots) await page.screenshot({ path: join(shots, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: "light" });
}

/** No control is without a name, and whatever else a checker of accessibility calls serious. */
async function accessible(where, page) {
  // Strings that are run this way are not held up by the page's policy, which allows no others.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const serious = violations.filter((one) => ["serious", "critical"].includes(one.impact));
  assert.deepEqual(serious.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`), [], where);
}

// --- what is looked at ---

async function wholeGame(name, args, rounds) {
  const server = await serve(args);
  const pages = [await sit(server.seats[0]), await sit(server.seats[1], { colorScheme: "dark" })];
  const asked = async () => ((await question(pages[0])) ? pages[0] : pages[1]);
  await look(`${name}-start`, await asked());
  await playOn(pages, rounds);
  await look(name, await asked());
  assert.ok(await playOn(pages, MOST_ROUNDS), `${name} comes to an end`);
  for (const page of pages) assert.match(await page.locator(".stage .turn").textContent(), /win|tied|without a winner/);
  await look(`${name}-end`, pages[0]);
  // They play again: one asks, the other agrees, and somebody is to move.
  await pages[0].getByRole("button", { name: "Play again" }).click();
  await pages[1].getByRole("button", { name: "Agree", exact: true }).click();
  for (const page of pages) await page.waitForFunction(() => /move|turn|Waiting/.test(document.querySelector(".stage .turn").textContent));
  await pages[0].waitForFunction(() => document.querySelectorAll(".story li").length > 1);
  assert.ok((await question(pages[0])) + (await question(pages[1])), `somebody is to move in the next game of ${name}`);
  await server.end();
}

/** A bot that moves at once: replies to what was posted come later than news of what it has done. */
async function againstABot() {
  const server = await serve(["sailor-moon-ccg", "--mode", "basic", "--seat", "1=:greedy"]);
  const page = await sit(server.seats[0]);
  for (let asked = Date.now(); !/win|tied|without a winner/.test(await page.locator(".stage .turn").textContent()); ) {
    const clicked = await page.evaluate(() => {
      const buttons = [...document.querySelectorAll('form.question .buttons button[name="key"]')];
      (buttons[Math.floor(Math.random() * buttons.length)] ?? document.querySelector("form.question #choose"))?.click();
      return Boolean(document.querySelector("form.question"));
    });
    if (clicked) asked = Date.now();
    assert.ok(Date.now() - asked < 60000, `nothing is asked any more: ${await page.locator(".stage .turn").textContent()}`);
    await page.waitForTimeout(100);
  }
  await server.end();
}

async function focusStaysAndNewsIsSaidOnce() {
  const server = await serve(["dicewing"]);
  const pages = [await sit(server.seats[0]), await sit(server.seats[1])];
  await pages[0].waitForFunction(() => document.querySelector(".scene"));
  const [on, off] = (await question(pages[0])) ? pages : [pages[1], pages[0]];
  await off.evaluate(() => {
    window.said = [];
    new MutationObserver(() => window.said.push(document.getElementById("said").textContent)).observe(document.getElementById("said"), { childList: true });
  });
  await off.locator("#dice summary").click();
  await off.locator("#undo").focus();
  await answer(on);
  await off.waitForFunction(() => window.said.length > 0);
  assert.equal(await off.evaluate(() => document.activeElement.id), "undo", "focus stays where it was");
  assert.ok(await off.evaluate(() => document.getElementById("dice").open), "what was unfolded stays so");
  await off.waitForTimeout(300);
  const said = await off.evaluate(() => window.said);
  assert.equal(said.length, 1, `news is said once: ${said}`);
  assert.match(said[0], /drafts/);
  // By keyboard alone: from the question to its first move.
  await off.locator("#asked").focus();
  await off.keyboard.press("Tab");
  assert.equal(await off.evaluate(() => document.activeElement.name), "key");
  const decision = () => document.querySelector('form.question input[name="decision"]')?.value;
  const asked = await off.evaluate(decision);
  await off.keyboard.press("Enter");
  await off.waitForFunction((asked) => document.querySelector('form.question input[name="decision"]')?.value !== asked, asked);
  assert.equal(await off.evaluate(() => document.activeElement.id), "asked", "focus goes to what takes the place of the question");
  await server.end();
}

async function withoutScripts() {
  const server = await serve(["tic-tac-toe", "--library", classics]);
  const pages = [];
  for (const link of server.seats) {
    const page = await open(link, { javaScriptEnabled: false });
    await page.getByLabel("The link you were given").fill(link);
    await page.getByRole("button", { name: "Take this seat" }).click();
    pages.push(page);
  }
  for (let move = 0; move < 9; move++) {
    for (const page of pages) {
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.reload();
      const cell = page.locator("button.cell").first();
      if (await cell.count()) await cell.click();
    }
  }
  await pages[0].reload();
  assert.match(await pages[0].locator(".stage .turn").textContent(), /win|tied/);
  await server.end();
}

async function nothingIsLost() {
  let server = await serve(["dicewing"]);
  const { port, seats } = server;
  const pages = [await sit(seats[0]), await sit(seats[1])];
  await playOn(pages, 2);
  // A connection that is cut in the middle of a decision.
  const [on, off] = (await question(pages[0])) ? pages : [pages[1], pages[0]];
  await off.context().setOffline(true);
  await answer(on);
  await off.context().setOffline(false);
  await untilAsked(off, on);
  // A second browser of one seat: both show it, the first answer counts.
  const twin = await sit(seats[pages.indexOf(off)]);
  await answer(twin);
  await off.waitForFunction(() => !document.querySelector("form.question"));
  // A server that is killed and started again.
  const before = await off.locator(".board").innerHTML();
  await server.end();
  server = await serve([], port);
  await on.waitForFunction(() => document.querySelector("form.question"), null, { timeout: 30000 });
  await on.waitForTimeout(4000);
  assert.equal(await off.locator(".board").innerHTML(), before);
  await answer(on);
  await untilAsked(off, on);
  await server.end();
}

/** One page is asked; until then the other answers, as what the dice show may leave it to do more than once. */
async function untilAsked(page, other) {
  for (let wait = 0; wait < 150 && !(await question(page)); wait++) {
    await page.waitForTimeout(200);
    if (!(await question(page))) await answer(other);
  }
  assert.equal(await question(page), 1, "the page is asked");
}

async function looksAhead() {
  const server = await serve(["dice-challenge", "--seat", "0=sailor-moon", "--seat", "1=rubeus:random"]);
  const page = await sit(server.seats[0]);
  const asked = await page.locator("#asked").textContent();
  await page.getByText("Look ahead").click();
  await page.getByRole("button", { name: "Show possible results" }).click();
  await page.waitForSelector("#notice .prospect li");
  assert.match(await page.locator("#notice .prospect").textContent(), /always|about/);
  assert.equal(await page.locator("#asked").textContent(), asked, "nothing is answered");
  await look("looking-ahead", page);
  await answer(page);
  await page.waitForFunction(() => !document.querySelector("#notice .prospect"));
  await server.end();
}

async function alarmsEnd() {
  const server = await serve(["dice-challenge", "--seat", "0=sailor-moon", "--seat", "1=rubeus:random"]);
  const page = await sit(server.seats[0]);
  const notice = (wanted) =>
    page.waitForFunction((wanted) => new RegExp(wanted).test(document.getElementById("notice").textContent), wanted.source);
  await page.context().setOffline(true);
  await page.locator('form.question button:not([value="back"])').first().click();
  await notice(/cannot be reached/);
  await page.context().setOffline(false);
  await notice(/^$/);
  await server.end();
}

async function looksOn() {
  const server = await serve(["sailor-moon-ccg", "--seat", "0=moon", "--seat", "1=past:random"]);
  const player = await sit(server.seats[0]);
  const spectator = await open(server.watch);
  await answer(player);
  await spectator.waitForFunction(() => document.querySelectorAll(".story li").length > 3);
  assert.equal(await spectator.locator("form").count(), 0);
  await look("looking-on", spectator);
  await server.end();
}

const tests = [
  ["DiceWing to the end", () => wholeGame("dicewing", ["dicewing"], 12)],
  ["the card game to the end", () => wholeGame("cards", ["sailor-moon-ccg", "--seat", "0=moon", "--seat", "1=past", "--option", "turn_cap=24"], 25)],
  ["Dice Challenge to the end", () => wholeGame("dice-challenge", ["dice-challenge"], 4)],
  ["a board to the end", () => wholeGame("board", ["tic-tac-toe", "--library", classics], 2)],
  ["a first game of cards against a bot", againstABot],
  ["focus stays, and news is said once", focusStaysAndNewsIsSaidOnce],
  ["a game without scripts", withoutScripts],
  ["cut connections, two browsers, a killed server", nothingIsLost],
  ["an alarm ends with its cause", alarmsEnd],
  ["looking on", looksOn],
  ["looking ahead", looksAhead],
];

let failed = 0;
for (const [name, test] of tests.filter(([name]) => name.includes(process.argv[2] ?? ""))) {
  const started = Date.now();
  try {
    await test();
    assert.deepEqual(wrong.splice(0), []);
    console.log(`ok      ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
rmSync(folder, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
