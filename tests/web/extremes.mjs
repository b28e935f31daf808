// SPDX-License-Identifier: MIT
// extremes.mjs WEFT TRACE BUILD-DIRECTORY - what the page shows of traces that
// are very large, very small, or go away, and of addresses that make no sense.
// Pictures stay in BUILD-DIRECTORY/extremes.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import url from 'node:url';
import { launch, paraver, serve, sparse, Viewer, weftText } from './browser.mjs';
import { assert, done, test } from './tap.mjs';

const [weft, source, build] = process.argv.slice(2).map((p) => path.resolve(p));
const shots = path.join(build, 'extremes');
fs.rmSync(shots, { recursive: true, force: true });
fs.mkdirSync(shots, { recursive: true });
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'weft-extremes-'));
const trace = path.join(scratch, 'fib');
fs.cpSync(source, trace, { recursive: true });
const browser = await launch();
const plain = (s) => s.replace(/[\u202f\u00a0]/g, (c) => (c === '\u202f' ? '' : ' '));

function write(name, text) {
  const file = path.join(scratch, name + '.tt');
  fs.writeFileSync(file, text);
  return file;
}

// Makes a trace of two nodes, of which the clocks are measured.
function nodes(name) {
  const folder = path.join(scratch, name);
  fs.cpSync(source, folder, { recursive: true });
  const loom = fs.readdirSync(folder).find((n) => n.startsWith('loom.'));
  const other = path.join(folder, 'loom.other.0');
  fs.cpSync(path.join(folder, loom), other, { recursive: true });
  for (const file of fs.readdirSync(other, { recursive: true }).filter((n) => n.endsWith('stream.json'))) {
    const data = JSON.parse(fs.readFileSync(path.join(other, file), 'utf8'));
    data.ovni.loom = 'other.0';
    fs.writeFileSync(path.join(other, file), JSON.stringify(data));
  }
  fs.writeFileSync(path.join(folder, 'clocks.txt'), `weft clocks 1\nreference ${loom.split('.')[1]} -\nother - 5 7 812 probe\n`);
  return folder;
}

// Opens a trace of a server of its own, and leaves no trouble behind.
async function look(name, file, run, more = {}) {
  const server = serve(weft, ['--no-index-file', ...[file].flat()]);
  const v = await Viewer.open(browser, await server.address, { folder: shots, ...more });
  try {
    await run(v, server);
    await v.shot(name);
    assert.deepEqual(v.troubles.filter((t) => !more.troubles?.test(t)), []);
  } finally {
    await v.close();
    server.end();
  }
}

// All texts on the page, and in its axis.
async function said(v) {
  await v.page.evaluate(() => {
    const write = CanvasRenderingContext2D.prototype.fillText;
    window.texts ??= [];
    CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
      window.texts.push(text);
      return write.call(this, text, ...at);
    };
    window.weft.touch();
  });
  await v.quiet();
  return plain((await v.page.locator('body').innerText()) + '\n' + (await v.page.evaluate(() => window.texts.splice(0).join('\n'))));
}

const nonsense = /NaN|Infinity|undefined|\[object|-0\b/;

test('rows_of_a_large_class_come_when_their_group_is_opened', async () => {
  const n = 24000;
  const names = Array.from({ length: n }, (_, i) => `t${i}`);
  const file = write('many', `${names.map((t) => `thread ${t}`).join('\n')}\n\n${names.map((t, i) => `${i} ${t} OHx -1 -1 0`).join('\n')}\n${names.map((t, i) => `${n + i} ${t} OHe`).join('\n')}\n`);
  const asked = [];
  await look('many', file, async (v) => {
    assert.equal(asked.length, 1, 'asks for rows once');
    const state = () => v.page.evaluate(() => {
      const p = window.weft.panels[0];
      return { all: p.tree.all, here: p.tree.rows.length, lines: p.lines.length, elements: document.querySelectorAll('*').length };
    });
    const start = await state();
    assert.deepEqual([start.all, start.here], [n, 0]);
    assert.ok(start.lines <= 2 * Math.ceil(n / 64) && start.elements < 600, JSON.stringify(start));
    assert.match(await v.text('.head .class'), /24000 threads/);
    const band = v.page.locator('.name.group').nth(1);
    const title = await band.getAttribute('title');
    assert.match(title, /64 rows/);
    await band.click();
    await v.quiet();
    const open = await state();
    assert.deepEqual([open.here, open.lines - start.lines, asked.length], [64, 64, 2]);
    assert.equal(await v.page.evaluate(() => window.weft.panels[0].lines.filter((l) => l.group === null && /^TH /.test(l.name)).length), 64);
    // Rows are lower than their names: those that are shown cover no other.
    const covered = await v.page.evaluate(() => {
      const at = [...document.querySelectorAll('.name')].filter((e) => e.querySelector('.text').textContent !== '').map((e) => {
        const box = e.getBoundingClientRect();
        return { text: e.textContent, middle: (box.top + box.bottom) / 2, size: parseFloat(getComputedStyle(e).fontSize) };
      }).sort((a, b) => a.middle - b.middle);
      return { n: at.length, bad: at.filter((e, i) => i > 0 && e.middle - at[i - 1].middle < (e.size + at[i - 1].size) / 2 - 1.5).map((e) => e.text) };
    });
    assert.ok(covered.n > 8, JSON.stringify(covered));
    assert.deepEqual(covered.bad, []);
    // A search goes to a row that is not there yet; the exact name comes first.
    await v.key('/');
    await v.page.keyboard.type('th 1.2000');
    await v.key('Enter');
    assert.match(await v.text('.tab.search tbody tr'), /^row\s+TH 1\.2000\s+thread$/);
    await v.key('/');
    await v.page.keyboard.press('Control+a');
    await v.page.keyboard.type('TH 1.23');
    await v.key('Enter');
    assert.match(await v.text('.tab.search tbody tr'), /^row\s+TH 1\.23\s+thread$/);
    await v.page.locator('.tab.search tbody tr').first().click();
    await v.quiet();
    assert.equal((await v.state()).focus.name, 'TH 1.23');
    assert.equal(await v.page.locator('#banner').isHidden() ? '' : await v.text('#banner'), '');
    await v.key('Escape', 'r');
    await v.page.keyboard.type('TH 1.12345');
    await v.quiet();
    await v.page.waitForFunction(() => window.weft.panels[0].lines.some((l) => l.name === 'TH 1.12345'));
    assert.ok((await state()).lines < 8);
    await v.page.locator('.dialog input').fill('');
    await v.key('Escape', 'Shift+E', 'Shift+E');
    assert.match(await v.text('#banner'), /24000 rows are too many for this: open groups one by one/);
    await v.key('0', 'w', 'w', 's', 'd');
    assert.doesNotMatch(await said(v), nonsense);
  }, { width: 1000, height: 700, asked: (url) => /\/rows\?/.test(url) && asked.push(url) });
});

// Three of a thousand threads work at every time.
test('few_active_rows_among_many_are_seen', () => look('sparse', sparse(scratch, 1000), async (v) => {
  assert.equal(await v.text('#overview .start'), 'up to 3 of 1000 threads');
  const map = await v.page.evaluate(() => {
    const c = document.querySelector('#overview canvas');
    const data = new Uint32Array(c.getContext('2d').getImageData(100, 0, 600, c.height).data.buffer);
    return Array.from({ length: 600 }, (_, x) => new Set(Array.from({ length: c.height }, (_, y) => data[y * 600 + x])).size);
  });
  assert.ok(map.every((n) => n >= 3), 'every column of the overview shows the three');
  const pic = await v.picture();
  for (const line of pic.lines.slice(0, 2)) assert.ok(line.group && line.height >= 15, JSON.stringify([line.group, line.height]));
  const used = (line, x) => Array.from({ length: line.height }, (_, y) => pic.pixels[(line.y + y) * pic.width + x]).filter((p) => p !== 0).length;
  for (let x = 0; x < 600; x += 7) assert.ok(used(pic.lines[0], x) >= 3, `column ${x} of the group`);
  // The breakdown has a scale of the busy rows.
  await v.page.evaluate(() => {
    window.weft.panels[0].state.mode = 'area';
    window.weft.relayout();
  });
  await v.quiet();
  assert.match(await said(v), /(^|\D)3 rows, 0\.3 %/);
}));

for (const [name, text, sees] of [
  ['no-events', 'thread a\n', /Nothing of ".*" was recorded/],
  ['times-zero', 'thread a\n\n0 a OHx 0 -1 0\n0 a OHe\n', /0 ns/],
  ['one-event', 'thread a\n\n5 a OHx 0 -1 0\n', /ns/],
])
  test(`a_trace_with_${name.replaceAll('-', '_')}_opens`, () => look(name, write(name, text), async (v) => {
    for (const keys of [[], ['w', 'w', 's', 'a', 'd', '0', 'f'], ['ArrowDown', 'ArrowRight', 'Enter'], ['2'], ['v', 'v'], ['1']]) {
      await v.key(...keys);
      const now = await said(v);
      assert.doesNotMatch(now, nonsense, keys.join());
      if (keys.length === 0) assert.match(now, sees);
    }
    const s = await v.state();
    assert.ok(s.to >= s.from && s.w >= 1, JSON.stringify(s));
  }));

test('a_report_of_a_trace_without_length_says_so', async () => {
  const file = path.join(scratch, 'r.html');
  for (const [text, words] of [['thread a\n\n0 a OHx 0 -1 0\n0 a OHe\n', /All of this trace is at one time/], ['thread a\n', /nothing was recorded/]]) {
    const said = weftText(weft, ['view', '--report', file, write('short', text)]);
    assert.match(said, /report: .* 0 timelines, 0 columns/);
    assert.doesNotMatch(said, /left out/);
    const page = await browser.newPage();
    await page.goto(url.pathToFileURL(file).href);
    await page.waitForSelector('.stop');
    assert.match(await page.locator('.stop').innerText(), words);
    await page.close();
  }
});

test('times_near_2_to_62_are_exact', () => look('long', write('long', `thread a\n\n0 a OHx 0 -1 0\n${2n ** 61n} a OHp\n${2n ** 62n - 200n} a OHr\n${2n ** 62n} a OHe\n`), async (v) => {
  assert.match(await said(v), /4611686018\.427 s/);
  assert.equal(await v.page.evaluate(() => String(window.weft.trace.end)), String(2n ** 62n));
  await v.page.evaluate(() => {
    const app = window.weft;
    app.state.panels[0].mode = 'most';
    return app.setType(app.panels[0], app.trace.types.find((t) => t.info.key === 'ovni.state' && t.info.class === 'thread') ?? app.trace.types[0]);
  });
  await v.quiet();
  // Zooms to the last 200 ns, and on to single nanoseconds.
  await v.page.evaluate((t) => window.weft.showTime(BigInt(t) - 300n, BigInt(t)), String(2n ** 62n));
  await v.quiet();
  let now = await said(v);
  assert.doesNotMatch(now, nonsense);
  assert.match(now, /4611686018\.427 s \+/, 'labels count from the window');
  assert.match(now, /^\+\d+ ns$/m);
  const at = await v.spot(0, await v.page.evaluate(() => window.weft.panels[0].lines.find((l) => l.group === null).name), String(2n ** 62n - 100n));
  await v.page.mouse.move(at.x, at.y);
  await v.page.waitForFunction(() => /\d of \d/.test(document.getElementById('tip').textContent));
  assert.match(plain(await v.text('#tip')), /200 ns \(200 ns\) from 4611686018427387704 ns/);
  for (let i = 0; i < 12; i++) await v.key('Shift+W');
  now = await said(v);
  assert.doesNotMatch(now, nonsense);
  assert.equal(await v.page.evaluate(() => window.weft.scale.w), 1);
  await v.key('0', 'g');
  await v.page.keyboard.type('50%');
  await v.key('Enter');
  assert.ok(await v.page.evaluate(() => window.weft.from <= 2n ** 61n && window.weft.to >= 2n ** 61n));
}));

test('times_up_to_2_to_63_are_not_asked_for_again_and_again', () => look('longest', paraver(scratch, 'longest', 2, 2n ** 63n - 1n, [[0, 0, 1], [5, 1, 2], [2n ** 63n - 10n, 0, 2]]), async (v) => {
  assert.ok((await v.picture()).pixels.some((p) => p !== 0));
  assert.equal(await v.page.evaluate(() => window.weft.store.error), '');
}));

// The second row never has the value A, although two rows of its name have it.
const twins = () => {
  const file = paraver(scratch, 'twins', 4, 1000, [[0, 0, 1], [0, 1, 2], [0, 3, 2], [100, 0, 2], [300, 3, 1]]);
  fs.writeFileSync(file.replace(/prv$/, 'row'), 'LEVEL THREAD SIZE 4\nsame\nsame\nother\nsame\n');
  return file;
};

// A narrow window has room for 15 letters or so.
test('names_without_room_keep_what_differs', () => {
  const file = paraver(scratch, 'named', 4, 1000, [[0, 0, 1], [0, 3, 2]]);
  fs.writeFileSync(file.replace(/prv$/, 'row'), `LEVEL THREAD SIZE 4\n${[1, 2, 3, 4].map((n) => `worker of the pool ${n}`).join('\n')}\n`);
  return look('named', file, async (v) => {
    const texts = () => v.page.locator('.name:not(.group) .text').allInnerTexts();
    assert.deepEqual(await texts(), [1, 2, 3, 4].map((n) => `\u2026${n}`));
    assert.equal(await v.page.locator('.name:not(.group)').first().getAttribute('title'), 'worker of the pool 1');
    await v.page.setViewportSize({ width: 1280, height: 700 });
    await v.quiet();
    assert.equal((await texts())[0], 'worker of the pool 1');
  }, { width: 360, height: 640 });
});

test('rows_of_the_same_name_are_sorted_and_chosen_one_by_one', () => look('twins', twins(), async (v) => {
  const shown = () => v.page.evaluate(() => window.weft.panels[0].lines.filter((l) => l.group === null).map((l) => l.row).join());
  assert.equal(await shown(), '0,1,2,3');
  await v.page.evaluate(() => {
    const { hot, panel, act } = window.weft;
    hot.set(panel.type, [panel.type.byValue.get('1').class]);
    act('sort', panel, 'time');
  });
  await v.quiet();
  assert.equal(await shown(), '3,0,1,2', '700 and 100 ns in A, then those without it');
  await v.page.evaluate(async () => {
    const app = window.weft;
    app.act('sort', app.panel, 'order');
    app.setFocus(app.panel, app.panel.lines.find((l) => l.row === 0), await app.at(app.panel, app.panel.lines.find((l) => l.row === 0), 0n));
    app.act('rowsWith', app.panel);
  });
  await v.quiet();
  assert.equal(await shown(), '0,3');
  await v.page.evaluate(() => window.weft.dock.open('states', false));
  await v.quiet();
  await v.page.locator('.tab.states input').check();
  await v.quiet();
  const cells = await v.page.locator('.tab.states tbody tr').allInnerTexts();
  assert.deepEqual(cells.map((t) => plain(t).split(/\s*\t\s*/).filter((_, i) => i < 3 || i === 7).join(' ')), ['same B 900 ns 900 ns', 'same A 100 ns 100 ns', 'same B 1 us 1 us', 'other End 1 us', 'same A 700 ns 700 ns', 'same B 300 ns 300 ns']);
}));

test('a_type_of_numbers_or_of_events_shows_what_it_has', () => look('kinds', trace, async (v) => {
  const set = async (kind) => {
    await v.page.evaluate((kind) => {
      const app = window.weft;
      return app.setType(app.panels[0], app.trace.types.find((t) => t.info.kind === kind && Number(t.info.records) > 0));
    }, kind);
    await v.quiet();
  };
  assert.match(await v.text('#overview .start'), /^up to [\d.]+ of 33 threads$/);
  await set('id');
  assert.equal(await v.text('#overview .start'), 'whole trace');
  // Values that are ids have the colours of the picture.
  const chips = await v.page.evaluate(() => [...document.querySelectorAll('#dock tbody .chip')].map((c) => c.style.background));
  assert.ok(chips.length > 3 && new Set(chips).size > 3, JSON.stringify(chips));
  await v.key('m', '6');
  assert.doesNotMatch(await v.text('#dock .body'), /json/);
}));

test('the_error_of_a_clock_has_no_table_and_no_command', () => look('clocks', nodes('nodes'), async (v) => {
  await v.page.evaluate(() => {
    const app = window.weft;
    return app.setType(app.panels[0], app.trace.types.find((t) => t.info.key === 'weft.clock_error'));
  });
  await v.quiet();
  await v.page.evaluate(() => window.weft.dock.open('states', false));
  await v.quiet();
  assert.match(await v.text('#dock .body'), /^There is no table of Error of the clock/);
  await v.page.getByRole('button', { name: 'Export pictures, tables and commands' }).click();
  assert.ok(await v.page.locator('[role=menuitem]', { hasText: 'as command' }).isDisabled());
  await v.key('Escape');
}));

const HASHES = [
  '#', '#a=1', '#a=2;x=0,1', '#garbage', '#a=1;x=zzzzzzzzzzzzz,zzzzzzzzzzzzz', '#a=1;x=0,0', '#a=1;x=-5,3', '#a=1;x=1,', '#a=1;p=no%2esuch%40thread.share.0',
  '#a=1;p=nanos6%2esubsystem%40thread.nomode.0', '#a=1;p=nanos6%2esubsystem%40thread.share.zzz', '#a=1;p=,,,;r=,;i=,;o=x', '#a=1;s=zzzzzzzzzzzzz,0', '#a=1;s=5', '#a=1;h=x.zzz,.', '#a=1;m=1.%ff,zz',
  '#a=1;__proto__=1;constructor=2;toString=3', '#a=1;d=nosuchtab', '#a=1;t=77', '#a=1;y=__proto__;c=constructor', '#a=1;p=' + 'nanos6%2esubsystem%40thread.share.0,'.repeat(40), '#' + 'x'.repeat(20000), '#a=1;x=0,1;;;===;%%%',
  '#a=1;p=constructor.share.0', '#a=1;p=nanos6%2esubsystem%40thread.band.0',
];

test('addresses_without_sense_open_the_trace_and_say_so', () => look('address', trace, async (v) => {
  const address = v.page.url().replace(/[?#].*/, '');
  for (const hash of HASHES) {
    // Opens the page with some of these addresses; types the others into the
    // open page.
    if (/t=77|no%2esuch|x=zzz|a=2|xxxx|__proto__/.test(hash)) {
      await v.page.goto('about:blank');
      await v.page.goto(address + hash);
    } else
      await v.page.evaluate((h) => new Promise((done) => {
        window.weft.bar.hush();
        addEventListener('hashchange', () => setTimeout(done), { once: true });
        setTimeout(done, 500); // the address was this one already
        location.hash = h;
      }), hash);
    await v.quiet();
    const s = await v.page.evaluate(() => {
      const app = window.weft;
      return {
        ok: app.from >= 0n && app.to <= app.trace.end && app.from < app.to && app.panels.length > 0 && app.panels.length <= 16 && app.panels.every((p) => p.lines.length > 0),
        select: !app.state.select || (app.state.select.from <= app.state.select.to && app.state.select.to <= app.trace.end),
        banner: document.getElementById('banner').hidden ? '' : document.getElementById('banner').textContent,
        drawn: app.panels[0]?.canvas.width > 0, tab: document.querySelector('[role=tab][aria-selected=true]')?.textContent ?? '',
      };
    });
    const which = `${hash.slice(0, 60)}: ${JSON.stringify(s)}`;
    assert.ok(s.ok && s.select && s.drawn, which);
    if (/x=-5|x=0,0|x=1,$|s=5$|nomode|a=2|garbage|no%2esuch|nosuchtab|t=77|p=constructor|xxx|y=__proto__|zzzz,zz|share.0,nanos/.test(hash)) assert.notEqual(s.banner, '', which);
    assert.doesNotMatch(await v.page.locator('body').innerText(), nonsense, which);
  }
}));

test('back_returns_to_the_trace_before_and_its_window', () => look('two', [trace, write('other', 'thread a\n\n0 a OHx 0 -1 0\n100 a OHe\n')], async (v) => {
  const end = () => v.page.evaluate(() => Number(window.weft.trace.end));
  const opened = (e, is) => v.page.waitForFunction(([e, is]) => window.weft?.quiet && (Number(window.weft.trace.end) === e) === is, [e, is]);
  await v.key('w', 'w');
  const first = await end();
  const before = await v.state();
  await v.page.locator('#bar .trace').click();
  await v.page.locator('.menu button', { hasText: 'other' }).click();
  await opened(first, false);
  assert.equal(await end(), 100);
  await v.page.goBack();
  await opened(first, true);
  const after = await v.state();
  assert.deepEqual([after.from, after.to, after.end], [before.from, before.to, before.end]);
}));

test('an_index_without_its_trace_has_tables', () => {
  weftText(weft, ['emu', '-q', '-f', 'index', trace]);
  const alone = path.join(scratch, 'alone.widx');
  fs.renameSync(trace + '.weft/timeline.widx', alone);
  return look('alone', alone, async (v) => {
    const lines = async () => (await v.page.locator('#dock tbody tr').allInnerTexts()).map((l) => plain(l).replace(/\s+/g, ' '));
    const stat = JSON.parse(weftText(weft, ['stat', '--json', '--type', 'nanos6.subsystem', trace])).types[0].tables[0].states[0];
    assert.ok((await lines())[0].startsWith(stat.label), (await lines())[0]);
    assert.match(plain(await v.text('#dock .tab')), /includes the time before a row began/);
    await v.page.getByRole('checkbox', { name: 'by row' }).setChecked(true);
    await v.quiet();
    assert.ok((await lines()).length > 33 && /^TH /.test((await lines())[0]), (await lines())[0]);
  });
});

test('a_trace_that_changes_or_vanishes_is_told', () => look('vanished', trace, async (v) => {
  const stream = execFileSync('find', [trace, '-name', 'stream.obs'], { encoding: 'utf8' }).split('\n')[0];
  fs.appendFileSync(stream, 'x');
  await v.page.waitForFunction(() => /changed on disk/.test(document.getElementById('banner').textContent));
  const gen = () => v.page.evaluate(() => window.weft.trace.meta.gen);
  const before = await gen();
  await v.key('w', 'w');
  const { left, w } = await v.picture();
  await v.page.getByRole('button', { name: 'Reload' }).click();
  await v.page.waitForFunction((g) => window.weft.trace.meta.gen !== g, before);
  await v.quiet();
  assert.ok(await v.page.locator('#banner').isHidden());
  const after = await v.picture();
  assert.deepEqual([after.left, after.w], [left, w]);
  assert.ok(await v.page.locator('.tab.states tbody tr').count() > 3, 'the table of a part of the time works again');
  fs.rmSync(trace, { recursive: true, force: true });
  await v.page.waitForFunction(() => /is gone|were removed/.test(document.getElementById('banner').textContent));
  await v.key('w', 'w', 'w');
  const pic = await v.picture();
  assert.ok(new Set(pic.pixels).size > 2, 'the index still answers');
}, { troubles: /400|410/ }));

test('a_trace_that_cannot_be_read_again_is_told', () => {
  const file = write('refused', 'thread a\n\n0 a OHx 0 -1 0\n100 a OHe\n');
  return look('refused', file, async (v) => {
    const banner = (text) => v.page.waitForFunction((t) => new RegExp(t).test(document.getElementById('banner').textContent), text);
    fs.writeFileSync(file, 'no trace\n');
    await banner('changed on disk');
    for (let i = 0; i < 2; i++) {
      await v.page.getByRole('button', { name: 'Reload' }).click();
      await banner('could not be read again: .+[^.]\\. The page shows it as it was');
    }
    fs.writeFileSync(file, 'thread a\n\n0 a OHx 0 -1 0\n300 a OHe\n');
    await v.page.getByRole('button', { name: 'Reload' }).click();
    await v.page.waitForFunction(() => window.weft.trace.end === 300n);
    assert.ok(await v.page.locator('#banner').isHidden());
  });
});

test('a_server_that_ends_is_told', () => look('ended', write('end', 'thread a\n\n0 a OHx 0 -1 0\n100 a OHe\n'), async (v, server) => {
  // What the page loads when it is idle works without the server, too.
  await v.page.waitForFunction(() => performance.getEntriesByType('resource').some((r) => /later[.]js/.test(r.name) && r.responseEnd > 0));
  server.end();
  await v.page.waitForFunction(() => /server does not answer|has ended/.test(document.getElementById('banner').textContent));
  await v.page.evaluate(() => window.weft.dock.open('details', false));
  await v.page.waitForFunction(() => /Click an interval/.test(document.querySelector('.tab.details')?.textContent ?? ''));
}, { troubles: /ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/ }));

try {
  await done();
} finally {
  await browser.close();
  fs.rmSync(scratch, { recursive: true, force: true });
}
