// SPDX-License-Identifier: MIT
// grow.ts - traces that are still read or recorded while the page shows them.
// docs/dev/view-protocol.md describes the generations of such a trace.

import type { App } from './app';
import { pixelOf } from './ladder';
import { Meta } from './net';
import { toTime } from './time';
import { Trace } from './trace';
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
      if (t) await Promise.all([trace.loadRows(t.info.class), trace.loadLabels(t), isRanked(app.colours) && trace.loadRank(t)]);
    }
    const end = app.trace.end;
    app.trace = trace;
    app.store.clear();
    for (const p of app.panels) p.renew();
    app.hot.restore();
    app.focus = app.hover = null;
    app.picked = [];
    app.minimap.renew();
    if (app.whole) app.goWindow(app.wholeScale, 0n);
    else if (app.follow) app.goWindow(app.scale, app.left + pixelOf(trace.end, app.scale) - pixelOf(end, app.scale));
    await app.loadFindings();
    app.relayout();
    app.bar.draw();
    app.dock.changed('all');
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
