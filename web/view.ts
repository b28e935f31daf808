// SPDX-License-Identifier: MIT
// view.ts - the state of the page, and the address that describes it.
//
// 	#a=1;x=FROM,LENGTH;p=TYPE.mode.height,...;r=FOLDS;s=FROM,TO;h=HOT;m=MARKS
//
// Integers are in base 36. Rows are hashes of their names, so that an address
// outlives the index. Keys that are not known are kept as they are. An address
// of another version gives the whole trace.

import { Mode, NUMBER_MODES, STATE_MODES } from './paint';

export const VERSION = '1';
export const LONGEST = 2000; // characters

export type PanelMode = Mode | 'area' | 'lanes';
export const MODES: PanelMode[] = [...STATE_MODES, ...NUMBER_MODES, 'area', 'lanes'];
export const MODE_NAMES: Record<PanelMode, string> = {
  share: 'share of time', most: 'most time', largest: 'largest value', smallest: 'smallest value', band: 'range and mean',
  range: 'range', mean: 'mean', min: 'smallest', max: 'largest', last: 'last value', area: 'breakdown (stacked)', lanes: 'stack, level by level',
};

export type Colours = 'own' | 'plain' | 'distinct' | 'patterns';
// Whether the values with the most time get the colours that differ most.
export function isRanked(c: Colours): boolean {
  return c === 'distinct' || c === 'patterns';
}

export const COLOURS: Colours[] = ['own', 'plain', 'distinct', 'patterns'];
export type Sort = 'order' | 'name' | 'first' | 'time';
export const SORTS: Sort[] = ['order', 'name', 'first', 'time'];

const TABS = ['states', 'durations', 'details', 'search', 'findings', 'marks'];
const MOST_PANELS = 12;

export interface PanelState {
  type: string; // key@class
  mode: PanelMode;
  height: number; // height of a row, in CSS pixels; 0: chosen to fit
  log: boolean;
  over: string[]; // types that are laid over `type`
}

export interface Mark {
  time: bigint;
  name: string;
}

export interface State {
  from: bigint;
  length: bigint; // length of the window; 0: the whole trace
  panels: PanelState[];
  folds: string[]; // groups whose fold differs from the default
  pins: string[]; // rows that stay at the top
  hidden: string[]; // rows that are not shown
  select: { from: bigint; to: bigint; rows: string[] } | null;
  hot: { type: string; values: (bigint | null)[] }[];
  marks: Mark[];
  colours: Colours | ''; // '': own
  sort: Sort;
  tab: string; // tab of the dock; '': closed
  trace: string; // number of the trace
  other: string[]; // keys that this version does not know, unchanged
}

export function blank(): State {
  return {
    from: 0n, length: 0n, panels: [], folds: [], pins: [], hidden: [], select: null, hot: [],
    marks: [], colours: '', sort: 'order', tab: 'states', trace: '', other: [],
  };
}

// FNV-1a over the UTF-16 units of a name.
export function hash(name: string): string {
  let h = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193) >>> 0;
  return h.toString(36);
}

// Escapes the characters that separate the parts of an address.
function escape(text: string): string {
  return encodeURIComponent(text).replace(/[.~!*'()]/g, (c) => '%' + c.charCodeAt(0).toString(16));
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function big(text: string | undefined): bigint {
  const m = /^(-?)([0-9a-z]{1,13})$/.exec(text ?? '');
  if (!m) throw new RangeError('not an integer');
  let v = 0n;
  for (const c of m[2]!) v = v * 36n + BigInt(parseInt(c, 36));
  return m[1] ? -v : v;
}

function one<T extends string>(of: T[], text: string): T {
  if (!of.includes(text as T)) throw new RangeError('no such choice');
  return text as T;
}

const list = (text: string): string[] => (text === '' ? [] : text.split(','));

function writePanel(p: PanelState): string {
  const types = [p.type, ...p.over].map(escape).join('!');
  return `${types}.${p.mode}${p.log ? '~log' : ''}.${p.height.toString(36)}`;
}

function readPanel(text: string): PanelState {
  const [types = '', mode = '', height = '0'] = text.split('.');
  const [type = '', ...over] = types.split('!').map(unescape);
  const [name, log] = mode.split('~');
  if (!MODES.includes(name as PanelMode)) throw new RangeError('no such mode');
  return { type, over, mode: name as PanelMode, log: log === 'log', height: Math.min(64, parseInt(height, 36) || 0) };
}

export function write(s: State): string {
  const parts: [string, string][] = [['a', VERSION]];
  const put = (key: string, text: string) => text && parts.push([key, text]);
  put('t', s.trace);
  if (s.length > 0n) put('x', s.from.toString(36) + ',' + s.length.toString(36));
  put('p', s.panels.map(writePanel).join(','));
  put('r', s.folds.join(','));
  put('i', s.pins.join(','));
  put('o', s.hidden.join(','));
  if (s.select) put('s', [s.select.from.toString(36), s.select.to.toString(36), ...s.select.rows].join(','));
  put('h', s.hot.filter((h) => h.values.length).map((h) => escape(h.type) + '.' + h.values.map((v) => (v === null ? '' : v.toString(36))).join('.')).join(','));
  put('m', s.marks.map((m) => m.time.toString(36) + '.' + escape(m.name)).join(','));
  if (s.colours) put('c', s.colours);
  if (s.sort !== 'order') put('y', s.sort);
  if (s.tab !== 'states') put('d', s.tab || '-');
  const text = () => '#' + [...parts.map(([k, v]) => k + '=' + v), ...s.other].join(';');
  // Shortens an address that is too long: drops what the user can restore most
  // easily first.
  for (const key of ['m', 'o', 'i', 'r', 'h'])
    if (text().length > LONGEST) parts.splice(0, parts.length, ...parts.filter(([k]) => k !== key));
  return text();
}

const READ: Record<string, (s: State, text: string) => void> = {
  t: (s, v) => (s.trace = v),
  x: (s, v) => {
    const [from, length] = v.split(',');
    const [a, b] = [big(from), big(length)];
    if (a < 0n || b < 1n) throw new RangeError('no window');
    s.from = a;
    s.length = b;
  },
  p: (s, v) => {
    const all = list(v);
    s.panels = all.slice(0, MOST_PANELS).map(readPanel);
    if (all.length > MOST_PANELS) throw new RangeError('too many panels');
  },
  r: (s, v) => (s.folds = list(v)),
  i: (s, v) => (s.pins = list(v)),
  o: (s, v) => (s.hidden = list(v)),
  s: (s, v) => {
    const [from, to, ...rows] = v.split(',');
    s.select = { from: big(from), to: big(to), rows };
  },
  h: (s, v) =>
    (s.hot = list(v).map((one) => {
      const [type = '', ...values] = one.split('.');
      return { type: unescape(type), values: values.map((x) => (x === '' ? null : big(x))) };
    })),
  m: (s, v) =>
    (s.marks = list(v).map((one) => {
      const [time, name = ''] = one.split('.');
      return { time: big(time), name: unescape(name) };
    })),
  c: (s, v) => (s.colours = one(COLOURS, v)),
  y: (s, v) => (s.sort = one(SORTS, v)),
  d: (s, v) => (s.tab = v === '-' ? '' : one(TABS, v)),
};

// Reads an address. `trouble` is a sentence about the parts that could not be
// read.
export function read(address: string): { state: State; trouble: string } {
  const state = blank();
  const parts = address.replace(/^#/, '').split(';').filter(Boolean);
  if (parts.length === 0) return { state, trouble: '' };
  if (!parts.includes('a=' + VERSION))
    return { state, trouble: 'The address is of another version of the page: this is the whole trace.' };
  const bad: string[] = [];
  for (const part of parts) {
    const cut = part.indexOf('=');
    const key = part.slice(0, Math.max(0, cut));
    if (key === 'a') continue;
    const set = Object.keys(READ).includes(key) ? READ[key] : undefined;
    if (!set) {
      state.other.push(part);
      continue;
    }
    try {
      set(state, part.slice(cut + 1));
    } catch {
      bad.push(key);
    }
  }
  return { state, trouble: bad.length ? `The address has parts that cannot be read (${bad.join(', ')}): they are left out.` : '' };
}
