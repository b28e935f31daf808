// SPDX-License-Identifier: MIT
// bar.ts - the toolbar, the heads of panels, and their menus.

import type { App } from './app';
import { cut, el, fillWith, need } from './el';
import { hint, shown, KEYS } from './keys';
import { Item } from './layer';
import { Line } from './rows';
import { Timeline } from './timeline';
import { counted, span, toTime } from './time';
import { Type } from './trace';
import { COLOURS, MODE_NAMES, PanelMode, SORTS } from './view';

export const SORT_NAMES: Record<string, string> = { order: 'order of the trace', name: 'name', first: 'first activity in the window', time: 'time of the highlighted value' };

export class Bar {
  search = el('input', { type: 'search', class: 'search', placeholder: 'Search   /', 'aria-label': 'Search rows, labels and findings' });
  private findings = el('button', { onclick: () => this.app.dock.open('findings', true) });
  private title = el('button', { class: 'trace', 'aria-haspopup': 'menu', onclick: (e: MouseEvent) => this.traceMenu(e) });
  private reading = el('progress', { max: 1000, 'aria-label': 'How much of the trace is read', hidden: true });
  private followed = el('button', { title: `Follow the end of the trace (${hint('follow')})`, hidden: true, onclick: () => this.app.act('follow') }, 'follow');
  private banner = need<HTMLElement>('banner');
  said = ''; // the sentence in the banner

  constructor(private app: App, root: HTMLElement) {
    const button = (text: string, label: string, run: (e: MouseEvent) => void, menu = false) =>
      el('button', { title: label, 'aria-label': label, 'aria-haspopup': menu ? 'menu' : undefined, onclick: run }, text);
    root.append(
      this.title,
      this.reading,
      this.followed,
      button('+ panel', 'Add a panel', (e) => this.addMenu(e), true),
      el('span', { class: 'gap' }),
      el('span', { class: 'buttons' },
        button('\u2212', `Zoom out (${hint('zoomOut')})`, () => app.act('zoomOut')),
        button('+', `Zoom in (${hint('zoomIn')})`, () => app.act('zoomIn')),
        button('\u2194', `Whole trace (${hint('whole')})`, () => app.act('whole')),
        button('\u21b6', `Previous view (${hint('back')})`, () => app.act('back')),
        button('\u21b7', `Next view (${hint('forward')})`, () => app.act('forward'))),
      el('span', { class: 'grow' }),
      this.search,
      this.findings,
      button('Export', 'Export pictures, tables and commands', (e) => this.exportMenu(e), true),
      button('View', 'Colours, theme and what is shown', (e) => this.viewMenu(e), true),
      button('?', 'Keys (?)', () => app.act('help')),
    );
    this.search.addEventListener('keydown', (e) => {
      if (e.key === 'Enter') app.act(e.shiftKey ? 'previousHit' : 'searchNow');
      else if (e.key === 'Escape') app.panel?.plot.focus();
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
    this.search.addEventListener('input', () => app.dock.search(this.search.value));
  }

  draw(): void {
    const { app } = this;
    const { meta } = app.trace;
    document.title = `${meta.name} - Weft`;
    this.reading.hidden = meta.state !== 'building';
    this.reading.value = app.growth.done;
    this.followed.hidden = meta.state !== 'live';
    this.followed.setAttribute('aria-pressed', String(app.follow));
    const state = meta.state === 'live' ? ' \u00b7 live' : meta.state === 'building' ? ` \u00b7 being read${app.growth.done ? ` ${Math.floor(app.growth.done / 10)}\u00a0%` : ''}` : '';
    this.title.textContent = cut(meta.name, 40) + state + ' \u25be';
    const all = Number(meta.findings);
    this.findings.hidden = all === 0;
    const worst = app.findings.some((f) => f.severity === 'error') ? 'error' : app.findings.some((f) => f.severity === 'warning') ? 'warning' : 'note';
    fillWith(this.findings, el('span', { class: 'dot ' + worst, 'aria-hidden': 'true' }), `${all} finding${all === 1 ? '' : 's'}`);
    for (const p of app.panels) this.panelHead(p);
  }

  // Shows a sentence above the panels until the user closes it.
  say(text: string, ...more: Node[]): void {
    this.said = text;
    fillWith(this.banner, el('span', {}, text), ...more,
      el('button', { class: 'icon', 'aria-label': 'Close', onclick: () => this.hush() }, '\u00d7'));
    this.banner.hidden = false;
  }

  hush(): void {
    this.said = '';
    this.banner.hidden = true;
  }

  trouble(text: string): void {
    if (text && text !== this.said) this.say(text);
  }

  panelHead(panel: Timeline): void {
    const { app } = this;
    const type = el('button', { class: 'type', 'aria-haspopup': 'menu', title: panel.type.info.key,
      onclick: (e: MouseEvent) => this.typeMenu(e, (t) => void app.setType(panel, t), panel.type) }, panel.type.info.title, ' \u25be');
    const mode = el('button', { class: 'mode', 'aria-haspopup': 'menu', title: `How a column is drawn (${hint('drawMode')})`,
      onclick: (e: MouseEvent) => this.modeMenu(e, panel) }, MODE_NAMES[panel.mode] + (panel.state.log ? ', log' : ''), ' \u25be');
    fillWith(panel.head, type, el('span', { class: 'class' }, `${panel.tree?.all ?? ''} ${panel.type.info.class}${panel.tree?.all === 1 ? '' : 's'}`),
      panel.coarse > 0 && el('span', { class: 'class' }, `group columns of ${span((BigInt(app.scale.w) & -BigInt(app.scale.w)) << BigInt(Math.min(60, panel.coarse)), app.trace.unit)}`), el('span', { class: 'grow' }), mode,
      app.panels.length > 1 && el('button', { class: 'icon', 'aria-label': 'Close the panel', title: 'Close the panel', onclick: () => app.removePanel(panel) }, '\u00d7'));
  }

  private below(e: MouseEvent): [number, number] {
    const box = (e.currentTarget as HTMLElement).getBoundingClientRect();
    return [box.left, box.bottom + 2];
  }

  private typeItems(run: (t: Type) => void, now?: Type): Item[] {
    const out: Item[] = [];
    let cls = '';
    for (const t of [...this.app.trace.types].sort((a, b) => a.info.class.localeCompare(b.info.class) || a.info.type - b.info.type)) {
      if (t.info.class !== cls) out.push({ text: t.info.class, off: true, rule: out.length > 0 });
      cls = t.info.class;
      out.push({ text: cut(t.info.title, 90), checked: t === now, hint: t.isState ? `${t.info.labels} value${t.info.labels === 1 ? '' : 's'}` : t.info.kind, run: () => run(t) });
    }
    return out;
  }

  typeMenu(e: MouseEvent, run: (t: Type) => void, now?: Type): void {
    this.app.layer.menu(...this.below(e), this.typeItems(run, now), 'What the rows show');
  }

  private addMenu(e: MouseEvent): void {
    const { app } = this;
    const open = (t: Type) => {
      const p = app.addPanel(t);
      for (const x of app.panels) this.panelHead(x);
      app.relayout();
      void p.load();
      app.dock.changed('panels');
    };
    const views: Item[] = app.trace.meta.panels.map((p) => ({
      text: cut(p.title, 80), hint: p.class + (p.types.length > 1 ? `, ${p.types.length} panels` : ''),
      run: () => p.types.forEach((n) => {
        const t = app.trace.byNumber(n);
        if (t && !app.panels.some((x) => x.type === t)) open(t);
      }),
    }));
    const items = this.typeItems(open);
    if (views.length) items.unshift({ text: 'views of the models', off: true }, ...views);
    app.layer.menu(...this.below(e), items, 'Add a panel');
  }

  private modeMenu(e: MouseEvent, panel: Timeline): void {
    const { app } = this;
    const items: Item[] = panel.modes().map((m) => ({ text: MODE_NAMES[m], checked: m === panel.mode, run: () => this.setMode(panel, m) }));
    if (panel.type.info.kind === 'number') items.push({ text: 'logarithmic scale', rule: true, checked: panel.state.log, hint: hint('logScale'), run: () => app.act('logScale', panel) });
    items.push({ text: 'taller rows', rule: true, hint: hint('taller'), run: () => app.act('taller', panel) }, { text: 'lower rows', hint: hint('lower'), run: () => app.act('lower', panel) },
      { text: 'rows that fit', run: () => ((panel.state.height = 0), app.relayout()) });
    app.layer.menu(...this.below(e), items, 'How a column is drawn');
  }

  setMode(panel: Timeline, m: PanelMode): void {
    panel.state.mode = m;
    this.panelHead(panel);
    this.app.say(`Columns show: ${MODE_NAMES[m]}`);
    this.app.relayout();
  }

  private exportMenu(e: MouseEvent): void {
    const [x, y] = this.below(e);
    this.app.steps++;
    import('./later.js').then((m) => m.exportMenu(this.app, x, y), () => this.say('Nothing can be exported: the server does not answer.')).finally(() => this.app.steps--);
  }

  private traceMenu(e: MouseEvent): void {
    const { app } = this;
    const { meta } = app.trace;
    const info = [`${meta.title}`, `${counted(Number(meta.records), 'record')}, ${counted(meta.types.length, 'type')}, weft ${meta.version}`,
      ...meta.classes.map((c) => `${counted(c.rows, 'row')} of class ${c.class}`), ...(Number(meta.links) ? [counted(Number(meta.links), 'link')] : [])];
    const others = app.others.filter((t) => t.trace !== meta.trace);
    app.layer.menu(...this.below(e), [...info.map((text) => ({ text, off: true })),
      ...others.map((t, i) => ({ text: t.name, rule: i === 0, run: () => {
        app.flush();
        location.hash = '#a=1;t=' + t.trace;
        app.reload();
      } }))], 'Trace');
  }

  private viewMenu(e: MouseEvent): void {
    const { app } = this;
    const items: Item[] = COLOURS.map((c) => ({ text: { own: 'colours of the model', plain: 'colours in order of appearance', distinct: 'colours that differ most', patterns: 'colours and patterns' }[c], checked: app.colours === c, hint: c === 'own' ? hint('colours') : '', run: () => app.setColours(c) }));
    items.push(
      { text: 'light', rule: true, checked: app.theme === 'light', run: () => app.setTheme('light') },
      { text: 'dark', checked: app.theme === 'dark', run: () => app.setTheme('dark') },
      { text: 'overview', rule: true, checked: !app.hideMap, hint: hint('minimap'), run: () => app.act('minimap') },
      { text: 'dock', checked: app.state.tab !== '', hint: hint('dock'), run: () => app.act('dock') },
      { text: 'links', checked: app.links.shown, hint: hint('links'), run: () => app.act('links') },
      { text: 'wheel scrolls, Ctrl+wheel zooms', rule: true, checked: app.wheelScrolls, run: () => (app.wheelScrolls = !app.wheelScrolls) },
      { text: 'keys of a single letter', checked: app.letters, run: () => (app.letters = !app.letters) },
      { text: 'rows: sort, filter, hidden', rule: true, hint: hint('rowsMenu'), run: () => app.act('rowsMenu') },
    );
    app.layer.menu(...this.below(e), items, 'View');
  }

  rowsDialog(): void {
    const { app } = this;
    const filter = el('input', { type: 'text', value: app.filter, 'aria-label': 'Only rows with this text', oninput: () => {
      app.filter = filter.value;
      app.relayout();
      for (const p of app.panels) if (p.tree?.partial && app.filter) void app.trace.loadNamed(p.tree, app.filter).then(() => app.relayout());
    } });
    const sort = el('select', { 'aria-label': 'Sort', onchange: () => app.act('sort', undefined, sort.value) },
      SORTS.map((s) => el('option', { value: s, selected: s === app.state.sort }, SORT_NAMES[s])));
    app.layer.dialog('Rows',
      el('label', {}, 'only rows with this text ', filter), el('label', {}, 'sort by ', sort),
      el('p', {}, `${app.state.hidden.length} hidden, ${app.state.pins.length} pinned on top. `,
        el('button', { disabled: app.state.hidden.length === 0, onclick: () => ((app.state.hidden = []), app.relayout(), app.layer.close()) }, 'Show hidden rows'), ' ',
        el('button', { disabled: app.state.pins.length === 0, onclick: () => ((app.state.pins = []), app.relayout(), app.layer.close()) }, 'Unpin all rows')));
  }

  rowMenu(panel: Timeline, line: Line, x: number, y: number): void {
    const { app } = this;
    const is = (act: string) => ({ hint: hint(act), run: () => app.act(act, panel) });
    app.layer.menu(x, y, [
      { text: line.folded ? 'open the group' : 'fold the group', ...is('fold'), off: !panel.tree?.groupOf(line) },
      { text: app.state.pins.includes(line.hash) ? 'unpin' : 'pin on top', ...is('pinRow') },
      { text: 'hide', ...is('hideRow') },
      { text: 'rows: sort, filter, hidden', rule: true, ...is('rowsMenu') },
      { text: 'copy the name', run: () => void navigator.clipboard?.writeText(line.name) },
    ], line.name);
  }

  intervalMenu(x: number, y: number, t: bigint): void {
    const { app } = this;
    const f = app.focus;
    if (!f?.at) return;
    const { panel, at } = f;
    const is = (act: string) => ({ hint: hint(act), run: () => app.act(act, panel) });
    const cls = at.class;
    app.layer.menu(x, y, [
      { text: cut(app.labelOf(panel.type, at), 60), off: true },
      { text: 'highlight this value', run: () => cls !== null && app.hot.toggle(panel.type, cls), off: !panel.type.isState || cls === null },
      { text: 'previous of this value', ...is('previousSame'), rule: true },
      { text: 'next of this value', ...is('nextSame') },
      { text: 'zoom to it', hint: hint('fitSelection'), run: () => app.showTime(toTime(at.from), toTime(at.to), 1 / 3) },
      { text: 'select its time', ...is('selectInterval') },
      { text: 'only rows with this value', rule: true, run: () => app.act('rowsWith', panel), off: !panel.type.isState },
      { text: 'hide the row', ...is('hideRow') },
      { text: 'mark this time', hint: hint('mark'), run: () => app.act('markAt', panel, t.toString()) },
      { text: 'copy as text', ...is('copy') },
    ], 'Interval');
  }

  help(): void {
    const groups = [...new Set(KEYS.map((k) => k.group))];
    this.app.layer.dialog('Keys', el('div', { class: 'keys' }, groups.map((g) => el('section', {}, el('h3', {}, g),
      el('dl', {}, KEYS.filter((k) => k.group === g).flatMap((k) => [
        el('dt', {}, k.keys.length > 4 ? [el('kbd', {}, shown(k.keys[0]!)), '\u2026', el('kbd', {}, shown(k.keys[k.keys.length - 1]!))] : k.keys.map((n) => el('kbd', {}, shown(n)))),
        el('dd', {}, k.help)]))))),
      el('p', { class: 'dim' }, 'Mouse: the wheel zooms, Shift+wheel moves; a drag selects a time (with Alt only the rows under it), a drag with Shift or the middle button moves, a drag on the axis zooms; a click shows details, a double click zooms to the interval.'));
  }
}
