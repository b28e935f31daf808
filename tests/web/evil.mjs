// SPDX-License-Identifier: MIT
// evil.mjs - a trace whose labels contain what a program may write: markup,
// scripts, characters that turn the direction of text, and very long texts.
import fs from 'node:fs';
import path from 'node:path';

export const EVIL = ['<img src=x onerror=alert(1)>', '</script><script>alert(2)</script>', '\u202eevil\u202c', "a&lt;b' 'c ]]>", 'x'.repeat(10000)];

// Writes the trace and its model into a directory; returns arguments of weft.
export function evil(directory) {
  const model = path.join(directory, 'evil.model');
  const tt = path.join(directory, 'evil.tt');
  fs.writeFileSync(model, `model evil 1.0.0 X "labels"\nneed nothing\nchannel s single 900 "S <b>bold</b>"\n${EVIL.map((l, i) => `XA${'abcde'[i]} set s ${i + 1} "${l}"`).join('\n')}\n`);
  fs.writeFileSync(tt, `thread a\n\n0 a OHx 0 -1 0\n${EVIL.map((_, i) => `${100 * i + 100} a XA${'abcde'[i]}`).join('\n')}\n900 a OHe\n`);
  return ['--model', model, tt];
}
