// SPDX-License-Identifier: Apache-2.0
// Bundles the page into one HTML file without data, and into a C++ source that contains it:
// node bundle.mjs page.html page_text.cpp
import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const [pagePath = "page.html", sourcePath] = process.argv.slice(2);

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

/** Formats bytes as C++ string literals. */
function literals(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 4096) {
    let line = "";
    for (const byte of bytes.subarray(at, at + 4096)) {
      const plain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92 && byte !== 63;
      line += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
    }
    lines.push(`        "${line}"`);
  }
  return lines.join("\n");
}

const bytes = Buffer.from(await bundle(), "utf8");
await writeFile(pagePath, bytes);
if (sourcePath)
  await writeFile(
    sourcePath,
    `// Made from sim/report/page by the build.
#include <string_view>

namespace sme::report {

std::string_view built_page() {
    static constexpr char text[] =
${literals(bytes)};
    return {text, sizeof text - 1};
}

std::string_view missing_page() {
    return {};
}

} // namespace sme::report
`,
  );
