// Prevents questions whose answers could not be applied, because a rate of changes is used up.

import { SelfwareError } from '../../../util/typedError.ts';
import type { Proposer } from '../../ports/proposers.ts';
import type { RatePause } from '../../model/capabilities.ts';
import { findPause } from '../allowance.ts';
import { openProposers } from '../ask/openProposer.ts';
import type { SessionContext } from '../context.ts';

/**
 * Selects the proposers whose changes may be applied now, in the same order. Throws `paused` if there is none. The
 * error is that of the proposer that may continue first.
 */
export async function requireMayApply(
  context: SessionContext,
  proposers: readonly Proposer[],
): Promise<readonly Proposer[]> {
  const { ready, pause } = await findReady(context, proposers);
  if (ready.length === 0 && pause !== null) throw pause.error;
  return ready;
}

/**
 * The used-up rate because of which no change could be applied now: no change of these proposers or, if `proposerList`
 * is null, no change of a recipe. Null if a change could be applied. Null as well if nobody on the list may be asked,
 * because the question itself says why.
 */
export async function findApplyPause(context: SessionContext, proposerList: string | null): Promise<RatePause | null> {
  if (proposerList === null) return findPause(context, 'recipe', 'apply');
  try {
    const { ready, pause } = await findReady(context, await openProposers(context, proposerList, 'request'));
    return ready.length === 0 ? pause : null;
  } catch (error) {
    if (error instanceof SelfwareError) return null;
    throw error;
  }
}

/**
 * Selects the proposers whose changes may be applied now. `pause`: of the used-up rates of the other proposers, the one
 * that ends first; null if there are no others.
 */
async function findReady(
  context: SessionContext,
  proposers: readonly Proposer[],
): Promise<{ readonly ready: readonly Proposer[]; readonly pause: RatePause | null }> {
  const readyProposers: Proposer[] = [];
  let firstPause: RatePause | null = null;
  for (const proposer of proposers) {
    const pause = await findPause(context, proposer.hasTree === true ? 'agent' : 'model', 'apply');
    if (pause === null) readyProposers.push(proposer);
    else if (firstPause === null || (pause.until ?? Infinity) < (firstPause.until ?? Infinity)) firstPause = pause;
  }
  return { ready: readyProposers, pause: firstPause };
}
