// A change that does not raise the score by itself is tried once more, with what goes along with it.

import { expect, test } from 'vitest';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';
import type { Jobs } from '../../../server/src/core/jobs.ts';

const text = `import { hint } from './hint.ts';

/** Says how good that is. */
export function grade(points: number): string {
  const unused = hint;
  const isBest = points > 90 ? true : false;
  return isBest ? 'best' : 'good';
}
`;

/** Recipes that change nothing worth having, each time in another way; everything else runs as it is. */
function withoutGain(jobs: Jobs): Jobs {
  let made = 0;
  const edits = (path: string) => [{ path, before: text, after: `${text}// ${++made}\n` }];
  return {
    ...jobs,
    run: ((name, input, signal) =>
      name === 'applyRecipe'
        ? Promise.resolve({
            edits: edits((input as { opportunity: { path: string } }).opportunity.path),
            title: 'Nothing',
            rationale: '',
          })
        : jobs.run(name, input, signal)) as Jobs['run'],
  };
}

test('what the score gate refused comes back with what goes along with it, once', async () => {
  await using world = await createSessionWorld({
    'src/grade.ts': text,
    'src/hint.ts': '/** For the table. */\nexport const hint = 1;\n',
  });
  const session = await world.session({
    settings: { 'charter.maxChanges': 100 },
    change: ({ jobs }) => ({ jobs: withoutGain(jobs) }),
  });
  const summary = await session.improve({
    cycles: Infinity,
    dryRun: false,
    approval: 'strict',
    maxChanges: 100,
    signal: never,
    decide: async () => ({ verdict: 'approved', reason: null }),
  });
  const kept = (await session.proposals.all()).filter(({ status }) => status === 'kept');
  expect(kept.map(({ title }) => title)).toEqual([
    'Remove unused unused and hint; simplify a redundant condition in grade',
  ]);
  expect(world.tree.text('src/grade.ts')).toBe(`/** Says how good that is. */
export function grade(points: number): string {
  const isBest = points > 90;
  return isBest ? 'best' : 'good';
}
`);
  expect(summary.refused).toBeGreaterThan(0);
});

test('nothing that goes along with it: the run ends, and nothing is tried for ever', async () => {
  const alone = text
    .replace(/^import.*\n\n/, '')
    .replace('hint', '1')
    .replace(' ? true : false', '');
  await using world = await createSessionWorld({ 'src/grade.ts': alone });
  const session = await world.session({
    change: ({ jobs }) => ({
      jobs: {
        ...jobs,
        run: ((name, input, signal) =>
          name === 'applyRecipe'
            ? Promise.resolve({
                edits: [{ path: 'src/grade.ts', before: alone, after: `${alone}// more\n` }],
                title: 'Nothing',
                rationale: '',
              })
            : jobs.run(name, input, signal)) as Jobs['run'],
      },
    }),
  });
  const summary = await session.improve({
    cycles: Infinity,
    dryRun: false,
    approval: 'strict',
    maxChanges: 100,
    signal: never,
    decide: async () => ({ verdict: 'approved', reason: null }),
  });
  expect(summary).toMatchObject({ kept: 0, refused: 1 });
  expect(world.tree.text('src/grade.ts')).toBe(alone);
});
