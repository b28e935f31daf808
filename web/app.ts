// SPDX-License-Identifier: MIT
// app.ts - the open trace, the window of time, and what is selected, focused and
// under the pointer. All parts of the page draw from this state; every change
// requests a frame.

import { Axis } from './axis';
import { Bar } from './bar';
import { Dock } from './dock';
import { need, visible } from './el';
import { Go } from './go';
import { Growth } from './grow';
import { Hot } from './hot';
import { Hover } from './hover';
import { fit, MIN_STEP, pixelOf, scale, Scale, timeOf, zoomed } from './ladder';
import { Layer } from './layer';
import { Minimap } from './minimap';
import { At, Finding, LinkInfo, Net, Refused, Step, TraceInfo } from './net';
import { Links } from './links';
import { Line, Look } from './rows';
import { TileStore } from './store';
import { Spot, Timeline } from './timeline';
import { counted, grouped, span, toTime } from './time';
import { opening, Theme, Trace, Type } from './trace';
import { Colours, isRanked, PanelState, read, State, write } from './view';

function blankPanel(t: Type): PanelState {
  return { type: t.key, mode: t.info.kind === 'number' ? 'band' : 'share', height: 0, log: false, over: [] };
}

export interface Focus {
  panel: Timeline;
  hash: string;
  line: Line;
  at: At | null;
}

export class App {
  store: TileStore;
  scale: Scale = scale(0);
  left = 0n; // device pixels
  plot = 1000; // width of the plots, device pixels
  dpr = 1;
  rem = 1; // size of the text, relative to the usual size
  namesWidth = 176; // CSS pixels
  panels: Timeline[] = [];
  state: State;
  theme: Theme = 'light';
  hover: Spot | null = null;
  focus: Focus | null = null;
  links = new Links(this);
  go = new Go(this);
  growth = new Growth(this);
  hot = new Hot(this);
  picked: LinkInfo[] = []; // links of the focused interval
  findings: Finding[] = [];
  hideMap = false;
  wheelScrolls = false;
  letters = true; // keys of a single letter are active
  space = false;
  others: TraceInfo[] = []; // all traces of this server
  filter = '';
  rank: Map<number, number> | null = null; // orders of rows, for sorting
  cancels: (() => boolean)[] = [];
  act: (action: string, panel?: Timeline, key?: string) => void = () => {};
  axis: Axis;
  minimap: Minimap;
  bar: Bar;
  dock: Dock;
  tip: Hover;
  layer = new Layer();
  drawn: () => void = () => {}; // told after each frame
  frames: number[] = []; // times of the last frames in ms, for tests
  restMs = 80; // request the tiles this long after the last input
  follow = false;
  focusTime: bigint | null = null; // where steps between marks begin
  whole = true; // the window is the whole trace
  private leaving = false; // the page is being loaded anew
  private framed = true; // a frame is requested, or would show nothing yet
  private lastInput = 0;
  private wheelSum = 0;
  private anchor: { here: string; time: bigint; fine: boolean } | null = null; // the time that successive zooms keep in place
  private sizes: ResizeObserver;
  private styles = new Map<string, string>();
  private saved = '';
  private saver = 0;

  constructor(readonly net: Net, public trace: Trace, state: State) {
    this.state = state;
    this.store = new TileStore(net, () => this.touch());
    this.follow = trace.meta.state === 'live';
    this.axis = new Axis(this, need('axis'));
    this.minimap = new Minimap(this, need('overview'));
    this.bar = new Bar(this, need('bar'));
    this.dock = new Dock(this, need('dock'), need('grip'));
    this.tip = new Hover(this, need('tip'));
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(need('panels'));
    window.addEventListener('popstate', () => this.apply(read(location.hash)));
    window.addEventListener('hashchange', () => location.hash !== this.saved && this.apply(read(location.hash)));
  }

  async start(): Promise<void> {
    this.openPanels();
    this.resized();
    this.restoreWindow();
    void this.loadFindings();
    await Promise.all(this.panels.map((p) => p.load()));
    this.hot.restore();
    // Asks for tiles at once, before the browser lays out the page.
    this.lastInput = 0;
    this.frame();
  }

  async loadFindings(): Promise<void> {
    const { findings } = await this.net.json<{ findings: Finding[] }>('findings');
    this.findings = this.minimap.findings = findings;
    this.bar.draw();
    this.dock.changed('findings');
    this.touch();
  }

  // ---- panels

  openPanels(): void {
    const unknown = this.state.panels.filter((p) => !this.trace.type(p.type));
    if (unknown.length) this.bar.say(`The trace has no type ${unknown.map((p) => p.type.slice(0, 80)).join(', ')}.`);
    this.state.panels = this.state.panels.filter((p) => !unknown.includes(p));
    const { classes, panels } = this.trace.meta;
    const t = opening(this.trace.types, panels[0]?.types[0], classes.filter((c) => c.rows > 0).map((c) => c.class));
    if (this.state.panels.length === 0 && t) this.state.panels = [blankPanel(t)];
    for (const p of this.state.panels) this.addPanel(this.trace.type(p.type)!, p);
    this.bar.draw();
  }

  addPanel(t: Type, state?: PanelState): Timeline {
    const is = state ?? blankPanel(t);
    if (!state) this.state.panels.push(is);
    const panel = new Timeline(this, is, t);
    this.panels.push(panel);
    this.sizes.observe(panel.scroll);
    need('panels').append(panel.root);
    this.bar.panelHead(panel);
    return panel;
  }

  removePanel(panel: Timeline): void {
    if (this.panels.length < 2) return;
    this.panels = this.panels.filter((p) => p !== panel);
    this.state.panels = this.state.panels.filter((p) => p !== panel.state);
    this.sizes.unobserve(panel.scroll);
    panel.root.remove();
    if (this.focus?.panel === panel) this.focus = null;
    this.hover = null;
    for (const p of this.panels) this.bar.panelHead(p);
    this.relayout();
    this.dock.changed('panels');
  }

  // Shows another type in a panel.
  async setType(panel: Timeline, t: Type): Promise<void> {
    panel.type = t;
    panel.state.type = t.key;
    panel.state.mode = panel.modes().includes(panel.state.mode) ? panel.state.mode : panel.modes()[0]!;
    panel.root.setAttribute('aria-label', t.info.title);
    if (this.focus?.panel === panel) this.focus = null;
    await panel.load();
    this.bar.panelHead(panel);
    this.dock.changed('panels');
  }

  // The panel to which keys apply.
  get panel(): Timeline {
    return this.focus?.panel ?? this.hover?.panel ?? this.panels[0]!;
  }

  lookOf(_: Type): Look {
    const { folds, pins, hidden, sort } = this.state;
    return { folds, pins, hidden, filter: this.filter, sort, rank: this.rank };
  }

  // ---- window

  get from(): bigint {
    const t = timeOf(this.left, this.scale);
    return t < 0n ? 0n : t;
  }

  get to(): bigint {
    const t = timeOf(this.left + BigInt(this.plot) + BigInt(this.scale.k) - 1n, this.scale);
    return t > this.trace.end ? this.trace.end : t;
  }

  // Returns the device pixel of a time, limited to what a canvas can draw.
  xOf(t: bigint): number {
    const x = pixelOf(t, this.scale) - this.left;
    return x < -100000n ? -100000 : x > 100000n ? 100000 : Number(x);
  }

  get wholeScale(): Scale {
    return fit(this.trace.end || 1n, this.plot);
  }

  goWindow(s: Scale, left: bigint): void {
    const most = this.wholeScale;
    const to = s.step > most.step ? most : s;
    if (to !== s) left = 0n;
    // Up to a fifth of the window may lie after the end of the trace, as in the
    // view of the whole trace; so a zoom can keep the time under the pointer.
    const end = pixelOf(this.trace.end, to) + 1n - BigInt(Math.floor(this.plot * 0.8));
    if (left > end) left = end;
    if (left < 0n) left = 0n;
    this.whole = to.step === most.step;
    if (to.step !== this.scale.step) this.lastInput = performance.now();
    this.scale = to;
    this.left = left;
    this.save();
    this.touch();
    this.dock.changed('window');
  }

  // Zooms by steps of the ladder; negative zooms in. The time under the pixel
  // stays there.
  zoom(steps: number, at: number): void {
    const to = scale(Math.max(MIN_STEP, this.scale.step + steps));
    const here = `${at} ${this.left} ${this.scale.step}`;
    // While the pointer rests, every zoom uses the same time: otherwise the
    // rounding to whole columns would add up.
    if (this.anchor?.here !== here) {
      const start = timeOf(this.left + BigInt(at), this.scale);
      this.anchor = { here, time: start + BigInt(Math.floor(this.scale.w / 2)), fine: this.scale.k > 1 };
    }
    const { time, fine } = this.anchor;
    this.follow = false;
    this.goWindow(to, fine ? zoomed(this.left, at, this.scale, to) : pixelOf(time, to) + BigInt(to.k >> 1) - BigInt(at));
    this.anchor = { here: `${at} ${this.left} ${this.scale.step}`, time, fine };
  }

  // A notch of a wheel is a step; the small steps of a trackpad add up.
  wheel(delta: number, at: number, pinch: boolean): void {
    this.wheelSum += delta;
    const notch = pinch ? 12 : 50;
    if (Math.abs(this.wheelSum) < notch && Math.abs(delta) < 50) return;
    this.zoom(this.wheelSum < 0 ? -1 : 1, at);
    this.wheelSum = 0;
  }

  pan(pixels: number): void {
    this.follow = false;
    this.goWindow(this.scale, this.left + BigInt(pixels));
  }

  showWhole(): void {
    this.follow = this.trace.meta.state === 'live';
    this.goWindow(this.wholeScale, 0n);
  }

  // Shows [from, to) in `part` of the window's width.
  showTime(from: bigint, to: bigint, part = 1): void {
    const length = to - from > 0n ? to - from : 1n;
    const s = fit(BigInt(Math.ceil(Number(length) / part)), this.plot);
    const wide = Number(pixelOf(to, s) - pixelOf(from, s));
    this.follow = false;
    this.goWindow(s, pixelOf(from, s) - BigInt(Math.max(0, Math.floor((this.plot - wide) / 2))));
  }

  centre(t: bigint): void {
    this.goWindow(this.scale, pixelOf(t, this.scale) - BigInt(this.plot >> 1));
  }

  // Moves the window so that it contains a time.
  reveal(t: bigint): void {
    if (t >= this.from && t < this.to) return;
    this.centre(t);
  }

  resized(): void {
    const scroller = this.panels[0]?.scroll;
    if (!scroller) return;
    this.dpr = this.pixelRatio;
    this.rem = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;
    this.namesWidth = this.panels[0]!.names.root.offsetWidth;
    const plot = Math.max(64, Math.floor((scroller.clientWidth - this.namesWidth) * this.dpr));
    if (plot !== this.plot) {
      this.plot = plot;
      if (this.whole) this.goWindow(this.wholeScale, 0n);
      else this.goWindow(this.scale, this.left);
    }
    this.relayout();
  }

  relayout(): void {
    for (const p of this.panels) p.prepare();
    // The panels get only the height that their rows need; the tables get the
    // rest.
    const most = this.panels.reduce((sum, p) => sum + p.most + 1, 0);
    need<HTMLElement>('panels').style.maxHeight = most < Infinity && this.state.tab !== '' ? most + 'px' : '';
    for (const p of this.panels) p.layout();
    this.save();
    this.touch();
  }

  // The pixels of a column are divided by this, for pictures with fine columns.
  density = 1;

  private get pixelRatio(): number {
    return (window.devicePixelRatio || 1) * this.density;
  }

  setDensity(n: number): void {
    this.density = n;
    this.resized();
  }

  // ---- frames

  get rest(): boolean {
    return performance.now() - this.lastInput >= this.restMs;
  }

  touch(): void {
    if (this.framed) return;
    this.framed = true;
    requestAnimationFrame(() => this.frame());
  }

  private frame(): void {
    this.framed = false;
    const start = performance.now();
    // On another screen, the window may keep its size in CSS pixels.
    if (this.dpr !== this.pixelRatio) this.resized();
    if (this.rest) this.styles.clear(); // not while the wheel turns: to compute styles takes long
    this.store.begin();
    for (const p of this.panels) p.draw();
    this.minimap.draw();
    this.axis.draw();
    this.tip.draw();
    if (this.rest) {
      this.store.send();
      this.links.load();
    } else setTimeout(() => this.touch(), this.restMs);
    this.bar.trouble(this.store.error);
    this.drawn();
    this.frames.push(performance.now() - start);
    if (this.frames.length > 1000) this.frames.shift();
  }

  opened = false; // set once all that the page opens with is there
  steps = 0; // steps of the focus that are under way (actions.ts)

  // Returns true if nothing moves and no answer is awaited. The rows of a panel
  // are awaited also while a busy server wants them asked again later.
  get quiet(): boolean {
    return this.opened && !this.leaving && this.panels.every((p) => p.tree) && !this.framed && this.rest && this.net.asked === 0 && !this.store.busy && !this.dock.busy && this.steps === 0;
  }

  css(name: string): string {
    let v = this.styles.get(name);
    if (v === undefined) this.styles.set(name, (v = getComputedStyle(document.documentElement).getPropertyValue(name).trim()));
    return v;
  }

  get colours(): Colours {
    return this.state.colours || 'own';
  }

  private loadRanks(): void {
    for (const p of isRanked(this.colours) ? this.panels : []) void this.trace.loadRank(p.type).then(() => (this.touch(), this.dock.changed('colours'))).catch(() => {});
  }

  setColours(c: Colours): void {
    this.state.colours = c;
    this.loadRanks();
    this.dock.changed('colours');
    this.save();
    this.touch();
  }

  setTheme(t: Theme): void {
    this.theme = t;
    document.documentElement.dataset['theme'] = t;
    this.loadRanks();
    this.dock.changed('colours');
    this.touch();
  }

  say(text: string): void {
    need('live').textContent = text;
  }

  // ---- selection

  select(s: State['select'], done = true): void {
    if (s) {
      const clamp = (t: bigint) => (t < 0n ? 0n : t > this.trace.end ? this.trace.end : t);
      const [a, b] = [clamp(s.from), clamp(s.to)];
      s = a === b ? null : { from: a < b ? a : b, to: a < b ? b : a, rows: s.rows };
    }
    this.state.select = s;
    this.save();
    this.touch();
    if (done) this.selected();
  }

  // A picture shows borders only to the precision of a column. Moves the edges
  // of the selection to the exact borders of intervals that are within `near`
  // pixels.
  async snapExactly(panel: Timeline, lines: (Line | null)[], near: number): Promise<void> {
    const s = this.state.select;
    if (s && near > 0) {
      const to = await Promise.all([s.from, s.to].map(async (edge) => {
        let best = edge;
        let least = near;
        for (const line of new Set(lines)) {
          const at = line && (await this.at(panel, line, edge < this.trace.end ? edge : this.trace.end - 1n));
          for (const border of at && Number(at.number) > 0 ? [toTime(at.from), toTime(at.to)] : []) {
            const far = Math.abs(this.xOf(border) - this.xOf(edge));
            if (far <= least && border !== this.trace.end) [best, least] = [border, far];
          }
        }
        return best;
      }));
      if (this.state.select === s && to[0]! < to[1]!) this.select({ ...s, from: to[0]!, to: to[1]! }, false);
    }
    this.selected();
  }

  selected(): void {
    const s = this.state.select;
    this.dock.changed('select');
    this.save();
    if (s) this.say(`Selected ${span(s.to - s.from, this.trace.unit)} from ${span(s.from, this.trace.unit)}.`);
  }

  // Returns the rows of a class that the selection covers; null: all.
  selectedRows(panel: Timeline): number[] | null {
    const s = this.state.select;
    if (!s || s.rows.length === 0 || !panel.tree) return null;
    return panel.lines.filter((l) => s.rows.includes(l.hash)).flatMap((l) => panel.tree!.members(l));
  }

  // ---- focus and pointer

  hoverAt(spot: Spot | null, e?: { clientX: number; clientY: number }): void {
    this.hover = spot;
    this.tip.at(spot, e);
    this.touch();
  }

  async at(panel: Timeline, line: Line, t: bigint): Promise<At | null> {
    if (line.row === null || line.group !== null) return null;
    // A report contains no single intervals.
    return this.net.json<At>('at', { type: panel.type.info.type, row: line.row, t, lane: line.lane || undefined }).catch((e) => {
      if (e instanceof Refused && e.status === 404) return null;
      throw e;
    });
  }

  focusRow(panel: Timeline, line: Line): void {
    this.focus = { panel, hash: line.hash, line, at: null };
    panel.plot.focus({ preventScroll: true });
    this.say(`${line.name}, ${line.group !== null ? `group of ${counted(line.rows, 'row')}` : 'row'}`);
    this.touch();
  }

  setFocus(panel: Timeline, line: Line, at: At | null): void {
    this.focus = { panel, hash: line.hash, line, at };
    this.picked = [];
    if (at) {
      const of = this.trace.unit;
      this.say(`${line.name}, ${this.labelOf(panel.type, at)}, from ${span(toTime(at.from), of)} for ${span(toTime(at.to) - toTime(at.from), of)}, ${this.numberOf(at)}`);
    }
    this.dock.changed('focus');
    this.touch();
  }

  labelOf(t: Type, i: { value: string | number | null; label: string | null }): string {
    return i.label === null ? t.name(i.value) : visible(i.label);
  }

  step(panel: Timeline, rows: string, t: bigint, dir: 'next' | 'prev', more: Record<string, string | number | undefined> = {}): Promise<Step> {
    return this.net.json<Step>('step', { type: panel.type.info.type, rows, t, dir, ...more });
  }

  rowMenu(panel: Timeline, line: Line, x: number, y: number): void {
    this.focusRow(panel, line);
    this.bar.rowMenu(panel, line, x, y);
  }

  fold(panel: Timeline, line: Line): void {
    const h = panel.tree?.groupOf(line);
    if (!h) return;
    this.toggle('folds', h);
    const now = panel.lines.find((l) => l.group !== null && l.hash === h && !l.pinned);
    this.say(`${now?.name ?? line.name} ${now?.folded ? 'folded' : 'opened'}`);
  }

  // Returns which interval of its row it is, in words.
  numberOf(at: At): string {
    if (Number(at.all) === 0) return 'no record';
    return Number(at.number) === 0 ? 'before the first record' : `${grouped(Number(at.number))} of ${grouped(Number(at.all))}`;
  }

  toggle(which: 'folds' | 'pins' | 'hidden', h: string): void {
    const list = this.state[which];
    this.state[which] = list.includes(h) ? list.filter((x) => x !== h) : [...list, h];
    this.relayout();
  }

  // ---- address

  save(): void {
    clearTimeout(this.saver);
    this.saver = window.setTimeout(() => this.saveNow(), 350);
  }

  address(): string {
    this.state.from = this.whole ? 0n : this.from;
    this.state.length = this.whole ? 0n : timeOf(BigInt(this.plot), this.scale);
    return write(this.state);
  }

  // Adds the window to the browser's history once it rests.
  private saveNow(): void {
    const hash = this.address();
    if (hash === this.saved) return;
    // What can be undone: window, panels, folds, pins, hidden rows, order.
    const undone = (text: string) => text.replace(/^#/, '').split(';').filter((part) => /^[xprioy]=/.test(part)).join(';');
    const moved = undone(hash) !== undone(this.saved);
    const first = this.saved === '';
    this.saved = hash;
    const depth = (history.state?.depth ?? 0) + (moved && !first ? 1 : 0);
    if (moved && !first) history.pushState({ depth }, '', hash);
    else history.replaceState({ depth }, '', hash);
  }

  flush(): void {
    clearTimeout(this.saver);
    this.saveNow();
  }

  private restoreWindow(): void {
    if (this.state.select) this.select(this.state.select, false);
    const out = this.state.length > 0n && this.state.from >= this.trace.end;
    if (out) this.bar.say('The window of the address lies outside of the trace: this is the whole trace.');
    if (this.state.length <= 0n || out) return this.showWhole();
    const s = fit(this.state.length, this.plot);
    this.goWindow(s, pixelOf(this.state.from, s));
  }

  // Loads the page anew, once: a change of the address is two events.
  reload(): void {
    if (this.leaving) return;
    location.reload();
    this.leaving = true;
  }

  // Applies the state of an address, from the browser's history or typed.
  apply({ state, trouble }: { state: State; trouble: string }): void {
    // The address of another trace, before or after which this one was opened.
    if ((state.trace || '0') !== (this.state.trace || '0')) return this.reload();
    if (trouble) this.bar.say(trouble);
    this.saved = location.hash;
    const types = (s: State) => s.panels.map((p) => p.type).join();
    const same = types(state) === types(this.state) || state.panels.length === 0;
    const panels = this.state.panels;
    this.state = state;
    if (same) this.state.panels = state.panels.length ? state.panels : panels;
    if (!same) {
      for (const p of this.panels) p.root.remove();
      this.panels = [];
      this.focus = this.hover = null;
      this.openPanels();
      void Promise.all(this.panels.map((p) => p.load())).then(() => this.hot.restore());
    } else this.panels.forEach((p, i) => (p.state = this.state.panels[i]!));
    this.restoreWindow();
    this.hot.restore();
    this.relayout();
    this.bar.draw();
    this.dock.changed('all');
    clearTimeout(this.saver);
    this.saved = this.address();
  }
}
