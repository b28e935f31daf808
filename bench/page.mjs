// SPDX-License-Identifier: MIT
// page.mjs WEFT TRACE|INDEX... - measures the viewer's page in Chromium: the
// time from the start of `weft view` to the first picture, and its parts (weft,
// what the browser takes for an empty page, and the steps of the page in ms
// after the start of its navigation); and the time of the script of each frame
// while the wheel zooms and a drag moves the window. A trace is opened without
// an index first, then with the one that was written. CPU times tell on a busy
// machine what the times of the clock would be on an idle one. Needs the npm
// packages of tests/web.
import fs from 'node:fs';
import path from 'node:path';
import { launch, serve, Viewer } from '../tests/web/browser.mjs';

const [weft, ...traces] = process.argv.slice(2).map((p) => path.resolve(p));
const SIZE = { width: 1920, height: 1080 };
const WHEELS = 300;
const browser = await launch();

// Returns the CPU time in ms of each process that this one started.
function cpu() {
  const all = new Map();
  for (const pid of fs.readdirSync('/proc').filter((n) => /^\d+$/.test(n)))
    try {
      const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
      const f = text.slice(text.lastIndexOf(')') + 2).split(' ');
      all.set(Number(pid), { parent: Number(f[1]), weft: text.includes('(weft'), ms: 10 * (Number(f[11]) + Number(f[12])) });
    } catch {
      // the process has ended
    }
  const ours = (pid) => pid === process.pid || (pid > 1 && ours(all.get(pid)?.parent ?? 0));
  return new Map([...all].filter(([pid]) => pid !== process.pid && ours(pid)));
}

// Returns the CPU time between two calls of cpu(), of weft or of the browser.
function spent(before, after, weft) {
  return [...after].filter(([, p]) => p.weft === weft).reduce((sum, [pid, p]) => sum + p.ms - (before.get(pid)?.ms ?? 0), 0);
}

// Notes in the page when the first panel has a pixel that is not empty: looks at
// the end of each frame that copied a tile into that panel.
function noteFirst() {
  const copy = CanvasRenderingContext2D.prototype.drawImage;
  let looks = false;
  const look = () => {
    looks = false;
    const c = document.querySelector('canvas.main');
    const row = c.getContext('2d').getImageData(c.width >> 1, 0, 16, c.height);
    if (window.firstMs === undefined && new Uint32Array(row.data.buffer).some((x) => x !== 0)) window.firstMs = performance.now();
  };
  CanvasRenderingContext2D.prototype.drawImage = function (...all) {
    copy.apply(this, all);
    if (window.firstMs !== undefined || looks || this.canvas.className !== 'main') return;
    looks = true;
    queueMicrotask(look);
  };
}

// Returns, in ms after the start of the navigation, when the last answer of each
// step came before the first picture.
function steps() {
  const out = { document: performance.getEntriesByType('navigation')[0].responseEnd };
  for (const e of performance.getEntriesByType('resource')) {
    const name = /main\.js|\/(traces|meta|rows|labels|tile)\b/.exec(e.name);
    if (name && e.responseEnd > 0 && e.responseEnd <= window.firstMs) out[name[1] ?? 'script'] = e.responseEnd;
  }
  return { ...out, picture: window.firstMs };
}

const ms = (t) => `${t.toFixed(0)} ms`;

// Measures the start of `weft view`, of an empty page, and of the viewer's page,
// one after the other: a person who starts weft waits for their sum.
async function first(trace) {
  const [empty, none] = [cpu(), performance.now()];
  const context = await browser.newContext({ viewport: SIZE });
  const page = await context.newPage();
  await page.goto('about:blank');
  const own = performance.now() - none;
  const blank = spent(empty, cpu(), false);
  await context.addInitScript(noteFirst);
  const [before, began] = [cpu(), performance.now()];
  const server = serve(weft, ['--idle', '1', trace]);
  const address = await server.address;
  const printed = performance.now() - began;
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => window.firstMs !== undefined, null, { polling: 20, timeout: 120000 });
  const used = cpu();
  const meta = await page.evaluate(() => [window.weft.trace.meta.state, Number(window.weft.trace.meta.records)]);
  const at = Object.entries(await page.evaluate(steps));
  console.log(`  first picture of the page after ${ms(at.at(-1)[1])}, with the start of weft ${ms(printed + at.at(-1)[1])}, and with that of an empty page ${ms(own + printed + at.at(-1)[1])} (${meta[0]}, ${meta[1]} records)`);
  console.log(`    weft: address after ${ms(printed)}, ${ms(spent(before, used, true))} of CPU time until the picture`);
  console.log(`    browser: ${ms(blank)} of CPU time for an empty page; ${ms(spent(before, used, false))} for this one`);
  console.log(`    page: ${at.map(([name, t]) => `${name} ${t.toFixed(0)}`).join(', ')} ms`);
  await context.close();
  return { server, address };
}

async function frames(address) {
  const v = await Viewer.open(browser, address, SIZE);
  const box = await v.page.locator('.plot').first().boundingBox();
  // The delays that people have: Viewer.open() shortens them.
  await v.page.evaluate(() => {
    window.weft.restMs = 80;
    window.weft.dock.waitMs = 120;
  });
  // The browser's trace has the CPU time of each frame's script.
  await browser.startTracing(v.page, { categories: ['devtools.timeline'] });
  await v.page.mouse.move(box.x + box.width / 2, box.y + 60);
  for (let n = 0; n < WHEELS; n++) {
    await v.page.mouse.wheel(0, n % 60 < 40 ? -120 : 120);
    if (n % 10 === 9) await v.page.mouse.move(box.x + box.width * ((n * 37) % 100) / 100, box.y + 60 + (n % 40));
    await v.page.waitForTimeout(8);
  }
  await v.quiet();
  const events = JSON.parse((await browser.stopTracing()).toString()).traceEvents;
  const ms = events.filter((e) => e.name === 'FireAnimationFrame' && e.tdur !== undefined).map((e) => e.tdur / 1000).sort((a, b) => a - b);
  const up = (share) => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))].toFixed(1);
  const { rows, lines } = await v.page.evaluate(() => ({ rows: window.weft.panels[0].tree?.all, lines: window.weft.panels[0].lines.length }));
  console.log(`  ${ms.length} frames of ${lines} lines of ${rows} rows: p50 ${up(0.5)} ms, p99 ${up(0.99)} ms, max ${up(1)} ms of CPU time`);
  await v.context.close();
}

for (const trace of traces) {
  console.log(trace);
  if (!trace.endsWith('.widx')) {
    fs.rmSync(trace + '.weft/timeline.widx', { force: true });
    const { server } = await first(trace);
    for (const until = Date.now() + 300000; Date.now() < until && !fs.existsSync(trace + '.weft/timeline.widx'); ) await new Promise((r) => setTimeout(r, 200));
    server.end();
  }
  const { server, address } = await first(trace);
  await frames(address);
  server.end();
}
await browser.close();
