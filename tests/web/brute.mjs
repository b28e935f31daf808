// SPDX-License-Identifier: MIT
// brute.mjs - answers about a trace from the records that `weft emu -f csv`
// writes, by adding up interval after interval: slow, but simple enough to
// check the page's pictures against.
import fs from 'node:fs';

export function csvLine(line) {
  const out = [];
  for (let i = 0; i <= line.length; i++) {
    let cell = '';
    if (line[i] === '"') {
      for (i++; i < line.length; i++) {
        if (line[i] === '"' && line[i + 1] === '"') cell += line[i++];
        else if (line[i] === '"') break;
        else cell += line[i];
      }
      i++;
    } else {
      while (i < line.length && line[i] !== ',') cell += line[i++];
    }
    out.push(cell);
  }
  return out;
}

// { end, rows: [{class, name}], types: Map(class + ' ' + key -> {labels, series}) }
export function load(file) {
  const lines = fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).slice(1);
  const trace = { end: 0, rows: new Map(), types: new Map() };
  for (const line of lines) {
    const [time, cls, row, key, value, label] = csvLine(line);
    const at = Number(time);
    trace.end = Math.max(trace.end, at);
    if (!trace.rows.has(cls)) trace.rows.set(cls, []);
    if (!trace.rows.get(cls).includes(row)) trace.rows.get(cls).push(row);
    const id = cls + ' ' + key;
    if (!trace.types.has(id)) trace.types.set(id, { class: cls, key, labels: new Map(), classes: new Map(), series: new Map() });
    const type = trace.types.get(id);
    const v = value === '' ? null : Number(value);
    if (v !== null && !type.classes.has(v)) type.classes.set(v, type.classes.size);
    type.labels.set(v, label);
    if (!type.series.has(row)) type.series.set(row, []);
    type.series.get(row).push({ time: at, value: v });
  }
  return trace;
}

// Intervals of a series, clipped to [a, b): [from, to, value]. Before the first
// record there is nothing (null).
export function* intervals(series, end, a, b) {
  const list = series ?? [];
  // The last record at or before a.
  let low = -1;
  for (let high = list.length; high - low > 1; ) {
    const mid = (low + high) >> 1;
    if (list[mid].time <= a) low = mid;
    else high = mid;
  }
  for (let i = low; i < list.length; i++) {
    const from = i < 0 ? 0 : list[i].time;
    const x = Math.max(a, from);
    const y = Math.min(b, list[i + 1]?.time ?? end);
    if (y > x) yield [x, y, i < 0 ? null : list[i].value];
    if (from >= b) return;
  }
}

// Time by class in [a, b), NONE is 255.
export function shares(type, series, end, a, b) {
  const out = new Map();
  for (const [x, y, v] of intervals(series, end, a, b)) {
    const cls = v === null ? 255 : type.classes.get(v);
    out.set(cls, (out.get(cls) ?? 0) + (y - x));
  }
  return out;
}

// Returns what a tile has for a column: [[class, quanta]...] and whether
// something was dropped. In a group, `least` is 1: few rows among many are not
// dropped.
export function quanta(times, w, q, hot, present, least = 0) {
  const list = [...times].sort((x, y) => x[0] - y[0]);
  if (list.length === 0) return { parts: [], more: false };
  let top = list[0];
  for (const one of list) if (one[1] > top[1]) top = one;
  let left = q;
  let more = false;
  const parts = [];
  for (const [cls, time] of list) {
    if (cls === top[0]) continue;
    let n = Math.floor((time * q) / w);
    if (n === 0) n = hot.includes(cls) ? 1 : least;
    if (n >= left) n = 0;
    if (n > 0) parts.push([cls, n]);
    else more = true;
    left -= n;
  }
  for (const cls of hot)
    if (present.has(cls) && !times.has(cls) && left > 1) {
      parts.push([cls, 1]);
      left--;
    }
  parts.push([top[0], left]);
  return { parts: parts.sort((x, y) => x[0] - y[0]), more };
}
