// SPDX-License-Identifier: MIT
// mock.mjs CSV PAGE-DIRECTORY - a server for developing the page: it answers as
// docs/dev/view-protocol.md says, from the records of `weft emu -f csv`.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { intervals, load, quanta, shares } from './brute.mjs';

const trace = load(process.argv[2]);
const pages = process.argv[3];
const palette = ['#2f7ed8', '#e8a33d', '#3aa655', '#c0392b', '#8e5ea2', '#16a2b8', '#d977a8', '#7f8c3a', '#5d6d7e', '#e2c044', '#1f5673', '#a04000'];

const rows = [];
for (const [cls, names] of trace.rows) for (const name of names) rows.push({ row: rows.length, class: cls, name });
const types = [...trace.types.values()].map((t, i) => ({ ...t, type: i, end: trace.end }));
const groups = [...trace.rows.keys()].map((cls, i) => {
  const of = rows.filter((r) => r.class === cls);
  return { group: i, name: 'node vm', parent: null, row: null, rows: of.length, first: of[0].row, last: of.at(-1).row, class: cls };
});

const isNumber = (t) => /tid|cpu$|taskid|nthreads|freq/.test(t.key);
function varint(out, n) {
  for (n = BigInt(n); n >= 128n; n >>= 7n) out.push(Number((n & 127n) | 128n));
  out.push(Number(n));
}
const zigzag = (out, n) => varint(out, BigInt.asUintN(64, (BigInt(n) << 1n) ^ (BigInt(n) >> 63n)));

function parseRows(text) {
  const out = [];
  for (const part of (text ?? '').split(',').filter(Boolean)) {
    const m = /^([rg])(\d+)(?:-(\d+))?$/.exec(part);
    if (m[1] === 'g') out.push({ members: rows.filter((r) => r.row >= groups[+m[2]].first && r.row <= groups[+m[2]].last) });
    else for (let r = +m[2]; r <= +(m[3] ?? m[2]); r++) out.push({ members: [rows[r]] });
  }
  return out;
}

function tile(p) {
  const t = types[p.type];
  const [w, i, q] = [+p.w, +p.i, +p.q];
  const hot = (p.hot ?? '').split(',').filter(Boolean).map(Number);
  const asked = parseRows(p.rows);
  const out = [0x57, 0x54, 0x31, 0, asked.length & 255, asked.length >> 8, 0, 1, q, isNumber(t) ? 1 : 0, 0, 0];
  for (let b = 0n; b < 8n; b++) out.push(Number((BigInt(trace.end) >> (8n * b)) & 255n));
  for (const { members } of asked) {
    const row = [0];
    let last = '';
    let run = null;
    let n = 0;
    const flush = () => {
      if (!run) return;
      row.push(...run);
      varint(row, n);
    };
    for (let c = 0; c < 256; c++) {
      const [a, b] = [(i * 256 + c) * w, (i * 256 + c + 1) * w];
      const one = [];
      if (a >= trace.end || b <= 0) one.push(0);
      else if (isNumber(t)) number(one, t, members[0], a, Math.min(b, trace.end));
      else {
        const sum = new Map();
        for (const m of members) for (const [k, v] of shares(t, t.series.get(m.name), trace.end, a, b)) sum.set(k, (sum.get(k) ?? 0) + v);
        const { parts, more } = quanta(sum, w * members.length, q, hot, new Set(sum.keys()));
        one.push(parts.length | (more ? 128 : 0));
        for (const [cls, k] of parts) one.push(...(parts.length === 1 ? [cls] : [cls, k]));
      }
      const key = one.join();
      if (key !== last) {
        flush();
        [run, n, last] = [one, 0, key];
      }
      n++;
    }
    flush();
    varint(out, row.length);
    for (const x of row) out.push(x);
  }
  return Buffer.from(out);
}

function number(one, t, m, a, b) {
  let [min, max, sum, time, last] = [Infinity, -Infinity, 0, 0, null];
  for (const [x, y, v] of intervals(t.series.get(m.name), trace.end, a, b)) {
    if (v === null) continue;
    min = Math.min(min, v);
    max = Math.max(max, v);
    sum += v * (y - x);
    time += y - x;
    last = v;
  }
  if (!time) return one.push(0);
  one.push(1);
  for (const v of [min, max, Math.round(sum / time), last]) zigzag(one, v);
}

const label = (t, v) => t.labels.get(v) || null;
const cls = (t, v) => (v === null ? 255 : t.classes.get(v));
const list = (t, row) => [...intervals(t.series.get(rows[row].name), trace.end, 0, trace.end)];
const shown = (t, row, [from, to, value]) => ({ row, from, to, value, class: cls(t, value), label: label(t, value) });
const only = (p, t) => (p.rows ? parseRows(p.rows).flatMap((x) => x.members) : rows.filter((r) => r.class === t.class));
const range = (p) => [Number(p.from ?? 0), Math.min(trace.end, Number(p.to ?? trace.end))];

const routes = {
  meta: () => ({
    trace: 0, gen: '0a1b2c3d', name: 'fib', title: 'fib', version: '0.1.0', unit: 'ns', end: trace.end, watermark: trace.end,
    state: 'ready', records: 10404, classes: groups.map((g) => ({ class: g.class, rows: g.rows, groups: 1 })),
    types: types.map((t) => ({ type: t.type, class: t.class, key: t.key, title: t.key + ' of the thread', number: t.type, kind: isNumber(t) ? 'number' : 'state', lanes: 0, unit: null, none: label(t, null), labels: t.classes.size })),
    panels: [], link_kinds: [], links: 0, findings: 1, losses: [{ row: 3, from: 1e7, to: 2e7, events: 12 }],
  }),
  rows: (p) => ({
    class: p.class, from: 0, all: trace.rows.get(p.class).length,
    rows: rows.filter((r) => r.class === p.class).map((r) => ({ row: r.row, name: r.name, parent: groups.find((g) => g.class === p.class).group })),
    groups: groups.filter((g) => g.class === p.class),
  }),
  labels: (p) => ({
    type: +p.type, from: 0, all: types[p.type].classes.size,
    labels: [...types[p.type].classes].map(([value, c]) => ({ value, class: c, text: label(types[p.type], value), meaning: null, colour: palette[c % palette.length] })),
  }),
  tile,
  stat: (p) => {
    const [a, b] = range(p);
    const wanted = p.types ? p.types.split(',').map((x) => types[x]) : types;
    return {
      from_ns: a, duration_ns: b - a,
      types: wanted.map((t) => {
        const of = only(p, t);
        const table = (name, members) => {
          const sum = new Map();
          for (const m of members)
            for (const [x, y, v] of intervals(t.series.get(m.name), trace.end, a, b)) {
              const s = sum.get(v) ?? { time_ns: 0, times: 0 };
              s.time_ns += y - x;
              s.times++;
              sum.set(v, s);
            }
          return {
            row: name, lived_ns: (b - a) * members.length, lost_ns: 0,
            states: [...sum].sort((x, y) => y[1].time_ns - x[1].time_ns).map(([value, s]) => ({ value, label: label(t, value), ...s, runs: 0, mean_ns: Math.round(s.time_ns / s.times) })),
          };
        };
        return { type: t.key, number: t.type, title: t.key, class: t.class, rows: of.length, tables: p.by === 'row' ? of.map((m) => table(m.name, [m])) : [table(null, of)] };
      }),
    };
  },
  at: (p) => {
    const t = types[p.type];
    const all = list(t, p.row);
    const i = Math.max(0, all.findIndex(([x, y]) => x <= p.t && p.t < y));
    return { type: +p.type, t: +p.t, ...shown(t, +p.row, all[i] ?? [0, trace.end, null]), number: i + 1, all: all.length, stack: null };
  },
  step: (p) => {
    const t = types[p.type];
    let best = null;
    for (const m of only(p, t))
      for (const one of list(t, m.row)) {
        if (p.value !== undefined && String(one[2]) !== (p.value === 'none' ? 'null' : p.value)) continue;
        if (p.label !== undefined && !new RegExp(p.label).test(label(t, one[2]) ?? '')) continue;
        if (p.dir === 'next' ? one[0] > p.t && (!best || one[0] < best.from) : one[0] < p.t && (!best || one[0] > best.from)) best = shown(t, m.row, one);
      }
    return best ? { found: true, ...best } : { found: false };
  },
  find: (p) => {
    const re = /^\/.*\/$/.test(p.text) ? new RegExp(p.text.slice(1, -1)) : null;
    const hit = (s) => s && (re ? re.test(s) : s.toLowerCase().includes(p.text.toLowerCase()));
    const r = rows.filter((x) => hit(x.name));
    const l = types.flatMap((t) => [...t.classes].filter(([v]) => hit(label(t, v))).map(([v, c]) => ({ type: t.type, value: v, class: c, text: label(t, v) })));
    return { rows: { all: r.length, hits: r.slice(0, 100) }, labels: { all: l.length, hits: l.slice(0, 100) }, findings: { all: 0, hits: [] } };
  },
  links: () => ({ all: 1, links: [{ from: 1e7, to: 1.2e7, from_row: 0, to_row: 5, kind: 1, id: 7, bytes: 0 }] }),
  findings: () => ({ all: 1, findings: [{ severity: 'note', time: 6279, row: 0, text: 'vm.3932 burst stats: median/avg/max = 30/ 33/190 ns' }] }),
  durations: (p) => {
    const t = types[p.type];
    const [a, b] = range(p);
    const v = p.value === 'none' ? null : Number(p.value);
    const all = only(p, t).flatMap((m) => [...intervals(t.series.get(m.name), trace.end, a, b)]).filter((x) => x[2] === v).map(([x, y]) => y - x).sort((x, y) => x - y);
    const bins = new Map();
    for (const d of all) {
      const from = 2 ** Math.floor(Math.log2(d));
      const bin = bins.get(from) ?? { from, to: from * 2, count: 0, sum: 0 };
      bin.count++;
      bin.sum += d;
      bins.set(from, bin);
    }
    const pick = (n) => all[Math.max(0, Math.ceil((all.length * n) / 100) - 1)] ?? 0;
    const sum = all.reduce((x, y) => x + y, 0);
    return { count: all.length, sum, min: all[0] ?? 0, max: all.at(-1) ?? 0, mean: Math.round(sum / all.length || 0), p50: pick(50), p90: pick(90), p99: pick(99), bins: [...bins.values()].sort((x, y) => x.from - y.from) };
  },
};

const files = { '/': ['index.html', 'text/html'], '/main.js': ['main.js', 'text/javascript'], '/style.css': ['style.css', 'text/css'] };
const server = http.createServer((req, res) => {
  const url = new URL(req.url, 'http://localhost');
  res.setHeader('Content-Security-Policy', "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  const file = files[url.pathname];
  if (file) {
    res.setHeader('Content-Type', file[1] + '; charset=utf-8');
    return res.end(fs.readFileSync(path.join(pages, file[0])));
  }
  if (url.pathname === '/v1/traces') return res.end(JSON.stringify({ version: '0.1.0', traces: [{ trace: 0, gen: '0a1b2c3d', name: 'fib', state: 'ready', done: 1000 }] }));
  const route = routes[url.pathname.split('/')[4]];
  if (!route) return (res.statusCode = 404), res.end('{"error":"no such route"}');
  const answer = route(Object.fromEntries(url.searchParams));
  res.end(Buffer.isBuffer(answer) ? answer : JSON.stringify(answer));
});
server.listen(Number(process.argv[4] ?? 0), '127.0.0.1', () => console.log(server.address().port));
