// SPDX-License-Identifier: MIT
// table.ts - tables that the user can sort by a click on a column title and
// save as CSV.

import { cut, el } from './el';

export interface Column<T> {
  title: string;
  tip?: string; // what the column means
  text: (row: T) => string;
  sort?: (row: T) => number | string | bigint; // sort key; without it, the text
  csv?: (row: T) => string; // the number with all digits; without it, the text
  head?: string; // the title in CSV, with the unit
  right?: boolean; // numbers
  cell?: (row: T) => Node | null; // an element before the text
}

export interface TableOptions<T> {
  label: string;
  click?: (row: T, e: MouseEvent | KeyboardEvent) => void;
  mark?: (row: T) => string; // returns the class of a line's element
  most?: number; // number of lines that are shown
}

const sorts = new Map<string, { column: number; down: boolean }>();

export function table<T>(columns: Column<T>[], rows: T[], o: TableOptions<T>): HTMLElement {
  const most = o.most ?? 500;
  const body = el('tbody');
  const heads = columns.map((c, n) => {
    const b = el('button', { title: c.tip, onclick: () => {
      const s = sorts.get(o.label);
      sorts.set(o.label, { column: n, down: s?.column === n ? !s.down : Boolean(c.right) });
      fill();
    } }, c.title);
    return el('th', { scope: 'col', class: c.right ? 'right' : '' }, b);
  });
  const fill = () => {
    const s = sorts.get(o.label);
    const by = s ? columns[s.column] : undefined;
    const list = by ? [...rows].sort((a, b) => compare(by, a, b) * (s!.down ? -1 : 1)) : rows;
    heads.forEach((h, n) => h.setAttribute('aria-sort', s?.column === n ? (s.down ? 'descending' : 'ascending') : 'none'));
    body.replaceChildren(...list.slice(0, most).map((row) => line(columns, row, o)));
    if (list.length > most) body.append(el('tr', {}, el('td', { colSpan: columns.length, class: 'dim' }, `and ${list.length - most} more: export them as CSV`)));
  };
  fill();
  return el('table', { 'aria-label': o.label }, el('thead', {}, el('tr', {}, heads)), body);
}

function compare<T>(c: Column<T>, a: T, b: T): number {
  const [x, y] = c.sort ? [c.sort(a), c.sort(b)] : [c.text(a), c.text(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function line<T>(columns: Column<T>[], row: T, o: TableOptions<T>): HTMLElement {
  const act = (e: MouseEvent | KeyboardEvent) => o.click?.(row, e);
  return el('tr', {
    class: o.mark?.(row) ?? '', tabIndex: o.click ? 0 : undefined, onclick: o.click && act,
    onkeydown: o.click && ((e: KeyboardEvent) => {
      if (e.key !== 'Enter' && e.key !== ' ') return;
      e.preventDefault();
      e.stopPropagation();
      act(e);
    }),
  }, columns.map((c) => {
    const text = c.text(row);
    return el('td', { class: c.right ? 'right' : '', title: c.right || text.length < 24 ? undefined : text }, c.cell?.(row), cut(text));
  }));
}

export function csv<T>(columns: Column<T>[], rows: T[]): string {
  const quote = (s: string) => (/[",\n\r]/.test(s) ? '"' + s.replace(/"/g, '""') + '"' : s);
  const lines = [columns.map((c) => quote(c.head ?? c.title)), ...rows.map((r) => columns.map((c) => quote((c.csv ?? c.text)(r))))];
  return lines.map((l) => l.join(',')).join('\n') + '\n';
}
