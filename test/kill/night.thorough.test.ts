// A night that is killed again and again, at any moment: nothing is lost, nothing is committed twice, the limits of
// changes and money hold over all processes, and a proposal that ends the process three times is set aside.

import { expect, test } from 'vitest';
import { runNightKills } from './nightKills.ts';

const KILLS = 4;

test('kills lose nothing and commit nothing twice, and a proposal that ends the process is tried three times', async () => {
  const { faults, killsOfVictim, kills } = await runNightKills(KILLS);
  expect(faults).toEqual([]);
  expect([kills, killsOfVictim]).toEqual([KILLS, 3]);
});
