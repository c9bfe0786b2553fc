// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import puppeteer from "puppeteer-core";

/** A browser, with the problems it reported. */
export class Browser {
  problems = [];

  static async start() {
    const made = new Browser();
    made.browser = await puppeteer.launch({
      executablePath: process.env.SME_CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu"],
      timeout: 120000, // ms; its first start on a busy machine takes more than 30 s
    });
    return made;
  }

  /** Opens a report; any console message or request of the page is a problem. */
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

/** The element with a role and an accessible name. */
export function named(page, role, name) {
  return page.waitForSelector(`::-p-aria([name="${name}"][role="${role}"])`, { timeout: 5000 });
}

export async function click(page, role, name) {
  await (await named(page, role, name)).click();
}

/** The texts of the elements that match a selector. */
export function texts(page, selector) {
  return page.$$eval(selector, (found) => found.map((each) => each.textContent.trim()));
}

/** The visible rows of the viewer: name → value at the cursor. */
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
  const cells = (line) => line.split(","); // no name here contains a comma
  const names = lines[0].split(",");
  return lines.slice(1).map((line) => Object.fromEntries(cells(line).map((c, k) => [names[k], c])));
}

/** Tables that are only partly visible without horizontal scrolling. */
export function runOff(page) {
  return page.$$eval(".scrolls, .table, .source", (parts) =>
    parts.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.className),
  );
}

/** Waits until the page has drawn. */
export function drawn(page) {
  return page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** The colour of a pixel of the wave canvas: red, green, blue and alpha. */
export function pixel(page, x, y) {
  return page.$eval(
    ".canvas",
    (canvas, x, y) => [...canvas.getContext("2d").getImageData(x, y, 1, 1).data],
    x,
    y,
  );
}
