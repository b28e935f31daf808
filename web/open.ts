// SPDX-License-Identifier: MIT
// open.ts - opens the trace that the address names.

import { listenKeys } from './actions';
import { App } from './app';
import { el, fillWith, need } from './el';
import { Meta, Net, Refused, TraceInfo } from './net';
import { Trace } from './trace';
import { read } from './view';

declare global {
  interface Window {
    weft?: App; // for tests, and for the console of the browser
  }
}

// The data in the file of a report, and the note about it on the page.
export interface Held {
  net: Net;
  describe: (app: App) => void;
}

function theme(app: App): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  app.setTheme(dark.matches ? 'dark' : 'light');
  dark.addEventListener('change', () => app.setTheme(dark.matches ? 'dark' : 'light'));
}

// Shows three lines of text instead of the page.
function stop(title: string, ...lines: string[]): void {
  fillWith(need('app'), el('div', { class: 'stop' }, el('h1', {}, title), lines.map((l) => el('p', {}, l))));
}

function refused(e: unknown): void {
  if (e instanceof Refused && (e.status === 401 || e.status === 421))
    stop('Access refused', 'This page needs the secret address of a running weft view.', 'Open the address that weft view printed in the terminal.');
  else stop('The trace cannot be shown', e instanceof Error ? e.message : String(e));
}

function listenServer(app: App, net: Net): void {
  const silent = 'The server does not answer. The page keeps what it has loaded, and tries again.';
  net.onreach = (reached) => {
    if (!reached) app.bar.say(silent);
    else if (app.bar.said === silent) app.bar.hush();
  };
  net.onstatus = ({ status, gen, message }) => {
    if (status === 409 && gen) void app.growth.renew(gen).catch(() => {});
    else if (status === 409) app.bar.say('The index of the trace was built again.', el('button', { onclick: () => location.reload() }, 'Reload'));
    if (status === 410) gone(app, message);
  };
  if (typeof EventSource === 'undefined') return;
  const events = net.events((name, data) => {
    // Ignores events of other traces of the same server.
    if (data['trace'] !== undefined && Number(data['trace']) !== app.trace.meta.trace) return;
    if (name === 'progress') app.growth.progress(data as Partial<Meta>);
    else if (name === 'grown') {
      if (app.bar.said === CHANGED || app.bar.said === READS || app.bar.said.startsWith(REFUSED)) app.bar.hush();
      void app.growth.renew(String(data['gen']), data as Partial<Meta>).catch(() => {});
    }
    else if (name === 'changed') changed(app, data['why']);
    else if (name === 'gone') gone(app, String(data['why'] ?? 'weft view has ended'));
  });
  window.addEventListener('pagehide', () => events.close());
}

const CHANGED = 'The trace changed on disk. The page shows it as it was.';
const REFUSED = 'The trace could not be read again';
const READS = 'The trace is being read again. Until then the page shows it as it was.';

// Offers to read the trace again: the answer comes as a newer generation, or it
// says why that was not possible.
function changed(app: App, why?: unknown): void {
  app.bar.say(why === undefined ? CHANGED : `${REFUSED}: ${String(why).replace(/\.$/, '')}. The page shows it as it was.`, el('button', { onclick: () => {
    app.bar.say(READS);
    app.net.json('reload').catch((e) => app.bar.say(String(e.message)));
  } }, 'Reload'));
}

function gone(app: App, why: string): void {
  app.bar.say(`The trace is gone: ${why.replace(/\.$/, '')}. The page keeps what it has loaded; start weft view again to see more.`);
}

// Waits until the server has an index of the trace, or of its beginning.
async function chosen(net: Net, number: string, live: boolean): Promise<{ traces: TraceInfo[]; info: TraceInfo | undefined }> {
  for (;;) {
    const { traces } = await net.traces();
    const info = traces.find((t) => String(t.trace) === number) ?? traces[0];
    if (!live || info?.state !== 'building' || !/^0+$/.test(info.gen)) return { traces, info };
    stop(info.name, `The trace is being read: ${Math.floor((info.done ?? 0) / 10)} %. Its beginning appears here as soon as it is there.`);
    await new Promise((r) => setTimeout(r, 300));
  }
}

async function open(file: Held | null): Promise<void> {
  const { state, trouble } = read(location.hash);
  let note = trouble;
  const net = file?.net ?? new Net();
  const page = [...need('app').childNodes];
  const { traces, info } = await chosen(net, state.trace, !file);
  if (!info) return stop('No trace', 'The server has no trace to show.');
  if (info.state === 'gone') return stop(info.name, `The trace is gone: ${info.why ?? 'its index cannot be read'}.`, 'Start weft view again.');
  need('app').replaceChildren(...page);
  net.use(info);
  const trace = await Trace.open(net);
  if (trace.types.length === 0)
    return stop(trace.meta.name, trace.end === 0n && Number(trace.meta.records) > 0 ? 'All of this trace is at one time: there is nothing to draw.' : 'This trace has no rows and no types: nothing was recorded.', 'weft check says what is wrong with it.');
  const app = new App(net, trace, state);
  app.others = traces;
  if (state.trace && state.trace !== String(info.trace)) note ||= `The address names trace ${state.trace.slice(0, 20)}, which is not here: this is ${info.name}.`;
  window.weft = app;
  theme(app);
  listenKeys(app);
  if (file) file.describe(app);
  else listenServer(app, net);
  await app.start();
  app.bar.draw();
  app.dock.changed('all');
  if (!trace.meta.classes.some((c) => c.class === 'thread' && c.rows > 0) && trace.types.some((t) => t.info.class === 'thread'))
    note ||= 'No thread has states in this trace. Findings says what was found; weft convert --sampled makes a timeline of the samples of perf.';
  if (note) app.bar.say(note);
  app.opened = true;
  if (!file) loadLater();
}

// Loads later.js when the browser has nothing else to do: once the server has
// ended, it cannot be loaded any more.
function loadLater(): void {
  const load = (): void => void import('./later.js').catch(() => {});
  if (typeof requestIdleCallback === 'undefined') setTimeout(load, 1000);
  else requestIdleCallback(load);
}

// Opens a trace of the server, or of the file in which the page is a report.
export function start(file: Promise<Held> | null): void {
  // Status 409: the trace got a newer generation while the page opened.
  Promise.resolve(file).then(open).catch((e) => (e instanceof Refused && e.status === 409 ? location.reload() : refused(e)));
}
