// SPDX-License-Identifier: MIT
// rows.ts - the tree of rows of a class, and which of its lines are visible.

import { hash, Sort } from './view';

export interface RowInfo {
  row: number;
  name: string;
  parent: number | null;
}

export interface GroupInfo {
  group: number;
  kind: 'all' | 'node' | 'process' | 'row' | 'band';
  name: string;
  parent: number | null;
  row: number | null;
  n: number; // number of rows in the group
  rows: string; // r3-34, as in requests to the server
}

// A line of the tree: one row, or a group of them.
export interface Line {
  key: string; // r3 or g0, as in requests to the server
  row: number | null; // null: the line is a group that is not itself a row
  group: number | null; // null: a row
  name: string;
  short: string; // the name without that of the group, if it begins with it
  hash: string;
  depth: number;
  rows: number; // rows in the group
  folded: boolean;
  pinned: boolean;
  lane: number; // level of the stack, from 1; 0: not a lane
}

interface Node {
  info: GroupInfo;
  groups: Node[];
  rows: RowInfo[];
  hash: string;
  path: string; // path of the names of its rows
  direct: number; // rows in it that are in no group inside it
}

export interface Look {
  folds: string[];
  pins: string[];
  hidden: string[];
  filter: string;
  sort: Sort;
  rank: Map<number, number> | null; // time of a row, for sorting by time
}

export const MANY = 200; // rows beyond which groups start folded

export class RowTree {
  readonly rows: RowInfo[] = []; // the rows that are loaded
  readonly byRow = new Map<number, RowInfo>();
  awaited: Node[] = []; // open groups whose rows are not there yet
  private roots: Node[] = [];
  private nodes = new Map<number, Node>();
  private leaves: [number, number, number][] | null = null; // first and last row, group
  private loose: RowInfo[] = [];
  private alike = new Map<string, number>(); // rows and groups of each path
  private taken = new Set<string>(); // all hashes
  private hashes = new Map<number, string>();

  // Takes all rows, or only some: the others are loaded when the user opens
  // their groups.
  constructor(readonly cls: string, rows: RowInfo[], readonly groups: GroupInfo[], readonly all = rows.length) {
    for (const g of groups) this.nodes.set(g.group, { info: g, groups: [], rows: [], hash: '', path: '', direct: g.n });
    for (const n of this.nodes.values()) {
      const up = n.info.parent === null ? undefined : this.nodes.get(n.info.parent);
      if (up && up !== n) up.direct -= n.info.n;
      (up && up !== n ? up.groups : this.roots).push(n);
    }
    const name = (n: Node, path: string, depth: number) => {
      n.path = path + '/' + n.info.name;
      n.hash = this.unique(n.path);
      if (depth < 64) for (const g of n.groups) name(g, n.path, depth + 1);
    };
    for (const n of this.roots) name(n, cls, 0);
    this.add(rows);
  }

  // A node of the system and its only process have the same rows: the rows
  // belong to one of them, and the other one is left out.
  private leaveOut(): void {
    const own = (all: Node[]) => all.filter((n) => n.rows.length + n.groups.length > 0 || !all.some((o) => o !== n && o.info.rows === n.info.rows && o.rows.length + o.groups.length > 0));
    for (const n of this.nodes.values()) n.groups = own(n.groups);
    this.roots = own(this.roots);
  }

  add(rows: RowInfo[]): void {
    for (const r of rows) {
      if (this.byRow.has(r.row)) continue;
      this.rows.push(r);
      this.byRow.set(r.row, r);
      const up = r.parent === null ? undefined : this.nodes.get(r.parent);
      (up ? up.rows : this.loose).push(r);
      this.hashes.set(r.row, this.unique((up ? up.path : this.cls) + '/' + r.name));
    }
    if (!this.partial) this.leaveOut();
  }

  // Returns the hash of a path. A program that executes another one gives several
  // rows of the same name: those after the first also have their number in it.
  private unique(path: string): string {
    let n = this.alike.get(path) ?? 0;
    let h: string;
    do h = hash(n ? `${path}\n${n}` : path);
    while (++n && this.taken.has(h));
    this.alike.set(path, n);
    this.taken.add(h);
    return h;
  }

  // Returns true if rows are not there that no group needs yet.
  get partial(): boolean {
    return this.rows.length < this.all;
  }

  // Returns the rows that open groups await, as requests name them, at most
  // about as many as an answer has.
  missing(): string {
    const out: number[] = [];
    for (const n of this.awaited) {
      if (out.length > 0 && out.length + n.direct > 1000) break;
      const inside = new Set(n.groups.flatMap((g) => numbers(g.info.rows)));
      for (const r of numbers(n.info.rows)) if (!inside.has(r) && !this.byRow.has(r)) out.push(r);
    }
    return ranges(out);
  }

  // Returns the innermost group of a row, also of one that is not there yet.
  private innermost(row: number): Node | undefined {
    const known = this.byRow.get(row);
    if (known || !this.partial) return this.nodes.get(known?.parent ?? -1);
    this.leaves ??= [...this.nodes.values()].filter((n) => n.groups.length === 0)
      .flatMap((n) => spans(n.info.rows).map(([a, b]): [number, number, number] => [a, b, n.info.group])).sort((a, b) => a[0] - b[0]);
    let [low, high] = [0, this.leaves.length];
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.leaves[mid]![1] < row) low = mid + 1;
      else high = mid;
    }
    const at = this.leaves[low];
    return at && at[0] <= row ? this.nodes.get(at[2]) : undefined;
  }

  // Returns a function that tells the line which shows a row, or a group that
  // has it.
  finder(lines: Line[]): (row: number) => number | undefined {
    const rows = new Map<number, number>();
    const groups = new Map<number, number>();
    lines.forEach((l, i) => {
      if (l.group === null && !rows.has(l.row!)) rows.set(l.row!, i);
      else if (l.group !== null && l.folded) groups.set(l.group, i);
    });
    return (row) => {
      const own = rows.get(row);
      if (own !== undefined) return own;
      for (let n = this.innermost(row), depth = 0; n && depth < 64; n = this.nodes.get(n.info.parent ?? -1), depth++)
        if (groups.has(n.info.group)) return groups.get(n.info.group);
      return undefined;
    };
  }

  hashOf(row: number): string {
    return this.hashes.get(row) ?? '';
  }

  // Returns the keys of the rows and groups that are there, by their hashes.
  keys(): Map<string, string> {
    const out = new Map<string, string>();
    for (const n of this.nodes.values()) out.set('g' + n.hash, 'g' + n.info.group);
    for (const [row, h] of this.hashes) out.set('r' + h, 'r' + row);
    return out;
  }

  rowOfHash(h: string): number | null {
    for (const [row, is] of this.hashes) if (is === h) return row;
    return null;
  }

  // Returns true if the group is folded. If there are many rows, groups without
  // subgroups start folded; `folds` has the groups that the user toggled.
  private folded(n: Node, folds: Set<string>): boolean {
    const start = this.all > MANY && n.groups.length === 0;
    return folds.has(n.hash) ? !start : start;
  }

  groupHashes(): { hash: string; start: boolean }[] {
    const none = new Set<string>();
    return [...this.nodes.values()].map((n) => ({ hash: n.hash, start: this.folded(n, none) }));
  }

  lines(look: Look): Line[] {
    const out: Line[] = [];
    this.awaited = [];
    const hidden = new Set(look.hidden);
    const folds = new Set(look.folds);
    const filter = look.filter.toLowerCase();
    const seen = (r: RowInfo) => !hidden.has(this.hashOf(r.row)) && (filter === '' || r.name.toLowerCase().includes(filter));
    for (const pin of look.pins) {
      const r = this.rows.find((x) => this.hashOf(x.row) === pin);
      const n = r ? undefined : [...this.nodes.values()].find((x) => x.hash === pin);
      if (r) out.push(this.line(r, 0, true));
      // A pinned group is one line for all its rows, even if the group is open
      // further down.
      else if (n) out.push({ ...this.group(n, 0, true), pinned: true });
    }
    const walk = (n: Node, depth: number, above: string) => {
      if (hidden.has(n.hash)) return;
      const folded = this.folded(n, folds) && filter === '';
      const at = out.length;
      out.push({ ...this.group(n, depth, folded), short: below(n.info.name, above) });
      if (folded || depth > 64) return;
      if (n.rows.length < n.direct && filter === '') this.awaited.push(n);
      for (const g of n.groups) walk(g, depth + 1, n.info.name);
      for (const r of this.sorted(n.rows.filter(seen), look)) out.push({ ...this.line(r, depth + 1, false), short: below(r.name, n.info.name) });
      if (filter !== '' && out.length === at + 1) out.pop();
    };
    for (const n of this.roots) walk(n, 0, '');
    for (const r of this.sorted(this.loose.filter(seen), look)) out.push(this.line(r, 0, false));
    return out;
  }

  private group(n: Node, depth: number, folded: boolean): Line {
    return {
      key: 'g' + n.info.group, row: n.info.row, group: n.info.group, name: n.info.name, short: n.info.name, hash: n.hash, depth,
      rows: n.info.n, folded, pinned: false, lane: 0,
    };
  }

  private line(r: RowInfo, depth: number, pinned: boolean): Line {
    return {
      key: 'r' + r.row, row: r.row, group: null, name: r.name, short: r.name, hash: this.hashOf(r.row), depth, rows: 1,
      folded: false, pinned, lane: 0,
    };
  }

  private sorted(rows: RowInfo[], look: Look): RowInfo[] {
    if (look.sort === 'order') return rows;
    const list = [...rows];
    const names = new Intl.Collator('en', { numeric: true });
    if (look.sort === 'name') return list.sort((a, b) => names.compare(a.name, b.name));
    const rank = look.rank;
    return rank ? list.sort((a, b) => (rank.get(a.row) ?? Infinity) - (rank.get(b.row) ?? Infinity)) : list;
  }

  // Returns the rows of a line: one, or all of the group.
  members(line: Line): number[] {
    if (line.group === null) return line.row === null ? [] : [line.row];
    const n = this.nodes.get(line.group);
    if (this.partial) return numbers(n?.info.rows ?? '');
    const out: number[] = [];
    const walk = (at: Node, depth: number) => {
      for (const r of at.rows) out.push(r.row);
      if (depth < 64) for (const g of at.groups) walk(g, depth + 1);
    };
    if (n) walk(n, 0);
    return out;
  }

  // Returns the group of a row's line, for folding it from inside.
  groupOf(line: Line): string | null {
    if (line.group !== null) return line.hash;
    const parent = line.row === null ? null : this.byRow.get(line.row)?.parent;
    return parent === null || parent === undefined ? null : (this.nodes.get(parent)?.hash ?? null);
  }
}

// Returns a dotted name as it is below another: of `core[0].port` below `core[0]`
// only `port`.
function below(name: string, above: string): string {
  return above !== '' && name.startsWith(above + '.') ? name.slice(above.length + 1) : name;
}

// Returns how many characters all names begin with; 0 for a single name.
export function alikeUpTo(names: string[]): number {
  const [first = '', ...others] = names;
  let n = others.length ? first.length : 0;
  for (const name of others) while (!name.startsWith(first.slice(0, n))) n--;
  return n;
}

// Reads r3-34,r40 as pairs of first and last.
function spans(rows: string): [number, number][] {
  return [...rows.matchAll(/r(\d+)(?:-(\d+))?/g)].map((m) => [Number(m[1]), Number(m[2] ?? m[1])]);
}

function numbers(rows: string): number[] {
  const out: number[] = [];
  for (const [a, b] of spans(rows)) for (let r = a; r <= b; r++) out.push(r);
  return out;
}

// Writes rows in the form that the server reads: r3-34,r40.
export function ranges(rows: number[]): string {
  const sorted = rows.every((r, i) => i === 0 || r > rows[i - 1]!) ? rows : [...new Set(rows)].sort((a, b) => a - b);
  const out: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    let j = i;
    while (sorted[j + 1] === sorted[j]! + 1) j++;
    out.push(j > i ? `r${sorted[i]}-${sorted[j]}` : `r${sorted[i]}`);
    i = j + 1;
  }
  return out.join(',');
}
