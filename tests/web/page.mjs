// SPDX-License-Identifier: MIT
// page.mjs WEFT TRACE BUILD-DIRECTORY - works with the page in Chromium, and
// compares its pictures with the records of `weft emu -f csv`. Each step leaves
// a picture in BUILD-DIRECTORY/shots.
import fs from 'node:fs';
import path from 'node:path';
import { intervals, load, quanta, shares } from './brute.mjs';
import { EVIL, evil } from './evil.mjs';
import { launch, serve, Viewer, weftText, workplace } from './browser.mjs';
import { assert, done, random, test } from './tap.mjs';

const [weft, source, build] = process.argv.slice(2).map((p) => path.resolve(p));
const { shots, scratch, trace } = workplace(source, build, 'shots');
weftText(weft, ['emu', '-q', '-f', 'csv', '-o', path.join(scratch, 'csv'), trace]);
const brute = load(path.join(scratch, 'csv/states.csv'));

const server = serve(weft, [trace]);
const address = await server.address;
const browser = await launch();
const v = await Viewer.open(browser, address, { folder: shots });
const { page } = v;
brute.end = (await v.state()).end;
const subsystem = brute.types.get('thread nanos6.subsystem');
const THREAD = 'TH 1.3946';

// Computes every pixel of a panel from the records.
function expected(pic) {
  const type = brute.types.get(`${pic.class} ${pic.key}`);
  const cls = new Map(pic.classes.map(([value, c]) => [value === null ? null : Number(value), c]));
  type.classes = new Map([...type.classes.keys()].map((value) => [value, cls.get(value)]));
  const out = new Uint32Array(pic.width * pic.height);
  for (const line of pic.lines) {
    const q = line.whole <= 16 ? 15 : line.whole <= 64 ? 63 : 255;
    for (let x = 0, before = -1, column = []; x < pic.width; x++) {
      const c = Math.floor((pic.left + x) / pic.k);
      if (c !== before) column = pixelsOf(pic, type, line, c * pic.w, q);
      before = c;
      for (let y = 0; y < line.height; y++) if (line.y + y >= 0 && line.y + y < pic.height) out[(line.y + y) * pic.width + x] = column[y] ?? 0;
    }
  }
  return out;
}

function pixelsOf(pic, type, line, from, q) {
  const sum = new Map();
  if (from < brute.end)
    for (const name of line.members)
      for (const [c, time] of shares(type, type.series.get(name), brute.end, from, from + pic.w)) sum.set(c, (sum.get(c) ?? 0) + time);
  const { parts } = quanta(sum, pic.w * line.members.length, q, [], new Set(), line.group ? 1 : 0);
  const out = [];
  let all = 0;
  for (const [c, n] of parts) {
    all += n;
    const least = line.height >= 15 && c !== 255 ? 1 : 0;
    for (const end = Math.min(line.height, Math.max(out.length + least, Math.round((all * line.height) / q))); out.length < end; ) out.push(pic.colour[c]);
  }
  return out;
}

function differing(pic, want) {
  let n = 0;
  let first = '';
  for (let i = 0; i < want.length; i++)
    if (want[i] !== pic.pixels[i] && n++ === 0) {
      const [x, y] = [i % pic.width, Math.floor(i / pic.width)];
      const line = pic.lines.find((l) => y >= l.y && y < l.y + l.height);
      first = `at ${x},${y} (${line?.name}), column ${Math.floor((pic.left + x) / pic.k)} of ${pic.w}: ${pic.pixels[i].toString(16)}, not ${want[i].toString(16)}`;
    }
  return n === 0 ? '' : `${n} pixels differ, first ${first}`;
}

async function same(viewer = v, panel = 0) {
  const pic = await viewer.picture(panel);
  assert.equal(differing(pic, expected(pic)), '', `window of ${pic.w} x ${pic.k}`);
  return pic;
}

// Zooms as a user's wheel does, which is exact to about a pixel.
async function go(viewer, rnd) {
  await viewer.page.evaluate(([steps, at, pan]) => {
    const app = window.weft;
    app.showWhole();
    app.zoom(-steps, Math.floor(at * app.plot));
    app.pan(Math.floor((pan - 0.5) * app.plot));
  }, [rnd(90), rnd(1000) / 1000, rnd(1000) / 1000]);
  await viewer.quiet();
}

const clean = () => assert.deepEqual(v.troubles, []);
const plain = (s) => s.replace(/[\u202f\u00a0]/g, (c) => (c === '\u202f' ? '' : ' '));
const button = (name) => page.getByRole('button', { name, exact: true });
const item = (name) => page.getByRole('menuitem', { name }).or(page.getByRole('menuitemcheckbox', { name }));

test('open_shows_all_rows_of_the_trace', async () => {
  const s = await v.state();
  assert.equal(s.lines[0], 34); // the line of the group, and 33 threads
  assert.equal(s.from, 0);
  assert.equal(s.to, brute.end);
  assert.match(await v.text('.head .type'), /Nanos6 subsystem/);
  assert.match(await v.text('.names'), /TH 1\.3932/);
  const pic = await same();
  assert.ok(new Set(pic.pixels).size > 5, 'several colours');
  await v.shot('open');
  clean();
});

test('zoom_by_wheel_keeps_the_time_under_the_pointer', async () => {
  const at = await v.spot(0, THREAD, 26500000);
  const time = () => page.evaluate((x) => {
    const p = window.weft.panels[0];
    const s = p.spot(x - p.plot.getBoundingClientRect().left, 50);
    return [Number(s.time), window.weft.scale.w];
  }, at.x);
  const [before, wide] = await time();
  await page.mouse.move(at.x, at.y);
  for (let i = 0; i < 12; i++) {
    await page.mouse.wheel(0, -100);
    await v.quiet();
    const [t, w] = await time();
    // The middle of the column stays in the column under the pointer.
    assert.ok(t <= before + wide / 2 && before + wide / 2 < t + w, `${t} ${before} ${w}`);
  }
  assert.equal((await v.state()).w, wide / 8);
  await same();
  await v.shot('zoom');
});

test('twenty_windows_are_exact_to_the_pixel', async () => {
  const rnd = random(11);
  for (let i = 0; i < 20; i++) {
    await go(v, rnd);
    await same();
  }
});

test('pan_moves_the_picture_by_whole_pixels', async () => {
  await v.key('0', 'w', 'w', 'w', 'w', 'w', 'w');
  const before = await v.picture();
  const at = await v.spot(0, THREAD, (await v.state()).from + 1000000);
  await page.mouse.move(at.x + 300, at.y);
  await page.keyboard.down('Shift');
  await page.mouse.down();
  await page.mouse.move(at.x + 200, at.y, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await v.quiet();
  const after = await same();
  assert.equal(after.left, before.left + 100);
  for (let y = 0; y < after.height; y += 7) for (let x = 0; x < after.width - 100; x += 13) assert.equal(after.pixels[y * after.width + x], before.pixels[y * before.width + x + 100]);
  await v.key('a');
  assert.equal((await v.state()).left, after.left - Math.round(after.width * 0.1));
  await v.key('Shift+D');
  await same();
  await v.shot('pan');
});

test('hover_says_the_interval_exactly', async () => {
  await v.key('0');
  const [from, to, value] = [...intervals(subsystem.series.get(THREAD), brute.end, 0, brute.end)].find(([a, b, x]) => x === 12 && b - a > 1e6);
  const at = await v.spot(0, THREAD, Math.floor((from + to) / 2));
  await page.mouse.move(at.x, at.y);
  await page.waitForFunction(() => /\d of \d/.test(document.getElementById('tip').textContent));
  const said = plain(await v.text('#tip'));
  assert.match(said, new RegExp(subsystem.labels.get(value)));
  assert.match(said, new RegExp(`${to - from} ns`));
  assert.match(said, new RegExp(`from ${from} ns`));
  await v.shot('hover');
});

test('drag_selects_snaps_and_fills_the_table', async () => {
  await v.key('0');
  const [from, to] = [...intervals(subsystem.series.get(THREAD), brute.end, 0, brute.end)].find(([a, b, x]) => x === 12 && b - a > 1e6);
  const [a, b] = [await v.spot(0, THREAD, from), await v.spot(0, THREAD, to)];
  await page.mouse.move(a.x + 3, a.y);
  await page.mouse.down();
  await page.mouse.move(b.x - 20, b.y, { steps: 4 });
  await page.mouse.move(b.x - 3, b.y);
  await page.mouse.up();
  await v.quiet();
  const s = await v.state();
  assert.deepEqual([s.select.from, s.select.to], [from, to]);
  const want = JSON.parse(weftText(weft, ['stat', '--json', '--type', 'nanos6.subsystem', '--from', String(s.select.from), '--to', String(s.select.to), trace]));
  const states = want.types.find((t) => t.class === 'thread').tables[0].states;
  const rows = await page.locator('#dock tbody tr').allInnerTexts();
  assert.equal(rows.length, states.length);
  for (const [i, state] of states.entries()) {
    const cells = rows[i].split('\t').map((c) => c.trim());
    assert.equal(cells[0], state.label);
    assert.equal(plain(cells[3]), String(state.times));
  }
  const csv = await page.evaluate(() => window.weft.dock.current.csv());
  const times = csv.trim().split('\n').slice(1).map((l) => Number(l.split(',').at(-7)));
  assert.deepEqual(times, states.map((x) => x.time_ns));
  await v.shot('select');
});

test('details_before_the_first_record_say_so', async () => {
  await page.evaluate(() => window.weft.go.to(null, window.weft.panel.tree.rows.find((r) => r.name === 'TH 1.3933').row, 6000000n));
  await page.evaluate(() => window.weft.dock.open('details', false));
  await v.quiet();
  const text = await page.locator('#dock .facts').innerText();
  assert.match(text, /nothing recorded yet/);
  assert.match(text, /before the first record of this row/);
  assert.doesNotMatch(text, /No subsystem|\b0 of/);
});

test('number_and_lengths_of_the_states_table_are_of_the_same_intervals', async () => {
  await v.key('Escape', 'Escape', '0', '1');
  await v.page.evaluate(() => window.weft.dock.open('states', false));
  await v.quiet();
  for (const byRow of [false, true]) {
    await page.getByRole('checkbox', { name: 'by row' }).setChecked(byRow);
    await v.quiet();
    const [head, ...lines] = (await page.evaluate(() => window.weft.dock.current.csv())).trim().split('\n').map((l) => l.split(','));
    const at = (l, name) => l[head.indexOf(name)];
    const known = lines.filter((l) => at(l, 'intervals') !== '');
    assert.ok(known.length >= 12, head + known.length);
    for (const l of known) {
      const [time, n, mean, least, most] = ['time_ns', 'intervals', 'mean_ns', 'shortest_ns', 'longest_ns'].map((name) => Number(at(l, name)));
      assert.equal(mean, Math.floor(time / n), String(l));
      assert.ok(least <= mean && mean <= most, String(l));
    }
    const waits = lines.filter((l) => at(l, 'value') === 'Blocking: Taskwait');
    const sum = (name) => waits.reduce((n, l) => n + Number(at(l, name)), 0);
    assert.deepEqual([sum('times'), sum('intervals')], [67, 134]);
  }
  await page.getByRole('checkbox', { name: 'by row' }).setChecked(false);
  await v.quiet();
});

test('drag_with_alt_selects_rows', async () => {
  await v.key('Escape', '0', '1');
  const [a, b] = [await v.spot(0, 'TH 1.3935', 12000000), await v.spot(0, 'TH 1.3937', 30000000)];
  await page.mouse.move(a.x, a.y);
  await page.keyboard.down('Alt');
  await page.mouse.down();
  await page.mouse.move(b.x - 9, b.y, { steps: 4 });
  await page.mouse.move(b.x, b.y);
  await page.mouse.up();
  await page.keyboard.up('Alt');
  await v.quiet();
  const { select } = await v.state();
  assert.equal(select.rows, 3);
  const want = new Map();
  for (const name of ['TH 1.3935', 'TH 1.3936', 'TH 1.3937'])
    for (const [x, y, value] of intervals(subsystem.series.get(name), brute.end, select.from, select.to)) want.set(subsystem.labels.get(value), (want.get(subsystem.labels.get(value)) ?? 0) + (y - x));
  // Without a value only the time in which the threads lived counts.
  const stat = JSON.parse(weftText(weft, ['stat', '--json', '--type', 'nanos6.subsystem', '--by', 'thread', '--from', select.from + 'ns', '--to', select.to + 'ns', trace]));
  want.set('No subsystem', stat.types[0].tables.filter((t) => ['TH 1.3935', 'TH 1.3936', 'TH 1.3937'].includes(t.row)).reduce((n, t) => n + t.states.find((s) => s.value === null).time_ns, 0));
  const csv = await page.evaluate(() => window.weft.dock.current.csv());
  const got = csv.trim().split('\n').slice(1).map((l) => [l.split(',')[0], Number(l.split(',').at(-7))]);
  assert.deepEqual(new Map(got), want);
  await v.shot('rows');
  await v.key('Escape');
});

test('durations_count_every_interval', async () => {
  await v.key('Escape', '2');
  await page.locator('#dock select').selectOption('12');
  await v.quiet();
  let n = 0;
  let longest = 0;
  for (const series of subsystem.series.values())
    for (const [a, b, x] of intervals(series, brute.end, 0, brute.end))
      if (x === 12) {
        n++;
        longest = Math.max(longest, b - a);
      }
  const said = plain(await v.text('#dock .facts')).replace(/\s+/g, ' ');
  assert.match(said, new RegExp(`intervals ${n} `));
  assert.match(said, new RegExp(`longest ${Math.round(longest / 1e3) / 1e3} ms`));
  await v.shot('durations');
});

test('the_longest_interval_is_that_of_the_time_shown', async () => {
  const chosen = async () => plain(await v.text('#dock .chosen'));
  const show = async (from, to) => {
    await page.evaluate(([a, b]) => window.weft.showTime(BigInt(Math.max(0, Math.round(a))), BigInt(Math.round(b))), [from, to]);
    await v.quiet();
  };
  const longest = page.getByTitle('Go to the longest interval');
  const all = [...subsystem.series.values()].flatMap((s) => [...intervals(s, brute.end, 0, brute.end)]).filter(([, , x]) => x === 12).sort((a, b) => a[0] - b[0]);
  await longest.click();
  await v.quiet();
  assert.match(await chosen(), /^the longest: /);
  // Before the longest one begins.
  const [far] = all.reduce((x, y) => (y[1] - y[0] > x[1] - x[0] ? y : x));
  await show(all[0][0], (all[0][0] + far) / 2);
  assert.match(await chosen(), /^intervals of /);
  // Where an interval lasts, and none begins.
  const [a, b] = all.slice(1).map(([b], i) => [all[i][0], Math.min(b, Math.max(...all.slice(0, i + 1).map((x) => x[1])))]).reduce((x, y) => (y[1] - y[0] > x[1] - x[0] ? y : x));
  await page.locator('#dock input[type=checkbox]').uncheck();
  await show(a + (b - a) * 0.4, a + (b - a) * 0.6);
  await longest.click();
  await v.quiet();
  assert.equal(await page.evaluate(() => window.weft.bar.said), 'No interval of this value begins in this time: zoom out.');
  await page.evaluate(() => window.weft.bar.hush());
  await v.key('Escape', '0');
});

test('a_group_folds_to_one_exact_row', async () => {
  await v.key('1', '0');
  await page.locator('.name.group').first().click();
  await v.quiet();
  assert.equal((await v.state()).lines[0], 1);
  await same();
  await v.shot('folded');
  await v.key('Shift+E');
  assert.equal((await v.state()).lines[0], 34);
});

test('legend_highlights_what_is_short', async () => {
  await page.locator('.legend button', { hasText: 'Task: Creating' }).first().click();
  await v.quiet();
  assert.match((await v.state()).hash, /h=nanos6%2esubsystem%40thread\.3/);
  const pic = await v.picture();
  const cls = new Map(pic.classes).get(3);
  // Every column in which the row has the class shows the class, however short.
  const colour = pic.colour[cls];
  const line = pic.lines.find((l) => l.name === 'TH 1.3935');
  const columns = new Set();
  for (const [a, b, x] of intervals(subsystem.series.get(line.name), brute.end, 0, brute.end)) if (x === 3) for (let c = Math.floor(a / pic.w); c <= Math.floor((b - 1) / pic.w); c++) columns.add(c);
  assert.ok(columns.size > 0);
  for (const c of columns) {
    let seen = false;
    for (let y = 0; y < line.height; y++) seen ||= pic.pixels[(line.y + y) * pic.width + c * pic.k - pic.left] === colour;
    assert.ok(seen, `column ${c}`);
  }
  await v.shot('highlight');
  await page.locator('.legend button.hot').click();
  await v.quiet();
  assert.doesNotMatch((await v.state()).hash, /;h=/);
});

test('search_steps_from_hit_to_hit', async () => {
  await v.key('0', '/');
  await page.keyboard.type('taskwait');
  await v.key('Enter');
  const first = (await v.state()).focus;
  assert.equal(first.label, 'Blocking: Taskwait');
  await v.key('Enter');
  const second = (await v.state()).focus;
  assert.ok(second.from > first.from);
  await v.shot('search');
  await v.key('Escape', 'Shift+N');
  assert.equal((await v.state()).focus.from, first.from);
  await page.evaluate(() => window.weft.hot.set(window.weft.panels[0].type, []));
});

test('details_say_all_of_a_clicked_interval', async () => {
  await v.key('0');
  const [from, to] = [...intervals(subsystem.series.get(THREAD), brute.end, 0, brute.end)].find(([a, b, x]) => x === 12 && b - a > 1e6);
  const at = await v.spot(0, THREAD, Math.floor((from + to) / 2));
  await page.mouse.click(at.x, at.y);
  await page.mouse.move(at.x, 10);
  await v.quiet();
  const said = plain(await v.text('#dock .facts'));
  for (const part of [THREAD, 'Blocking: Taskwait', `${from} ns`, `${to} ns`, `${to - from} ns`]) assert.ok(said.includes(part), part);
  assert.match(plain(await v.text('#dock .split')), /stack, innermost last/);
  await v.shot('details');
  await page.mouse.dblclick(at.x, at.y);
  await v.quiet();
  const s = await v.state();
  const part = (to - from) / (s.to - s.from);
  assert.ok(part > 0.25 && part < 0.4, `a third of the window: ${part}`);
});

test('details_say_how_an_interval_divides_in_other_types', async () => {
  // The thread's state lasts through many subsystems: those with most time, of
  // which the first one has the largest share.
  const state = brute.types.get('thread ovni.state');
  const name = THREAD;
  const [from, to] = [...intervals(state.series.get(name), brute.end, 0, brute.end)].filter(([, , x]) => state.labels.get(x) === 'Running').reduce((a, b) => (b[1] - b[0] > a[1] - a[0] ? b : a));
  const time = new Map();
  for (const [a, b, x] of intervals(subsystem.series.get(name), brute.end, from, to)) time.set(x, (time.get(x) ?? 0) + (b - a));
  const want = [...time].sort((a, b) => b[1] - a[1]).slice(0, 2).map(([x, n]) => `${x === null ? 'No subsystem' : subsystem.labels.get(x)} ${((n / (to - from)) * 100).toFixed(1)} %`);
  await page.evaluate(async ([name, t]) => {
    const app = window.weft;
    const row = app.panels[0].tree.rows.find((r) => r.name === name).row;
    await app.go.to(app.trace.type('ovni.state@thread'), row, BigInt(t));
    app.dock.open('details', false);
  }, [name, from]);
  await v.quiet();
  const said = plain(await v.text('#dock .details'));
  assert.ok(want.length === 2 && said.includes(': ' + want.join(', ')), `${want} in ${said}`);
  await v.shot('meanwhile');
  await page.evaluate(() => window.weft.setType(window.weft.panels[0], window.weft.trace.type('nanos6.subsystem@thread')));
  await v.quiet();
});

test('everything_can_be_done_by_keyboard', async () => {
  await page.evaluate(() => window.weft.act('cancel'));
  await v.key('Escape', 'Escape', '0', '1');
  await page.locator('.plot').first().focus();
  await v.key('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown');
  const row = (await v.state()).focus;
  assert.match(row.name, /^TH 1\./);
  await v.key('ArrowRight', 'ArrowRight');
  const one = await v.state();
  assert.ok(one.focus.from > 0);
  assert.match(plain(one.live), new RegExp(`^${row.name}, .* from .* for .*, \\d+ of \\d+$`));
  await v.key('ArrowRight');
  const two = await v.state();
  assert.equal(two.focus.from, one.focus.to);
  await v.key('ArrowLeft');
  assert.equal((await v.state()).focus.from, one.focus.from);
  await v.key('Enter');
  assert.match(await v.text('#dock .facts'), new RegExp(row.name));
  await v.key('f');
  const near = await v.state();
  assert.ok(near.w < two.w);
  await v.key('Shift+Enter');
  assert.deepEqual((await v.state()).select, { from: one.focus.from, to: one.focus.to, rows: 0 });
  await v.shot('keyboard');
  await v.key('Backspace');
  assert.equal((await v.state()).w, two.w);
  await v.key('Shift+Backspace');
  assert.equal((await v.state()).w, near.w);
  await v.key('Escape', 'g');
  await page.keyboard.type('50%');
  await v.key('Enter');
  const half = await v.state();
  assert.ok(half.from <= brute.end / 2 && half.to >= brute.end / 2);
  await v.key('m', '6');
  assert.match(await page.locator('#dock input').first().inputValue(), /mark 1/);
  await page.locator('.plot').first().focus();
  const lines = (await v.state()).lines[0];
  await v.key('h');
  assert.equal((await v.state()).lines[0], lines - 1);
  await v.key('r');
  await page.getByRole('button', { name: 'Show hidden rows' }).press('Enter');
  await v.quiet();
  assert.equal((await v.state()).lines[0], lines);
  await v.key('p');
  assert.equal((await v.state()).lines[0], lines + 1);
  await v.key('p', 'e');
  assert.equal((await v.state()).lines[0], 1);
  await v.key('e', '0');
});

test('help_lists_every_key', async () => {
  await v.key('?');
  const keys = await page.locator('.dialog dd').count();
  assert.ok(keys > 40);
  await v.shot('help');
  await v.key('Escape');
  assert.equal(await page.locator('.dialog').count(), 0);
});

test('modes_breakdown_counters_and_panels', async () => {
  await v.key('0', 'v');
  const pic = await v.picture();
  for (const line of pic.lines.filter((l) => !l.group).slice(0, 8))
    for (let x = 0; x < pic.width; x += 3) assert.equal(pic.pixels[line.y * pic.width + x], pic.pixels[(line.y + line.height - 1) * pic.width + x], 'one value a column');
  await v.key('v', 'v', 'v');
  assert.match(await v.text('.head .mode'), /breakdown/);
  await v.shot('breakdown');
  await v.key('v');
  assert.match(await v.text('.head .mode'), /stack/);
  await v.shot('lanes');
  await v.key('v');
  await button('Add a panel').click();
  await item(/task type of the RUNNING/).first().click();
  await v.quiet();
  assert.equal((await v.state()).lines.length, 2);
  await same(v, 0);
  await same(v, 1);
  await v.shot('panels');
  await page.getByRole('button', { name: 'Close the panel' }).last().click();
  await v.quiet();
});

test('a_type_that_was_never_recorded_is_told_in_every_mode', async () => {
  const show = (key, mode) => page.evaluate(([k, m]) => {
    const app = window.weft;
    app.panels[0].state.mode = m;
    return app.setType(app.panels[0], app.trace.type(k));
  }, [key, mode]);
  for (const mode of ['share', 'area']) {
    await show('ovni.flush@thread', mode);
    await v.quiet();
    assert.match(await v.text('.empty'), /Nothing of .* was recorded/);
  }
  await v.shot('nothing');
  await show('nanos6.subsystem@thread', 'share');
  await v.quiet();
  await same();
});

test('the_address_opens_the_same_view', async () => {
  await v.key('0', 'w', 'w', 'w', 'w', 'd', 'm', 'b');
  const pic = await v.picture();
  const { hash } = await v.state();
  const again = await Viewer.open(browser, address, { folder: shots, hash });
  const other = await again.picture();
  assert.equal((await again.state()).hash, hash);
  assert.equal(differing(other, pic.pixels), '');
  assert.deepEqual(again.troubles, []);
  await again.close();
  await page.evaluate(() => window.weft.setColours('plain'));
  await v.key('0');
});

test('dark_and_patterns_are_exact_too', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(() => window.weft.setColours('plain'));
  await v.quiet();
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(20, 23, 26)');
  await same();
  await v.shot('dark');
  await v.key('b');
  await same();
  await v.key('b');
  await v.shot('patterns');
  await v.key('b');
  await page.emulateMedia({ colorScheme: 'light' });
  await v.quiet();
});

test('small_windows_and_large_text_keep_everything_in_reach', async () => {
  await page.setViewportSize({ width: 800, height: 600 });
  await v.quiet();
  await same();
  await v.shot('small');
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  await page.setViewportSize({ width: 1280, height: 800 });
  await v.quiet();
  for (const b of await page.locator('#bar button:visible').all()) {
    const box = await b.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 1280.5, await b.innerText());
  }
  await v.shot('large-text');
  await page.evaluate(() => (document.documentElement.style.fontSize = ''));
  await v.quiet();
});

test('frames_of_wheeling_are_drawn', async () => {
  const at = await v.spot(0, THREAD, Math.floor(brute.end / 2));
  await page.mouse.move(at.x, at.y);
  await page.evaluate(() => (window.weft.frames.length = 0));
  // Turns the wheel faster than frames come, as a touchpad does.
  for (let i = 0; i < 300; i += 10) await Promise.all(Array.from({ length: 10 }, (_, n) => page.mouse.wheel(0, (i + n) % 40 < 20 ? -100 : 100)));
  await v.quiet();
  const frames = (await page.evaluate(() => window.weft.frames)).sort((a, b) => a - b);
  assert.ok(frames.length > 10);
  console.log(`# ${frames.length} frames: half up to ${frames[frames.length >> 1].toFixed(1)} ms, 99 % up to ${frames[Math.floor(frames.length * 0.99)].toFixed(1)} ms, all up to ${frames.at(-1).toFixed(1)} ms`);
  clean();
});

test('labels_are_shown_as_text_whatever_they_hold', async () => {
  const other = serve(weft, evil(scratch));
  try {
    const e = await Viewer.open(browser, await other.address, { folder: shots, hash: '#a=1;p=' + encodeURIComponent('evil.s@thread').replaceAll('.', '%2e') + '.share.0' });
    await e.key('1');
    const said = await e.text('#dock');
    for (const l of [...EVIL.slice(0, 2), '\ufffdevil\ufffd']) assert.ok(said.includes(l), l);
    assert.match(await e.text('.head .type'), /<b>bold<\/b>/);
    assert.equal(await e.page.locator('#app img, #app b:not(.caption b), #app script').count(), 0);
    const at = await e.spot(0, (await e.picture()).lines.at(-1).name, 150);
    await e.page.mouse.move(at.x, at.y);
    await e.page.mouse.click(at.x, at.y);
    await e.quiet();
    assert.ok((await e.text('#dock .facts')).includes(EVIL[0]));
    await e.shot('labels');
    assert.deepEqual(e.troubles, []);
    await e.close();
  } finally {
    other.end();
  }
});

test('fingers_pan_pinch_hover_and_zoom', async () => {
  const context = await browser.newContext({ viewport: { width: 900, height: 700 }, hasTouch: true });
  await context.addCookies(await v.context.cookies());
  const t = await Viewer.open(browser, address.replace(/\?.*/, ''), { folder: shots, context });
  const cdp = await context.newCDPSession(t.page);
  const touch = (type, ...at) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: at.map(([x, y], id) => ({ x, y, id })) });
  await t.key('w', 'w', 'w', 'w', 'w', 'w', 'w', 'w');
  const { x, y } = await t.page.locator('.plot').first().boundingBox().then((b) => ({ x: Math.round(b.x + b.width / 2), y: Math.round(b.y + b.height / 2) }));
  const before = await t.state();
  await touch('touchStart', [x, y]);
  for (const d of [20, 40, 60]) await touch('touchMove', [x - d, y]);
  await touch('touchEnd');
  await t.quiet();
  const panned = await t.state();
  assert.deepEqual([panned.w, panned.left], [before.w, before.left + 60]);
  assert.equal(panned.select, null);
  await touch('touchStart', [x - 50, y], [x + 50, y]);
  for (const d of [70, 100, 140, 190]) await touch('touchMove', [x - d, y], [x + d, y]);
  await touch('touchEnd');
  await t.quiet();
  const pinched = await t.state();
  assert.ok(pinched.w < panned.w, `${pinched.w} < ${panned.w}`);
  await same(t);
  // On a busy machine two taps may come too late after each other.
  for (let tries = 0; tries < 20 && (await t.state()).w === pinched.w; tries++) {
    for (let i = 0; i < 2; i++) {
      await touch('touchStart', [x, y]);
      await touch('touchEnd');
    }
    await t.quiet();
  }
  assert.ok((await t.state()).w < pinched.w, 'a double tap zooms in');
  await touch('touchStart', [x, y]);
  await t.page.waitForFunction(() => !document.getElementById('tip').hidden);
  await t.shot('touch');
  await touch('touchEnd');
  assert.deepEqual(t.troubles, []);
  await context.close();
});

test('what_is_undone_comes_back', async () => {
  await v.key('0');
  await page.locator('.plot').first().focus();
  await v.key('ArrowDown', 'ArrowDown', 'ArrowDown');
  await page.evaluate(() => window.weft.flush());
  const lines = (await v.state()).lines[0];
  await v.key('h');
  assert.equal((await v.state()).lines[0], lines - 1);
  await v.key('Control+z');
  await page.waitForFunction((n) => window.weft.panels[0].lines.length === n, lines);
  await v.key('Control+y');
  await page.waitForFunction((n) => window.weft.panels[0].lines.length === n - 1, lines);
  await v.key('Control+z');
  await page.waitForFunction((n) => window.weft.panels[0].lines.length === n, lines);
});

test('a_trace_that_grew_is_shown_in_the_same_window', async () => {
  await v.key('0', 'w', 'w', 'w');
  const before = await v.picture();
  const legend = () => page.locator('.legend button').allInnerTexts();
  const values = await legend();
  const gen = await page.evaluate(() => window.weft.trace.meta.gen);
  // A newer generation: the same answers under another number.
  await page.route('**/v1/0/deadbeef/**', async (route) => {
    const answer = await route.fetch({ url: route.request().url().replace('deadbeef', gen) });
    const body = await answer.body();
    await route.fulfill({ response: answer, body: /\/meta/.test(route.request().url()) ? JSON.stringify({ ...JSON.parse(body), gen: 'deadbeef' }) : body });
  });
  await page.evaluate(() => window.weft.growth.renew('deadbeef', { state: 'live' }));
  await v.quiet();
  assert.equal(await page.evaluate(() => window.weft.trace.meta.gen), 'deadbeef');
  assert.match(await v.text('.trace'), /live/);
  const after = await v.picture();
  assert.deepEqual([after.left, after.w], [before.left, before.w]);
  assert.equal(differing(after, before.pixels), '');
  assert.deepEqual(await legend(), values);
  await page.getByRole('button', { name: 'follow', exact: true }).click();
  assert.ok(await page.evaluate(() => window.weft.follow));
  await v.key('a');
  assert.equal(await page.evaluate(() => window.weft.follow), false, 'a move stops following');
  await page.evaluate(() => window.weft.growth.progress({ state: 'building', done: 420 }));
  assert.equal(await page.locator('#bar progress').evaluate((p) => [p.hidden, p.value].join()), 'false,420');
  await v.shot('building');
  // The answer to a question about an old generation names the newer one.
  await page.unroute('**/v1/0/deadbeef/**');
  await page.evaluate((g) => window.weft.growth.renew(g, { state: 'ready' }), gen);
  await v.quiet();
  await v.key('0');
  assert.equal(await page.evaluate(() => window.weft.trace.meta.gen), gen);
  clean();
});

test('a_trace_that_grows_is_never_blank', async () => {
  await v.key('0', '1');
  await page.evaluate(() => window.weft.dock.open('states', false));
  await v.quiet();
  const before = await v.picture();
  const table = await v.text('#dock .body');
  const gen = await page.evaluate(() => window.weft.trace.meta.gen);
  let release;
  const wait = new Promise((done) => (release = done));
  let refuse = true;
  // A newer generation with other numbers of types, whose tiles come late; an
  // even newer one follows, so that the table is refused at first.
  const other = (n) => (Number(n) + 1000).toString();
  await page.route('**/v1/0/deadbeef/**', async (route) => {
    const asked = route.request().url();
    if (/\/tile/.test(asked)) await wait;
    if (/\/stat/.test(asked) && refuse) return route.fulfill({ status: 409, contentType: 'application/json', body: '{"error":"the index was built again (another generation)","gen":"deadbeef"}' });
    const answer = await route.fetch({ url: asked.replace('deadbeef', gen).replace(/([?&]types?=)1(\d{3})\b/, (_, name, n) => name + Number(n)) });
    const body = await answer.body();
    const meta = () => {
      const is = JSON.parse(body);
      is.types.forEach((t) => (t.type = Number(other(t.type))));
      return JSON.stringify({ ...is, gen: 'deadbeef', panels: [] });
    };
    await route.fulfill({ response: answer, body: /\/meta/.test(asked) ? meta() : body });
  });
  const from = v.troubles.length;
  await page.evaluate(() => window.weft.growth.renew('deadbeef', { state: 'live' }));
  for (let i = 0; i < 5; i++) {
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    assert.equal(differing(await v.picture(), before.pixels), '', 'the picture stays until new tiles come');
    assert.equal(await v.text('#dock .body'), table);
    await page.waitForTimeout(50);
  }
  refuse = false;
  release();
  await page.evaluate(() => window.weft.dock.changed('all'));
  await v.quiet();
  assert.equal(differing(await v.picture(), before.pixels), '');
  assert.equal(await v.text('#dock .body'), table);
  assert.equal(await page.evaluate(() => [...window.weft.store.entries.values()].reduce((n, e) => n + e.old.size, 0) > 0 && window.weft.store.busy), false);
  assert.deepEqual(v.troubles.splice(from).filter((t) => !/409/.test(t)), []);
  await page.unroute('**/v1/0/deadbeef/**');
  await page.evaluate((g) => window.weft.growth.renew(g, { state: 'ready' }), gen);
  await v.quiet();
  clean();
});

test('the_focused_interval_stays_while_the_trace_grows', async () => {
  await v.key('0');
  const at = await v.spot(0, THREAD, 26500000);
  await page.mouse.click(at.x, at.y);
  await v.quiet();
  const { focus } = await v.state();
  const details = await v.text('.tab.details');
  assert.ok(focus.from > 0 && /has no links/.test(details), JSON.stringify(focus));
  const gen = await page.evaluate(() => window.weft.trace.meta.gen);
  // Generations in which types and rows have other numbers. In the last one the
  // interval has another value.
  let value = (is) => is;
  await page.route(/v1\/0\/dead/, async (route) => {
    const asked = route.request().url().replace(/dead\w+/, gen).replace(/([?&]types?=)1(\d{3})\b/, (_, name, n) => name + Number(n));
    const answer = await route.fetch({ url: asked.replace(/(row=|r|-)9(\d{2})\b/g, (_, before, n) => before + Number(n)) });
    const body = await answer.body();
    const is = /\/(meta|rows|at)\b/.test(asked) && JSON.parse(body);
    if (/\/meta/.test(asked)) Object.assign(is, { gen: /dead\w+/.exec(route.request().url())[0], types: is.types.map((t) => ({ ...t, type: 1000 + t.type })), panels: [] });
    if (/\/rows/.test(asked)) is.rows.forEach((r) => (r.row += 900));
    if (/\/at\b/.test(asked)) Object.assign(is, { value: value(is.value), states: is.states?.map((t) => ({ ...t, type: 1000 + t.type })) });
    await route.fulfill({ response: answer, body: is ? JSON.stringify(is) : body });
  });
  const from = v.troubles.length;
  const renew = (g) => page.evaluate((g) => window.weft.growth.renew(g, { state: 'live' }), g);
  await renew('dead0001');
  assert.deepEqual((await v.state()).focus, focus);
  const rows = await page.evaluate(() => [window.weft.focus.line, window.weft.panels[0].lines.find((l) => l.name === window.weft.focus.line.name)].map((l) => l.row));
  assert.ok(rows[0] >= 900 && rows[0] === rows[1], rows.join());
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  assert.doesNotMatch(await v.text('.tab.details'), /Asking/);
  await v.quiet();
  assert.equal(await v.text('.tab.details'), details);
  value = () => 1;
  await renew('dead0002');
  await v.quiet();
  assert.equal((await v.state()).focus, null);
  assert.match(await v.text('.tab.details'), /Click an interval/);
  v.troubles.splice(from); // tiles of rows that the server does not have
  await page.unroute(/v1\/0\/dead/);
  await page.evaluate((g) => window.weft.growth.renew(g, { state: 'ready' }), gen);
  await v.key('0', '1');
  clean();
});

test('a_line_has_no_tile_of_what_was_shown_before', async () => {
  const [had, type, hot] = await page.evaluate(() => {
    const app = window.weft;
    const p = app.panels[0];
    const line = p.lines.find((l) => l.group === null);
    const has = () => p.row(line, p.tiles().first) !== undefined;
    const out = [has()];
    const was = p.type;
    p.type = app.trace.types.find((t) => t !== was && t.info.class === was.info.class && !app.panels.some((o) => o.type === t));
    out.push(has());
    p.type = was;
    app.hot.set(was, [was.labels.findLast((l) => l.class !== null).class]);
    out.push(has());
    app.hot.set(was, []);
    return out;
  });
  assert.deepEqual([had, type, hot], [true, false, false]);
  await v.quiet();
});

test('two_device_pixels_are_exact', async () => {
  const fine = await Viewer.open(browser, address, { folder: shots, width: 900, height: 700, scale: 2 });
  const rnd = random(12);
  for (let i = 0; i < 6; i++) {
    await go(fine, rnd);
    const pic = await same(fine);
    assert.equal(pic.dpr, 2);
  }
  assert.deepEqual(fine.troubles, []);
  await fine.close();
});

test('a_server_that_is_gone_is_told_and_the_picture_stays', async () => {
  await v.key('0');
  await v.picture(); // waits until all tiles are there
  server.end();
  await page.waitForFunction(() => !document.getElementById('banner').hidden);
  assert.match(await v.text('#banner'), /server does not answer|has ended/);
  // The banner takes space: the panel is drawn again in the next frame.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await v.shot('gone');
  const after = await v.picture();
  assert.ok(new Set(after.pixels).size > 2);
});

try {
  await done();
} finally {
  await browser.close();
  server.end();
  fs.rmSync(scratch, { recursive: true, force: true });
}
