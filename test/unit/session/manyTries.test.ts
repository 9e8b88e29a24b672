// More places that recipes decline than one request tries: the next cycle goes on behind them, and the last one says
// so.

import { expect, test } from 'vitest';
import type { CycleEvent } from '../../../server/src/core/session/cycleEvents.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';

const UNUSED = "import { one } from './one.ts';\n\n/** Nothing else. */\nexport const two = 2;\n";
const declining = Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`many/f${index + 10}.ts`, UNUSED]));

/** A run over 45 places that a recipe declines and one behind them that it can fix. */
async function run(cycles: number) {
  await using world = await createSessionWorld({ ...declining, 'z/last.ts': UNUSED });
  const session = await world.session({
    change: ({ jobs }) => ({
      jobs: {
        ...jobs,
        async run(name, input, signal) {
          if (name === 'applyRecipe' && JSON.stringify(input).includes('"path":"many/'))
            return { refused: 'Not this one.' } as Awaited<ReturnType<typeof jobs.run<typeof name>>>;
          return jobs.run(name, input, signal);
        },
      },
    }),
  });
  const events: CycleEvent[] = [];
  const summary = await session.improve({
    cycles,
    dryRun: true,
    approval: 'strict',
    maxChanges: 100,
    signal: never,
    decide: async () => ({ verdict: 'deferred', reason: null }),
    onEvent: (event) => events.push(event),
  });
  return { summary, stopped: events.find((event) => event.type === 'stopped') };
}

test('one cycle ends behind its tries, and says that there are more', async () => {
  const { summary, stopped } = await run(1);
  expect(summary.proposed).toBe(0);
  expect(stopped).toMatchObject({ reason: '40 places gave no change. The next run tries the others.' });
});

test('the next cycle tries the places that the first one did not reach', async () => {
  const { summary, stopped } = await run(2);
  expect(summary).toMatchObject({ cycles: 2, proposed: 1 });
  expect(stopped).toBeUndefined();
});
