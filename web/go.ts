// SPDX-License-Identifier: MIT
// go.ts - puts the focus on an interval that was clicked, or that a search or a
// table refers to. The server is asked for the interval first: of several
// requests only the latest one moves the focus.

import type { App } from './app';
import type { At } from './net';
import type { Line } from './rows';
import type { Spot, Timeline } from './timeline';
import { toTime } from './time';
import type { Type } from './trace';

export class Go {
  private latest = 0;

  constructor(private app: App) {}

  // Focuses the interval of a line at a time. Returns null if something else was
  // clicked meanwhile, or if there is no interval.
  private async focus(panel: Timeline, line: Line, t: bigint): Promise<At | null> {
    const { app } = this;
    const mine = ++this.latest;
    app.steps++;
    try {
      const at = await app.at(panel, line, t);
      if (mine !== this.latest) return null;
      app.setFocus(panel, line, at);
      return at;
    } catch (e) {
      app.bar.say(e instanceof Error ? e.message : String(e));
      return null;
    } finally {
      app.steps--;
    }
  }

  // Moves the focus without a request: requests under way are out of date.
  row(panel: Timeline, line: Line): void {
    this.latest++;
    this.app.focusRow(panel, line);
  }

  async pin(s: Spot): Promise<void> {
    if (!s.line) return;
    if (s.line.group !== null) return this.row(s.panel, s.line);
    if (await this.focus(s.panel, s.line, s.time)) this.app.dock.open('details', false);
  }

  async zoom(s: Spot): Promise<void> {
    const at = s.line && (await this.app.at(s.panel, s.line, s.time).catch(() => null));
    if (at) this.app.showTime(toTime(at.from), toTime(at.to), 1 / 3);
  }

  async menu(s: Spot, x: number, y: number): Promise<void> {
    if (!s.line) return;
    if (s.line.group !== null) return this.app.rowMenu(s.panel, s.line, x, y);
    if (await this.focus(s.panel, s.line, s.time)) this.app.bar.intervalMenu(x, y, s.time);
  }

  // Goes to a row and a time; a null leaves the row or the time as it is. Opens
  // the groups that hide the row.
  async to(type: Type | null, row: number | null, t: bigint | null): Promise<void> {
    const { app } = this;
    const cls = row === null ? undefined : app.trace.rowClass.get(row);
    // If no panel shows the class of the row, shows the first type of that
    // class.
    if (!type && cls !== undefined && !app.panels.some((p) => p.type.info.class === cls))
      type = app.trace.types.find((x) => x.info.class === cls && x.isState) ?? null;
    let panel = app.panels.find((p) => type && p.type === type) ?? app.panels.find((p) => row !== null && p.type.info.class === cls) ?? app.panel;
    if (type && panel.type !== type) {
      panel = app.panel;
      await app.setType(panel, type);
    }
    if (t !== null) app.reveal(t);
    if (row === null) return;
    let index = panel.unfold(row);
    // The rows of a group that was just opened come from the server.
    for (let more = panel.tree!.partial; index < 0 && more; index = panel.unfold(row)) {
      more = panel.tree!.missing() !== '';
      await app.trace.loadMore(panel.tree!);
      app.relayout();
    }
    const line = panel.lines[index];
    if (!line) return app.bar.say(`${app.trace.rowNames.get(row) ?? `Row ${row}`} is hidden: R shows hidden rows.`);
    panel.show(index);
    if (t === null) app.setFocus(panel, line, null);
    else await this.focus(panel, line, t);
  }
}
