// SPDX-License-Identifier: MIT
// alt.ts - describes in words what a panel shows, for people who cannot see the
// picture.

import { toTime, span } from './time';
import type { Timeline } from './timeline';
import { MODE_NAMES } from './view';

export function inWords(panel: Timeline): string {
  const { app } = panel;
  const { unit } = app.trace;
  const time = (from: bigint, to: bigint) => `${span(to - from, unit)} from ${span(from, unit)}`;
  const s = app.state.select;
  const f = app.focus?.panel === panel ? app.focus : null;
  return `${panel.type.info.title}, ${MODE_NAMES[panel.mode]}: ${panel.lines.length} lines, ${time(app.from, app.to)}. ` +
    (s ? `Selected: ${time(s.from, s.to)}${s.rows.length ? `, ${s.rows.length} lines` : ''}. ` : 'Nothing is selected. ') +
    (f ? `Focused: ${f.line.name}${f.at ? `, ${app.labelOf(panel.type, f.at)}, ${time(toTime(f.at.from), toTime(f.at.to))}` : ''}.` : '');
}
