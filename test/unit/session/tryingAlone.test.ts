// One trial at a time: a second one says that another is running.

import { expect, test } from 'vitest';
import { tryRecipe } from '../../../server/src/core/session/recipes/tryingRecipe.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';

const signal = new AbortController().signal;

test('a recipe is not tried while another process tries one; a rule may be', async () => {
  await using world = await createSessionWorld({ 'src/a.ts': 'export const a = 1;\n' });
  const [one, other] = [await world.session(), await world.session()];
  const tried = () => tryRecipe(other, 'none', { signal, verify: true });
  await one.recipes.alone(async () => {
    await expect(tried()).rejects.toMatchObject({
      reason: 'locked',
      message: 'A trial of a recipe is running in this repository already.',
      action: 'Wait until it is done, or end it where it was started.',
    });
    const rule = other.learned.tryRule({ signal, rule: 'none', proposer: 'none', tasks: 12, tokens: 1 });
    await expect(rule).rejects.toMatchObject({ reason: 'notFound' });
  });
  await expect(tried()).rejects.toMatchObject({ reason: 'notFound' });
});
