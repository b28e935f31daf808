// SPDX-License-Identifier: MIT
// timeline.ts - a panel: the rows of a class over time, for one type.
//
// Lines of up to 32 rows and 256 columns are painted into a canvas each, once,
// and a frame only copies those. All heights are device pixels.

import { inWords } from './alt';
import type { App } from './app';
import { pixel, rgb } from './colour';
import { el, sized } from './el';
import { Names } from './names';
import { drawOverlay } from './overlay';
import { busiest, Image, Ink, NUMBER_MODES, Mode, paintArea, paintRow, paintStretched, rect, STATE_MODES } from './paint';
import { listen } from './pointer';
import { floorDiv, timeOf } from './ladder';
import { Legend } from './legend';
import { Line, RowTree } from './rows';
import { Entry, Want } from './store';
import { counted } from './time';
import { COLUMNS, FINE, Kind, Row } from './tile';
import { Type } from './trace';
import { isRanked, PanelMode, PanelState } from './view';

const BLOCK = 32;
const PAINT_MS = 4; // time that a frame may spend on painting
const MOST_PAINTED = 160; // pictures of tiles that are kept
const GROUP_PX = 16; // minimum height of a group, in CSS pixels and in device pixels: each of 15 quanta has a pixel
const QUANTA = [15, 63, 255, FINE];

interface Block {
  first: number;
  last: number; // position after the last line
  pinned: boolean;
}

interface Painted {
  canvas: HTMLCanvasElement;
  rows: (Row | undefined)[];
  look: number;
  store: number; // number of answers when it was painted, if a row was missing
  complete: boolean;
  used: number;
}

export interface Spot {
  panel: Timeline;
  index: number; // index of the line; -1: none
  line: Line | null;
  pixel: number; // device pixels from the left of the plot
  time: bigint;
}

export class Timeline {
  root: HTMLElement;
  head = el('div', { class: 'head' });
  scroll: HTMLElement;
  plot: HTMLElement;
  canvas = el('canvas', { class: 'main', role: 'img' });
  overlay = el('canvas', { class: 'over', 'aria-hidden': 'true' });
  note = el('p', { class: 'empty', hidden: true });
  names: Names;
  legend: Legend;
  tree: RowTree | null = null;
  lines: Line[] = [];
  tops: number[] = [0]; // top of each line, and the end of the last line
  private base = 1; // height of a row
  pinsEnd = 0; // device pixels that pinned rows take
  most = Infinity; // CSS pixels that the panel can use
  where: (row: number) => number | undefined = () => undefined; // the line that shows a row, or its folded group
  private loading = false;
  coarse = 0; // largest `coarse` of the rows drawn so far: see tile.ts
  low = 0;
  high = 1;
  step = 1; // step of a breakdown's scale, in rows
  private blocks: Block[] = [];
  private cache = new Map<string, Painted>();
  private spare = new Map<number, HTMLCanvasElement[]>(); // by height: to make a canvas takes longer than to fill it
  private data: ImageData | null = null;
  private space = el('div', { class: 'space' });
  private view = el('div', { class: 'view' });
  look = 0; // grows with each change that makes all pictures stale
  private lookKey = '';
  private inkNow: Ink | null = null;
  private clock = 0;
  private found: { on: unknown[]; by: Map<bigint, Entry | undefined>[] } = { on: [], by: [] }; // tiles of this frame, by lane and quanta
  private standBy: { key: string; tiles: { e: Entry; column: Float64Array; x0: number; x1: number }[] } = { key: '', tiles: [] };
  viewHeight = 0; // device pixels
  scrolled = 0; // device pixels

  constructor(readonly app: App, public state: PanelState, public type: Type) {
    this.plot = el('div', { class: 'plot', tabIndex: 0, role: 'application' }, this.canvas, this.overlay, this.note);
    this.names = new Names(this);
    this.legend = new Legend(this);
    this.view.append(this.names.root, this.plot);
    this.space.append(this.view);
    this.scroll = el('div', { class: 'scroll', tabIndex: -1, onscroll: () => (this.scrollTo(), app.touch()) }, this.space);
    this.root = el('section', { class: 'panel', 'aria-label': type.info.title }, this.head, this.scroll, this.legend.root);
    listen(this);
  }

  // Returns the modes that make sense for the type.
  modes(): PanelMode[] {
    if (this.type.info.kind === 'number') return NUMBER_MODES;
    const out: PanelMode[] = [...STATE_MODES];
    if (this.type.isState && (this.tree?.groups.length ?? 0) > 0) out.push('area');
    if (this.type.info.lanes > 0) out.push('lanes');
    return out;
  }

  get mode(): PanelMode {
    const is = this.state.mode;
    return this.modes().includes(is) ? is : this.modes()[0]!;
  }

  async load(): Promise<void> {
    const type = this.type;
    [this.tree] = await Promise.all([this.app.trace.loadRows(type.info.class), this.app.trace.loadLabels(type)]);
    // Only the order of the legend, and ranked colours, need the tile of the ranks.
    const rank = this.app.trace.loadRank(type).then(() => this.app.touch()).catch(() => {});
    if (isRanked(this.app.colours)) await rank;
    this.plot.setAttribute('aria-label', `${type.info.title}: ${counted(this.tree.all, 'row')}. Arrow keys move between intervals and rows, W and S zoom, A and D move, question mark lists all keys.`);
    this.app.bar.panelHead(this);
    this.app.relayout();
  }

  // Loads rows of groups that were opened.
  private async loadMore(): Promise<void> {
    const { app, tree } = this;
    if (this.loading || !tree?.awaited.length) return;
    this.loading = true;
    app.steps++;
    const came = await app.trace.loadMore(tree).catch(() => false);
    app.steps--;
    this.loading = false;
    if (came) app.relayout();
    app.touch();
  }

  // Takes the rows and labels of a newer generation of the trace.
  renew(): void {
    const { trace } = this.app;
    this.type = trace.type(this.type.key) ?? this.type;
    this.tree = trace.tree(this.type.info.class) ?? this.tree;
    this.cache.clear();
    this.spare.clear();
  }

  // Computes which lines the panel has, and how much height they can use.
  prepare(): void {
    if (!this.tree) return;
    const { app } = this;
    const lines = this.tree.lines(app.lookOf(this.type));
    const drawn = this.mode === 'area' ? areaLines(lines) : this.mode === 'lanes' ? laneLines(lines, this.type.info.lanes) : lines;
    this.lines = drawn;
    // Panels share the height in proportion to their content.
    const need = drawn.length * (this.type.info.kind === 'number' ? 2 : 1);
    this.root.style.flexGrow = String(this.mode === 'area' ? 12 : Math.max(12, Math.min(40, need)));
    this.where = this.tree.finder(drawn);
    void this.loadMore();
    const chrome = this.root.offsetHeight - this.scroll.clientHeight;
    this.most = this.mode === 'area' || drawn.length === 0 ? Infinity : chrome + Math.max(4 * GROUP_PX, drawn.length * (this.state.height || this.mostHeight()) + 2);
    this.root.style.maxHeight = this.most < Infinity && app.state.tab !== '' ? this.most + 'px' : '';
  }

  // Computes the heights of the lines from the space that the panel got.
  layout(): void {
    if (!this.tree) return;
    const { app, lines: drawn } = this;
    this.viewHeight = Math.max(1, Math.round(this.scroll.clientHeight * app.dpr));
    this.base = this.rowHeight();
    this.tops = [0];
    for (const l of drawn) this.tops.push(this.tops[this.tops.length - 1]! + this.heightOf(l));
    const pins = drawn.filter((l) => l.pinned).length;
    this.pinsEnd = this.tops[pins] ?? 0;
    this.blocks = [];
    for (let i = 0; i < drawn.length; ) {
      const end = i < pins ? Math.min(pins, i + BLOCK) : Math.min(drawn.length, i + BLOCK);
      this.blocks.push({ first: i, last: end, pinned: i < pins });
      i = end;
    }
    this.space.style.height = Math.max(this.scroll.clientHeight, this.total / app.dpr) + 'px';
    this.view.style.height = this.scroll.clientHeight + 'px';
    this.scrollTo();
    this.look++;
    this.spare.clear(); // the heights may be others
    this.names.dirty = true;
    const none = drawn.length === 0;
    const silent = !none && this.type.info.records === 0;
    this.note.hidden = !none && !silent;
    if (silent) this.note.textContent = `Nothing of "${this.type.info.title}" was recorded: choose another type above.`;
    if (none) this.note.textContent = this.tree.all === 0 ? `No rows: the trace has no ${this.type.info.class}. Choose another type above.` : 'No row matches: press R to change the filter or to show hidden rows.';
  }

  get total(): number {
    return this.tops[this.tops.length - 1] ?? 0;
  }

  rowHeight(): number {
    const { dpr } = this.app;
    const n = Math.max(1, this.lines.length);
    if (this.mode === 'area') return Math.max(8, Math.floor(this.viewHeight / n));
    if (this.state.height > 0) return Math.max(1, Math.round(this.state.height * dpr));
    if (this.mode === 'lanes') return Math.round(14 * dpr);
    const most = this.mostHeight();
    const least = this.type.info.kind === 'number' ? 24 : 4;
    const fits = (space: number, lines: number) => Math.max(Math.round(least * dpr), Math.min(Math.round(most * dpr), Math.floor(space / Math.max(1, lines))));
    const all = fits(this.viewHeight, n);
    if (all >= this.groupHeight) return all;
    const groups = this.lines.filter((l) => l.group !== null).length;
    return fits(this.viewHeight - groups * this.groupHeight, n - groups);
  }

  // Returns the height of a row where there is space, in CSS pixels.
  private mostHeight(): number {
    return this.mode === 'lanes' ? 14 : this.type.info.kind === 'number' ? 48 : 28;
  }

  // The least height of a group, in device pixels.
  private get groupHeight(): number {
    return Math.max(GROUP_PX, Math.round(GROUP_PX * this.app.dpr));
  }

  // Names of groups stay readable, however low the rows are.
  private heightOf(line: Line): number {
    return line.group === null || this.mode === 'area' ? this.base : Math.max(this.base, this.groupHeight);
  }

  // Notes how far the lines are scrolled, at first scrolls to `top`: to ask the
  // element for each line would make the browser lay out the page each time.
  scrollTo(top?: number): void {
    if (top !== undefined) this.scroll.scrollTop = top;
    this.scrolled = Math.round(this.scroll.scrollTop * this.app.dpr);
  }

  // Returns where a line is in the panel.
  y(index: number): number {
    const line = this.lines[index];
    return (this.tops[index] ?? 0) - (line?.pinned ? 0 : this.scrolled);
  }

  // Leaves one pixel between rows where there is space.
  inner(index: number): number {
    const h = (this.tops[index + 1] ?? 0) - (this.tops[index] ?? 0);
    return h >= 6 ? h - 1 : h;
  }

  // Yields the visible lines: pinned lines, then the first line below them and
  // those that follow.
  *visible(): Generator<number> {
    const pins = this.tops.indexOf(this.pinsEnd);
    let first = pins;
    for (let high = this.lines.length; first < high; ) {
      const mid = (first + high) >> 1;
      if (this.tops[mid + 1]! > this.scrolled + this.pinsEnd) high = mid;
      else first = mid + 1;
    }
    for (let i = pins > 0 ? 0 : first; i < this.lines.length; i++) {
      if (i === pins && pins > 0) i = Math.max(pins, first);
      if (i >= this.lines.length) return;
      const y = this.y(i);
      const pinned = this.lines[i]!.pinned;
      if (y < this.viewHeight && y + this.inner(i) > (pinned ? 0 : this.pinsEnd)) yield i;
      else if (!pinned && y >= this.viewHeight) return;
    }
  }

  spot(cssX: number, cssY: number): Spot {
    const { app } = this;
    const pixel = Math.max(0, Math.min(app.plot - 1, Math.floor(cssX * app.dpr)));
    const y = cssY * app.dpr;
    let index = -1;
    for (const i of this.visible()) if (y >= this.y(i) && y < this.y(i) + (this.tops[i + 1]! - this.tops[i]!)) {
      index = i;
      if (this.lines[i]!.pinned) break;
    }
    const line = this.lines[index] ?? null;
    return { panel: this, index, line, pixel, time: timeOf(app.left + BigInt(pixel), app.scale) };
  }

  // Scrolls a line into view.
  show(index: number): void {
    if (index < 0 || this.lines[index]?.pinned) return;
    const top = this.tops[index]! / this.app.dpr;
    const bottom = this.tops[index + 1]! / this.app.dpr;
    const pins = this.pinsEnd / this.app.dpr;
    if (top < this.scroll.scrollTop + pins) this.scrollTo(top - pins);
    else if (bottom > this.scroll.scrollTop + this.scroll.clientHeight) this.scrollTo(bottom - this.scroll.clientHeight);
  }

  // Opens the folded groups that hide a row. Returns its line; -1: it is hidden.
  unfold(row: number): number {
    for (;;) {
      const index = this.lines.findIndex((l) => l.row === row && l.group === null);
      const folded = index < 0 && this.lines.find((l) => l.folded && this.tree!.members(l).includes(row));
      if (!folded) return index;
      this.app.toggle('folds', folded.hash);
    }
  }

  indexOf(hash: string): number {
    return this.lines.findIndex((l) => l.hash === hash);
  }

  private quanta(line: Line): number {
    const h = this.heightOf(line);
    // Few active rows among many are exact in a breakdown.
    if (this.mode === 'area' && line.group !== null) return FINE;
    return h <= 16 ? 15 : h <= 64 ? 63 : 255;
  }

  want(line: Line, i: bigint): Want {
    return {
      type: this.type.info.type, lane: line.lane, w: this.app.scale.w, i, q: this.quanta(line),
      hot: this.type.isState ? this.app.hot.of(this.type).join(',') : '',
    };
  }

  // Returns the tile that has a line, if the page has it. A frame looks for each
  // tile once and not for each of its lines.
  private entry(line: Line, i: bigint): Entry | undefined {
    const { app } = this;
    const { store } = app;
    let { found } = this;
    const on = [store.clock, store.changes, app.hot.changes, app.scale.w, this.type];
    if (on.some((v, n) => v !== found.on[n])) {
      this.found = found = { on, by: [] };
      this.standBy.key = '';
    }
    const of = (found.by[line.lane * 4 + QUANTA.indexOf(this.quanta(line))] ??= new Map());
    if (!of.has(i)) of.set(i, store.entry(this.want(line, i)));
    return of.get(i);
  }

  row(line: Line, i: bigint): Row | undefined {
    return this.entry(line, i)?.rows.get(line.key);
  }

  // Returns the rows of a block, and asks for those that are missing.
  private rows(b: Block, i: bigint): (Row | undefined)[] {
    return this.lines.slice(b.first, b.last).map((l) => {
      if (!this.asks(l)) return undefined;
      const e = this.entry(l, i);
      const row = e?.rows.get(l.key);
      if (!row || e!.old.has(l.key)) this.app.store.want(this.want(l, i), l.key);
      return row;
    });
  }

  // Asks for groups of states only: shares of numbers have no meaning.
  asks(line: Line): boolean {
    return line.group === null || this.type.isState;
  }

  // Marks all pictures as stale when something changed that they depend on.
  private refreshLook(): void {
    const { app } = this;
    const hot = app.hot.of(this.type);
    const key = [app.colours, app.theme, this.type.version, hot.join(), this.mode, this.state.log, this.low, this.high, this.base, this.type.info.type].join('|');
    if (key === this.lookKey) return;
    this.lookKey = key;
    this.look++;
    const ink = app.trace.ink(this.type, app.colours, app.theme, hot.length ? new Set(hot) : null);
    this.inkNow = Object.assign(ink, { low: this.low, high: this.high, log: this.state.log });
  }

  tiles(): { first: bigint; last: bigint } {
    const { app } = this;
    const per = BigInt(COLUMNS * app.scale.k);
    const end = floorDiv(app.trace.end - 1n, BigInt(COLUMNS) * BigInt(app.scale.w));
    const last = floorDiv(app.left + BigInt(app.plot) - 1n, per);
    return { first: floorDiv(app.left < 0n ? 0n : app.left, per), last: last < end ? last : end };
  }

  draw(): void {
    if (!this.tree) return;
    if (this.type.info.kind === 'number') this.fitRange();
    else if (this.mode === 'area') this.fitShare();
    this.refreshLook();
    this.clock++;
    const ctx = sized(this.canvas, this.app.plot, this.viewHeight, this.app.dpr);
    ctx.imageSmoothingEnabled = false;
    const until = performance.now() + PAINT_MS;
    for (const b of this.blocks) if (!b.pinned) this.drawBlock(ctx, b, until);
    if (this.pinsEnd > 0) {
      ctx.clearRect(0, 0, this.canvas.width, this.pinsEnd);
      for (const b of this.blocks) if (b.pinned) this.drawBlock(ctx, b, until);
    }
    this.names.draw();
    this.legend.draw();
    const coarse = this.coarse;
    drawOverlay(this, sized(this.overlay, this.app.plot, this.viewHeight, this.app.dpr));
    if (this.app.rest) this.canvas.setAttribute('aria-label', inWords(this));
    if (coarse !== this.coarse) this.app.bar.panelHead(this);
    for (const [key, p] of this.cache) {
      if (this.cache.size <= MOST_PAINTED || p.used === this.clock) break;
      this.cache.delete(key);
      if (p.look === this.look) this.spare.set(p.canvas.height, [p.canvas, ...(this.spare.get(p.canvas.height) ?? [])]);
    }
  }

  private drawBlock(ctx: CanvasRenderingContext2D, b: Block, until: number): void {
    const { app } = this;
    const top = this.y(b.first);
    const height = this.tops[b.last]! - this.tops[b.first]!;
    if (top >= this.viewHeight || top + height <= 0) return;
    const { first, last } = this.tiles();
    const wide = COLUMNS * app.scale.k;
    for (let i = first; i <= last; i++) {
      const canvas = this.painted(b, i, height, until);
      if (canvas) ctx.drawImage(canvas, 0, 0, COLUMNS, height, Number(i * BigInt(wide) - app.left), top, wide, height);
    }
  }

  private painted(b: Block, i: bigint, height: number, until: number): HTMLCanvasElement | null {
    const { app } = this;
    const key = `${app.scale.w}.${i}.${b.first}`;
    let p = this.cache.get(key);
    const rows = this.rows(b, i);
    const same = p && p.look === this.look && rows.every((r, n) => r === p!.rows[n]) && (p.complete || p.store === app.store.asked);
    if (p) {
      // The map keeps its pictures in the order of their use.
      p.used = this.clock;
      this.cache.delete(key);
      this.cache.set(key, p);
    }
    if (same) return p!.canvas;
    if (performance.now() > until) {
      app.touch();
      return p && p.look === this.look ? p.canvas : null;
    }
    const canvas = p?.canvas.height === height ? p.canvas : (this.spare.get(height)?.pop() ?? el('canvas', { width: COLUMNS, height }));
    const complete = this.paint(canvas, b, i, rows);
    p = { canvas, rows, look: this.look, store: app.store.asked, complete, used: this.clock };
    this.cache.set(key, p);
    return canvas;
  }

  // Paints the visible blocks of lines once more, tile by tile: for pictures.
  // `tile` gets the left top corner of each and its size.
  repaint(tile: (x: number, y: number, width: number, height: number, k: number, paint: (to: Image) => void) => void): void {
    const { app } = this;
    const { first, last } = this.tiles();
    for (const pinned of [false, true]) {
      if (pinned && this.pinsEnd > 0) tile(0, 0, app.plot, this.pinsEnd, 1, (to) => rect(to, pixel(rgb(app.css('--paper'))), 0, app.plot, 0, this.pinsEnd));
      for (const b of this.blocks) {
        const [y, height] = [this.y(b.first), this.tops[b.last]! - this.tops[b.first]!];
        if (b.pinned !== pinned || y >= this.viewHeight || y + height <= (pinned ? 0 : this.pinsEnd)) continue;
        for (let i = first; i <= last; i++) {
          const x = Number(i * BigInt(COLUMNS * app.scale.k) - app.left);
          tile(x, y, COLUMNS, height, app.scale.k, (to) => this.paintRows(to, b, i, this.rows(b, i)));
        }
      }
    }
  }

  private paint(canvas: HTMLCanvasElement, b: Block, i: bigint, rows: (Row | undefined)[]): boolean {
    const data = this.data?.height === canvas.height ? this.data : (this.data = new ImageData(COLUMNS, canvas.height));
    const pixels = new Uint32Array(data.data.buffer).fill(0);
    const complete = this.paintRows({ data: pixels, width: COLUMNS }, b, i, rows);
    canvas.getContext('2d')!.putImageData(data, 0, 0);
    return complete;
  }

  private paintRows(to: Image, b: Block, i: bigint, rows: (Row | undefined)[]): boolean {
    const ink = this.inkNow!;
    let complete = true;
    rows.forEach((row, n) => {
      const index = b.first + n;
      const line = this.lines[index]!;
      if (!this.asks(line)) return;
      const at = { top: this.tops[index]! - this.tops[b.first]!, height: this.inner(index) };
      const mode = this.paintMode(at.height);
      if (row && this.mode === 'area') paintArea(to, at, row, this.quanta(line), ink, this.high);
      else if (row) paintRow(to, at, row, this.quanta(line), this.entry(line, i)!.kind, mode, ink);
      else {
        complete = false;
        if (this.mode !== 'area') this.standIn(to, at, line, i, mode, ink);
      }
    });
    return complete;
  }

  private paintMode(height: number): Mode {
    const m = this.mode === 'area' || this.mode === 'lanes' ? 'share' : this.mode;
    return m === 'share' && height < 3 * this.app.dpr && this.mode !== 'area' ? 'most' : m;
  }

  // While a tile is missing, paints from other tiles, so that the panel is not
  // blank if any tile of that time is known.
  private standIn(to: Image, at: { top: number; height: number }, line: Line, i: bigint, mode: Mode, ink: Ink): void {
    const { store } = this.app;
    const key = `${store.clock} ${i} ${line.lane} ${this.quanta(line)}`;
    // Lines of a block have the same other tiles.
    if (this.standBy.key !== key) {
      const want = this.want(line, i);
      const start = i * BigInt(COLUMNS) * BigInt(want.w);
      const tiles = [...store.others(want)].map((e) => {
        // Column of the other tile: (start - its start + x * w) / its w.
        const shift = Number(start - e.want.i * BigInt(COLUMNS) * BigInt(e.want.w));
        const column = new Float64Array(COLUMNS);
        for (let x = 0; x < COLUMNS; x++) column[x] = Math.floor((shift + x * want.w) / e.want.w);
        let x0 = 0;
        let x1 = COLUMNS;
        while (x0 < x1 && column[x0]! < 0) x0++;
        while (x1 > x0 && column[x1 - 1]! >= COLUMNS) x1--;
        return { e, column, x0, x1 };
      });
      this.standBy = { key, tiles };
    }
    for (const { e, column, x0, x1 } of this.standBy.tiles.filter((t) => t.e.rows.has(line.key)).slice(0, 3).reverse())
      if (x0 < x1) paintStretched(to, at, e.rows.get(line.key)!, e.want.q, e.kind, mode, ink, x0, x1, column);
  }

  // Fits the scale of numbers to the visible values, with round limits.
  private fitRange(): void {
    let [low, high] = [Infinity, -Infinity];
    const { first, last } = this.tiles();
    for (const index of this.visible()) {
      const line = this.lines[index]!;
      if (!this.asks(line)) continue;
      for (let i = first; i <= last; i++) {
        const row = this.row(line, i);
        for (let r = 0; row?.value && r < row.runs; r++) {
          if (row.value[r * 4]! < low) low = row.value[r * 4]!;
          if (row.value[r * 4 + 1]! > high) high = row.value[r * 4 + 1]!;
        }
      }
    }
    if (low > high) return;
    this.low = low >= 0 ? 0 : -round(-low);
    this.high = high <= 0 ? 0 : round(high);
    if (this.low === this.high) this.high = this.low + 1;
  }

  // Fits the height of a breakdown to its busiest column, with a round limit.
  private fitShare(): void {
    let most = 0;
    const { first, last } = this.tiles();
    for (const index of this.visible()) {
      const line = this.lines[index]!;
      for (let i = first; i <= last; i++) {
        const row = this.row(line, i);
        if (row) most = Math.max(most, busiest(row, this.quanta(line)));
      }
    }
    // Chooses a scale of whole rows, in up to five steps of 1, 2, 5 * 10^k.
    const rows = Math.max(1, ...this.lines.map((l) => l.rows));
    if (most <= 0) {
      this.step = rows;
      this.high = 1;
      return;
    }
    this.step = nice((most * rows) / 5);
    this.high = Math.min(1, (Math.ceil((most * rows) / this.step - 1e-9) * this.step) / rows);
  }

  // Returns the runs of a line around a time, for labels and hovering.
  rowAt(line: Line, time: bigint): { row: Row; column: number; kind: Kind; q: number } | null {
    const w = BigInt(this.app.scale.w);
    const column = floorDiv(time, w);
    const i = floorDiv(column, BigInt(COLUMNS));
    const e = this.entry(line, i);
    const row = e?.rows.get(line.key);
    return e && row ? { row, column: Number(column - i * BigInt(COLUMNS)), kind: e.kind, q: e.want.q } : null;
  }
}

// Returns the next of 1, 1.5, 2, 3, 5, 7.5 * 10^k.
function round(v: number): number {
  const ten = 10 ** Math.floor(Math.log10(v));
  for (const m of [1, 1.5, 2, 3, 5, 7.5]) if (v <= m * ten) return m * ten;
  return 10 * ten;
}

function nice(v: number): number {
  const ten = 10 ** Math.floor(Math.log10(Math.max(v, 1e-9)));
  for (const m of [1, 2, 5]) if (v <= m * ten) return m * ten;
  return 10 * ten;
}

// Returns the lines of a breakdown: the outermost groups, or the rows of a class
// that has no groups.
function areaLines(lines: Line[]): Line[] {
  const groups = lines.filter((l) => l.group !== null && l.depth === 0 && !l.pinned);
  return groups.length ? groups : lines;
}

function laneLines(lines: Line[], lanes: number): Line[] {
  return lines.flatMap((l) =>
    l.group !== null ? [l] : Array.from({ length: lanes }, (_, i) => ({ ...l, lane: i + 1, hash: i ? l.hash + '.' + i : l.hash })));
}
