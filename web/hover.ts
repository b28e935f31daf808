// SPDX-License-Identifier: MIT
// hover.ts - the box beside the pointer: the interval under it or, for a column
// of several values, the exact time of each.

import type { App } from './app';
import { cut, el, fillWith } from './el';
import { chip } from './legend';
import { short } from './overlay';
import { At } from './net';
import { MOST_CELLS, ofRows, ValueLine } from './summary';
import { Spot } from './timeline';
import { counted, exact, span, toTime } from './time';
import { runAt } from './tile';

const WAIT_MS = 40;

export class Hover {
  private spot: Spot | null = null;
  private x = 0;
  private y = 0;
  private timer = 0;
  private asked: AbortController | null = null;

  constructor(private app: App, private root: HTMLElement) {}

  at(spot: Spot | null, e?: { clientX: number; clientY: number }): void {
    clearTimeout(this.timer);
    this.asked?.abort();
    this.spot = spot;
    if (e) [this.x, this.y] = [e.clientX, e.clientY];
    if (!spot?.line || this.app.layer.isOpen) {
      this.root.hidden = true;
      return;
    }
    this.show(this.first(spot));
    this.timer = window.setTimeout(() => void this.ask(spot), WAIT_MS);
  }

  draw(): void {
    if (this.spot && !this.spot.panel.root.isConnected) this.at(null);
  }

  private show(rows: (Node | string | null | false)[]): void {
    fillWith(this.root, rows);
    this.root.hidden = false;
    const box = this.root.getBoundingClientRect();
    const right = this.x + 16 + box.width < innerWidth;
    const below = this.y + 18 + box.height < innerHeight;
    this.root.style.left = Math.max(2, right ? this.x + 16 : this.x - 12 - box.width) + 'px';
    this.root.style.top = Math.max(2, below ? this.y + 18 : this.y - 12 - box.height) + 'px';
  }

  // Returns what the page knows without asking the server.
  private first(s: Spot): (Node | null | false)[] {
    const { app } = this;
    const line = s.line!;
    const found = app.trace && s.panel.asks(line) ? s.panel.rowAt(line, s.time) : null;
    const out: (Node | null | false)[] = [el('div', { class: 'where' }, cut(line.name || '(no name)', 60), line.group !== null && ` \u00b7 ${counted(line.rows, 'row')}`, el('span', { class: 'when' }, exact(s.time, app.trace.unit), this.error()))];
    if (!found) {
      if (!s.panel.asks(line)) out.push(el('div', { class: 'dim' }, 'Open the group to see its rows.'));
      return out;
    }
    const { row, column, q } = found;
    const run = runAt(row, column);
    if (row.value && s.panel.type.info.kind === 'number') {
      const v = (n: number) => short(row.value![run * 4 + n]!);
      if (row.at[run] !== row.at[run + 1]) out.push(el('div', {}, v(0) === v(1) ? v(2) : `mean ${v(2)}, from ${v(0)} to ${v(1)}`));
      return out;
    }
    for (let i = row.at[run]!; i < row.at[run + 1]!; i++) {
      const cls = row.cls[i]!;
      const of = row.at[run + 1]! - row.at[run]!;
      const share = row.share[i]!;
      const about = line.group !== null && share === 1 ? `less than ${Math.ceil(200 / q)} %` : `about ${Math.round((share * 100) / q)} %`;
      const text = row.count && s.panel.type.info.kind === 'point' ? ` \u00d7 ${row.count[i]}` : of > 1 ? ' ' + about : '';
      out.push(el('div', { class: 'value' }, this.chip(s, cls), cut(s.panel.type.nameOfClass(cls), 80), el('span', { class: 'part' }, text)));
    }
    if (row.more[run]) out.push(el('div', { class: 'dim' }, 'and values with less time'));
    return out;
  }

  // Returns by how much times of two nodes may be wrong to each other.
  private error(): string {
    const error = BigInt(this.app.trace.meta.clock_error ?? 0);
    return error > 0n ? ` \u00b1 ${span(error, 'ns')}` : '';
  }

  private chip(s: Spot, cls: number): HTMLElement {
    return chip(this.app, s.panel.type, cls);
  }

  private async ask(s: Spot): Promise<void> {
    const { app } = this;
    const line = s.line!;
    const stop = (this.asked = new AbortController());
    const type = s.panel.type;
    const members = line.rows <= MOST_CELLS ? (s.panel.tree?.members(line) ?? []) : [];
    const w = BigInt(app.scale.w);
    const to = s.time + w > app.trace.end ? app.trace.end : s.time + w;
    if (members.length === 0 || to <= s.time) return;
    try {
      const [at, states] = await Promise.all([
        line.group === null ? app.net.json<At>('at', { type: type.info.type, row: line.row!, t: s.time, lane: line.lane || undefined }, stop.signal) : null,
        type.isState && !line.lane && members.length <= MOST_CELLS ? ofRows(app.net, type, { rows: members, from: s.time, to }, null, stop.signal) : null,
      ]);
      if (!stop.signal.aborted) this.show(this.whole(s, at, states ?? [], to - s.time));
    } catch {
      // the pointer moved on, or the server refused: keep what is shown
    }
  }

  private whole(s: Spot, at: At | null, states: ValueLine[], wide: bigint): (Node | string | null | false)[] {
    const { app } = this;
    const unit = app.trace.unit;
    const line = s.line!;
    const out: (Node | string | null | false)[] = [el('div', { class: 'where' }, cut(line.name || '(no name)', 60), line.group !== null && ` \u00b7 ${counted(line.rows, 'row')}`, el('span', { class: 'when' }, exact(s.time, unit)))];
    if (at) {
      const length = toTime(at.to) - toTime(at.from);
      out.push(el('div', { class: 'value strong' }, at.class !== null && s.panel.type.info.kind !== 'number' && this.chip(s, at.class), cut(app.labelOf(s.panel.type, at), 120)));
      out.push(el('div', { class: 'dim' }, `${exact(length, unit)} (${span(length, unit)}) from ${exact(toTime(at.from), unit)}`));
      out.push(el('div', { class: 'dim' }, app.numberOf(at)));
    }
    if (states.length > 1 || (states.length > 0 && !at)) {
      out.push(el('div', { class: 'dim rule' }, `this column of ${span(wide, unit)}${line.group !== null ? `, ${counted(line.rows, 'row')}` : ''}`));
      for (const x of states.slice(0, 8))
        out.push(el('div', { class: 'value' }, this.chip(s, x.cls), cut(x.label, 60), el('span', { class: 'part' }, `${(x.share * 100).toFixed(1)} %  ${span(x.time, unit)}`)));
      if (states.length > 8) out.push(el('div', { class: 'dim' }, `and ${states.length - 8} more`));
    }
    return out;
  }
}
