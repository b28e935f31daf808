// SPDX-License-Identifier: MIT
// types.mjs BUILD-DIRECTORY - checks the page's types with TypeScript: esbuild
// ignores types. What has not changed since the last run is not checked again.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import url from 'node:url';
import { assert, done, test } from './tap.mjs';

const here = path.dirname(url.fileURLToPath(import.meta.url));

test('types_of_the_page_fit', () => {
  const tsc = path.join(here, 'node_modules/typescript/bin/tsc');
  const made = spawnSync(process.execPath, [tsc, '-p', path.join(here, '../../web'), '--incremental', '--tsBuildInfoFile', path.join(process.argv[2], 'types.tsbuildinfo')], { encoding: 'utf8' });
  assert.equal(made.stdout + made.stderr, '');
  assert.equal(made.status, 0);
});

await done();
