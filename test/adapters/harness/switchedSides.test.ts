// The modules that tests import, which are loaded before a file: one that fails does not cost the file.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSwitchedSides } from '../../../server/src/adapters/harness/distinguishing/switchedSides.ts';
import type { DistinguishingOrder } from '../../../server/src/core/verify/guard/distinguishingCalls.ts';
import { harnessEntry } from '../../helpers/harness.ts';
import { createPart } from '../../helpers/createPart.ts';

const harness = pathToFileURL(harnessEntry);
const FILES: Record<string, string> = {
  'package.json': '{ "type": "module" }',
  'never.js': "import './first.js';\nawait new Promise(() => {});\n",
  'first.js': 'export function first() { return 1; }\n',
  'breaking.js': 'globalThis.isBroken = true;\n',
  'second.js':
    "if (globalThis.isBroken) throw new Error('It is broken.');\nexport function second() { return 2; }\nexport function third() { return 3; }\n",
};

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-entries-'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(dir, name), text);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function subject(path: string, name: string): DistinguishingOrder['subjects'][number] {
  const range = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 };
  const rest = { parameters: [], range, nameRange: range, readsClock: false, examples: [], guided: false };
  return { kind: 'function', path, name, access: name, exportedAs: name, signed: false, ...rest };
}

test('a file is loaded although the module before it does not come to an end, or breaks it', async () => {
  const material = { shapes: {}, constants: { strings: [], numbers: [] } };
  const order: DistinguishingOrder = {
    ...{ telling: true, seed: 1, budgetMs: 60_000, varied: 0, runs: [1, 1], maxCalls: 1, mutants: [] },
    subjects: [subject('first.js', 'first'), subject('second.js', 'second'), subject('second.js', 'third')],
    materials: createPart<DistinguishingOrder['materials']>({
      'first.js': { ...material, entry: 'never.js' },
      'second.js': { ...material, entry: 'breaking.js' },
    }),
    emit: { compiler: {}, paths: {}, baseUrl: null },
    files: [],
  };
  const sides = createSwitchedSides(order, dir, harness);
  const results: unknown[] = [];
  for (const index of [0, 1, 2]) {
    const plain = await sides.callPlain(index, []);
    results.push('switched' in plain ? plain.switched.outcome.first.result : plain);
  }
  sides.end();
  expect(results).toEqual(['returns 1', 'returns 2', 'returns 3']);
});
