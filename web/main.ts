// SPDX-License-Identifier: MIT
// main.ts - opens the trace that the address names.

import { listenKeys } from './actions';
import { App } from './app';
import { el, fillWith, need } from './el';
import { Meta, Net, Refused, TraceInfo } from './net';
import { describe, openReport } from './report';
import { Trace } from './trace';
import { read } from './view';

declare global {
  interface Window {
    weft?: App; // for tests, and for the curious
  }
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
  net.onreach = (reached) => {
    if (reached) app.bar.hush();
    else app.bar.say('The server does not answer. The page keeps what it has loaded, and tries again.');
  };
  net.onstatus = ({ status, gen, message }) => {
    if (status === 409 && gen) void app.growth.renew(gen).catch(() => {});
    else if (status === 409) changed(app, 'The index of the trace was built again.');
    if (status === 410) gone(app, message);
  };
  if (typeof EventSource === 'undefined') return;
  const events = net.events((name, data) => {
    // Events come of all traces of the server.
    if (data['trace'] !== undefined && Number(data['trace']) !== app.trace.meta.trace) return;
    if (name === 'progress') app.growth.progress(data as Partial<Meta>);
    else if (name === 'grown') void app.growth.renew(String(data['gen']), data as Partial<Meta>).catch(() => {});
    else if (name === 'changed') changed(app, 'The trace changed on disk.');
    else if (name === 'gone') gone(app, typeof data['why'] === 'string' ? data['why'] : 'weft view has ended');
  });
  window.addEventListener('pagehide', () => events.close());
}

function changed(app: App, text: string): void {
  app.bar.say(text, el('button', { type: 'button', onclick: () => location.reload() }, 'Reload'));
}

function gone(app: App, why: string): void {
  app.bar.say(`The trace is gone: ${why.replace(/\.$/, '')}. The page keeps what it has loaded; start weft view again to see more.`);
}

// Waits while nothing of the trace's index is there to be asked for.
async function chosen(net: Net, number: string, live: boolean): Promise<{ traces: TraceInfo[]; info: TraceInfo | undefined }> {
  for (;;) {
    const { traces } = await net.traces();
    const info = traces.find((t) => String(t.trace) === number) ?? traces[0];
    if (!live || info?.state !== 'building' || !/^0+$/.test(info.gen)) return { traces, info };
    stop(info.name, `The trace is being read: ${Math.floor((info.done ?? 0) / 10)} %. Its beginning appears here as soon as it is there.`);
    await new Promise((r) => setTimeout(r, 300));
  }
}

async function main(): Promise<void> {
  const { state, trouble } = read(location.hash);
  const report = await openReport();
  const net = report ?? new Net();
  const page = [...need('app').childNodes];
  const { traces, info } = await chosen(net, state.trace, !report);
  if (!info) return stop('No trace', 'The server has no trace to show.');
  if (info.state === 'gone') return stop(info.name, `The trace is gone: ${info.why ?? 'its index cannot be read'}.`, 'Start weft view again.');
  need('app').replaceChildren(...page);
  net.use(info);
  const trace = await Trace.open(net);
  if (trace.types.length === 0) return stop(trace.meta.name, 'This trace has no rows and no types: nothing was recorded.', 'weft check says what is wrong with it.');
  const app = new App(net, trace, state);
  app.others = traces;
  window.weft = app;
  theme(app);
  listenKeys(app);
  if (report) describe(app, report);
  else listenServer(app, net);
  await app.start();
  app.bar.draw();
  app.dock.changed('all');
  if (trouble) app.bar.say(trouble);
}

// 409: while the page opened, the trace got a newer generation.
main().catch((e) => (e instanceof Refused && e.status === 409 ? location.reload() : refused(e)));
