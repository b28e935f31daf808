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
  n: number; // rows in it
  rows: string; // r3-34, as in requests to the server
}

// A line of the tree: one row, or a group of them.
export interface Line {
  key: string; // r3 or g0, as in requests to the server
  row: number | null; // null: the line is a group that is not itself a row
  group: number | null; // null: a row
  name: string;
  hash: string;
  depth: number;
  rows: number; // in the group
  folded: boolean;
  pinned: boolean;
  lane: number; // level of the stack, from 1; 0: not a lane
}

interface Node {
  info: GroupInfo;
  groups: Node[];
  rows: RowInfo[];
  hash: string;
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
  readonly all: number;
  readonly byRow = new Map<number, RowInfo>();
  private roots: Node[] = [];
  private nodes = new Map<number, Node>();
  private loose: RowInfo[] = [];
  private hashes = new Map<number, string>();

  constructor(readonly cls: string, readonly rows: RowInfo[], readonly groups: GroupInfo[]) {
    this.all = rows.length;
    for (const g of groups) this.nodes.set(g.group, { info: g, groups: [], rows: [], hash: '' });
    for (const n of this.nodes.values()) {
      const up = n.info.parent === null ? undefined : this.nodes.get(n.info.parent);
      (up && up !== n ? up.groups : this.roots).push(n);
    }
    for (const r of rows) {
      this.byRow.set(r.row, r);
      const up = r.parent === null ? undefined : this.nodes.get(r.parent);
      (up ? up.rows : this.loose).push(r);
    }
    const name = (n: Node, path: string, depth: number) => {
      n.hash = hash(path + '/' + n.info.name);
      for (const r of n.rows) this.hashes.set(r.row, hash(path + '/' + n.info.name + '/' + r.name));
      if (depth < 64) for (const g of n.groups) name(g, path + '/' + n.info.name, depth + 1);
    };
    for (const n of this.roots) name(n, cls, 0);
    for (const r of this.loose) this.hashes.set(r.row, hash(cls + '/' + r.name));
  }

  hashOf(row: number): string {
    return this.hashes.get(row) ?? '';
  }

  rowOfHash(h: string): number | null {
    for (const [row, is] of this.hashes) if (is === h) return row;
    return null;
  }

  // Groups that start folded: the innermost first, until few enough lines are
  // visible.
  private folded(n: Node, folds: string[]): boolean {
    const start = this.all > MANY && n.groups.length === 0;
    return folds.includes(n.hash) ? !start : start;
  }

  groupHashes(): { hash: string; start: boolean }[] {
    return [...this.nodes.values()].map((n) => ({ hash: n.hash, start: this.folded(n, []) }));
  }

  lines(look: Look): Line[] {
    const out: Line[] = [];
    const filter = look.filter.toLowerCase();
    const seen = (r: RowInfo) => !look.hidden.includes(this.hashOf(r.row)) && (filter === '' || r.name.toLowerCase().includes(filter));
    for (const pin of look.pins) {
      const r = this.rows.find((x) => this.hashOf(x.row) === pin);
      if (r) out.push(this.line(r, 0, true));
    }
    const walk = (n: Node, depth: number) => {
      const folded = this.folded(n, look.folds) && filter === '';
      const at = out.length;
      out.push({
        key: 'g' + n.info.group, row: n.info.row, group: n.info.group, name: n.info.name, hash: n.hash,
        depth, rows: n.info.n, folded, pinned: false, lane: 0,
      });
      if (folded || depth > 64) return;
      for (const g of n.groups) walk(g, depth + 1);
      for (const r of this.sorted(n.rows.filter(seen), look)) out.push(this.line(r, depth + 1, false));
      if (filter !== '' && out.length === at + 1) out.pop();
    };
    for (const n of this.roots) walk(n, 0);
    for (const r of this.sorted(this.loose.filter(seen), look)) out.push(this.line(r, 0, false));
    return out;
  }

  private line(r: RowInfo, depth: number, pinned: boolean): Line {
    return {
      key: 'r' + r.row, row: r.row, group: null, name: r.name, hash: this.hashOf(r.row), depth, rows: 1,
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
    const out: number[] = [];
    const walk = (n: Node, depth: number) => {
      out.push(...n.rows.map((r) => r.row));
      if (depth < 64) for (const g of n.groups) walk(g, depth + 1);
    };
    const n = this.nodes.get(line.group);
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

// Writes rows in the form that the server reads: r3-34,r40.
export function ranges(rows: number[]): string {
  const sorted = [...new Set(rows)].sort((a, b) => a - b);
  const out: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    let j = i;
    while (sorted[j + 1] === sorted[j]! + 1) j++;
    out.push(j > i ? `r${sorted[i]}-${sorted[j]}` : `r${sorted[i]}`);
    i = j + 1;
  }
  return out.join(',');
}
