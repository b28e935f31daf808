// SPDX-License-Identifier: MIT
// held.ts - the page of a report: its data lies in the same file.

import { start } from './open';
import { describe, openReport } from './report';

start(openReport().then((net) => ({ net, describe: (app) => describe(app, net) })));
