// SPDX-License-Identifier: MIT
// trace.ts - the facts about the open trace that the page knows: types, labels,
// rows, and the colours of values.

import { alt, DARK, FADED, LIGHT, mix, PAPER, pixel, Rgb, rgb } from './colour';
import { visible } from './el';
import { fit } from './ladder';
import { Found, LabelInfo, Meta, Net, Num, RowsPage, TypeInfo } from './net';
import { Ink } from './paint';
import { ranges, RowInfo, RowTree } from './rows';
import { LATEST } from './store';
import { COLUMNS, decode, NONE } from './tile';
import { toTime, Unit } from './time';
import { Colours, isRanked } from './view';

const MOST_ROWS = 20000; // a class with more rows is not loaded at once

export type Theme = 'light' | 'dark';

export class Type {
  labels: LabelInfo[] = [];
  byClass = new Map<number, LabelInfo>();
  byValue = new Map<string, LabelInfo>();
  rank = new Map<string, number>(); // rank of a value by its time in the whole trace
  loaded: Promise<void> | null = null;
  version = 0;

  constructor(readonly info: TypeInfo) {}

  get key(): string {
    return this.info.key + '@' + this.info.class;
  }

  get isState(): boolean {
    return this.info.kind === 'state';
  }

  name(value: Num | null | bigint): string {
    if (value === null) return this.info.none ?? 'nothing';
    return this.byValue.get(String(value))?.text ?? String(value);
  }

  nameOfClass(cls: number): string {
    if (cls === NONE) return this.info.none ?? 'nothing';
    const l = this.byClass.get(cls);
    return l ? (l.text ?? String(l.value)) : cls >= 240 ? 'other values' : `class ${cls}`;
  }

  // Orders classes by the time of their values in the whole trace, the longest
  // first; values that have no time, or whose time is not known, by class.
  byTime(a: number, b: number): number {
    const of = (c: number) => this.rank.get(String(this.byClass.get(c)?.value)) ?? this.rank.size;
    return of(a) - of(b) || a - b;
  }

  take(labels: LabelInfo[]): void {
    this.labels = labels;
    for (const l of labels) {
      if (l.text !== null) l.text = visible(l.text);
      if (l.class !== null && !this.byClass.has(l.class)) this.byClass.set(l.class, l);
      this.byValue.set(String(l.value), l);
    }
    this.version++;
  }
}

// Types that every trace of ovni has; they say less than those of a runtime or of
// the program itself.
const CORE = /^ovni\.(tid|pid|cpu|state|running|flush)$/;

// Returns the type that the page shows first: the subsystems of a runtime, or
// what `weft stat` prints first. `panel` is the first type of the models' views;
// types of classes without rows show nothing.
export function opening(all: Type[], panel?: number, classes?: string[]): Type | undefined {
  const some = all.filter((t) => !classes || classes.includes(t.info.class));
  const types = some.length > 0 ? some : all;
  const states = types.filter((t) => t.isState && t.info.labels > 0);
  const thread = states.filter((t) => t.info.class === 'thread');
  // Of several runtimes, the one with the most records.
  return thread.filter((t) => /subsystem/.test(t.info.key)).sort((a, b) => Number(b.info.records) - Number(a.info.records))[0] ??
    thread.find((t) => !CORE.test(t.info.key) && Number(t.info.records) > 0) ??
    states.find((t) => t.info.type === panel) ?? states.find((t) => t.info.labels > 1) ?? states[0] ?? types.find((t) => t.isState && Number(t.info.records) > 0) ?? types[0];
}

// Returns the trace as an argument of a command.
export function addressOf(meta: Meta): string {
  const path = meta.path ?? meta.name;
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replace(/'/g, "'\\''")}'`;
}

export class Trace {
  readonly unit: Unit;
  end: bigint;
  readonly types: Type[];
  readonly trees = new Map<string, RowTree>();
  readonly rowNames = new Map<number, string>();
  readonly rowClass = new Map<number, string>();
  private byKey = new Map<string, Type>();

  constructor(readonly net: Net, readonly meta: Meta) {
    this.unit = meta.unit;
    this.end = toTime(meta.end);
    this.types = meta.types.map((t) => new Type(t));
    for (const t of this.types) this.byKey.set(t.key, t);
  }

  static async open(net: Net): Promise<Trace> {
    const meta = await net.json<Meta>('meta');
    net.hasTrace = meta.stat;
    return new Trace(net, meta);
  }

  get address(): string {
    return addressOf(this.meta);
  }

  type(key: string): Type | undefined {
    return this.byKey.get(key);
  }

  byNumber(type: number): Type | undefined {
    return this.types.find((t) => t.info.type === type);
  }

  tree(cls: string): RowTree | undefined {
    return this.trees.get(cls);
  }

  async loadRows(cls: string): Promise<RowTree> {
    const have = this.trees.get(cls);
    if (have) return have;
    // The trace may have a type of a class without rows.
    const some = this.meta.classes.some((c) => c.class === cls && c.rows > 0);
    const page = some ? await this.net.json<RowsPage>('rows', { class: cls }) : { all: 0, rows: [], groups: [] };
    // Of a large class only the groups are loaded now, and its rows when their
    // group is opened.
    const part = page.all > MOST_ROWS && page.groups.length > 0;
    if (part) page.rows = [];
    while (!part && page.rows.length < page.all) {
      const more = await this.net.json<RowsPage>('rows', { class: cls, from: page.rows.length });
      if (more.rows.length === 0) break;
      page.rows.push(...more.rows);
    }
    for (const g of page.groups) g.name = visible(g.name);
    const tree = new RowTree(cls, [], page.groups, page.all);
    this.take(tree, page.rows);
    this.trees.set(cls, tree);
    return tree;
  }

  private take(tree: RowTree, rows: RowInfo[]): void {
    for (const r of rows) {
      r.name = visible(r.name);
      this.rowNames.set(r.row, r.name);
      this.rowClass.set(r.row, tree.cls);
    }
    tree.add(rows);
  }

  // Loads the rows that open groups await; returns whether any came.
  async loadMore(tree: RowTree, rows = tree.missing()): Promise<boolean> {
    if (!rows) return false;
    const page = await this.net.json<RowsPage>('rows', { class: tree.cls, rows });
    const before = tree.rows.length;
    this.take(tree, page.rows);
    return tree.rows.length > before;
  }

  // Loads rows whose name contains a text, as many as a search finds.
  async loadNamed(tree: RowTree, text: string): Promise<void> {
    const { rows } = await this.net.json<Found>('find', { text });
    const some = ranges(rows.hits.filter((r) => r.class === tree.cls && !tree.byRow.has(r.row)).map((r) => r.row));
    await this.loadMore(tree, some);
  }

  // Reads the labels of a type, and the time of each value.
  loadLabels(t: Type): Promise<void> {
    t.loaded ??= (async () => {
      const { labels } = await this.net.json<{ labels: LabelInfo[] }>('labels', { type: t.info.type });
      t.take(labels);
    })();
    return t.loaded;
  }

  // Ranks the values by the time that they have in the whole trace, as the 256
  // columns of one tile show it: a table would read all records.
  async loadRank(t: Type): Promise<void> {
    if (t.rank.size || !t.isState) return;
    const tree = await this.loadRows(t.info.class);
    const groups = tree.groups.filter((g) => g.parent === null).map((g) => 'g' + g.group);
    const rows = groups.length ? groups : tree.rows.map((r) => 'r' + r.row);
    const w = fit(this.end || 1n, COLUMNS).w;
    // Without the tile, which times near 2^63 do not have, the order of
    // appearance decides.
    const bytes = rows.length && BigInt(w) * BigInt(COLUMNS) < LATEST && (await this.net.bytes('tile', { type: t.info.type, w, i: 0, q: 'fine', rows: rows.slice(0, 256).join() }).catch(() => null));
    if (!bytes) return;
    const time = new Map<number, number>();
    for (const row of decode(bytes).rows)
      for (let run = 0, from = 0; run < row.runs; from = row.end[run++]!)
        for (let i = row.at[run]!; i < row.at[run + 1]!; i++)
          if (row.cls[i] !== NONE) time.set(row.cls[i]!, (time.get(row.cls[i]!) ?? 0) + row.share[i]! * (row.end[run]! - from));
    const known = t.labels.filter((l) => l.class !== null && l.class !== NONE && l.value !== null);
    known.sort((a, b) => (time.get(b.class!) ?? 0) - (time.get(a.class!) ?? 0) || a.class! - b.class!);
    known.forEach((l, i) => t.rank.set(String(l.value), i));
    t.version++;
  }

  colour(t: Type, cls: number, colours: Colours, theme: Theme): Rgb | null {
    if (cls === NONE) return null;
    const l = t.byClass.get(cls);
    const palette = theme === 'dark' ? DARK : LIGHT;
    const own = theme === 'dark' ? l?.dark : l?.light;
    if (colours === 'own' && own) return rgb(own);
    const rank = l && isRanked(colours) ? t.rank.get(String(l.value)) : undefined;
    const at = rank ?? (cls >= 240 ? cls - 240 : cls);
    const c = rgb(palette[at % palette.length]!);
    // When the palette is used up, colours repeat, nearer to the colour of the
    // paper.
    const again = Math.min(3, Math.floor(at / palette.length));
    return again ? mix(c, rgb(PAPER[theme]), 0.22 * again) : c;
  }

  ink(t: Type, colours: Colours, theme: Theme, dim: Set<number> | null): Ink {
    const paper = rgb(PAPER[theme]);
    const out: Ink = {
      colour: new Uint32Array(256), alt: new Uint32Array(256), order: new Float64Array(256),
      patterns: colours === 'patterns', low: 0, high: 1, log: false,
    };
    for (let cls = 0; cls < NONE; cls++) {
      const c = this.colour(t, cls, colours, theme);
      if (!c) continue;
      const l = t.byClass.get(cls);
      const shown = dim && !dim.has(cls) ? mix(c, paper, FADED) : c;
      out.colour[cls] = pixel(shown);
      out.alt[cls] = pixel(alt(shown));
      out.order[cls] = l && l.value !== null ? Number(l.value) : cls;
    }
    if (t.info.kind === 'number') {
      const line = rgb((theme === 'dark' ? DARK : LIGHT)[theme === 'dark' ? 13 : 0]!);
      out.colour[0] = pixel(mix(line, paper, 0.45));
      out.colour[1] = pixel(mix(line, paper, 0.8));
      out.alt[0] = pixel(theme === 'dark' ? mix(line, [255, 255, 255], 0.3) : line);
    }
    return out;
  }
}
