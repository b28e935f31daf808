// SPDX-License-Identifier: MIT
// dock.ts - the tables about the selection, below the panels. A tab asks the
// server again shortly after the last change that it depends on.

import type { App } from './app';
import { el, fillWith } from './el';
import { Refused } from './net';
import { DurationsTab } from './tabs/durations';
import { SearchTab } from './tabs/search';
import { States } from './tabs/states';

export type Change = 'window' | 'select' | 'focus' | 'hot' | 'colours' | 'panels' | 'findings' | 'marks' | 'all';

export interface Tab {
  id: string;
  title: string;
  on: Change[];
  // Fills the element. The returned function runs only if no newer draw has
  // begun.
  draw: (to: HTMLElement, stop: AbortSignal) => Promise<void> | void;
  csv?: () => string | null;
  now?: boolean; // draws at once, without a request
  busy?: boolean; // draws first, and fills in the answer when it comes
}

// Makes a tab whose code is loaded when it is first drawn.
function later(app: App, of: 'Details' | 'Findings' | 'Marks', on: Change[], now = false): Tab {
  let tab: Pick<Tab, 'draw' | 'csv' | 'busy'> | undefined;
  return {
    id: of.toLowerCase(),
    title: of,
    on,
    now,
    get busy() {
      return !!tab?.busy;
    },
    csv: () => tab?.csv?.() ?? null,
    draw: async (to, stop) => {
      tab ??= new (await import('./later.js'))[of](app);
      if (!stop.aborted) await tab.draw(to, stop);
    },
  };
}

export class Dock {
  readonly states: States;
  readonly durations: DurationsTab;
  readonly finder: SearchTab;
  private tabs: Tab[];
  private bar = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Tabs of the dock' });
  private body = el('div', { class: 'body', role: 'tabpanel', tabIndex: 0 });
  waitMs = 120; // delay before a tab is drawn again
  private timer = 0;
  private stop: AbortController | null = null;
  private drawing = false;

  constructor(private app: App, private root: HTMLElement, private grip: HTMLElement) {
    this.states = new States(app);
    this.durations = new DurationsTab(app);
    this.finder = new SearchTab(app);
    this.tabs = [this.states, this.durations, later(app, 'Details', ['focus', 'colours'], true), this.finder, later(app, 'Findings', ['findings']), later(app, 'Marks', ['marks'])];
    root.append(this.bar, this.body);
    this.body.addEventListener('keydown', (e) => this.walk(e));
    this.drag();
  }

  get busy(): boolean {
    return this.timer !== 0 || this.drawing || Boolean(this.current?.busy);
  }

  get current(): Tab | undefined {
    return this.tabs.find((t) => t.id === this.app.state.tab);
  }

  open(id: string, focus: boolean): void {
    this.app.state.tab = id;
    this.changed('all');
    this.app.resized();
    this.app.save();
    if (focus) this.focus();
  }

  focus(): void {
    this.body.focus({ preventScroll: true });
  }

  // Returns true if the keyboard was in the dock.
  leave(): boolean {
    return this.root.contains(document.activeElement);
  }

  // Opens a tab; if it is open, moves the keyboard into it.
  number(n: number): void {
    const t = this.tabs[n - 1];
    if (t && t === this.current) this.focus();
    else if (t) this.open(t.id, false);
  }

  // Up and Down move from line to line of a table.
  private walk(e: KeyboardEvent): void {
    const lines = [...this.body.querySelectorAll<HTMLElement>('tbody tr[tabindex]')];
    const at = lines.indexOf(e.target as HTMLElement);
    if (!/^Arrow(Up|Down)$/.test(e.key) || lines.length === 0 || (at < 0 && e.target !== this.body)) return;
    e.preventDefault();
    lines[Math.max(0, Math.min(lines.length - 1, at + (e.key === 'ArrowDown' ? 1 : -1)))]!.focus();
  }

  toggle(): void {
    this.open(this.app.state.tab ? '' : 'states', false);
  }

  search(text: string): void {
    this.finder.text = text;
    if (text) this.open('search', false);
  }

  changed(what: Change): void {
    const tab = this.current;
    if (what !== 'all' && !tab?.on.includes(what)) return;
    clearTimeout(this.timer);
    // The server reads the trace anew for some tables, so it is not asked for
    // every intermediate step.
    this.timer = window.setTimeout(() => void this.draw(), tab?.now ? 0 : what === 'window' ? this.waitMs * 4 : this.waitMs);
  }

  private async draw(): Promise<void> {
    this.timer = 0;
    const tab = this.current;
    this.root.hidden = this.grip.hidden = !tab;
    fillWith(this.bar, this.tabs.map((t, i) => el('button', {
      type: 'button', role: 'tab', 'aria-selected': String(t === tab), tabIndex: t === tab ? 0 : -1, title: `${t.title} (${i + 1})`,
      onclick: () => this.open(t.id, false),
      onkeydown: (e: KeyboardEvent) => this.arrows(e, i),
    }, t.title)), el('span', { class: 'grow' }),
    el('button', { class: 'icon', 'aria-label': 'Close the dock', title: 'Close the dock (Q)', onclick: () => this.toggle() }, '\u00d7'));
    if (!tab) return;
    this.body.setAttribute('aria-label', tab.title);
    this.stop?.abort();
    const stop = (this.stop = new AbortController());
    const to = el('div', { class: 'tab ' + tab.id });
    this.drawing = true;
    try {
      await tab.draw(to, stop.signal);
    } catch (e) {
      // Status 409: the trace got a newer generation, for which the tab is drawn
      // again. Until then, the tab stays as it is.
      if (e instanceof Refused && e.status === 409) {
        if (this.stop === stop) this.drawing = false;
        return;
      }
      if (!stop.signal.aborted) fillWith(to, el('p', { class: 'dim' }, e instanceof Error ? e.message : String(e)));
    }
    if (stop.signal.aborted) return;
    this.drawing = false;
    const scrolled = this.body.scrollTop;
    const active = document.activeElement;
    if (tab.id === 'marks' && this.body.contains(active) && active instanceof HTMLInputElement) return;
    const inside = this.body.contains(active);
    const index = active instanceof HTMLTableRowElement && this.body.contains(active) ? active.rowIndex : -1;
    fillWith(this.body, to);
    this.body.scrollTop = scrolled;
    const row = index >= 0 ? to.querySelector('table')?.rows[index] : null;
    // The element that had the keyboard focus is gone: the next Tab focuses the
    // first new one.
    if (inside) (row ?? this.body).focus({ preventScroll: true });
  }

  private arrows(e: KeyboardEvent, i: number): void {
    const to = e.key === 'ArrowRight' ? i + 1 : e.key === 'ArrowLeft' ? i - 1 : -1;
    const tab = this.tabs[to];
    if (!tab) return;
    e.preventDefault();
    e.stopPropagation();
    this.open(tab.id, false);
    setTimeout(() => this.bar.querySelectorAll('button')[to]?.focus(), this.waitMs + 20);
  }

  private resize(height: number): void {
    const to = Math.round(Math.max(60, Math.min(innerHeight * 0.7, height)));
    this.root.style.height = to + 'px';
    this.grip.setAttribute('aria-valuenow', String(to));
  }

  private drag(): void {
    this.grip.addEventListener('keydown', (e) => {
      const by = e.key === 'ArrowUp' ? 24 : e.key === 'ArrowDown' ? -24 : 0;
      if (!by) return;
      e.preventDefault();
      this.resize(this.root.offsetHeight + by);
    });
    this.grip.addEventListener('pointerdown', (e) => {
      this.grip.setPointerCapture(e.pointerId);
      const from = this.root.offsetHeight + e.clientY;
      const move = (m: PointerEvent) => this.resize(from - m.clientY);
      this.grip.addEventListener('pointermove', move);
      this.grip.addEventListener('pointerup', () => this.grip.removeEventListener('pointermove', move), { once: true });
    });
  }
}
