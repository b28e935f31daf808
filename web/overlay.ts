// SPDX-License-Identifier: MIT
// overlay.ts - draws over the pictures of a panel: labels and borders of
// intervals, selection, marks, losses, links, the focused interval, the cursor.

import { FADED, ink as inkOn, mix, PAPER, Rgb, rgb } from './colour';
import { whole } from './el';
import { Finding, LinkInfo } from './net';
import { pixelOf } from './ladder';
import { NONE } from './tile';
import { toTime } from './time';
import type { Timeline } from './timeline';

const LABEL_PX = 40; // an interval of at least this width has its label inside
const BORDER_PX = 4;
const MOST_LABELS = 1500;

// What overlay and axis draw with: a canvas, or a picture made of shapes.
export type Ctx = Pick<CanvasRenderingContext2D, 'save' | 'restore' | 'translate' | 'rect' | 'clip' | 'fillRect' | 'strokeRect' | 'fillText' | 'measureText' | 'beginPath' |
  'moveTo' | 'lineTo' | 'stroke' | 'fill' | 'createPattern' | 'fillStyle' | 'strokeStyle' | 'lineWidth' | 'font' | 'textBaseline'>;

export function drawOverlay(panel: Timeline, ctx: Ctx): void {
  const { app, overlay } = panel;
  ctx.save();
  if (app.rest && panel.type.info.kind !== 'number') intervals(panel, ctx);
  if (panel.type.info.kind === 'number') scales(panel, ctx);
  if (panel.mode === 'area') percents(panel, ctx);
  coarse(panel, ctx);
  damaged(panel, ctx);
  losses(panel, ctx);
  if (panel.pinsEnd > 0) {
    ctx.fillStyle = app.css('--rule');
    ctx.fillRect(0, panel.pinsEnd - 1, overlay.width, 1);
  }
  outside(panel, ctx);
  selection(panel, ctx);
  findings(panel, ctx);
  if (app.links.shown || app.picked.length > 0) links(panel, ctx);
  marks(panel, ctx);
  focus(panel, ctx);
  if (app.hover) {
    ctx.fillStyle = app.css('--cursor');
    ctx.fillRect(app.hover.pixel, 0, 1, overlay.height);
  }
  ctx.restore();
}

interface Run {
  cls: number;
  value: number | null; // for names: the value of the name
  from: number;
  to: number;
}

// Yields the stretches of one class in a line, over all tiles of the window.
export function* pure(panel: Timeline, index: number): Generator<Run> {
  const { app } = panel;
  const line = panel.lines[index]!;
  const { first, last } = panel.tiles();
  let open: Run | null = null;
  for (let i = first; i <= last; i++) {
    const row = panel.row(line, i);
    const base = Number(i * BigInt(256 * app.scale.k) - app.left);
    let from = base;
    for (let r = 0; r < (row?.runs ?? 0); r++) {
      const to = base + row!.end[r]! * app.scale.k;
      const one = row!.at[r + 1]! - row!.at[r]! === 1 ? row!.cls[row!.at[r]!]! : -1;
      const value = row!.count && row!.value ? row!.value[r]! : null;
      if (open && (open.cls !== one || open.value !== value || open.to !== from)) {
        yield open;
        open = null;
      }
      if (one >= 0 && one !== NONE) {
        if (open) open.to = to;
        else open = { cls: one, value, from, to };
      }
      from = to;
    }
  }
  if (open) yield open;
}

const widths = new Map<string, number>();

function measure(ctx: Ctx, text: string): number {
  const key = ctx.font + text;
  let w = widths.get(key);
  if (w === undefined) {
    if (widths.size > 20000) widths.clear();
    widths.set(key, (w = ctx.measureText(text).width));
  }
  return w;
}

export function clipped(ctx: Ctx, text: string, most: number): string {
  if (measure(ctx, text) <= most) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (measure(ctx, text.slice(0, mid) + '\u2026') <= most) low = mid;
    else high = mid - 1;
  }
  low = whole(text, low);
  return low > 1 ? text.slice(0, low) + '\u2026' : '';
}

// Returns the label of an interval as it has room: of "Barrier: Join" the part
// after the last colon, rather than the beginning that many labels share.
export function fitted(ctx: Ctx, text: string, most: number): string {
  return measure(ctx, text) <= most ? text : clipped(ctx, text.slice(text.lastIndexOf(': ') + 1).trimStart(), most);
}

// Returns the colour in which a class is shown: paler if others are highlighted.
function shown(panel: Timeline, cls: number): Rgb {
  const { app, type } = panel;
  const c = app.trace.colour(type, cls, app.colours, app.theme) ?? [128, 128, 128];
  const hot = app.hot.of(type);
  return hot.length > 0 && !hot.includes(cls) ? mix(c, rgb(PAPER[app.theme]), FADED) : c;
}

function intervals(panel: Timeline, ctx: Ctx): void {
  const { app } = panel;
  // Columns of punctual events are not intervals and get no labels.
  const most = 12 * app.dpr * app.rem;
  let left = MOST_LABELS;
  ctx.textBaseline = 'middle';
  const names = new Map<string, [string, string, number]>();
  for (const index of panel.visible()) {
    const line = panel.lines[index]!;
    if (!panel.asks(line)) continue;
    const y = panel.y(index);
    const h = panel.inner(index);
    if (h < 4) continue;
    const size = Math.min(most, h * 0.82);
    const texts = size >= 8 * app.dpr && panel.mode !== 'area' && panel.type.info.kind !== 'point';
    if (texts) ctx.font = `${size}px system-ui, sans-serif`;
    let before = -1;
    for (const run of pure(panel, index)) {
      const wide = run.to - run.from;
      if (wide < BORDER_PX) continue;
      // Draws a border between neighbours that touch.
      if (run.from === before && panel.mode !== 'area') {
        ctx.fillStyle = app.css('--border');
        ctx.fillRect(run.from, y, 1, h);
      }
      before = run.to;
      if (!texts || wide < LABEL_PX * app.dpr || left-- < 0) continue;
      const key = `${run.cls} ${run.value} ${size}`;
      let label = names.get(key);
      if (!label) {
        const text = run.value === null ? panel.type.nameOfClass(run.cls) : panel.type.name(run.value);
        names.set(key, (label = [text, inkOn(shown(panel, run.cls)), measure(ctx, text)]));
      }
      const from = Math.max(2, run.from + 3 * app.dpr);
      const room = Math.min(run.to, app.plot) - from - 3 * app.dpr;
      const text = label[2] <= room ? label[0] : fitted(ctx, label[0], room);
      if (app.colours === 'patterns' && text) {
        ctx.fillStyle = `rgb(${shown(panel, run.cls).join()})`;
        ctx.fillRect(from - 2, y + 1, Math.min(label[2], room) + 4, h - 2);
      }
      ctx.fillStyle = label[1];
      if (text) ctx.fillText(text, from, y + h / 2 + 0.5);
    }
  }
}

function scales(panel: Timeline, ctx: Ctx): void {
  const { app } = panel;
  const size = 9.5 * app.dpr;
  ctx.font = `${size}px system-ui, sans-serif`;
  ctx.textBaseline = 'top';
  const unit = panel.type.info.unit && panel.type.info.unit !== '1' ? ' ' + panel.type.info.unit : '';
  for (const index of panel.visible()) {
    if (!panel.asks(panel.lines[index]!) || panel.inner(index) < 18 * app.dpr) continue;
    const y = panel.y(index);
    const text = short(panel.high) + unit;
    ctx.fillStyle = app.css('--veil');
    ctx.fillRect(0, y, measure(ctx, text) + 6 * app.dpr, size + 3 * app.dpr);
    ctx.fillStyle = app.css('--dim');
    ctx.fillText(text, 3 * app.dpr, y + app.dpr);
    ctx.fillStyle = app.css('--rule');
    ctx.fillRect(0, y + panel.inner(index), app.plot, 1);
  }
}

export function short(v: number): string {
  const units: [number, string][] = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']];
  for (const [n, name] of units) if (Math.abs(v) >= n) return Number((v / n).toPrecision(4)) + name;
  return String(Number(v.toPrecision(6)));
}

// Draws the scale of a breakdown, in rows and in percent.
function percents(panel: Timeline, ctx: Ctx): void {
  const { app } = panel;
  ctx.font = `${10 * app.dpr}px system-ui, sans-serif`;
  ctx.textBaseline = 'bottom';
  for (const index of panel.visible()) {
    const [y, h] = [panel.y(index), panel.inner(index)];
    const rows = panel.lines[index]!.rows;
    const steps = Math.min(20, Math.floor((rows * panel.high) / panel.step + 1e-6));
    for (let i = 1; i <= steps; i++) {
      const n = i * panel.step;
      const share = n / rows;
      const at = Math.round(y + h * (1 - share / panel.high));
      ctx.fillStyle = app.css('--grid');
      ctx.fillRect(0, at, app.plot, 1);
      const text = `${Number(n.toPrecision(6))} row${n === 1 ? '' : 's'}, ${Number((share * 100).toFixed(2))}\u00a0%`;
      const wide = measure(ctx, text) + 6 * app.dpr;
      ctx.fillStyle = app.css('--veil');
      ctx.fillRect(0, at + 1, wide, 13 * app.dpr);
      ctx.fillStyle = app.css('--ink');
      ctx.fillText(text, 3 * app.dpr, at + 13 * app.dpr);
    }
  }
}

// Draws a dotted line below groups whose columns are wider than the page asked
// for.
function coarse(panel: Timeline, ctx: Ctx): void {
  const { app } = panel;
  const { first, last } = panel.tiles();
  panel.coarse = 0;
  ctx.fillStyle = app.css('--ink');
  for (const index of panel.visible()) {
    const line = panel.lines[index]!;
    for (let i = first; i <= last; i++) {
      const row = panel.row(line, i);
      if (!row?.coarse) continue;
      panel.coarse = Math.max(panel.coarse, row.coarse);
      const from = Number(i * BigInt(256 * app.scale.k) - app.left);
      for (let x = Math.max(0, from); x < Math.min(app.plot, from + 256 * app.scale.k); x += 4) ctx.fillRect(x, panel.y(index) + panel.inner(index) - 1, 2, 1);
    }
  }
}

const hatches = new WeakMap<Ctx, { key: string; pattern: CanvasPattern }>();

function hatch(panel: Timeline, ctx: Ctx): CanvasPattern {
  const { app } = panel;
  const colour = app.css('--loss');
  const key = colour + app.dpr;
  const have = hatches.get(ctx);
  if (have?.key === key) return have.pattern;
  const n = Math.round(8 * app.dpr);
  const c = document.createElement('canvas');
  c.width = c.height = n;
  const p = c.getContext('2d')!;
  p.strokeStyle = colour;
  p.lineWidth = 1.5 * app.dpr;
  for (const d of [-n, 0, n]) {
    p.beginPath();
    p.moveTo(d - 1, n + 1);
    p.lineTo(d + n + 1, -1);
    p.stroke();
  }
  const pattern = ctx.createPattern(c, 'repeat')!;
  hatches.set(ctx, { key, pattern });
  return pattern;
}

// Hatches the parts whose bytes in the index are damaged.
function damaged(panel: Timeline, ctx: Ctx): void {
  const { app } = panel;
  const { first, last } = panel.tiles();
  for (const index of panel.visible()) {
    const line = panel.lines[index]!;
    for (let i = first; i <= last; i++) {
      const row = panel.row(line, i);
      if (!row?.damaged) continue;
      const base = Number(i * BigInt(256 * app.scale.k) - app.left);
      let from = base;
      for (let r = 0; r < row.runs; r++) {
        const to = base + row.end[r]! * app.scale.k;
        ctx.fillStyle = hatch(panel, ctx);
        if (row.more[r] && row.at[r] === row.at[r + 1]) ctx.fillRect(from, panel.y(index), to - from, panel.inner(index));
        from = to;
      }
    }
  }
}

function losses(panel: Timeline, ctx: Ctx): void {
  const { app } = panel;
  if (app.trace.meta.losses.length === 0) return;
  const [first, last] = edges(panel);
  for (const l of app.trace.meta.losses) {
    const index = panel.where(l.row);
    if (index === undefined || index < first || index > last) continue;
    const a = Math.max(0, app.xOf(toTime(l.from)));
    const b = Math.min(app.plot, Math.max(a + 2, app.xOf(toTime(l.to))));
    if (b <= 0 || a >= app.plot) continue;
    ctx.fillStyle = hatch(panel, ctx);
    // A group's line shows several rows, of which perhaps only some lost
    // events: hatches only the lower third of the line.
    const h = panel.inner(index);
    const high = panel.lines[index]!.group === null ? h : Math.ceil(h / 3);
    ctx.fillRect(a, panel.y(index) + h - high, b - a, high);
  }
}

// Returns the first and the last visible line.
function edges(panel: Timeline): [number, number] {
  let [first, last] = [Infinity, -1];
  for (const i of panel.visible()) {
    first = Math.min(first, i);
    last = Math.max(last, i);
  }
  return [first, last];
}

// Covers the time after the end of the trace.
function outside(panel: Timeline, ctx: Ctx): void {
  const { app } = panel;
  const end = app.xOf(app.trace.end);
  if (end < app.plot) {
    ctx.fillStyle = app.css('--outside');
    ctx.fillRect(end, 0, app.plot - end, panel.viewHeight);
  }
}

function selection(panel: Timeline, ctx: Ctx): void {
  const { app } = panel;
  const s = app.state.select;
  if (!s) return;
  const a = app.xOf(s.from);
  const b = Math.max(a + 1, app.xOf(s.to));
  ctx.fillStyle = app.css('--select');
  if (s.rows.length === 0) ctx.fillRect(a, 0, b - a, panel.viewHeight);
  else for (const i of panel.visible()) if (s.rows.includes(panel.lines[i]!.hash)) ctx.fillRect(a, panel.y(i), b - a, panel.inner(i));
  ctx.fillStyle = app.css('--accent');
  ctx.fillRect(a - 1, 0, Math.max(1, Math.round(app.dpr)), panel.viewHeight);
  ctx.fillRect(b, 0, Math.max(1, Math.round(app.dpr)), panel.viewHeight);
}

function marks(panel: Timeline, ctx: Ctx): void {
  const { app } = panel;
  for (const m of app.state.marks) {
    const x = app.xOf(m.time);
    if (x < 0 || x >= app.plot) continue;
    ctx.fillStyle = app.css('--mark');
    ctx.fillRect(x, 0, Math.max(1, Math.round(app.dpr)), panel.viewHeight);
  }
}

function findings(panel: Timeline, ctx: Ctx): void {
  const { app } = panel;
  const [first, last] = edges(panel);
  for (const f of app.findings) {
    if (f.time === null || f.row === null) continue;
    const index = panel.where(f.row);
    if (index === undefined || index < first || index > last) continue;
    const x = app.xOf(toTime(f.time));
    if (x < -4 || x > app.plot + 4) continue;
    flag(ctx, app.css(colourOf(f)), x, panel.y(index), Math.min(panel.inner(index), 8 * app.dpr), app.dpr);
  }
}

function colourOf(f: Finding): string {
  return f.severity === 'note' ? '--note' : f.severity === 'warning' ? '--warning' : '--error';
}

function flag(ctx: Ctx, colour: string, x: number, y: number, h: number, dpr: number): void {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.moveTo(x - 4 * dpr, y);
  ctx.lineTo(x + 4 * dpr, y);
  ctx.lineTo(x, y + h);
  ctx.fill();
}

function links(panel: Timeline, ctx: Ctx): void {
  const { app } = panel;
  const { where } = panel;
  const picked = app.picked;
  const draw = (l: LinkInfo, colour: string, wide: number) => {
    const [a, b] = [where(l.from_row), where(l.to_row)];
    if (a === undefined || b === undefined) return;
    const [x0, x1] = [far(app.xOf(toTime(l.from))), far(app.xOf(toTime(l.to)))];
    const [y0, y1] = [panel.y(a) + panel.inner(a) / 2, panel.y(b) + panel.inner(b) / 2];
    ctx.strokeStyle = ctx.fillStyle = colour;
    ctx.lineWidth = wide * app.dpr;
    ctx.beginPath();
    ctx.moveTo(x0, y0);
    ctx.lineTo(x1, y1);
    ctx.stroke();
    const angle = Math.atan2(y1 - y0, x1 - x0);
    const n = 6 * app.dpr;
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x1 - n * Math.cos(angle - 0.4), y1 - n * Math.sin(angle - 0.4));
    ctx.lineTo(x1 - n * Math.cos(angle + 0.4), y1 - n * Math.sin(angle + 0.4));
    ctx.fill();
  };
  for (const l of app.links.list) draw(l, app.css('--link'), 1);
  for (const l of picked) draw(l, app.css('--accent'), 2);
}

function far(x: number): number {
  return Math.max(-1e5, Math.min(1e5, x));
}

function focus(panel: Timeline, ctx: Ctx): void {
  const { app } = panel;
  const f = app.focus;
  if (!f || f.panel !== panel) return;
  const index = panel.indexOf(f.hash);
  if (index < 0) return;
  const y = panel.y(index);
  const h = panel.inner(index);
  ctx.strokeStyle = app.css('--focus');
  ctx.lineWidth = Math.max(2, Math.round(2 * app.dpr));
  // Around a low row, so that its picture stays in sight.
  const out = h < 8 * app.dpr ? 2 * app.dpr : 0;
  if (!f.at) {
    ctx.strokeRect(1, y + 1 - out, app.plot - 2, h - 2 + 2 * out);
    return;
  }
  const a = far(Number(pixelOf(toTime(f.at.from), app.scale) - app.left));
  const b = far(Number(pixelOf(toTime(f.at.to), app.scale) - app.left));
  // Uses two colours, so that one of them is visible on any fill.
  const [x, wide] = [a - 2 * app.dpr, Math.max(2, b - a) + 4 * app.dpr];
  ctx.strokeStyle = app.css('--paper');
  ctx.lineWidth = 4 * app.dpr;
  ctx.strokeRect(x, y - app.dpr - out, wide, h + 2 * app.dpr + 2 * out);
  ctx.strokeStyle = app.css('--focus');
  ctx.lineWidth = 2 * app.dpr;
  ctx.strokeRect(x, y - app.dpr - out, wide, h + 2 * app.dpr + 2 * out);
}

