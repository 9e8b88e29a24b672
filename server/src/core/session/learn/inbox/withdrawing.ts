// Removes proposals from the inbox that rest on corrections which a person has forgotten.

import { CORRECTION_PREFIX } from '../../../learn/inbox/corrections.ts';
import type { SessionContext } from '../../context.ts';
import { nullIfUnusable } from './filing.ts';
import { archiveDecided, readInboxState, withInboxLock } from './files.ts';
import { findRepeated } from './learnedCandidates.ts';

/**
 * Rejects the open rules from repeated corrections that cite a forgotten event, unless enough other corrections say the
 * same. `forgotten`: sequences in the ledger. `reason`: stored with each rejection.
 */
export async function withdrawForgotten(
  context: SessionContext,
  forgotten: ReadonlySet<number>,
  reason: string,
): Promise<void> {
  await nullIfUnusable(context, () =>
    withInboxLock(context, async () => {
      const { open } = await readInboxState(context);
      const cited = open.filter(
        ({ kind, by, description, events }) =>
          kind === 'skill' &&
          by === 'selfware' &&
          CORRECTION_PREFIX.test(description) &&
          events.some((event) => forgotten.has(event)),
      );
      if (cited.length === 0) return;
      const remaining = new Set(
        (await findRepeated(context, new AbortController().signal)).flatMap(({ events }) => events),
      );
      for (const item of cited) {
        if (item.events.some((event) => remaining.has(event))) continue;
        await context.ledger.record({ type: 'inboxDecided', data: { item, verdict: 'rejected', reason } });
        await archiveDecided(context, item);
      }
    }),
  );
}
