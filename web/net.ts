// SPDX-License-Identifier: MIT
// net.ts - asks the server. docs/dev/view-protocol.md describes the answers.

import { GroupInfo, RowInfo } from './rows';

export type Num = number | string; // an integer; text beyond 2^53

export interface TraceInfo {
  trace: number;
  gen: string;
  name: string;
  state: 'ready' | 'building' | 'live' | 'gone';
  done?: number;
  why?: string; // the trace is gone
}

export interface TypeInfo {
  type: number;
  class: string;
  key: string;
  title: string;
  number: number;
  kind: 'state' | 'number' | 'point' | 'id';
  lanes: number;
  unit: string | null;
  none: string | null;
  labels: number;
  records: Num;
  index_only: boolean; // weft stat does not have it
}

export interface PanelInfo {
  class: string;
  key: string;
  title: string;
  types: number[];
  apart: boolean;
}

export interface Loss {
  row: number;
  from: Num;
  to: Num;
  events: Num;
}

export interface Meta {
  trace: number;
  gen: string;
  name: string;
  path?: string | null; // as given to weft view; not in an anonymous report
  stat: boolean; // the route stat answers
  arguments?: string | null; // options and inputs for weft stat, if there are more
  title: string;
  version: string;
  unit: 'ns' | 'ps';
  end: Num;
  watermark: Num;
  state: TraceInfo['state'];
  records: Num;
  clock_error: Num; // ns
  classes: { class: string; rows: number; groups: number }[];
  types: TypeInfo[];
  panels: PanelInfo[];
  link_kinds: { kind: Num; name: string; meaning: string }[];
  links: Num;
  findings: Num;
  losses: Loss[];
  losses_all?: number;
}

export interface LabelInfo {
  value: Num | null;
  class: number | null;
  text: string | null;
  meaning: string | null;
  dark: string | null; // colours on a dark and a light ground
  light: string | null;
}

export interface Interval {
  row: number;
  from: Num;
  to: Num;
  value: Num | null;
  class: number | null;
  label: string | null;
}

export interface At extends Interval {
  type: number;
  t: Num;
  number: Num;
  all: Num;
  stack: { value: Num | null; label: string | null }[] | null;
}

interface LinkList {
  all: Num;
  links: LinkInfo[];
}

export interface Cause {
  end: 'from' | 'to'; // end of the interval at which the link arrives
  link: LinkInfo;
  kind: string | null;
  row: number | null; // row of the sender
  states: (Interval & { type: number })[]; // states of the sender when it sent
}

// The answers to the parameter `with`, which asks for more than the interval
// itself.
export interface Around extends At {
  links?: { in: LinkList; out: LinkList };
  causes?: Cause[];
  dump?: { from: string[]; to: string[] } | null;
  events?: { tid: number; lines: string[]; more: boolean } | null;
  states?: (Interval & { type: number })[]; // of the row itself
  task?: (Interval & { type: number }) | null;
}

export type Step = ({ found: true } & Interval) | { found: false };

export interface StatLine {
  value: Num | null;
  label: string | null;
  [name: string]: unknown;
}

export interface StatTable {
  row: string | null;
  states?: StatLine[];
  [name: string]: unknown;
}

export interface Stat {
  types: { type: string; title: string; class: string; rows: number; tables: StatTable[] }[];
}

export interface LinkInfo {
  from: Num;
  to: Num;
  from_row: number;
  to_row: number;
  kind: Num;
  id: Num;
  bytes: Num;
}

export interface Finding {
  severity: 'error' | 'warning' | 'note';
  time: Num | null;
  row: number | null;
  text: string;
}

export interface Found {
  rows: { all: number; hits: { row: number; class: string; name: string }[] };
  labels: { all: number; hits: { type: number; value: Num; class: number | null; text: string }[] };
  findings: { all: number; hits: Finding[] };
}

export interface Durations {
  count: Num;
  sum: Num;
  min: Num | null; // null: there is no interval, as in the next ones
  max: Num | null;
  mean: Num | null;
  p50: Num | null;
  p90: Num | null;
  p99: Num | null;
  bins: { from: Num; to: Num; count: Num; sum: Num }[];
}

export interface RowsPage {
  all: number;
  rows: RowInfo[];
  groups: GroupInfo[];
}

export class Refused extends Error {
  // `gen` is the current generation, if the request named another one.
  constructor(readonly status: number, text: string, readonly gen = '') {
    super(text);
  }
}

export type Params = Record<string, string | number | bigint | undefined>;

// Keeps integers beyond 2^53 as text: `stat` sends them as numbers, which would
// be rounded.
export function parseStat(text: string): Stat {
  return JSON.parse(text.replace(/:(-?\d{16,})(?=[,}\]\n])/g, ':"$1"'));
}

export class Net {
  path = '';
  tilesAtOnce = 8; // successive tiles that one request may ask for
  // Called with false when the server does not answer, and with true when it
  // does again.
  onreach: (reached: boolean) => void = () => {};
  onstatus: (e: Refused) => void = () => {};
  hasTrace = true; // false: the server has only the index, and no table of stat
  readonly hasIntervals: boolean = true; // false: a report, which has no single intervals
  private reached = true;
  asked = 0; // requests that the server is answering

  // Returns true if the shares of these groups are exact in fine quanta, in
  // columns of width w.
  isExact(_type: number, _w: number, _groups: string[]): boolean {
    return true;
  }

  private async ask(url: string, signal?: AbortSignal): Promise<Response> {
    for (let wait = 1; ; wait = Math.min(30, wait * 2)) {
      try {
        const answer = await fetch(url, { signal: signal ?? null, credentials: 'same-origin' });
        this.reach(true);
        if (answer.ok && answer.status !== 202) return answer;
        // 202: there is no index yet; 503: too many questions wait.
        if (answer.status === 503 || answer.status === 202) {
          await this.pause(Number(answer.headers.get('Retry-After') ?? 1), signal);
          continue;
        }
        const { error, gen } = said(await answer.text());
        const refused = new Refused(answer.status, error ?? `The server answered with status ${answer.status}.`, gen);
        this.onstatus(refused);
        throw refused;
      } catch (e) {
        if (e instanceof Refused || signal?.aborted) throw e;
        this.reach(false);
        await this.pause(wait, signal);
      }
    }
  }

  private async pause(seconds: number, signal?: AbortSignal): Promise<void> {
    this.asked--;
    await sleep(seconds, signal).finally(() => this.asked++);
  }

  private async get<T>(url: string, signal: AbortSignal | undefined, read: (answer: Response) => Promise<T>): Promise<T> {
    this.asked++;
    try {
      return await read(await this.ask(url, signal));
    } finally {
      this.asked--;
    }
  }

  private reach(is: boolean): void {
    if (is !== this.reached) this.onreach((this.reached = is));
  }

  url(route: string, params: Params): string {
    const q = Object.entries(params).filter(([, v]) => v !== undefined && v !== '').map(([k, v]) => k + '=' + encodeURIComponent(String(v)));
    return this.path + route + (q.length ? '?' + q.join('&') : '');
  }

  async traces(): Promise<{ version: string; traces: TraceInfo[] }> {
    return this.get('/v1/traces', undefined, (a) => a.json());
  }

  use(t: TraceInfo): void {
    this.path = `/v1/${t.trace}/${t.gen}/`;
  }

  async json<T>(route: string, params: Params = {}, signal?: AbortSignal): Promise<T> {
    return this.get(this.url(route, params), signal, (a) => a.json());
  }

  async stat(params: Params, signal?: AbortSignal): Promise<Stat> {
    return this.get(this.url('stat', params), signal, async (a) => parseStat(await a.text()));
  }

  async bytes(route: string, params: Params, signal?: AbortSignal): Promise<Uint8Array> {
    return this.get(this.url(route, params), signal, async (a) => new Uint8Array(await a.arrayBuffer()));
  }

  events(on: (name: string, data: Record<string, unknown>) => void): EventSource {
    const source = new EventSource(this.path + 'events');
    // The browser reconnects by itself, unless the server refused.
    source.onerror = () => source.readyState === EventSource.CONNECTING && this.reach(false);
    source.onopen = () => this.reach(true);
    for (const name of ['progress', 'grown', 'changed', 'gone'])
      source.addEventListener(name, (e) => {
        try {
          on(name, JSON.parse((e as MessageEvent<string>).data));
        } catch {
          // ignore a line that is not JSON
        }
      });
    return source;
  }
}

// Reads the text of a refusal.
function said(text: string): { error?: string; gen?: string } {
  try {
    return (JSON.parse(text) as ReturnType<typeof said> | null) ?? {};
  } catch {
    return {}; // the text is not JSON but a page for people
  }
}

function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}
