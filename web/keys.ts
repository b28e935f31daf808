// SPDX-License-Identifier: MIT
// keys.ts - the table of all keys. The page runs actions by this table and makes
// its help (?) from it, so that both always agree.

export interface Key {
  keys: string[]; // KeyboardEvent.key, with Ctrl+ and Shift+ in front
  act: string; // name of the action
  help: string;
  group: string;
}

const rows = (group: string, list: [string, string, string][]): Key[] =>
  list.map(([keys, act, help]) => ({ keys: keys.split(' '), act, help, group }));

export const KEYS: Key[] = [
  ...rows('Time', [
    ['w', 'zoomIn', 'zoom in about the pointer or the focused interval'],
    ['s', 'zoomOut', 'zoom out'],
    ['Shift+W', 'zoomInFar', 'zoom in five steps'],
    ['Shift+S', 'zoomOutFar', 'zoom out five steps'],
    ['a', 'panLeft', 'move left by a tenth of the window'],
    ['d', 'panRight', 'move right by a tenth of the window'],
    ['Shift+A', 'panLeftFar', 'move left by half a window'],
    ['Shift+D', 'panRightFar', 'move right by half a window'],
    ['f', 'fitSelection', 'fit the selection, or the focused interval'],
    ['0', 'whole', 'show the whole trace; follow a live one'],
    ['Shift+F', 'follow', 'follow the end of a live trace, or stop'],
    ['Backspace Ctrl+z', 'back', 'undo: the view before'],
    ['Shift+Backspace Ctrl+y', 'forward', 'redo: the next view'],
    ['g', 'goTo', 'go to a time: 1.25ms, 50%, +3us'],
  ]),
  ...rows('Intervals and rows', [
    ['ArrowLeft', 'previousInterval', 'previous interval of the focused row'],
    ['ArrowRight', 'nextInterval', 'next interval of the focused row'],
    ['Ctrl+ArrowLeft', 'previousSame', 'previous interval of the same value in any visible row'],
    ['Ctrl+ArrowRight', 'nextSame', 'next interval of the same value in any visible row'],
    ['ArrowUp', 'rowUp', 'row above'],
    ['ArrowDown', 'rowDown', 'row below'],
    ['Enter', 'pin', 'show the details of the focused interval; again: move into them'],
    ['[', 'cause', 'go to the cause of the focused interval: what ended or began it'],
    [']', 'effect', 'go back from the cause'],
    ['Shift+Enter', 'selectInterval', 'select the time of the focused interval'],
    ['Escape', 'cancel', 'cancel a drag, close what is open, clear the selection'],
    ['e', 'fold', 'fold or open the group of the focused row'],
    ['Shift+E', 'foldAll', 'fold or open all groups'],
    ['p', 'pinRow', 'pin the row or the group on top, or unpin it'],
    ['h', 'hideRow', 'hide the row or the group'],
    ['r', 'rowsMenu', 'rows: sort, filter, show hidden ones'],
    ['ContextMenu Shift+F10', 'intervalMenu', 'menu of the focused interval'],
    ['+ =', 'taller', 'taller rows'],
    ['-', 'lower', 'lower rows'],
  ]),
  ...rows('Find and mark', [
    ['/', 'search', 'search rows, labels and findings; /re/ is a regular expression'],
    ['n', 'nextHit', 'next hit; in Durations the next interval of the chosen lengths'],
    ['Shift+N', 'previousHit', 'previous hit or interval'],
    ['m', 'mark', 'mark the time under the pointer or of the focused interval'],
    [',', 'previousMark', 'previous mark or finding'],
    ['.', 'nextMark', 'next mark or finding'],
  ]),
  ...rows('What is drawn', [
    ['v', 'drawMode', 'next way to draw a column'],
    ['b', 'colours', 'colours: own, plain, distinct, patterns'],
    ['l', 'links', 'show or hide links'],
    ['y', 'logScale', 'linear or logarithmic scale of numbers'],
    ['o', 'minimap', 'show or hide the overview'],
    ['q', 'dock', 'show or hide the dock'],
    ['1 2 3 4 5 6', 'tab', 'tab of the dock; again: move into it, with arrows from line to line'],
  ]),
  ...rows('Copy', [
    ['Ctrl+c', 'copy', 'copy the focused interval as text'],
    ['j', 'copyAddress', 'copy the address of this view'],
    ['?', 'help', 'this list'],
  ]),
];

// Returns the name of a key press, as it is written in the table.
export function nameOf(e: { key: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean; altKey: boolean }): string {
  if (e.altKey) return '';
  let key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  const letter = /^[a-z]$/.test(key);
  if (e.shiftKey && (letter || e.key.length > 1)) key = 'Shift+' + (letter ? key.toUpperCase() : key);
  if (e.ctrlKey || e.metaKey) key = 'Ctrl+' + key;
  return key;
}

const byKey = new Map(KEYS.flatMap((k) => k.keys.map((name) => [name, k] as const)));

// Returns the action of a key press; null leaves the key to the browser.
// `letters` false turns keys of a single character off (WCAG 2.1.4).
export function find(name: string, letters = true): Key | null {
  const key = byKey.get(name) ?? null;
  if (key && !letters && name.replace('Shift+', '').length === 1) return null;
  return key;
}

const SHOWN: Record<string, string> = {
  ArrowLeft: '\u2190', ArrowRight: '\u2192', ArrowUp: '\u2191', ArrowDown: '\u2193',
  Escape: 'Esc', ContextMenu: 'Menu', '-': '\u2212',
};

// Returns a key as the help shows it: "Ctrl+←".
export function shown(name: string): string {
  return name.split(/(?<=\w)\+/).map((part) => SHOWN[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join('+');
}

// Returns the key of an action, as menus show it.
export function hint(act: string): string {
  const key = KEYS.find((k) => k.act === act)?.keys[0];
  return key ? shown(key) : '';
}
