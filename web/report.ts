// SPDX-License-Identifier: MIT
// report.ts - answers the requests of the page from the data in its own file:
// tiles, names and tables that src/serve/report.c wrote. A request for data
// that the file does not have is refused with a sentence.

import type { App } from './app';
import { apart, entries, Tiles } from './block';
import { el, need } from './el';
import { Finding, Found, LabelInfo, Meta, Net, Num, Params, parseStat, Refused, RowsPage, Stat, TraceInfo } from './net';
import { FINE } from './tile';
import { counted, span, toTime } from './time';
import { addressOf } from './trace';

interface Held {
  timelines: number;
  columns: Num;
  width: Num;
  rows: number;
  all_rows: number;
}

interface Summary {
  anonymous: boolean;
  left: string;
  traces: Held[];
}

interface Grid {
  stat: string;
  values: unknown[];
  rows: { row: number; cells: unknown[] }[];
}

const MOST_HITS = 100; // most hits of each kind, as in src/serve/find.c

export class ReportNet extends Net {
  readonly summary: Summary;
  trace = 0;
  private metas = new Map<number, Meta>();
  override tilesAtOnce = 1;
  override hasIntervals = false;
  private tiles: Tiles;
  private text = new TextDecoder();
  private held: Map<string, Uint8Array>; // answers of the server, except tiles
  private made = new Map<string, number>(); // by tile: width of the columns that it was computed from

  constructor(of: Map<string, Uint8Array>) {
    super();
    this.tiles = new Tiles(of, (trace) => toTime(this.meta(trace).end));
    this.held = new Map([...of].filter(([name]) => !name.includes('/tile?')));
    this.summary = this.read<Summary>('report')!;
  }

  private read<T>(name: string, parse: (text: string) => T = JSON.parse): T | null {
    const bytes = this.held.get(name);
    return bytes ? parse(this.text.decode(bytes)) : null;
  }

  private meta(trace: number): Meta {
    const have = this.metas.get(trace);
    if (have) return have;
    const meta = this.read<Meta>(trace + '/meta')!;
    this.metas.set(trace, meta);
    // The page hides levels of stacks and links, which no report contains.
    meta.types = meta.types.filter((t) => this.tiles.has(trace, t.type)).map((t) => ({ ...t, lanes: 0 }));
    const types = new Set(meta.types.map((t) => t.type));
    meta.panels = meta.panels.filter((p) => p.types.every((t) => types.has(t)));
    meta.links = 0;
    return meta;
  }

  get command(): string {
    return `weft view ${addressOf(this.meta(this.trace))}`;
  }

  private refuse(what: string): never {
    throw new Refused(404, `This file holds no ${what}; \`${this.command}\` shows more.`);
  }

  override async traces(): Promise<{ version: string; traces: TraceInfo[] }> {
    return this.read('traces')!;
  }

  override use(t: TraceInfo): void {
    this.trace = t.trace;
  }

  override async json<T>(route: string, params: Params = {}): Promise<T> {
    return this.answer(route, params) as T;
  }

  private answer(route: string, p: Params): unknown {
    switch (route) {
      case 'meta': return this.meta(this.trace);
      case 'rows': return this.rowsPage(p);
      case 'labels': return { labels: this.labels(Number(p.type)) };
      case 'findings': return this.read(this.trace + '/findings?n=1000') ?? { all: 0, findings: [] };
      case 'find': return this.find(String(p.text));
      case 'durations': return this.durations(p);
      case 'table': return this.table(p);
      case 'links': return { all: 0, starting: 0, ending: 0, links: [] };
      default: return this.refuse(route === 'at' || route === 'step' ? 'single intervals' : `answer to "${route}"`);
    }
  }

  // Returns the rows of a class that have pictures.
  private rows(cls: string): RowsPage {
    const out: RowsPage = { all: 0, rows: [], groups: [] };
    const type = this.meta(this.trace).types.find((t) => t.class === cls);
    for (const name of this.held.keys()) {
      if (!name.startsWith(this.trace + '/rows?') || new URLSearchParams(name.split('?')[1]).get('class') !== cls) continue;
      const page = this.read<RowsPage>(name)!;
      out.rows.push(...page.rows.filter((r) => type && this.tiles.has(this.trace, type.type, 'r' + r.row)));
      out.groups = page.groups;
    }
    const state = this.meta(this.trace).types.find((t) => t.class === cls && t.kind === 'state');
    out.groups = out.groups.filter((g) => state && this.tiles.has(this.trace, state.type, 'g' + g.group));
    out.all = out.rows.length;
    return out;
  }

  // Returns the rows as the server gives them: some of the class, without its
  // groups, or all.
  private rowsPage(p: Params): RowsPage {
    const all = this.rows(String(p.class));
    if (p.rows === undefined) return all;
    const asked = new Set(apart(String(p.rows)));
    return { all: all.all, rows: all.rows.filter((r) => asked.has('r' + r.row)), groups: [] };
  }

  private labels(type: number): LabelInfo[] {
    const out: LabelInfo[] = [];
    const name = `${this.trace}/labels?type=${type}`;
    for (const key of this.held.keys())
      if (key === name || key.startsWith(name + '&')) out.push(...this.read<{ labels: LabelInfo[] }>(key)!.labels);
    return out;
  }

  private find(text: string): Found {
    const re = /^\/(.*)\/$/.exec(text);
    let test: (s: string) => boolean;
    try {
      const low = text.toLowerCase();
      const pattern = re ? new RegExp(re[1]!) : null;
      test = (s) => (pattern ? pattern.test(s) : s.toLowerCase().includes(low));
    } catch {
      throw new Refused(400, 'This is not a regular expression.');
    }
    const meta = this.meta(this.trace);
    const rows = [...new Set(meta.types.map((t) => t.class))].flatMap((cls) => this.rows(cls).rows.filter((r) => test(r.name)).map((r) => ({ row: r.row, class: cls, name: r.name })));
    const labels = meta.types.flatMap((t) => this.labels(t.type).filter((l) => l.text !== null && l.value !== null && test(l.text))
      .map((l) => ({ type: t.type, value: l.value!, class: l.class, text: l.text! })));
    const findings = (this.answer('findings', {}) as { findings: Finding[] }).findings.filter((f) => test(f.text));
    const cut = <H>(hits: H[]) => ({ all: hits.length, hits: hits.slice(0, MOST_HITS) });
    return { rows: cut(rows), labels: cut(labels), findings: cut(findings) };
  }

  // Returns true if the parameters ask for the whole time of the trace.
  private isWhole(p: Params): boolean {
    const end = toTime(this.meta(this.trace).end);
    return (p.from === undefined || toTime(p.from as Num) <= 0n) && (p.to === undefined || toTime(p.to as Num) >= end);
  }

  private durations(p: Params): unknown {
    const type = this.meta(this.trace).types.find((t) => t.type === Number(p.type));
    const all = type ? this.rows(type.class).rows.map((r) => 'r' + r.row) : [];
    const asked = p.rows === undefined ? all : apart(String(p.rows));
    const have = this.read(`${this.trace}/durations?type=${p.type}&value=${p.value}`);
    if (!this.isWhole(p)) this.refuse('durations of a part of the time: press 0 for the whole trace');
    if (asked.length < all.length) this.refuse('durations of single rows');
    return have ?? this.refuse('durations of this value');
  }

  // The file has one table of all rows; keeps the cells of the rows that were
  // asked for.
  private table(p: Params): unknown {
    const window = this.window(p);
    const name = `${this.trace}/table?type=${p.type}&stat=${p.stat ?? 'time'}&n=256${window && '&' + window}`;
    const key = [...this.held.keys()].find((k) => k === name || k.startsWith(name + '&rows='));
    const grid = key ? this.read<Grid>(key)! : this.refuse('table of this type by row');
    if (p.rows === undefined) return grid;
    const rows = new Set(apart(String(p.rows)));
    return { ...grid, rows: grid.rows.filter((r) => rows.has('r' + r.row)) };
  }

  // The ranges of time that have tables, as the names of the tables give them.
  private get windows(): string[] {
    const out = new Set<string>();
    for (const name of this.held.keys()) {
      const m = new RegExp(`^${this.trace}/stat\\?(?:.*&)?(from=\\d+&to=\\d+)$`).exec(name);
      if (m) out.add(m[1]!);
    }
    return [...out];
  }

  get ranges(): { from: bigint; to: bigint }[] {
    return this.windows.map((w) => new URLSearchParams(w)).map((w) => ({ from: BigInt(w.get('from')!), to: BigInt(w.get('to')!) }));
  }

  // Returns the window of a table in the form of its name: empty if it is the
  // whole trace.
  private window(p: Params): string {
    const window = `from=${p.from}&to=${p.to}`;
    if (this.isWhole(p)) return '';
    if (this.windows.includes(window)) return window;
    return this.refuse('table of this part of the time: press 0 for the whole trace' + (this.windows.length ? ', or choose the marked range' : ''));
  }

  override async stat(p: Params): Promise<Stat> {
    const window = this.window(p);
    const type = this.meta(this.trace).types.find((t) => t.type === Number(p.types));
    const names = p.by === 'row' ? ['by=thread', 'by=cpu'] : type?.class === 'cpu' ? ['class=cpu', 'types=all', ''] : ['types=all', ''];
    for (const query of names) {
      const q = [query, window].filter((x) => x !== '').join('&');
      const stat = this.read(`${this.trace}/stat${q ? '?' + q : ''}`, parseStat);
      const types = stat?.types.filter((t) => !type || (t.type === type.key && t.class === type.class));
      if (stat && types?.length) return { ...stat, types };
    }
    return this.refuse(p.by === 'row' ? 'table of this type by row' : 'table of this type');
  }

  override async bytes(_: string, p: Params): Promise<Uint8Array> {
    const type = Number(p.type);
    const w = Number(p.w);
    const tile = this.tiles.tile(this.trace, type, w, BigInt(p.i!), p.q === 'fine' ? FINE : Number(p.q), apart(String(p.rows)));
    if (!tile) return this.refuse('columns of these rows');
    this.made.set(`${type}.${w}.${p.i}`, tile.from);
    return tile.bytes;
  }

  override isExact(type: number, w: number, groups: string[]): boolean {
    return this.tiles.isExact(this.trace, type, w, groups);
  }

  // Returns a note about the precision of the visible columns; empty if they
  // are exact.
  says(type: number, w: number, first: bigint, last: bigint, unit: 'ns' | 'ps'): string {
    let from = w;
    for (let i = first; i <= last; i++) {
      const made = this.made.get(`${type}.${w}.${i}`) ?? w;
      if (made > from || (made < w && from === w)) from = made;
    }
    if (from === w) return '';
    const columns = span(BigInt(from), unit);
    return from > w ? `this file holds columns of ${columns}; \`${this.command}\` shows more`
      : `these columns are made of columns of ${columns}; \`${this.command}\` shows them exactly`;
  }

  override url(): string {
    return this.refuse('list of intervals');
  }
}

// Describes in sentences what the file contains and what it does not.
export function contents(net: ReportNet, unit: 'ns' | 'ps'): string[] {
  const h = net.summary.traces[net.trace]!;
  const rows = h.rows === h.all_rows ? 'all rows' : `${h.rows} of ${h.all_rows} rows`;
  const out = [`This file holds ${counted(h.timelines, 'timeline')}, ${h.columns} columns of ${span(toTime(h.width), unit)}; ${rows}.`];
  if (net.summary.left) out.push(`Left out for space: ${net.summary.left}.`);
  if (net.summary.anonymous) out.push('Names of hosts and users, and absolute paths, are left out.');
  return out;
}

// Reads the data of this file.
export async function openReport(): Promise<ReportNet> {
  const block = need('d');
  if (typeof DecompressionStream === 'undefined')
    throw new Error('This browser cannot unpack the data in this file: take Chromium 80, Firefox 113, Safari 16.4, or a later one.');
  const text = atob((block.textContent ?? '').trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new ReportNet(entries(new Uint8Array(await new Response(stream).arrayBuffer())));
}

// The line below the panels that says what the file contains. If the page asks
// for columns that the file does not have, the line says so.
export function describe(app: App, net: ReportNet): void {
  const sentence = el('span', { class: 'columns', role: 'status' });
  const unit = app.trace.unit;
  const ranges = net.ranges.map((r) => el('button', { onclick: () => {
    app.showTime(r.from, r.to);
    app.select({ from: r.from, to: r.to, rows: [] });
  } }, `marked: ${span(r.from, unit)} to ${span(r.to, unit)}`));
  const line = el('p', { id: 'held' }, el('span', {}, contents(net, unit).join(' ')), ...ranges, sentence);
  need('panels').after(line);
  app.drawn = () => {
    const p = app.panels.find((x) => {
      const { first, last } = x.tiles();
      return net.says(x.type.info.type, app.scale.w, first, last, unit) !== '';
    });
    const { first, last } = (p ?? app.panels[0]!).tiles();
    const text = p ? net.says(p.type.info.type, app.scale.w, first, last, unit) : '';
    if (sentence.textContent !== text) sentence.textContent = text;
  };
}
