// SPDX-License-Identifier: MIT
// details.ts - describes the focused interval. What the page knows is shown at
// once; causes, links and the task follow when the server has answered.

import type { App, Focus } from '../app';
import { ask, causes, others, rowName } from '../around';
import { cut, el, fillWith } from '../el';
import { Around, At, LinkInfo, Refused } from '../net';
import { ranges } from '../rows';
import { ofRows, ValueLine } from '../summary';
import { Column, csv, table } from '../table';
import { exact, grouped, span, toTime } from '../time';
import { events } from './events';

const MOST_TYPES = 8; // whose values of the same time are shown
const MOST_ROWS = 20000; // a class with more rows is not loaded only to show a name

// The tab, but for what the dock knows of each tab: see dock.ts.
export class Details {
  busy = false;
  private last: { columns: Column<LinkInfo>[]; links: LinkInfo[] } | null = null;
  private told = { about: '', more: el('div', {}) }; // the answer about the interval that was drawn last

  constructor(private app: App) {}

  csv(): string | null {
    return this.last && csv(this.last.columns, this.last.links);
  }

  draw(to: HTMLElement, stop: AbortSignal): void {
    const { app } = this;
    const f = app.focus;
    this.last = null;
    this.busy = false;
    if (!f?.at || f.line.row === null) {
      fillWith(to, el('p', { class: 'dim' }, 'Click an interval, or walk to one with the arrow keys and press Enter.'));
      return;
    }
    const { at, panel, line } = f;
    const unit = app.trace.unit;
    const [from, end] = [toTime(at.from), toTime(at.to)];
    const c = at.class === null ? null : app.trace.colour(panel.type, at.class, app.colours, app.theme);
    const begun = Number(at.number) > 0 || Number(at.all) === 0 || at.value !== null;
    const facts: [string, Node | string][] = [
      ['row', `${line.name} (${panel.type.info.class})`],
      [panel.type.info.title, el('span', {}, panel.type.info.kind !== 'number' && el('span', { class: 'chip', style: { background: c ? `rgb(${c.join()})` : 'transparent' } }), begun ? app.labelOf(panel.type, at) : 'nothing recorded yet')],
      ['value', at.value === null ? 'none' : grouped(toTime(at.value))],
      ['from', exact(from, unit)], ['to', exact(end, unit)],
      ['length', `${exact(end - from, unit)} (${span(end - from, unit)})`],
      ['number', app.numberOf(at) + ' of this row'],
    ];
    const stack = at.stack && at.stack.length > 1 && el('div', {}, el('h3', {}, 'stack, innermost last'), el('ol', {}, at.stack.map((s) => el('li', {}, s.label ?? panel.type.name(s.value)))));
    const loss = app.trace.meta.losses.filter((l) => l.row === line.row && toTime(l.from) < end && toTime(l.to) >= from);
    const lost = loss.map((l) => el('p', { class: 'warn' }, `${Number(l.events) || 'An unknown number of'} events of this row were lost from ${exact(toTime(l.from), unit)} to ${exact(toTime(l.to), unit)}.`));
    const buttons = el('div', { class: 'buttons' },
      ...([['previousInterval', '\u2190 previous'], ['nextInterval', 'next \u2192'], ['previousSame', '\u2190 same value'], ['nextSame', 'same value \u2192'], ['fitSelection', 'zoom to it'], ['selectInterval', 'select its time']] as const).map(([act, text]) =>
        el('button', { onclick: () => app.act(act, panel) }, text)));
    // While the trace grows, the last answer stays until the next one comes.
    const about = [panel.type.key, line.hash, at.from, at.value].join();
    if (about !== this.told.about) this.told = { about, more: el('div', { class: 'wide', role: 'status' }, el('p', { class: 'dim' }, 'Asking for causes and links\u2026')) };
    const { more } = this.told;
    fillWith(to, el('div', { class: 'split' },
      el('div', {}, el('dl', { class: 'facts' }, facts.flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)])), buttons, lost), stack, more));
    this.busy = true;
    void this.more(f, at, more, stop);
  }

  // Fills the part that needs an answer of the server. Another click aborts it.
  private async more(f: Focus, at: At, to: HTMLElement, stop: AbortSignal): Promise<void> {
    const { app } = this;
    try {
      await new Promise((r) => setTimeout(r, app.dock.waitMs));
      if (stop.aborted) return;
      const got = await ask(app, f, toTime(at.t), 'links,causes,states,task', undefined, stop);
      await this.loadNames(got);
      const [why, task, then] = await Promise.all([causes(app, f, got, stop), this.task(got, stop), this.meanwhile(f, got, stop).catch((e) => {
        // Causes and links do not depend on the tables.
        if (stop.aborted || (e as Refused).status === 409) throw e;
        return others(app, f, got.states!);
      })]);
      if (stop.aborted) return;
      const links = [...got.links!.in.links, ...got.links!.out.links.filter((l) => l.from_row !== l.to_row)];
      const all = Number(got.links!.in.all) + Number(got.links!.out.all);
      app.picked = links;
      app.touch();
      fillWith(to, task, then.length > 0 && [el('h3', {}, 'at the same time'), el('ul', {}, then.map((s) => el('li', {}, s)))], why,
        links.length > 0 && [el('h3', {}, `links into and out of this interval: ${all > links.length ? `the longest ${links.length} of ${all}` : all}`), this.table(f.line.row!, links)],
        app.trace.unit === 'ns' && f.panel.type.info.class === 'thread' && events(app, f, stop, (is) => (this.busy = is)));
    } catch (e) {
      if (stop.aborted) return;
      // A report has no single intervals.
      fillWith(to, (e as Refused).status !== 404 && el('p', { class: 'warn' }, e instanceof Error ? e.message : String(e)));
    }
    this.busy = false;
  }

  // Says what the row did during the interval in the types that the panel does
  // not show: those of the same model first. Of several values, with their shares
  // of the time, the longest first.
  private async meanwhile(f: Focus, got: Around, stop: AbortSignal): Promise<string[]> {
    const { app } = this;
    const [from, to] = [toTime(got.from), toTime(got.to)];
    const { key, class: cls, type } = f.panel.type.info;
    const model = (k: string) => Number(k.split('.')[0] === key.split('.')[0]);
    const types = app.trace.types.filter((t) => t.isState && t.info.class === cls && t.info.type !== type && Number(t.info.records) > 0).sort((a, b) => model(b.info.key) - model(a.info.key)).slice(0, MOST_TYPES);
    if (to <= from) return others(app, f, got.states!);
    const said = await Promise.all(types.map(async (t) => {
      const lines = await ofRows(app.net, t, { rows: [got.row], from, to }, null, stop, ['time']);
      if (lines.every((l) => l.value === null)) return '';
      const share = (l: ValueLine) => (l.share * 100).toFixed(1);
      lines.sort((a, b) => Number(b.time - a.time));
      while (share(lines[lines.length - 1]!) === '0.0') lines.pop();
      return `${t.info.title}: ` + (share(lines[0]!) === '100.0' ? lines[0]!.label : lines.slice(0, 3).map((l) => `${cut(l.label, 80)} ${share(l)}\u00a0%`).join(', ') + (lines.length > 3 ? `, ${lines.length - 3} more` : ''));
    }));
    return said.filter((s) => s !== '');
  }

  // Links may go to rows of a class that no panel shows.
  private async loadNames(got: Around): Promise<void> {
    const { trace } = this.app;
    const rows = [...got.links!.in.links, ...got.links!.out.links].flatMap((l) => [l.from_row, l.to_row]);
    if (rows.every((r) => trace.rowNames.has(r))) return;
    await Promise.all(trace.meta.classes.filter((c) => c.rows <= MOST_ROWS).map((c) => trace.loadRows(c.class)));
  }

  // The task that the row had at the time that was clicked, and buttons for its other executions.
  private async task(got: Around, stop: AbortSignal): Promise<HTMLElement | null> {
    const { app } = this;
    const task = got.task;
    const type = task && app.trace.byNumber(task.type);
    if (!task || !type) return null;
    const model = type.info.key.replace(/\..*/, '.');
    const about = app.trace.types.filter((t) => t.info.class === type.info.class && t.info.key.startsWith(model) && /type$|label$/.test(t.info.key)).slice(0, 2);
    const texts = await Promise.all(about.map(async (t) => {
      const is = await app.net.json<At>('at', { type: t.info.type, row: got.row, t: got.t }, stop);
      return is.value === null ? null : `${t.info.title}: ${is.label ?? is.value}`;
    }));
    const step = async (dir: 'next' | 'prev'): Promise<void> => {
      const rows = ranges((await app.trace.loadRows(type.info.class)).rows.map((r) => r.row));
      const to = await app.net.json<{ found: boolean; row: number; from: number | string }>('step', { type: task.type, rows, t: toTime(task.from), dir, value: String(task.value) }, stop);
      if (to.found) await app.go.to(null, to.row, toTime(to.from));
      else app.say(where.textContent = dir === 'next' ? 'This is its last execution.' : 'This is its first execution.');
    };
    const where = el('span', { class: 'dim' });
    const button = (dir: 'next' | 'prev', text: string) => el('button', { onclick: () => void step(dir).catch((e) => stop.aborted || app.bar.say(String(e))) }, text);
    return el('div', { class: 'task' }, el('h3', {}, `task ${task.label ?? task.value}`), el('p', {}, cut(texts.filter(Boolean).join('; '), 300)),
      el('div', { class: 'buttons' }, button('prev', '\u2190 execution before'), button('next', 'execution after \u2192'), where));
  }

  private table(row: number, links: LinkInfo[]): HTMLElement {
    const { app } = this;
    const unit = app.trace.unit;
    const row_ = (r: number, t: LinkInfo['from']) => el('button', { title: `Go to ${rowName(app, r)} at ${exact(toTime(t), unit)}`, onclick: (e: Event) => {
      e.stopPropagation();
      void app.go.to(null, r, toTime(t));
    } }, rowName(app, r));
    const columns: Column<LinkInfo>[] = [
      { title: 'from', text: () => '', sort: (l) => rowName(app, l.from_row), csv: (l) => rowName(app, l.from_row), cell: (l) => row_(l.from_row, l.from) },
      { title: 'to', text: () => '', sort: (l) => rowName(app, l.to_row), csv: (l) => rowName(app, l.to_row), cell: (l) => row_(l.to_row, l.to) },
      { title: 'what', text: (l) => app.trace.meta.link_kinds.find((k) => String(k.kind) === String(l.kind))?.name ?? `kind ${l.kind}` },
      { title: 'leaves', right: true, text: (l) => exact(toTime(l.from), unit), sort: (l) => toTime(l.from), csv: (l) => String(l.from) },
      { title: 'takes', right: true, text: (l) => span(toTime(l.to) - toTime(l.from), unit), sort: (l) => toTime(l.to) - toTime(l.from), csv: (l) => String(toTime(l.to) - toTime(l.from)) },
      { title: 'id', right: true, text: (l) => String(l.id) },
      ...(links.every((l) => !Number(l.bytes)) ? [] : [{ title: 'bytes', right: true, text: (l: LinkInfo) => (Number(l.bytes) ? grouped(toTime(l.bytes)) : ''), sort: (l: LinkInfo) => toTime(l.bytes) }]),
    ];
    this.last = { columns, links };
    return table(columns, links, {
      label: 'Links',
      click: (l) => void (l.from_row === row ? app.go.to(null, l.to_row, toTime(l.to)) : app.go.to(null, l.from_row, toTime(l.from))),
    });
  }
}
