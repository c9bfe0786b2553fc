// SPDX-License-Identifier: Apache-2.0
// Bundles the page into one HTML file without data:
//   node bundle.mjs page.html
import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

async function bundle() {
  const { outputFiles } = await build({
    entryPoints: ["src/main.tsx"],
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome109", "firefox115", "safari16.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    charset: "utf8",
    legalComments: "none",
    outdir: "bundled",
    write: false,
  });
  const text = (ending) =>
    outputFiles
      .filter(({ path }) => path.endsWith(ending))
      .map(({ text }) => text)
      .join("\n");
  // the content of an element must not contain anything like its end tag
  const script = text(".js").replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const style = text(".css").replaceAll("</style", "<\\/style");
  const shell = await readFile("src/shell.html", "utf8");
  return shell
    .replace("<!-- style -->", () => `<style>${style}</style>`)
    .replace("<!-- script -->", () => `<script>${script}</script>`);
}

await writeFile(process.argv[2] ?? "page.html", await bundle());
