// SPDX-License-Identifier: MIT
// colour.ts - the palettes, and how different colours look to people.
//
// Distances are those of OKLab (times 100), for normal sight and for protanopia
// and deuteranopia (matrices of Machado, Oliveira and Fernandes, severity 1).
// Contrast is that of WCAG 2.

export type Rgb = [number, number, number]; // 0..255

export const LIGHT = [
  '#0069b4', '#69a50f', '#5a1e00', '#4b0f69', '#964b4b', '#3c96ff', '#1ea5a5', '#0000ff',
  '#0000b4', '#782d4b', '#a52d87', '#3c87c3', '#2d69ff', '#5a8700', '#872d00', '#ff4b87',
];
export const DARK = [
  '#f04b96', '#f0f000', '#ffd2ff', '#870fff', '#a54b00', '#ff870f', '#8796ff', '#b40fa5',
  '#f0a5a5', '#f0e1a5', '#d2692d', '#c3b4f0', '#b42d69', '#3c96b4', '#6978e1', '#f0c34b',
];
export const FADED = 0.8; // part of the paper in values that are not highlighted
export const PAPER = { light: '#ffffff', dark: '#14171a' };

export function rgb(hex: string): Rgb {
  const n = /^#[0-9a-f]{6}$/i.test(hex) ? parseInt(hex.slice(1), 16) : 0x808080;
  return [n >> 16, (n >> 8) & 255, n & 255];
}

// Returns a pixel of ImageData on a little-endian machine: alpha, blue, green,
// red.
export function pixel([r, g, b]: Rgb, alpha = 255): number {
  return ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

export function mix(a: Rgb, b: Rgb, part: number): Rgb {
  const m = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * part);
  return [m(0), m(1), m(2)];
}

function linear(c: number): number {
  const x = c / 255;
  return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
}

export function luminance([r, g, b]: Rgb): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

// Returns black or white, whichever has more contrast on a fill: at least
// 4.58:1.
export function ink(on: Rgb): string {
  return contrast(on, [0, 0, 0]) >= contrast(on, [255, 255, 255]) ? '#000000' : '#ffffff';
}

// Returns the second colour of a pattern on a fill.
export function alt(on: Rgb): Rgb {
  return mix(on, rgb(ink(on)), 0.55);
}

type Matrix = readonly (readonly [number, number, number])[];

export const SIGHT: Record<'normal' | 'protan' | 'deutan', Matrix> = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

function times(m: Matrix, v: readonly number[]): number[] {
  return m.map((r) => r[0] * (v[0] ?? 0) + r[1] * (v[1] ?? 0) + r[2] * (v[2] ?? 0));
}

const LMS: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

export function oklab(c: Rgb, sight: Matrix = SIGHT.normal): number[] {
  const seen = times(sight, c.map(linear)).map((x) => Math.min(1, Math.max(0, x)));
  return times(LAB, times(LMS, seen).map(Math.cbrt));
}

export function distance(a: Rgb, b: Rgb, sight: Matrix = SIGHT.normal): number {
  const [x, y] = [oklab(a, sight), oklab(b, sight)];
  return 100 * Math.hypot(...x.map((v, i) => v - (y[i] ?? 0)));
}

// Returns the smallest distance between two colours of a palette.
export function closest(palette: string[], sight: Matrix): number {
  let best = Infinity;
  for (let i = 0; i < palette.length; i++)
    for (let j = 0; j < i; j++)
      best = Math.min(best, distance(rgb(palette[i]!), rgb(palette[j]!), sight));
  return best;
}
