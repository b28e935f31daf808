// SPDX-License-Identifier: MIT
// main.ts - the page that the server sends.

import { start } from './open';

start(null);
