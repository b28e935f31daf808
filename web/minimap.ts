// SPDX-License-Identifier: MIT
// minimap.ts - draws the whole trace in small: shares of the outermost group,
// findings, losses and marks; a frame, which can be dragged, marks the window.

import type { App } from './app';
import { el, sized } from './el';
import { fit, floorDiv, pixelOf, Scale, timeOf } from './ladder';
import { Finding } from './net';
import { busiest, paintArea } from './paint';
import { COLUMNS, FINE, Row } from './tile';
import { toTime } from './time';
import { Type } from './trace';

const HEIGHT = 34;
const OUTERMOST = 4; // most groups shown: PLAN_OUTERMOST of src/serve/plan.h, as a report has exact shares of these

export class Minimap {
  private canvas = el('canvas', { role: 'img', 'aria-label': 'The whole trace. The frame is the window: keys W, S, A, D move it.' });
  private caption = el('div', { class: 'start' }, 'whole trace');
  private drag: { at: number; left: bigint; inside: boolean } | null = null;
  findings: Finding[] = [];
  private picture = el('canvas');
  private rows: (Row | undefined)[] = [];
  private painted = '';

  constructor(private app: App, private root: HTMLElement) {
    root.append(this.caption, this.canvas);
    this.canvas.addEventListener('pointerdown', (e) => this.down(e));
    this.canvas.addEventListener('pointermove', (e) => this.move(e));
    this.canvas.addEventListener('pointerup', () => (this.drag = null));
    this.canvas.addEventListener('wheel', (e) => {
      e.preventDefault();
      app.zoom(e.deltaY < 0 ? -1 : 1, app.plot >> 1);
    }, { passive: false });
  }

  renew(): void {
    this.painted = '';
  }

  private get scale(): Scale {
    return fit(this.app.trace.end || 1n, this.app.plot);
  }

  private time(e: MouseEvent): bigint {
    const x = Math.round((e.clientX - this.canvas.getBoundingClientRect().left) * this.app.dpr);
    return timeOf(BigInt(x), this.scale);
  }

  private down(e: PointerEvent): void {
    const { app } = this;
    this.canvas.setPointerCapture(e.pointerId);
    const t = this.time(e);
    const inside = t >= app.from && t < app.to;
    if (!inside) app.goWindow(app.scale, pixelOf(t, app.scale) - BigInt(app.plot >> 1));
    this.drag = { at: Number(pixelOf(t, app.scale)), left: app.left, inside };
  }

  private move(e: PointerEvent): void {
    if (!this.drag) return;
    const { app } = this;
    app.goWindow(app.scale, this.drag.left + pixelOf(this.time(e), app.scale) - BigInt(this.drag.at));
  }

  draw(): void {
    const { app, canvas } = this;
    this.root.hidden = app.hideMap;
    if (app.hideMap) return;
    const height = Math.round(HEIGHT * app.dpr * app.rem);
    const ctx = sized(canvas, app.plot, height, app.dpr);
    const s = this.scale;
    this.drawShares(ctx, s, height);
    const x = (t: bigint) => Number(pixelOf(t, s));
    ctx.fillStyle = app.css('--loss');
    // A loss may last beyond the last event.
    const end = x(app.trace.end);
    for (const l of app.trace.meta.losses) {
      const from = Math.min(x(toTime(l.from)), end - 2);
      ctx.fillRect(from, height - 4 * app.dpr, Math.max(2, Math.min(end, x(toTime(l.to))) - from), 4 * app.dpr);
    }
    for (const f of this.findings) {
      if (f.time === null) continue;
      ctx.fillStyle = app.css(f.severity === 'note' ? '--note' : f.severity === 'warning' ? '--warning' : '--error');
      ctx.fillRect(x(toTime(f.time)) - 1, 0, Math.max(2, Math.round(2 * app.dpr)), 7 * app.dpr);
    }
    ctx.fillStyle = app.css('--mark');
    for (const m of app.state.marks) ctx.fillRect(x(m.time) - 1, 0, 2 * app.dpr, height);
    if (app.state.select) {
      ctx.fillStyle = app.css('--select');
      ctx.fillRect(x(app.state.select.from), 0, Math.max(1, x(app.state.select.to) - x(app.state.select.from)), height);
    }
    const a = x(app.from);
    const b = Math.max(a + 4, Math.min(app.plot, x(app.to)));
    ctx.fillStyle = app.css('--shade');
    ctx.fillRect(0, 0, a, height);
    ctx.fillRect(b, 0, app.plot - b, height);
    ctx.strokeStyle = app.css('--accent');
    ctx.lineWidth = 2 * app.dpr;
    ctx.strokeRect(a + app.dpr, app.dpr, b - a - 2 * app.dpr, height - 2 * app.dpr);
  }

  // Paints the shares of the outermost groups once; the busiest column has the
  // full height.
  private drawShares(ctx: CanvasRenderingContext2D, s: Scale, height: number): void {
    const { app } = this;
    const panel = app.panels.find((p) => p.type.isState && p.tree);
    if (!panel?.tree) {
      this.painted = '';
      this.caption.title = this.caption.textContent = 'whole trace';
      return;
    }
    const groups = panel.tree.groups.filter((g) => g.parent === null);
    const lines = groups.length ? groups.slice(0, OUTERMOST).map((g) => ({ key: 'g' + g.group, rows: g.n })) : panel.tree.rows.slice(0, OUTERMOST).map((r) => ({ key: 'r' + r.row, rows: 1 }));
    if (lines.length === 0) return;
    const last = floorDiv((app.trace.end || 1n) - 1n, BigInt(COLUMNS) * BigInt(s.w));
    const rows: (Row | undefined)[] = [];
    for (let i = 0n; i <= last; i++)
      for (const l of lines) rows.push(app.store.row({ type: panel.type.info.type, lane: 0, w: s.w, i, q: FINE, hot: '' }, l.key));
    const key = [panel.type.info.type, panel.type.version, app.colours, app.theme, s.step, app.plot, height].join();
    if (key !== this.painted || rows.some((r, i) => r !== this.rows[i])) {
      this.painted = key;
      this.rows = rows;
      this.paint(panel.type, lines.length, rows, height);
      const most = Math.max(0, ...rows.map((r) => (r ? busiest(r, FINE) : 0)));
      const of = lines[0]!.rows;
      const about = rows.some((r) => r && r.coarse > 0) ? 'about ' : '';
      const busy = app.net.isExact(panel.type.info.type, s.w, lines.map((l) => l.key)) ? most * of : 0;
      const text = this.caption.textContent = lines.length === 1 && of > 1 && busy > 0
        ? `up to ${about}${busy < 0.05 ? 'less than 0.1' : Number(busy.toFixed(1))} of ${of} ${panel.type.info.class}s` : 'whole trace';
      this.caption.title = busy > 0 ? `${panel.type.info.title}: at the highest place, ${text} are not in "${panel.type.name(null)}"` : text;
    }
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(this.picture, 0, 0, this.picture.width, height, 0, 0, this.picture.width * s.k, height);
  }

  private paint(type: Type, n: number, rows: (Row | undefined)[], height: number): void {
    const { app } = this;
    const ink = app.trace.ink(type, app.colours, app.theme, null);
    const full = Math.max(0.001, ...rows.map((r) => (r ? busiest(r, FINE) : 0)));
    this.picture.width = Math.max(1, Math.ceil(rows.length / n)) * COLUMNS;
    this.picture.height = height;
    const to = this.picture.getContext('2d')!;
    for (let i = 0; i * n < rows.length; i++) {
      const data = new ImageData(COLUMNS, height);
      for (let l = 0; l < n; l++) {
        const top = Math.floor((l * height) / n);
        const at = { top, height: Math.floor(((l + 1) * height) / n) - top };
        const row = rows[i * n + l];
        if (row) paintArea({ data: new Uint32Array(data.data.buffer), width: COLUMNS }, at, row, FINE, ink, full);
      }
      to.putImageData(data, i * COLUMNS, 0);
    }
  }
}
