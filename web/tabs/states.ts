// SPDX-License-Identifier: MIT
// states.ts - time by value in the selection or in the window, as `weft stat`
// prints it. A click on a line highlights its value.

import type { App } from '../app';
import type { Change, Tab } from '../dock';
import { el, fillWith } from '../el';
import { chip } from '../legend';
import { MOST_CELLS, ofScope, ValueLine } from '../summary';
import { Column, csv, table } from '../table';
import { counted, grouped, span } from '../time';
import type { Timeline } from '../timeline';
import { NONE } from '../tile';

const TIMES = 'how often the state was entered, as weft stat counts it: a return from a nested state does not count';
const INTERVALS = 'how often the state was shown without a break: a nested state divides an interval in two';

const BY = ['thread', 'cpu']; // classes of rows that weft stat keeps apart

export class States implements Tab {
  id = 'states';
  title = 'States';
  on: Change[] = ['window', 'select', 'hot', 'colours', 'panels', 'focus'];
  private byRow = false;
  private last: { columns: Column<ValueLine>[]; lines: ValueLine[] } | null = null;

  constructor(private app: App) {}

  csv(): string | null {
    return this.last && csv(this.last.columns, this.last.lines);
  }

  // Returns the scope of the table: as parameters of stat, and in words.
  scope(panel: Timeline): { from: bigint; to: bigint; rows: number[] | null; words: string } {
    const { app } = this;
    const s = app.state.select;
    const members = app.selectedRows(panel);
    const [from, to] = s && s.to > s.from ? [s.from, s.to] : [app.from, app.to];
    const words = (s ? 'Selection of ' : 'Window of ') + span(to - from, app.trace.unit) + ' from ' + span(from, app.trace.unit) + (members ? `, ${counted(members.length, 'row')}` : ', all rows');
    return { from, to, rows: members, words };
  }

  // Returns the command that prints the same table, if there is one.
  command(panel: Timeline): string | null {
    const { app } = this;
    if (panel.type.info.index_only) return null;
    const { from, to } = this.scope(panel);
    const cls = panel.type.info.class;
    const time = (t: bigint) => (app.trace.unit === 'ns' ? String(t) : `${t}ps`);
    // The options of weft view come first: of two windows the later one counts.
    const words = ['weft stat', app.trace.meta.arguments ?? app.trace.address, '--type', (cls === 'thread' ? '' : cls + ':') + panel.type.info.key];
    if (from > 0n || to < app.trace.end) words.push('--from', time(from), '--to', time(to));
    if (this.byRow && BY.includes(cls)) words.push('--by', cls);
    return words.join(' ');
  }

  // Returns how the command's table differs from this one, in sentences.
  differs(panel: Timeline): string {
    const cls = panel.type.info.class;
    return (this.scope(panel).rows ? ' The command is for all rows: the selected ones are not chosen.' : '') +
      (this.byRow && !BY.includes(cls) ? ` It adds up the rows: weft stat has no table by ${cls}.` : '');
  }

  async draw(to: HTMLElement, stop: AbortSignal): Promise<void> {
    const { app } = this;
    const panel = app.panel;
    if (!panel) return;
    if (panel.type.info.index_only) {
      this.last = null;
      fillWith(to, el('p', { class: 'dim' }, `There is no table of ${panel.type.info.title}: point at the timeline for its values.`));
      return;
    }
    const scope = this.scope(panel);
    if (scope.to <= scope.from) {
      fillWith(to, el('p', { class: 'dim' }, app.trace.end === 0n ? 'The whole trace is at one time: no state lasts.' : 'The selection is empty: select a time.'));
      return;
    }
    if (scope.rows && scope.rows.length > MOST_CELLS) {
      fillWith(to, el('p', { class: 'dim' }, `${scope.rows.length} rows are selected: the table takes at most ${MOST_CELLS} rows, or all of them.`));
      return;
    }
    const lines = await ofScope(app.net, panel.type, scope, panel.tree?.partial ? [] : (panel.tree?.rows ?? []), this.byRow, stop);
    const columns = this.columns(panel, lines);
    this.last = { columns, lines };
    const hot = app.hot.of(panel.type);
    const head = el('div', { class: 'caption' }, el('b', {}, panel.type.info.title), el('span', {}, scope.words), el('span', { class: 'grow' }),
      panel.type.isState && hot.length > 0 && el('button', { onclick: () => app.hot.set(panel.type, []) }, 'Highlight nothing'),
      el('label', {}, el('input', { type: 'checkbox', checked: this.byRow, onchange: () => {
        this.byRow = !this.byRow;
        app.dock.changed('all');
      } }), ' by row'));
    if (lines.length === 0) {
      fillWith(to, head, el('p', { class: 'dim' }, `No values of ${panel.type.info.title} in this time.`));
      return;
    }
    const unknown = panel.type.info.kind !== 'point' && lines.some((l) => l.cls === NONE && l.times === null);
    fillWith(to, head, unknown && el('p', { class: 'dim' }, `"${panel.type.name(null)}" includes the time before a row began and after its end.`), table(columns, lines, {
      label: 'States',
      mark: (l) => (hot.includes(l.cls) ? 'hot' : ''),
      click: panel.type.isState ? (l, e) => {
        app.dock.durations.value = l.value;
        if (e.altKey) app.hot.set(panel.type, [l.cls]);
        else if (l.cls !== NONE) app.hot.toggle(panel.type, l.cls);
      } : undefined,
    }));
  }

  private columns(panel: Timeline, lines: ValueLine[]): Column<ValueLine>[] {
    const { app } = this;
    const unit = app.trace.unit;
    const out: Column<ValueLine>[] = [{ title: 'value', text: (l) => l.label, cell: (l) => chip(app, panel.type, l.cls) }];
    // Punctual events last no time.
    if (panel.type.info.kind !== 'point') out.push(
      { title: 'time', head: 'time_' + unit, right: true, text: (l) => span(l.time, unit), sort: (l) => l.time, csv: (l) => l.time.toString() },
      { title: 'share', head: 'share_percent', right: true, text: (l) => (l.share * 100).toFixed(2) + '\u00a0%', sort: (l) => l.share, csv: (l) => (l.share * 100).toFixed(4),
        cell: (l) => el('span', { class: 'meter', 'aria-hidden': 'true' }, el('span', { style: { width: Math.round(l.share * 1000) / 10 + '%' } })) });
    // Numbers that are not known have no column.
    if (lines.some((l) => l.times !== null))
      out.push({ title: 'times', tip: TIMES, right: true, text: (l) => grouped(l.times ?? 0), sort: (l) => l.times ?? 0, csv: (l) => String(l.times ?? '') });
    if (panel.type.info.kind !== 'point' && lines.some((l) => l.intervals !== null)) {
      out.push({ title: 'intervals', tip: INTERVALS, right: true, text: (l) => (l.intervals === null ? '' : grouped(l.intervals)), sort: (l) => l.intervals ?? -1, csv: (l) => String(l.intervals ?? '') });
      for (const [of, title] of [['mean', 'mean'], ['min', 'shortest'], ['max', 'longest']] as const)
        out.push({ title, tip: 'of the lengths of the intervals', head: `${title}_${unit}`, right: true, text: (l) => (l[of] === null ? '' : span(l[of], unit)), sort: (l) => l[of] ?? -1n, csv: (l) => String(l[of] ?? '') });
    }
    if (this.byRow) out.unshift({ title: panel.type.info.class, text: (l) => l.row });
    return out;
  }
}
