// SPDX-License-Identifier: MIT
// paint.ts - turns decoded rows into pixels. Pure: numbers in, numbers out.
//
// A column of a state is a stack of its classes from the top, in ascending
// order of class, so that neighbours match; the border below a class lies at
// round(sum of quanta so far * height / q). In rows of 15 pixels or more, a class
// has a pixel at least. NONE is the last class, so time without a value lies at
// the bottom and has the colour of the background.

import { COLUMNS, FINE, Kind, NONE, Row, runAt } from './tile';

export type Mode = 'share' | 'most' | 'largest' | 'smallest' | 'band' | 'range' | 'mean' | 'min' | 'max' | 'last';

export const STATE_MODES: Mode[] = ['share', 'most', 'largest', 'smallest'];
export const NUMBER_MODES: Mode[] = ['band', 'range', 'mean', 'min', 'max', 'last'];

const HAIR_PX = 15; // lower rows lack the space for many classes

export interface Ink {
  colour: Uint32Array; // pixel of each class; [NONE] is transparent
  order: Float64Array; // value of each class: for largest and smallest
  patterns: boolean;
  // Second colour of a class: of its pattern, or the dark colour of a band.
  alt: Uint32Array;
  low: number; // ends of the scale of numbers
  high: number;
  log: boolean;
}

export interface Image {
  data: Uint32Array;
  width: number; // pixels of a line of the image
  // Takes rectangles instead of pixels, for pictures made of shapes; `pattern`
  // is the number of the pattern of `alt` over the colour.
  put?: (x0: number, x1: number, y0: number, y1: number, colour: number, pattern: number, alt: number) => void;
}

// Where a row lies in the image: lines top .. top + height.
export interface Strip {
  top: number;
  height: number;
}

// Eight patterns of 8 x 8 pixels: true if the pixel has the second colour.
export const PATTERN: ((x: number, y: number) => boolean)[] = [
  () => false,
  (x, y) => ((x + y) & 7) < 2,
  (x, y) => ((x - y) & 7) < 2,
  (_, y) => (y & 3) === 0,
  (x) => (x & 3) === 0,
  (x, y) => (x & 3) === 0 && (y & 3) === 0,
  (x, y) => ((x + y) & 3) === 0 || ((x - y) & 3) === 0,
  (x, y) => ((x >> 2) + (y >> 2)) % 2 === 0,
];

// Most rectangles are narrow: a call of fill() for each of their lines costs more
// than the pixels.
function box({ data, width }: Image, colour: number, x0: number, x1: number, y0: number, y1: number): void {
  for (let at = y0 * width + x0, end = at + x1 - x0, y = y0; y < y1; y++, at += width, end += width)
    if (x1 - x0 > 24) data.fill(colour, at, end);
    else for (let i = at; i < end; i++) data[i] = colour;
}

export function fill(to: Image, ink: Ink, cls: number, x0: number, x1: number, y0: number, y1: number): void {
  const colour = ink.colour[cls] ?? 0;
  if (colour === 0) return;
  if (to.put) return to.put(x0, x1, y0, y1, colour, ink.patterns ? cls % 8 : 0, ink.alt[cls] ?? 0);
  box(to, colour, x0, x1, y0, y1);
  if (!ink.patterns) return;
  const pattern = PATTERN[cls % 8]!;
  const alt = ink.alt[cls] ?? 0;
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) if (pattern(x, y)) to.data[y * to.width + x] = alt;
}

// Returns the class that represents a run where only one class can be drawn.
export function chosen(row: Row, run: number, mode: Mode, ink: Ink): number {
  let best = -1;
  let size = 0;
  for (let i = row.at[run] ?? 0; i < (row.at[run + 1] ?? 0); i++) {
    const cls = row.cls[i]!;
    const weight = row.count && row.share[i] === 0 ? row.count[i]! : row.share[i]!;
    let is = mode === 'most' ? weight : ink.order[cls]!;
    if (mode === 'smallest') is = -is;
    if (mode !== 'most' && cls === NONE) is = -Infinity;
    if (best < 0 || is > size) {
      best = cls;
      size = is;
    }
  }
  return best < 0 ? NONE : best;
}

function paintRun(to: Image, at: Strip, row: Row, run: number, q: number, mode: Mode, ink: Ink, x0: number, x1: number): void {
  const first = row.at[run] ?? 0;
  const last = row.at[run + 1] ?? 0;
  if (first === last) return;
  if (mode !== 'share') {
    fill(to, ink, chosen(row, run, mode, ink), x0, x1, at.top, at.top + at.height);
    return;
  }
  let sum = 0;
  let y = at.top;
  for (let i = first; i < last; i++) {
    sum += row.share[i]!;
    const least = at.height >= HAIR_PX && row.cls[i] !== NONE ? 1 : 0;
    const end = Math.min(at.top + at.height, Math.max(y + least, at.top + Math.round((sum * at.height) / q)));
    fill(to, ink, row.cls[i]!, x0, x1, y, end);
    y = end;
  }
}

// The server rounds quanta down and gives the rest to the largest class. This
// function returns the most likely shares, in quanta.
export function likely(row: Row, run: number, q: number): number[] {
  const out = Array.from(row.share.subarray(row.at[run]!, row.at[run + 1]!));
  if (q === FINE) return out;
  const largest = out.indexOf(Math.max(...out));
  let left = q;
  for (let i = 0; i < out.length; i++)
    if (i !== largest) {
      out[i]! += 0.5;
      left -= out[i]!;
    }
  if (largest >= 0) out[largest] = Math.max(0, left);
  return out;
}

// Paints a stacked area with classes from the bottom; `full` is the share that
// fills the height.
export function paintArea(to: Image, at: Strip, row: Row, q: number, ink: Ink, full: number): void {
  let x = 0;
  for (let run = 0; run < row.runs; run++) {
    const end = row.end[run]!;
    let sum = 0;
    let y = at.top + at.height;
    const part = likely(row, run, q);
    for (let i = row.at[run]!; i < row.at[run + 1]!; i++) {
      if (row.cls[i] === NONE) continue;
      sum += part[i - row.at[run]!]!;
      // A class that is there has a line of pixels at least.
      const high = Math.round((sum * at.height) / (q * full));
      const top = Math.max(at.top, Math.min(at.top + at.height - high, y - 1));
      fill(to, ink, row.cls[i]!, x, end, top, y);
      y = top;
    }
    x = end;
  }
}

// Returns the largest share of a row other than NONE, from 0 to 1.
export function busiest(row: Row, q: number): number {
  let most = 0;
  for (let run = 0; run < row.runs; run++) {
    let sum = 0;
    const part = likely(row, run, q);
    for (let i = row.at[run]!; i < row.at[run + 1]!; i++) if (row.cls[i] !== NONE) sum += part[i - row.at[run]!]!;
    if (sum > most) most = sum;
  }
  return most / q;
}

// Paints punctual events: the classes share the height by their number.
function paintPoints(to: Image, at: Strip, row: Row, run: number, ink: Ink, x0: number, x1: number): void {
  const first = row.at[run] ?? 0;
  const last = row.at[run + 1] ?? 0;
  let all = 0;
  for (let i = first; i < last; i++) all += row.count![i]!;
  let sum = 0;
  let y = at.top;
  for (let i = first; i < last; i++) {
    sum += row.count![i]!;
    const end = at.top + Math.round((sum / (all || 1)) * at.height);
    fill(to, ink, row.cls[i]!, x0, x1, y, end);
    y = end;
  }
}

export function level(value: number, ink: Ink): number {
  const f = ink.log ? (v: number) => Math.sign(v) * Math.log1p(Math.abs(v)) : (v: number) => v;
  const range = f(ink.high) - f(ink.low);
  return range > 0 ? Math.min(1, Math.max(0, (f(value) - f(ink.low)) / range)) : value >= ink.high ? 1 : 0;
}

// Paints a number: the band from min to max with the mean in the dark colour,
// or one of them as a bar from the bottom.
function paintNumber(to: Image, at: Strip, row: Row, run: number, mode: Mode, ink: Ink, x0: number, x1: number): void {
  if (row.at[run] === row.at[run + 1]) return;
  const v = row.value!;
  const line = (value: number) => at.top + Math.round((1 - level(value, ink)) * (at.height - 1));
  const bottom = at.top + at.height;
  if (mode === 'range') return rect(to, ink.colour[0]!, x0, x1, line(v[run * 4 + 1]!), line(v[run * 4]!) + 1);
  if (mode === 'band' || mode === 'share' || mode === 'most') {
    const top = line(v[run * 4 + 1]!);
    const low = line(v[run * 4]!);
    const mean = line(v[run * 4 + 2]!);
    if (at.height >= 12) rect(to, ink.colour[1]!, x0, x1, mean, bottom);
    rect(to, ink.colour[0]!, x0, x1, top, low + 1);
    rect(to, ink.alt[0]!, x0, x1, mean, Math.min(bottom, mean + (at.height >= 24 ? 2 : 1)));
    return;
  }
  const which = mode === 'last' ? 3 : mode === 'min' || mode === 'smallest' ? 0 : mode === 'max' || mode === 'largest' ? 1 : 2;
  rect(to, ink.colour[0]!, x0, x1, line(v[run * 4 + which]!), bottom);
}

export function rect(to: Image, colour: number, x0: number, x1: number, y0: number, y1: number): void {
  if (to.put) return to.put(x0, x1, y0, y1, colour, 0, 0);
  box(to, colour, x0, x1, y0, y1);
}

// Paints the columns x0 .. x1 of one run.
export function paintSpan(to: Image, at: Strip, row: Row, run: number, q: number, kind: Kind, mode: Mode, ink: Ink, x0: number, x1: number): void {
  if (kind === Kind.Number) paintNumber(to, at, row, run, mode, ink, x0, x1);
  else if (kind === Kind.Point && mode === 'share') paintPoints(to, at, row, run, ink, x0, x1);
  else paintRun(to, at, row, run, q, mode, ink, x0, x1);
}

// Paints a whole row of a tile: a column is one pixel of the image.
export function paintRow(to: Image, at: Strip, row: Row, q: number, kind: Kind, mode: Mode, ink: Ink): void {
  let x = 0;
  for (let run = 0; run < row.runs; run++) {
    const end = row.end[run]!;
    paintSpan(to, at, row, run, q, kind, mode, ink, x, end);
    x = end;
  }
}

// Paints the columns x0 .. x1 of the image from another tile, whose column
// `column[x]` they show, while the right tile is missing.
export function paintStretched(to: Image, at: Strip, row: Row, q: number, kind: Kind, mode: Mode, ink: Ink, x0: number, x1: number, column: Float64Array): void {
  let x = x0;
  while (x < x1) {
    const run = runAt(row, column[x]!);
    let end = x + 1;
    for (const most = row.end[run] ?? COLUMNS; end < x1 && column[end]! < most; ) end++;
    paintSpan(to, at, row, run, q, kind, mode, ink, x, end);
    x = end;
  }
}
