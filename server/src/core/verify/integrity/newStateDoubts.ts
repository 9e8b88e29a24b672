// Describes the state that a change newly stores between calls.

import type { FileEdit } from '../../model.ts';
import { nullIfTimedOut } from '../busyMachine.ts';
import type { VerifyContext } from '../context.ts';

/**
 * A sentence for each variable that the code newly stores between calls; null if there was no time to search for them.
 */
export async function findNewStateDoubts(
  { findNewState }: Pick<VerifyContext, 'findNewState'>,
  code: readonly FileEdit[],
): Promise<readonly string[] | null> {
  const states = findNewState ? await nullIfTimedOut(findNewState(code)) : [];
  return (
    states?.map(
      ({ path, name }) =>
        `${path} newly keeps \`${name}\` between calls, so a later call may answer otherwise than the first.`,
    ) ?? null
  );
}

/** The sentence for a search that had no time. */
export const NO_TIME_FOR_STATE = 'There was no time to find out whether it newly keeps something between calls.';
