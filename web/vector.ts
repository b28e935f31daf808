// SPDX-License-Identifier: MIT
// vector.ts - a picture as SVG: records what the page draws into a canvas, as
// shapes and texts. Units are device pixels.

import type { Ctx } from './overlay';
import { Image, PATTERN } from './paint';

const SIZE = 8; // pixels of a pattern

// Leaves out what XML cannot hold.
export function xml(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '').replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

function hex(pixel: number): string {
  return '#' + [pixel, pixel >> 8, pixel >> 16].map((v) => (v & 255).toString(16).padStart(2, '0')).join('');
}

const short = (v: number): string => String(Math.round(v * 100) / 100);

const box = (x: number, y: number, w: number, h: number): string => `M${short(x)} ${short(y)}h${short(w)}v${short(h)}h${short(-w)}z`;

export class Vector implements Ctx {
  fillStyle: string | CanvasGradient | CanvasPattern = '#000';
  strokeStyle: string | CanvasGradient | CanvasPattern = '#000';
  lineWidth = 1;
  font = '10px sans-serif';
  textBaseline: CanvasTextBaseline = 'alphabetic';
  size = 0; // characters written so far
  private out: string[] = [];
  private defs = new Map<string, string>();
  private path = '';
  private open: number[] = []; // elements that save() opened and restore() must close
  private gauge = document.createElement('canvas').getContext('2d')!;

  private put(text: string): void {
    this.out.push(text);
    this.size += text.length;
  }

  private begin(tag: string): void {
    this.put(`<${tag}>`);
    this.open[this.open.length - 1]!++;
  }

  // Writes #rrggbbaa as a colour and an opacity: older programs know no others.
  private ink(of: 'fill' | 'stroke', style: unknown): string {
    const m = /^(#[0-9a-f]{6})([0-9a-f]{2})$/i.exec(String(style));
    return m ? `${of}="${m[1]}" ${of}-opacity="${short(parseInt(m[2]!, 16) / 255)}"` : `${of}="${style}"`;
  }

  save(): void {
    this.open.push(0);
  }

  restore(): void {
    this.put('</g>'.repeat(this.open.pop() ?? 0));
  }

  translate(x: number, y: number): void {
    this.begin(`g transform="translate(${short(x)} ${short(y)})"`);
  }

  clip(): void {
    const id = this.define('clipPath', '', `<path d="${this.path}"/>`);
    this.begin(`g clip-path="url(#${id})"`);
  }

  rect(x: number, y: number, w: number, h: number): void {
    this.path += box(x, y, w, h);
  }

  fillRect(x: number, y: number, w: number, h: number): void {
    if (w > 0 && h > 0) this.put(`<path ${this.ink('fill', this.fillStyle)} d="${box(x, y, w, h)}"/>`);
  }

  strokeRect(x: number, y: number, w: number, h: number): void {
    this.put(`<path fill="none" ${this.ink('stroke', this.strokeStyle)} stroke-width="${this.lineWidth}" d="${box(x, y, w, h)}"/>`);
  }

  measureText(text: string): TextMetrics {
    this.gauge.font = this.font;
    return this.gauge.measureText(text);
  }

  fillText(text: string, x: number, y: number): void {
    const size = Number(/([\d.]+)px/.exec(this.font)?.[1] ?? 10);
    const down = { middle: 0.36, top: 0.85, bottom: -0.2 }[this.textBaseline as string] ?? 0;
    this.put(`<text x="${short(x)}" y="${short(y + down * size)}" font-size="${short(size)}"${/^bold/.test(this.font) ? ' font-weight="bold"' : ''} ${this.ink('fill', this.fillStyle)}>${xml(text)}</text>\n`);
  }

  beginPath(): void {
    this.path = '';
  }

  moveTo(x: number, y: number): void {
    this.path += `M${short(x)} ${short(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.path += `L${short(x)} ${short(y)}`;
  }

  fill(): void {
    this.put(`<path ${this.ink('fill', this.fillStyle)} d="${this.path}"/>`);
  }

  stroke(): void {
    this.put(`<path fill="none" ${this.ink('stroke', this.strokeStyle)} stroke-width="${this.lineWidth}" d="${this.path}"/>`);
  }

  createPattern(image: CanvasImageSource): CanvasPattern {
    const c = image as HTMLCanvasElement;
    const id = this.define('pattern', ` width="${c.width}" height="${c.height}" patternUnits="userSpaceOnUse"`, `<image width="${c.width}" height="${c.height}" href="${c.toDataURL()}"/>`);
    return `url(#${id})` as unknown as CanvasPattern;
  }

  private define(tag: string, of: string, content: string): string {
    const key = `${of}>${content}</${tag}>`;
    let id = this.defs.get(key);
    if (!id) this.defs.set(key, (id = tag[0]! + this.defs.size));
    return id;
  }

  // Records the rectangles that `paint` fills in an image, whose columns are k
  // wide, at x and y. Each colour becomes one path.
  tile(x: number, y: number, width: number, _: number, k: number, paint: (to: Image) => void): void {
    const paths = new Map<string, string>();
    paint({
      data: new Uint32Array(0), width,
      put: (x0, x1, y0, y1, colour, pattern, alt) => {
        const fill = pattern ? `url(#${this.dots(colour, pattern, alt)})` : hex(colour);
        if (x1 > x0 && y1 > y0) paths.set(fill, (paths.get(fill) ?? '') + box(x0, y0, x1 - x0, y1 - y0));
      },
    });
    this.put(`<g transform="translate(${x} ${short(y)})${k > 1 ? ` scale(${k} 1)` : ''}">`);
    for (const [fill, d] of paths) this.put(`<path fill="${fill}" d="${d}"/>\n`);
    this.put('</g>');
  }

  private dots(colour: number, pattern: number, alt: number): string {
    let d = '';
    for (let y = 0; y < SIZE; y++) for (let x = 0; x < SIZE; x++) if (PATTERN[pattern]!(x, y)) d += box(x, y, 1, 1);
    return this.define('pattern', ` width="${SIZE}" height="${SIZE}" patternUnits="userSpaceOnUse"`,
      `<path fill="${hex(colour)}" d="${box(0, 0, SIZE, SIZE)}"/><path fill="${hex(alt)}" d="${d}"/>`);
  }

  // Returns the whole file: a picture of width x height pixels, `fine` of which
  // make one unit of length.
  file(width: number, height: number, fine: number, title: string): string {
    const defs = [...this.defs].map(([key, id]) => `<${id[0] === 'c' ? 'clipPath' : 'pattern'} id="${id}"${key}`).join('\n');
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${short(width / fine)}" height="${short(height / fine)}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" shape-rendering="crispEdges">` +
      `<title>${xml(title)}</title>\n<defs>${defs}</defs>\n${this.out.join('')}\n</svg>\n`;
  }
}
