// Calls come before runs of the tests: those of the tests and others.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../server/src/core/propose/extraction/project.ts';
import { planSearch } from '../../server/src/core/verify/counterexamples/planSearch.ts';
import { planMutants } from '../../server/src/core/verify/guard/planMutants.ts';
import type { DistinguishingReport } from '../../server/src/core/verify/guard/distinguishingCalls.ts';
import { runHarness } from '../helpers/harness.ts';

const CODE = `export function clamp(value: number, most: number): number {
  if (value === 7) return 70;
  return value > most ? most : value;
}
`;

test('the mutants that calls of the tests show are named apart from those that only other calls show', () => {
  const root = mkdtempSync(join(tmpdir(), 'selfware-telling-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'code.ts'), CODE);
  writeFileSync(join(root, 'code.test.ts'), "import { clamp } from './code';\nclamp(12, 10);\n");
  const tests = { 'code.ts': ['code.test.ts'] };
  const search = planSearch(['code.ts'], tests, createSourceTree(root), openProject);
  const plan = planMutants([{ path: 'code.ts', before: '', after: CODE }], 200, () => false);
  const { subjects, materials, emit } = search;
  const order = {
    ...{ telling: true, seed: 7, budgetMs: 240_000, varied: 200, runs: [80, 80], maxCalls: 5, exceptExamples: true },
    ...{ subjects, materials, emit, files: plan.schemata.files, mutants: [...plan.mutants.keys()] },
  };
  const report = runHarness<DistinguishingReport>(root, order);
  const shown = (numbers: readonly number[]) => numbers.map((number) => plan.mutants[number]!.shown);
  expect(shown(report.detectedByTests)).toContain('value > most → false');
  expect(shown(report.detected)).toContain('70 → 71');
  expect(report.detected.filter((one) => report.detectedByTests.includes(one))).toEqual([]);
  // Later, only the functions that show a mutant are called for it.
  expect(report.toldBy?.map(({ of }) => of)).toEqual([0]);
  expect(report.toldBy?.[0]?.mutants.toSorted()).toEqual([...report.detected, ...report.detectedByTests].toSorted());
});
