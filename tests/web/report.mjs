// SPDX-License-Identifier: MIT
// report.mjs WEFT TRACE BUILD-DIRECTORY - opens a report from its file, with the
// network off, and compares what the page shows with the tiles and tables of a
// server and of weft stat. Steps leave pictures in
// BUILD-DIRECTORY/report-shots.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import url from 'node:url';
import { launch, paraver, serve, sparse, Viewer, weftText } from './browser.mjs';
import { assert, done, test } from './tap.mjs';

const [weft, source, build] = process.argv.slice(2).map((p) => path.resolve(p));
const shots = path.join(build, 'report-shots');
fs.rmSync(shots, { recursive: true, force: true });
fs.mkdirSync(shots, { recursive: true });
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'weft-report-'));
const trace = path.join(scratch, 'fib');
fs.cpSync(source, trace, { recursive: true });
const file = path.join(scratch, 'r.html');
const said = weftText(weft, ['view', '--report', file, '--from', '20ms', '--to', '25ms', trace]);

const browser = await launch();
const offline = () => browser.newContext({ viewport: { width: 1280, height: 800 }, offline: true });
const context = await offline();
const asked = [];
context.on('request', (r) => asked.push(r.url()));
const v = await Viewer.open(browser, url.pathToFileURL(file).href, { folder: shots, context });
const { page } = v;
const server = serve(weft, [trace]);
const live = await Viewer.open(browser, await server.address, { folder: shots });

const clean = () => assert.deepEqual(v.troubles, []);

// The panel of the report and that of a server show the same pixels.
async function same() {
  const [a, b] = [await v.picture(), await live.picture()];
  assert.deepEqual([a.width, a.height, a.w, a.k, a.left, a.lines.length], [b.width, b.height, b.w, b.k, b.left, b.lines.length]);
  const wrong = a.pixels.reduce((n, p, i) => n + Number(p !== b.pixels[i]), 0);
  assert.equal(wrong, 0, 'pixels differ');
  return a;
}

// Makes both pages show the same columns at the same height.
async function go(w, at) {
  for (const x of [v, live]) {
    await x.page.evaluate(([w, at]) => {
      const app = window.weft;
      app.showWhole();
      while (app.scale.w > w) app.zoom(-1, Math.floor(app.plot * at));
    }, [w, at]);
    await x.quiet();
  }
}

test('report_opens_from_its_file_with_the_network_off', async () => {
  const s = await v.state();
  assert.equal(s.from, 0);
  assert.equal(s.to, s.end);
  assert.equal(s.lines[0], 34);
  assert.match(await v.text('.head .type'), /Nanos6 subsystem/);
  assert.deepEqual(asked.filter((a) => !/^(file|data|blob):/.test(a)), []);
  assert.match(said, /^report: .*r\.html, \d+ kB: \d+ timelines, \d+ columns of [\d.]+ us; all rows$/m);
  await v.shot('open');
  clean();
});

test('timeline_of_a_report_has_the_pixels_of_the_server', async () => {
  // Gives rows the same height on both pages: the report has an additional line
  // below the panels, so its rows would be lower.
  for (const x of [v, live]) {
    await x.page.evaluate(() => {
      for (const p of window.weft.panels) p.state.height = 9;
      window.weft.relayout();
      document.getElementById('held')?.style.setProperty('display', 'none');
    });
    await x.quiet();
  }
  const pic = await same();
  assert.ok(new Set(pic.pixels).size > 5, 'several colours');
  assert.equal(await page.locator('#held .columns').textContent(), '');
  const { w } = await v.state();
  await go(w / 2, 0.4);
  await same();
  assert.equal(await page.locator('#held .columns').textContent(), '');
  await page.evaluate(() => document.getElementById('held').style.removeProperty('display'));
  clean();
});

test('states_of_a_report_are_those_of_weft_stat', async () => {
  await v.key('0');
  await page.evaluate(() => window.weft.dock.open('states', false));
  await v.quiet();
  const stat = JSON.parse(weftText(weft, ['stat', '--json', '--type', 'nanos6.subsystem', trace]));
  const states = stat.types[0].tables[0].states;
  const lines = await page.locator('#dock table tbody tr').evaluateAll((rows) => rows.map((r) => [...r.cells].map((c) => c.textContent)));
  assert.equal(lines.length, states.length);
  const times = await page.evaluate(async () => {
    const app = window.weft;
    const s = await app.net.stat({ types: app.panel.type.info.type, from: 0n, to: app.trace.end });
    return s.types[0].tables[0].states.map((x) => [x.label, x.time_ns, x.times, x.mean_ns]);
  });
  assert.deepEqual(times, states.map((x) => [x.label, x.time_ns, x.times, x.mean_ns]));
  states.forEach((s, i) => {
    assert.ok(lines[i].some((c) => c.includes(s.label)), `line ${i} is ${s.label}: ${lines[i]}`);
    assert.ok(lines[i].some((c) => c.replace(/\D/g, '') === String(s.times)), `line ${i} has ${s.times}: ${lines[i]}`);
  });
  await v.shot('states');
  clean();
});

test('tables_of_the_marked_range_are_those_of_weft_stat', async () => {
  await page.getByRole('button', { name: /^marked/ }).click();
  await v.quiet();
  const s = await v.state();
  assert.deepEqual([s.select.from, s.select.to], [20000000, 25000000]);
  const stat = JSON.parse(weftText(weft, ['stat', '--json', '--type', 'nanos6.subsystem', '--from', '20ms', '--to', '25ms', trace]));
  const first = stat.types[0].tables[0].states[0];
  const line = await page.locator('#dock table tbody tr').first().innerText();
  assert.ok(line.includes(first.label), line);
  assert.ok(line.replace(/[\u202f\u00a0,]/g, '').includes(String(first.times)), line);
  await v.shot('marked');
  clean();
});

test('a_breakdown_has_the_finest_columns_of_the_file', async () => {
  await page.evaluate(() => window.weft.showTime(21000000n, 23000000n));
  const says = [];
  for (const mode of ['share', 'area']) {
    await page.evaluate((mode) => {
      window.weft.panels[0].state.mode = mode;
      window.weft.relayout();
    }, mode);
    await v.quiet();
    assert.equal(await page.evaluate(() => window.weft.panels[0].mode), mode);
    says.push(await page.locator('#held .columns').textContent());
  }
  assert.equal(says[1], says[0]);
  await v.shot('breakdown');
  await page.evaluate(() => {
    window.weft.panels[0].state.mode = 'share';
    window.weft.relayout();
  });
  clean();
});

test('zooming_beyond_the_file_says_so', async () => {
  await page.evaluate(() => {
    window.weft.select(null);
    window.weft.showTime(26500000n, 26501000n);
  });
  await v.quiet();
  const says = await page.locator('#held .columns').innerText();
  assert.match(says.replace(trace, 'TRACE'), /^this file holds columns of [\d.]+\s\w+; `weft view TRACE` shows more$/);
  const pic = await v.picture();
  assert.ok(pic.pixels.some((p) => p !== 0), 'columns are stretched');
  const table = await v.text('#dock .tab');
  assert.match(table, /This file holds no table of this part of the time/);
  await v.shot('zoomed');
  await page.mouse.click(400, 300); // a click asks for a single interval, which the report does not have
  await v.quiet();
  await v.key('0');
  assert.equal(await page.locator('#held .columns').textContent(), '');
  clean();
});

test('other_types_and_searches_work_without_a_server', async () => {
  for (const type of await page.evaluate(() => window.weft.trace.types.map((t) => t.key))) {
    await page.evaluate((key) => window.weft.setType(window.weft.panels[0], window.weft.trace.type(key)), type);
    await v.quiet();
    assert.equal(await page.evaluate(() => window.weft.store.error), '', type);
  }
  const found = await page.evaluate(() => window.weft.net.json('find', { text: 'taskwait' }));
  assert.ok(found.labels.hits.some((h) => /Taskwait/i.test(h.text)));
  clean();
});

test('a_small_window_shows_the_whole_trace_and_says_what_of', async () => {
  const small = await Viewer.open(browser, url.pathToFileURL(file).href, { folder: shots, context, width: 420, height: 700 });
  const s = await small.state();
  assert.deepEqual([s.from, s.to], [0, s.end]);
  const pic = await small.picture();
  assert.ok(new Set(pic.pixels).size > 5, 'several colours');
  assert.match(await small.page.locator('#held .columns').innerText(), /^(these columns are made of columns of [\d.]+\s\w+; .*|)$/);
  await small.shot('small');
  assert.deepEqual(small.troubles, []);
});

test('a_report_of_many_rows_opens_and_says_which_it_has', async () => {
  for (const n of [201, 1000]) {
    const from = paraver(scratch, 'n' + n, n, 20000, Array.from({ length: 10 }, (_, i) => Array.from({ length: n }, (_, r) => [i * 1000 + r, r, ((i + r) % 3) + 1])).flat().sort((a, b) => a[0] - b[0] || a[1] - b[1]));
    const to = path.join(scratch, `n${n}.html`);
    weftText(weft, ['view', '--report', to, from]);
    const many = await Viewer.open(browser, url.pathToFileURL(to).href, { folder: shots, context });
    await many.shot('rows-' + n);
    // Opens all groups: rows that the file lacks are not asked for again.
    await many.page.evaluate(() => {
      const app = window.weft;
      app.state.folds = app.panels[0].tree.groupHashes().filter((g) => g.start).map((g) => g.hash);
      app.relayout();
    });
    await many.quiet();
    const lines = await many.page.evaluate(() => window.weft.panels[0].lines.map((l) => [l.group, l.name]));
    const rows = lines.filter(([group]) => group === null);
    assert.ok(rows.length > 50 && rows.length <= 200, `${rows.length} rows of ${n}`);
    assert.match(await many.page.locator('#held').innerText(), new RegExp(`${rows.length} of ${n} rows`));
    assert.ok(new Set((await many.picture()).pixels).size > 3, 'several colours');
    await many.shot('rows-open-' + n);
    assert.deepEqual(many.troubles, []);
    await many.page.close();
  }
});

test('few_active_rows_among_many_are_seen_in_a_report', async () => {
  const to = path.join(scratch, 'sparse.html');
  weftText(weft, ['view', '--report', to, sparse(scratch, 60)]);
  const few = await Viewer.open(browser, url.pathToFileURL(to).href, { folder: shots, context });
  const group = (await few.picture()).lines[0];
  assert.ok(group.group);
  const pic = await few.picture();
  const colours = new Set(Array.from({ length: group.height }, (_, y) => pic.pixels[(group.y + y) * pic.width + 300]));
  assert.ok(colours.size > 1, 'the group shows its active row');
  assert.match(await few.text('#overview .start'), /^up to (about )?3 of 60 threads$/);
  await few.shot('sparse');
  assert.deepEqual(few.troubles, []);
  await few.page.close();
});

test('the_overview_of_a_report_says_what_that_of_the_server_says', async () => {
  // Many values at once, each of few rows: in 15 quanta each would have four rows.
  const from = paraver(scratch, 'values', 60, 60000, Array.from({ length: 6 }, (_, r) => [0, r, (r % 3) + 1]).concat(Array.from({ length: 54 }, (_, r) => [0, r + 6, 0])));
  const to = path.join(scratch, 'values.html');
  weftText(weft, ['view', '--report', to, from]);
  const serves = serve(weft, [from]);
  const [there, here] = [await Viewer.open(browser, await serves.address, { context: live.context }), await Viewer.open(browser, url.pathToFileURL(to).href, { context })];
  assert.equal(await there.text('#overview .start'), 'up to 6 of 60 threads');
  assert.equal((await here.text('#overview .start')).replace('about ', ''), 'up to 6 of 60 threads');
  await there.page.close();
  await here.page.close();
  serves.end();
});

test('a_report_saves_pictures_without_network', async () => {
  await page.getByRole('button', { name: 'Export pictures, tables and commands' }).click();
  const wait = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'picture as SVG' }).click();
  const svg = fs.readFileSync(await (await wait).path(), 'utf8');
  assert.match(svg, /^<svg [^>]*>/);
  const name = await page.evaluate(() => window.weft.panels[0].lines[0].name);
  assert.ok(name && svg.includes(`>${name}</text>`), svg);
  clean();
});

await done();
await browser.close();
server.end();
fs.rmSync(scratch, { recursive: true, force: true });
