// Removes proposals from the inbox whose evidence was a correction that a person has forgotten.

import { CORRECTION_PREFIX_PATTERN } from '../../../learn/inbox/corrections.ts';
import type { SessionContext } from '../../context.ts';
import { nullIfUnusable } from './filing.ts';
import { archiveDecided, readInboxState, withInboxLock } from './files.ts';
import { findRepeatedCorrectionRules } from './learnedCandidates.ts';

/**
 * Rejects the open rules from repeated corrections that cite a forgotten event, unless enough other corrections say the
 * same. `forgottenSequences`: sequences of the forgotten events in the ledger. `reason`: stored with each rejection.
 */
export async function withdrawForgotten(
  context: SessionContext,
  forgottenSequences: ReadonlySet<number>,
  reason: string,
): Promise<void> {
  await nullIfUnusable(context, () =>
    withInboxLock(context, async () => {
      const { open } = await readInboxState(context);
      const citingItems = open.filter(
        ({ kind, by, description, events }) =>
          kind === 'skill' &&
          by === 'selfware' &&
          CORRECTION_PREFIX_PATTERN.test(description) &&
          events.some((event) => forgottenSequences.has(event)),
      );
      if (citingItems.length === 0) return;
      const remainingEvents = new Set(
        (await findRepeatedCorrectionRules(context, new AbortController().signal)).flatMap(({ events }) => events),
      );
      for (const item of citingItems) {
        if (item.events.some((event) => remainingEvents.has(event))) continue;
        await context.ledger.record({ type: 'inboxDecided', data: { item, verdict: 'rejected', reason } });
        await archiveDecided(context, item);
      }
    }),
  );
}
