// Determines whether a question would be useless now, because nobody can be reached or a budget is used up.

import type { AskedTask } from '../../model/asks.ts';
import { findStopReason } from '../../proposers/budgets.ts';
import { findOutage, findFirstToEnd, type AskPause } from '../../proposers/outages.ts';
import { findPrice } from '../../proposers/prices.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import type { SessionContext } from '../context.ts';
import { readBudgetLimits } from '../ask/askOnce.ts';
import { explainUnagreed, createNobodyLeftError, openProposers } from '../ask/openProposer.ts';
import { readAccount, readAskEvents } from '../ask/pastAttempts.ts';

/** A task kind for each role of proposers (answering requests, fixing tests) that a run may ask. */
const KINDS_OF_ROLES = ['request', 'fix'] as const;

/**
 * The pause of the proposers of a list that ends first, if none of them can be asked now; otherwise null. Missing
 * consent is also a pause: a person may have withdrawn it during a run, and may agree again. Null if nobody on the list
 * may be asked for another reason, because the question itself says why. `kind`: the kind of the next task; null if any
 * task may be next.
 */
export async function findAskPause(
  context: SessionContext,
  proposerList: string,
  kind: AskedTask['kind'] | null = null,
): Promise<AskPause | null> {
  try {
    const consentReason = await explainUnagreed(context, proposerList);
    if (consentReason !== null) return { reason: consentReason.message, until: null };
    const events = await readAskEvents(context);
    const account = await readAccount(context, '', false);
    const now = context.ports.clock.now();
    const pauses: AskPause[] = [];
    const kinds = kind === null ? KINDS_OF_ROLES : [kind];
    const openedProposers = await Promise.all(
      kinds.map((candidate) => openProposers(context, proposerList, candidate)),
    );
    const names = new Set(openedProposers.flat().map(({ name }) => name));
    if (names.size === 0 && kind !== null) return { reason: createNobodyLeftError(kind).message, until: null };
    for (const name of names) {
      const price = findPrice(context.settings['models.prices'], name);
      const stop = findStopReason(account, readBudgetLimits(context), 0, { name, price });
      const pause =
        stop?.freeInMs === undefined
          ? findOutage(events, name, now)
          : { reason: stop.reason, until: stop.freeInMs === null ? null : now + stop.freeInMs };
      if (pause === null) return null;
      pauses.push(pause);
    }
    return findFirstToEnd(pauses);
  } catch (error) {
    if (error instanceof SelfwareError) return null;
    throw error;
  }
}
