// SPDX-License-Identifier: MIT
// marks.ts - the times that the user marked and named. They are part of the
// address.

import type { App } from '../app';
import { el, fillWith } from '../el';
import { exact, span } from '../time';

export class Marks {
  constructor(private app: App) {}

  csv(): string {
    return 'time,name\n' + this.app.state.marks.map((m) => `${m.time},"${m.name.replace(/"/g, '""')}"\n`).join('');
  }

  draw(to: HTMLElement): void {
    const { app } = this;
    const marks = app.state.marks;
    if (marks.length === 0) {
      fillWith(to, el('p', { class: 'dim' }, 'Press M to mark the time under the pointer; , and . go from mark to mark.'));
      return;
    }
    const unit = app.trace.unit;
    const line = (i: number) => {
      const m = marks[i]!;
      const before = marks[i - 1];
      return el('tr', {},
        el('td', {}, el('input', { type: 'text', value: m.name, maxLength: 60, 'aria-label': `Name of mark ${i + 1}`, oninput: (e: Event) => {
          m.name = (e.target as HTMLInputElement).value;
          app.save();
        } })),
        el('td', { class: 'right' }, exact(m.time, unit)),
        el('td', { class: 'right' }, before ? '+' + span(m.time - before.time, unit) : ''),
        el('td', {}, el('button', { onclick: () => app.reveal(m.time) }, 'show'), ' ',
          el('button', { onclick: () => {
            app.state.marks = marks.filter((x) => x !== m);
            app.dock.changed('all');
            app.save();
            app.touch();
          } }, 'remove')));
    };
    fillWith(to, el('table', { 'aria-label': 'Marks' }, el('thead', {}, el('tr', {}, ['name', 'time', 'since the one before', ''].map((t) => el('th', { scope: 'col' }, t)))),
      el('tbody', {}, marks.map((_, i) => line(i)))),
    el('p', { class: 'dim' }, 'Marks are part of the address of this view.'));
  }
}
