// SPDX-License-Identifier: MIT
// store.ts - keeps the tiles that the page has, and asks for missing ones. Each
// frame names the tiles that it needs; between frames the store asks for the
// missing ones, the newest first, so that tiles of a view that is already left
// are never waited for. Rows are kept one by one: opening a group asks only for
// the new rows.

import { Net, Refused } from './net';
import { COLUMNS, decodeAll, FINE, Kind, Row, TileError } from './tile';

export interface Want {
  type: number;
  lane: number;
  w: number;
  i: bigint;
  q: number;
  hot: string;
}

export interface Entry {
  want: Want;
  kind: Kind;
  rows: Map<string, Row>;
  old: Set<string>; // rows that an older generation of the trace gave: shown until the new ones come
  version: number; // grows with each answer
  final: boolean; // no part of the tile can change any more
  bytes: number;
  used: number;
}

// How a newer generation of the trace numbers what an older one had.
export interface Renumbered {
  type: number;
  rows: Map<string, string>; // keys of rows and groups
  cls: Uint8Array | null; // classes of values; null: they are the same
}

export const LATEST = 2n ** 63n; // the server has no tile that begins later
const MOST_BYTES = 64 << 20;
const MOST_ROWS = 256;
const MOST_ASKED = 4; // requests at once
const ROWS_AT_ONCE = 64; // of several tiles: more requests let more threads of the server work

export function keyOf(t: Want): string {
  return `${t.type}.${t.lane}.${t.w}.${t.i}.${t.q}.${t.hot}`;
}

export class TileStore {
  error = ''; // error of the last refused tile
  asked = 0; // number of tiles received, for tests
  private entries = new Map<string, Entry>();
  private widths = new Map<string, Map<number, Set<Entry>>>(); // by type.lane, then w
  private wanted = new Map<string, { want: Want; rows: Set<string> }>();
  private flying = new Set<string>();
  private bytes = 0;
  clock = 0; // number of frames
  changes = 0; // grows when tiles come or all are dropped
  private requests = 0; // without an answer yet
  private generation = 0;

  constructor(private net: Net, private changed: () => void) {}

  clear(): void {
    this.entries.clear();
    this.widths.clear();
    this.wanted.clear();
    this.bytes = 0;
    this.generation++;
    this.changes++;
  }

  // Makes all tiles those of an older generation of the trace. `now` returns how
  // the numbers of a type are in the new one; null: its tiles are dropped.
  age(now: (type: number) => Renumbered | null): void {
    const before = [...this.entries.values()];
    this.clear();
    for (const { want, kind, rows, used, bytes } of before) {
      const of = now(want.type);
      if (!of || (want.hot !== '' && of.cls)) continue;
      const e = this.make({ ...want, type: of.type }, kind);
      for (const [key, row] of rows) {
        const to = of.rows.get(key);
        if (to === undefined) continue;
        e.rows.set(to, of.cls ? { ...row, cls: row.cls.map((c) => of.cls![c]!) } : row);
        e.old.add(to);
      }
      e.used = used;
      this.bytes += e.bytes = bytes;
    }
  }

  // Asks again for tiles after the watermark, because they may have changed.
  refresh(watermark: bigint): void {
    for (const e of this.entries.values())
      if (!e.final && (e.want.i * BigInt(COLUMNS) * BigInt(e.want.w) < watermark || watermark === 0n)) e.rows.forEach((_, key) => this.want(e.want, key));
  }

  begin(): void {
    this.clock++;
    this.wanted.clear();
  }

  entry(want: Want): Entry | undefined {
    const e = this.entries.get(keyOf(want));
    if (e) e.used = this.clock;
    return e;
  }

  // Returns the row of a tile, or asks for it.
  row(want: Want, row: string): Row | undefined {
    const e = this.entry(want);
    const have = e?.rows.get(row);
    if (!have || e!.old.has(row)) this.want(want, row);
    return have;
  }

  want(want: Want, row: string): void {
    const key = keyOf(want);
    if (this.flying.has(key + '/' + row) || want.i * BigInt(COLUMNS) * BigInt(want.w) >= LATEST) return;
    let w = this.wanted.get(key);
    if (!w) this.wanted.set(key, (w = { want, rows: new Set() }));
    w.rows.add(row);
  }

  get busy(): boolean {
    return this.flying.size > 0 || this.wanted.size > 0;
  }

  // Yields other tiles that show a part of this one, best first: the same width
  // with other quanta, then the next wider ones, then narrower ones.
  *others(want: Want): Generator<Entry> {
    const widths = this.widths.get(`${want.type}.${want.lane}`);
    if (!widths) return;
    const near = [...widths.keys()].sort((a, b) => badness(a, want.w) - badness(b, want.w));
    const from = want.i * BigInt(COLUMNS) * BigInt(want.w);
    const to = from + BigInt(COLUMNS) * BigInt(want.w);
    for (const w of near.slice(0, 24))
      for (const e of widths.get(w) ?? []) {
        const start = e.want.i * BigInt(COLUMNS) * BigInt(w);
        if (start < to && start + BigInt(COLUMNS) * BigInt(w) > from) yield e;
      }
  }

  // Asks for all rows that the frame did not find. Successive tiles of the same
  // rows are asked for at once: then the server finds each row only once.
  send(): void {
    const batches: { want: Want; n: number; rows: string[]; key: string }[] = [];
    for (const { want, rows } of this.wanted.values()) {
      const key = keyOf({ ...want, i: 0n }) + [...rows];
      const before = batches.find((b) => b.key === key && b.n < this.net.tilesAtOnce && b.want.i + BigInt(b.n) === want.i);
      if (before) before.n++;
      else batches.push({ want, n: 1, rows: [...rows], key });
    }
    for (const { want, n, rows } of batches) {
      const most = n > 1 ? ROWS_AT_ONCE : MOST_ROWS;
      for (let at = 0; at < rows.length; at += most) {
        if (this.requests >= MOST_ASKED) return;
        void this.fetch(want, n, rows.slice(at, at + most));
      }
    }
    this.wanted.clear();
  }

  private async fetch(want: Want, n: number, rows: string[]): Promise<void> {
    const wants = Array.from({ length: n }, (_, k) => ({ ...want, i: want.i + BigInt(k) }));
    const keys = wants.flatMap((w) => rows.map((r) => keyOf(w) + '/' + r));
    const generation = this.generation;
    for (const key of keys) this.flying.add(key);
    this.requests++;
    try {
      const bytes = await this.net.bytes('tile', {
        type: want.type, w: want.w, i: want.i, n: n > 1 ? n : undefined, q: want.q === FINE ? 'fine' : want.q, rows: joined(rows), hot: want.hot || undefined, lane: want.lane || undefined,
      });
      const tiles = decodeAll(bytes);
      if (tiles.length !== n || tiles.some((t) => t.rows.length !== rows.length)) throw new TileError('tiles of other rows than were asked for');
      if (generation === this.generation) tiles.forEach((t, k) => this.keep(wants[k]!, rows, t.kind, t.rows, t.watermark, bytes.length / n));
      this.error = '';
    } catch (e) {
      // 409: there is a newer generation, whose tiles are asked for next.
      if ((e instanceof Refused && e.status !== 409) || e instanceof TileError) this.error = e.message;
      else if (e instanceof Refused) this.error = '';
      else console.error(e);
    } finally {
      for (const key of keys) this.flying.delete(key);
      this.requests--;
    }
    this.asked += n;
    this.changed();
  }

  private make(want: Want, kind: Kind): Entry {
    const e: Entry = { want, kind, rows: new Map(), old: new Set(), version: 0, final: false, bytes: 0, used: this.clock };
    this.entries.set(keyOf(want), e);
    const by = `${want.type}.${want.lane}`;
    let widths = this.widths.get(by);
    if (!widths) this.widths.set(by, (widths = new Map()));
    let set = widths.get(want.w);
    if (!set) widths.set(want.w, (set = new Set()));
    set.add(e);
    return e;
  }

  private keep(want: Want, rows: string[], kind: Kind, decoded: Row[], watermark: bigint, bytes: number): void {
    const e = this.entries.get(keyOf(want)) ?? this.make(want, kind);
    rows.forEach((r, i) => {
      e.rows.set(r, decoded[i]!);
      e.old.delete(r);
    });
    e.version++;
    this.changes++;
    e.final = (want.i + 1n) * BigInt(COLUMNS) * BigInt(want.w) <= watermark;
    // A decoded run takes about three times as much memory as its bytes.
    e.bytes += bytes * 3 + rows.length * 200;
    this.bytes += bytes * 3 + rows.length * 200;
    if (this.bytes > MOST_BYTES) this.forget();
  }

  // Drops the least recently used tiles, down to three quarters of the limit.
  private forget(): void {
    for (const [key, e] of [...this.entries].sort((a, b) => a[1].used - b[1].used)) {
      if (this.bytes < (MOST_BYTES * 3) / 4 || e.used >= this.clock - 1) return;
      this.entries.delete(key);
      this.widths.get(`${e.want.type}.${e.want.lane}`)?.get(e.want.w)?.delete(e);
      this.bytes -= e.bytes;
    }
  }
}

function badness(w: number, wanted: number): number {
  return w >= wanted ? Math.log2(w / wanted) : 2 * Math.log2(wanted / w) + 0.5;
}

// Joins successive rows: r3,r4,r5,g2 becomes r3-5,g2; the order stays.
export function joined(rows: string[]): string {
  const out: string[] = [];
  for (let i = 0; i < rows.length; ) {
    const m = /^r(\d+)$/.exec(rows[i]!);
    let j = i;
    while (m && rows[j + 1] === 'r' + (Number(m[1]) + j + 1 - i)) j++;
    out.push(j > i ? `${rows[i]}-${Number(m![1]) + j - i}` : rows[i]!);
    i = j + 1;
  }
  return out.join(',');
}
