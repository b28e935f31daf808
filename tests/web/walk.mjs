// SPDX-License-Identifier: MIT
// walk.mjs WEFT BUILD-DIRECTORY PIPELINE PLAIN - a user's way from `weft run` of a
// program to the answer which thread waited and for what: with the mouse alone,
// and with the keyboard alone. The answers are held against the records of
// `weft emu -f csv` and the lines of `weft dump`. Each step leaves a picture in
// BUILD-DIRECTORY/walk.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { csvLine, intervals, load } from './brute.mjs';
import { launch, serve, Viewer, weftText } from './browser.mjs';
import { assert, done, test } from './tap.mjs';

const [weft, build, pipeline, plainProgram] = process.argv.slice(2).map((p) => path.resolve(p));
const shots = path.join(build, 'walk');
fs.rmSync(shots, { recursive: true, force: true });
fs.mkdirSync(shots, { recursive: true });
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'weft-walk-'));
const WAIT = 'Scheduler: Lock: Enter';
const TYPE = 'nanos6-ctf.subsystems';

function record(name, program, env = {}, ...options) {
  const to = path.join(scratch, name);
  fs.rmSync(to, { recursive: true, force: true });
  execFileSync(weft, ['run', '-q', '-o', to, ...options, program], { env: { ...process.env, ...env }, stdio: 'ignore', cwd: scratch });
  // What a runtime recorded itself, else what the collectors did.
  const trace = path.join(to, fs.readdirSync(to).find((n) => n.startsWith('trace_')) ?? 'ovni');
  weftText(weft, ['emu', '-q', '-f', 'csv', '-o', to + '.csv', trace]);
  const brute = load(to + '.csv/states.csv');
  const file = to + '.csv/links.csv';
  brute.links = !fs.existsSync(file) ? [] : fs.readFileSync(file, 'utf8').split('\n').slice(1).filter(Boolean).map(csvLine)
    .map(([from, fromRow, to, toRow]) => ({ from: Number(from), fromRow, to: Number(to), toRow }));
  return { trace, brute };
}

// All intervals of a type: {row, from, to, label}, each in its whole length.
function list(brute, type) {
  const { series, labels } = brute.types.get(type);
  return [...series].flatMap(([row, s]) => s.map((x, i) => ({ row, from: x.time, to: s[i + 1]?.time ?? brute.end, value: x.value, label: labels.get(x.value) })));
}

// Records a program until its trace has waits that a link ended: a recording on
// a busy machine may have none.
function recordWaits() {
  for (let n = 0; ; n++) {
    const made = record('pipeline', pipeline, { MINITASK_TRACE: 'ctf' });
    made.waits = list(made.brute, 'thread ' + TYPE).filter((w) => w.label === WAIT && w.to > w.from);
    made.ended = made.waits.filter((w) => made.brute.links.some((l) => l.to === w.to && l.toRow === w.row && l.fromRow !== w.row));
    if (made.ended.length > 0) return made;
    assert.ok(n < 10, 'no thread was ever served a task while it waited');
  }
}

const { trace, brute, waits, ended } = recordWaits();
const server = serve(weft, [trace]);
const address = await server.address;
const browser = await launch();
const v = await Viewer.open(browser, address, { folder: shots });
const { page } = v;
brute.end = (await v.state()).end;
for (const w of waits) w.to = Math.min(w.to, brute.end);

// The longest wait that another thread ended, and the waits whose lengths are
// in the same power of two as its length.
const longest = ended.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
const bits = (w) => Math.floor(Math.log2(w.to - w.from));
const alike = waits.filter((w) => bits(w) === bits(longest)).sort((a, b) => a.from - b.from);
const link = brute.links.find((l) => l.to === longest.to && l.toRow === longest.row && l.fromRow !== longest.row);
const sender = list(brute, 'thread ' + TYPE).filter((x) => x.row === link.fromRow && x.from <= link.from).at(-1);

const plain = (s) => s.replace(/[\u202f\u00a0]/g, (c) => (c === '\u202f' ? '' : ' '));
const dock = async () => plain(await v.text('#dock .body')).replace(/\s+/g, ' ');
const has = (text, ...parts) => parts.forEach((p) => assert.ok(text.includes(p), `"${p}" in: ${text}`));
const clean = (viewer = v) => assert.deepEqual(viewer.troubles, []);

// The answer that the page shows, held against the records.
async function answer() {
  const said = await dock();
  has(said, `row ${longest.row} (thread)`, WAIT, `from ${longest.from} ns`, `to ${longest.to} ns`, `length ${longest.to - longest.from} ns`,
    `ended by ${link.fromRow} (scheduler: task served), sent `, `the sender was in: ${sender.label}`, `${link.fromRow}: ${sender.label}`);
  // The focused interval is drawn in the colour of its value.
  const pic = await v.picture();
  const line = pic.lines.find((l) => l.name === longest.row);
  const cls = new Map(pic.classes.map(([value, c]) => [Number(value), c])).get(longest.value);
  const x = Math.floor(Math.floor((longest.from + longest.to) / 2 / pic.w) * pic.k) - pic.left;
  assert.equal(pic.pixels[(line.y + Math.floor(line.height / 2)) * pic.width + x], pic.colour[cls], 'drawn in its colour');
}

async function listed() {
  const got = [];
  for (let n = 0; n < alike.length; n++) {
    const { focus } = await v.state();
    got.push([focus.name, focus.from, focus.to]);
    if (focus.from === longest.from && focus.name === longest.row) break;
    await next();
  }
  return got;
}
let next = () => {};

test('the_mouse_alone_finds_who_waited_and_for_what', async () => {
  await v.shot('open');
  await page.locator('#dock tbody tr', { hasText: WAIT }).click();
  await v.quiet();
  await v.shot('mouse-states');
  await page.getByRole('tab', { name: 'Durations' }).click();
  await v.quiet();
  assert.equal(await page.locator('#dock select').inputValue(), String(longest.value));
  // Drags over the bar of the longest wait.
  const box = await page.locator('#dock canvas').boundingBox();
  const bins = await page.evaluate(() => window.weft.dock.current.last.bins.map((b) => [Number(b.from), Number(b.to), b.count]));
  const [first, last] = [Math.log2(Math.max(1, bins[0][0])), Math.log2(bins.at(-1)[1])];
  const x = (e) => box.x + 34 + ((e - first) / Math.max(1, last - first)) * (box.width - 44);
  await page.mouse.move(x(bits(longest) + 0.3), box.y + 60);
  await page.mouse.down();
  await page.mouse.move(x(bits(longest) + 0.7), box.y + 80, { steps: 3 });
  await page.mouse.up();
  await v.quiet();
  has(await dock(), `${alike.length} interval`);
  await v.shot('mouse-durations');
  next = async () => {
    await page.getByRole('button', { name: 'next \u2192' }).click();
    await v.quiet();
  };
  await next();
  assert.deepEqual(await listed(), alike.slice(0, alike.indexOf(longest) + 1).map((w) => [w.row, w.from, w.to]));
  await page.getByRole('tab', { name: 'Details' }).click();
  await v.quiet();
  await page.getByRole('button', { name: 'zoom to it' }).click();
  await v.quiet();
  await answer();
  await v.shot('mouse-answer');
  // The cause is one click away, and so is the waiting thread.
  await page.locator('.causes button', { hasText: link.fromRow }).first().click();
  await v.quiet();
  let { focus } = await v.state();
  assert.deepEqual([focus.name, focus.from, focus.label], [sender.row, sender.from, sender.label]);
  has(await dock(), `row ${sender.row} (thread)`);
  await v.shot('mouse-cause');
  await page.locator('#dock table tbody tr', { has: page.getByRole('button', { name: longest.row, exact: true }) }).filter({ hasText: 'task served' })
    .getByRole('button', { name: longest.row, exact: true }).first().click();
  await v.quiet();
  ({ focus } = await v.state());
  assert.equal(focus.name, longest.row);
  clean();
});

test('the_keyboard_alone_finds_who_waited_and_for_what', async () => {
  await page.reload();
  await v.quiet();
  await page.evaluate(() => {
    window.weft.restMs = 10;
    window.weft.dock.waitMs = 5;
    window.weft.hot.set(window.weft.panels[0].type, []);
    window.weft.showWhole();
  });
  await v.key('Escape', 'Escape', '1', '1');
  const active = () => page.evaluate(() => document.activeElement.textContent);
  for (let n = 0; n < 40 && !(await active()).startsWith(WAIT); n++) await v.key('ArrowDown');
  await v.key('Enter');
  await v.shot('keys-states');
  await v.key('2', '2');
  const rows = await page.evaluate(() => window.weft.dock.current.last.bins.map((b) => Number(b.from)));
  for (let n = 0; n <= rows.indexOf(2 ** bits(longest)); n++) await v.key('ArrowDown');
  await v.key('Enter');
  has(await dock(), `${alike.length} interval`);
  next = () => v.key('n');
  await next();
  assert.deepEqual(await listed(), alike.slice(0, alike.indexOf(longest) + 1).map((w) => [w.row, w.from, w.to]));
  await v.shot('keys-durations');
  await v.key('3', 'f');
  await answer();
  // The live region says the same to a screen reader.
  has(plain((await v.state()).live), `${longest.row}, ${WAIT}, from `);
  await v.shot('keys-answer');
  await v.key('[');
  let { focus } = await v.state();
  assert.deepEqual([focus.name, focus.from, focus.label], [sender.row, sender.from, sender.label]);
  await v.key(']');
  ({ focus } = await v.state());
  assert.deepEqual([focus.name, focus.from], [longest.row, longest.from]);
  // The events of the wait are folded; Tab gets there.
  await v.key('3');
  for (let n = 0; n < 40 && !(await active()).startsWith('events of this'); n++) await v.key('Tab');
  await v.key('Enter');
  const lines = (await page.locator('.events pre').first().innerText()).split('\n').filter(Boolean);
  const want = weftText(weft, ['dump', '--thread', longest.row.split('.')[1], '--from', String(longest.from), '--to', String(longest.to + 1), trace]).split('\n').filter(Boolean);
  assert.deepEqual(lines, want.slice(0, 20));
  await v.shot('keys-events');
  await v.key('Escape');
  assert.ok(await page.evaluate(() => document.activeElement.classList.contains('plot')), 'Escape goes back to the rows');
  clean();
});

test('a_task_leads_to_its_other_executions', async () => {
  const runs = list(brute, 'thread nanos6-ctf.id').filter((x) => x.value !== null && x.to > x.from).sort((a, b) => a.from - b.from);
  const [one, two] = runs.map((x) => [x, runs.find((y) => y.value === x.value && y.from > x.from)]).find(([x, y]) => y && x.to - x.from > 100) ?? [];
  assert.ok(one, 'a task was executed in several parts');
  await v.key('Escape', '0');
  const t = Math.floor((one.from + Math.min(one.to, brute.end)) / 2);
  await page.evaluate(([from, to]) => window.weft.showTime(BigInt(from), BigInt(to), 1 / 3), [one.from, Math.min(one.to, brute.end)]);
  await v.quiet();
  const at = await v.spot(0, one.row, t);
  await page.mouse.click(at.x, at.y);
  await v.quiet();
  has(await dock(), `task ${one.value}`);
  await v.shot('task');
  await page.getByRole('button', { name: 'execution after' }).click();
  await v.quiet();
  let { focus } = await v.state();
  assert.equal(focus.name, two.row);
  assert.ok(focus.from <= two.from && two.from < focus.to, `${focus.from} ${two.from}`);
  has(await dock(), `task ${one.value}`);
  await page.getByRole('button', { name: 'execution before' }).focus();
  await v.key('Enter');
  ({ focus } = await v.state());
  assert.equal(focus.name, one.row);
  assert.ok(focus.from <= one.from && one.from < focus.to);
  has(await dock(), `task ${one.value}`);
  clean();
});

test('a_later_click_is_not_overtaken_by_an_earlier_answer', async () => {
  await v.key('0');
  const spots = [];
  for (const w of ended.slice(0, 2).length > 1 ? ended.slice(0, 2) : [longest, sender]) spots.push([w, await v.spot(0, w.row, w.from)]);
  // Delays the first answer, so that it arrives after the answer to the second
  // click.
  let held = 0;
  await page.route('**/at?**', async (route) => {
    if (held++ === 0) await new Promise((r) => setTimeout(r, 400));
    await route.continue().catch(() => {});
  });
  for (const [, at] of spots) await page.mouse.click(at.x, at.y);
  await page.waitForTimeout(500);
  await v.quiet();
  await page.unroute('**/at?**');
  const { focus } = await v.state();
  assert.equal(focus.name, spots[1][0].row);
  has(await dock(), `row ${spots[1][0].row} (thread)`);
  clean();
});

test('a_refused_question_is_said_where_its_answer_would_be', async () => {
  await page.route('**/at?**with=links**', (route) => route.fulfill({ status: 400, body: '{"error":"this question is refused by the test"}' }));
  // The browser may log the status after the page has shown the refusal.
  const logged = page.waitForEvent('console', (m) => /400/.test(m.text()));
  await v.key('ArrowRight');
  has(await dock(), 'row ', 'this question is refused by the test');
  await page.unroute('**/at?**with=links**');
  await logged;
  v.troubles = v.troubles.filter((t) => !/400/.test(t));
  await v.key('ArrowLeft');
  assert.ok(!(await dock()).includes('refused'));
  clean();
});

test('refused_tables_hide_no_causes', async () => {
  let [refused, logged] = [0, 0];
  await page.route('**/table?**', (route) => (refused++, route.fulfill({ status: 400, body: '{"error":"this table is refused by the test"}' })));
  const log = (m) => (logged += Number(/400/.test(m.text())));
  page.on('console', log);
  await v.key('ArrowRight');
  assert.ok(refused > 0);
  const said = await dock();
  assert.match(said, /causes|No link arrives/);
  assert.ok(!said.includes('refused'));
  await page.unroute('**/table?**');
  while (logged < refused) await page.waitForTimeout(20);
  page.off('console', log);
  v.troubles = v.troubles.filter((t) => !/400/.test(t));
  await v.key('ArrowLeft');
  clean();
});

// A program that knows nothing of Weft: from `weft run` to the mutex that a
// thread waits for, the line where it does, and the thread that held the mutex.
const collected = record('collected', plainProgram);
const mutex = list(collected.brute, 'thread wait.wait').filter((w) => w.label === 'Mutex').reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
const handed = collected.brute.links.find((l) => l.toRow === mutex.row && l.to === mutex.to && l.fromRow !== mutex.row);
const then = (type) => list(collected.brute, 'thread ' + type).find((x) => x.row === mutex.row && x.from === mutex.from && x.to > x.from).label;

async function opened(run) {
  const other = serve(weft, [collected.trace]);
  try {
    const p = await Viewer.open(browser, await other.address, { folder: shots });
    p.shots = v.shots;
    await run(p, async () => plain(await p.text('#dock .body')).replace(/\s+/g, ' '));
    clean(p);
    v.shots = p.shots;
    await p.close();
  } finally {
    other.end();
  }
}

function saysWhoAndWhat(said) {
  has(said, `row ${mutex.row}`, 'Wait Mutex', `from ${mutex.from} ns`, `length ${mutex.to - mutex.from} ns`,
    `Object of the wait: ${then('wait.object')}`, `Source line of the wait: ${then('wait.line')}`, `ended by ${handed.fromRow}`, 'lock handed over');
  has(then('wait.object'), 'mutex', 'plain.c:');
}

const chosen = async (p) => {
  const { focus } = await p.state();
  return [focus.name.split(' ').slice(0, 2).join(' '), focus.from <= handed.from && handed.from <= focus.to];
};

test('the_mouse_alone_finds_the_mutex_of_a_plain_program', () => opened(async (p, said) => {
  await p.shot('collected-open');
  await p.page.locator('#dock tbody tr', { hasText: 'Mutex' }).click();
  await p.quiet();
  await p.page.getByRole('tab', { name: 'Durations' }).click();
  await p.quiet();
  await p.page.getByTitle('Go to the longest interval').click();
  await p.quiet();
  assert.match(plain(await p.text('#dock .chosen')), /^the longest: /);
  await p.page.getByRole('tab', { name: 'Details' }).click();
  await p.quiet();
  saysWhoAndWhat(await said());
  await p.shot('collected-mouse');
  await p.page.locator('.causes button').first().click();
  await p.quiet();
  assert.deepEqual(await chosen(p), [handed.fromRow, true]);
}));

test('the_keyboard_alone_finds_the_mutex_of_a_plain_program', () => opened(async (p, said) => {
  const active = () => p.page.evaluate(() => document.activeElement.textContent);
  await p.key('1', '1');
  for (let n = 0; n < 40 && !(await active()).startsWith('Mutex'); n++) await p.key('ArrowDown');
  await p.key('Enter', '2', '2');
  // The last line has the longest waits.
  for (let before = ''; before !== (before = await active()); ) await p.key('ArrowDown');
  await p.key('Enter', 'n', '3');
  saysWhoAndWhat(await said());
  await p.shot('collected-keys');
  await p.key('[');
  assert.deepEqual(await chosen(p), [handed.fromRow, true]);
}));

test('a_plain_program_says_who_waited_and_that_nobody_recorded_why', async () => {
  const made = record('plain', plainProgram, {}, '--collect', 'none');
  const other = serve(weft, [made.trace]);
  try {
    const p = await Viewer.open(browser, await other.address, { folder: shots });
    p.shots = v.shots;
    const paused = list(made.brute, 'thread ovni.state').filter((w) => w.label === 'Paused');
    if (paused.length === 0) return; // the kernel did not report context switches
    const wait = paused.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
    await p.key('1', '1');
    await p.shot('plain-states');
    const at = await p.spot(0, wait.row, Math.floor((wait.from + wait.to) / 2));
    await p.page.mouse.click(at.x, at.y);
    await p.quiet();
    const said = plain(await p.text('#dock .body')).replace(/\s+/g, ' ');
    has(said, `row ${wait.row} (thread)`, 'Paused', `from ${wait.from} ns`, `length ${wait.to - wait.from} ns`, 'does not say what ended this interval');
    await p.page.locator('.events summary').click();
    await p.quiet();
    const want = weftText(weft, ['dump', '--thread', wait.row.split('.')[1], '--from', String(wait.from), '--to', String(wait.to + 1), made.trace]).split('\n').filter(Boolean);
    assert.deepEqual((await p.page.locator('.events pre').first().innerText()).split('\n').filter(Boolean), want.slice(0, 20));
    await p.shot('plain-answer');
    assert.deepEqual(p.troubles, []);
    await p.close();
  } finally {
    other.end();
  }
});

try {
  await done();
} finally {
  await browser.close();
  server.end();
  fs.rmSync(scratch, { recursive: true, force: true });
}
