// SPDX-License-Identifier: MIT
// modules.mjs BUILD-DIRECTORY - tests the page's modules that need no browser.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import url from 'node:url';
import { assert, done, random, test } from './tap.mjs';

const web = path.resolve(path.dirname(url.fileURLToPath(import.meta.url)), '../../web');
const out = path.join(path.resolve(process.argv[2]), 'modules');
const modules = ['ladder', 'time', 'tile', 'paint', 'view', 'keys', 'colour', 'rows', 'store', 'table', 'actions', 'trace', 'summary', 'names', 'el', 'overlay'];
execFileSync('esbuild', [...modules.map((n) => path.join(web, n + '.ts')), '--bundle', '--format=esm', '--out-extension:.js=.mjs', '--log-level=warning', '--outdir=' + out]);
const m = {};
for (const n of modules) m[n] = await import(url.pathToFileURL(path.join(out, n + '.mjs')));
const { ladder, time, tile, paint, view, keys, colour, rows, store, table, actions, trace, summary, names, el, overlay } = m;

test('a_group_is_pinned_and_hidden_as_one_line', () => {
  const of = (row) => ({ row, name: 'TH ' + row, parent: 0 });
  const tree = new rows.RowTree('thread', [of(0), of(1), of(2)], [{ group: 0, kind: 'all', name: 'thread', parent: null, row: null, n: 3, rows: 'r0-2' }]);
  const look = (more) => tree.lines({ folds: [], pins: [], hidden: [], filter: '', sort: 'order', rank: null, ...more }).map((l) => `${l.key}${l.pinned ? '!' : ''}${l.folded ? '+' : ''}`);
  const { hash } = tree.lines({ folds: [], pins: [], hidden: [], filter: '', sort: 'order', rank: null })[0];
  assert.deepEqual(look({}), ['g0', 'r0', 'r1', 'r2']);
  assert.deepEqual(look({ pins: [hash] }), ['g0!+', 'g0', 'r0', 'r1', 'r2']);
  assert.deepEqual(look({ pins: [hash], folds: [hash] }), ['g0!+', 'g0+']);
  assert.deepEqual(look({ hidden: [hash] }), []);
  assert.deepEqual(look({ hidden: [hash], pins: [hash] }), ['g0!+']);
});

// ---- types

test('a_trace_opens_with_what_weft_stat_prints_first', () => {
  let n = 0;
  const type = (key, more = {}) => new trace.Type({ type: n++, key, class: 'thread', kind: 'state', labels: 3, records: '9', ...more });
  const opens = (types, panel) => trace.opening(types, panel)?.info.key;
  const core = [type('ovni.flush'), type('ovni.tid', { kind: 'id' }), type('ovni.state'), type('ovni.cpu')];
  assert.equal(opens([...core, type('ovni.mark99')], core[2].info.type), 'ovni.mark99');
  assert.equal(opens([...core, type('ovni.mark1', { records: '0' })], core[2].info.type), 'ovni.state');
  assert.equal(opens([...core, type('nanos6.task_type'), type('nanos6.subsystem')]), 'nanos6.subsystem');
  assert.equal(opens([...core, type('ovni.mark99', { class: 'cpu' })], core[2].info.type), 'ovni.state');
  assert.equal(opens([]), undefined);
  // Of several runtimes the one that worked; no type of a class without rows.
  assert.equal(opens([...core, type('nanos6.subsystem', { records: '2' }), type('openmp.subsystem', { records: '86' })]), 'openmp.subsystem');
  assert.equal(trace.opening([...core, type('linux.syscalls', { class: 'cpu' })], undefined, ['cpu'])?.info.key, 'linux.syscalls');
});

// ---- scales

test('ladder_has_integer_widths_in_steps_of_at_most_a_quarter', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(ladder.width), [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16]);
  for (let s = 3; s < ladder.MAX_STEP; s++) {
    const ratio = ladder.width(s + 1) / ladder.width(s);
    assert.ok(ratio > 1.14 && ratio <= 1.25, `${s}: ${ratio}`);
    assert.ok(Number.isInteger(ladder.width(s)));
  }
});

test('fit_is_the_finest_scale_that_shows_all', () => {
  const rnd = random(1);
  for (let i = 0; i < 2000; i++) {
    const units = BigInt(rnd(2 ** 30) + 1) * BigInt(2 ** rnd(28));
    const pixels = 100 + rnd(3000);
    const s = ladder.fit(units, pixels);
    const shows = (x) => BigInt(Math.floor(pixels / x.k)) * BigInt(x.w) >= units;
    assert.ok(shows(s));
    assert.ok(s.step === ladder.MIN_STEP || !shows(ladder.scale(s.step - 1)));
  }
});

test('zoom_keeps_the_time_under_the_pointer', () => {
  const rnd = random(2);
  for (let i = 0; i < 5000; i++) {
    const from = ladder.scale(rnd(200) + ladder.MIN_STEP);
    const to = ladder.scale(rnd(200) + ladder.MIN_STEP);
    const left = BigInt(rnd(2 ** 30)) * 4096n;
    const at = rnd(2000);
    const left2 = ladder.zoomed(left, at, from, to);
    const t = ladder.timeOf(left + BigInt(at), from);
    // The pixel that showed t at its start shows it still.
    const start = left + BigInt(at) - ((left + BigInt(at)) % BigInt(from.k));
    const p = ladder.zoomed(left, Number(start - left), from, to);
    assert.equal(ladder.pixelOf(t, to) - p, start - left);
    assert.ok(left2 + BigInt(at) >= ladder.pixelOf(t, to));
  }
});

// ---- times

test('times_are_written_in_the_unit_that_fits', () => {
  const nb = (s) => s.replaceAll(' ', '\u00a0');
  assert.equal(time.span(0n, 'ns'), nb('0 ns'));
  assert.equal(time.span(999n, 'ns'), nb('999 ns'));
  assert.equal(time.span(1203457n, 'ns'), nb('1.203 ms'));
  assert.equal(time.span(-1500n, 'ns'), nb('-1.5 us'));
  assert.equal(time.span(1500n, 'ps'), nb('1.5 ns'));
  assert.equal(time.span(2n ** 62n, 'ns'), nb('4611686018.427 s'));
  assert.equal(time.exact(1203457n, 'ns'), '1\u202f203\u202f457\u00a0ns');
});

test('ticks_are_round_and_far_enough_apart', () => {
  const rnd = random(3);
  for (let i = 0; i < 3000; i++) {
    const from = BigInt(rnd(2 ** 30)) * BigInt(2 ** rnd(30));
    const length = BigInt(rnd(2 ** 30) + 1) * BigInt(2 ** rnd(20));
    const pixels = 300 + rnd(3000);
    const axis = time.ticks(from, from + length, pixels, i % 2 ? 'ns' : 'ps', 60);
    assert.match(String(axis.step), /^[125]0*$/);
    assert.ok(Number(axis.step) * pixels >= Number(length) * 60 * 0.999, 'apart');
    assert.ok(axis.ticks.length <= pixels / 60 + 2);
    for (const t of axis.ticks) {
      assert.ok(t.time >= from && t.time <= from + length);
      if (axis.relative === null) assert.equal(t.time % axis.step, 0n);
      assert.ok(t.label.replace(/[-+.]/g, '').length <= 13, t.label);
    }
    assert.equal(new Set(axis.ticks.map((t) => t.label)).size, axis.ticks.length, 'labels differ');
  }
});

test('go_to_reads_times_percents_and_steps', () => {
  const at = { end: 56278246n, here: 1000000n, unit: 'ns' };
  const read = (s) => time.parse(s, at);
  assert.equal(read('1.25ms'), 1250000n);
  assert.equal(read('1250000'), 1250000n);
  assert.equal(read(' 1 250 000 ns '), 1250000n);
  assert.equal(read('50%'), 28139123n);
  assert.equal(read('+3us'), 1003000n);
  assert.equal(read('-3\u00b5s'), 997000n);
  assert.equal(read('1:02.5'), 62500000000n);
  assert.equal(read('2min'), 120000000000n);
  for (const bad of ['', 'x', '1.2.3', '+50%', '1e3', '0x10', '3 parsecs', '-']) assert.equal(read(bad), null, bad);
});

// ---- tiles

function varint(to, n) {
  for (n = BigInt(n); n >= 128n; n >>= 7n) to.push(Number(n & 127n) | 128);
  to.push(Number(n));
}
const zigzag = (to, n) => varint(to, BigInt.asUintN(64, (BigInt(n) << 1n) ^ (BigInt(n) >> 63n)));

// Makes up a tile: its bytes, and its columns as plain lists.
function madeUp(rnd, kind, n = 1 + rnd(5)) {
  const q = [15, 63, 255][rnd(3)];
  const bytes = [0x57, 0x54, 0x31, 0, n, 0, 0, 1, q, kind, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0];
  const all = [];
  for (let r = 0; r < n; r++) {
    const row = [rnd(3)];
    const columns = [];
    while (columns.length < 256) {
      const length = Math.min(256 - columns.length, 1 + rnd(rnd(4) ? 20 : 200));
      const run = { parts: [], more: 0, value: null };
      const c = kind === 2 ? rnd(2) : rnd(Math.min(q, 6));
      const set = new Set();
      while (set.size < c) set.add(rnd(10) ? rnd(30) : 255);
      const classes = [...set].sort((a, b) => a - b);
      run.more = kind === 0 ? rnd(2) : 0;
      row.push(c | (run.more << 7));
      if (kind === 2) {
        run.value = c ? [rnd(9) - 4, 2 ** 40, -(2 ** 45), 7] : null;
        for (const v of run.value ?? []) zigzag(row, v);
      } else {
        let left = q;
        classes.forEach((cls, i) => {
          const share = i === c - 1 ? left : 1 + rnd(left - (c - 1 - i));
          left -= share;
          const count = 1 + rnd(1000);
          run.parts.push([cls, kind === 3 ? count : share]);
          row.push(cls);
          if (kind === 3) varint(row, count);
          else if (c > 1) row.push(share);
        });
        if (kind === 1 && c) {
          run.value = [rnd(100), 500 - rnd(1000)];
          varint(row, run.value[0]);
          zigzag(row, run.value[1]);
        }
      }
      varint(row, length);
      for (let i = 0; i < length; i++) columns.push(run);
    }
    varint(bytes, row.length);
    bytes.push(...row);
    all.push(columns);
  }
  return { bytes: Uint8Array.from(bytes), q, columns: all };
}

test('tiles_decode_to_what_was_encoded', () => {
  const rnd = random(4);
  for (let i = 0; i < 500; i++) {
    const kind = i % 4;
    const made = madeUp(rnd, kind);
    const t = tile.decode(made.bytes);
    assert.equal(t.kind, kind);
    assert.equal(t.watermark, 0x30201n);
    made.columns.forEach((columns, r) => {
      const row = t.rows[r];
      columns.forEach((is, c) => {
        const run = tile.runAt(row, c);
        const got = [];
        for (let x = row.at[run]; x < row.at[run + 1]; x++) got.push([row.cls[x], kind === 3 ? row.count[x] : row.share[x]]);
        if (kind !== 2) assert.deepEqual(got, is.parts);
        else assert.deepEqual(is.value, row.at[run] === row.at[run + 1] ? null : [...row.value.slice(run * 4, run * 4 + 4)]);
        if (kind === 1 && is.value) assert.deepEqual([row.count[run], row.value[run]], is.value);
        assert.equal(row.more[run], is.more);
      });
    });
  }
});

test('damaged_tiles_are_refused_and_nothing_else_happens', () => {
  const rnd = random(5);
  for (let i = 0; i < 300; i++) {
    const { bytes } = madeUp(rnd, i % 4);
    for (let n = 0; n < 20; n++) {
      const bad = n % 2 ? bytes.slice(0, rnd(bytes.length)) : Uint8Array.from(bytes);
      if (n % 2 === 0) bad[rnd(bad.length)] = rnd(256);
      try {
        for (const row of tile.decode(bad).rows) assert.equal(row.end[row.runs - 1], 256 - (256 - row.end[row.runs - 1]));
      } catch (e) {
        assert.ok(e instanceof tile.TileError, String(e));
      }
      if (n % 2) assert.throws(() => tile.decode(bad), tile.TileError);
    }
  }
});

test('successive_tiles_of_the_same_rows_are_asked_for_at_once', async () => {
  const rnd = random(8);
  const made = Array.from({ length: 10 }, () => madeUp(rnd, 0, 1));
  const asked = [];
  const net = {
    tilesAtOnce: 3,
    bytes: async (_, p) => {
      asked.push([Number(p.i), p.n, p.rows]);
      return Uint8Array.from(made.slice(Number(p.i), Number(p.i) + (p.n ?? 1)).flatMap((t) => [...t.bytes]));
    },
  };
  const s = new store.TileStore(net, () => {});
  const row = (i) => s.row({ type: 0, lane: 0, w: 4, i: BigInt(i), q: 15, hot: '' }, 'r1');
  const all = [3, 4, 5, 6, 9];
  s.begin();
  for (const i of all) row(i);
  s.send();
  assert.deepEqual(asked, [[3, 3, 'r1'], [6, undefined, 'r1'], [9, undefined, 'r1']]);
  while (s.busy) await new Promise((done) => setTimeout(done));
  for (const i of all) assert.deepEqual(row(i), tile.decode(made[i].bytes).rows[0]);
});

test('requests_at_once_are_counted_and_not_their_rows', () => {
  for (const rows of [1, 300]) {
    let asked = 0;
    const net = { tilesAtOnce: 1, bytes: () => (asked++, new Promise(() => {})) };
    const s = new store.TileStore(net, () => {});
    s.begin();
    for (let i = 0; i < 6; i++) for (let r = 0; r < rows; r++) s.want({ type: 0, lane: 0, w: 4, i: BigInt(2 * i), q: 15, hot: '' }, 'r' + r);
    s.send();
    assert.equal(asked, 4);
  }
});

// ---- painter

const ink = () => ({
  colour: Uint32Array.from({ length: 256 }, (_, i) => (i === 255 ? 0 : 0xff000000 + i + 1)),
  alt: new Uint32Array(256), order: Float64Array.from({ length: 256 }, (_, i) => i), patterns: false, low: 0, high: 1, log: false,
});

// The picture of states, pixel by pixel from the definition.
function reference(made, r, height) {
  const out = new Uint32Array(256 * height);
  made.columns[r].forEach(({ parts }, x) => {
    let sum = 0;
    let y = 0;
    for (const [cls, share] of parts) {
      sum += share;
      const end = Math.min(height, Math.max(y + (height >= 15 && cls !== 255 ? 1 : 0), Math.round((sum * height) / made.q)));
      for (; y < end; y++) out[y * 256 + x] = cls === 255 ? 0 : 0xff000000 + cls + 1;
    }
  });
  return out;
}

test('painted_pixels_are_those_of_the_definition', () => {
  const rnd = random(6);
  for (let i = 0; i < 200; i++) {
    const made = madeUp(rnd, 0);
    const t = tile.decode(made.bytes);
    const height = 1 + rnd(70);
    t.rows.forEach((row, r) => {
      const data = new Uint32Array(256 * height);
      paint.paintRow({ data, width: 256 }, { top: 0, height }, row, t.q, 0, 'share', ink());
      assert.deepEqual(data, reference(made, r, height));
    });
  }
});

test('modes_of_one_value_choose_it', () => {
  const rnd = random(7);
  const colours = ink();
  for (let i = 0; i < 100; i++) {
    const made = madeUp(rnd, 0);
    const row = tile.decode(made.bytes).rows[0];
    made.columns[0].forEach(({ parts }, x) => {
      const run = tile.runAt(row, x);
      const some = parts.filter(([c]) => c !== 255).map(([c]) => c);
      const most = [...parts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 255;
      assert.equal(paint.chosen(row, run, 'most', colours), most);
      assert.equal(paint.chosen(row, run, 'largest', colours), some.length ? Math.max(...some) : 255);
      assert.equal(paint.chosen(row, run, 'smallest', colours), some.length ? Math.min(...some) : 255);
    });
  }
});

test('a_row_stands_in_for_finer_and_for_wider_ones', () => {
  const made = madeUp(random(8), 0);
  const row = tile.decode(made.bytes).rows[0];
  const data = new Uint32Array(256 * 10);
  paint.paintStretched({ data, width: 256 }, { top: 0, height: 10 }, row, made.q, 0, 'share', ink(), 0, 256, Float64Array.from({ length: 256 }, (_, x) => x >> 1));
  const whole = reference(made, 0, 10);
  for (let y = 0; y < 10; y++) for (let x = 0; x < 256; x++) assert.equal(data[y * 256 + x], whole[y * 256 + (x >> 1)]);
});

test('numbers_of_no_value_are_not_the_smallest_integer', () => {
  const row = [0, 1];
  for (let i = 0; i < 4; i++) zigzag(row, -(2n ** 63n));
  varint(row, 256);
  const bytes = [0x57, 0x54, 0x31, 0, 1, 0, 0, 1, 15, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  varint(bytes, row.length);
  const is = tile.decode(Uint8Array.from([...bytes, ...row])).rows[0];
  assert.ok(is.value.every(Number.isNaN));
  assert.equal(is.at[0], is.at[1]);
});

test('bands_of_numbers_reach_from_min_to_max', () => {
  const bytes = [0x57, 0x54, 0x31, 0, 1, 0, 0, 1, 15, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const row = [0, 1];
  for (const v of [25, 75, 50, 60]) zigzag(row, v);
  varint(row, 256);
  varint(bytes, row.length);
  const t = tile.decode(Uint8Array.from([...bytes, ...row]));
  const data = new Uint32Array(256 * 101);
  const i = { ...ink(), low: 0, high: 100 };
  i.alt = Uint32Array.from({ length: 256 }, () => 7);
  i.colour[1] = 0;
  paint.paintRow({ data, width: 256 }, { top: 0, height: 101 }, t.rows[0], 15, 2, 'band', i);
  const column = Array.from({ length: 101 }, (_, y) => data[y * 256 + 100]);
  assert.deepEqual([column.indexOf(i.colour[0]), column.lastIndexOf(i.colour[0]), column.indexOf(7)], [25, 75, 50]);
  const drawn = (mode) => {
    const to = new Uint32Array(256 * 101);
    paint.paintRow({ data: to, width: 256 }, { top: 0, height: 101 }, t.rows[0], 15, 2, mode, i);
    const one = Array.from({ length: 101 }, (_, y) => to[y * 256 + 100]);
    return [one.indexOf(i.colour[0]), one.lastIndexOf(i.colour[0]), one.includes(7)];
  };
  assert.deepEqual(drawn('range'), [25, 75, false]);
  assert.deepEqual(drawn('last'), [40, 100, false]);
});

// ---- address

test('addresses_read_back_as_they_were', () => {
  const rnd = random(9);
  const word = () => ['nanos6.subsystem@thread', 'a;b=c,d.e~f!g', 'Übung 1', '100 %', '#x'][rnd(5)];
  const some = (n, make) => Array.from({ length: rnd(n) }, make);
  for (let i = 0; i < 500; i++) {
    const s = {
      ...view.blank(), from: BigInt(rnd(2 ** 30)) * 2n ** BigInt(rnd(30)), length: BigInt(1 + rnd(2 ** 30)),
      panels: some(3, () => ({ type: word(), mode: view.MODES[rnd(view.MODES.length)], height: rnd(65), log: rnd(2) > 0, over: some(2, word) })),
      folds: some(4, () => view.hash(word() + rnd(99))), pins: some(3, () => view.hash(word())), hidden: some(3, () => view.hash(word())),
      select: rnd(2) ? { from: BigInt(rnd(1000)), to: BigInt(1000 + rnd(1000)), rows: some(3, () => view.hash(word())) } : null,
      hot: some(2, () => ({ type: word(), values: [BigInt(rnd(1e6)) - 500n, null] })),
      marks: some(4, () => ({ time: BigInt(rnd(2 ** 30)), name: word() })),
      colours: ['', ...view.COLOURS][rnd(4)], sort: view.SORTS[rnd(4)], tab: ['states', 'details', ''][rnd(3)], trace: rnd(2) ? '1' : '', other: some(2, () => 'z=' + rnd(9)),
    };
    const text = view.write(s);
    assert.match(text, /^#a=1(;[a-z]=[^;#\s]*)*$/);
    const back = view.read(text);
    assert.equal(back.trouble, '');
    assert.deepEqual(back.state, s);
    assert.equal(view.write(back.state), text);
  }
});

test('addresses_that_are_odd_are_told_in_a_sentence', () => {
  assert.deepEqual(view.read('').state, view.blank());
  assert.match(view.read('#a=2;x=1,2').trouble, /another version/);
  assert.equal(view.read('#a=2;x=1,2').state.length, 0n);
  assert.match(view.read('#a=1;x=!!,2').trouble, /\(x\)/);
  assert.match(view.read('#a=1;p=a.nomode.1').trouble, /\(p\)/);
  const kept = view.read('#a=1;future=1.2;constructor=1').state;
  assert.deepEqual(kept.other, ['future=1.2', 'constructor=1']);
  assert.equal(view.write(kept), '#a=1;future=1.2;constructor=1');
});

test('addresses_stay_within_their_length', () => {
  const s = view.blank();
  s.length = 5n;
  s.marks = Array.from({ length: 500 }, (_, i) => ({ time: BigInt(i), name: 'mark ' + i }));
  s.folds = Array.from({ length: 100 }, (_, i) => view.hash('g' + i));
  const text = view.write(s);
  assert.ok(text.length <= view.LONGEST);
  assert.equal(view.read(text).state.length, 5n);
});

// ---- keys

test('every_key_is_there_once_and_does_something', () => {
  const all = keys.KEYS.flatMap((k) => k.keys);
  assert.equal(new Set(all).size, all.length);
  assert.deepEqual(actions.missing(), []);
  for (const k of keys.KEYS) assert.ok(k.help.length > 3 && !k.help.endsWith('.'), k.act);
});

test('key_presses_are_named_as_the_table_has_them', () => {
  const press = (key, more = {}) => keys.find(keys.nameOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more }))?.act;
  assert.equal(press('w'), 'zoomIn');
  assert.equal(press('W', { shiftKey: true }), 'zoomInFar');
  assert.equal(press('W'), 'zoomIn'); // with Caps Lock
  assert.equal(press('?', { shiftKey: true }), 'help');
  assert.equal(press('+', { shiftKey: true }), 'taller');
  assert.equal(press('ArrowLeft', { ctrlKey: true }), 'previousSame');
  assert.equal(press('Backspace', { shiftKey: true }), 'forward');
  assert.equal(press('c', { ctrlKey: true }), 'copy');
  assert.equal(press('w', { ctrlKey: true }), undefined);
  assert.equal(press('w', { altKey: true }), undefined);
  assert.equal(keys.find('w', false), null);
  assert.equal(keys.find('ArrowLeft', false).act, 'previousInterval');
});

// ---- colours

test('palettes_differ_for_all_eyes_and_stand_out_from_the_paper', () => {
  for (const [list, paper] of [[colour.LIGHT, colour.PAPER.light], [colour.DARK, colour.PAPER.dark]]) {
    assert.equal(list.length, 16);
    for (const [name, sight] of Object.entries(colour.SIGHT)) {
      const d = colour.closest(list, sight);
      assert.ok(d >= 8, `${name}: ${d}`);
    }
    for (const c of list) {
      assert.ok(colour.contrast(colour.rgb(c), colour.rgb(paper)) >= 3, c);
      assert.ok(colour.contrast(colour.rgb(c), colour.rgb(colour.ink(colour.rgb(c)))) >= 4.5, c);
    }
  }
});

test('text_and_focus_of_both_themes_can_be_seen', () => {
  const css = fs.readFileSync(path.join(web, 'style.css'), 'utf8');
  for (const block of [css.match(/:root \{([^}]*)\}/)[1], css.match(/:root\[data-theme='dark'\] \{([^}]*)\}/)[1]]) {
    const v = (name) => colour.rgb(new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(block)[1]);
    for (const on of ['paper', 'panel', 'bar']) {
      for (const text of ['ink', 'dim']) assert.ok(colour.contrast(v(text), v(on)) >= 4.5, `${text} on ${on}: ${colour.contrast(v(text), v(on))}`);
      assert.ok(colour.contrast(v('accent'), v(on)) >= 3, `accent on ${on}`);
    }
    assert.ok(colour.contrast(v('on-accent'), v('accent')) >= 4.5);
    assert.ok(colour.contrast(v('focus'), v('paper')) >= 3);
    for (const sign of ['warning', 'error', 'mark']) assert.ok(colour.contrast(v(sign), v('paper')) >= 4.5, sign);
    assert.ok(colour.contrast(v('ink'), v('hot')) >= 4.5);
  }
});

// ---- rows

function forest() {
  const groups = [{ group: 0, kind: 'all', name: 'node', parent: null, row: null, n: 5, rows: '' }, { group: 1, name: 'p1', parent: 0, row: null, n: 2, rows: '' }, { group: 2, name: 'p2', parent: 0, row: null, n: 3, rows: '' }];
  const list = ['TH 10', 'TH 9', 'TH 1', 'TH 2', 'TH 3'].map((name, row) => ({ row, name, parent: row < 2 ? 1 : 2 }));
  return new rows.RowTree('thread', list, groups);
}
const look = (more = {}) => ({ folds: [], pins: [], hidden: [], filter: '', sort: 'order', rank: null, ...more });
const shown = (t, l) => t.lines(look(l)).map((x) => x.key).join();

test('rows_fold_hide_pin_filter_and_sort', () => {
  const t = forest();
  assert.equal(shown(t), 'g0,g1,r0,r1,g2,r2,r3,r4');
  const p1 = t.lines(look()).find((l) => l.key === 'g1');
  assert.equal(shown(t, { folds: [p1.hash] }), 'g0,g1,g2,r2,r3,r4');
  assert.deepEqual(t.members(p1), [0, 1]);
  assert.equal(shown(t, { hidden: [t.hashOf(3)] }), 'g0,g1,r0,r1,g2,r2,r4');
  assert.equal(shown(t, { pins: [t.hashOf(4)] }), 'r4,g0,g1,r0,r1,g2,r2,r3,r4');
  assert.equal(shown(t, { filter: 'th 1' }), 'g0,g1,r0,g2,r2');
  assert.equal(shown(t, { filter: 'zzz' }), '');
  assert.equal(shown(t, { sort: 'name' }), 'g0,g1,r1,r0,g2,r2,r3,r4');
  assert.equal(shown(t, { sort: 'time', rank: new Map([[4, -9], [2, -5]]) }), 'g0,g1,r0,r1,g2,r4,r2,r3');
  assert.equal(t.groupOf(t.lines(look())[2]), p1.hash);
});

test('rows_of_the_same_name_are_told_apart', async () => {
  // A program that executes another one has a row for each.
  const names = ['TH 1.5', 'TH 1.5 ex', 'TH 1.5 ex', 'TH 1.5 ex'];
  const made = () => new rows.RowTree('thread', names.map((name, row) => ({ row, name, parent: null })), []);
  const t = made();
  const all = names.map((_, row) => t.hashOf(row));
  assert.equal(new Set(all).size, names.length);
  assert.deepEqual(names.map((_, row) => made().hashOf(row)), all, 'an address has the same rows later');
  assert.equal(shown(t, { hidden: [all[2]] }), 'r0,r1,r3');
  assert.equal(shown(t, { pins: [all[3]] }), 'r3,r0,r1,r2,r3');
  // The table of States by row.
  const net = { json: async (_, p) => ({ values: [{ value: 1, class: 0, label: 'A' }], rows: [1, 2].map((row) => ({ row, cells: [p.stat === 'count' ? 1 : 10 * row] })) }) };
  const lines = await summary.ofRows(net, { info: { type: 0 }, byValue: new Map() }, { rows: [1, 2], from: 0n, to: 100n }, (r) => names[r]);
  assert.deepEqual(lines.map((l) => [l.row, l.time, l.share]), [['TH 1.5 ex', 10n, 1], ['TH 1.5 ex', 20n, 1]]);
});

test('states_of_some_rows_are_those_of_weft_stat', async () => {
  const list = [0, 1, 2].map((row) => ({ row, name: 'TH ' + row, parent: null }));
  const type = { info: { type: 0, key: 'k', class: 'thread', kind: 'state', none: 'Off' }, isState: true, byValue: new Map([['1', { class: 0 }]]), name: () => 'Off' };
  const state = (value, time, times) => ({ value, label: value === null ? 'Off' : 'A', time_ns: time, times });
  const net = {
    hasTrace: true,
    stat: async (p) => ({ types: [{ type: 'k', class: 'thread', tables: p.by ? [1, 2, 3].map((n) => ({ row: null, states: [state(1, 10 * n, n), state(null, n, 1)] })) : [{ row: null, states: [state(1, 60, 6), state(null, 6, 3)] }] }] }),
    // Without a value: all time, also outside of the row's life.
    json: async (_, p) => ({ values: [{ value: 1, class: 0, label: 'A' }, { value: null, class: 255, label: null }], rows: [...p.rows.matchAll(/\d+/g)].map(([r]) => Number(r)).flatMap((r) => (p.rows === 'r1-2' ? [1, 2] : [r])).filter((r, i, all) => all.indexOf(r) === i)
      .map((row) => ({ row, cells: p.stat === 'time' ? [10 * (row + 1), 100] : p.stat === 'count' ? [row + 1, 2] : [10, 50] })) }),
  };
  const of = async (rows, byRow) => (await summary.ofScope(net, type, { rows, from: 0n, to: 200n }, list, byRow)).map((l) => [l.row, l.label, l.time, l.times, l.intervals]);
  assert.deepEqual(await of([1, 2], false), [['', 'A', 50n, 5, 5], ['', 'Off', 5n, 2, null]]);
  assert.deepEqual(await of([1, 2], true), [['TH 1', 'A', 20n, 2, 2], ['TH 1', 'Off', 2n, 1, null], ['TH 2', 'A', 30n, 3, 3], ['TH 2', 'Off', 3n, 1, null]]);
  assert.deepEqual((await of(null, false))[0].slice(0, 4), ['', 'A', 60n, 6]);
  // Of the index alone: the cells, without the numbers that only the trace has.
  net.hasTrace = false;
  assert.deepEqual(await of([1, 2], false), [['', 'A', 50n, null, 5], ['', 'Off', 200n, null, 4]]);
  assert.deepEqual((await of([1, 2], true)).map((l) => l[0]), ['TH 1', 'TH 1', 'TH 2', 'TH 2']);
  // Refusals say what helps; only one without the trace blames the index.
  await assert.rejects(summary.ofScope(net, type, { rows: null, from: 0n, to: 200n }, [], false), /^Error: Without its trace, the index answers for few rows at once\. Select 1 to 512 rows\.$/);
  await assert.rejects(summary.ofScope({ ...net, hasTrace: true }, type, { rows: [], from: 0n, to: 200n }, [], false), /^Error: Select 1 to 512 rows\.$/);
  assert.deepEqual((await summary.perRow(net, type, { rows: null, from: 0n, to: 200n }, list.slice(1))).map((l) => [l.id, l.row]), [[1, 'TH 1'], [1, 'TH 1'], [2, 'TH 2'], [2, 'TH 2']]);
});

test('a_dotted_name_is_short_below_its_group', () => {
  const groups = [{ group: 0, kind: 'all', name: 'component', parent: null, row: null, n: 4, rows: '' }, { group: 1, kind: 'row', name: 'core[0]', parent: 0, row: 0, n: 3, rows: '' }];
  const list = [['core[0]', 0], ['core[0].port', 1], ['core[0]x', 1], ['core[1].port', 1]].map(([name, parent], row) => ({ row, name, parent }));
  const lines = new rows.RowTree('component', list, groups).lines(look());
  assert.deepEqual(lines.map((l) => l.short), ['component', 'core[0]', 'port', 'core[0]x', 'core[1].port', 'core[0]']);
  assert.equal(lines[2].name, 'core[0].port');
});

test('names_are_alike_up_to_the_first_letter_that_differs', () => {
  for (const [names, n] of [[[], 0], [['a'], 0], [['TH 1.310', 'TH 1.3114 x'], 7], [['ab', 'b'], 0], [['a', 'ab'], 1], [['ab', 'ab'], 2]]) assert.equal(rows.alikeUpTo(names), n, names.join());
});

test('names_lose_what_all_of_them_begin_with_and_none_needs', () => {
  for (const [list, n] of [[[], 0], [['a'], 0], [['same name', 'same name'], 0], [['a long prefix 1', 'a long prefix 23'], 14], [['worker of pool', 'worker of pool x'], 6], [['TH 1.18742 a', 'TH 1.18744 a'], 5], [['12', '13'], 0], [['ab', 'abc'], 0],
    // Emoji of which the first half is the same.
    [['row \ud83d\ude00', 'row \ud83d\ude01'], 4]]) assert.equal(names.spare(list), n, list.join());
});

test('a_label_without_room_keeps_its_last_part', () => {
  const ctx = { font: '', measureText: (t) => ({ width: 6 * t.length }) };
  for (const [text, most, is] of [['Barrier: Join', 78, 'Barrier: Join'], ['Barrier: Join', 77, 'Join'], ['Runtime: User microtask', 36, 'User \u2026'], ['A: B: C d', 30, 'C d'], ['Mutex', 24, 'Mut\u2026'], ['Sleep: ', 6, '']])
    assert.equal(overlay.fitted(ctx, text, most), is, text);
});

test('a_value_keeps_its_place_in_the_legend', () => {
  const t = new trace.Type({ type: 0, key: 'k', class: 'thread', kind: 'state' });
  t.take([0, 1, 2, 3].map((c) => ({ value: 10 + c, class: c, text: 'L' + c })));
  const order = () => [3, 1, 0, 2].sort((a, b) => t.byTime(a, b));
  assert.deepEqual(order(), [0, 1, 2, 3]);
  t.rank = new Map([['12', 0], ['13', 1], ['10', 2]]);
  assert.deepEqual(order(), [2, 3, 0, 1]);
});

test('no_character_is_cut_in_two', () => {
  assert.equal(el.cut('ab\ud83d\ude00cd', 4), 'ab\u2026');
  assert.equal(el.cut('ab\ud83d\ude00cd', 5), 'ab\ud83d\ude00\u2026');
  assert.equal(el.cut('ab\ud83d', 3), 'ab\ud83d');
});

test('many_rows_start_folded', () => {
  const list = Array.from({ length: 10000 }, (_, row) => ({ row, name: 'T' + row, parent: Math.floor(row / 100) }));
  const groups = Array.from({ length: 100 }, (_, group) => ({ group, name: 'p' + group, parent: null, row: null, n: 100, rows: '' }));
  const t = new rows.RowTree('thread', list, groups);
  const lines = t.lines(look());
  assert.equal(lines.length, 100);
  assert.equal(t.lines(look({ folds: [lines[3].hash] })).length, 200);
});

test('rows_of_a_large_class_come_with_their_group', () => {
  const groups = [{ group: 0, kind: 'all', name: 'all', parent: null, row: null, n: 300, rows: 'r5-304' }, { group: 1, kind: 'band', name: 'threads 0-63', parent: 0, row: null, n: 64, rows: 'r5-68' },
    { group: 2, kind: 'band', name: 'threads 64-299', parent: 0, row: null, n: 236, rows: 'r69-304' }];
  const t = new rows.RowTree('thread', [], groups, 300);
  assert.ok(t.partial);
  const start = t.lines(look());
  assert.deepEqual([start.map((l) => l.key).join(), t.missing()], ['g0,g1,g2', '']);
  assert.equal(t.members(start[0]).length, 300);
  const line = (row, lines) => t.finder(lines)(row);
  assert.deepEqual([line(5, start), line(68, start), line(69, start), line(304, start), line(4, start), line(305, start)], [1, 1, 2, 2, undefined, undefined]);
  const folds = [start[1].hash];
  assert.equal(shown(t, { folds }), 'g0,g1,g2');
  assert.equal(t.missing(), 'r5-68');
  t.add(Array.from({ length: 64 }, (_, i) => ({ row: 5 + i, name: 'T' + i, parent: 1 })));
  const open = t.lines(look({ folds }));
  assert.deepEqual([open.length, t.missing(), line(6, open), line(70, open)], [67, '', 3, 66]);
  assert.equal(shown(t, { folds, hidden: [start[2].hash, open[2].hash] }).split(',').length, 65);
  assert.equal(shown(t, { folds, filter: 't63' }), 'g0,g1,r68');
});

test('groups_in_a_circle_end', () => {
  const t = new rows.RowTree('x', [{ row: 0, name: 'r', parent: 7 }], [{ group: 0, kind: 'all', name: 'a', parent: 1, row: null, n: 0, rows: '' }, { group: 1, name: 'b', parent: 0, row: null, n: 0, rows: '' }]);
  assert.equal(shown(t), 'r0');
});

test('lists_of_rows_are_as_short_as_the_server_reads_them', () => {
  assert.equal(rows.ranges([3, 4, 5, 9, 1, 4]), 'r1,r3-5,r9');
  assert.equal(rows.ranges([]), '');
  assert.equal(store.joined(['r3', 'r4', 'r5', 'g2', 'r9', 'r8']), 'r3-5,g2,r9,r8');
});

test('of_two_groups_with_the_same_rows_one_is_shown', () => {
  const group = (n, name, parent, of) => ({ group: n, kind: 'node', name, parent, row: null, n: 2, rows: of });
  const tree = new rows.RowTree('thread', [0, 1, 2, 3].map((row) => ({ row, name: 'TH ' + row, parent: row < 2 ? 3 : 4 })),
    [{ ...group(0, 'thread', null, 'r0-3'), n: 4 }, group(1, 'rank0', 0, 'r0-1'), group(2, 'rank1', 0, 'r2-3'), group(3, 'Rank 0', 0, 'r0-1'), group(4, 'Rank 1', 0, 'r2-3')]);
  const names = tree.lines({ folds: [], pins: [], hidden: [], filter: '', sort: 'order', rank: null }).map((l) => l.name);
  assert.deepEqual(names, ['thread', 'Rank 0', 'TH 0', 'TH 1', 'Rank 1', 'TH 2', 'TH 3']);
  // The rows may come after the groups.
  const later = new rows.RowTree('thread', [], tree.groups, 4);
  later.add(tree.rows);
  assert.deepEqual(later.lines(look()).map((l) => l.name), names);
});

// ---- tables

test('tables_are_csv_with_every_digit', () => {
  const columns = [{ title: 'value', text: (r) => r.name }, { title: 'time', text: () => '1.2 ms', csv: (r) => String(r.time) }];
  assert.equal(table.csv(columns, [{ name: 'a, "b"', time: 1203457n }]), 'value,time\n"a, ""b""",1203457\n');
});

// ---- the overview

test('a_report_has_exact_shares_of_the_groups_in_the_overview', () => {
  const [page, plan] = [['web/minimap.ts', /^const OUTERMOST = (\d+);/m], ['src/serve/plan.h', /^#define PLAN_OUTERMOST (\d+) /m]].map(([file, re]) => re.exec(fs.readFileSync(path.join(web, '..', file), 'utf8'))?.[1]);
  assert.ok(page && page === plan, `${page} ${plan}`);
});

// ---- size of the page

test('the_page_is_small', () => {
  // The page loads later.js when a part of it is needed. The page of a report
  // contains everything, also the reader of its data, and is not compressed.
  const [later, alone] = ['--external:./later.js', '--format=esm'];
  for (const [name, most, zipped, ...options] of [['main', 150000, 50000, later], ['later', 40000, 15000, alone], ['held', 180000, Infinity]]) {
    const js = path.join(out, name + '.js');
    execFileSync(path.join(web, '../tools/bundle'), ['esbuild', path.join(web, name + '.ts'), js, js + '.d', ...options]);
    const bytes = fs.readFileSync(js);
    const gzip = execFileSync('gzip', ['-9nc', js]).length; // as tools/embed does
    console.log(`# ${name}.js: ${bytes.length} bytes, ${gzip} compressed`);
    assert.ok(bytes.length <= most, `${name}.js: ${bytes.length} bytes`);
    assert.ok(gzip <= zipped, `${name}.js: ${gzip} bytes compressed`);
  }
});

await done();
