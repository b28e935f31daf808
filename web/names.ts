// SPDX-License-Identifier: MIT
// names.ts - the tree of names left of a panel; only visible names have
// elements.

import { cut, el, whole } from './el';
import { alikeUpTo, Line } from './rows';
import { counted } from './time';
import type { Timeline } from './timeline';

const NAME_PX = 9; // height that a name needs, in CSS pixels
const LETTER = 0.56; // mean width of a letter, relative to the height of the text
const LEAST_CUT = 4; // letters
const LEAST_KEPT = 8; // letters of a name that others begin with

// Returns how many letters all names begin with that none of them needs: equal
// names need all, a name that the others begin with keeps its end, and numbers
// stay whole.
export function spare(names: string[]): number {
  const n = alikeUpTo(names);
  const shortest = names.reduce((a, b) => Math.min(a, b.length), Infinity);
  const most = names.every((name) => name.length === n) ? 0 : shortest > n ? n : n - LEAST_KEPT;
  let at = most > 0 ? whole(names[0]!, most) : 0;
  while (at > 0 && names.some((name) => /^\d\d$/.test(name.slice(at - 1, at + 1)))) at--;
  return at;
}

export class Names {
  root: HTMLElement;
  dirty = true;
  private last = '';
  private alike: { lines: Line[]; n: number; longest: number } = { lines: [], n: 0, longest: 0 };

  constructor(private panel: Timeline) {
    this.root = el('div', { class: 'names', role: 'tree', tabIndex: 0, 'aria-label': 'Rows',
      onwheel: (e: WheelEvent) => {
        if (!e.ctrlKey) return;
        e.preventDefault();
        panel.app.act(e.deltaY < 0 ? 'taller' : 'lower', panel);
      },
    });
  }

  private size(height: number): number {
    return Math.max(NAME_PX - 0.5, Math.min(12 * this.panel.app.rem, height * 0.82));
  }

  // Returns the lines that have a name. All have one if there is room; of rows
  // that are too low, those whose names cover no other name; lines that are
  // `first` always have one.
  private readable(shown: number[], isFirst: (i: number) => boolean): Set<number> {
    const { panel } = this;
    const { dpr } = panel.app;
    const out = new Set<number>();
    const taken: [number, number][] = [];
    for (const first of [true, false])
      for (const i of shown) {
        if (panel.lines[i]!.lane > 1 || isFirst(i) !== first) continue;
        const high = (panel.tops[i + 1]! - panel.tops[i]!) / dpr;
        const middle = (panel.y(i) + panel.inner(i) / 2) / dpr;
        const half = this.size(high) / 2;
        if (!first && high < NAME_PX && taken.some(([from, to]) => middle - half < to && middle + half > from)) continue;
        out.add(i);
        taken.push([middle - half, middle + half]);
      }
    return out;
  }

  // Returns how many letters all names of rows lose at their beginning because
  // they have no room: otherwise what differs would be cut off.
  private lost(): number {
    const { app, lines } = this.panel;
    if (this.alike.lines !== lines) {
      const names = lines.filter((l) => l.group === null && l.lane < 2).map((l) => l.short);
      this.alike = { lines, n: spare(names), longest: Math.max(0, ...names.slice(0, 1000).map((n) => n.length)) };
    }
    const { n, longest } = this.alike;
    return n >= LEAST_CUT && longest * 12 * app.rem * LETTER > app.namesWidth - 32 * app.rem ? n : 0;
  }

  draw(): void {
    const { panel } = this;
    const { app } = panel;
    const focus = app.focus?.panel === panel ? app.focus.hash : '';
    const under = app.hover?.panel === panel ? app.hover.index : -1;
    const key = [panel.scrolled, panel.viewHeight, focus, under].join();
    if (!this.dirty && key === this.last) return;
    this.dirty = false;
    this.last = key;
    const out: HTMLElement[] = [];
    const px = (dev: number) => dev / app.dpr + 'px';
    const shown = [...panel.visible()];
    const readable = this.readable(shown, (i) => panel.lines[i]!.group !== null || panel.lines[i]!.hash === focus || i === under);
    const lost = this.lost();
    for (const i of shown) {
      const line = panel.lines[i]!;
      const name = lost && line.group === null ? '\u2026' + line.short.slice(lost) : line.short;
      const h = (panel.tops[i + 1]! - panel.tops[i]!) / app.dpr;
      const text = readable.has(i) ? cut(name || '(no name)') : '';
      out.push(
        el('div', {
          class: ['name', line.group !== null && 'group', line.hash === focus && 'focus', i === under && 'hover', line.pinned && 'pinned'].filter(Boolean).join(' '),
          role: 'treeitem', id: line.hash === focus ? 'focused' : undefined, 'aria-level': line.depth + 1, 'aria-expanded': line.group !== null ? String(!line.folded) : undefined,
          'aria-selected': String(line.hash === focus), title: line.name + (line.group !== null ? ` (${counted(line.rows, 'row')})` : ''),
          style: {
            top: px(panel.y(i)), height: px(panel.tops[i + 1]! - panel.tops[i]!), lineHeight: px(panel.inner(i)),
            fontSize: this.size(h) + 'px', paddingLeft: 0.4 + line.depth * 0.7 + 'rem',
          },
          onclick: () => (line.group !== null ? app.fold(panel, line) : app.go.row(panel, line)),
          oncontextmenu: (e: MouseEvent) => {
            e.preventDefault();
            app.rowMenu(panel, line, e.clientX, e.clientY);
          },
        },
        line.group !== null && el('span', { class: 'twist', 'aria-hidden': 'true' }, line.folded ? '\u25b8' : '\u25be'),
        line.pinned && el('span', { class: 'pin', 'aria-hidden': 'true' }, '\u2022'),
        el('span', { class: 'text' }, text),
        line.group !== null && el('span', { class: 'count' }, line.rows)),
      );
    }
    this.root.replaceChildren(...out);
    if (focus) this.root.setAttribute('aria-activedescendant', 'focused');
    else this.root.removeAttribute('aria-activedescendant');
  }
}
