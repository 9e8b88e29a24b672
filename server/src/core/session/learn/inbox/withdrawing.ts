// Takes proposals out of the inbox that rest on corrections which a person has forgotten.

import { readEvents, collectEvidence, TEACHING_EVENTS } from '../lessonEvidence.ts';
import { collectCorrections } from '../../../learn/inbox/corrections.ts';
import type { SessionContext } from '../../context.ts';
import { nullIfUnusable } from './filing.ts';
import { archiveDecided, readInboxState, withInboxLock } from './files.ts';

/** Number of changes of which the same was said before it is proposed as a rule. */
const MIN_CHANGES = 2;

/**
 * Rejects the open rules that cite one of the forgotten events, and for which fewer than two corrections are left.
 * `forgotten`: sequences in the ledger. `reason` is kept with each rejection.
 */
export async function withdrawForgotten(
  context: SessionContext,
  forgotten: ReadonlySet<number>,
  reason: string,
): Promise<void> {
  await nullIfUnusable(context, () =>
    withInboxLock(context, async () => {
      const { open } = await readInboxState(context);
      const cited = open.filter(({ kind, events }) => kind === 'skill' && events.some((event) => forgotten.has(event)));
      if (cited.length === 0) return;
      const teachingEvents = readEvents(await context.ledger.query({ types: TEACHING_EVENTS }));
      const remaining = new Set(collectCorrections(collectEvidence(teachingEvents)).map(({ sequence }) => sequence));
      for (const item of cited) {
        if (item.events.filter((event) => remaining.has(event)).length >= MIN_CHANGES) continue;
        await context.ledger.record({ type: 'inboxDecided', data: { item, verdict: 'rejected', reason } });
        await archiveDecided(context, item);
      }
    }),
  );
}
