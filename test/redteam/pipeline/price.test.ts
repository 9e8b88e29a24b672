// A fix is no excuse for worse code: what a claim may cost is one guard and average lines, whatever its tests show.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { spelled } from './attack.ts';
import { plainGuard, PRICE, SHARES } from './attacks/price.ts';
import { createGround, perform, type Ground } from './ground.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await createGround({ files: SHARES });
});
afterAll(async () => {
  await ground[Symbol.asyncDispose]();
});

test.each(PRICE.map((attack) => [attack.name, attack] as const))('%s', async (_, attack) => {
  const { answer, escaped } = await perform(ground, attack);
  expect(escaped, answer.detail).toEqual([]);
  expect(spelled(answer), answer.detail).toBe(attack.expected);
});

test('a plain guard is not refused for its points on the same ground', async () => {
  const { answer } = await perform(ground, plainGuard);
  expect(spelled(answer), answer.detail).toMatch(/^asks/);
});
