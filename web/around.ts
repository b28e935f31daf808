// SPDX-License-Identifier: MIT
// around.ts - why an interval began and ended: the links that arrive at its ends,
// and from sender to sender further back.

import type { App, Focus } from './app';
import { cut, el } from './el';
import { Around, At, Cause } from './net';
import type { Line } from './rows';
import { span, toTime } from './time';

const HOPS = 5;

type With = 'links,causes,states,task' | 'causes' | 'dump,events';

export function ask(app: App, f: { panel: Focus['panel']; line: Pick<Line, 'row' | 'lane'> }, t: bigint, what: With, n?: number, stop?: AbortSignal): Promise<Around> {
  return app.net.json<Around>('at', { type: f.panel.type.info.type, row: f.line.row!, t, lane: f.line.lane || undefined, with: what, n }, stop);
}

export function rowName(app: App, row: number | null): string {
  return row === null ? 'an unknown row' : (app.trace.rowNames.get(row) ?? `row ${row}`);
}

// Returns the cause that explains a wait: what ended it, else what began it.
function main(causes: Cause[]): Cause | undefined {
  return causes.find((c) => c.end === 'to' && c.row !== null) ?? causes.find((c) => c.row !== null);
}

function moment(at: At, t: bigint): bigint {
  return t < toTime(at.to) ? t : toTime(at.to) - 1n;
}

// What a row does in the types that the panel does not show.
export function others(app: App, f: Focus, states: Cause['states']): string[] {
  return states.filter((s) => s.type !== f.panel.type.info.type).map((s) => {
    const t = app.trace.byNumber(s.type)!;
    return t.info.title + ': ' + app.labelOf(t, s);
  });
}

// Describes one cause in a sentence; the sender in it is a button.
function sentence(app: App, f: Focus, c: Cause): HTMLElement {
  const unit = app.trace.unit;
  const sent = toTime(c.link.from);
  const own = c.states.filter((s) => s.type === f.panel.type.info.type);
  const states = [...own.map((s) => app.labelOf(f.panel.type, s)), ...others(app, f, c.states).slice(0, 3)];
  return el('li', {}, c.end === 'to' ? 'ended by ' : 'begun by ',
    el('button', { disabled: c.row === null, onclick: () => follow(app, c) }, rowName(app, c.row)),
    ` (${c.kind ?? `link of kind ${c.link.kind}`}), sent ${span(toTime(c.link.to) - sent, unit)} before`,
    states.length > 0 && el('div', { class: 'dim' }, `the sender was in: ${cut(states.join('; '), 300)}`));
}

// Lists the causes of an interval. Below them lists the chain behind the main
// cause: the intervals of its sender, each caused by the next, the latest
// first.
export async function causes(app: App, f: Focus, got: Around, stop: AbortSignal): Promise<HTMLElement> {
  const list = got.causes ?? [];
  if (list.length === 0)
    return el('p', { class: 'dim' }, Number(app.trace.meta.links) === 0 ? 'This trace has no links: it does not say what ended this interval.' : 'No link arrives at either end: the trace does not say what ended this interval.');
  const out = el('div', {}, el('h3', {}, 'causes'), el('ul', { class: 'causes' }, list.map((c) => sentence(app, f, c))));
  const chain = el('ol', { class: 'causes', 'aria-label': 'Chain of causes' });
  const { trace } = app;
  const seen = new Set<string>();
  for (let c = main(list), hop = 0; c && c.row !== null && hop < HOPS; hop++) {
    const row = c.row;
    if (trace.rowClass.get(row) !== f.panel.type.info.class) break;
    const t = toTime(c.link.from);
    const at: Around = await ask(app, { panel: f.panel, line: { row, lane: 0 } }, t < trace.end ? t : trace.end - 1n, 'causes', undefined, stop);
    const key = row + ' ' + at.from;
    if (seen.has(key)) break;
    seen.add(key);
    chain.append(el('li', {}, el('button', { onclick: () => void app.go.to(null, row, t) }, `${rowName(app, row)}: ${cut(app.labelOf(f.panel.type, at), 80)}`),
      ` ${span(toTime(at.to) - toTime(at.from), trace.unit)} from ${span(toTime(at.from), trace.unit)}`));
    c = at.causes!.find((x) => x.end === 'from' && x.row !== null);
  }
  if (chain.children.length > 0) out.append(el('h3', {}, 'chain: who caused whom, backwards'), chain);
  return out;
}

// ---- follow a cause to its sender, and go back

const trail: { panel: Focus['panel']; row: number; t: bigint }[] = [];

function follow(app: App, c: Cause): void {
  const f = app.focus;
  if (f?.at && f.line.row !== null) trail.push({ panel: f.panel, row: f.line.row, t: moment(f.at, toTime(f.at.from)) });
  void app.go.to(null, c.row, toTime(c.link.from));
}

export async function toCause(app: App): Promise<void> {
  const f = app.focus;
  if (!f?.at || f.line.row === null) return app.say('Focus an interval first.');
  const got = await ask(app, f, toTime(f.at.from), 'causes');
  const c = main(got.causes ?? []);
  if (app.focus !== f) return;
  if (c) follow(app, c);
  else app.say('No link arrives at either end of this interval.');
}

export async function fromCause(app: App): Promise<void> {
  const to = trail.pop();
  if (to) await app.go.to(null, to.row, to.t);
  else app.say('No cause was followed.');
}
