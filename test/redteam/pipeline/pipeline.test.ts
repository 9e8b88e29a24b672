// No proposal, request or word gets past the gates and the charter, and nothing but what was applied is ever changed.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { edited, createGround, layLinks, perform, type Ground } from './ground.ts';
import { isolationUnderAttack } from '../../helpers/isolation.ts';
import { meantFor, ON_ONE_GROUND } from './attacks.ts';
import { spelled } from './attack.ts';
import { BAIT } from './sample.ts';

const { confined } = (await isolationUnderAttack()).isolation;
let ground: Ground;
beforeAll(async () => {
  ground = await createGround({ prepare: layLinks });
});
afterAll(async () => {
  await ground[Symbol.asyncDispose]();
});

test('the library is as large as it says, and no attack is there twice', () => {
  expect(ON_ONE_GROUND.length).toBeGreaterThan(150);
  expect(new Set(ON_ONE_GROUND.map(({ name }) => name)).size).toBe(ON_ONE_GROUND.length);
});

// Where everything is refused, nothing is shown.
test('an honest change is applied on the same ground', async () => {
  const { answer, escaped } = await perform(ground, {
    name: 'honest',
    wants: '',
    expected: 'applied',
    run: (place) => place.bring([edited(place, 'src/folder/inner.ts', (text) => text.replace(BAIT, '\n'))]),
  });
  expect(spelled(answer), answer.detail).toBe(confined ? 'applied: charter' : 'asks');
  expect(escaped).toEqual([]);
});

test.each(meantFor(ON_ONE_GROUND, confined).map((attack) => [attack.name, attack] as const))(
  '%s',
  async (_name, attack) => {
    const { answer, escaped } = await perform(ground, attack);
    expect(escaped, answer.detail).toEqual([]);
    const expected = attack.expected === 'applied' && !confined ? 'asks' : attack.expected;
    expect(spelled(answer), answer.detail).toMatch(new RegExp(`^${expected}`));
  },
);
