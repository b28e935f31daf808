// SPDX-License-Identifier: MIT
// tap.mjs - prints TAP 12; has the part of node:test that these tests need.
import assert from 'node:assert/strict';

const tests = [];

export function test(name, run) {
  tests.push({ name, run });
}

export async function done() {
  console.log(`1..${tests.length}`);
  let bad = 0;
  for (const [i, t] of tests.entries()) {
    const start = Date.now();
    try {
      await t.run();
      console.log(`ok ${i + 1} - ${t.name}`);
      if (process.env.TIMES) console.log(`# ${Date.now() - start} ms`);
    } catch (e) {
      bad++;
      console.log(`not ok ${i + 1} - ${t.name}`);
      console.log(String(e?.stack ?? e).split('\n').map((l) => '# ' + l).join('\n'));
    }
  }
  process.exitCode = bad ? 1 : 0;
}

// Returns a random generator that gives the same numbers in every run.
export function random(seed) {
  let s = seed >>> 0;
  return (n) => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return Math.floor((s / 2 ** 32) * n);
  };
}

export { assert };
