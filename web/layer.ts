// SPDX-License-Identifier: MIT
// layer.ts - menus and dialogs, which open over the page. One is open at a time;
// Esc, or a click beside it, closes it and returns the keyboard focus.

import { el, fillWith, need } from './el';

export interface Item {
  text: string;
  run?: () => void;
  checked?: boolean;
  hint?: string;
  rule?: boolean; // a line is drawn above the entry
  off?: boolean;
}

export class Layer {
  private root = need<HTMLElement>('layer');
  private before: HTMLElement | null = null;
  private open: HTMLElement | null = null;

  constructor() {
    document.addEventListener('pointerdown', (e) => {
      if (this.open && !this.open.contains(e.target as Node)) this.close();
    }, true);
  }

  get isOpen(): boolean {
    return this.open !== null;
  }

  close(): boolean {
    if (!this.open) return false;
    this.open = null;
    this.root.replaceChildren();
    this.before?.focus({ preventScroll: true });
    return true;
  }

  private show(e: HTMLElement): void {
    if (!this.open) this.before = document.activeElement as HTMLElement | null;
    this.open = e;
    fillWith(this.root, e);
  }

  menu(x: number, y: number, items: Item[], label = 'Menu'): void {
    const buttons: HTMLElement[] = [];
    const list = el('div', { class: 'menu', role: 'menu', 'aria-label': label });
    for (const i of items) {
      if (i.rule) list.append(el('hr'));
      const b = el('button', {
        type: 'button', role: i.checked === undefined ? 'menuitem' : 'menuitemcheckbox', 'aria-checked': i.checked === undefined ? undefined : String(i.checked),
        disabled: i.off || !i.run, tabIndex: -1,
        onclick: () => {
          this.close();
          i.run?.();
        },
      }, el('span', { class: 'tick', 'aria-hidden': 'true' }, i.checked ? '\u2713' : ''), el('span', { class: 'text' }, i.text), i.hint && el('kbd', {}, i.hint));
      list.append(b);
      if (!i.off && i.run) buttons.push(b);
    }
    list.addEventListener('keydown', (e) => {
      const at = buttons.indexOf(document.activeElement as HTMLElement);
      const to = e.key === 'ArrowDown' ? at + 1 : e.key === 'ArrowUp' ? at - 1 : e.key === 'Home' ? 0 : e.key === 'End' ? buttons.length - 1 : null;
      if (to === null) return;
      e.preventDefault();
      e.stopPropagation();
      buttons[(to + buttons.length) % buttons.length]?.focus();
    });
    this.show(list);
    const box = list.getBoundingClientRect();
    list.style.left = Math.max(4, Math.min(x, innerWidth - box.width - 4)) + 'px';
    list.style.top = Math.max(4, Math.min(y, innerHeight - box.height - 4)) + 'px';
    buttons[0]?.focus();
  }

  dialog(title: string, ...content: (Node | string)[]): HTMLElement {
    const d = el('div', { class: 'dialog', role: 'dialog', 'aria-modal': 'true', 'aria-label': title },
      el('div', { class: 'title' }, el('h2', {}, title), el('button', { class: 'icon', 'aria-label': 'Close', onclick: () => this.close() }, '\u00d7')),
      ...content);
    d.addEventListener('keydown', (e) => {
      if (e.key !== 'Tab') return;
      const all = [...d.querySelectorAll<HTMLElement>('button, input, select, textarea, a, [tabindex="0"]')];
      const edge = e.shiftKey ? all[0] : all[all.length - 1];
      if (document.activeElement !== edge) return;
      e.preventDefault();
      (e.shiftKey ? all[all.length - 1] : all[0])?.focus();
    });
    this.show(d);
    (d.querySelector<HTMLElement>('input') ?? d.querySelector<HTMLElement>('button'))?.focus();
    return d;
  }
}
