// SPDX-License-Identifier: MIT
// summary.ts - computes time, number and lengths of each value for some rows
// and a window of time, for the States table and for hovering.
//
// Time and number of entries come from `weft stat`: for some rows, from its
// tables by row. The cells of the table route stand in for it if the server has
// only the index; they do not tell when a row lived.
//
// A nested state divides the state around it into several intervals, which is
// still entered once. The table route counts intervals; mean, min and max are
// lengths of intervals, as the picture and the Durations tab show them.

import { visible } from './el';
import { Net, Num, Refused, StatTable } from './net';
import { ranges, RowInfo } from './rows';
import { NONE } from './tile';
import { toTime } from './time';
import { Type } from './trace';

export interface ValueLine {
  row: string; // '': several rows together
  id: number; // of the row; tells rows of the same name apart
  value: Num | null;
  cls: number;
  label: string;
  time: bigint;
  share: number;
  times: number | null; // number of entries, as in weft stat; null: not known, as of an index without its trace
  intervals: number | null; // null: not requested, as the three lengths
  mean: bigint | null;
  min: bigint | null;
  max: bigint | null;
}

export interface Scope {
  rows: number[] | null; // null: all
  from: bigint;
  to: bigint;
}

export const MOST_CELLS = 512; // most rows whose cells the page sums

interface Grid {
  values: { value: Num | null; class: number | null; label: string | null }[];
  rows: { row: number; cells: (Num | null)[] }[];
}

type Cell = 'time' | 'count' | 'min' | 'max';

async function grid(net: Net, type: Type, s: Scope, rows: number[], cell: Cell, stop?: AbortSignal): Promise<Grid> {
  return net.json<Grid>('table', { type: type.info.type, rows: ranges(rows), from: s.from, to: s.to, stat: cell, n: 256 }, stop);
}

function nameOf(type: Type, value: Num | null, label: string | null): string {
  return label === null ? type.name(value) : visible(label);
}

function classOf(type: Type, value: Num | null): number {
  return value === null ? NONE : (type.byValue.get(String(value))?.class ?? NONE);
}

// Sums the cells of rows; `names` keeps the rows apart.
export async function ofRows(net: Net, type: Type, s: Scope, names: ((row: number) => string) | null, stop?: AbortSignal, cells: Cell[] = ['time', 'count', 'min', 'max']): Promise<ValueLine[]> {
  const [time, count, min, max] = await Promise.all(cells.map((c) => grid(net, type, s, s.rows ?? [], c, stop)));
  const out = new Map<string, ValueLine>();
  const each = (g: Grid | undefined, put: (l: ValueLine, v: bigint) => void) => {
    for (const r of g?.rows ?? [])
      r.cells.forEach((cell, i) => {
        const v = g!.values[i];
        if (cell === null || !v) return;
        const [row, id] = names ? [names(r.row), r.row] : ['', 0];
        const key = id + '\n' + String(v.value);
        let l = out.get(key);
        if (!l) out.set(key, (l = { row, id, value: v.value, cls: v.class ?? classOf(type, v.value), label: nameOf(type, v.value, v.label), time: 0n, share: 0, times: null, intervals: 0, mean: null, min: null, max: null }));
        put(l, toTime(cell));
      });
  };
  each(time, (l, v) => (l.time += v));
  each(count, (l, v) => (l.intervals! += Number(v)));
  each(min, (l, v) => (l.min = l.min === null || v < l.min ? v : l.min));
  each(max, (l, v) => (l.max = l.max === null || v > l.max ? v : l.max));
  return sorted(shares([...out.values()].filter((l) => l.time > 0n || l.intervals)));
}

function shares(lines: ValueLine[]): ValueLine[] {
  const total = new Map<number, bigint>();
  for (const l of lines) total.set(l.id, (total.get(l.id) ?? 0n) + l.time);
  for (const l of lines) {
    l.share = Number(l.time) / (Number(total.get(l.id)) || 1);
    l.mean = l.intervals ? l.time / BigInt(l.intervals) : null;
  }
  return lines;
}

// The time without a value comes last, as in weft stat.
function sorted(lines: ValueLine[]): ValueLine[] {
  return lines.sort((a, b) => a.id - b.id || Number(a.cls === NONE) - Number(b.cls === NONE) || (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
}

function ofTable(type: Type, t: StatTable, id: number, name?: string): ValueLine[] {
  return (t.states ?? []).map((s) => {
    const field = (name: string) => (s[Object.keys(s).find((k) => k.startsWith(name)) ?? ''] ?? 0) as Num;
    return {
      row: name ?? t.row ?? '', id, value: s.value, cls: classOf(type, s.value), label: nameOf(type, s.value, s.label), time: toTime(field('time_')),
      share: 0, times: Number(field('times')), intervals: null, mean: null, min: null, max: null,
    };
  });
}

// Takes a refusal for an empty answer: a report may lack a table, and an index
// without its trace has none.
function absent(e: unknown): ValueLine[] {
  if (e instanceof Refused && e.status !== 409) return [];
  throw e;
}

// Returns what weft stat prints for all rows of the type together, or for each
// of `rows`, the rows of the class in their order. weft stat prints all rows of
// the class in the same order, and several may have the same name; a report may
// have fewer rows, which are found by their names.
async function ofStat(net: Net, type: Type, s: Scope, rows: RowInfo[] | null, stop?: AbortSignal): Promise<ValueLine[]> {
  const stat = await net.stat({ types: type.info.type, from: s.from, to: s.to, by: rows ? 'row' : undefined }, stop);
  const of = stat.types.find((t) => t.type === type.info.key && t.class === type.info.class) ?? stat.types[0];
  const tables = of?.tables ?? [];
  const all = rows?.length === tables.length;
  return tables.flatMap((t, i) => {
    const row = all ? rows![i] : rows?.find((r) => r.name === visible(t.row ?? ''));
    return row ? ofTable(type, t, row.row, row.name) : ofTable(type, t, rows ? -1 - i : i);
  });
}

// Returns the lines for each of `rows`, the rows of the class: those of weft stat
// or, if the server has only the index, those of the table route.
export async function perRow(net: Net, type: Type, s: Scope, rows: RowInfo[], stop?: AbortSignal): Promise<ValueLine[]> {
  const names = new Map(rows.map((r) => [r.row, r.name]));
  return net.hasTrace ? ofStat(net, type, s, rows, stop) : ofRows(net, type, { ...s, rows: [...names.keys()] }, (r) => names.get(r)!, stop);
}

// Adds up the lines of several rows.
function together(lines: ValueLine[]): ValueLine[] {
  const out = new Map<string, ValueLine>();
  for (const l of lines) {
    const to = out.get(String(l.value));
    if (to) {
      to.time += l.time;
      to.times = to.times === null || l.times === null ? null : to.times + l.times;
    } else out.set(String(l.value), { ...l, row: '', id: 0 });
  }
  return sorted([...out.values()]);
}

// Returns the lines of the States table: for the rows of the scope or for all,
// with the lengths of the intervals if these are few. `all` has the rows of the
// class, or none if they are not loaded; byRow keeps rows apart.
export async function ofScope(net: Net, type: Type, s: Scope, all: RowInfo[], byRow: boolean, stop?: AbortSignal): Promise<ValueLine[]> {
  const chosen = s.rows ?? all.map((r) => r.row);
  const names = new Map(all.map((r) => [r.row, r.name]));
  const few = chosen.length > 0 && chosen.length <= MOST_CELLS;
  const cells = few && (type.isState || s.rows || !net.hasTrace) ? ofRows(net, type, { ...s, rows: chosen }, byRow ? (r) => names.get(r) ?? `row ${r}` : null, stop) : null;
  const ids = few && type.info.kind === 'id' ? grid(net, type, s, chosen, 'time', stop).catch(() => null) : null; // for the colours of ids, which have no labels
  if (!net.hasTrace || (s.rows && all.length === 0)) {
    if (!cells) throw new Refused(404, `${net.hasTrace ? '' : 'Without its trace, the index answers for few rows at once. '}Select 1 to ${MOST_CELLS} rows.`);
    return cells;
  }
  const inScope = new Set(chosen);
  const [stat, more] = await Promise.all([
    s.rows ? ofStat(net, type, s, all, stop).then((l) => l.filter((x) => inScope.has(x.id))).catch(absent) : ofStat(net, type, s, byRow ? all : null, stop),
    cells ? cells.catch(absent) : [],
  ]);
  if (s.rows && stat.length === 0) return more;
  const lines = s.rows && !byRow ? together(stat) : stat;
  const classes = new Map((await ids)?.values.map((v) => [String(v.value), v.class]));
  for (const l of shares(lines)) {
    l.cls = classes.get(String(l.value)) ?? l.cls;
    // weft stat does not count time in which threads did not live, but the
    // intervals include it: takes their lengths only if both agree on the time.
    const m = more.find((x) => x.id === l.id && String(x.value) === String(l.value) && x.time === l.time);
    if (m) [l.intervals, l.mean, l.min, l.max] = [m.intervals, m.mean, m.min, m.max];
  }
  return lines;
}
