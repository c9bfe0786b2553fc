// SPDX-License-Identifier: Apache-2.0
import { select } from "d3-selection";
import { type D3ZoomEvent, type ZoomTransform, zoom, zoomIdentity } from "d3-zoom";
import type { Span } from "./view";

/** The interface of a window over a numeric axis. */
export interface Panned {
  limits: Span;
  current(): Span;
  show(span: Span): void;
  pan(share: number): void;
}

/**
 * Connects input to a window: pointers drag and pinch it, Ctrl and the wheel zoom it, Shift and the
 * wheel pan it. Call `update` after other code has moved the window; `stop` disconnects the input.
 */
export function zoomable(
  element: HTMLElement,
  of: Panned,
): { update(width: number): void; stop(): void } {
  let width = 1;
  let moving = false; // moved by a pointer, which d3 tracks itself
  const length = () => of.limits.to - of.limits.from;
  const transformOf = (span: Span): ZoomTransform => {
    const scale = length() / (span.to - span.from);
    return zoomIdentity
      .translate((-(span.from - of.limits.from) / length()) * width * scale, 0)
      .scale(scale);
  };
  const behaviour = zoom<HTMLElement, unknown>()
    .filter((event: Event) =>
      event instanceof WheelEvent ? event.ctrlKey || event.metaKey : !(event as MouseEvent).button,
    )
    .clickDistance(4)
    .wheelDelta(({ deltaY, deltaMode }: WheelEvent) => {
      const pinched = deltaMode === 0 && Math.abs(deltaY) < 20; // steps of a touchpad
      return -deltaY * (deltaMode === 1 ? 0.1 : pinched ? 0.02 : 0.005);
    })
    .on("zoom", (event: D3ZoomEvent<HTMLElement, unknown>) => {
      if (!event.sourceEvent) return;
      const { k, x } = event.transform;
      moving = true;
      const from = of.limits.from + (-x / k / width) * length();
      of.show({ from, to: from + length() / k });
      moving = false;
    });
  const chosen = select<HTMLElement, unknown>(element);
  chosen.call(behaviour).on("dblclick.zoom", null);
  const wheel = (event: WheelEvent) => {
    if (event.ctrlKey || event.metaKey) return;
    const by = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (by === 0) return;
    event.preventDefault();
    of.pan(by / Math.max(width, 1));
  };
  element.addEventListener("wheel", wheel, { passive: false });
  return {
    update(now) {
      if (moving) return;
      width = Math.max(now, 1);
      behaviour
        .extent([
          [0, 0],
          [width, 1],
        ])
        .translateExtent([
          [0, Number.NEGATIVE_INFINITY],
          [width, Number.POSITIVE_INFINITY],
        ])
        .scaleExtent([1, Math.max(1, length() / 2)]);
      chosen.call(behaviour.transform, transformOf(of.current()));
    },
    stop() {
      chosen.on(".zoom", null);
      element.removeEventListener("wheel", wheel);
    },
  };
}
