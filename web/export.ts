// SPDX-License-Identifier: MIT
// export.ts - saves pictures and tables, and shows the command of a table.

import type { App } from './app';
import { el } from './el';
import { raster, svg } from './picture';
import { ranges } from './rows';
import type { Timeline } from './timeline';

const MOST_SVG = 5 << 20;

function save(name: string, content: string | Blob, type = 'text/plain'): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content);
  const a = el('a', { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export function exportMenu(app: App, x: number, y: number): void {
  const name = app.trace.meta.name.replace(/[^\w.-]+/g, '_');
  const panel = app.panel;
  const tab = app.dock.current;
  const csv = tab?.csv?.();
  const text = panel && app.dock.states.command(panel);
  const failed = (): void => app.bar.say('The picture could not be made: the server does not answer.');
  app.layer.menu(x, y, [
    { text: 'picture as PNG', run: () => void png(app, 1).then((b) => b && save(name + '.png', b)).catch(failed) },
    { text: 'picture as PNG, double resolution', run: () => void png(app, 2).then((b) => b && save(name + '@2x.png', b)).catch(failed) },
    { text: 'picture as SVG', run: () => {
      const text = svg(app, MOST_SVG);
      if (text === null) app.bar.say('The picture has more than 5 MB as SVG: zoom in, fold rows, or take PNG.');
      else save(name + '.svg', text, 'image/svg+xml');
    } },
    { text: tab ? `table "${tab.title}" as CSV` : 'table as CSV', rule: true, off: !csv, run: () => csv && save(`${name}-${tab!.id}.csv`, csv, 'text/csv') },
    { text: 'intervals of the window as CSV', off: !panel, run: () => {
      const rows = ranges(panel.lines.flatMap((l) => (l.group === null || l.folded ? panel.tree!.members(l) : [])));
      const a = el('a', { href: app.net.url('intervals', { type: panel.type.info.type, rows, from: app.from, to: app.to }), download: `${name}-intervals.csv` });
      a.click();
    } },
    { text: 'as command', rule: true, off: !text, run: () => text && command(app, panel, text) },
    { text: 'copy the address of this view', hint: 'J', run: () => app.act('copyAddress') },
  ], 'Export');
}

function command(app: App, panel: Timeline, text: string): void {
  const box = el('input', { type: 'text', readOnly: true, value: text, class: 'command', 'aria-label': 'Command', onfocus: () => box.select() });
  app.layer.dialog('As command', el('p', {}, 'This prints the States table of the selection, or of the window.' + app.dock.states.differs(panel)), box,
    el('button', { onclick: () => void navigator.clipboard?.writeText(text) }, 'Copy'));
}

// Returns the picture as PNG; `fine` 2 draws columns of half a pixel.
async function png(app: App, fine: number): Promise<Blob | null> {
  if (fine === 1) return raster(app);
  const before = { density: app.density, scale: app.scale, left: app.left, from: app.from, to: app.to };
  app.setDensity(fine);
  app.showTime(before.from, before.to);
  for (let i = 0; i < 400 && !app.quiet; i++) await new Promise((r) => setTimeout(r, 25));
  const blob = await raster(app);
  app.setDensity(before.density);
  app.goWindow(before.scale, before.left);
  return blob;
}
