// SPDX-License-Identifier: MIT
// time.ts - times as people write them. All times are integers of the trace's
// unit (ns or ps) in a bigint, because a trace in picoseconds exceeds 2^53
// after hours.

export type Unit = 'ns' | 'ps';

interface Named {
  name: string;
  ps: bigint;
}

const NAMES: Named[] = [
  { name: 'ps', ps: 1n },
  { name: 'ns', ps: 1000n },
  { name: 'us', ps: 1000000n },
  { name: 'ms', ps: 1000000000n },
  { name: 's', ps: 1000000000000n },
];

const minutes: Record<string, bigint> = { min: 60n, h: 3600n };

function unitsOf(unit: Unit): Named[] {
  return unit === 'ps' ? NAMES : NAMES.slice(1);
}

function base(unit: Unit): bigint {
  return unit === 'ps' ? 1n : 1000n;
}

export function toTime(v: number | string | bigint): bigint {
  return BigInt(v);
}

function abs(t: bigint): bigint {
  return t < 0n ? -t : t;
}

// Writes t in units of `name` with as many digits as it has, at most `digits`
// after the point.
function decimal(t: bigint, per: bigint, digits: number): string {
  let cut = 10n ** BigInt(digits);
  const scaled = (abs(t) * cut * 2n + per) / (per * 2n);
  const whole = scaled / cut;
  let rest = (scaled % cut).toString().padStart(digits, '0').replace(/0+$/, '');
  if (digits === 0) rest = '';
  return (t < 0n ? '-' : '') + whole + (rest ? '.' + rest : '');
}

// Returns the largest unit that leaves at least one digit before the point.
function unitFor(t: bigint, unit: Unit): Named {
  let best = unitsOf(unit)[0]!;
  for (const u of unitsOf(unit)) if (abs(t) * base(unit) >= u.ps) best = u;
  return best;
}

// Writes "1.203 ms": at most three digits after the point.
export function span(t: bigint, unit: Unit): string {
  const u = unitFor(t, unit);
  return decimal(t, u.ps / base(unit) || 1n, u.ps === base(unit) ? 0 : 3) + '\u00a0' + u.name;
}

// Writes "1 203 457 ns": every digit.
export function exact(t: bigint, unit: Unit): string {
  return grouped(t) + '\u00a0' + unit;
}

export function grouped(t: bigint | number): string {
  return t.toString().replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

// Writes "1 row" and "3 rows".
export function counted(n: number, what: string): string {
  return `${grouped(n)} ${what}${n === 1 ? '' : 's'}`;
}

export interface Axis {
  unit: string;
  relative: bigint | null; // the time from which labels count
  ticks: { time: bigint; label: string }[];
  step: bigint;
}

// Returns ticks at 1, 2, 5 * 10^k units of time, at least `apart` pixels apart.
export function ticks(from: bigint, to: bigint, pixels: number, unit: Unit, apart = 60): Axis {
  const length = to - from;
  const least = (length * BigInt(Math.ceil(apart))) / BigInt(Math.max(1, pixels)) + 1n;
  let step = 1n;
  for (const m of steps()) {
    step = m;
    if (m >= least) break;
  }
  const largest = abs(to) > abs(from) ? to : from;
  // The largest unit with at most four digits before the point; beyond nine
  // digits for a label, labels count from the start of the window.
  const whole = axisUnit(largest, unit);
  const digits = fraction(step, whole.ps / base(unit) || 1n);
  const relative = decimal(largest, whole.ps / base(unit) || 1n, digits).replace(/[-.]/g, '').length > 9;
  const zero = relative ? from : 0n;
  const u = relative ? axisUnit(length, unit) : whole;
  const per = u.ps / base(unit) || 1n;
  const n = fraction(step, per);
  const out: Axis = { unit: u.name, relative: relative ? from : null, ticks: [], step };
  const start = relative ? from : ((from + step - 1n) / step) * step;
  for (let t = start < from ? from : start; t <= to && out.ticks.length < 1000; t += step)
    out.ticks.push({ time: t, label: (relative ? '+' : '') + fixed(t - zero, per, n) });
  return out;
}

function* steps(): Generator<bigint> {
  for (let ten = 1n; ten < 10n ** 20n; ten *= 10n) for (const m of [1n, 2n, 5n]) yield m * ten;
}

function axisUnit(t: bigint, unit: Unit): Named {
  const all = unitsOf(unit);
  for (const u of all) if (abs(t) * base(unit) < 10000n * u.ps) return u;
  return all[all.length - 1]!;
}

// Returns how many digits after the point multiples of `step` need so that they
// differ.
function fraction(step: bigint, per: bigint): number {
  let n = 0;
  for (let p = per; step % p !== 0n && n < 18; n++) {
    if (p % 10n !== 0n) break;
    p /= 10n;
  }
  return n;
}

function fixed(t: bigint, per: bigint, digits: number): string {
  const text = decimal(t, per, digits);
  if (digits === 0) return text;
  const [a, b = ''] = text.split('.');
  return a + '.' + b.padEnd(digits, '0');
}

export interface Where {
  end: bigint; // end of the trace
  here: bigint; // the time from which "+3us" counts
  unit: Unit;
}

// Reads "1.25ms", "1250000", "50%", "+3us", "-3us", "1:02.5". Returns null for
// any other text.
export function parse(text: string, at: Where): bigint | null {
  const t = text.trim().replace(/[\s_\u202f\u00a0]+/g, '').replace('\u00b5', 'u').toLowerCase();
  const m = /^([+-]?)(?:(\d+):)?(\d+)(?:\.(\d*))?(ps|ns|us|ms|s|min|h|%)?$/.exec(t);
  if (!m) return null;
  const [, sign, min, whole = '0', rest = '', unit] = m;
  const ten = 10n ** BigInt(rest.length);
  const value = BigInt(whole + rest);
  if (unit === '%') return sign || min ? null : (at.end * value) / (ten * 100n);
  const name = min ? 's' : (unit ?? at.unit);
  const ps = minutes[name] !== undefined ? minutes[name] * 1000000000000n : NAMES.find((u) => u.name === name)?.ps;
  if (ps === undefined) return null;
  let time = (value * ps) / (ten * base(at.unit));
  if (min) time += (BigInt(min) * 60n * 1000000000000n) / base(at.unit);
  if (sign) return sign === '+' ? at.here + time : at.here - time;
  return time;
}
