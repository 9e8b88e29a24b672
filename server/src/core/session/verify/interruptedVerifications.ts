// Repairs interrupted verifications: if the verifying process has died, its proposals return to their earlier state.
// The system releases the lock of a dead process, which shows that it has died.

import { isSettled } from '../../ledger/proposalLife.ts';
import type { Proposal } from '../../model.ts';
import { notify, fallBackIfDamaged, type SessionContext } from '../context.ts';
import { acquireVerificationLock } from './verificationLock.ts';

const INTERRUPTED_REASON = 'Its verification was interrupted.';

/**
 * Returns the unfinished proposals of dead processes to their earlier state. Does not touch proposals of live
 * processes. A damaged ledger only adds a notice.
 */
export async function restoreInterruptedProposals(context: SessionContext): Promise<void> {
  await fallBackIfDamaged(context, undefined, async () => {
    const { ledger } = context;
    const proposals = await ledger.proposals();
    for (const { id, title } of proposals.filter(({ status }) => status === 'verifying')) {
      const lock = await acquireVerificationLock(context, id);
      if (!lock) continue;
      try {
        // The verification may have ended before this process got the lock.
        if ((await ledger.proposal(id))?.status !== 'verifying') continue;
        await ledger.record({ type: 'interrupted', data: { proposal: id } });
        notify(context, {
          severity: 'info',
          message: `The verification of "${title}" was interrupted. The proposal waits as before.`,
          action: 'Checks that have passed do not run again.',
        });
      } finally {
        await lock.release();
      }
    }
    if (proposals.some(isOpenReplacement)) await dropAbandonedReplacements(context);
  });
}

/** Drops an open replacement of another proposal, so that the original waits again. */
export async function dropReplacement(
  { ledger, emit }: SessionContext,
  id: string,
  reason = INTERRUPTED_REASON,
): Promise<void> {
  const proposal = await ledger.proposal(id);
  if (!proposal || isSettled(proposal.status)) return;
  const { verdicts, pointsBefore, pointsAfter } = proposal;
  await ledger.record({ type: 'refused', data: { proposal: id, verdicts, pointsBefore, pointsAfter, reason } });
  emit({ type: 'status' });
}

/** True for an open proposal that is to replace another proposal. */
function isOpenReplacement({ replaces, status }: Pick<Proposal, 'replaces' | 'status'>): boolean {
  return replaces !== undefined && !isSettled(status);
}

/**
 * Drops the replacements that dead processes have left behind, which are those whose original still waits. A live
 * process holds the lock `probation` while it applies a change, and the lock of the original's verification while it
 * rebases the original.
 */
async function dropAbandonedReplacements(context: SessionContext): Promise<void> {
  const { ledger, ports } = context;
  const lock = await ports.lock.acquire('probation');
  if (!lock) return;
  try {
    for (const { id, replaces } of (await ledger.proposals()).filter(isOpenReplacement))
      if (replaces !== undefined) await dropAbandonedReplacement(context, id, replaces);
  } finally {
    await lock.release();
  }
}

/** Drops a replacement, unless a live process is verifying or rebasing its original. */
async function dropAbandonedReplacement(context: SessionContext, id: string, replaces: string): Promise<void> {
  const lock = await acquireVerificationLock(context, replaces);
  if (!lock) return;
  try {
    // A live process may have finished before this one got the lock.
    const [proposal, original] = [await context.ledger.proposal(id), await context.ledger.proposal(replaces)];
    if (!proposal || proposal.status === 'verifying' || !original || isSettled(original.status)) return;
    await dropReplacement(context, id, `${INTERRUPTED_REASON} "${original.title}" waits in its place.`);
  } finally {
    await lock.release();
  }
}
