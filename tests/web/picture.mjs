// SPDX-License-Identifier: MIT
// picture.mjs WEFT TRACE BUILD-DIRECTORY - saves pictures and tables from the
// page in Chromium, and compares them with what the page shows. The files stay
// in BUILD-DIRECTORY/pictures.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { EVIL, evil } from './evil.mjs';
import { launch, serve, Viewer, weftText, workplace } from './browser.mjs';
import { assert, done, test } from './tap.mjs';

const [weft, source, build] = process.argv.slice(2).map((p) => path.resolve(p));
const { shots, scratch, trace } = workplace(source, build, 'pictures');
const server = serve(weft, [trace]);
const browser = await launch();
const v = await Viewer.open(browser, await server.address, { folder: shots, width: 1000, height: 700 });

// Takes a file from the menu Export.
async function take(name, as, viewer = v) {
  await viewer.page.getByRole('button', { name: 'Export pictures, tables and commands' }).click();
  const wait = viewer.page.waitForEvent('download');
  await viewer.page.getByRole('menuitem', { name }).first().click();
  const file = path.join(shots, as ?? (await wait).suggestedFilename());
  await (await wait).saveAs(file);
  return file;
}

function isXml(file) {
  try {
    execFileSync('xmllint', ['--noout', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (e) {
    if (e.code !== 'ENOENT') throw e;
  }
}

// Compares a picture with the panel on the page, pixel by pixel, wherever
// nothing is drawn over the panel. Returns how many pixels it compared, and the
// first that differs.
function compare(viewer, file) {
  const type = file.endsWith('svg') ? 'image/svg+xml' : 'image/png';
  return viewer.page.evaluate(async ([data, type]) => {
    const app = window.weft;
    const p = app.panels[0];
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    const img = new Image();
    img.src = URL.createObjectURL(new Blob([bytes], { type }));
    await img.decode();
    const c = document.createElement('canvas');
    const [left, top] = [Math.round(p.names.root.offsetWidth * app.dpr), 72 * app.dpr];
    [c.width, c.height] = [left + app.plot, top + p.viewHeight];
    const ctx = c.getContext('2d', { willReadFrequently: true });
    ctx.fillStyle = app.css('--paper');
    ctx.fillRect(0, 0, c.width, c.height);
    const paper = new Uint32Array(ctx.getImageData(0, 0, 1, 1).data.buffer)[0];
    // Sizes of pictures are rounded to whole units: takes the SVG's own.
    const [, w, h0] = /viewBox="0 0 (\d+) (\d+)"/.exec(new TextDecoder().decode(bytes)) ?? [0, img.width, img.height];
    ctx.drawImage(img, 0, 0, Number(w), Number(h0));
    const h = Math.min(p.viewHeight, p.total);
    const get = (from, x, y) => new Uint32Array(from.getImageData(x, y, app.plot, h).data.buffer);
    const [got, want, over] = [get(ctx, left, top), get(p.canvas.getContext('2d'), 0, 0), get(p.overlay.getContext('2d'), 0, 0)];
    let [n, wrong, first, coloured] = [0, 0, '', 0];
    for (let i = 0; i < got.length; i++) {
      if (over[i] >>> 24 !== 0) continue;
      n++;
      const is = want[i] >>> 24 === 0 ? paper : want[i];
      if (is !== paper) coloured++;
      if (got[i] !== is && wrong++ === 0) first = `${i % app.plot},${Math.floor(i / app.plot)}: ${got[i].toString(16)}, not ${is.toString(16)}`;
    }
    return { n, wrong, first, coloured };
  }, [fs.readFileSync(file).toString('base64'), type]);
}

async function same(viewer, as) {
  const svg = await take('picture as SVG', as + '.svg', viewer);
  isXml(svg);
  for (const file of [svg, await take(/^picture as PNG$/, as + '.png', viewer)]) {
    const { n, wrong, first, coloured } = await compare(viewer, file);
    assert.ok(n > 30000 && coloured > 20, `${as}: ${n} pixels, ${coloured} with a colour`);
    assert.equal(wrong, 0, `${file}: ${wrong} of ${n} pixels differ, first ${first}`);
  }
  return fs.readFileSync(svg, 'utf8');
}

const texts = (svg) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map((m) => m[1].replace(/&#(\d+);/g, (_, n) => String.fromCharCode(n)));
const plain = (s) => s.replace(/[\u202f\u00a0]/g, (c) => (c === '\u202f' ? '' : ' '));

test('a_picture_has_no_frame_of_the_focus', async () => {
  const before = fs.readFileSync(await take('picture as SVG', 'plain.svg'), 'utf8');
  await v.page.evaluate(() => window.weft.focusRow(window.weft.panel, window.weft.panel.lines[2]));
  await v.quiet();
  assert.equal(fs.readFileSync(await take('picture as SVG', 'focus.svg'), 'utf8'), before);
  assert.ok(await v.page.evaluate(() => window.weft.focus !== null), 'the page keeps the focus');
  await v.page.evaluate(() => ((window.weft.focus = null), window.weft.touch()));
  await v.quiet();
});

test('a_picture_has_title_axis_names_and_legend', async () => {
  const said = texts(await same(v, 'whole')).map(plain);
  assert.equal(said[0], 'fib: 0 ns to 56278246 ns (56.278 ms)');
  assert.ok(said.includes('56.278 ms'), 'length of the window left of the axis');
  for (const tick of ['0 ms', '10 ms', '50 ms']) assert.ok(said.includes(tick), tick);
  assert.ok(said.some((t) => /^Nanos6 subsystem of the ACTIVE thread · 33 threads · share of time$/.test(t)));
  for (const name of ['thread', 'TH 1.3933', 'TH 1.3963']) assert.ok(said.includes(name), name);
  const { labels, seen } = await v.page.evaluate(() => {
    const p = window.weft.panels[0];
    const seen = p.legend.seen();
    return { labels: p.type.labels.filter((l) => seen.has(l.class) && l.value !== null).map((l) => l.text), seen: seen.size };
  });
  assert.ok(labels.length >= 7 && seen > labels.length);
  for (const l of labels) assert.ok(said.includes(l), l);
});

test('every_mode_is_saved_as_it_is_shown', async () => {
  const show = (mode, type = 'nanos6.subsystem@thread') => v.page.evaluate(([m, t]) => {
    const app = window.weft;
    const p = app.panels[0];
    p.state.mode = m;
    return app.setType(p, app.trace.type(t)).then(() => (p.state.mode = m, app.relayout()));
  }, [mode, type]).then(() => v.quiet());
  for (const [mode, words] of [['most', /most time/], ['largest', /largest value/], ['area', /breakdown/], ['lanes', /level by level/]]) {
    await show(mode);
    assert.ok(texts(await same(v, mode)).some((t) => words.test(t)), mode);
  }
  await show('share');
});

test('patterns_dark_ground_and_scrolled_rows_are_saved_as_they_are_shown', async () => {
  await v.page.evaluate(() => {
    const app = window.weft;
    app.setTheme('dark');
    app.setColours('patterns');
    app.panels[0].state.height = 30;
    app.state.pins = [app.panels[0].lines[5].hash];
    app.relayout();
    app.panels[0].scroll.scrollTop = 83;
    app.showTime(20000000n, 35000000n);
  });
  await v.quiet();
  const svg = await same(v, 'patterns');
  assert.match(svg, /<pattern id="p\d+" width="8" height="8"/);
  await v.page.evaluate(() => window.weft.showTime(26500000n, 26500200n));
  await v.quiet();
  await same(v, 'columns-of-several-pixels');
  await v.page.evaluate(() => {
    const app = window.weft;
    app.setTheme('light');
    app.setColours('plain');
    app.panels[0].state.height = 0;
    app.state.pins = [];
    app.showWhole();
    app.relayout();
  });
  await v.quiet();
});

test('double_resolution_is_twice_as_wide', async () => {
  const wide = (file) => fs.readFileSync(file).readUInt32BE(16);
  assert.ok(wide(await take(/PNG, double/)) > wide(path.join(shots, 'whole.png')) * 1.9);
});

test('a_picture_of_a_fine_screen_has_its_pixels', async () => {
  const fine = await Viewer.open(browser, await server.address, { folder: shots, width: 600, height: 420, scale: 2 });
  await same(fine, 'fine');
  await fine.close();
});

test('csv_of_a_selection_has_the_numbers_of_weft_stat', async () => {
  const [from, to] = [26500123, 31234567];
  await v.page.evaluate(([a, b]) => window.weft.select({ from: BigInt(a), to: BigInt(b), rows: [] }), [from, to]);
  await v.quiet();
  const cells = (text) => text.trim().split('\n').map((l) => l.split(','));
  const got = cells(fs.readFileSync(await take(/table .* as CSV/), 'utf8'));
  const [head, ...want] = cells(weftText(weft, ['stat', '-q', '-f', 'csv', '--type', 'nanos6.subsystem', '--from', String(from), '--to', String(to), trace]));
  const at = (name) => head.indexOf(name);
  assert.deepEqual(got[0], ['value', 'time_ns', 'share_percent', 'times', 'intervals', 'mean_ns', 'shortest_ns', 'longest_ns']);
  assert.ok(want.length > 5);
  assert.deepEqual(got.slice(1).map((c) => [c[0], c[1], c[3]]), want.map((c) => [c[at('label')], c[at('time_ns')], c[at('times')]]));
  const list = fs.readFileSync(await take(/intervals of the window/), 'utf8');
  assert.match(list, /^row,from,to,value,label\n/);
  await v.page.getByRole('button', { name: 'Export pictures, tables and commands' }).click();
  await v.page.getByRole('menuitem', { name: /as command/ }).click();
  const command = await v.page.locator('.command').inputValue();
  assert.match(weftText(weft, command.split(' ').slice(1)), /Blocking: Taskwait|Worker/);
  await v.key('Escape');
  // For some rows the command says that it is for all; the whole trace has no window.
  await v.page.evaluate(() => {
    const app = window.weft;
    app.select({ from: 0n, to: app.trace.end, rows: [app.panels[0].lines[1].hash] });
  });
  await v.quiet();
  await v.page.getByRole('button', { name: 'Export pictures, tables and commands' }).click();
  await v.page.getByRole('menuitem', { name: /as command/ }).click();
  assert.match(await v.text('.dialog'), /The command is for all rows/);
  const whole = await v.page.locator('.command').inputValue();
  assert.doesNotMatch(whole, /--from|--to/);
  assert.match(weftText(weft, whole.split(' ').slice(1)), /Blocking: Taskwait|Worker/);
  await v.key('Escape');
  await v.page.evaluate(() => window.weft.select(null));
  await v.quiet();
});

test('the_command_has_the_options_of_the_server', async () => {
  const other = path.join(scratch, 'a second trace');
  fs.cpSync(trace, other, { recursive: true });
  const options = ['--together', '--side-by-side', '--errors', 'all', '--from', '1ms', trace, other];
  const of = serve(weft, ['--no-index-file', ...options]);
  try {
    const o = await Viewer.open(browser, await of.address, { folder: shots, hash: '#a=1;p=nanos6%2esubsystem%40thread.share.0' });
    const command = await o.page.evaluate(() => window.weft.dock.states.command(window.weft.panels[0]));
    for (const part of ['--side-by-side', '--errors=all', '--from=1ms', `${trace} '${other}'`]) assert.ok(command.includes(part), command);
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2]).slice(1);
    // Status 1: one recording is the copy of the other.
    const csv = spawnSync(weft, [...words, '-q', '-f', 'csv'], { encoding: 'utf8' }).stdout;
    const lines = await o.page.locator('#dock table tbody tr').evaluateAll((rows) => rows.map((r) => r.cells[0].textContent));
    assert.ok(lines.length > 3);
    for (const l of lines) assert.ok(csv.includes(l), l);
    assert.deepEqual(o.troubles, []);
    await o.close();
  } finally {
    of.end();
  }
});

test('labels_with_markup_are_text_in_a_picture', async () => {
  const other = serve(weft, evil(scratch));
  try {
    const e = await Viewer.open(browser, await other.address, { folder: shots, hash: '#a=1;p=evil%2es%40thread.share.0' });
    const file = await take('picture as SVG', 'labels.svg', e);
    isXml(file);
    const tree = await e.page.evaluate((text) => {
      const doc = new DOMParser().parseFromString(text, 'image/svg+xml');
      return { tags: [...new Set([...doc.querySelectorAll('*')].map((x) => x.tagName))].sort(), text: doc.documentElement.textContent };
    }, fs.readFileSync(file, 'utf8'));
    assert.deepEqual(tree.tags.filter((t) => !['svg', 'title', 'defs', 'clipPath', 'path', 'g', 'text'].includes(t)), []);
    for (const l of [EVIL[0], EVIL[1], '\ufffdevil\ufffd', EVIL[3], 'S <b>bold</b>']) assert.ok(tree.text.includes(l), l);
    assert.deepEqual(e.troubles, []);
    await e.close();
  } finally {
    other.end();
  }
});

test('pictures_leave_no_trouble', () => assert.deepEqual(v.troubles, []));

try {
  await done();
} finally {
  await browser.close();
  server.end();
  fs.rmSync(scratch, { recursive: true, force: true });
}
