// SPDX-License-Identifier: MIT
// speedscope.mjs FILE... - checks files against the schema of speedscope.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";

const here = path.dirname(fileURLToPath(import.meta.url));
const schema = JSON.parse(fs.readFileSync(path.join(here,
	"node_modules/speedscope/dist/release/file-format-schema.json")));
// The schema has members that JSON Schema does not know.
const check = new Ajv({ strict: false, validateSchema: false }).compile(schema);

let failed = false;
for (const file of process.argv.slice(2)) {
	if (check(JSON.parse(fs.readFileSync(file))))
		continue;
	failed = true;
	console.log(file, JSON.stringify(check.errors.slice(0, 3)));
}
process.exit(failed ? 1 : 0);
