// The budget of changes of an editor's window, which opens several sessions.

import { expect, test } from 'vitest';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { flawed, improving } from './flawed.ts';

test('a session that is opened again in the same window continues its budget of changes', async () => {
  await using world = await createSessionWorld(flawed);
  const windowRun = { startedAt: world.clock.now(), runs: new Set<string>(), changes: new Set<string>() };
  const settings = { 'charter.maxChanges': 2 };
  const request = improving({ cycles: Infinity, maxChanges: 2 });
  const session = await world.session({ settings, windowRun });
  expect((await session.improve(request)).applied).toBe(2);
  world.clock.advance(1);
  const reopened = await world.session({ settings, windowRun });
  expect(await reopened.improve(request)).toMatchObject({ applied: 0, proposed: 0 });
  expect((await reopened.status()).charter).toMatchObject({ changesUsed: 2, changesAllowed: 2 });
  const other = await world.session({ settings });
  expect((await other.improve(request)).applied).toBe(1);
});

test('changes of other windows and commands do not count as changes of a window', async () => {
  await using world = await createSessionWorld(flawed);
  const windowRun = { startedAt: world.clock.now(), runs: new Set<string>(), changes: new Set<string>() };
  const settings = { 'charter.maxChanges': 2 };
  const session = await world.session({ settings, windowRun });
  const other = await world.session({ settings });
  expect((await other.improve(improving({ cycles: Infinity, maxChanges: 2 }))).applied).toBe(2);
  expect((await session.status()).charter).toMatchObject({ changesUsed: 0 });
  expect((await session.improve(improving({ cycles: Infinity, maxChanges: 1 }))).applied).toBe(1);
  expect((await session.status()).charter).toMatchObject({ changesUsed: 1, changesAllowed: 2 });
});
