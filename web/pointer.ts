// SPDX-License-Identifier: MIT
// pointer.ts - mouse, pen and touch in a panel.

import { runAt } from './tile';
import { timeOf } from './ladder';
import type { Spot, Timeline } from './timeline';

const SNAP_PX = 6;
const CLICK_PX = 3;
const LONG_MS = 450;

type Drag =
  | { kind: 'select'; anchor: bigint; start: Spot; rows: boolean; moved: boolean }
  | { kind: 'pan'; left: bigint; scroll: number; x: number; y: number; moved: boolean };

interface Finger {
  x: number;
  y: number;
}

export function listen(panel: Timeline): void {
  const { app, plot } = panel;
  let drag: Drag | null = null;
  const fingers = new Map<number, Finger>();
  let pinch = 0;
  let long = 0;
  let tapped = -1e9;
  let finger = false; // the last press was by a finger

  const spot = (e: { clientX: number; clientY: number }): Spot => {
    const box = plot.getBoundingClientRect();
    return panel.spot(e.clientX - box.left, e.clientY - box.top);
  };

  plot.addEventListener('wheel', (e) => {
    if (e.altKey) return; // the browser scrolls the rows
    e.preventDefault();
    const s = spot(e);
    const across = e.shiftKey ? e.deltaX || e.deltaY : Math.abs(e.deltaX) > Math.abs(e.deltaY) ? e.deltaX : 0;
    if (e.shiftKey || across) return app.pan(Math.round(across * app.dpr));
    if (app.wheelScrolls && !e.ctrlKey) {
      panel.scroll.scrollTop += e.deltaY;
      return;
    }
    app.wheel(e.deltaY * (e.deltaMode === 1 ? 40 : 1), s.pixel, e.ctrlKey);
  }, { passive: false });

  plot.addEventListener('pointerdown', (e) => {
    plot.focus({ preventScroll: true });
    plot.setPointerCapture(e.pointerId);
    const s = spot(e);
    finger = e.pointerType === 'touch';
    if (finger) {
      fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
      long = window.setTimeout(() => app.hoverAt(s, e), LONG_MS);
      drag = fingers.size === 1 ? { kind: 'pan', left: app.left, scroll: panel.scroll.scrollTop, x: e.clientX, y: e.clientY, moved: false } : null;
      pinch = fingers.size === 2 ? apart(fingers) : 0;
      return;
    }
    if (e.button === 1 || (e.button === 0 && (app.space || e.shiftKey))) {
      e.preventDefault();
      drag = { kind: 'pan', left: app.left, scroll: panel.scroll.scrollTop, x: e.clientX, y: e.clientY, moved: false };
    } else if (e.button === 0) {
      const edge = edgeAt(s);
      const select = app.state.select;
      const anchor = edge && select ? (edge === 'from' ? select.to : select.from) : snap(s, e.ctrlKey);
      drag = { kind: 'select', anchor, start: s, rows: e.altKey, moved: edge !== null };
    }
    app.hoverAt(null);
  });

  // Shift+click moves the nearer edge of the selection.
  const extend = (s: Spot, off: boolean): void => {
    const { select } = app.state;
    if (!select) return;
    const t = snap(s, off);
    if (t * 2n < select.from + select.to) app.select({ ...select, from: t });
    else app.select({ ...select, to: t });
  };

  const edgeAt = (s: Spot): 'from' | 'to' | null => {
    const select = app.state.select;
    if (!select) return null;
    if (Math.abs(app.xOf(select.from) - s.pixel) <= 4 * app.dpr) return 'from';
    return Math.abs(app.xOf(select.to) - s.pixel) <= 4 * app.dpr ? 'to' : null;
  };

  // Returns the nearest border of an interval of this row within six pixels.
  const snap = (s: Spot, off: boolean): bigint => {
    if (off || !s.line) return s.time;
    let best = s.time;
    let near = SNAP_PX * app.dpr + 1;
    for (let x = Math.max(0, s.pixel - near); x <= s.pixel + near; x++) {
      const t = timeOf(app.left + BigInt(Math.floor(x)), app.scale);
      const a = panel.rowAt(s.line, t);
      if (!a) continue;
      const start = a.column === 0 ? 0 : a.row.end[runAt(a.row, a.column) - 1] ?? 0;
      const pixel = Math.floor(x) - (a.column - start) * app.scale.k;
      const far = Math.abs(pixel - s.pixel);
      if (start > 0 && far < near && far <= SNAP_PX * app.dpr) {
        near = far;
        best = timeOf(app.left + BigInt(pixel), app.scale);
      }
    }
    if (s.time <= 0n) return 0n;
    return best;
  };

  const select_ = (s: Spot, off: boolean): void => {
    if (drag?.kind !== 'select') return;
    const t = snap(s, off);
    const [from, to] = t < drag.anchor ? [t, drag.anchor] : [drag.anchor, t];
    const rows: string[] = [];
    if (drag.rows && s.index >= 0 && drag.start.index >= 0)
      for (let i = Math.min(s.index, drag.start.index); i <= Math.max(s.index, drag.start.index); i++) rows.push(panel.lines[i]!.hash);
    app.select(from === to ? null : { from, to, rows }, false);
  };

  plot.addEventListener('pointermove', (e) => {
    const s = spot(e);
    if (e.pointerType === 'touch' && fingers.has(e.pointerId)) {
      const before = fingers.get(e.pointerId)!;
      if (Math.hypot(e.clientX - before.x, e.clientY - before.y) > 8 || drag?.moved) clearTimeout(long);
      if (fingers.size === 2) {
        fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
        const now = apart(fingers);
        if (pinch > 0 && (now / pinch > 1.2 || pinch / now > 1.2)) {
          const [a, b] = [...fingers.values()];
          app.zoom(now > pinch ? -1 : 1, spot({ clientX: (a!.x + b!.x) / 2, clientY: a!.y }).pixel);
          pinch = now;
        }
        return;
      }
    }
    if (!drag) {
      plot.style.cursor = edgeAt(s) ? 'col-resize' : '';
      if (e.pointerType !== 'touch') app.hoverAt(s, e);
      return;
    }
    if (drag.kind === 'pan') {
      drag.moved ||= Math.abs(e.clientX - drag.x) + Math.abs(e.clientY - drag.y) > CLICK_PX;
      if (!drag.moved) return;
      panel.scroll.scrollTop = drag.scroll - (e.clientY - drag.y);
      app.goWindow(app.scale, drag.left - BigInt(Math.round((e.clientX - drag.x) * app.dpr)));
      return;
    }
    drag.moved ||= Math.abs(s.pixel - drag.start.pixel) > CLICK_PX * app.dpr;
    if (drag.moved) select_(s, e.ctrlKey);
  });

  plot.addEventListener('pointerup', (e) => {
    clearTimeout(long);
    fingers.delete(e.pointerId);
    const was = drag;
    drag = null;
    if (!was) return;
    if (was.moved) return was.kind === 'select' ? void app.snapExactly(panel, [was.start.line, spot(e).line], e.ctrlKey ? 0 : SNAP_PX * app.dpr) : undefined;
    if (e.pointerType === 'touch') {
      const again = e.timeStamp - tapped < 350;
      tapped = e.timeStamp;
      if (again) return app.zoom(-4, spot(e).pixel);
    }
    if (e.button === 0 && e.shiftKey) extend(spot(e), e.ctrlKey);
    else if (e.button === 0) void app.go.pin(spot(e));
  });

  plot.addEventListener('pointercancel', (e) => {
    fingers.delete(e.pointerId);
    drag = null;
  });
  plot.addEventListener('pointerleave', () => app.hoverAt(null));
  // Two taps zoom by steps: browsers send a double click after them, too.
  plot.addEventListener('dblclick', (e) => finger || void app.go.zoom(spot(e)));
  plot.addEventListener('contextmenu', (e) => {
    e.preventDefault();
    void app.go.menu(spot(e), e.clientX, e.clientY);
  });
  panel.app.cancels.push(() => {
    const had = drag !== null;
    if (drag?.kind === 'select') app.select(null);
    drag = null;
    return had;
  });
}

function apart(fingers: Map<number, Finger>): number {
  const [a, b] = [...fingers.values()];
  return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
}
