// SPDX-License-Identifier: MIT
// durations.ts - a histogram of the lengths of the intervals of one value, and
// its numbers. A drag over the histogram, or a line of its table, selects a range
// of lengths: the page steps through the intervals that are as long as that.

import type { App } from '../app';
import type { Change, Tab } from '../dock';
import { cut, el, fillWith } from '../el';
import { Durations, Num, Params } from '../net';
import { hint } from '../keys';
import { ranges } from '../rows';
import { Column, csv, table } from '../table';
import { grouped, span, toTime } from '../time';
import type { Timeline } from '../timeline';

const WIDE = 440;
const HIGH = 140;
const LEFT = 34; // left edge of the first bar, in pixels
const RIGHT = 10;

interface Scope {
  from: bigint;
  to: bigint;
  rows: number[] | null;
  words: string;
}

interface Range {
  from: bigint;
  to: bigint;
  is?: 'min' | 'max'; // of a single length: the shortest or the longest when it was chosen
}

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
  private range: Range | null = null; // lengths to list, if limited
  private got: { key: string; d: Durations } | null = null;
  private of = ''; // type and value of the range
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
    if (this.value === undefined || (this.value !== null && !panel.type.byValue.has(String(this.value)))) {
      // At first the value that takes most time.
      await app.trace.loadRank(panel.type);
      this.value = focused ?? (known.find((l) => panel.type.rank.get(String(l.value)) === 0) ?? known[0])?.value ?? null;
    }
    const scope = app.dock.states.scope(panel);
    this.scope = scope;
    this.panel = panel;
    const choose = el('select', { 'aria-label': 'Value', onchange: () => {
      this.value = choose.value === 'none' ? null : choose.value;
      app.dock.changed('all');
    } }, [...known, ...(known.some((l) => l.value === null) ? [] : [{ value: null, text: panel.type.info.none ?? 'nothing' }])].map((l) =>
      el('option', { value: l.value === null ? 'none' : String(l.value), selected: String(l.value) === String(this.value) }, cut(l.text ?? String(l.value), 80))));
    const head = el('div', { class: 'caption' }, choose, el('span', {}, scope.words), el('span', { class: 'grow' }),
      el('label', {}, el('input', { type: 'checkbox', checked: this.whole, onchange: () => {
        this.whole = !this.whole;
        this.range = null;
        app.dock.changed('all');
      } }), ' whole intervals that begin in it'));
    const of = panel.type.key + ' ' + this.value;
    if (of !== this.of) this.range = null;
    this.of = of;
    const asked = {
      type: panel.type.info.type, value: this.value === null ? 'none' : String(this.value), rows: scope.rows ? ranges(scope.rows) : undefined, from: scope.from, to: scope.to, whole: this.whole ? 1 : undefined,
    };
    // A step of the focus does not change the answer.
    const key = app.net.url('durations', asked);
    if (this.got?.key !== key) this.got = { key, d: await app.net.json<Durations>('durations', asked, stop) };
    const { d } = this.got;
    const bins = d.bins.map((b) => ({ from: toTime(b.from), to: toTime(b.to), count: Number(b.count), sum: toTime(b.sum) }));
    const columns = this.columns();
    this.last = { columns, bins };
    if (bins.length === 0) {
      fillWith(to, head, el('p', { class: 'dim' }, 'No interval of this value here.'));
      return;
    }
    const unit = app.trace.unit;
    const length = (which: 'min' | 'mean' | 'max' | 'p50' | 'p90' | 'p99') => span(toTime(d[which]!), unit);
    const goes = (which: 'min' | 'max', name: string) => (app.net.hasIntervals ? el('button', { title: `Go to the ${name} interval`, onclick: () => void this.goTo(which, asked) }, length(which)) : length(which));
    const facts: [string, string | Node][] = [['intervals', grouped(Number(d.count))], ['time', span(toTime(d.sum), unit)], ['shortest', goes('min', 'shortest')], ['half are up to', length('p50')],
      ['mean', length('mean')], ['90 % up to', length('p90')], ['99 % up to', length('p99')], ['longest', goes('max', 'longest')]];
    const chosen = el('div', { class: 'chosen', role: 'status' });
    const picture = el('div', {});
    const lines = el('div', {});
    const show = (): void => {
      fillWith(chosen, this.words(bins, d));
      fillWith(picture, this.histogram(bins, take));
      const index = document.activeElement instanceof HTMLTableRowElement && lines.contains(document.activeElement) ? document.activeElement.rowIndex : -1;
      const t = table(columns, bins, { label: 'Durations', mark: (b) => (this.has(b) ? 'hot' : ''), click: (b, e) => take(b, e.shiftKey) });
      fillWith(lines, t);
      if (index >= 0) t instanceof HTMLTableElement && t.rows[index]?.focus({ preventScroll: true });
    };
    // Whole intervals are counted, because a step goes to a whole interval.
    const take = (b: { from: bigint; to: bigint } | null, extend = false): void => {
      const r = this.range;
      this.range = b && extend && r ? { from: b.from < r.from ? b.from : r.from, to: b.to > r.to ? b.to : r.to } : b;
      if (this.range && !this.whole) {
        this.whole = true;
        app.dock.changed('all');
      } else show();
    };
    show();
    fillWith(to, head, chosen, el('div', { class: 'split' },
      el('dl', { class: 'facts' }, facts.flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)])), picture, lines));
  }

  private has(b: Bin): boolean {
    const r = this.range;
    return r !== null && (r.is ? b.from <= r.from && b.to >= r.to : b.from >= r.from && b.to <= r.to);
  }

  // Says how many intervals the range has, with buttons that step through them.
  private words(bins: Bin[], d: Durations): (Node | string)[] {
    const r = this.range;
    if (!r) return [el('span', { class: 'dim' }, 'Drag over the bars, or choose a line of the table, to step through the intervals of these lengths.')];
    const unit = this.app.trace.unit;
    const n = bins.filter((b) => this.has(b)).reduce((sum, b) => sum + b.count, 0);
    const button = (text: string, act: string) => el('button', { title: hint(act), disabled: n === 0, onclick: () => this.app.act(act) }, text);
    // Another time or selection may have a shorter or a longer interval.
    const still = r.is && this.whole && String(d[r.is]) === String(r.from);
    return [el('b', {}, r.is ? `${still ? (r.is === 'min' ? 'the shortest: ' : 'the longest: ') : 'intervals of '}${span(r.from, unit)}` : `${grouped(n)} ${n === 1 ? 'interval' : 'intervals'} of ${span(r.from, unit)} to ${span(r.to, unit)}`), ' ',
      button('\u2190 previous', 'previousHit'), ' ', button('next \u2192', 'nextHit'), ' ',
      el('button', { onclick: () => {
        this.range = null;
        this.app.dock.changed('all');
      } }, 'all lengths')];
  }

  private scope: Scope | null = null;
  private panel: Timeline | null = null;

  // Goes to the next or the previous interval of the range. Returns false if no
  // range is chosen.
  async step(dir: 'next' | 'prev'): Promise<boolean> {
    const { app, range: r, scope, panel } = this;
    if (!r || !scope || !panel || this.value === undefined) return false;
    const f = app.focus;
    const at = f?.panel === panel && f.at && !f.line.lane && toTime(f.at.from) >= scope.from && toTime(f.at.from) < scope.to ? f.at : null;
    const rows = ranges(scope.rows ?? panel.tree?.rows.map((x) => x.row) ?? []);
    const found = await app.step(panel, rows, at ? toTime(at.from) : dir === 'next' ? scope.from - 1n : scope.to, dir, {
      value: this.value === null ? 'none' : String(this.value), row: at ? f!.line.row! : dir === 'prev' ? 0 : undefined, least: String(r.from), most: String(r.to - 1n),
    });
    if (!found.found || toTime(found.from) < scope.from || toTime(found.from) >= scope.to)
      app.say(dir === 'next' ? 'There is no later interval of this length here.' : 'There is no earlier interval of this length here.');
    else await app.go.to(panel.type, found.row, toTime(found.from));
    return true;
  }

  // Chooses the shortest or the longest of the whole intervals, and goes to it.
  private async goTo(which: 'min' | 'max', asked: Params): Promise<void> {
    const { app } = this;
    try {
      const found = (await app.net.json<Durations>('durations', { ...asked, whole: 1 }))[which];
      if (found === null) return app.bar.say('No interval of this value begins in this time: zoom out.');
      const length = toTime(found);
      this.whole = true;
      this.range = { from: length, to: length + 1n, is: which };
      app.focus = null;
      await this.step('next');
      app.dock.changed('all');
    } catch (e) {
      app.bar.say(String((e as Error).message));
    }
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
  private histogram(bins: Bin[], take: (b: { from: bigint; to: bigint } | null) => void): HTMLElement {
    const { app } = this;
    const [w, h, dpr] = [WIDE, HIGH, app.dpr];
    const c = el('canvas', { width: w * dpr, height: h * dpr, role: 'img', 'aria-label': 'Number of intervals by length; the table has the numbers', style: { width: w + 'px', height: h + 'px' } });
    const ctx = c.getContext('2d')!;
    ctx.scale(dpr, dpr);
    ctx.font = '11px system-ui, sans-serif';
    const at = (t: bigint) => Math.max(0, Math.log2(Math.max(1, Number(t))));
    const first = at(bins[0]!.from);
    const last = Math.max(first + 1, at(bins[bins.length - 1]!.to));
    const most = Math.max(...bins.map((b) => b.count));
    const x = (t: bigint) => LEFT + ((at(t) - first) / (last - first)) * (w - LEFT - RIGHT);
    const cls = this.value === null || this.value === undefined ? null : app.panel.type.byValue.get(String(this.value))?.class;
    const colour = cls === null || cls === undefined ? null : app.trace.colour(app.panel.type, cls, app.colours, app.theme);
    ctx.fillStyle = app.css('--dim');
    ctx.textAlign = 'right';
    for (const n of [0, most / 2, most]) {
      const y = 12 + (h - 32) * (1 - n / most);
      ctx.fillRect(LEFT, y, w - LEFT - RIGHT, 0.5);
      if (Number.isInteger(n)) ctx.fillText(String(n), LEFT - 4, y + 4);
    }
    let written = -100;
    for (const b of bins) {
      const [a, z] = [x(b.from), x(b.to)];
      const top = 12 + (h - 32) * (1 - b.count / most);
      ctx.fillStyle = colour ? `rgb(${colour.join()})` : app.css('--accent');
      ctx.globalAlpha = this.range && !this.has(b) ? 0.3 : 1;
      ctx.fillRect(a + 0.5, top, Math.max(1, z - a - 1), h - 20 - top);
      ctx.globalAlpha = 1;
      ctx.fillStyle = app.css('--ink');
      ctx.textAlign = 'left';
      const text = span(b.from, app.trace.unit);
      const wide = ctx.measureText(text).width;
      const left = Math.min(a, w - wide); // the last label must not leave the picture
      if (left > written + 8) {
        ctx.fillText(text, left, h - 6);
        written = left + wide;
      }
    }
    dragBars(c, (from, to) => {
      const hit = bins.filter((b) => x(b.to) > from && x(b.from) < to || (b.from === 0n && from <= LEFT));
      take(hit.length ? { from: hit[0]!.from, to: hit[hit.length - 1]!.to } : null);
    });
    return c;
  }
}

// Tells which part of the picture a drag has covered, in CSS pixels; a click
// covers one.
function dragBars(c: HTMLCanvasElement, done: (from: number, to: number) => void): void {
  const x = (e: PointerEvent) => e.clientX - c.getBoundingClientRect().left;
  c.style.cursor = 'ew-resize';
  c.style.touchAction = 'none';
  c.addEventListener('pointerdown', (e) => {
    if (e.button !== 0) return;
    c.setPointerCapture(e.pointerId);
    const start = x(e);
    const shade = el('div', { class: 'shade' });
    c.after(shade);
    const move = (m: PointerEvent) => {
      const [a, b] = [Math.min(start, x(m)), Math.max(start, x(m))];
      Object.assign(shade.style, { left: a + 'px', width: Math.max(1, b - a) + 'px' });
    };
    c.addEventListener('pointermove', move);
    const end = (u: PointerEvent) => {
      c.removeEventListener('pointermove', move);
      shade.remove();
      if (u.type === 'pointerup') done(Math.min(start, x(u)), Math.max(start + 0.5, x(u)));
    };
    c.addEventListener('pointerup', end, { once: true });
    c.addEventListener('pointercancel', end, { once: true });
  });
}
