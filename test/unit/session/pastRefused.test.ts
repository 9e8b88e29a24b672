// A run without a number of cycles goes past the proposals that its checks refuse.

import { expect, test } from 'vitest';
import { createSessionWorld, failingRun, passingRun } from '../../helpers/memorySessionPorts.ts';
import { flawed, flawedAndReached, improving } from './flawed.ts';

test('a run that goes past refused proposals continues with the next ones; else a refused one uses up a cycle', async () => {
  // Any change breaks the tests.
  const commands = {
    'run-tests': (texts: ReadonlyMap<string, string>) =>
      Object.entries(flawed).every(([path, text]) => texts.get(path) === text) ? passingRun : failingRun,
  };
  await using world = await createSessionWorld(flawed, { commands });
  const session = await world.session({ settings: { 'charter.maxChanges': 100 } });
  expect(await session.improve(improving())).toMatchObject({ cycles: 1, proposed: 1, refused: 1 });
  await using other = await createSessionWorld(flawed, { commands });
  const twin = await other.session({ settings: { 'charter.maxChanges': 100 } });
  const all = await twin.improve(improving({ ignoresFruitlessCycles: true }));
  expect(all.refused).toBeGreaterThan(1);
  expect(all.proposed).toBe(all.refused);

  // So many refusals in a row may have a cause outside of the changes.
  expect(all.refused).toBeLessThanOrEqual(5);

  await using third = await createSessionWorld(flawedAndReached);
  const passes = await third.session({ settings: { 'charter.maxChanges': 100 } });
  expect(await passes.improve(improving({ ignoresFruitlessCycles: true }))).toMatchObject({ proposed: 1, verified: 1 });
});
