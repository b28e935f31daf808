// SPDX-License-Identifier: MIT
// export.ts - saves pictures and tables, and shows the command of a table.

import type { App } from './app';
import { el } from './el';
import { COLUMNS, Kind } from './tile';
import { exact } from './time';
import { ranges } from './rows';
import type { Timeline } from './timeline';

const MOST_SVG = 5 << 20;

export function save(name: string, content: string | Blob, type = 'text/plain'): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content);
  const a = el('a', { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export function exportMenu(app: App, e: MouseEvent): void {
  const box = (e.currentTarget as HTMLElement).getBoundingClientRect();
  const name = app.trace.meta.name.replace(/[^\w.-]+/g, '_');
  const panel = app.panel;
  const tab = app.dock.current;
  const csv = tab?.csv?.();
  app.layer.menu(box.left, box.bottom + 2, [
    { text: 'picture as PNG', run: () => void png(app, 1).then((b) => b && save(name + '.png', b)) },
    { text: 'picture as PNG, double resolution', run: () => void png(app, 2).then((b) => b && save(name + '@2x.png', b)) },
    { text: 'picture as SVG', run: () => {
      const text = svg(app);
      if (text === null) app.bar.say('The picture has more than 5 MB as SVG: zoom in, fold rows, or take PNG.');
      else save(name + '.svg', text, 'image/svg+xml');
    } },
    { text: tab ? `table "${tab.title}" as CSV` : 'table as CSV', rule: true, off: !csv, run: () => csv && save(`${name}-${tab!.id}.csv`, csv, 'text/csv') },
    { text: 'intervals of the window as CSV', off: !panel, run: () => {
      const rows = ranges(panel.lines.flatMap((l) => panel.tree!.members(l)));
      const a = el('a', { href: app.net.url('intervals', { type: panel.type.info.type, rows, from: app.from, to: app.to }), download: `${name}-intervals.csv` });
      a.click();
    } },
    { text: 'as command', rule: true, run: () => command(app, panel) },
    { text: 'copy the address of this view', hint: 'J', run: () => app.act('copyAddress') },
  ], 'Export');
}

function command(app: App, panel: Timeline): void {
  const text = app.dock.states.command(panel);
  const box = el('input', { type: 'text', readOnly: true, value: text, class: 'command', 'aria-label': 'Command', onfocus: () => box.select() });
  app.layer.dialog('As command', el('p', {}, 'This prints the States table of the selection, or of the window:'), box,
    el('button', { type: 'button', onclick: () => void navigator.clipboard?.writeText(text) }, 'Copy'));
}

// Returns the panels as PNG, with names, axis, title and legend.
export async function png(app: App, fine: number): Promise<Blob | null> {
  if (fine !== 1) {
    const before = { density: app.density, scale: app.scale, left: app.left, from: app.from, to: app.to };
    app.setDensity(fine);
    app.showTime(before.from, before.to);
    for (let i = 0; i < 400 && !app.quiet; i++) await new Promise((r) => setTimeout(r, 25));
    const blob = await compose(app);
    app.setDensity(before.density);
    app.goWindow(before.scale, before.left);
    return blob;
  }
  return compose(app);
}

function compose(app: App): Promise<Blob | null> {
  const d = app.dpr;
  const names = Math.round(app.panels[0]!.names.root.offsetWidth * d);
  const [title, head, axis, foot] = [26 * d, 20 * d, 26 * d, 26 * d];
  const height = title + axis + app.panels.reduce((n, p) => n + head + Math.min(p.viewHeight, p.total) + foot, 0);
  const c = el('canvas', { width: names + app.plot + 8 * d, height: Math.ceil(height) });
  const ctx = c.getContext('2d')!;
  ctx.fillStyle = app.css('--paper');
  ctx.fillRect(0, 0, c.width, c.height);
  ctx.fillStyle = app.css('--ink');
  ctx.textBaseline = 'middle';
  ctx.font = `bold ${13 * d}px system-ui, sans-serif`;
  ctx.fillText(`${app.trace.meta.title}: ${exact(app.from, app.trace.unit)} to ${exact(app.to, app.trace.unit)}`, 8 * d, title / 2);
  ctx.drawImage(app.axis.picture, names, title);
  let y = title + axis;
  for (const p of app.panels) {
    ctx.font = `${12 * d}px system-ui, sans-serif`;
    ctx.fillStyle = app.css('--ink');
    ctx.fillText(p.type.info.title, 8 * d, y + head / 2);
    y += head;
    const h = Math.min(p.viewHeight, p.total);
    for (const i of p.visible()) {
      const line = p.lines[i]!;
      const size = Math.min(12 * d, p.inner(i) * 0.82);
      if (size < 5 * d) continue;
      ctx.font = `${line.group !== null ? 'bold ' : ''}${size}px system-ui, sans-serif`;
      ctx.fillText(line.name, (8 + line.depth * 11) * d, y + p.y(i) + p.inner(i) / 2, names - (12 + line.depth * 11) * d);
    }
    ctx.drawImage(p.canvas, 0, 0, app.plot, h, names, y, app.plot, h);
    ctx.drawImage(p.overlay, 0, 0, app.plot, h, names, y, app.plot, h);
    y += h;
    legend(app, p, ctx, names, y + foot / 2);
    y += foot;
  }
  return new Promise((resolve) => c.toBlob(resolve, 'image/png'));
}

function legend(app: App, p: Timeline, ctx: CanvasRenderingContext2D, left: number, y: number): void {
  const d = app.dpr;
  if (!p.type.isState) return;
  ctx.font = `${11 * d}px system-ui, sans-serif`;
  let x = left;
  for (const l of p.type.labels) {
    if (l.class === null || l.class >= 240 || l.value === null) continue;
    const text = p.type.nameOfClass(l.class);
    const wide = ctx.measureText(text).width + 24 * d;
    if (x + wide > left + app.plot) break;
    const c = app.trace.colour(p.type, l.class, app.colours, app.theme);
    ctx.fillStyle = c ? `rgb(${c.join()})` : '#888888';
    ctx.fillRect(x, y - 5 * d, 10 * d, 10 * d);
    ctx.fillStyle = app.css('--ink');
    ctx.fillText(text, x + 14 * d, y);
    x += wide;
  }
}

function xml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}

// Returns the panels as SVG, made of rectangles; null if it is too large.
export function svg(app: App): string | null {
  const d = app.dpr;
  const names = 150;
  const out: string[] = [];
  let size = 0;
  const put = (s: string) => {
    out.push(s);
    size += s.length + 1;
  };
  let y = 50;
  const text = (x: number, at: number, px: number, s: string) => put(`<text x="${x}" y="${at}" font-size="${px}" fill="${app.css('--ink')}">${xml(s)}</text>`);
  text(8, 18, 13, `${app.trace.meta.title}: ${exact(app.from, app.trace.unit)} to ${exact(app.to, app.trace.unit)}`);
  for (const p of app.panels) {
    text(8, y - 6, 12, p.type.info.title);
    for (const i of p.visible()) {
      const h = p.inner(i) / d;
      const top = y + p.y(i) / d;
      if (h >= 7) text(8 + p.lines[i]!.depth * 10, top + h * 0.75, Math.min(11, h * 0.8), p.lines[i]!.name);
      for (const r of rects(app, p, i)) {
        put(`<rect x="${names + r.x / d}" y="${(top + r.y / d).toFixed(2)}" width="${r.w / d}" height="${(r.h / d).toFixed(2)}" fill="${r.fill}"/>`);
        if (size > MOST_SVG) return null;
      }
    }
    y += Math.min(p.viewHeight, p.total) / d + 30;
  }
  const [w, h] = [names + app.plot / d + 8, y];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" font-family="sans-serif" shape-rendering="crispEdges"><rect width="${w}" height="${h}" fill="${app.css('--paper')}"/>\n${out.join('\n')}\n</svg>\n`;
}

interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
  fill: string;
}

function* rects(app: App, p: Timeline, index: number): Generator<Rect> {
  const line = p.lines[index]!;
  const height = p.inner(index);
  const { first, last } = p.tiles();
  for (let i = first; i <= last; i++) {
    const e = app.store.entry(p.want(line, i));
    const row = e?.rows.get(line.key);
    if (!e || !row || e.kind === Kind.Number) continue;
    const base = Number(i * BigInt(COLUMNS * app.scale.k) - app.left);
    let column = 0;
    for (let r = 0; r < row.runs; r++) {
      const x = Math.max(0, base + column * app.scale.k);
      const to = Math.min(app.plot, base + row.end[r]! * app.scale.k);
      column = row.end[r]!;
      let sum = 0;
      let y = 0;
      for (let c = row.at[r]!; c < row.at[r + 1]!; c++) {
        sum += row.share[c]!;
        const end = Math.round((sum * height) / e.want.q);
        const colour = app.trace.colour(p.type, row.cls[c]!, app.colours, app.theme);
        if (colour && end > y && to > x) yield { x, y, w: to - x, h: end - y, fill: '#' + colour.map((v) => v.toString(16).padStart(2, '0')).join('') };
        y = end;
      }
    }
  }
}
