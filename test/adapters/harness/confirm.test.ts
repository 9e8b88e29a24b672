// A difference is confirmed in fresh processes, and no more of them start than are asked.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { confirmCounterexample, type Confirming } from '../../../server/src/adapters/harness/confirm.ts';
import { startSide, type Side } from '../../../server/src/adapters/harness/sides.ts';
import type { Target } from '../../../server/src/core/verify/differential/plan.ts';
import { harnessEntry } from '../../helpers/harness.ts';

test('the old code answers once more, and no process with the new code starts for that', async () => {
  const rootDir = await mkdtemp(join(tmpdir(), 'selfware-confirm-'));
  const target: Target = { kind: 'value', path: 'limit.js', name: 'limit', access: 'limit' };
  const sides: Record<'old' | 'fresh', Side[]> = { old: [], fresh: [] };
  const start = async (name: 'old' | 'fresh', limit: number): Promise<Side> => {
    const side = await startSide(pathToFileURL(harnessEntry), {
      rootDir,
      codes: { 'limit.js': { code: `export const limit = ${limit};\n`, format: 'module' } },
      ...{ watched: [], targets: [target], emit: { compiler: {}, paths: {}, baseUrl: null }, only: 'limit.js' },
    });
    if ('obstacle' in side) throw new Error(side.obstacle);
    sides[name].push(side);
    return side;
  };
  const session: Confirming = {
    ends: { search: Infinity, all: performance.now() + 240_000 },
    open: async () => ({ old: await start('old', 3), fresh: await start('fresh', 4) }),
    openOld: () => start('old', 3),
  };
  try {
    await writeFile(join(rootDir, 'limit.js'), 'export const limit = 4;\n');
    const report = await confirmCounterexample(session, 0, target, { arguments: [], steps: [] }, []);
    expect(report).toMatchObject({
      outcome: 'different',
      counterexample: { before: expect.stringContaining('3'), after: expect.stringContaining('4') },
    });
    expect([sides.old.length, sides.fresh.length]).toEqual([2, 1]);
  } finally {
    for (const side of [...sides.old, ...sides.fresh]) side.end();
    await rm(rootDir, { recursive: true, force: true });
  }
});
