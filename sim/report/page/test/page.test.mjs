// SPDX-License-Identifier: Apache-2.0
// Operates reports in a browser, and compares the display with other files of the same runs. The
// folder SME_REPORTS contains them; see ../../test/page_test.cpp.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import * as help from "./helpers.mjs";

const folder = process.env.SME_REPORTS;
const pictures = process.env.SME_PICTURES;
let browser;
let page; // usually shows sorts.html

before(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await help.Browser.start();
  page = await browser.open(`${folder}/sorts.html`);
});

after(() => browser.stop());

const tab = (name) => help.click(page, "tab", name);
const button = (name) => help.click(page, "button", name);
const key = (name) => page.keyboard.press(name);

async function add(name) {
  await page.locator('[aria-label="Search signals"]').fill(name);
  await button(`Add ${name}`);
}

test("the summary says what came of the run", async () => {
  assert.deepEqual(await help.texts(page, "h1 .badge"), ["check-failed"]);
  const facts = await help.texts(page, ".facts > div");
  for (const fact of ["Cycles33", "Seed0", "Networkso<b>rts.yaml", "Engineinterpreted"])
    assert.ok(facts.includes(fact), `${fact} in ${facts}`);
  const [command] = await help.texts(page, ".command pre");
  assert.match(command, /^sme run 'so<b>rts.yaml' --report sorts.html --trace sorts.csv /);
  const checks = await help.texts(page, ".outcomes > li .head");
  assert.match(checks[0], /^failedalways: p.n < 30 or mode != doneevaluated 33 times/);
  assert.match(checks[1], /^not reachedat 500: /);
  assert.match(checks[2], /^passedcover: mode == donecovered 11 times, first in cycle 2/);
  assert.match((await help.texts(page, ".why"))[0], /in cycle 32: 'p.n' is 32, 'mode' is done$/);
  assert.deepEqual(await help.texts(page, ".window-names li"), ["p.n", "mode"]);
});

test("a failed check opens in the viewer where it failed", async () => {
  await (await page.$(".outcomes > li.failed .acts button:last-child")).click();
  assert.equal(await help.cursor(page), 32);
  const labels = await help.labels(page);
  assert.ok(labels[0].endsWith("always: p.n < 30 or mode != done"), labels[0]);
  const shown = await help.values(page);
  assert.equal(shown["p.n"], "32");
  assert.equal(shown.mode, "done");
  await button("Remove all");
  assert.deepEqual(await help.labels(page), []);
});

test("all values are those of the CSV trace in every cycle", async () => {
  const rows = help.readCsv(`${folder}/sorts.csv`);
  const names = Object.keys(rows[0]).filter((name) => name !== "cycle");
  assert.equal(names.length, 17);
  for (const name of names) await add(name);
  await page.focus(".canvas");
  await key("Home");
  for (const row of rows) {
    const shown = await help.values(page);
    for (const name of names) assert.equal(shown[name], row[name] || "x", `${name}, ${row.cycle}`);
    await key("ArrowRight");
  }
  assert.equal(await help.cursor(page), rows.length - 1);
});

test("a value is shown in each radix", async () => {
  await page.locator('[aria-label="Cycle of the cursor"]').fill("5");
  await key("Enter");
  // the row shows -16 in 9 bits: 512 - 16
  const expected = { bin: "111110000", hex: "1f0", dec: "496", signed: "-16", auto: "-16" };
  await (await page.$('[data-signal="pair.left"]')).click();
  for (const [radix, value] of Object.entries(expected)) {
    await page.select('[aria-label="Radix of the selected signal"]', radix);
    assert.equal((await help.values(page))["pair.left"], value);
  }
  await page.focus(".canvas");
  await key("r");
  assert.equal((await help.values(page))["pair.left"], expected.bin);
  await (await page.$('[data-signal="wide"]')).click();
  await page.select('[aria-label="Radix of the selected signal"]', "dec");
  assert.equal((await help.values(page)).wide, String((4n << 90n) + 5n));
});

test("signals move and go by keys and by the pointer", async () => {
  await button("Remove all");
  for (const name of ["lane[0]", "lane[1]", "every"]) await add(name);
  await page.focus(".canvas");
  await (await page.$('[data-signal="lane[0]"]')).click();
  await page.focus(".canvas");
  await page.keyboard.down("Alt");
  await key("ArrowDown");
  await page.keyboard.up("Alt");
  assert.deepEqual(await help.labels(page), ["lane[1]", "lane[0]", "every"]);
  const box = await (await page.$('[data-signal="every"]')).boundingBox();
  await page.mouse.move(box.x + 20, box.y + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + 20, box.y + 12 - 48, { steps: 8 });
  await page.mouse.up();
  assert.deepEqual(await help.labels(page), ["every", "lane[1]", "lane[0]"]);
  await page.focus(".canvas");
  await key("ArrowDown");
  await key("Delete");
  assert.deepEqual(await help.labels(page), ["every", "lane[0]"]);
});

test("a struct is a group that folds", async () => {
  await button("Remove all");
  await page.click('[aria-label="Search signals"]', { count: 3 });
  await key("Backspace");
  await button("Add pair");
  assert.deepEqual(await help.labels(page), ["▾pair", "left", "right"]);
  await button("Fold pair");
  assert.deepEqual(await help.labels(page), ["▸pair"]);
  await page.focus(".names");
  await key("Enter");
  assert.deepEqual(await help.labels(page), ["▾pair", "left", "right"]);
});

test("the window zooms and pans, and a click sets the cursor", async () => {
  await page.focus(".canvas");
  await key("f");
  const box = await (await page.$(".canvas")).boundingBox();
  const at = async (share) => {
    await page.mouse.click(box.x + box.width * share, box.y + 60);
    await help.drawn(page);
    return help.cursor(page);
  };
  // cycles 0 up to but excluding 34
  assert.equal(await at(0.5), 17);
  assert.equal(await at(0.999), 33);
  assert.equal(await at(0.5), 17);
  await key("+"); // around cycle 17: 8.5 to 25.5
  assert.equal(await at(0.001), 8);
  assert.equal(await at(0.999), 25);
  await page.mouse.move(box.x + box.width / 2, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width, box.y + 60, { steps: 5 });
  await page.mouse.up(); // by half a window: 0 to 17
  await help.drawn(page); // a click that ends a drag does not count
  assert.equal(await at(0.001), 0);
  assert.equal(await at(0.999), 16);
  await page.keyboard.down("Control");
  await page.mouse.move(box.x + 1, box.y + 60);
  await page.mouse.wheel({ deltaY: -200 }); // doubled, around its left end
  await page.keyboard.up("Control");
  assert.equal(await at(0.999), 8);
  await (await page.$('[data-signal="pair.left"]')).click();
  await page.focus(".canvas");
  await key("n");
  assert.equal(await help.cursor(page), 9);
});

test("a click on a bus of the network shows its waves", async () => {
  await button("Remove all");
  await tab("Network");
  const bus = await help.named(page, "button", "Waves of lane[0..2]");
  await page.screenshot({ path: `${pictures}/network.png` });
  const rows = help.readCsv(`${folder}/sorts.csv`);
  const changes = rows
    .slice(1)
    .flatMap((row, t) =>
      [0, 1, 2].filter((k) => row[`lane[${k}]`] !== rows[t][`lane[${k}]`]),
    ).length;
  assert.equal(
    await bus.$eval("title", (tip) => tip.textContent),
    `lane[0..2]: ${changes} changes, at most ${3 * (rows.length - 1)}`,
  );
  await (await bus.$("text")).click();
  assert.deepEqual(await help.labels(page), ["lane[0]", "lane[1]", "lane[2]"]);
  await tab("Network");
  await (await help.named(page, "button", "Waves of pair")).evaluate((bus) => bus.focus());
  await key("Enter");
  assert.deepEqual((await help.labels(page)).slice(-3), ["▾pair", "left", "right"]);
});

test("coverage stands on the lines, as lcov has it", async () => {
  await tab("Coverage");
  const counted = [...readFileSync(`${folder}/sorts.info`, "utf8").matchAll(/^DA:(\d+),(\d+)$/gm)];
  assert.ok(counted.length > 5);
  const shown = await page.$$eval(".source tbody tr", (rows) =>
    rows.flatMap((row) => {
      const [line, count] = [...row.cells].map((cell) => cell.textContent);
      return count ? [`${line},${count}`] : [];
    }),
  );
  assert.deepEqual(
    shown,
    counted.map(([, line, count]) => `${line},${count}`),
  );
  const [line] = await help.texts(page, ".source tr.partly .text");
  assert.equal(line, "every: every + 1 when every < 1000");
});

test("the time line says what ran", async () => {
  await tab("Threads");
  assert.match((await help.texts(page, ".thread-text"))[0], /cycles measured/);
  const box = await (await page.$(".timeline canvas")).boundingBox();
  const pointed = () => page.$eval(".pointed", (line) => line.textContent);
  let x = 2; // a busy machine leaves gaps before and between activities
  do {
    await page.mouse.move(box.x + x, box.y + 38);
    await help.drawn(page);
    x += 4;
  } while (!/: cycle \d/.test(await pointed()) && x < box.width);
  assert.match(await pointed(), /: cycle \d/);
});

test("the tabs are reached by keys", async () => {
  await tab("Summary");
  await key("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-waves");
  assert.ok(await page.$(".waves .canvas"));
});

test("channels are as full as the trace says", async () => {
  const other = await browser.open(`${folder}/channels.html#channels`);
  const rows = help.readCsv(`${folder}/channels.csv`);
  const held = rows.map((row) => Number(row["held.queue.count"])).slice(0, -1);
  const cells = await help.texts(other, ".channels tbody:first-of-type td");
  const [from, to, type, depth, most, mean] = cells;
  assert.deepEqual([from, to, type, depth], ["fork", "join", "i16", "5"]);
  assert.equal(Number(most), Math.max(...held));
  assert.equal(mean, (held.reduce((sum, each) => sum + each, 0) / held.length).toFixed(2));
  await other.waitForSelector(".plot canvas");
  await other.screenshot({ path: `${pictures}/channels.png` });
  await other.setViewport({ width: 390, height: 800 });
  await help.drawn(other);
  assert.deepEqual(await help.runOff(other), []);
  await other.close();
});

test("a thousand signals with a million changes are found and drawn", async () => {
  const other = await browser.open(`${folder}/many.html#waves`);
  await help.click(other, "button", "Remove all");
  await other.locator('[aria-label="Search signals"]').fill("count");
  await help.click(other, "button", "Add all");
  assert.equal(await other.$eval(".names .row", (row) => row.ariaSetSize), "1000");
  await other.focus(".canvas");
  await other.keyboard.press("f");
  await help.drawn(other);
  const [, , , alpha] = await help.pixel(other, 300, 26 + 12);
  assert.ok(alpha > 0);
  const field = '[aria-label="Cycle of the cursor"]';
  await other.locator(field).fill("777");
  await other.keyboard.press("Enter");
  // count[k] is k + t in cycle t
  assert.equal((await help.values(other))["count[3]"], "780");
  await other.$eval(".scroller", (box) => box.scrollTo(0, box.scrollHeight));
  await other.waitForSelector('[data-signal="count[999]"]');
  assert.equal((await help.values(other))["count[999]"], "1776");
  await other.close();
});

test("the page is dark where the system is, and fits a phone", async () => {
  for (const [name, options] of [
    ["dark", { scheme: "dark" }],
    ["phone", { width: 375, height: 760 }],
  ]) {
    const other = await browser.open(`${folder}/sorts.html`, options);
    const colour = await other.$eval(":root", (root) => getComputedStyle(root).backgroundColor);
    assert.equal(colour, name === "dark" ? "rgb(20, 24, 29)" : "rgb(255, 255, 255)");
    for (const shown of ["Summary", "Waves", "Network", "Coverage", "Threads"]) {
      await help.click(other, "tab", shown);
      await help.drawn(other);
      const width = await other.evaluate(() => document.scrollingElement.scrollWidth);
      assert.ok(width <= (options.width ?? 1280), `${shown} is ${width} wide`);
      if (name === "phone") assert.deepEqual(await help.runOff(other), [], shown);
      await other.screenshot({ path: `${pictures}/${name}-${shown.toLowerCase()}.png` });
    }
    await other.close();
  }
});

test("the fragment of the address chooses the tab", async () => {
  const other = await browser.open(`${folder}/sorts.html#coverage`);
  const shown = () => other.$eval('[aria-selected="true"]', (tab) => tab.textContent);
  assert.equal(await shown(), "Coverage");
  for (const [hash, name] of [
    ["#waves", "Waves"],
    ["", "Summary"],
  ]) {
    await other.evaluate((to) => {
      location.hash = to;
    }, hash);
    await help.drawn(other);
    assert.equal(await shown(), name);
  }
  await other.close();
});

test("nothing is fetched, and the browser does not complain", () => {
  assert.deepEqual(browser.problems, []);
});
