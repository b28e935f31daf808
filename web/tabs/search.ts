// SPDX-License-Identifier: MIT
// search.ts - rows, labels and findings that contain a text. Enter and n go to
// the next hit; for a label, to its next interval in the visible rows.

import type { App } from '../app';
import type { Change, Tab } from '../dock';
import { el, fillWith, visible, whole } from '../el';
import { Found } from '../net';
import { ranges } from '../rows';
import { table } from '../table';
import { counted, exact, toTime } from '../time';
import { Type } from '../trace';

type Hit =
  | { kind: 'row'; name: string; row: number }
  | { kind: 'label'; name: string; type: Type; value: string | number; cls: number | null }
  | { kind: 'finding'; name: string; time: bigint | null; row: number | null };

export class SearchTab implements Tab {
  id = 'search';
  title = 'Search';
  on: Change[] = ['panels'];
  text = '';
  hits: Hit[] = [];
  private at = -1;
  private asked = '';
  private counts = '';

  constructor(private app: App) {}

  async draw(to: HTMLElement, stop: AbortSignal): Promise<void> {
    if (this.text === '') {
      fillWith(to, el('p', { class: 'dim' }, 'Press / and type: rows, labels and findings that have the text; /re/ is a regular expression.'));
      return;
    }
    await this.find(stop);
    const current = this.hits[this.at];
    fillWith(to, el('p', { class: 'caption' }, this.counts),
      this.hits.length > 0 && table<Hit>([
        { title: 'kind', text: (h) => h.kind },
        { title: 'name', text: (h) => h.name },
        { title: 'where', text: (h) => this.where(h) },
      ], this.hits, { label: 'Hits', mark: (h) => (h === current ? 'hot' : ''), click: (h) => {
        this.at = this.hits.indexOf(h);
        void this.go(h, 1);
      } }));
  }

  private where(h: Hit): string {
    if (h.kind === 'row') return this.app.trace.rowClass.get(h.row) ?? '';
    if (h.kind === 'label') return `${h.type.info.title}, ${h.type.info.class}`;
    return h.time === null ? '' : exact(h.time, this.app.trace.unit);
  }

  private async find(stop?: AbortSignal): Promise<void> {
    const { app } = this;
    if (this.asked === this.text) return;
    const text = this.text;
    const found = await app.net.json<Found>('find', { text: cutBytes(text) }, stop);
    // Of many hits the server lists the first ones: asks for those that have this
    // text and no other.
    const same = `/^${text.replace(/[.^$*+?()[{|\\]/g, '\\$&')}$/`;
    if (found.rows.all > found.rows.hits.length && !/^\/.*\/$/.test(text) && cutBytes(same) === same)
      found.rows.hits.unshift(...(await app.net.json<Found>('find', { text: same }, stop)).rows.hits.filter((r) => !found.rows.hits.some((h) => h.row === r.row)));
    this.asked = text;
    const hits: Hit[] = [];
    const now = app.panel.type;
    for (const l of found.labels.hits) {
      const type = app.trace.byNumber(l.type);
      if (type) hits.push({ kind: 'label', name: visible(l.text), type, value: l.value, cls: l.class });
    }
    // Labels of the panel's own type come first, because the user sees that
    // type.
    hits.sort((a, b) => Number(b.kind === 'label' && b.type === now) - Number(a.kind === 'label' && a.type === now));
    for (const r of found.rows.hits) {
      app.trace.rowClass.set(r.row, r.class);
      app.trace.rowNames.set(r.row, visible(r.name));
      hits.push({ kind: 'row', name: visible(r.name), row: r.row });
    }
    for (const f of found.findings.hits) hits.push({ kind: 'finding', name: f.text, time: f.time === null ? null : toTime(f.time), row: f.row });
    const is = (h: Hit): boolean => h.name.toLowerCase() === text.toLowerCase();
    this.hits = [...hits.filter(is), ...hits.filter((h) => !is(h))];
    this.at = -1;
    const all = found.rows.all + found.labels.all + found.findings.all;
    this.counts = all === 0 ? `Nothing has "${text}".` : `${counted(found.labels.all, 'label')}, ${counted(found.rows.all, 'row')}, ${counted(found.findings.all, 'finding')}` + (all > hits.length ? `; ${hits.length} are listed` : '') + '. Enter or N goes to the next.';
    app.say(this.counts);
  }

  async step(dir: 1 | -1): Promise<void> {
    if (this.text === '') return;
    await this.find();
    if (this.hits.length === 0) return;
    const current = this.hits[this.at];
    if (current?.kind === 'label' && (await this.go(current, dir))) return;
    this.at = (this.at + dir + this.hits.length) % this.hits.length;
    this.app.dock.changed('all');
    const hit = this.hits[this.at];
    if (hit) await this.go(hit, dir);
  }

  private async go(h: Hit, dir: 1 | -1): Promise<boolean> {
    const { app } = this;
    this.app.dock.changed('all');
    if (h.kind === 'row') await app.go.to(null, h.row, null);
    else if (h.kind === 'finding') await app.go.to(null, h.row, h.time);
    else {
      let panel = app.panels.find((p) => p.type === h.type);
      if (!panel) {
        await app.setType(app.panel, h.type);
        panel = app.panel;
      }
      if (h.cls !== null && h.type.isState && !app.hot.of(h.type).includes(h.cls)) app.hot.set(h.type, [h.cls]);
      const at = app.focus?.panel === panel ? app.focus.at : null;
      const t = at ? toTime(at.from) : dir > 0 ? app.from - 1n : app.to;
      const rows = ranges(panel.lines.flatMap((l) => (l.group === null || l.folded ? panel.tree!.members(l) : [])));
      const step = await app.step(panel, rows, t < 0n ? 0n : t, dir > 0 ? 'next' : 'prev', { value: h.value });
      if (!step.found) return false;
      await app.go.to(h.type, step.row, toTime(step.from));
    }
    return true;
  }
}

// The server accepts at most 200 bytes of text.
function cutBytes(text: string): string {
  let t = text;
  while (new TextEncoder().encode(t).length > 200) t = t.slice(0, whole(t, t.length - 1));
  return t;
}
