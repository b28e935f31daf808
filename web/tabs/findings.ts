// SPDX-License-Identifier: MIT
// findings.ts - what the reader found wrong, odd or inferred, and lost events.

import type { App } from '../app';
import { el, fillWith } from '../el';
import { Finding } from '../net';
import { Column, csv, table } from '../table';
import { exact, toTime } from '../time';

export class Findings {
  constructor(private app: App) {}

  private columns(): Column<Finding>[] {
    const { app } = this;
    const order = { error: 0, warning: 1, note: 2 };
    return [
      { title: 'severity', text: (f) => f.severity, sort: (f) => order[f.severity], cell: (f) => el('span', { class: 'dot ' + f.severity, 'aria-hidden': 'true' }) },
      { title: 'time', right: true, text: (f) => (f.time === null ? '' : exact(toTime(f.time), app.trace.unit)), sort: (f) => (f.time === null ? -1n : toTime(f.time)), csv: (f) => String(f.time ?? '') },
      { title: 'row', text: (f) => (f.row === null ? '' : (app.trace.rowNames.get(f.row) ?? `row ${f.row}`)) },
      { title: 'what', text: (f) => f.text },
    ];
  }

  csv(): string | null {
    return csv(this.columns(), this.list());
  }

  // Lost events are listed with the findings, because both show where the trace
  // is not reliable.
  private list(): Finding[] {
    const { app } = this;
    const lost = app.trace.meta.losses.map((l): Finding => ({
      severity: 'warning', time: l.from, row: l.row,
      text: `${Number(l.events) || 'an unknown number of'} events were lost from here to ${exact(toTime(l.to), app.trace.unit)}: this part is hatched`,
    }));
    return [...lost, ...app.findings];
  }

  draw(to: HTMLElement): void {
    const { app } = this;
    const list = this.list();
    const more = Number(app.trace.meta.findings) - app.findings.length;
    if (list.length === 0) {
      fillWith(to, el('p', { class: 'dim' }, 'Nothing is wrong with this trace.'));
      return;
    }
    fillWith(to, table(this.columns(), list, { label: 'Findings', click: (f) => void app.go.to(null, f.row, f.time === null ? null : toTime(f.time)) }),
      more > 0 && el('p', { class: 'dim' }, `and ${more} more: weft check prints them all`));
  }
}
