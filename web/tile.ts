// SPDX-License-Identifier: MIT
// tile.ts - decodes the bytes of a tile: 256 columns of some rows.
//
// A decoded row keeps its runs of equal columns, so a row in which nothing
// happens costs a few bytes. The bytes are not trusted: any error in them
// throws TileError, and nothing is read beyond their end.

export const COLUMNS = 256;
export const NONE = 255; // the class of time without a value
export const FINE = 2 ** 30 - 1; // quanta with which the shares of a group are exact
const NOTHING = -(2 ** 63); // the number that stands for no value

export enum Kind {
  State = 0,
  Id = 1,
  Number = 2,
  Point = 3,
}

export class TileError extends Error {}

export interface Row {
  // 0: the columns have the requested width. Else the server summed steps of
  // time that are 2^coarse times the largest power of two in the width.
  coarse: number;
  runs: number;
  end: Uint16Array; // first column after run r
  at: Uint32Array; // run r has classes at[r] .. at[r + 1]
  more: Uint8Array; // run r dropped a class that has less than a quantum
  damaged: boolean; // bytes of the index are damaged somewhere in the row
  cls: Uint8Array;
  share: Uint8Array | Uint32Array; // quanta of a class; unused for punctual events
  // Punctual events: number by class. Ids: changes per run.
  count: Float64Array | null;
  value: Float64Array | null; // numbers: 4 per run. Ids: longest value per run
}

export interface Tile {
  q: number;
  kind: Kind;
  columns: number;
  watermark: bigint;
  rows: Row[];
}

class Reader {
  at = 0;
  private view: DataView;
  constructor(private bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get left(): number {
    return this.bytes.length - this.at;
  }
  need(n: number): void {
    if (n > this.left) throw new TileError('the tile ends early');
  }
  u8(): number {
    this.need(1);
    return this.bytes[this.at++]!;
  }
  u16(): number {
    this.need(2);
    this.at += 2;
    return this.view.getUint16(this.at - 2, true);
  }
  u64(): bigint {
    this.need(8);
    this.at += 8;
    return this.view.getBigUint64(this.at - 8, true);
  }
  // Reads LEB128 of up to 64 bits; above 2^53 the result is rounded to a double.
  varint(): number {
    let value = 0;
    let unit = 1;
    for (let i = 0; i < 10; i++, unit *= 128) {
      const b = this.u8();
      value += (b & 127) * unit;
      if (b < 128) return value;
    }
    throw new TileError('a number is too long');
  }
  // Reads zigzag. The sign is decoded before the number becomes a double: -1
  // must not become 0.
  zigzag(): number {
    let value = 0n;
    for (let i = 0n; i < 10n; i++) {
      const b = this.u8();
      value |= BigInt(b & 127) << (7n * i);
      if (b < 128) return Number(BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n)));
    }
    throw new TileError('a number is too long');
  }
}

// Decodes one tile, the first.
export function decode(bytes: Uint8Array): Tile {
  return decodeAll(bytes)[0]!;
}

// Decodes tiles that lie one behind the other.
export function decodeAll(bytes: Uint8Array): Tile[] {
  const r = new Reader(bytes);
  const out: Tile[] = [];
  do out.push(decodeNext(r));
  while (r.left > 0);
  return out;
}

function decodeNext(r: Reader): Tile {
  if (r.u8() !== 0x57 || r.u8() !== 0x54 || r.u8() !== 0x31 || r.u8() !== 0) throw new TileError('not a tile');
  const n = r.u16();
  const columns = r.u16();
  const q = r.u8() || FINE;
  const kind = r.u8() as Kind;
  r.u16();
  const watermark = r.u64();
  if (columns === 0 || columns > COLUMNS || kind > 3) throw new TileError('a tile of an unknown kind');
  const rows: Row[] = [];
  for (let i = 0; i < n; i++) {
    const length = r.varint();
    r.need(length);
    const end = r.at + length;
    rows.push(decodeRow(r, end, columns, q, kind));
    if (r.at !== end) throw new TileError('a row has another length than it says');
  }
  return { q, kind, columns, watermark, rows };
}

class Grow {
  end: number[] = [];
  at: number[] = [0];
  more: number[] = [];
  damaged = false;
  cls: number[] = [];
  share: number[] = [];
  count: number[] = [];
  value: number[] = [];
}

function decodeRow(r: Reader, end: number, columns: number, q: number, kind: Kind): Row {
  const coarse = r.u8();
  const g = new Grow();
  let column = 0;
  while (column < columns) {
    if (r.at >= end) throw new TileError('a row ends early');
    decodeRun(r, g, q, kind);
    const n = r.varint();
    column += n;
    if (n < 1 || column > columns) throw new TileError('a run of a wrong length');
    g.end.push(column);
    g.at.push(g.cls.length);
  }
  return {
    coarse,
    runs: g.end.length,
    end: Uint16Array.from(g.end),
    at: Uint32Array.from(g.at),
    more: Uint8Array.from(g.more),
    damaged: g.damaged,
    cls: Uint8Array.from(g.cls),
    share: (q > 255 ? Uint32Array : Uint8Array).from(g.share),
    count: g.count.length ? Float64Array.from(g.count) : null,
    value: g.value.length ? Float64Array.from(g.value) : null,
  };
}

function decodeRun(r: Reader, g: Grow, q: number, kind: Kind): void {
  const head = r.u8();
  const c = head & 127;
  g.more.push(head >> 7);
  if (head === 0x80) g.damaged = true;
  if (kind === Kind.Number) {
    const v = Array.from({ length: 4 }, () => (c ? r.zigzag() : NaN));
    const some = c > 0 && v[0] !== NOTHING;
    g.value.push(...(some ? v : [NaN, NaN, NaN, NaN]));
    if (some) g.cls.push(0), g.share.push(q);
    return;
  }
  let total = 0;
  for (let i = 0; i < c; i++) {
    g.cls.push(r.u8());
    if (kind === Kind.Point) {
      g.count.push(r.varint());
      g.share.push(0);
      continue;
    }
    const share = c === 1 ? q : q === FINE ? r.varint() : r.u8();
    total += share;
    g.share.push(share);
  }
  if (kind !== Kind.Point && c > 0 && total !== q) throw new TileError('shares of a column do not make a whole');
  if (kind === Kind.Id) {
    g.count.push(c ? r.varint() : 0);
    g.value.push(c ? r.zigzag() : NaN);
  }
}

// Returns the run of a row that contains a column.
export function runAt(row: Row, column: number): number {
  let low = 0;
  let high = row.runs - 1;
  while (low < high) {
    const mid = (low + high) >> 1;
    if ((row.end[mid] ?? 0) > column) high = mid;
    else low = mid + 1;
  }
  return low;
}
