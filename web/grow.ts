// SPDX-License-Identifier: MIT
// grow.ts - traces that are still read or recorded while the page shows them.
// docs/dev/view-protocol.md describes the generations of such a trace.

import type { App, Focus } from './app';
import { pixelOf } from './ladder';
import { At, Meta } from './net';
import { NONE } from './tile';
import { toTime } from './time';
import { Trace } from './trace';
import { Renumbered } from './store';
import { isRanked } from './view';

export class Growth {
  done = 0; // progress of building, in thousandths
  private renewing: Promise<void> = Promise.resolve();
  private awaited = '';

  constructor(private app: App) {}

  // Shows a newer generation of the trace: the window and all that was chosen
  // stay; numbers of rows, types and values may be others.
  renew(gen: string, news: Partial<Meta> = {}): Promise<void> {
    this.awaited = gen;
    return (this.renewing = this.renewing.catch(() => {}).then(() => this.take(gen, news)));
  }

  private async take(gen: string, news: Partial<Meta>): Promise<void> {
    const { app } = this;
    if (gen !== this.awaited || gen === app.trace.meta.gen) return;
    app.net.use({ trace: app.trace.meta.trace, gen, name: '', state: 'ready' });
    const trace = await Trace.open(app.net);
    if (news.state) trace.meta.state = news.state;
    if (trace.meta.state === 'live' && app.trace.meta.state !== 'live' && app.whole) app.follow = true;
    // Loads all rows and labels of the new generation before it replaces the
    // old one.
    for (const p of app.panels) {
      const t = trace.type(p.type.key);
      if (!t) continue;
      const [tree] = await Promise.all([trace.loadRows(t.info.class), trace.loadLabels(t)]);
      // Until its tile comes, values keep their places in the legend.
      const rank = trace.loadRank(t).then(() => app.touch()).catch(() => {});
      if (isRanked(app.colours)) await rank;
      else p.type.rank.forEach((n, value) => t.rank.set(value, n));
      do tree.lines(app.lookOf(t));
      while (await trace.loadMore(tree));
    }
    const had = app.focus;
    const focus = had && (await this.again(had, trace));
    const before = app.trace;
    const { end } = before;
    app.trace = trace;
    app.store.age((type) => renumbered(before, trace, type));
    for (const p of app.panels) p.renew();
    app.hot.restore();
    app.hover = null;
    // What was focused since then has numbers of either generation.
    app.focus = app.focus === had ? focus : null;
    app.picked = [];
    app.minimap.renew();
    if (app.whole) app.goWindow(app.wholeScale, 0n);
    else if (app.follow) app.goWindow(app.scale, app.left + pixelOf(trace.end, app.scale) - pixelOf(end, app.scale));
    app.relayout();
    if (focus) focus.line = focus.panel.lines.find((l) => l.hash === focus.hash) ?? focus.line;
    app.bar.draw();
    app.dock.changed('all');
    await app.loadFindings();
  }

  // Returns the focus in a newer generation: the same row, and the same interval
  // of it, which may end later. null: they are gone.
  private async again(f: Focus, trace: Trace): Promise<Focus | null> {
    const type = trace.type(f.panel.type.key);
    if (f.line.group !== null) return { ...f };
    const row = type && trace.tree(type.info.class)?.rowOfHash(f.hash.replace(/\..*/, ''));
    if (row === null || row === undefined) return null;
    const line = { ...f.line, row, key: 'r' + row };
    if (!f.at) return { ...f, line };
    const at = await this.app.net.json<At>('at', { type: type!.info.type, row, t: f.at.t, lane: line.lane || undefined });
    return String(at.from) === String(f.at.from) && String(at.value) === String(f.at.value) ? { ...f, line, at } : null;
  }

  // Follows the right edge of a trace that grows.
  toggleFollow(): void {
    const { app } = this;
    app.follow = !app.follow;
    if (app.follow && !app.whole) app.goWindow(app.scale, pixelOf(app.trace.end, app.scale) - BigInt(Math.floor(app.plot * 0.9)));
    app.say(app.follow ? 'The window follows the end of the trace.' : 'The window stays.');
    app.bar.draw();
  }

  // Takes progress events of a trace that is still being read.
  progress(meta: Partial<Meta> & { done?: number }): void {
    const { app } = this;
    this.done = meta.done ?? 0;
    if (meta.state) app.trace.meta.state = meta.state;
    app.bar.draw();
    // A server that does not know generations reports only that the trace has
    // become longer.
    const end = meta.watermark === undefined ? 0n : toTime(meta.watermark);
    if (end <= app.trace.end) return;
    app.trace.end = end;
    app.store.begin();
    app.store.refresh(end);
    app.store.send();
    if (app.follow && app.whole) app.goWindow(app.wholeScale, 0n);
    else if (app.follow) app.goWindow(app.scale, pixelOf(end, app.scale) - BigInt(app.plot));
    app.touch();
  }
}

// Returns how the rows and values of a type are numbered in a newer generation;
// null if the page does not know both.
function renumbered(before: Trace, now: Trace, type: number): Renumbered | null {
  const was = before.byNumber(type);
  const is = was && now.type(was.key);
  const keys = is && now.tree(is.info.class)?.keys();
  if (!was || !is?.loaded || !keys) return null;
  const rows = new Map<string, string>();
  for (const [name, key] of before.tree(was.info.class)?.keys() ?? []) if (keys.has(name)) rows.set(key, keys.get(name)!);
  const cls = Uint8Array.from({ length: 256 }, (_, c) => c);
  for (const [c, l] of was.byClass) cls[c] = is.byValue.get(String(l.value))?.class ?? NONE;
  return { type: is.info.type, rows, cls: cls.every((to, c) => to === c) ? null : cls };
}
