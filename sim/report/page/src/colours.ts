// SPDX-License-Identifier: Apache-2.0

/** Calls `changed` when the page turns light or dark; the returned function stops that. */
export function onColours(changed: () => void): () => void {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", changed);
  return () => dark.removeEventListener("change", changed);
}
