// SPDX-License-Identifier: MIT
// legend.ts - the values of a panel's type; those in the picture come first, and
// of both parts those with most time in the whole trace, as in the States table:
// values keep their order while the window moves. A click highlights a value
// (hot): every column that contains it shows it, however short; Alt+click
// highlights that value alone.

import type { App } from './app';
import { alt, pixel, Rgb } from './colour';
import { cut, el } from './el';
import { fill, Ink } from './paint';
import { NONE } from './tile';
import type { Timeline } from './timeline';
import { Type } from './trace';

const MOST = 40;

const dotted = new Map<string, string>(); // pictures of patterns, as data URLs

// Returns the picture of a class's pattern, 8 x 8 pixels.
function pattern(cls: number, c: Rgb): string {
  const key = `${cls % 8} ${c}`;
  let url = dotted.get(key);
  if (!url) {
    const canvas = el('canvas', { width: 8, height: 8 });
    const data = new ImageData(8, 8);
    const ink = { colour: { [cls]: pixel(c) }, alt: { [cls]: pixel(alt(c)) }, patterns: true } as unknown as Ink;
    fill({ data: new Uint32Array(data.data.buffer), width: 8 }, ink, cls, 0, 8, 0, 8);
    canvas.getContext('2d')!.putImageData(data, 0, 0);
    dotted.set(key, (url = canvas.toDataURL()));
  }
  return url;
}

// Returns a small square of the colour that a class has on the page.
export function chip(app: App, type: Type, cls: number): HTMLElement {
  const c = app.trace.colour(type, cls, app.colours, app.theme);
  const image = c && app.colours === 'patterns' ? ` url(${pattern(cls, c)})` : '';
  return el('span', { class: 'chip', style: { background: c ? `rgb(${c.join()})${image}` : 'transparent' } });
}

export class Legend {
  root = el('div', { class: 'legend', role: 'group', 'aria-label': 'Legend', onwheel: (e: WheelEvent) => {
    this.root.scrollLeft += e.deltaY;
  } });
  private last = '';
  private looked = '';

  constructor(private panel: Timeline) {}

  draw(): void {
    const { panel } = this;
    const { app, type } = panel;
    this.root.hidden = type.info.kind === 'number' || type.labels.length === 0;
    if (this.root.hidden || !app.rest) return;
    const hot = app.hot.of(type);
    // Looks through the tiles only if the picture may be another.
    const { first, last } = panel.tiles();
    const now = [app.store.asked, app.scale.w, first, last, panel.scrolled, panel.viewHeight, panel.look, app.theme, app.colours, hot, type.info.type, type.version].join();
    if (now === this.looked) return;
    this.looked = now;
    const seen = this.seen();
    for (const c of hot) seen.add(c);
    // Values that are too short for these columns are listed, too, so that the
    // user can highlight them.
    const list = type.labels.filter((l) => l.class !== null && l.class !== NONE).sort((a, b) => Number(seen.has(b.class!)) - Number(seen.has(a.class!)) || type.byTime(a.class!, b.class!)).slice(0, MOST);
    const key = [list.map((l) => `${l.class}${seen.has(l.class!)}`), hot, app.colours, app.theme, type.info.type, type.version].join('|');
    if (key === this.last) return;
    this.last = key;
    const active = this.root.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset['class'] : undefined;
    this.root.replaceChildren(...list.map((l) => {
      const cls = l.class!;
      const on = hot.includes(cls);
      return el('button', {
        type: 'button', class: on ? 'hot' : hot.length || !seen.has(cls) ? 'off' : '', 'aria-pressed': String(on), title: `${type.nameOfClass(cls)}: highlight${seen.has(cls) ? '' : ' (too short to be seen here, or absent)'}`, data: { class: String(cls) },
        onclick: (e: MouseEvent) => (e.altKey ? app.hot.set(type, on && hot.length === 1 ? [] : [cls]) : app.hot.toggle(type, cls)),
      }, chip(app, type, cls), cut(type.nameOfClass(cls), 60));
    }));
    if (list.length === 0) this.root.append(el('span', { class: 'dim' }, `only "${type.info.none ?? 'nothing'}"`));
    if (active !== undefined) this.root.querySelector<HTMLElement>(`[data-class="${Number(active)}"]`)?.focus();
    if (hot.length) this.show();
  }

  // Scrolls a highlighted value into view.
  private show(): void {
    const on = this.root.querySelector('.hot')?.getBoundingClientRect();
    const box = this.root.getBoundingClientRect();
    if (on && (on.left < box.left || on.right > box.right)) this.root.scrollLeft += on.left - box.left - 8;
  }

  // Returns the classes in the picture.
  seen(): Set<number> {
    const { panel } = this;
    const out = new Set<number>();
    const { first, last } = panel.tiles();
    for (const index of panel.visible()) {
      const line = panel.lines[index]!;
      for (let i = first; i <= last; i++) {
        const row = panel.row(line, i);
        for (const c of row?.cls ?? []) out.add(c);
      }
    }
    return out;
  }
}
