// SPDX-License-Identifier: MIT
// hot.ts - the highlighted values of each type: every column that contains one
// shows it. The server accepts up to eight.

import type { App } from './app';
import { toTime } from './time';
import { Type } from './trace';

const MOST = 8;

export class Hot {
  private classes = new Map<number, number[]>(); // by number of the type
  changes = 0;

  constructor(private app: App) {}

  of(t: Type): number[] {
    return this.classes.get(t.info.type) ?? [];
  }

  set(t: Type, classes: number[]): void {
    const { app } = this;
    this.classes.set(t.info.type, classes.slice(0, MOST));
    this.changes++;
    app.state.hot = [...this.classes].flatMap(([n, list]) => {
      const type = app.trace.byNumber(n);
      const values = list.map((c) => type?.byClass.get(c)?.value).filter((v) => v !== undefined).map((v) => (v === null ? null : toTime(v)));
      return type && values.length ? [{ type: type.key, values }] : [];
    });
    app.dock.changed('hot');
    app.save();
    app.touch();
  }

  toggle(t: Type, cls: number): void {
    const have = this.of(t);
    this.set(t, have.includes(cls) ? have.filter((c) => c !== cls) : [...have, cls].slice(-MOST));
  }

  // Applies the highlights of the address once the labels are loaded.
  restore(): void {
    const { app } = this;
    this.classes.clear();
    this.changes++;
    for (const { type, values } of app.state.hot) {
      const t = app.trace.type(type);
      const classes = t ? values.map((v) => t.byValue.get(String(v))?.class).filter((c): c is number => typeof c === 'number') : [];
      if (t) this.classes.set(t.info.type, classes.slice(0, MOST));
    }
    app.touch();
  }
}
