// SPDX-License-Identifier: MIT
// start.mjs PORT - serves MongoDB's protocol from memory until standard input
// ends.
import { CongoServer } from
  './node_modules/@push.rocks/smartmongo/dist_ts/congodb/index.js';

const server = new CongoServer({
  host: '127.0.0.1', port: Number(process.argv[2]), storage: 'memory',
});
await server.start();
console.log('ready');
process.stdin.on('end', () => process.exit(0)).resume();
