// SPDX-License-Identifier: MIT
// durations.ts - a histogram of the lengths of the intervals of one value, and
// its numbers.

import type { App } from '../app';
import type { Change, Tab } from '../dock';
import { cut, el, fillWith } from '../el';
import { Durations, Num } from '../net';
import { ranges } from '../rows';
import { Column, csv, table } from '../table';
import { exact, grouped, span, toTime } from '../time';

interface Bin {
  from: bigint;
  to: bigint;
  count: number;
  sum: bigint;
}

export class DurationsTab implements Tab {
  id = 'durations';
  title = 'Durations';
  on: Change[] = ['window', 'select', 'colours', 'panels', 'focus', 'hot'];
  value: Num | null | undefined;
  private whole = false;
  private last: { columns: Column<Bin>[]; bins: Bin[] } | null = null;

  constructor(private app: App) {}

  csv(): string | null {
    return this.last && csv(this.last.columns, this.last.bins);
  }

  async draw(to: HTMLElement, stop: AbortSignal): Promise<void> {
    const { app } = this;
    const panel = app.panel;
    if (!panel) return;
    if (!panel.type.isState) {
      fillWith(to, el('p', { class: 'dim' }, `${panel.type.info.title} has numbers or names, not states: its intervals are not grouped by length.`));
      return;
    }
    const known = panel.type.labels.filter((l) => l.class !== null);
    const focused = app.focus?.panel === panel ? app.focus.at?.value : undefined;
    if (this.value === undefined || (this.value !== null && !panel.type.byValue.has(String(this.value)))) this.value = focused ?? known[0]?.value ?? null;
    const scope = app.dock.states.scope(panel);
    const choose = el('select', { 'aria-label': 'Value', onchange: () => {
      this.value = choose.value === 'none' ? null : choose.value;
      app.dock.changed('all');
    } }, [...known, ...(known.some((l) => l.value === null) ? [] : [{ value: null, text: panel.type.info.none ?? 'nothing' }])].map((l) =>
      el('option', { value: l.value === null ? 'none' : String(l.value), selected: String(l.value) === String(this.value) }, cut(l.text ?? String(l.value), 80))));
    const head = el('div', { class: 'caption' }, choose, el('span', {}, scope.words), el('span', { class: 'grow' }),
      el('label', {}, el('input', { type: 'checkbox', checked: this.whole, onchange: () => {
        this.whole = !this.whole;
        app.dock.changed('all');
      } }), ' whole intervals that begin in it'));
    const d = await app.net.json<Durations>('durations', {
      type: panel.type.info.type, value: this.value === null ? 'none' : String(this.value), rows: scope.rows ? ranges(scope.rows) : undefined, from: scope.from, to: scope.to, whole: this.whole ? 1 : undefined,
    }, stop);
    const bins = d.bins.map((b) => ({ from: toTime(b.from), to: toTime(b.to), count: Number(b.count), sum: toTime(b.sum) }));
    const columns = this.columns();
    this.last = { columns, bins };
    if (bins.length === 0) {
      fillWith(to, head, el('p', { class: 'dim' }, 'No interval of this value here.'));
      return;
    }
    const unit = app.trace.unit;
    const facts: [string, string][] = [['intervals', grouped(Number(d.count))], ['time', span(toTime(d.sum), unit)], ['shortest', exact(toTime(d.min), unit)], ['half are up to', span(toTime(d.p50), unit)],
      ['mean', span(toTime(d.mean), unit)], ['90 % up to', span(toTime(d.p90), unit)], ['99 % up to', span(toTime(d.p99), unit)], ['longest', exact(toTime(d.max), unit)]];
    fillWith(to, head, el('div', { class: 'split' },
      el('dl', { class: 'facts' }, facts.flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)])),
      this.histogram(bins), table(columns, bins, { label: 'Durations' })));
  }

  private columns(): Column<Bin>[] {
    const unit = this.app.trace.unit;
    return [
      { title: 'from', right: true, text: (b) => span(b.from, unit), sort: (b) => b.from, csv: (b) => b.from.toString() },
      { title: 'to', right: true, text: (b) => span(b.to, unit), sort: (b) => b.to, csv: (b) => b.to.toString() },
      { title: 'number', right: true, text: (b) => grouped(b.count), sort: (b) => b.count, csv: (b) => String(b.count) },
      { title: 'time', right: true, text: (b) => span(b.sum, unit), sort: (b) => b.sum, csv: (b) => b.sum.toString() },
    ];
  }

  // Draws the number of intervals by length; empty bins keep their space.
  private histogram(bins: Bin[]): HTMLElement {
    const { app } = this;
    const [w, h, dpr] = [440, 170, app.dpr];
    const c = el('canvas', { width: w * dpr, height: h * dpr, role: 'img', 'aria-label': 'Number of intervals by length; the table has the numbers', style: { width: w + 'px', height: h + 'px' } });
    const ctx = c.getContext('2d')!;
    ctx.scale(dpr, dpr);
    ctx.font = '11px system-ui, sans-serif';
    const at = (t: bigint) => Math.max(0, Math.log2(Math.max(1, Number(t))));
    const first = at(bins[0]!.from);
    const last = Math.max(first + 1, at(bins[bins.length - 1]!.to));
    const most = Math.max(...bins.map((b) => b.count));
    const x = (t: bigint) => 34 + ((at(t) - first) / (last - first)) * (w - 44);
    const cls = this.value === null || this.value === undefined ? null : app.panel.type.byValue.get(String(this.value))?.class;
    const colour = cls === null || cls === undefined ? null : app.trace.colour(app.panel.type, cls, app.colours, app.theme);
    ctx.fillStyle = app.css('--dim');
    ctx.textAlign = 'right';
    for (const n of [0, most / 2, most]) {
      const y = 12 + (h - 32) * (1 - n / most);
      ctx.fillRect(34, y, w - 44, 0.5);
      if (Number.isInteger(n)) ctx.fillText(String(n), 30, y + 4);
    }
    let written = -100;
    for (const b of bins) {
      const [a, z] = [x(b.from), x(b.to)];
      const top = 12 + (h - 32) * (1 - b.count / most);
      ctx.fillStyle = colour ? `rgb(${colour.join()})` : app.css('--accent');
      ctx.fillRect(a + 0.5, top, Math.max(1, z - a - 1), h - 20 - top);
      ctx.fillStyle = app.css('--ink');
      ctx.textAlign = 'left';
      const text = span(b.from, app.trace.unit);
      if (a > written + 8 && a + ctx.measureText(text).width < w) {
        ctx.fillText(text, a, h - 6);
        written = a + ctx.measureText(text).width;
      }
    }
    return c;
  }
}
