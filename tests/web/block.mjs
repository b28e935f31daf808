// SPDX-License-Identifier: MIT
// block.mjs BUILD-DIRECTORY - tests the tiles that the page of a report makes of
// those in its file.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import url from 'node:url';
import { assert, done, random, test } from './tap.mjs';

const web = path.resolve(path.dirname(url.fileURLToPath(import.meta.url)), '../../web');
const out = path.join(path.resolve(process.argv[2]), 'block');
execFileSync('esbuild', [...['block', 'tile'].map((n) => path.join(web, n + '.ts')), '--bundle', '--format=esm', '--out-extension:.js=.mjs', '--log-level=warning', '--outdir=' + out]);
const block = await import(url.pathToFileURL(path.join(out, 'block.mjs')));
const tile = await import(url.pathToFileURL(path.join(out, 'tile.mjs')));
const END = 100000n;

// A tile of states: of each row, 256 columns of [class, share] pairs.
function bytes(rows) {
  const to = [0x57, 0x54, 0x31, 0, rows.length, 0, 0, 1, 15, 0, 0, 0, ...new Array(8).fill(0)];
  for (const cells of rows) {
    const row = [0];
    for (const c of cells) row.push(c.length, ...c.flatMap((s) => (c.length === 1 ? [s[0]] : s)), 1);
    to.push((row.length & 127) | 128, row.length >> 7, ...row);
  }
  return Uint8Array.from(to);
}

const tiles = (of) => new block.Tiles(new Map(of), () => END);
const name = (w, i, rows = 'r0') => `0/tile?type=3&w=${w}&i=${i}&q=15&rows=${rows}`;

// Classes and shares of a column of a decoded row.
function column(row, c) {
  const run = tile.runAt(row, c);
  return Array.from({ length: row.at[run + 1] - row.at[run] }, (_, k) => [row.cls[row.at[run] + k], row.share[row.at[run] + k]]);
}

// Makes random columns: of one class, or of two classes that share the column.
function columns(rnd, n = 256) {
  return Array.from({ length: n }, () => {
    const part = rnd(15);
    return part === 0 ? [[rnd(4), 15]] : [[rnd(2), part], [2 + rnd(2), 15 - part]];
  });
}

test('a_width_of_the_file_is_given_as_it_is', () => {
  const cells = columns(random(1));
  const of = tiles([[name(64, 2, 'g0,r5-6'), bytes([cells, columns(random(2)), cells])]]);
  const got = of.tile(0, 3, 64, 2n, 15, ['r6', 'g0']);
  assert.equal(got.from, 64);
  const rows = tile.decode(got.bytes).rows;
  assert.equal(rows.length, 2);
  for (const row of rows) {
    assert.equal(row.coarse, 0);
    cells.forEach((c, i) => assert.deepEqual(column(row, i), c));
  }
  assert.equal(of.tile(0, 3, 64, 2n, 15, ['r7']), null);
  assert.equal(of.tile(0, 4, 64, 2n, 15, ['r6']), null);
});

test('other_quanta_add_up_and_keep_the_order_of_shares', () => {
  const cells = columns(random(3));
  const of = tiles([[name(1, 0), bytes([cells])]]);
  for (const q of [63, 255]) {
    const row = tile.decode(of.tile(0, 3, 1, 0n, q, ['r0']).bytes).rows[0];
    cells.forEach((c, i) => {
      const got = column(row, i);
      assert.equal(got.reduce((n, s) => n + s[1], 0), q);
      got.forEach((s, k) => assert.ok(Math.abs(s[1] - (c[k][1] * q) / 15) <= 1, `${s} ${c[k]}`));
      if (q === 255) got.forEach((s, k) => assert.equal(s[1], c[k][1] * 17));
    });
  }
});

test('narrower_columns_repeat_what_a_wider_one_shows', () => {
  const cells = columns(random(4));
  const of = tiles([[name(40, 0), bytes([cells])]]);
  for (const w of [1, 5, 7, 24]) {
    for (const i of [0n, 1n, 3n]) {
      const got = of.tile(0, 3, w, i, 15, ['r0']);
      if (i * 256n * BigInt(w) + 256n * BigInt(w) > 256n * 40n) continue; // lies outside of the wide tile
      assert.equal(got.from, 40);
      const row = tile.decode(got.bytes).rows[0];
      assert.ok(row.coarse > 0);
      for (let c = 0; c < 256; c++) assert.deepEqual(column(row, c), cells[Math.floor(((Number(i) * 256 + c) * w) / 40)]);
    }
  }
});

test('wider_columns_have_the_mean_of_narrower_ones', () => {
  const all = Array.from({ length: 4 }, (_, k) => columns(random(5 + k)));
  const of = tiles(all.map((cells, i) => [name(8, i), bytes([cells])]));
  const flat = all.flat();
  const got = of.tile(0, 3, 20, 0n, 15, ['r0']);
  assert.equal(got.from, 8);
  const row = tile.decode(got.bytes).rows[0];
  for (let c = 0; c < 256; c++) {
    const sum = new Map();
    for (let t = c * 20; t < c * 20 + 20; t++) for (const [cls, s] of flat[Math.floor(t / 8)]) sum.set(cls, (sum.get(cls) ?? 0) + s / 20);
    const shares = column(row, c);
    assert.equal(shares.reduce((n, s) => n + s[1], 0), 15);
    for (const [cls, s] of sum) {
      const is = shares.find((x) => x[0] === cls)?.[1] ?? 0;
      assert.ok(is > s - 1 - 1e-9 && is < s + 4, `${c}: class ${cls} has ${is}, not ${s}`);
    }
  }
});

// A tile of fine quanta: class 3 has 6 of them, in all columns.
const rest = tile.FINE - 6;
const varint = (v) => (v < 128 ? [v] : [(v & 127) | 128, ...varint(Math.floor(v / 128))]);
const run = [2, 3, 6, 255, ...varint(rest), 128, 2];
const fine = Uint8Array.from([0x57, 0x54, 0x31, 0, 1, 0, 0, 1, 0, 0, 0, 0, ...new Array(8).fill(0), run.length + 1, 0, ...run]);

test('fine_tiles_answer_fine_questions_about_their_groups', () => {
  const of = new block.Tiles(new Map([[name(8, 0, 'g0,g1'), bytes([columns(random(1)), columns(random(2))])], [name(8, 0, 'g0').replace('q=15', 'q=fine'), fine]]), () => 2048n);
  for (const [w, from] of [[8, 8], [16, 8], [4, 8]]) {
    const got = of.tile(0, 3, w, 0n, tile.FINE, ['g0']);
    assert.equal(got.from, from);
    const t = tile.decode(got.bytes);
    assert.equal(t.q, tile.FINE);
    assert.deepEqual(column(t.rows[0], 5), [[3, 6], [255, rest]]);
  }
  // Other questions, and other groups, get what has 15 quanta.
  assert.deepEqual([[8, ['g0']], [16, ['g0']], [4, ['g0']], [256, ['g0']], [8, ['g0', 'g1']]].map(([w, rows]) => of.isExact(0, 3, w, rows)), [true, true, false, false, false]);
  assert.equal(column(tile.decode(of.tile(0, 3, 8, 0n, 15, ['g0']).bytes).rows[0], 5).reduce((n, s) => n + s[1], 0), 15);
  assert.ok(of.tile(0, 3, 8, 0n, tile.FINE, ['g1']));
  assert.deepEqual(of.widths(0, 3), [8]);
});

test('finer_columns_are_preferred_to_exact_ones', () => {
  const of = new block.Tiles(new Map([[name(8, 0, 'g0').replace('q=15', 'q=fine'), fine], ...[2, 512].map((w) => [name(w, 0, 'g0'), bytes([columns(random(w))])])]), () => 512n);
  for (const [w, from] of [[1, 2], [2, 2], [4, 2], [8, 8], [16, 8], [256, 512]]) assert.equal(of.tile(0, 3, w, 0n, tile.FINE, ['g0']).from, from, `columns of ${w}`);
});

test('what_lies_behind_the_end_is_outside', () => {
  const of = new block.Tiles(new Map([[name(40, 0), bytes([columns(random(9))])]]), () => 1000n);
  const row = tile.decode(of.tile(0, 3, 8, 0n, 15, ['r0']).bytes).rows[0];
  assert.equal(column(row, 124).length > 0, true);
  assert.deepEqual(column(row, 125), []);
  assert.deepEqual(column(row, 255), []);
});

test('entries_that_are_cut_are_refused', () => {
  const entry = Uint8Array.from([1, 0, 0, 0, 2, 0, 0, 0, 0x61, 1, 2]);
  assert.deepEqual([...block.entries(entry)], [['a', Uint8Array.from([1, 2])]]);
  assert.throws(() => block.entries(entry.subarray(0, 10)));
  assert.equal(block.entries(new Uint8Array()).size, 0);
});

await done();
