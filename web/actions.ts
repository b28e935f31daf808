// SPDX-License-Identifier: MIT
// actions.ts - runs the action of each key of the table. Menus and buttons run
// the same actions.

import type { App } from './app';
import { fromCause, toCause } from './around';
import { el } from './el';
import { find, KEYS, nameOf } from './keys';
import { NUMBER_MODES } from './paint';
import { ranges } from './rows';
import { Step } from './net';
import { perRow } from './summary';
import { NONE } from './tile';
import { Timeline } from './timeline';
import { exact, parse, span, toTime } from './time';
import { COLOURS, Sort } from './view';

type Act = (app: App, panel: Timeline, key: string) => void | Promise<void>;

// Returns the pixel that keys zoom about: under the pointer, at the focused
// interval, or the middle of the window.
function centre(app: App): number {
  if (app.hover) return app.hover.pixel;
  const at = app.focus?.at;
  if (at) {
    const x = app.xOf((toTime(at.from) + toTime(at.to)) / 2n);
    if (x >= 0 && x < app.plot) return x;
  }
  return app.plot >> 1;
}

function panBy(app: App, part: number): void {
  app.pan(Math.round(app.plot * part));
}

// Returns the interval that keys start from: the focused one, or the interval of
// the focused row in the middle of the window.
async function start(app: App, panel: Timeline): Promise<boolean> {
  if (app.focus?.panel === panel && app.focus.at) return true;
  const index = app.focus?.panel === panel ? panel.indexOf(app.focus.hash) : panel.lines.findIndex((l) => l.group === null);
  const line = panel.lines[index];
  if (!line || line.group !== null) return false;
  const t = (app.from + app.to) / 2n;
  app.setFocus(panel, line, await app.at(panel, line, t));
  panel.show(index);
  return false;
}

// Runs the steps of the focus one after the other: each begins where the one
// before ends, however fast the keys are pressed.
let last: Promise<void> = Promise.resolve();
function inTurn(app: App, step: () => Promise<unknown>): Promise<void> {
  app.steps++;
  last = last.then(step).then(() => {}).finally(() => app.steps--);
  const done = last;
  last = last.catch(() => {});
  return done;
}

async function stepInterval(app: App, panel: Timeline, dir: 'next' | 'prev', same: boolean): Promise<void> {
  if (!(await start(app, panel))) return;
  const f = app.focus!;
  const at = f.at!;
  const line = f.line;
  const rows = same ? ranges(panel.lines.flatMap((l) => (l.group === null || l.folded ? panel.tree!.members(l) : []))) : 'r' + line.row;
  const value = same ? (at.value === null ? 'none' : at.value) : undefined;
  const step: Step = await app.step(panel, rows, toTime(at.from), dir, { value, lane: line.lane || undefined });
  if (!step.found) return app.say(dir === 'next' ? 'There is no later interval.' : 'There is no earlier interval.');
  const index = panel.lines.findIndex((l) => l.row === step.row && l.group === null && l.lane === line.lane);
  const to = panel.lines[index] ?? line;
  const is = await app.at(panel, to, toTime(step.from));
  if (app.focus !== f) return; // something else was clicked meanwhile
  app.reveal(toTime(step.from));
  panel.show(index);
  app.setFocus(panel, to, is);
}

// Steps through intervals of the chosen lengths while the dock shows these, else
// through the hits of the search.
async function stepHit(app: App, dir: 1 | -1): Promise<void> {
  if (app.state.tab === 'durations' && (await app.dock.durations.step(dir > 0 ? 'next' : 'prev'))) return;
  await app.dock.finder.step(dir);
}

async function stepRow(app: App, panel: Timeline, by: 1 | -1): Promise<void> {
  const now = app.focus?.panel === panel ? panel.indexOf(app.focus.hash) : -1;
  const index = Math.max(0, Math.min(panel.lines.length - 1, now < 0 ? 0 : now + by));
  const line = panel.lines[index];
  if (!line) return;
  panel.show(index);
  const at = app.focus?.at;
  const t = at ? toTime(at.from) : null;
  if (line.group !== null || t === null || t < app.from || t >= app.to) {
    app.focusRow(panel, line);
    if (line.group === null) await start(app, panel);
    return;
  }
  app.setFocus(panel, line, await app.at(panel, line, t));
}

function nextMark(app: App, dir: 1 | -1): void {
  const all = [...app.state.marks.map((m) => ({ t: m.time, row: null as number | null, text: m.name })),
    ...app.findings.filter((f) => f.time !== null).map((f) => ({ t: toTime(f.time!), row: f.row, text: f.text }))].sort((a, b) => (a.t < b.t ? -1 : 1));
  const here = app.focusTime ?? (app.from + app.to) / 2n;
  const to = dir > 0 ? all.find((x) => x.t > here) : all.reverse().find((x) => x.t < here);
  if (!to) return app.say(dir > 0 ? 'There is no later mark or finding.' : 'There is no earlier mark or finding.');
  app.focusTime = to.t;
  app.say(`${to.text} at ${span(to.t, app.trace.unit)}`);
  app.reveal(to.t);
  void app.go.to(null, to.row, to.t);
}

function mark(app: App, time: bigint): void {
  const marks = app.state.marks;
  if (marks.some((m) => m.time === time)) return;
  marks.push({ time, name: `mark ${marks.length + 1}` });
  marks.sort((a, b) => (a.time < b.time ? -1 : 1));
  app.say(`Marked ${span(time, app.trace.unit)}.`);
  app.dock.open('marks', false);
  app.save();
  app.touch();
}

function goDialog(app: App): void {
  const input = el('input', { type: 'text', 'aria-label': 'Time', placeholder: '1.25ms, 50%, +3us' });
  const said = el('p', { class: 'dim' }, `From 0 to ${exact(app.trace.end, app.trace.unit)}; + and - count from the middle of the window.`);
  const form = el('form', { onsubmit: (e: Event) => {
    e.preventDefault();
    const t = parse(input.value, { end: app.trace.end, here: (app.from + app.to) / 2n, unit: app.trace.unit });
    if (t === null || t < 0n || t > app.trace.end) {
      said.textContent = t === null ? 'This is not a time: write 1.25ms, 50% or +3us.' : `This is outside of the trace: it ends at ${exact(app.trace.end, app.trace.unit)}.`;
      said.className = 'warn';
      return;
    }
    app.layer.close();
    app.focusTime = t;
    app.centre(t);
    app.say(`At ${span(t, app.trace.unit)}.`);
  } }, input, el('button', { type: 'submit' }, 'Go'));
  app.layer.dialog('Go to a time', form, said);
}

function copyText(app: App): string {
  const f = app.focus;
  if (f?.at) {
    const u = app.trace.unit;
    return `${f.line.name}: ${app.labelOf(f.panel.type, f.at)} from ${f.at.from} ${u} to ${f.at.to} ${u}, ${toTime(f.at.to) - toTime(f.at.from)} ${u}`;
  }
  return f ? f.line.name : app.address();
}

function height(app: App, panel: Timeline, factor: number): void {
  const now = panel.rowHeight() / app.dpr;
  panel.state.height = Math.max(1, Math.min(64, factor > 1 ? Math.max(now + 1, Math.round(now * factor)) : Math.floor(now * factor)));
  app.relayout();
  app.say(`Rows are ${Math.round(panel.state.height)} pixels high.`);
}

// Returns true, after a message, if the page has not loaded all rows of the
// panel.
function tooMany(app: App, panel: Timeline): boolean {
  if (!panel.tree?.partial) return false;
  app.bar.say(`${panel.tree.all} rows are too many for this: open groups one by one.`);
  return true;
}

async function sortRows(app: App, panel: Timeline, sort: Sort): Promise<void> {
  app.state.sort = sort;
  app.rank = null;
  const tree = panel.tree;
  if (tree && sort === 'first' && !tooMany(app, panel)) await firstActivity(app, panel);
  if (tree && sort === 'time' && !tooMany(app, panel)) {
    const hot = app.hot.of(panel.type);
    const lines = await perRow(app.net, panel.type, { rows: null, from: app.from, to: app.to }, tree.rows);
    const time = new Map<number, number>();
    for (const l of lines) if (hot.length ? hot.includes(l.cls) : l.cls !== NONE) time.set(l.id, (time.get(l.id) ?? 0) + Number(l.time));
    app.rank = new Map(tree.rows.map((r) => [r.row, -(time.get(r.row) ?? 0)]));
  }
  app.relayout();
}

async function firstActivity(app: App, panel: Timeline): Promise<void> {
  const rows = panel.tree!.rows;
  const firsts = await Promise.all(rows.slice(0, 500).map(async (r) => {
    const at = await app.net.json<{ value: unknown; from: number; to: number }>('at', { type: panel.type.info.type, row: r.row, t: app.from });
    return [r.row, at.value !== null ? -1 : Number(at.to)] as const;
  }));
  app.rank = new Map(firsts);
}

const ACTIONS: Record<string, Act> = {
  zoomIn: (app) => app.zoom(-1, centre(app)),
  zoomOut: (app) => app.zoom(1, centre(app)),
  zoomInFar: (app) => app.zoom(-5, centre(app)),
  zoomOutFar: (app) => app.zoom(5, centre(app)),
  panLeft: (app) => panBy(app, -0.1),
  panRight: (app) => panBy(app, 0.1),
  panLeftFar: (app) => panBy(app, -0.5),
  panRightFar: (app) => panBy(app, 0.5),
  fitSelection: (app) => {
    const s = app.state.select;
    const at = app.focus?.at;
    if (s) app.showTime(s.from, s.to);
    else if (at) app.showTime(toTime(at.from), toTime(at.to), 1 / 3);
    else app.showWhole();
  },
  whole: (app) => app.showWhole(),
  follow: (app) => app.growth.toggleFollow(),
  back: (app) => {
    app.flush();
    if ((history.state?.depth ?? 0) > 0) history.back();
    else app.say('There is no earlier view.');
  },
  forward: () => history.forward(),
  goTo: (app) => goDialog(app),
  previousInterval: (app, p) => inTurn(app, () => stepInterval(app, p, 'prev', false)),
  nextInterval: (app, p) => inTurn(app, () => stepInterval(app, p, 'next', false)),
  previousSame: (app, p) => inTurn(app, () => stepInterval(app, p, 'prev', true)),
  nextSame: (app, p) => inTurn(app, () => stepInterval(app, p, 'next', true)),
  rowUp: (app, p) => inTurn(app, () => stepRow(app, p, -1)),
  rowDown: (app, p) => inTurn(app, () => stepRow(app, p, 1)),
  pin: async (app, p) => {
    await start(app, p);
    if (app.state.tab === 'details') app.dock.focus();
    else app.dock.open('details', false);
  },
  cause: (app) => inTurn(app, () => toCause(app)),
  effect: (app) => inTurn(app, () => fromCause(app)),
  selectInterval: (app) => {
    const at = app.focus?.at;
    if (at) app.select({ from: toTime(at.from), to: toTime(at.to), rows: [] });
  },
  cancel: (app) => {
    if (app.layer.close()) return;
    if (app.dock.leave()) return app.panel.plot.focus({ preventScroll: true });
    if (app.cancels.map((c) => c()).some(Boolean)) return;
    if (app.state.select) return app.select(null);
    app.focus = null;
    app.picked = [];
    app.dock.changed('focus');
    app.touch();
  },
  fold: (app, p) => {
    const line = p.lines[app.focus?.panel === p ? p.indexOf(app.focus.hash) : (app.hover?.index ?? 0)] ?? p.lines[0];
    if (!line) return;
    app.fold(p, line);
    const group = p.lines.findIndex((l) => l.group !== null && l.hash === p.tree!.groupOf(line));
    if (p.indexOf(line.hash) < 0 && p.lines[group]) app.focusRow(p, p.lines[group]!);
  },
  foldAll: (app, p) => {
    const groups = p.tree?.groupHashes() ?? [];
    const open = p.lines.some((l) => l.group !== null && !l.folded);
    if (!open && tooMany(app, p)) return;
    // The state stores the groups whose fold the user changed.
    const change = groups.filter((g) => g.start !== open).map((g) => g.hash);
    const all = new Set(groups.map((g) => g.hash));
    app.state.folds = [...app.state.folds.filter((h) => !all.has(h)), ...change];
    app.relayout();
    app.say(open ? 'All groups folded.' : 'All groups open.');
  },
  pinRow: (app, p) => {
    const line = app.focus?.panel === p ? app.focus.line : app.hover?.line;
    if (!line) return app.say('No row is focused.');
    app.toggle('pins', line.hash);
    app.say(`${line.name} ${app.state.pins.includes(line.hash) ? 'pinned on top' : 'unpinned'}${line.group === null ? '.' : `: a group of ${line.rows} rows.`}`);
  },
  hideRow: (app, p) => {
    const line = app.focus?.panel === p ? app.focus.line : app.hover?.line;
    if (!line || !p.tree) return;
    app.state.hidden.push(line.group !== null ? line.hash : p.tree.hashOf(line.row!));
    const next = p.lines[p.indexOf(line.hash) + 1];
    app.focus = next ? { panel: p, hash: next.hash, line: next, at: null } : null;
    app.relayout();
    app.say(`${line.name} hidden; R shows hidden rows.`);
  },
  rowsMenu: (app) => app.bar.rowsDialog(),
  sort: (app, p, key) => sortRows(app, p, key as Sort),
  rowsWith: async (app, p) => {
    const value = app.focus?.at?.value;
    if (value === undefined || !p.tree || tooMany(app, p)) return;
    const rows = p.tree.rows;
    const lines = await perRow(app.net, p.type, { rows: null, from: app.from, to: app.to }, rows);
    const has = new Set(lines.filter((l) => String(l.value) === String(value)).map((l) => l.id));
    app.state.hidden = rows.filter((r) => !has.has(r.row)).map((r) => p.tree!.hashOf(r.row));
    app.relayout();
    app.say(`${has.size} rows have this value in this window; R shows hidden rows.`);
  },
  intervalMenu: (app, p) => {
    const f = app.focus;
    if (!f) return;
    const box = p.plot.getBoundingClientRect();
    const y = box.top + (p.y(p.indexOf(f.hash)) + p.rowHeight()) / app.dpr;
    if (!f.at) return app.rowMenu(p, f.line, box.left, y);
    app.bar.intervalMenu(box.left + Math.max(0, app.xOf(toTime(f.at.from))) / app.dpr, y, toTime(f.at.from));
  },
  taller: (app, p) => height(app, p, 1.3),
  lower: (app, p) => height(app, p, 1 / 1.3),
  search: (app) => {
    app.bar.search.focus();
    app.bar.search.select();
  },
  searchNow: (app) => {
    app.dock.finder.text = app.bar.search.value;
    return app.dock.finder.step(1);
  },
  nextHit: (app) => inTurn(app, () => stepHit(app, 1)),
  previousHit: (app) => inTurn(app, () => stepHit(app, -1)),
  mark: (app) => mark(app, app.hover?.time ?? (app.focus?.at ? toTime(app.focus.at.from) : (app.from + app.to) / 2n)),
  markAt: (app, _, key) => mark(app, BigInt(key)),
  previousMark: (app) => nextMark(app, -1),
  nextMark: (app) => nextMark(app, 1),
  drawMode: (app, p) => {
    const all = p.modes();
    app.bar.setMode(p, all[(all.indexOf(p.mode) + 1) % all.length]!);
  },
  colours: (app) => {
    const to = COLOURS[(COLOURS.indexOf(app.colours) + 1) % COLOURS.length]!;
    app.setColours(to);
    app.say(`Colours: ${to}.`);
  },
  links: (app) => app.links.toggle(),
  logScale: (app, p) => {
    if (!NUMBER_MODES.includes(p.mode as never)) return app.say('Only numbers have a logarithmic scale.');
    p.state.log = !p.state.log;
    app.say(p.state.log ? 'Logarithmic scale.' : 'Linear scale.');
    app.bar.panelHead(p);
    app.save();
    app.touch();
  },
  minimap: (app) => {
    app.hideMap = !app.hideMap;
    app.say(app.hideMap ? 'The overview is hidden.' : 'The overview is shown.');
    app.touch();
    requestAnimationFrame(() => app.resized());
  },
  dock: (app) => {
    app.dock.toggle();
    app.say(app.state.tab ? 'The dock is shown.' : 'The dock is hidden.');
  },
  tab: (app, _, key) => app.dock.number(Number(key)),
  copy: (app) => {
    const text = copyText(app);
    void navigator.clipboard?.writeText(text);
    app.say(`Copied: ${text}`);
  },
  copyAddress: (app) => {
    app.flush();
    void navigator.clipboard?.writeText(location.href);
    app.say('The address of this view is copied.');
  },
  help: (app) => app.bar.help(),
};

export function listenKeys(app: App): void {
  app.act = (name, panel, key = '') => {
    const p = panel ?? app.panel;
    const act = ACTIONS[name];
    if (!p || !act) return;
    void Promise.resolve(act(app, p, key)).catch((e: unknown) => app.bar.say(e instanceof Error ? e.message : String(e)));
  };
  document.addEventListener('keydown', (e) => {
    const target = e.target as HTMLElement;
    if (e.key === ' ' && target.classList.contains('plot')) {
      app.space = true;
      e.preventDefault();
      return;
    }
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && (target as HTMLInputElement).type !== 'checkbox';
    if ((typing || app.layer.isOpen) && e.key !== 'Escape') return;
    if (/^(Enter|Arrow)/.test(e.key) && !target.closest('.panel') && target !== document.body) return;
    const key = find(nameOf(e), app.letters);
    if (!key) return;
    // Leaves Ctrl+C to the browser while text is selected.
    if (key.act === 'copy' && String(getSelection()) !== '') return;
    e.preventDefault();
    app.act(key.act, undefined, e.key);
  });
  document.addEventListener('keyup', (e) => {
    if (e.key === ' ') app.space = false;
  });
}

// Returns the actions of the key table that have no function; a test checks that
// there are none.
export function missing(): string[] {
  return KEYS.map((k) => k.act).filter((a) => !(a in ACTIONS));
}
