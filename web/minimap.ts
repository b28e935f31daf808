// SPDX-License-Identifier: MIT
// minimap.ts - the whole trace: shares of the outermost group, findings, losses
// and marks, and the window as a frame that can be dragged.

import type { App } from './app';
import { el } from './el';
import { fit, floorDiv, pixelOf, Scale, timeOf } from './ladder';
import { Finding } from './net';
import { paintRow } from './paint';
import { COLUMNS } from './tile';
import { toTime } from './time';

const HEIGHT = 34;

export class Minimap {
  private canvas = el('canvas', { role: 'img', 'aria-label': 'The whole trace. The frame is the window: keys W, S, A, D move it.' });
  private caption = el('div', { class: 'start' }, 'whole trace');
  private drag: { at: number; left: bigint; inside: boolean } | null = null;
  findings: Finding[] = [];

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
    const height = Math.round(HEIGHT * app.dpr);
    canvas.width = app.plot;
    canvas.height = height;
    canvas.style.width = app.plot / app.dpr + 'px';
    canvas.style.height = height / app.dpr + 'px';
    const ctx = canvas.getContext('2d')!;
    const s = this.scale;
    this.drawShares(ctx, s, height);
    const x = (t: bigint) => Number(pixelOf(t, s));
    ctx.fillStyle = app.css('--loss');
    for (const l of app.trace.meta.losses) ctx.fillRect(x(toTime(l.from)), height - 4 * app.dpr, Math.max(2, x(toTime(l.to)) - x(toTime(l.from))), 4 * app.dpr);
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

  private drawShares(ctx: CanvasRenderingContext2D, s: Scale, height: number): void {
    const { app } = this;
    const panel = app.panels.find((p) => p.type.isState && p.tree);
    if (!panel?.tree) return;
    this.caption.textContent = 'whole trace';
    const groups = panel.tree.groups.filter((g) => g.parent === null);
    const rows = groups.length ? groups.slice(0, 4).map((g) => 'g' + g.group) : panel.tree.rows.slice(0, 4).map((r) => 'r' + r.row);
    const ink = app.trace.ink(panel.type, app.colours, app.theme, null);
    const last = floorDiv((app.trace.end || 1n) - 1n, BigInt(COLUMNS) * BigInt(s.w));
    for (let i = 0n; i <= last; i++) {
      const want = { type: panel.type.info.type, lane: 0, w: s.w, i, q: 63, hot: '' };
      const data = new ImageData(COLUMNS, height);
      rows.forEach((key, n) => {
        const row = app.store.row(want, key);
        const top = Math.floor((n * height) / rows.length);
        const at = { top, height: Math.floor(((n + 1) * height) / rows.length) - top };
        if (row) paintRow({ data: new Uint32Array(data.data.buffer), width: COLUMNS }, at, row, 63, 0, 'share', ink);
      });
      const tile = el('canvas', { width: COLUMNS, height });
      tile.getContext('2d')!.putImageData(data, 0, 0);
      ctx.imageSmoothingEnabled = false;
      ctx.drawImage(tile, Number(i) * COLUMNS * s.k, 0, COLUMNS * s.k, height);
    }
  }
}
