// The analysis is a pass of its own: only what changed is worked on again, and no index is needed.

import { expect, test } from 'vitest';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import type { Jobs, JobTable } from '../../../server/src/core/jobs.ts';

const operation = { signal: new AbortController().signal };
const source = (name: string, unused = '') =>
  `${unused}/** About ${name}. */\nexport function ${name}(value: number): number {\n  return value + 1;\n}\n`;
const unused = "import { nothing } from './nothing.ts';\n";

/** Paths of the files that each run of a job worked on. */
function watched(
  jobs: Jobs,
  name: keyof JobTable,
  seen: string[][],
  before: (paths: readonly string[]) => void = () => undefined,
): { jobs: Jobs } {
  return {
    jobs: {
      ...jobs,
      async run<K extends keyof JobTable>(job: K, input: JobTable[K]['input'], signal: AbortSignal) {
        if (job === name) {
          const paths = (input as readonly { path: string }[]).map(({ path }) => path);
          before(paths);
          seen.push(paths);
        }
        return jobs.run(job, input, signal);
      },
    },
  };
}

test('opportunities, figures and points without an index; a second start works on nothing', async () => {
  await using world = await createSessionWorld({
    'src/alpha.ts': source('alpha', unused),
    'src/beta.ts': source('beta'),
  });
  const seen: string[][] = [];
  const session = await world.session({ change: ({ jobs }) => watched(jobs, 'inspect', seen) });
  expect(await session.analysis.analyse(operation)).toMatchObject({ files: 2, analysed: 2, reused: 0, skipped: [] });
  expect((await session.opportunities.shown()).map(({ rule, path }) => [rule, path])).toContainEqual([
    'unused-import',
    'src/alpha.ts',
  ]);
  expect((await session.analysis.metrics(['src/beta.ts'])).map(({ name }) => name)).toContain('beta');
  expect((await session.status()).index).toBeNull();
  expect(seen).toEqual([]);
  const points = await session.analysis.score();
  await session.close();

  const again = await world.session();
  expect(await again.analysis.analyse(operation)).toMatchObject({ files: 2, analysed: 0, reused: 2 });
  expect(await again.analysis.score()).toEqual(points);
});

test('saved, deleted, new and touched files; a branch switched to and fro costs nothing', async () => {
  await using world = await createSessionWorld({
    'src/alpha.ts': source('alpha', unused),
    'src/beta.ts': source('beta'),
  });
  const session = await world.session();
  const first = await session.analysis.analyse(operation);
  const shown = async () =>
    (await session.opportunities.shown()).filter(({ rule }) => rule === 'unused-import').map(({ path }) => path);

  world.tree.set('src/alpha.ts', source('alpha'));
  expect(await session.analysis.analyse(operation, ['src/alpha.ts'])).toMatchObject({ files: 2, analysed: 1 });
  expect(await shown()).toEqual([]);
  world.tree.set('src/alpha.ts', source('alpha', unused));
  expect(await session.analysis.analyse(operation, ['src/alpha.ts'])).toMatchObject({
    analysed: 0,
    treeHash: first.treeHash,
  });
  expect(await shown()).toEqual(['src/alpha.ts']);
  world.tree.set('src/new.ts', source('fresh', unused));
  expect(await session.analysis.analyse(operation, ['src/new.ts'])).toMatchObject({ files: 3, analysed: 1 });
  world.tree.set('src/alpha.ts', null);
  expect(await session.analysis.analyse(operation, ['src/alpha.ts', 'src/never-there.ts'])).toMatchObject({
    files: 2,
    analysed: 0,
  });
  expect(await shown()).toEqual(['src/new.ts']);
});

test('what is done before it is cancelled is kept', async () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`src/file${at}.ts`, source(`name${at}`)]));
  await using world = await createSessionWorld(files);
  const cancel = new AbortController();
  const session = await world.session();
  const stopped = session.analysis.analyse({
    signal: cancel.signal,
    report: ({ stage, done }) => stage === 'analysing' && done >= 128 && cancel.abort(),
  });
  await expect(stopped).rejects.toMatchObject({ reason: 'cancelled' });
  const rest = await session.analysis.analyse(operation);
  expect(rest.files).toBe(300);
  expect(rest.analysed).toBeLessThanOrEqual(300 - 64);
  expect(rest.analysed).toBeGreaterThan(0);
});

test('a file that the analysis dies of is skipped and listed, and its measures are unknown', async () => {
  const files = { 'src/alpha.ts': source('alpha'), 'src/deadly.ts': source('deadly'), 'src/slow.ts': source('slow') };
  await using world = await createSessionWorld(files);
  const session = await world.session({
    change: ({ jobs }) =>
      watched(jobs, 'analyse', [], (paths) => {
        if (paths.includes('src/deadly.ts')) throw new SelfwareError('internal', 'The thread died.');
        if (paths.includes('src/slow.ts')) throw new SelfwareError('timedOut', 'Too slow.');
      }),
  });
  const report = await session.analysis.analyse(operation);
  expect(report.skipped).toEqual([
    { path: 'src/deadly.ts', reason: 'parse failed' },
    { path: 'src/slow.ts', reason: 'analysis timed out' },
  ]);
  expect((await session.analysis.metrics()).map(({ path }) => path)).toContain('src/alpha.ts');
  expect(await session.analysis.metrics(['src/deadly.ts', 'src/slow.ts'])).toEqual([]);
});

test('questions about the graph need no index either, and read only what they have not seen', async () => {
  await using world = await createSessionWorld({
    'src/alpha.ts': source('alpha'),
    'src/beta.ts': `import { alpha } from './alpha.ts';\nexport const beta = alpha(1);\n`,
  });
  const seen: string[][] = [];
  const session = await world.session({ change: ({ jobs }) => watched(jobs, 'relate', seen) });
  const ask = async () => {
    const answer = await session.memory.graph({ question: 'dependents', target: 'src/alpha.ts' }, operation.signal);
    return 'items' in answer ? answer.items.map(({ path }) => path) : [];
  };
  expect(new Set(await ask())).toEqual(new Set(['src/beta.ts']));
  world.tree.set('src/gamma.ts', `export { alpha } from './alpha.ts';\n`);
  await session.analysis.analyse(operation);
  expect(new Set(await ask())).toEqual(new Set(['src/beta.ts', 'src/gamma.ts']));
  expect(seen.map((paths) => [...paths].sort())).toEqual([['src/alpha.ts', 'src/beta.ts'], ['src/gamma.ts']]);
});
