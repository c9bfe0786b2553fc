// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import puppeteer from "puppeteer-core";

/** A browser, and what it complained of. */
export class Browser {
  problems = [];

  static async start() {
    const made = new Browser();
    made.browser = await puppeteer.launch({
      executablePath: process.env.SME_CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu"],
    });
    return made;
  }

  /** Opens a report; all that the page says on its console, or fetches, is a problem. */
  async open(path, { width = 1280, height = 800, scheme = "light" } = {}) {
    const page = await this.browser.newPage();
    page.on("console", (message) => this.problems.push(message.text()));
    page.on("pageerror", (error) => this.problems.push(String(error)));
    page.on("request", (request) => {
      if (!/^(file|data|blob):/.test(request.url())) this.problems.push(request.url());
    });
    await page.setViewport({ width, height });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.goto(`file://${path}`);
    await page.waitForSelector("header");
    return page;
  }

  stop() {
    return this.browser.close();
  }
}

/** The element of a role with this accessible name. */
export function named(page, role, name) {
  return page.waitForSelector(`::-p-aria([name="${name}"][role="${role}"])`, { timeout: 5000 });
}

export async function click(page, role, name) {
  await (await named(page, role, name)).click();
}

/** The text of what a selector finds. */
export function texts(page, selector) {
  return page.$$eval(selector, (found) => found.map((each) => each.textContent.trim()));
}

/** What the rows of the viewer that are seen say: name → value at the cursor. */
export function values(page) {
  return page.$$eval(".names .row[data-signal]", (rows) =>
    Object.fromEntries(
      rows.map((row) => [row.dataset.signal, row.querySelector(".value").textContent]),
    ),
  );
}

export function labels(page) {
  return texts(page, ".names .row .label");
}

export function cursor(page) {
  return page.$eval('[aria-label="Cycle of the cursor"]', (field) => Number(field.value));
}

/** The rows of a CSV trace, by name. */
export function readCsv(path) {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const cells = (line) => line.split(","); // no name here holds one
  const names = lines[0].split(",");
  return lines.slice(1).map((line) => Object.fromEntries(cells(line).map((c, k) => [names[k], c])));
}

/** Tables of which a part can be seen only when they are scrolled sideways. */
export function runOff(page) {
  return page.$$eval(".scrolls, .table, .source", (parts) =>
    parts.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.className),
  );
}

/** Lets the page draw. */
export function drawn(page) {
  return page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** The colour of a point of the canvas of waves, red, green, blue and alpha. */
export function pixel(page, x, y) {
  return page.$eval(
    ".canvas",
    (canvas, x, y) => [...canvas.getContext("2d").getImageData(x, y, 1, 1).data],
    x,
    y,
  );
}
