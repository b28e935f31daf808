// SPDX-License-Identifier: MIT
// details.ts - describes the focused interval: row, value, length, stack, and
// links into and out of it.

import type { App } from '../app';
import type { Change, Tab } from '../dock';
import { el, fillWith } from '../el';
import { LinkInfo } from '../net';
import { ranges } from '../rows';
import { Column, csv, table } from '../table';
import { exact, grouped, span, toTime } from '../time';

export class Details implements Tab {
  id = 'details';
  title = 'Details';
  on: Change[] = ['focus', 'colours'];
  private last: { columns: Column<LinkInfo>[]; links: LinkInfo[] } | null = null;

  constructor(private app: App) {}

  csv(): string | null {
    return this.last && csv(this.last.columns, this.last.links);
  }

  async draw(to: HTMLElement, stop: AbortSignal): Promise<void> {
    const { app } = this;
    const f = app.focus;
    this.last = null;
    if (!f?.at) {
      fillWith(to, el('p', { class: 'dim' }, 'Click an interval, or walk to one with the arrow keys and press Enter.'));
      return;
    }
    const { at, panel, line } = f;
    const unit = app.trace.unit;
    const [from, end] = [toTime(at.from), toTime(at.to)];
    const c = at.class === null ? null : app.trace.colour(panel.type, at.class, app.colours, app.theme);
    const facts: [string, Node | string][] = [
      ['row', `${line.name} (${panel.type.info.class})`],
      [panel.type.info.title, el('span', {}, panel.type.info.kind !== 'number' && el('span', { class: 'chip', style: { background: c ? `rgb(${c.join()})` : 'transparent' } }), app.labelOf(panel.type, at))],
      ['value', at.value === null ? 'none' : grouped(toTime(at.value))],
      ['from', exact(from, unit)], ['to', exact(end, unit)],
      ['length', `${exact(end - from, unit)} (${span(end - from, unit)})`],
      ['number', `${grouped(Number(at.number))} of ${grouped(Number(at.all))} of this row`],
    ];
    const stack = at.stack && at.stack.length > 0 && el('div', {}, el('h3', {}, 'stack, innermost last'), el('ol', {}, at.stack.map((s) => el('li', {}, s.label ?? panel.type.name(s.value)))));
    const loss = app.trace.meta.losses.filter((l) => l.row === line.row && toTime(l.from) < end && toTime(l.to) >= from);
    const lost = loss.map((l) => el('p', { class: 'warn' }, `${Number(l.events) || 'An unknown number of'} events of this row were lost from ${exact(toTime(l.from), unit)} to ${exact(toTime(l.to), unit)}.`));
    const buttons = el('div', { class: 'buttons' },
      ...([['previousInterval', '\u2190 previous'], ['nextInterval', 'next \u2192'], ['previousSame', '\u2190 same value'], ['nextSame', 'same value \u2192'], ['fitSelection', 'zoom to it'], ['selectInterval', 'select its time']] as const).map(([act, text]) =>
        el('button', { type: 'button', onclick: () => app.act(act, panel) }, text)));
    const column = [el('dl', { class: 'facts' }, facts.flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)])), buttons];
    const links = await this.links(line.row, from, end, stop);
    app.picked = links;
    app.touch();
    fillWith(to, el('div', { class: 'split' }, el('div', {}, column, lost), stack, links.length > 0 && el('div', { class: 'wide' }, el('h3', {}, `links into and out of this interval: ${links.length}`), this.table(line.row!, links))));
  }

  private async links(row: number | null, from: bigint, to: bigint, stop: AbortSignal): Promise<LinkInfo[]> {
    if (row === null || Number(this.app.trace.meta.links) === 0) return [];
    const { links } = await this.app.net.json<{ links: LinkInfo[] }>('links', { rows: this.others(row), n: 2000, from, to: to > from ? to : from + 1n }, stop);
    const within = (t: bigint) => t >= from && t <= to;
    return links.filter((l) => (l.from_row === row && within(toTime(l.from))) || (l.to_row === row && within(toTime(l.to))));
  }

  // The server returns only links with both ends in the requested rows, so the
  // page asks for all rows of the class.
  private others(row: number): string {
    const of = this.app.trace.rowClass.get(row) ?? '';
    return ranges(this.app.trace.tree(of)?.rows.map((r) => r.row) ?? [row]);
  }

  private table(row: number, links: LinkInfo[]): HTMLElement {
    const { app } = this;
    const unit = app.trace.unit;
    const name = (r: number) => app.trace.rowNames.get(r) ?? `row ${r}`;
    const columns: Column<LinkInfo>[] = [
      { title: 'way', text: (l) => (l.from_row === row ? (l.to_row === row ? 'within' : 'to') : 'from') },
      { title: 'row', text: (l) => name(l.from_row === row ? l.to_row : l.from_row) },
      { title: 'what', text: (l) => app.trace.meta.link_kinds.find((k) => String(k.kind) === String(l.kind))?.name ?? `kind ${l.kind}` },
      { title: 'leaves', right: true, text: (l) => exact(toTime(l.from), unit), sort: (l) => toTime(l.from), csv: (l) => String(l.from) },
      { title: 'takes', right: true, text: (l) => span(toTime(l.to) - toTime(l.from), unit), sort: (l) => toTime(l.to) - toTime(l.from), csv: (l) => String(toTime(l.to) - toTime(l.from)) },
      { title: 'id', right: true, text: (l) => String(l.id) },
      { title: 'bytes', right: true, text: (l) => (Number(l.bytes) ? grouped(toTime(l.bytes)) : ''), sort: (l) => toTime(l.bytes) },
    ];
    this.last = { columns, links };
    return table(columns, links, {
      label: 'Links',
      click: (l) => void (l.from_row === row ? app.goTo(null, l.to_row, toTime(l.to)) : app.goTo(null, l.from_row, toTime(l.from))),
    });
  }
}
