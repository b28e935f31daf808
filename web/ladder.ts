// SPDX-License-Identifier: MIT
// ladder.ts - the scales at which the page can rest between zooms.
//
// A column of a tile has an integer width w of time units, from the ladder
// 1, 2, 3, then m * 2^k with m in 4..7. Steps 0, 1, 2... are columns of one
// device pixel; steps -1, -2... keep w = 1 and make a column 2..64 pixels wide.
//
// A position on the screen is an integer, too: pixel p of a scale shows the
// column floor(p / k). So a picture at rest is a cut of tiles, pixel by pixel.

export interface Scale {
  step: number;
  w: number; // time units of a column: exact in a double on the whole ladder
  k: number; // device pixels of a column
}

const WIDE = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64];
export const MIN_STEP = -WIDE.length;
export const MAX_STEP = 4 * 56; // 2^58 units per column: wider than any trace

export function width(step: number): number {
  if (step < 3) return step + 1;
  return (4 + ((step - 3) % 4)) * 2 ** Math.floor((step - 3) / 4);
}

export function scale(step: number): Scale {
  const s = Math.max(MIN_STEP, Math.min(MAX_STEP, step));
  return s >= 0 ? { step: s, w: width(s), k: 1 } : { step: s, w: 1, k: WIDE[-s - 1] ?? 64 };
}

// Returns the finest scale at which `pixels` device pixels show `units` of time.
export function fit(units: bigint, pixels: number): Scale {
  const shows = (s: Scale) => BigInt(Math.floor(pixels / s.k)) * BigInt(s.w) >= units;
  let low = MIN_STEP;
  let high = MAX_STEP;
  while (low < high) {
    const mid = Math.floor((low + high) / 2);
    if (shows(scale(mid))) high = mid;
    else low = mid + 1;
  }
  return scale(low);
}

export function floorDiv(a: bigint, b: bigint): bigint {
  const q = a / b;
  return a % b < 0n ? q - 1n : q;
}

export function timeOf(pixel: bigint, s: Scale): bigint {
  return floorDiv(pixel, BigInt(s.k)) * BigInt(s.w);
}

export function pixelOf(time: bigint, s: Scale): bigint {
  return floorDiv(time * BigInt(s.k), BigInt(s.w));
}

// Returns the left pixel of the window at scale `to` for which the time under
// the pixel `at` of the window stays there.
export function zoomed(left: bigint, at: number, from: Scale, to: Scale): bigint {
  const under = left + BigInt(at);
  return floorDiv(under * BigInt(to.k) * BigInt(from.w), BigInt(from.k) * BigInt(to.w)) - BigInt(at);
}
