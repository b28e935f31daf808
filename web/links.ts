// SPDX-License-Identifier: MIT
// links.ts - draws arrows from row to row: the longest links in the window.

import type { App } from './app';
import { LinkInfo } from './net';
import { ranges } from './rows';

const MOST = 1000;

export class Links {
  shown = false;
  list: LinkInfo[] = [];
  private key = ''; // number of the latest request

  constructor(private app: App) {}

  toggle(): void {
    const { app } = this;
    this.shown = !this.shown;
    this.key = '';
    if (!this.shown) this.list = [];
    app.say(Number(app.trace.meta.links) === 0 ? 'This trace has no links.' : this.shown ? 'Links are shown.' : 'Links are hidden.');
    app.touch();
  }

  load(): void {
    const { app } = this;
    const panel = app.panels[0];
    if (!this.shown || !panel?.tree || Number(app.trace.meta.links) === 0) return;
    const rows = ranges(panel.lines.flatMap((l) => (l.group === null && l.row !== null ? [l.row] : [])));
    const key = [app.trace.meta.gen, app.from, app.to, rows].join();
    if (!rows || key === this.key) return;
    this.key = key;
    app.net.json<{ links: LinkInfo[] }>('links', { rows, from: app.from, to: app.to, n: MOST }).then(({ links }) => {
      if (this.key === key) this.list = links;
      app.touch();
    }, () => {});
  }
}
