// SPDX-License-Identifier: MIT
// names.ts - the tree of names left of a panel; only visible names have
// elements.

import { cut, el } from './el';
import type { Timeline } from './timeline';

const NAME_PX = 9; // height that a name needs, in CSS pixels

export class Names {
  root: HTMLElement;
  dirty = true;
  private last = '';

  constructor(private panel: Timeline) {
    this.root = el('div', { class: 'names', role: 'tree', tabIndex: 0, 'aria-label': 'Rows',
      onwheel: (e: WheelEvent) => {
        if (!e.ctrlKey) return;
        e.preventDefault();
        panel.app.act(e.deltaY < 0 ? 'taller' : 'lower', panel);
      },
    });
  }

  draw(): void {
    const { panel } = this;
    const { app } = panel;
    const focus = app.focus?.panel === panel ? app.focus.hash : '';
    const key = [panel.scrolled, panel.viewHeight, focus, app.hover?.panel === panel ? app.hover.index : ''].join();
    if (!this.dirty && key === this.last) return;
    this.dirty = false;
    this.last = key;
    const out: HTMLElement[] = [];
    const px = (dev: number) => dev / app.dpr + 'px';
    for (const i of panel.visible()) {
      const line = panel.lines[i]!;
      const h = (panel.tops[i + 1]! - panel.tops[i]!) / app.dpr;
      const hover = app.hover?.panel === panel && app.hover.index === i;
      // Names stay readable: of rows that are too low, every second or third has one.
      const every = Math.ceil(NAME_PX / h);
      const left = line.group === null && i % every !== 0 && !hover && line.hash !== focus;
      const text = line.lane > 1 || left ? '' : cut(line.name || '(no name)');
      out.push(
        el('div', {
          class: ['name', line.group !== null && 'group', line.hash === focus && 'focus', hover && 'hover', line.pinned && 'pinned'].filter(Boolean).join(' '),
          role: 'treeitem', id: line.hash === focus ? 'focused' : undefined, 'aria-level': line.depth + 1, 'aria-expanded': line.group !== null ? String(!line.folded) : undefined,
          'aria-selected': String(line.hash === focus), title: line.name + (line.group !== null ? ` (${line.rows} rows)` : ''),
          style: {
            top: px(panel.y(i)), height: px(panel.tops[i + 1]! - panel.tops[i]!), lineHeight: px(panel.inner(i)),
            fontSize: Math.max(8.5, Math.min(12 * app.rem, h * 0.82)) + 'px', paddingLeft: 0.4 + line.depth * 0.7 + 'rem',
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
