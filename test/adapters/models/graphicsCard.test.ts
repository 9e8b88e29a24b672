// How much of a model a graphics card takes, by what the library says.

import { expect, test } from 'vitest';
import { measureFreeCardMemory } from '../../../server/src/adapters/models/local/graphicsCard.ts';

test.each([
  ['a card with memory of its own', 'cuda', { total: 80, free: 60, unifiedSize: 0 }, 60],
  ['a card that shares all of its memory', 'metal', { total: 64, free: 50, unifiedSize: 64 }, 0],
  ['a card that shares a part', 'vulkan', { total: 20, free: 18, unifiedSize: 12 }, 8],
  ['no card', false, { total: 64, free: 50, unifiedSize: 0 }, 0],
] as const)('%s', async (_what, gpu, state, free) => {
  expect(await measureFreeCardMemory({ gpu, getVramState: () => Promise.resolve(state) })).toBe(free);
});
