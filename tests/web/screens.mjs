// SPDX-License-Identifier: MIT
// screens.mjs WEFT TRACE DIRECTORY - makes the pictures of docs/user/view.md:
// the whole page, the details of an interval, and a report. Run by
// docs/picture/pages, and by the tests, so that the pictures can be made.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import url from 'node:url';
import { launch, serve, Viewer, weftText } from './browser.mjs';
import { png } from './palette.mjs';
import { assert, done, test } from './tap.mjs';

const [weft, trace, to] = process.argv.slice(2).map((p) => path.resolve(p));
const SIZE = { width: 1080, height: 640 };
const MOST = 60000; // bytes of a picture
fs.mkdirSync(to, { recursive: true });
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'weft-screens-'));
const server = serve(weft, ['--no-index-file', trace]);
const browser = await launch();
const v = await Viewer.open(browser, await server.address, SIZE);
const { page } = v;

// Decodes the browser's picture in the browser, and writes a small one.
async function keep(viewer, name) {
  const shot = (await viewer.page.screenshot()).toString('base64');
  const { width, height, data } = await viewer.page.evaluate(async (text) => {
    const img = new Image();
    img.src = 'data:image/png;base64,' + text;
    await img.decode();
    const c = new OffscreenCanvas(img.width, img.height);
    const ctx = c.getContext('2d');
    ctx.drawImage(img, 0, 0);
    const from = ctx.getImageData(0, 0, img.width, img.height).data;
    let text2 = '';
    for (let i = 0; i < from.length; i += 4) text2 += String.fromCharCode(from[i], from[i + 1], from[i + 2]);
    return { width: img.width, height: img.height, data: btoa(text2) };
  }, shot);
  const bytes = Buffer.from(data, 'base64');
  const small = png(width, height, Array.from({ length: width * height }, (_, i) => (bytes[3 * i] << 16) | (bytes[3 * i + 1] << 8) | bytes[3 * i + 2]));
  fs.writeFileSync(path.join(to, name), small);
  assert.ok(small.length < MOST, `${name} has ${small.length} bytes`);
  console.log(`# ${name}: ${small.length} bytes, ${width} x ${height}`);
}

// The longest interval that has a name in the tenth of the trace after its middle.
async function busy() {
  return page.evaluate(async () => {
    const app = window.weft;
    const p = app.panels[0];
    const from = app.trace.end / 2n;
    let best = null;
    for (const line of p.lines.filter((l) => l.group === null)) {
      let t = from;
      for (let i = 0; i < 200 && t < from + app.trace.end / 10n; i++) {
        const at = await app.at(p, line, t);
        if (!at) break;
        const length = BigInt(at.to) - BigInt(at.from);
        if (at.value !== null && (!best || length > best.length)) best = { row: line.row, t, length };
        t = BigInt(at.to);
      }
    }
    return { row: best.row, t: String(best.t), length: String(best.length) };
  });
}

test('the_whole_page', async () => {
  await page.evaluate(() => (document.activeElement?.blur(), window.weft.panels[0].load()));
  await v.quiet();
  await keep(v, 'view.png');
});

test('the_details_of_an_interval', async () => {
  const { row, t, length } = await busy();
  await page.evaluate(async ([row, t, length]) => {
    const app = window.weft;
    app.showTime(BigInt(t) - 6n * BigInt(length), BigInt(t) + 7n * BigInt(length));
    await app.go.to(app.panels[0].type, row, BigInt(t));
    app.dock.open('details', false);
  }, [row, t, length]);
  await v.quiet();
  assert.match(await v.text('#dock .facts'), /length/);
  await keep(v, 'view-details.png');
});

test('a_report', async () => {
  const file = path.join(scratch, 'r.html');
  const end = await page.evaluate(() => Number(window.weft.trace.end));
  weftText(weft, ['view', '--report', file, '--from', String(Math.floor(end * 0.5)), '--to', String(Math.floor(end * 0.6)), trace]);
  const context = await browser.newContext({ viewport: SIZE, offline: true, colorScheme: 'dark' });
  const r = await Viewer.open(browser, url.pathToFileURL(file).href, { context });
  await r.page.getByRole('button', { name: /marked/ }).click();
  await r.quiet();
  await keep(r, 'view-report.png');
});

try {
  await done();
} finally {
  await browser.close();
  server.end();
  fs.rmSync(scratch, { recursive: true, force: true });
}
