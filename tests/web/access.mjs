// SPDX-License-Identifier: MIT
// access.mjs WEFT TRACE BUILD-DIRECTORY - tests that the page is usable for
// people who see little, who see no colours, who have no mouse, or who have a
// small screen. Pictures stay in BUILD-DIRECTORY/access.
import fs from 'node:fs';
import path from 'node:path';
import { launch, paraver, serve, Viewer, workplace } from './browser.mjs';
import { assert, done, test } from './tap.mjs';

const [weft, source, build] = process.argv.slice(2).map((p) => path.resolve(p));
const { shots, scratch, trace } = workplace(source, build, 'access');
const server = serve(weft, [trace]);
const browser = await launch();
const v = await Viewer.open(browser, await server.address, { folder: shots });
const { page } = v;
const address = page.url().replace(/[?#].*/, '');

// Functions that the tests run in the page.
await v.context.addInitScript(() => {
  const linear = (c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (css) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const ground = (e) => {
    const layers = [];
    for (let at = e; at; at = at.parentElement) {
      const c = rgba(getComputedStyle(at).backgroundColor);
      layers.push(c);
      if (c[3] === 1) break;
    }
    return layers.reverse().reduce((below, c) => over(c, below), [255, 255, 255, 1]);
  };
  const visible = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0;
  window.a11y = { rgba, over, contrast, ground, visible };
  // Texts whose contrast is below that of WCAG 2 AA.
  window.faint = () => {
    const out = new Map();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let t = walk.nextNode(); t; t = walk.nextNode()) {
      const e = t.parentElement;
      if (!t.data.trim() || !visible(e) || e.closest('[disabled], script, style, noscript, canvas, #live')) continue;
      const s = getComputedStyle(e);
      const large = parseFloat(s.fontSize) >= 24 || (parseFloat(s.fontSize) >= 18.66 && Number(s.fontWeight) >= 700);
      const is = contrast(over(rgba(s.color), ground(e)), ground(e));
      if (is < (large ? 3 : 4.5)) out.set(`${e.tagName}.${e.className} ${s.color}`, `${is.toFixed(2)} "${t.data.trim().slice(0, 30)}"`);
    }
    for (const e of document.querySelectorAll('input:not([type=checkbox]), select')) {
      const is = contrast(over(rgba(getComputedStyle(e).borderColor), ground(e)), ground(e));
      if (visible(e) && is < 3) out.set('border of ' + e.tagName, is.toFixed(2));
    }
    return [...out].map((x) => x.join(': '));
  };
  // Texts that canvases get, with the contrast to the pixels under them.
  window.written = [];
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
    const app = window.weft;
    const panel = app?.panels.find((p) => p.overlay === this.canvas);
    if (app && y >= 0 && y < this.canvas.height && (panel || this.canvas.closest?.('#axis'))) {
      let under = rgba(app.css('--paper'));
      const at = [Math.round(x) + 1, Math.round(y)];
      for (const c of [panel?.canvas.getContext('2d'), this]) {
        if (!c) continue;
        const [r, g, b, a] = c.getImageData(...at, 1, 1).data;
        under = over([r, g, b, a / 255], under);
      }
      window.written.push([text, contrast(over(rgba(this.fillStyle), under), under)]);
    }
    return write.call(this, text, x, y, ...more);
  };
});
await page.goto(address);
await v.quiet();

const faint = async (where) => assert.deepEqual(await page.evaluate(() => window.faint()), [], where);
const press = (name) => page.getByRole('button', { name }).first().click();

async function everywhere(look, ground) {
  await look(`${ground}: page`);
  for (const n of '123456') {
    await v.key(n);
    await look(`${ground}: tab ${n}`);
  }
  await v.key('1');
  const at = await v.spot(0, 'TH 1.3946', 18000000);
  await page.mouse.move(at.x, at.y);
  await page.waitForFunction(() => /\d of \d/.test(document.getElementById('tip').textContent));
  await look(`${ground}: hover`);
  await page.mouse.click(at.x, at.y);
  await v.quiet();
  await look(`${ground}: details`);
  await page.mouse.move(at.x, 5);
  for (const name of ['Colours, theme and what is shown', 'Add a panel', 'Export pictures, tables and commands']) {
    await press(name);
    await look(`${ground}: menu ${name}`);
    await v.key('Escape');
  }
  await v.key('?');
  await look(`${ground}: keys`);
  await v.key('Escape', 'g');
  await page.keyboard.type('nonsense');
  await page.keyboard.press('Enter');
  await look(`${ground}: an invalid time`);
  await v.key('Escape', 'Escape');
  await page.evaluate(() => (window.weft.bar.say('A sentence.'), window.weft.hot.set(window.weft.panels[0].type, [0])));
  await v.quiet();
  await look(`${ground}: highlight and banner`);
  await page.evaluate(() => (window.weft.bar.hush(), window.weft.hot.set(window.weft.panels[0].type, [])));
  await v.key('Escape');
}

const ROLES = new Set(['button', 'textbox', 'searchbox', 'checkbox', 'combobox', 'menuitem', 'menuitemcheckbox', 'menu', 'tab', 'tablist', 'tabpanel', 'tree', 'treeitem', 'application', 'img', 'image', 'splitter', 'toolbar', 'dialog', 'table', 'progressbar', 'Canvas']);

test('text_can_be_read_and_every_control_has_a_name', async () => {
  const cdp = await v.context.newCDPSession(page);
  const nameless = async (where) => {
    const { nodes } = await cdp.send('Accessibility.getFullAXTree');
    assert.deepEqual(nodes.filter((n) => !n.ignored && ROLES.has(n.role?.value) && !n.name?.value?.trim()).map((n) => `${where}: ${n.role.value}`), []);
    assert.ok(nodes.filter((n) => n.role?.value === 'button').length > 5);
  };
  await everywhere((where) => Promise.all([faint(where), nameless(where)]), 'light');
});

test('text_can_be_read_on_a_dark_ground', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await v.quiet();
  await everywhere(faint, 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await v.quiet();
});

test('text_in_pictures_can_be_read', async () => {
  let n = 0;
  for (const ground of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: ground });
    for (const [colours, hot] of [['own', []], ['plain', []], ['plain', [5]], ['patterns', []]]) {
      await page.evaluate(([c, hot]) => {
        const app = window.weft;
        app.panels[0].state.height = 26;
        app.setColours(c);
        app.hot.set(app.panels[0].type, hot);
        app.relayout();
        app.panels[0].scroll.scrollTop = 300;
      }, [colours, hot]);
      await v.quiet();
      await page.evaluate(() => ((window.written.length = 0), window.weft.touch()));
      await v.quiet();
      const written = await page.evaluate(() => window.written);
      n += written.length;
      assert.deepEqual(written.filter(([, is]) => is < 4.5), [], `${ground} ${colours} ${hot}`);
    }
  }
  assert.ok(n > 50, `${n} texts`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate(() => {
    const app = window.weft;
    app.panels[0].state.height = 0;
    app.setColours('plain');
    app.hot.set(app.panels[0].type, []);
    app.relayout();
  });
  await v.quiet();
});

// Tabs once through the page. Returns the elements that were focused, and those
// that do not show their focus.
async function tour(viewer, most = 80) {
  await viewer.page.evaluate(() => document.querySelector('button').focus({ focusVisible: true }));
  const out = [];
  for (let i = 0; i < most; i++) {
    const is = await viewer.page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return null;
      window.stops ??= new Set();
      if (window.stops.has(e)) return 'again';
      window.stops.add(e);
      const s = getComputedStyle(e);
      const { contrast, over, rgba, ground } = window.a11y;
      const wide = parseFloat(s.outlineWidth) + parseFloat(s.outlineOffset);
      const b = e.getBoundingClientRect();
      const bad = [];
      if (s.outlineStyle === 'none' || parseFloat(s.outlineWidth) < 2) bad.push('no outline');
      else if (contrast(over(rgba(s.outlineColor), ground(e.parentElement)), ground(e.parentElement)) < 3) bad.push('faint outline');
      for (let up = e.parentElement; up && up !== document.body; up = up.parentElement) {
        if (getComputedStyle(up).overflowX === 'visible' && getComputedStyle(up).overflowY === 'visible') continue;
        const c = up.getBoundingClientRect();
        if (b.top - wide < c.top - 0.6 || b.bottom + wide > c.bottom + 0.6 || b.left - wide < c.left - 0.6) bad.push(`outline cut by ${up.id || up.className}`);
      }
      const where = ['bar', 'banner', 'overview', 'axis', 'panels', 'grip', 'dock'].findIndex((id) => document.getElementById(id).contains(e));
      return { name: e.getAttribute('aria-label') ?? e.title ?? e.textContent, text: `${e.tagName} ${e.className} ${(e.getAttribute('aria-label') ?? e.textContent).slice(0, 40)}`, where, bad };
    });
    if (is === 'again') break;
    if (is) out.push(is);
    await viewer.page.keyboard.press('Tab');
  }
  await viewer.page.evaluate(() => (window.reached = window.stops, window.stops = undefined));
  return out;
}

test('tab_reaches_everything_in_order_and_shows_where_it_is', async () => {
  await v.key('1');
  await page.mouse.move(5, 5);
  const stops = await tour(v);
  assert.ok(stops.length > 20, `${stops.length} stops`);
  assert.deepEqual(stops.filter((s) => s.bad.length).map((s) => `${s.text}: ${s.bad}`), []);
  assert.deepEqual(stops.map((s) => s.where), stops.map((s) => s.where).sort((a, b) => a - b), 'from top to bottom');
  const missed = await page.evaluate(() => [...document.querySelectorAll('button, input, select, a[href], [tabindex="0"]')]
    .filter((e) => window.a11y.visible(e) && !e.disabled && !window.reached.has(e) && e.getAttribute('role') !== 'tab').map((e) => e.outerHTML.slice(0, 100)));
  assert.deepEqual(missed, []);
});

test('the_picture_says_in_words_what_is_selected', async () => {
  const words = async () => (await page.locator('canvas.main').first().getAttribute('aria-label')).replace(/\u00a0/g, ' ');
  await v.key('Escape', 'Escape', 'Escape', '0');
  assert.match(await words(), /^Nanos6 subsystem of the ACTIVE thread, share of time: 34 lines, 56\.278 ms from 0 ns\. Nothing is selected\./);
  await page.locator('.plot').first().focus();
  await v.key('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight');
  await v.key('Shift+Enter');
  const said = await words();
  assert.match(said, /Selected: [\d.]+ [nmu]s from [\d.]+ [nmu]?s\. Focused: TH 1\.\d+, .+, [\d.]+ [nmu]s from/);
  assert.equal(await page.locator('#focused').count(), 1);
  assert.equal(await page.locator('.names').first().getAttribute('aria-activedescendant'), 'focused');
  await v.key('Escape', 'Escape');
});

test('every_key_that_changes_the_page_says_what_it_did', async () => {
  const live = page.locator('#live');
  const said = async (key) => {
    await page.evaluate(() => (document.getElementById('live').textContent = 'old'));
    await v.key(key);
    return live.textContent();
  };
  await page.evaluate(() => window.weft.focusRow(window.weft.panel, window.weft.panel.lines[0]));
  assert.match(await said('p'), /pinned on top: a group of \d+ rows/);
  const lines = () => page.evaluate(() => window.weft.panel.lines.filter((l) => l.pinned).map((l) => l.key));
  assert.deepEqual(await lines(), ['g' + (await page.evaluate(() => window.weft.panel.lines[0].group))]);
  assert.match(await said('p'), /unpinned/);
  assert.deepEqual(await lines(), []);
  const before = await page.evaluate(() => window.weft.panel.state.height);
  assert.match(await said('+'), /^Rows are \d+ pixels high/);
  assert.match(await said('-'), /^Rows are \d+ pixels high/);
  await page.evaluate((h) => ((window.weft.panel.state.height = h), window.weft.relayout()), before);
  assert.match(await said('o'), /overview is hidden/);
  assert.match(await said('o'), /overview is shown/);
  assert.match(await said('q'), /dock is hidden/);
  assert.match(await said('q'), /dock is shown/);
  assert.match(await said('y'), /logarithmic/);
  assert.match(await said('Control+c'), /^Copied: /);
  assert.match(await said('h'), /hidden; R shows/);
  assert.equal((await page.evaluate(() => window.weft.state.hidden)).length, 1);
  await page.evaluate(() => ((window.weft.state.hidden = []), window.weft.relayout()));
  await v.key('Escape');
});

test('a_highlighted_value_is_in_view_in_the_legend', async () => {
  await page.evaluate(() => {
    const { hot, panel } = window.weft;
    hot.set(panel.type, [panel.type.labels.find((l) => l.text === 'Dependency: Unregistering').class]);
  });
  await v.quiet();
  const [on, box] = await page.evaluate(() => ['.legend .hot', '.legend'].map((q) => document.querySelector(q).getBoundingClientRect().toJSON()));
  assert.ok(on.left >= box.left && (on.right <= box.right || on.left < box.left + 20), JSON.stringify([on, box]));
  await page.evaluate(() => window.weft.hot.set(window.weft.panel.type, []));
  await v.quiet();
});

test('the_height_of_the_dock_changes_by_keyboard', async () => {
  const high = () => page.locator('#dock').evaluate((e) => e.offsetHeight);
  const before = await high();
  await page.locator('#grip').focus();
  await v.key('ArrowUp', 'ArrowUp');
  assert.ok(await high() > before);
  await v.key('ArrowDown', 'ArrowDown');
});

test('nothing_moves_by_itself', async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await v.key('?');
  const moving = () => page.evaluate(() => [document.getAnimations().length, ...[...document.querySelectorAll('*')].filter((e) => {
    const s = getComputedStyle(e);
    return s.animationName !== 'none' || s.transitionDuration.split(',').some((t) => parseFloat(t) > 0) || s.scrollBehavior === 'smooth';
  }).map((e) => e.tagName)]);
  assert.deepEqual(await moving(), [0]);
  await v.key('Escape');
  await page.emulateMedia({ reducedMotion: null });
});

// Controls that no scrolling brings into the window.
function cut(viewer) {
  return viewer.page.evaluate(() => {
    const out = [];
    for (const e of document.querySelectorAll('button, input, select, .plot, .names, [role=tabpanel]')) {
      if (!window.a11y.visible(e)) continue;
      e.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const b = e.getBoundingClientRect();
      const inside = [innerWidth, innerHeight];
      let [x0, y0, x1, y1] = [b.left, b.top, Math.min(b.right, b.left + 24), Math.min(b.bottom, b.top + 16)];
      if (x0 < -1 || y0 < -1 || x1 > inside[0] + 1 || y1 > inside[1] + 1) out.push(`${e.tagName} ${e.className} ${e.textContent.slice(0, 20)} at ${[x0, y0, x1, y1].map(Math.round)}`);
      const hit = document.elementFromPoint(Math.min(inside[0] - 1, x0 + 6), Math.min(inside[1] - 1, (y0 + y1) / 2));
      if (hit && !e.contains(hit) && !hit.contains(e)) out.push(`${e.tagName} ${e.className} ${e.textContent.slice(0, 20)} is covered by ${hit.tagName} ${hit.className}`);
    }
    return out;
  });
}

test('small_screens_and_zoom_lose_nothing', async () => {
  for (const [name, width, height, scale] of [['zoom-200', 640, 400, 2], ['phone', 320, 600, 2], ['phone-across', 568, 320, 2]]) {
    const small = await Viewer.open(browser, await server.address, { folder: shots, width, height, scale });
    await small.page.evaluate(() => (window.a11y = { visible: (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0 }));
    await small.shot(name);
    assert.deepEqual(await cut(small), [], name);
    assert.ok(await small.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'scrolls in one direction only');
    assert.ok(await small.page.evaluate(() => window.weft.plot / window.weft.dpr >= 180), 'the plot keeps some width');
    await small.page.getByRole('button', { name: 'Export pictures, tables and commands' }).click();
    await small.quiet();
    assert.deepEqual(await small.page.evaluate(() => [...document.querySelectorAll('.menu button')].filter((b) => {
      b.scrollIntoView({ block: 'nearest' });
      const r = b.getBoundingClientRect();
      return r.left < 0 || r.right > innerWidth + 1 || r.top < 0 || r.bottom > innerHeight + 1;
    }).map((b) => b.textContent)), [], name);
    await small.key('Escape', '?');
    await small.shot(name + '-keys');
    assert.ok(await small.page.evaluate(() => {
      const d = document.querySelector('.dialog').getBoundingClientRect();
      return d.left >= 0 && d.right <= innerWidth + 1 && d.top >= 0 && d.bottom <= innerHeight + 1;
    }), name);
    assert.deepEqual(small.troubles, []);
    await small.close();
  }
});

test('long_names_leave_the_numbers_in_sight', async () => {
  const label = 'void Eigen::internal::generic_product_impl<'.padEnd(230, 'Eigen::Matrix<double, -1, -1>, ') + '>';
  const long = paraver(scratch, 'long', 3, 3000, Array.from({ length: 30 }, (_, i) => [i * 100, i % 3, i % 4]));
  for (const [end, from, to] of [['.pcf', '1 A', '1 ' + label], ['.row', 'THREAD 1.1.', 'a_very_long_name_without_any_blank_of_a_thread_of_the_pool_number_']])
    fs.writeFileSync(long.replace('.prv', end), fs.readFileSync(long.replace('.prv', end), 'utf8').replaceAll(from, to));
  const other = serve(weft, ['--no-index-file', long]);
  try {
    for (const [name, width, text] of [['1280', 1280, ''], ['860', 860, ''], ['600', 600, ''], ['text-200', 1280, '32px']]) {
      const small = await Viewer.open(browser, await other.address, { folder: shots, width, height: 800 });
      await small.page.evaluate((s) => ((document.documentElement.style.fontSize = s), window.weft.resized()), text);
      await small.quiet();
      await small.shot('long-' + name);
      const bad = await small.page.evaluate(() => {
        const out = [];
        const dock = document.querySelector('#dock .body').getBoundingClientRect();
        for (const row of document.querySelectorAll('#dock tr')) {
          const cells = [...row.cells].map((c) => c.getBoundingClientRect());
          cells.forEach((c, i) => i > 0 && c.left < cells[i - 1].right - 1 && out.push(`cell ${i} lies over the one before`));
          if (cells[1].right > dock.right) out.push(`the time ends at ${cells[1].right} of ${dock.right}`);
          for (const c of row.querySelectorAll('td.right')) if (c.scrollWidth > c.clientWidth + 1) out.push(`"${c.textContent}" is cut`);
        }
        const names = document.querySelector('.names').getBoundingClientRect();
        for (const t of document.querySelectorAll('.name .text')) if (t.getBoundingClientRect().right > names.right) out.push(`${t.textContent} has no ellipsis`);
        return out;
      });
      assert.deepEqual(bad, [], name);
      const at = await small.spot(0, 'a_very_long_name_without_any_blank_of_a_thread_of_the_pool_number_2', 1100);
      await small.page.mouse.click(at.x, at.y);
      await small.quiet();
      await small.shot('long-details-' + name);
      const over = await small.page.evaluate(() => {
        const next = document.querySelector('.details .wide').getBoundingClientRect();
        return [...document.querySelectorAll('.facts dd, .facts dt')].filter((d) => {
          const range = document.createRange();
          range.selectNodeContents(d);
          const box = range.getBoundingClientRect();
          return box.right > innerWidth || (box.right > next.left && box.left < next.right && box.bottom > next.top && box.top < next.bottom);
        }).map((d) => d.textContent);
      });
      assert.deepEqual(over, [], name);
      await small.page.evaluate(() => ((document.documentElement.style.fontSize = ''), window.weft.dock.open('states', false)));
      assert.deepEqual(small.troubles, []);
      await small.close();
    }
  } finally {
    other.end();
  }
});

// Zoom of the browser, and screens of all kinds, make pixels of any size.
test('the_page_opens_with_pixels_of_every_size', async () => {
  const of = (viewer) => viewer.page.evaluate(() => {
    const app = window.weft;
    const drawn = [...document.querySelectorAll('canvas.main, canvas.over, #axis canvas, #overview canvas')].map((c) => {
      const box = c.getBoundingClientRect();
      return Math.max(Math.abs(box.width * app.dpr - c.width), Math.abs(box.height * app.dpr - c.height)) < 1;
    });
    return { dpr: app.dpr, right: app.dpr === devicePixelRatio, drawn, errors: app.store.error };
  });
  for (const scale of [0.67, 0.8, 0.9, 1.1, 1.2, 1.25, 1.5]) {
    const zoomed = await Viewer.open(browser, await server.address, { folder: shots, scale });
    await zoomed.key('w', 's', '0');
    const is = await of(zoomed);
    assert.deepEqual([is.right, is.drawn, is.errors, zoomed.troubles], [true, [true, true, true, true], '', []], `${scale} ${JSON.stringify(is)}`);
    await zoomed.shot(`scale-${scale}`);
    await zoomed.close();
  }
  // The pixels change while the page is open; then the size of the text.
  const cdp = await v.context.newCDPSession(page);
  for (const [scale, width, height] of [[1.1, 1280, 800], [0.67, 1280, 800], [0.9, 1422, 889], [1, 1280, 800]]) {
    await cdp.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile: false });
    await page.waitForFunction((s) => Math.abs(devicePixelRatio - s) < 1e-6, scale);
    await page.evaluate(() => window.weft.touch());
    await v.quiet();
    const is = await of(v);
    assert.deepEqual([is.right, is.drawn], [true, [true, true, true, true]], `${scale} ${JSON.stringify(is)}`);
  }
  await cdp.detach();
  for (const size of ['13.3px', '']) {
    await page.evaluate((s) => ((document.documentElement.style.fontSize = s), window.weft.resized()), size);
    await v.quiet();
  }
  assert.deepEqual(v.troubles, []);
});

test('the_colours_of_the_system_keep_what_colours_say', async () => {
  await page.emulateMedia({ forcedColors: 'active' });
  await v.key('1');
  await page.evaluate(() => window.weft.hot.set(window.weft.panels[0].type, [0]));
  await v.quiet();
  const is = await page.evaluate(() => {
    const of = (s) => getComputedStyle(document.querySelector(s)).backgroundColor;
    return {
      chips: new Set([...document.querySelectorAll('.legend .chip')].map((e) => getComputedStyle(e).backgroundColor)).size,
      tab: of('[role=tab][aria-selected=true]') !== of('[role=tab][aria-selected=false]'),
      hot: of('.legend button.hot') !== of('.legend button:not(.hot)'),
      picture: window.a11y.contrast(window.a11y.rgba(window.weft.css('--ink')), window.a11y.rgba(of('canvas.main'))),
      axis: window.a11y.contrast(window.a11y.rgba(window.weft.css('--ink')), window.a11y.rgba(of('#axis canvas'))),
    };
  });
  assert.ok(is.chips > 4, `${is.chips} colours in the legend`);
  assert.ok(is.tab && is.hot);
  assert.ok(is.picture >= 4.5 && is.axis >= 4.5, `${is.picture} ${is.axis}`);
  await v.shot('forced-colours');
  await page.emulateMedia({ forcedColors: null });
});

test('nothing_went_wrong', () => assert.deepEqual(v.troubles, []));

try {
  await done();
} finally {
  await browser.close();
  server.end();
  fs.rmSync(scratch, { recursive: true, force: true });
}
