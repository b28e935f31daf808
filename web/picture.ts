// SPDX-License-Identifier: MIT
// picture.ts - what the page shows as one picture: title, axis, names, panels
// and the legend of each. The same code draws into a canvas and into an SVG.

import type { App } from './app';
import { whole } from './el';
import { clipped, Ctx, drawOverlay, short } from './overlay';
import { fill, Image } from './paint';
import type { Timeline } from './timeline';
import { exact, span } from './time';
import { NONE } from './tile';
import { Vector } from './vector';
import { MODE_NAMES } from './view';

const [TITLE, AXIS, HEAD, FOOT] = [26, 26, 20, 18]; // heights, CSS pixels
const EDGE = 8;
const NAME_PX = 9; // height that a name needs

type Tile = (x: number, y: number, width: number, height: number, k: number, paint: (to: Image) => void) => void;

interface Entry {
  text: string;
  x: number;
  line: number;
  cls: number; // class whose colour is shown; -1: only text
}

export function titleOf(app: App): string {
  const { unit, meta } = app.trace;
  return `${meta.title}: ${exact(app.from, unit)} to ${exact(app.to, unit)} (${span(app.to - app.from, unit)})`;
}

function headOf(p: Timeline): string {
  const rows = p.tree?.all ?? 0;
  return `${p.type.info.title} \u00b7 ${rows} ${p.type.info.class}${rows === 1 ? '' : 's'} \u00b7 ${MODE_NAMES[p.mode]}${p.state.log ? ', logarithmic' : ''}`;
}

// Places the values that are in the picture in lines of the legend.
function legend(app: App, p: Timeline, ctx: Ctx, width: number): Entry[] {
  const { info } = p.type;
  const out: Entry[] = [];
  const add = (text: string, cls: number, most: number) => {
    const last = out[out.length - 1];
    const wide = (e: Entry) => ctx.measureText(e.text).width + (e.cls < 0 ? 8 : 24) * app.dpr;
    const e = { text: clipped(ctx, text, most) || text.slice(0, whole(text, 8)), x: last ? last.x + wide(last) : 0, line: last?.line ?? 0, cls };
    if (e.x > 0 && e.x + wide(e) > width) [e.x, e.line] = [0, e.line + 1];
    out.push(e);
  };
  if (info.kind === 'number') {
    const unit = info.unit && info.unit !== '1' ? ' ' + info.unit : '';
    add(`Scale of each row: ${short(p.low)} to ${short(p.high)}${unit}${p.mode === 'band' ? '; the band is the range, the line in it the mean' : ''}`, -1, width);
    return out;
  }
  const seen = p.legend.seen();
  for (const c of [...seen].sort((a, b) => p.type.byTime(a, b))) if (c < 240) add(p.type.nameOfClass(c), c, Math.min(width - 30 * app.dpr, 320 * app.dpr));
  if ([...seen].some((c) => c >= 240 && c !== NONE)) add('Each of the other colours stands for several values.', -1, width);
  if (out.length === 0) add(`only "${info.none ?? 'nothing'}"`, -1, width);
  return out;
}

export class Picture {
  readonly width: number;
  readonly height: number;
  private names: number;
  private legends: Entry[][];

  constructor(private app: App) {
    const d = app.dpr;
    const ctx = document.createElement('canvas').getContext('2d')!;
    this.names = Math.round(app.panels[0]!.names.root.offsetWidth * d);
    this.width = this.names + app.plot + EDGE * d;
    ctx.font = this.font(11);
    this.legends = app.panels.map((p) => legend(app, p, ctx, this.width - 2 * EDGE * d));
    this.height = Math.ceil((TITLE + AXIS) * d + app.panels.reduce((n, p, i) => n + HEAD * d + this.high(p) + (this.lines(i) * FOOT + EDGE) * d, 0));
  }

  private font(px: number, bold = false): string {
    return `${bold ? 'bold ' : ''}${px * this.app.dpr}px system-ui, sans-serif`;
  }

  private high(p: Timeline): number {
    return Math.min(p.viewHeight, Math.max(p.total, 1));
  }

  private lines(panel: number): number {
    return (this.legends[panel]!.at(-1)?.line ?? 0) + 1;
  }

  draw(ctx: Ctx, tile: Tile): void {
    const { app, names } = this;
    app.hover = null; // draws neither the cursor nor the frame of the focus
    const { focus } = app;
    app.focus = null;
    const d = app.dpr;
    ctx.fillStyle = app.css('--paper');
    ctx.fillRect(0, 0, this.width, this.height);
    ctx.textBaseline = 'middle';
    const text = (font: string, s: string, x: number, y: number, most = this.width - x - EDGE * d) => {
      ctx.font = font;
      ctx.fillStyle = app.css('--ink');
      ctx.fillText(clipped(ctx, s, most), x, y);
    };
    text(this.font(13, true), titleOf(app), EDGE * d, (TITLE / 2) * d);
    text(this.font(11), app.axis.left, EDGE * d, (TITLE + AXIS / 2) * d, names - EDGE * d);
    this.part(ctx, names, TITLE * d, AXIS * d, () => app.axis.paint(ctx, AXIS * d));
    let y = (TITLE + AXIS) * d;
    app.panels.forEach((p, n) => {
      text(this.font(12, true), headOf(p), EDGE * d, y + (HEAD / 2) * d);
      y += HEAD * d;
      for (const i of p.visible()) this.name(p, i, y, text);
      this.part(ctx, names, y, this.high(p), () => {
        p.repaint(tile);
        drawOverlay(p, ctx);
      });
      y += this.high(p) + (EDGE / 2) * d;
      ctx.textBaseline = 'middle';
      for (const e of this.legends[n]!) {
        const [x, at] = [EDGE * d + e.x, y + (e.line + 0.5) * FOOT * d];
        if (e.cls >= 0) this.chip(p, e.cls, x, at, tile);
        text(this.font(11), e.text, x + (e.cls < 0 ? 0 : 14 * d), at);
      }
      y += (this.lines(n) * FOOT + EDGE / 2) * d;
    });
    app.focus = focus;
  }

  // Draws a part of the picture, cut to the width of the plots.
  private part(ctx: Ctx, x: number, y: number, height: number, draw: () => void): void {
    ctx.save();
    ctx.translate(x, y);
    ctx.beginPath();
    ctx.rect(0, 0, this.app.plot, height);
    ctx.clip();
    draw();
    ctx.restore();
  }

  // Draws the name of a line; of low lines every second or third has one, as on
  // the page.
  private name(p: Timeline, i: number, top: number, text: (font: string, s: string, x: number, y: number, most: number) => void): void {
    const d = this.app.dpr;
    const line = p.lines[i]!;
    const h = (p.tops[i + 1]! - p.tops[i]!) / d;
    const y = p.y(i) + p.inner(i) / 2;
    if (line.lane > 1 || (line.group === null && i % Math.ceil(NAME_PX / h) !== 0) || y < (line.pinned ? 0 : p.pinsEnd) || y > this.high(p)) return;
    const x = (EDGE + line.depth * 11) * d;
    text(this.font(Math.max(8.5, Math.min(12, h * 0.82)), line.group !== null), line.name || '(no name)', x, top + y, this.names - x - 4 * d);
  }

  private chip(p: Timeline, cls: number, x: number, y: number, tile: Tile): void {
    const { app } = this;
    const n = Math.round(10 * app.dpr);
    const ink = app.trace.ink(p.type, app.colours, app.theme, null);
    tile(Math.round(x), Math.round(y - n / 2), n, n, 1, (to) => fill(to, ink, cls, 0, n, 0, n));
  }
}

export function raster(app: App): Promise<Blob | null> {
  const picture = new Picture(app);
  const c = document.createElement('canvas');
  c.width = picture.width;
  c.height = picture.height;
  const ctx = c.getContext('2d')!;
  ctx.imageSmoothingEnabled = false;
  picture.draw(ctx, (x, y, width, height, k, paint) => {
    const data = new ImageData(width, height);
    paint({ data: new Uint32Array(data.data.buffer), width });
    const part = document.createElement('canvas');
    [part.width, part.height] = [width, height];
    part.getContext('2d')!.putImageData(data, 0, 0);
    ctx.drawImage(part, 0, 0, width, height, x, y, width * k, height);
  });
  return new Promise((resolve) => c.toBlob(resolve, 'image/png'));
}

// Returns null if the file would have more than `most` characters.
export function svg(app: App, most: number): string | null {
  const picture = new Picture(app);
  const to = new Vector();
  picture.draw(to, (...of) => to.size <= most && to.tile(...of));
  return to.size > most ? null : to.file(picture.width, picture.height, app.dpr, titleOf(app));
}
