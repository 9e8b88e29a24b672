// Reads the list of slow test files.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Test files, slowest first. `node scripts/slowFiles.mjs` writes the list from the reports of the last run. */
export const slowFiles = JSON.parse(
  readFileSync(join(import.meta.dirname, 'slowFiles.json'), 'utf8'),
) as readonly string[];
