// SPDX-License-Identifier: MIT
// block.ts - the tiles that a report contains, and tiles computed from them.
//
// A report has tiles of some column widths only. A tile of such a width is
// returned unchanged. A tile of another width is computed from the nearest
// width in the file: from narrower columns by averaging them, from wider
// columns by repeating them. Computed rows are marked (coarse is not 0), with
// the width that they were computed from.

import { COLUMNS, decode, FINE, Kind, NONE, Row, runAt } from './tile';

const Q = 15; // quanta per column of most tiles in a report; the others have FINE
const HEAD = 20; // bytes before the first row
const NARROWER = 16; // the most columns that one column is computed from

// Unpacks the format that src/serve/pack.h describes.
export function entries(raw: Uint8Array): Map<string, Uint8Array> {
  const out = new Map<string, Uint8Array>();
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const text = new TextDecoder();
  for (let at = 0; at + 8 <= raw.length; ) {
    const name = view.getUint32(at, true);
    const body = view.getUint32(at + 4, true);
    at += 8;
    if (name + body > raw.length - at) throw new Error('The data of this file is cut.');
    out.set(text.decode(raw.subarray(at, at + name)), raw.subarray(at + name, at + name + body));
    at += name + body;
  }
  return out;
}

// r3-5,g2 -> r3,r4,r5,g2
export function apart(rows: string): string[] {
  return rows.split(',').flatMap((r) => {
    const m = /^([rg])(\d+)-(\d+)$/.exec(r);
    return m ? Array.from({ length: Number(m[3]) - Number(m[2]) + 1 }, (_, i) => m[1]! + (Number(m[2]) + i)) : [r];
  });
}

interface Sheet {
  rows: string;
  bytes: Uint8Array;
  decoded?: Map<string, Row>;
}

// All tiles of a type that the file has.
class Held {
  kind = Kind.State;
  q = Q;
  widths = new Map<number, Map<string, Sheet[]>>(); // by width, then by the tile's number
  rows = new Set<string>();

  add(w: number, i: string, rows: string, bytes: Uint8Array): void {
    let tiles = this.widths.get(w);
    if (!tiles) this.widths.set(w, (tiles = new Map()));
    const sheets = tiles.get(i);
    if (sheets) sheets.push({ rows, bytes });
    else tiles.set(i, [{ rows, bytes }]);
    this.kind = bytes[9] as Kind;
    this.q = bytes[8] || FINE;
  }

  row(w: number, i: bigint, row: string): Row | undefined {
    for (const s of this.widths.get(w)?.get(String(i)) ?? []) {
      if (!s.decoded) {
        const keys = apart(s.rows);
        s.decoded = new Map(decode(s.bytes).rows.map((r, n) => [keys[n]!, r]));
      }
      const r = s.decoded.get(row);
      if (r) return r;
    }
    return undefined;
  }
}

interface Made {
  bytes: Uint8Array;
  from: number;
}

// The content of a run as bytes, with its count of classes in front; a share is
// one number, whatever its size.
type Cell = number[];

export class Tiles {
  private types = new Map<string, Held>(); // by trace.type; tiles with FINE quanta by trace.type.fine

  constructor(of: Map<string, Uint8Array>, private end: (trace: number) => bigint) {
    for (const [name, bytes] of of) {
      const m = /^(\d+)\/tile\?type=(\d+)&w=(\d+)&i=(\d+)&q=(15|fine)&rows=(.*)$/.exec(name);
      if (!m) continue;
      const key = m[1] + '.' + m[2] + (m[5] === 'fine' ? '.fine' : '');
      const rows = m[6]!;
      let held = this.types.get(key);
      if (!held) this.types.set(key, (held = new Held()));
      held.add(Number(m[3]), m[4]!, rows, bytes);
      if (held.rows.size === 0 || !held.rows.has(rows.split(/[-,]/)[0]!)) for (const r of apart(rows)) held.rows.add(r);
    }
  }

  has(trace: number, type: number, row?: string): boolean {
    const held = this.types.get(trace + '.' + type);
    return held !== undefined && (row === undefined || held.rows.has(row));
  }

  // Returns the tiles of a type whose shares are exact, if they have all rows.
  private fine(trace: number, type: number, rows: string[]): Held | undefined {
    const held = this.types.get(`${trace}.${type}.fine`);
    return held && rows.every((r) => held.rows.has(r)) ? held : undefined;
  }

  // Returns true if a tile of this width with fine quanta has exact shares: it
  // is made of exact tiles that are not wider.
  isExact(trace: number, type: number, w: number, rows: string[]): boolean {
    return [...(this.fine(trace, type, rows)?.widths.keys() ?? [])].some((x) => x <= w && w / x <= NARROWER);
  }

  // Returns the widths in which the file has tiles of a type, in ascending
  // order.
  widths(trace: number, type: number): number[] {
    return [...(this.types.get(trace + '.' + type)?.widths.keys() ?? [])].sort((a, b) => a - b);
  }

  // Returns the bytes of a tile, and the width of the columns that it was
  // computed from: w itself, or the worst width of its rows. null: the file
  // lacks a row. Of the file's exact tiles and those of 15 quanta, takes the exact
  // ones unless the others have finer columns.
  tile(trace: number, type: number, w: number, i: bigint, q: number, rows: string[]): Made | null {
    const fine = q === FINE ? this.fine(trace, type, rows) : undefined;
    const exact = fine ? this.made(fine, w, i, q, rows, this.end(trace)) : null;
    if (exact && exact.from <= w) return exact;
    const held = this.types.get(trace + '.' + type);
    const other = held ? this.made(held, w, i, q, rows, this.end(trace)) : null;
    return exact && !(other && other.from < exact.from) ? exact : other;
  }

  private made(held: Held, w: number, i: bigint, q: number, rows: string[], end: bigint): Made | null {
    const out = new Bytes();
    let from = w;
    for (const r of rows) {
      const exact = held.row(w, i, r);
      const made = exact ? { cells: cellsOf(exact, held.kind), w, coarse: exact.coarse } : this.computed(held, w, i, r, end);
      if (!made) return null;
      if (made.w > from || (made.w < from && from <= w)) from = made.w;
      out.row(made.coarse, made.cells, held, q);
    }
    return { bytes: out.tile(rows.length, q, held.kind, end), from };
  }

  // Computes columns of a width that the file does not have.
  private computed(held: Held, w: number, i: bigint, row: string, end: bigint): { cells: Cell[]; w: number; coarse: number } | null {
    const widths = [...held.widths.keys()].sort((a, b) => b - a);
    const narrower = widths.filter((x) => x < w && w / x <= NARROWER);
    const wider = widths.filter((x) => x > w).reverse();
    for (const x of [...narrower, ...wider]) {
      const cells = this.cells(held, w, x, i, row, end);
      if (cells) return { cells, w: x, coarse: Math.max(1, Math.ceil(Math.log2(x / Number(BigInt(w) & -BigInt(w))))) };
    }
    return null;
  }

  private cells(held: Held, w: number, x: number, i: bigint, row: string, end: bigint): Cell[] | null {
    const start = i * BigInt(COLUMNS) * BigInt(w);
    const first = start / (BigInt(COLUMNS) * BigInt(x));
    const shift = Number(start - first * BigInt(COLUMNS) * BigInt(x)); // position in the first tile
    const inside = Number(end - start > BigInt(COLUMNS) * BigInt(w) ? BigInt(COLUMNS) * BigInt(w) : end - start);
    const out: Cell[] = [];
    for (let c = 0; c < COLUMNS; c++) {
      const from = c * w;
      const to = Math.min(from + w, inside);
      if (from >= to) {
        out.push([0]);
        continue;
      }
      const cell = new Sum(held, row.startsWith('g') ? 1 : 0);
      for (let s = Math.floor((shift + from) / x); s * x < shift + to; s++) {
        const r = held.row(x, first + BigInt(Math.floor(s / COLUMNS)), row);
        if (!r) return null;
        const over = Math.min((s + 1) * x, shift + to) - Math.max(s * x, shift + from);
        cell.add(r, runAt(r, s % COLUMNS), over, x <= w && s * x >= shift + from);
        if (x > w) break; // a part of a wider column shows its whole content
      }
      out.push(cell.bytes());
    }
    return out;
  }
}

// Joins the content of several columns into the content of one cell.
class Sum {
  // By class: quanta x length; for punctual events their number.
  private time = new Map<number, number>();
  private whole = 0;
  private more = 0;
  private changes = 0;
  private longest = 0;
  private number = [Infinity, -Infinity, 0, NaN]; // min, max, mean x time, last
  private valued = 0;
  private damaged = false;
  private kind: Kind;
  private q: number;

  // `least`: quanta of a class that has time, as in src/export/index/tile.h.
  constructor({ kind, q }: Held, private least: number) {
    this.kind = kind;
    this.q = q;
  }

  add(r: Row, run: number, length: number, begins: boolean): void {
    const [a, b] = [r.at[run]!, r.at[run + 1]!];
    this.more |= r.more[run]!;
    if (this.kind === Kind.Number) this.addNumber(r, run, length, a < b);
    else if (a === b) this.damaged ||= r.more[run] === 1;
    else if (this.kind === Kind.Point) {
      if (begins || length > 0) for (let k = a; k < b; k++) this.time.set(r.cls[k]!, (this.time.get(r.cls[k]!) ?? 0) + (r.count?.[k] ?? 0));
      this.whole++;
    } else {
      for (let k = a; k < b; k++) this.time.set(r.cls[k]!, (this.time.get(r.cls[k]!) ?? 0) + r.share[k]! * length);
      this.whole += this.q * length;
      if (this.kind === Kind.Id) {
        this.changes += r.count![run]!;
        this.longest = r.value![run]!;
      }
    }
  }

  private addNumber(r: Row, run: number, length: number, some: boolean): void {
    this.whole += length;
    if (!some) return;
    const v = r.value!.subarray(run * 4, run * 4 + 4);
    this.number = [Math.min(this.number[0]!, v[0]!), Math.max(this.number[1]!, v[1]!), this.number[2]! + v[2]! * length, v[3]!];
    this.valued += length;
  }

  bytes(): Cell {
    if (this.damaged) return [0x80];
    if (this.whole === 0) return [0];
    if (this.kind === Kind.Number) {
      const [min, max, sum, last] = this.number as [number, number, number, number];
      return this.valued === 0 ? [1, ...nothing(), ...nothing(), ...nothing(), ...nothing()]
        : [1, ...zigzag(min), ...zigzag(max), ...zigzag(Math.round(sum / this.valued)), ...zigzag(last)];
    }
    const classes = [...this.time.keys()].sort((a, b) => a - b);
    if (this.kind === Kind.Point) {
      const some = classes.filter((c) => c !== NONE && this.time.get(c)! > 0);
      return some.length === 0 ? [1, NONE, 0] : [some.length, ...some.flatMap((c) => [c, ...varint(this.time.get(c)!)])];
    }
    const shares = scaled(classes.map((c) => this.time.get(c)!), this.q, this.least);
    const kept = classes.map((c, n) => [c, shares[n]!] as const).filter(([, s]) => s > 0);
    const dropped = kept.length < classes.length ? 1 : this.more;
    const out = [kept.length | (dropped << 7), ...kept.flatMap(([c, s]) => (kept.length === 1 ? [c] : [c, s]))];
    if (this.kind === Kind.Id) out.push(...varint(this.changes), ...zigzag(this.longest));
    return out;
  }
}

// Divides q into parts: rounds each down, and gives the rest to the largest
// part (of several, the first). Each part that is not 0 gets `least`, if there
// are so few.
export function scaled(parts: number[], q: number, least = 0): number[] {
  const whole = parts.reduce((a, b) => a + b, 0) || 1;
  const low = parts.length < q / 2 ? least : 0;
  const out = parts.map((p) => Math.max(p > 0 ? low : 0, Math.floor((p * q) / whole)));
  const top = parts.indexOf(Math.max(...parts));
  if (top >= 0) out[top] = out[top]! + q - out.reduce((a, b) => a + b, 0);
  return out;
}

// A row before encoding, one cell per column.
function cellsOf(r: Row, kind: Kind): Cell[] {
  const out: Cell[] = [];
  let from = 0;
  for (let run = 0; run < r.runs; run++) {
    const cell = cellOf(r, run, kind);
    for (; from < r.end[run]!; from++) out.push(cell);
  }
  return out;
}

function cellOf(r: Row, run: number, kind: Kind): Cell {
  const [a, b] = [r.at[run]!, r.at[run + 1]!];
  const head = (b - a) | (r.more[run]! << 7);
  const v = r.value;
  if (kind === Kind.Number) {
    if (Number.isNaN(v![run * 4])) return [head & 0x80];
    return [1 | (r.more[run]! << 7), ...[0, 1, 2, 3].flatMap((k) => zigzag(v![run * 4 + k]!))];
  }
  if (a === b) return [head];
  const out = [head];
  for (let k = a; k < b; k++) {
    out.push(r.cls[k]!);
    if (kind === Kind.Point) out.push(...varint(r.count![k]!));
    else if (b - a > 1) out.push(r.share[k]!);
  }
  if (kind === Kind.Id) out.push(...varint(r.count![run]!), ...zigzag(v![run]!));
  return out;
}

function nothing(): number[] {
  return zigzag(-(2 ** 63));
}

function varint(v: number): number[] {
  const out: number[] = [];
  for (let n = BigInt(v); ; n >>= 7n) {
    if (n < 128n) return [...out, Number(n)];
    out.push(Number(n & 127n) | 128);
  }
}

function zigzag(v: number): number[] {
  const n = Number.isFinite(v) ? BigInt.asIntN(64, BigInt(Math.round(v))) : -(2n ** 63n);
  const out: number[] = [];
  for (let u = BigInt.asUintN(64, (n << 1n) ^ (n >> 63n)); ; u >>= 7n) {
    if (u < 128n) return [...out, Number(u)];
    out.push(Number(u & 127n) | 128);
  }
}

// Encodes rows in the format that tile.ts decodes.
class Bytes {
  private rows: number[][] = [];

  row(coarse: number, cells: Cell[], { kind, q: of }: Held, q: number): void {
    const out = [coarse];
    for (let c = 0; c < cells.length; ) {
      let end = c + 1;
      while (end < cells.length && same(cells[end]!, cells[c]!)) end++;
      out.push(...(kind === Kind.State || kind === Kind.Id ? inQuanta(cells[c]!, of, q) : cells[c]!), ...varint(end - c));
      c = end;
    }
    this.rows.push([...varint(out.length), ...out]);
  }

  tile(n: number, q: number, kind: Kind, end: bigint): Uint8Array {
    const out = new Uint8Array(HEAD + this.rows.reduce((s, r) => s + r.length, 0));
    const view = new DataView(out.buffer);
    out.set([0x57, 0x54, 0x31, 0]);
    view.setUint16(4, n, true);
    view.setUint16(6, COLUMNS, true);
    out[8] = q === FINE ? 0 : q;
    out[9] = kind;
    view.setBigUint64(12, end, true);
    let at = HEAD;
    for (const r of this.rows) {
      out.set(r, at);
      at += r.length;
    }
    return out;
  }
}

function same(a: Cell, b: Cell): boolean {
  return a === b || (a.length === b.length && a.every((x, i) => x === b[i]));
}

// Converts the shares of a cell from parts of `of` to parts of q, as bytes.
function inQuanta(cell: Cell, of: number, q: number): Cell {
  const n = cell[0]! & 127;
  if (n < 2 || (q === of && q !== FINE)) return cell;
  const have = Array.from({ length: n }, (_, k) => cell[2 + 2 * k]!);
  const shares = q === of ? have : scaled(have, q);
  return [cell[0]!, ...shares.flatMap((s, k) => [cell[1 + 2 * k]!, ...(q === FINE ? varint(s) : [s])]), ...cell.slice(1 + 2 * n)];
}
