// SPDX-License-Identifier: MIT
// events.ts - the lines that `weft dump` prints of an interval. They are read from
// the trace, which may be large, so they are asked for when they are opened.

import { ask } from '../around';
import type { App, Focus } from '../app';
import { cut, el, fillWith, visible } from '../el';
import { toTime } from '../time';

const STEPS = [20, 200, 1000]; // lines

export function events(app: App, f: Focus, stop: AbortSignal, busy: (is: boolean) => void): HTMLElement {
  const at = f.at!;
  const body = el('div', {});
  const from = toTime(at.from);
  const lines = (list: string[]) => el('pre', { class: 'lines', tabIndex: 0 }, list.map((l) => cut(visible(l), 300)).join('\n'));
  const load = async (step: number): Promise<void> => {
    const n = STEPS[step]!;
    fillWith(body, el('p', { class: 'dim' }, 'Reading the trace\u2026'));
    busy(true);
    try {
      const got = await ask(app, f, from, 'dump,events', n, stop);
      const ev = got.events;
      if (!ev) fillWith(body, el('p', { class: 'dim' }, 'weft dump prints no events of this row: it is no thread of the trace, or the server has only the index.'));
      else if (ev.lines.length === 0) fillWith(body, el('p', { class: 'dim' }, 'The thread has no event in this interval.'));
      else
        fillWith(body, lines(ev.lines), ev.more && el('p', { class: 'buttons' },
          STEPS[step + 1] ? el('button', { onclick: () => void load(step + 1) }, `more than ${n} lines: show ${STEPS[step + 1]}`)
            : el('code', {}, `weft dump --thread ${ev.tid} --from ${at.from} --to ${toTime(at.to) + 1n} ${app.trace.address}`)),
        ev.more && got.dump && got.dump.to.length > 0 && [el('h3', {}, 'at its end'), lines(got.dump.to)]);
    } catch (e) {
      if (!stop.aborted) fillWith(body, el('p', { class: 'warn' }, e instanceof Error ? e.message : String(e)));
    }
    if (!stop.aborted) busy(false);
  };
  const box = el('details', { class: 'events' }, el('summary', {}, 'events of this interval, as weft dump prints them'), body);
  box.addEventListener('toggle', () => box.open && body.childNodes.length === 0 && void load(0));
  return box;
}
