// Lets only one process at a time try rules or recipes, because two trials at the same time would propose the same
// places and ask the same questions twice.

import { SelfwareError } from '../../../util/typedError.ts';
import type { SessionContext } from '../context.ts';

/** The name of each kind of trial in messages. */
const TRIAL_NAMES = { rule: 'A trial of a rule', recipe: 'A trial of a recipe' };

/** Runs `work` under the lock of trials of this kind. Throws `locked` while another trial is running. */
export async function withTrialLock<T>(
  { ports }: SessionContext,
  kind: keyof typeof TRIAL_NAMES,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await ports.lock.acquire(`trying-${kind}`);
  if (!lock)
    throw new SelfwareError('locked', `${TRIAL_NAMES[kind]} is running in this repository already.`, {
      action: 'Wait until it is done, or end it where it was started.',
    });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
