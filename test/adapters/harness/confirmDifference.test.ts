// A difference is confirmed in fresh processes, and no more of them start than are asked.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import {
  confirmCounterexample,
  type ConfirmationSession,
} from '../../../server/src/adapters/harness/confirmDifference.ts';
import { startSide, type SideProcess } from '../../../server/src/adapters/harness/sideProcesses.ts';
import type { ComparedTarget } from '../../../server/src/core/verify/differential/plan.ts';
import { harnessEntry } from '../../helpers/harness.ts';

const emptyCall = { arguments: [], steps: [] };

interface Confirmed {
  readonly report: Awaited<ReturnType<typeof confirmCounterexample>>;
  readonly sides: Readonly<Record<'old' | 'fresh', readonly SideProcess[]>>;
}

/** Confirms that a call of the target differs between the two codes. */
async function confirm(target: ComparedTarget, old: string, fresh: string): Promise<Confirmed> {
  const rootDir = await mkdtemp(join(tmpdir(), 'selfware-confirm-'));
  const { path } = target;
  const sides: Record<'old' | 'fresh', SideProcess[]> = { old: [], fresh: [] };
  const start = async (name: 'old' | 'fresh'): Promise<SideProcess> => {
    const side = await startSide(pathToFileURL(harnessEntry), {
      rootDir,
      codes: { [path]: { code: name === 'old' ? old : fresh, format: 'module' } },
      ...{ watched: [], targets: [target], emit: { compiler: {}, paths: {}, baseUrl: null }, onlyPath: path },
    });
    if ('obstacle' in side) throw new Error(side.obstacle);
    sides[name].push(side);
    return side;
  };
  const session: ConfirmationSession = {
    ends: { search: Infinity, endOfAll: performance.now() + 240_000 },
    openPair: async () => ({ oldSide: await start('old'), newSide: await start('fresh') }),
    openOldSide: () => start('old'),
  };
  try {
    await writeFile(join(rootDir, path), fresh);
    return { report: await confirmCounterexample(session, 0, target, emptyCall, []), sides };
  } finally {
    for (const side of [...sides.old, ...sides.fresh]) side.end();
    await rm(rootDir, { recursive: true, force: true });
  }
}

test('the old code answers once more, and no process with the new code starts for that', async () => {
  const { report, sides } = await confirm(
    { kind: 'value', path: 'limit.js', name: 'limit', access: 'limit' },
    'export const limit = 3;\n',
    'export const limit = 4;\n',
  );
  expect(report).toMatchObject({
    outcome: 'different',
    counterexample: { before: expect.stringContaining('3'), after: expect.stringContaining('4') },
  });
  expect([sides.old.length, sides.fresh.length]).toEqual([2, 1]);
});

test('a call is endless only after the whole time limit, which the counterexample states', async () => {
  const startedAt = performance.now();
  const { report } = await confirm(
    { kind: 'function', path: 'count.js', name: 'count', access: 'count', exportedAs: 'count', parameters: [] },
    'export const count = () => 3;\n',
    'export const count = () => { for (;;); };\n',
  );
  expect(report).toMatchObject({ outcome: 'different', counterexample: { after: 'does not end within 12 s' } });
  expect(performance.now() - startedAt).toBeGreaterThan(12_000);
});
