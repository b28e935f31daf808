// SPDX-License-Identifier: MIT
// browser.mjs - a weft view of a trace, and Chromium looking at it.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

// Starts weft view; resolves to its address.
export function serve(weft, args) {
  const child = spawn(weft, ['view', '--no-open', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const address = new Promise((resolve, reject) => {
    const take = (text) => {
      said += text;
      const at = /^open\s+(\S+)/m.exec(said);
      if (at) resolve(at[1]);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('exit', (code) => reject(new Error(`weft view ended with ${code}: ${said}`)));
  });
  address.catch(() => {});
  return { address, end: () => child.kill('SIGINT') };
}

export function weftText(weft, args) {
  return execFileSync(weft, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

// Writes a Paraver trace with records [time, row, value] of one type; returns its
// path.
export function paraver(folder, name, threads, end, records) {
  const at = path.join(folder, name);
  fs.writeFileSync(at + '.prv', `#Paraver (01/01/2026 at 10:00):${end}_ns:0:1:1(${threads}:1)\n` + records.map(([time, row, value]) => `2:0:1:1:${row + 1}:${time}:90000000:${value}\n`).join(''));
  fs.writeFileSync(at + '.pcf', 'EVENT_TYPE\n0 90000000 My phase\nVALUES\n0 End\n1 A\n2 B\n3 C\n');
  fs.writeFileSync(at + '.row', `LEVEL THREAD SIZE ${threads}\n` + Array.from({ length: threads }, (_, i) => `THREAD 1.1.${i + 1}\n`).join(''));
  return at + '.prv';
}

// A trace in which three threads work at every time, and all others have ended.
export function sparse(folder, threads) {
  const records = Array.from({ length: threads }, (_, row) => [0, row, 0]);
  const turns = Math.floor(threads / 3);
  const turn = 30000;
  for (let row = 0; row < turns * 3; row++) {
    const from = Math.floor(row / 3) * turn;
    records.push([from, row, (row % 3) + 1], [from + turn, row, 0]);
  }
  return paraver(folder, 'sparse' + threads, threads, turns * turn, records.sort((a, b) => a[0] - b[0]));
}

export async function launch() {
  const where = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((p) => fs.existsSync(p));
  return chromium.launch({ executablePath: where, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
}

const PATIENCE = 30000; // ms
const QUIET_MS = 60000;

// Runs in the page, where looks cost less than from here. Returns true once two
// successive looks found that the page neither draws nor asks the server: after
// the first one, the page may begin with what the last input asks for. Never
// returns false: Playwright takes a promise for true and does not look again.
async function settled() {
  for (let looks = 0; looks < 2; ) {
    await new Promise((r) => setTimeout(r, 12));
    looks = window.weft?.quiet && document.fonts.status === 'loaded' ? looks + 1 : 0;
  }
  return true;
}

// Copies a trace to a new directory of its own, and empties the directory for
// the pictures of a test.
export function workplace(source, build, name) {
  const shots = path.join(build, name);
  fs.rmSync(shots, { recursive: true, force: true });
  fs.mkdirSync(shots, { recursive: true });
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), `weft-${name}-`));
  const trace = path.join(scratch, 'fib');
  fs.cpSync(source, trace, { recursive: true });
  return { shots, scratch, trace };
}

const idlePages = new WeakMap();

// Returns the pages of a browser that no viewer uses any more: to make a new
// context takes longer than most tests.
function idle(browser, scale) {
  if (!idlePages.has(browser)) idlePages.set(browser, []);
  return (idlePages.get(browser)[scale] ??= []);
}

export class Viewer {
  troubles = []; // errors from the page's console and from the browser
  shots = 0;

  static async open(browser, address, { scale = 1, width, height, folder = '.', hash = '', context = null, asked = () => {} } = {}) {
    const v = new Viewer();
    v.folder = folder;
    v.idle = context ? null : idle(browser, scale);
    v.page = v.idle?.pop();
    v.page ??= await (context ?? (await browser.newContext({ deviceScaleFactor: scale, acceptDownloads: true }))).newPage();
    if (!context || width) await v.page.setViewportSize({ width: width ?? 1280, height: height ?? 800 });
    v.context = v.page.context();
    v.page.on('request', (r) => asked(r.url()));
    // This test itself reads pixels back: the browser's warning does not count.
    v.page.on('console', (m) => ['error', 'warning'].includes(m.type()) && !/readback/.test(m.text()) && v.troubles.push(m.text()));
    v.page.on('pageerror', (e) => v.troubles.push(String(e.stack ?? e)));
    v.page.setDefaultTimeout(PATIENCE);
    v.page.on('dialog', (d) => (v.troubles.push('dialog ' + d.message()), d.dismiss()));
    await v.page.goto(address + hash);
    // Skips the delays that are meant for people.
    await v.page.waitForFunction(() => window.weft !== undefined);
    await v.page.evaluate(() => {
      window.weft.restMs = 10;
      window.weft.dock.waitMs = 5;
    });
    await v.quiet();
    return v;
  }

  // Ends the use of the page.
  async close() {
    this.page.removeAllListeners();
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.cdp?.detach();
    await this.page.goto('about:blank');
    this.idle.push(this.page);
  }

  async quiet() {
    await this.page.waitForFunction(settled, null, { timeout: QUIET_MS });
  }

  async key(...keys) {
    for (const k of keys) await this.page.keyboard.press(k);
    await this.quiet();
  }

  async shot(name) {
    this.cdp ??= await this.context.newCDPSession(this.page);
    const { data } = await this.cdp.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
    fs.writeFileSync(path.join(this.folder, `${String(++this.shots).padStart(2, '0')}-${name}.png`), data, 'base64');
  }

  // Returns the position on the page of a panel's line at a time.
  spot(panel, name, time) {
    return this.page.evaluate(([n, name, time]) => {
      const app = window.weft;
      const p = app.panels[n];
      const i = p.lines.findIndex((l) => l.name === name);
      const box = p.plot.getBoundingClientRect();
      return { x: box.left + app.xOf(BigInt(time)) / app.dpr + 0.5 / app.dpr, y: box.top + (p.y(i) + p.inner(i) / 2) / app.dpr };
    }, [panel, name, String(time)]);
  }

  // Returns the picture of a panel without its overlay, and the rows and window that it shows.
  async picture(panel = 0) {
    const got = await this.page.evaluate((n) => {
      const app = window.weft;
      const p = app.panels[n];
      const ctx = p.canvas.getContext('2d');
      const data = new Uint32Array(ctx.getImageData(0, 0, p.canvas.width, p.canvas.height).data.buffer);
      // Encodes a picture as counts of equal pixels, since most repeat.
      const runs = [];
      for (let i = 0; i < data.length; ) {
        let j = i + 1;
        while (j < data.length && data[j] === data[i]) j++;
        runs.push(data[i], j - i);
        i = j;
      }
      const colour = {};
      for (let c = 0; c < 256; c++) {
        const is = app.trace.colour(p.type, c, app.colours, app.theme);
        colour[c] = is ? ((255 << 24) | (is[2] << 16) | (is[1] << 8) | is[0]) >>> 0 : 0;
      }
      return {
        width: p.canvas.width, height: p.canvas.height, runs, colour, left: Number(app.left), w: app.scale.w, k: app.scale.k, dpr: app.dpr,
        key: p.type.info.key, class: p.type.info.class,
        classes: p.type.labels.filter((l) => l.class !== null).map((l) => [l.value, l.class]),
        lines: [...p.visible()].map((i) => {
          const l = p.lines[i];
          return { name: l.name, group: l.group !== null, y: p.y(i), height: p.inner(i), whole: p.tops[i + 1] - p.tops[i], members: p.tree.members(l).map((r) => app.trace.rowNames.get(r)) };
        }),
      };
    }, panel);
    const pixels = new Uint32Array(got.width * got.height);
    let at = 0;
    for (let i = 0; i < got.runs.length; i += 2) pixels.fill(got.runs[i], at, (at += got.runs[i + 1]));
    return { ...got, pixels };
  }

  text(selector) {
    return this.page.locator(selector).first().innerText();
  }

  state() {
    return this.page.evaluate(() => {
      const app = window.weft;
      const s = app.state.select;
      return {
        from: Number(app.from), to: Number(app.to), left: Number(app.left), w: app.scale.w, k: app.scale.k, plot: app.plot, end: Number(app.trace.end),
        select: s && { from: Number(s.from), to: Number(s.to), rows: s.rows.length }, lines: app.panels.map((p) => p.lines.length),
        focus: app.focus && { name: app.focus.line.name, from: app.focus.at && Number(app.focus.at.from), to: app.focus.at && Number(app.focus.at.to), label: app.focus.at?.label },
        hash: app.address(), live: document.getElementById('live').textContent,
      };
    });
  }
}
