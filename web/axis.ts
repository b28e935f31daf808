// SPDX-License-Identifier: MIT
// axis.ts - the axis of time above all panels. A drag zooms into the time that
// it covers.

import type { App } from './app';
import { el, sized } from './el';
import { fit, pixelOf, timeOf } from './ladder';
import type { Ctx } from './overlay';
import { exact, span, ticks } from './time';

export class Axis {
  private start = el('div', { class: 'start' });
  private canvas = el('canvas', { 'aria-hidden': 'true' });
  private drag: [number, number] | null = null;

  constructor(private app: App, root: HTMLElement) {
    root.append(this.start, this.canvas);
    this.canvas.addEventListener('pointerdown', (e) => {
      if (e.button !== 0) return;
      this.canvas.setPointerCapture(e.pointerId);
      this.drag = [this.pixel(e), this.pixel(e)];
    });
    this.canvas.addEventListener('pointermove', (e) => {
      if (!this.drag) return;
      this.drag[1] = this.pixel(e);
      app.touch();
    });
    this.canvas.addEventListener('pointerup', () => this.finish());
    this.canvas.addEventListener('wheel', (e) => {
      e.preventDefault();
      app.zoom(e.deltaY < 0 ? -1 : 1, this.pixel(e));
    }, { passive: false });
  }

  // Returns the text left of the axis.
  get left(): string {
    return this.start.textContent ?? '';
  }

  private pixel(e: MouseEvent): number {
    return Math.round((e.clientX - this.canvas.getBoundingClientRect().left) * this.app.dpr);
  }

  private finish(): void {
    const drag = this.drag;
    this.drag = null;
    if (!drag || Math.abs(drag[1] - drag[0]) < 4) return this.app.touch();
    const [a, b] = [Math.min(...drag), Math.max(...drag)];
    const from = timeOf(this.app.left + BigInt(a), this.app.scale);
    const to = timeOf(this.app.left + BigInt(b), this.app.scale);
    const s = fit(to - from || 1n, this.app.plot);
    this.app.goWindow(s, pixelOf(from, s));
  }

  draw(): void {
    const { app, canvas } = this;
    const height = Math.round(26 * app.dpr * app.rem);
    this.paint(sized(canvas, app.plot, height, app.dpr), height);
  }

  paint(ctx: Ctx, height: number): void {
    const { app } = this;
    const t = ticks(app.from, app.to, app.plot, app.trace.unit, 80 * app.dpr * app.rem);
    this.start.textContent = app.from === 0n ? span(app.to, app.trace.unit) : `${span(app.from, app.trace.unit)} + ${span(app.to - app.from, app.trace.unit)}`;
    this.start.title = 'window from ' + exact(app.from, app.trace.unit) + ', a column is ' + exact(BigInt(app.scale.w), app.trace.unit);
    ctx.font = `${11 * app.dpr * app.rem}px system-ui, sans-serif`;
    ctx.textBaseline = 'middle';
    ctx.fillStyle = ctx.strokeStyle = app.css('--ink');
    if (this.drag) {
      ctx.fillStyle = app.css('--select');
      ctx.fillRect(Math.min(...this.drag), 0, Math.abs(this.drag[1] - this.drag[0]), height);
      ctx.fillStyle = app.css('--ink');
    }
    let last = -1e9;
    for (const tick of t.ticks) {
      const x = Number(pixelOf(tick.time, app.scale) - app.left);
      const text = tick.label + '\u00a0' + t.unit;
      const wide = ctx.measureText(text).width;
      ctx.fillRect(x, height - 5 * app.dpr, Math.max(1, Math.floor(app.dpr)), 5 * app.dpr);
      if (x + 3 > last + 8 * app.dpr && x + wide < app.plot) {
        ctx.fillText(text, x + 3 * app.dpr, height * 0.45);
        last = x + 3 + wide;
      }
    }
    if (t.relative !== null) this.start.textContent = span(t.relative, app.trace.unit) + ' +';
    this.drawSelection(ctx, height);
  }

  private drawSelection(ctx: Ctx, height: number): void {
    const { app } = this;
    const s = app.state.select;
    if (s) {
      const a = app.xOf(s.from);
      const b = app.xOf(s.to);
      ctx.fillStyle = app.css('--select');
      ctx.fillRect(a, 0, b - a, height);
      const text = span(s.to - s.from, app.trace.unit);
      const wide = ctx.measureText(text).width + 8 * app.dpr;
      const mid = Math.max(wide / 2, Math.min(app.plot - wide / 2, (Math.max(0, a) + Math.min(app.plot, b)) / 2));
      if (b > 0 && a < app.plot) {
        ctx.fillStyle = app.css('--accent');
        ctx.fillRect(mid - wide / 2, 1, wide, 15 * app.dpr * app.rem);
        ctx.fillStyle = app.css('--on-accent');
        ctx.fillText(text, mid - wide / 2 + 4 * app.dpr, 8.5 * app.dpr * app.rem);
      }
    }
    for (const m of app.state.marks) {
      const x = app.xOf(m.time);
      if (x < 0 || x > app.plot) continue;
      ctx.fillStyle = app.css('--mark');
      ctx.beginPath();
      ctx.moveTo(x - 5 * app.dpr, height - 9 * app.dpr);
      ctx.lineTo(x + 5 * app.dpr, height - 9 * app.dpr);
      ctx.lineTo(x, height);
      ctx.fill();
    }
  }
}
