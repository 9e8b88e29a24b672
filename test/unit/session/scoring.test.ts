// The ruler through the façade: coverage from a report in the tree, and proposals that would gain by hiding something.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { flawed, never } from './flawed.ts';

const A = flawed['src/a.ts']!;

/** The score gate's verdict on these edits, whatever the opportunity. */
async function verdictOn(edits: readonly FileEdit[], files: Readonly<Record<string, string>> = flawed) {
  await using world = await createSessionWorld(files);
  const session = await world.session({
    change: ({ jobs }) => ({
      jobs: {
        ...jobs,
        async run(name, input, signal) {
          const output = await jobs.run(name, input, signal);
          return name === 'applyRecipe'
            ? ({ edits, title: 'A change', rationale: '' } as unknown as typeof output)
            : output;
        },
      },
    }),
  });
  const { proposal } = await session.proposals.propose({ signal: never });
  if (!proposal) throw new Error('Nothing was proposed.');
  const verified = await session.verification.verify(proposal.id, { signal: never });
  return verified.verdicts.find(({ gate }) => gate === 'score')!;
}

test.each<[string, readonly FileEdit[], RegExp]>([
  [
    'marked as generated',
    [{ path: 'src/a.ts', before: A, after: `/** @generated */\n${A}` }],
    /^The score (does not rise|falls): .*no longer holds/,
  ],
  [
    'renamed to a test',
    [
      { path: 'src/a.ts', before: A, after: null },
      { path: 'src/a.test.ts', before: null, after: A },
    ],
    /^The gain does not count\. .*no longer holds/,
  ],
  [
    'padded',
    [
      {
        path: 'src/more.ts',
        before: null,
        after: Array.from(
          { length: 30 },
          (_, index) =>
            `/** Answers question ${index} of the survey. */\nexport function answer${index}(all: string[]) {\n  all.push('${index}');\n  all.sort();\n}\n`,
        ).join('\n'),
      },
    ],
    /^The score does not rise|^The score falls/,
  ],
])('a change that hides or thins is refused: %s', async (_, edits, reason) => {
  const verdict = await verdictOn(edits);
  expect([verdict.gate, verdict.outcome]).toEqual(['score', 'failed']);
  expect(verdict.reason).toMatch(reason);
});

test('an honest change of the same file passes', async () => {
  const verdict = await verdictOn([
    { path: 'src/a.ts', before: A, after: A.replace("import { one } from './one.ts';\n", '') },
  ]);
  expect([verdict.gate, verdict.outcome, verdict.reason]).toEqual(['score', 'passed', expect.stringContaining('→')]);
});

/** Says that `one` and `two` ran, and half of `a`. */
const lcov = [
  'SF:src/a.ts',
  'DA:6,1',
  'DA:7,1',
  'DA:9,0',
  'end_of_record',
  'SF:src/one.ts',
  'DA:3,1',
  'DA:8,1',
  'DA:9,1',
  'DA:10,1',
  'end_of_record',
  '',
].join('\n');

test('coverage counts as long as its report fits, and a change is not blamed for outdating it', async () => {
  const files = {
    'src/a.ts': A,
    'src/one.ts': flawed['src/one.ts']!,
    'coverage/lcov.info': lcov,
    '.gitignore': 'coverage/\n',
  };
  await using world = await createSessionWorld(files);
  const session = await world.session();
  await session.analysis.analyse({ signal: never });
  const { testCoverage } = (await session.analysis.score()).categories;
  expect(testCoverage).toMatchObject({ points: (250 * 6) / 7, max: 250, unknown: [] });

  const { proposal } = await session.proposals.propose({ signal: never });
  const verified = await session.verification.verify(proposal!.id, { signal: never });
  expect(verified.verdicts.find(({ gate }) => gate === 'score')).toMatchObject({ outcome: 'passed' });
  expect(verified.pointsAfter?.categories.testCoverage).toEqual(testCoverage);
  const { proposal: applied } = await session.changes.apply({ proposal: verified.id, by: 'person', signal: never });
  expect(applied.status).toBe('kept');
});

test('a report that appears or goes is seen with the next look, although no file of the tree has changed', async () => {
  await using world = await createSessionWorld({
    'src/a.ts': A,
    'src/one.ts': flawed['src/one.ts']!,
    '.gitignore': 'coverage/\n',
  });
  const session = await world.session();
  const look = async () => {
    await session.analysis.analyse({ signal: never });
    return (await session.status()).points?.categories.testCoverage.points;
  };
  expect(await look()).toBeNull();
  world.tree.set('coverage/lcov.info', lcov);
  expect(await look()).toBeCloseTo((250 * 6) / 7);
  const count = async () => (await session.ledger.query({ types: ['points'] })).length;
  const before = await count();
  await look();
  expect(await count()).toBe(before);
  world.tree.set('coverage/lcov.info', null);
  expect(await look()).toBeNull();
});

test('without a report, coverage is unknown, and it is said why', async () => {
  await using world = await createSessionWorld({
    'src/one.ts': flawed['src/one.ts']!,
    'coverage/coverage-summary.json': '{}',
    '.gitignore': 'coverage/\n',
  });
  const session = await world.session();
  await session.analysis.analyse({ signal: never });
  const { categories, why } = await session.analysis.score();
  expect(categories.testCoverage.points).toBeNull();
  expect(why).toEqual({
    'test coverage': 'coverage/coverage-summary.json holds sums only, so nobody can tell whether it fits the files.',
  });
});
