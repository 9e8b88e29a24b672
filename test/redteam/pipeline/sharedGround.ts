// Registers tests for the attacks of some classes, all on one ground.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseIsolationUnderAttack } from '../../helpers/isolation.ts';
import { spelled, type Attack } from './attack.ts';
import { triedIn } from './attacks.ts';
import type { Trial } from './attacks/charter.ts';
import { createGround, edited, layLinks, perform, type Ground } from './ground.ts';
import { BAIT } from './sample.ts';

/** The first test of the ground is an honest change, because where everything is refused, nothing is shown. */
export async function testOnOneGround(classes: readonly (readonly (Attack | Trial)[])[]): Promise<void> {
  const { confined } = (await chooseIsolationUnderAttack()).isolation;
  let ground: Ground;
  beforeAll(async () => {
    ground = await createGround({ prepare: layLinks });
  });
  afterAll(async () => {
    await ground[Symbol.asyncDispose]();
  });

  test('an honest change is applied on the same ground', async () => {
    const { answer, escaped } = await perform(ground, {
      name: 'honest',
      wants: '',
      expected: 'applied',
      run: (place) => place.bring([edited(place, 'src/folder/inner.ts', (text) => text.replace(BAIT, '\n'))]),
    });
    expect(spelled(answer), answer.detail).toMatch(confined ? /^applied: charter$/ : /^asks/);
    expect(escaped).toEqual([]);
  });

  test.each(triedIn(classes, confined).map((attack) => [attack.name, attack] as const))('%s', async (_name, attack) => {
    const { answer, escaped } = await perform(ground, attack);
    expect(escaped, answer.detail).toEqual([]);
    const expected = attack.expected === 'applied' && !confined ? 'asks' : attack.expected;
    expect(spelled(answer), answer.detail).toMatch(new RegExp(`^${expected}`));
  });
}
