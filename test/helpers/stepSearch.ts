// Searches calls of several steps that distinguish mutants from the code of a small repository, in real processes.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { createSourceTree } from '../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../server/src/core/propose/extraction/project.ts';
import { planSearch } from '../../server/src/core/verify/counterexamples/planSearch.ts';
import { planMutants } from '../../server/src/core/verify/guard/planMutants.ts';
import type {
  DistinguishingOrder,
  DistinguishingReport,
} from '../../server/src/core/verify/guard/distinguishingCalls.ts';
import { runHarness } from './harness.ts';

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

/**
 * Runs the search on the file `path`. `found`: each distinguished mutant with the call that shows it. `skipped`: the
 * reasons why functions were left out. Fails the test if the harness reports an obstacle or finds a call of one step.
 */
export function searchSteps(files: Readonly<Record<string, string>>, path: string, testFile: string) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-steps-'));
  roots.push(root);
  for (const folder of ['src', 'test']) mkdirSync(join(root, folder));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text);
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(root, 'tsconfig.json'),
    '{ "compilerOptions": { "strict": true, "target": "esnext", "module": "esnext", ' +
      '"moduleResolution": "bundler", "allowImportingTsExtensions": true } }',
  );
  const plan = planSearch([path], { [path]: [testFile] }, createSourceTree(root), openProject);
  const { mutants, schemata } = planMutants([{ path, before: '', after: files[path]! }], 60, () => false);
  const switchedMutants = [...mutants.keys()].filter((index) => schemata.switched[index]);
  const subjects = plan.subjects
    .filter(({ used }) => used)
    .map((subject) => ({ ...subject, mutants: switchedMutants }));
  const order: DistinguishingOrder = {
    ...{ telling: true, seed: 1, budgetMs: 60_000, runs: [20, 20], varied: 120, maxCalls: 5 },
    ...{ subjects, materials: plan.materials, emit: plan.emit, files: schemata.files, mutants: switchedMutants },
  };
  const { callsByFunction, obstacle, skipped } = runHarness<DistinguishingReport>(root, order);
  expect(obstacle).toBeNull();
  const calls = callsByFunction.flatMap((functionCalls) => functionCalls.calls);
  return {
    calls,
    found: calls.flatMap(({ call, tells, steps }) => {
      expect(steps?.length).toBeGreaterThan(1);
      return tells.map(({ mutant }) => ({ shown: mutants[mutant]!.shown, call }));
    }),
    skipped,
  };
}
