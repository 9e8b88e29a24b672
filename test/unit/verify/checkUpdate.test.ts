// What shows that an update works: checks that ran with the new version, where it is installed.

import { expect, test } from 'vitest';
import { checkUpdate } from '../../../server/src/core/verify/claims/update.ts';
import type { GateInput } from '../../../server/src/core/verify/gate.ts';

const lock = (version: string) =>
  JSON.stringify({
    packages: {
      '': { optionalDependencies: { 'only-there': `^${version}` } },
      'node_modules/only-there': { version, optional: true },
    },
  });
const manifest = (range: string) => JSON.stringify({ optionalDependencies: { 'only-there': range } });

const runWith = (installed: string | null) =>
  ({
    edits: [
      { path: 'package.json', before: manifest('^1.0.0'), after: manifest('^2.0.0') },
      { path: 'package-lock.json', before: lock('1.0.0'), after: lock('2.0.0') },
    ],
    verdicts: [{ gate: 'tests', outcome: 'passed' }],
    worktree: {
      read: async () => (installed === null ? null : new TextEncoder().encode(JSON.stringify({ version: installed }))),
    },
    proposal: { title: 'update only-there from 1.0.0 to 2.0.0' },
  }) as unknown as GateInput;

test.each([
  ['2.0.0', 'passed', 'with it installed tests passed'],
  ['1.0.0', 'failed', 'is installed at 1.0.0'],
  [null, 'unknown', 'Not installed on this system, so no check has used it: only-there'],
])('installed at %s: %s', async (installed, outcome, reason) => {
  expect(await checkUpdate(runWith(installed))).toMatchObject({ outcome, reason: expect.stringContaining(reason) });
});
