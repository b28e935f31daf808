// SPDX-License-Identifier: MIT
// el.ts - makes elements. Texts of a trace only ever become text nodes: no
// function here accepts markup.

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: (Child | Child[])[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value as EventListener);
    else if (name === 'style') Object.assign(e.style, value);
    else if (name === 'data') Object.assign(e.dataset, value);
    else if (name in e && !name.startsWith('aria') && name !== 'list' && name !== 'role') (e as unknown as Props)[name] = value;
    else e.setAttribute(name, value === true ? '' : String(value));
  }
  put(e, ...children);
  return e;
}

export function put(to: Element, ...children: (Child | Child[])[]): void {
  for (const c of children.flat()) if (c !== null && c !== undefined && c !== false) to.append(typeof c === 'number' ? String(c) : c);
}

export function fillWith(to: Element, ...children: (Child | Child[])[]): void {
  to.replaceChildren();
  put(to, ...children);
}

// Replaces characters that would reverse or hide the text around them: control
// characters, and those that change the direction of writing.
export function visible(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

// Returns where to cut a text so that at most n units of it are before the cut,
// and no character of two units is cut in two.
export function whole(text: string, n: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(n - 1)) && /[\udc00-\udfff]/.test(text.charAt(n)) ? n - 1 : n;
}

// Cuts a text that is too long for a line; the Details tab shows it whole.
export function cut(text: string, most = 200): string {
  return text.length > most ? text.slice(0, whole(text, most - 1)) + '\u2026' : text;
}

// Gives a canvas its size in device pixels. To set a size that it already has
// would cost as much as a new canvas. Clears the canvas, and returns what draws.
export function sized(c: HTMLCanvasElement, width: number, height: number, dpr: number): CanvasRenderingContext2D {
  if (c.width !== width) c.width = width;
  if (c.height !== height) c.height = height;
  c.style.width = width / dpr + 'px';
  c.style.height = height / dpr + 'px';
  const ctx = c.getContext('2d')!;
  ctx.clearRect(0, 0, width, height);
  return ctx;
}

export function need<T extends Element>(id: string): T {
  const e = document.getElementById(id);
  if (!e) throw new Error('the page has no ' + id);
  return e as unknown as T;
}
