// SPDX-License-Identifier: Apache-2.0

/** Calls when the page turns light or dark; the result ends that. */
export function onColours(changed: () => void): () => void {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", changed);
  return () => dark.removeEventListener("change", changed);
}
