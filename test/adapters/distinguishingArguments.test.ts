// Calls with functions of the tests, results that hold what was passed, and mistakes that only an input close to their
// own words shows.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../server/src/core/propose/extraction/project.ts';
import { collectNearbyValues } from '../../server/src/core/session/analyse/unguarded/nearby.ts';
import { planSearch } from '../../server/src/core/verify/counterexamples/planSearch.ts';
import { planMutants } from '../../server/src/core/verify/guard/planMutants.ts';
import type { DistinguishingReport } from '../../server/src/core/verify/guard/distinguishingCalls.ts';
import { runHarness } from '../helpers/harness.ts';

const CODE = `export interface Item { readonly name: string; readonly count: number }
export function counted(items: readonly Item[], by: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + by(item), 0);
}
export function largest(items: readonly Item[]): Item | null {
  return items.reduce<Item | null>((best, item) => (best === null || item.count > best.count ? item : best), null);
}
export function unquoted(text: string): string {
  const begin = text.indexOf('<~');
  if (begin < 0) return text;
  const end = text.indexOf('~>', begin + 2);
  return end < 0 ? text.slice(begin) : text.slice(begin + 2, end);
}
`;
const TESTS = `import { counted, largest, unquoted } from './code';
counted([{ name: 'a', count: 2 }], (item) => item.count);
largest([{ name: 'a', count: 2 }, { name: 'b', count: 1 }]);
unquoted('plain words');
`;

test('calls pass functions of the tests, return what was passed, and come close to a mistake', () => {
  const root = mkdtempSync(join(tmpdir(), 'selfware-arguments-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'code.ts'), CODE);
  writeFileSync(join(root, 'code.test.ts'), TESTS);
  const search = planSearch(['code.ts'], { 'code.ts': ['code.test.ts'] }, createSourceTree(root), openProject);
  const plan = planMutants([{ path: 'code.ts', before: '', after: CODE }], 200, () => false);
  const { subjects, materials, emit } = search;
  const order = {
    ...{ telling: true, seed: 7, budgetMs: 240_000, varied: 400, runs: [80, 80], maxCalls: 5 },
    ...{ subjects, materials, emit, files: plan.schemata.files, mutants: [...plan.mutants.keys()] },
    nearbyCode: { ...collectNearbyValues(plan.mutants, [{ path: 'code.ts', text: CODE }]) },
  };
  const report = runHarness<DistinguishingReport>(root, order);
  const callsOf = (name: string) => report.callsByFunction.find(({ of }) => subjects[of]!.name === name)?.calls ?? [];
  expect(callsOf('counted').map(({ call }) => call)).toContainEqual(expect.stringMatching(/item => item\.count\)$/));
  const items = callsOf('largest').map(({ result }) => ('value' in result ? result.value : ''));
  expect(items).toContainEqual(expect.stringMatching(/^\{ name: "\w+", count: \d+ \}$/));
  const told = report.detected.map((number) => plan.mutants[number]!).filter((mutant) => mutant.line === 12);
  expect(told.map(({ shown }) => shown)).toContain('end < 0 → true');
});

test('bounds keep the order that calls in the tests and in the code have', () => {
  const root = mkdtempSync(join(tmpdir(), 'selfware-bounds-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const code = `export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
export function share(part: number, all: number): number {
  return part / all;
}
`;
  const callers = [1, 2, 3, 4].map((part) => `export const of${part} = share(${part}, ${part * 10});\n`).join('');
  writeFileSync(join(root, 'code.ts'), code);
  writeFileSync(join(root, 'other.ts'), `import { share } from './code';\n${callers}`);
  writeFileSync(join(root, 'code.test.ts'), "import { clamp } from './code';\nclamp(5, 1, 10);\n");
  const tests = { 'code.ts': ['code.test.ts'], 'other.ts': ['code.test.ts'] };
  const { subjects } = planSearch(['code.ts', 'other.ts'], tests, createSourceTree(root), openProject);
  expect(subjects.map(({ name, relations }) => [name, relations])).toEqual([
    ['clamp', [{ kind: 'atMost', left: '1', right: '2' }]],
    ['share', [{ kind: 'below', left: '0', right: '1' }]],
  ]);
});
