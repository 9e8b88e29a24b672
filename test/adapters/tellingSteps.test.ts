// Calls of several steps on one object that tell mutants from the code, in real processes.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSourceTree } from '../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../server/src/core/propose/extraction/project.ts';
import { planSearch } from '../../server/src/core/verify/counterexamples/planSearch.ts';
import { REPORT_MARK } from '../../server/src/core/verify/differential/plan.ts';
import { planMutants } from '../../server/src/core/verify/guard/planMutants.ts';
import type { TellingOrder, TellingReport } from '../../server/src/core/verify/guard/telling.ts';

const harness = join(import.meta.dirname, '..', '..', 'server', 'src', 'adapters', 'harness', 'main.ts');
const FILES = {
  'src/index.ts': "export { createStore } from './make.ts';\nexport { put, take } from './use.ts';\n",
  'src/make.ts': `
export interface Store { items: Record<string, { count: number }>; closed: boolean }
export function createStore(): Store { return { items: {}, closed: false }; }
`,
  'src/use.ts': `
import type { Store } from './make.ts';
export function put(store: Store, name: string, item: { count: number }): number {
  if (name === '') throw new RangeError('A name is missing.');
  store.items[name] ??= item;
  return Object.keys(store.items).length;
}
export function take(store: Store, name: string): { count: number } | null {
  const found = store.items[name];
  if (found === undefined) return null;
  delete store.items[name];
  return found;
}
`,
  'test/store.test.ts': `
import { createStore, put, take } from '../src/index.ts';
const store = createStore();
put(store, 'pens', { count: 3 });
put(store, 'pads', { count: 5 });
put(store, 'ink', { count: 1 });
take(store, 'pens');
const failing = createStore();
put(failing, '', { count: 0 });
take(failing, 'pads');
`,
};

let root = '';
let told: readonly { readonly shown: string; readonly call: string }[] = [];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'selfware-steps-'));
  for (const folder of ['src', 'test']) mkdirSync(join(root, folder));
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(root, path), text);
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(root, 'tsconfig.json'),
    '{ "compilerOptions": { "strict": true, "target": "esnext", "module": "esnext", "moduleResolution": "bundler", "allowImportingTsExtensions": true } }',
  );
  const path = 'src/use.ts';
  const plan = planSearch([path], { [path]: ['test/store.test.ts'] }, createSourceTree(root), openProject);
  const { mutants, schemata } = planMutants([{ path, before: '', after: FILES[path] }], 60, () => false);
  const all = [...mutants.keys()].filter((at) => schemata.switched[at]);
  const subjects = plan.subjects.filter(({ used }) => used).map((one) => ({ ...one, mutants: all }));
  const order: TellingOrder = {
    ...{ telling: true, seed: 1, budgetMs: 60_000, runs: [20, 20], varied: 120, most: 5 },
    ...{ subjects, materials: plan.materials, emit: plan.emit, files: schemata.files, mutants: all },
  };
  writeFileSync(join(root, 'order.json'), JSON.stringify(order));
  const output = execFileSync(process.execPath, [harness, join(root, 'order.json')], { cwd: root, encoding: 'utf8' });
  const line = output.split('\n').find((one) => one.startsWith(REPORT_MARK))!;
  const { found, obstacle } = JSON.parse(line.slice(REPORT_MARK.length)) as TellingReport;
  expect(obstacle).toBeNull();
  told = found.flatMap(({ calls }) =>
    calls.flatMap(({ call, tells, steps }) => {
      expect(steps?.length).toBeGreaterThan(1);
      return tells.map(({ mutant }) => ({ shown: mutants[mutant]!.shown, call }));
    }),
  );
}, 120_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a result that depends on earlier steps tells a mutant, with no step that it does not need', () => {
  const calls = told.filter(({ shown }) => /delete|found === undefined|\?\?=/.test(shown)).map(({ call }) => call);
  expect(calls.length).toBeGreaterThan(0);
  for (const call of calls) expect(call).toMatch(/^const store = createStore\(\); .*(?:put|take)\(store, "/);
  // `ink` and `pads` are in the same test, and play no part.
  expect(calls.some((call) => call.split('; ').length <= 3)).toBe(true);
});

test('no step before the last one throws', () => {
  for (const { call } of told) expect(call.split('; ').slice(0, -1).join('; ')).not.toContain('put(store, "",');
});
