// Verifications whose process has died: their proposals return to their earlier state. A lock that the system releases
// shows which process died.

import { isSettled } from '../../ledger/proposalLife.ts';
import type { Proposal } from '../../model.ts';
import { notify, unlessDamaged, type SessionContext } from '../context.ts';

const INTERRUPTED = 'Its verification was interrupted.';

/** Held while a proposal is verified; null while another live process verifies it. */
export function holdVerification({ ports }: SessionContext, id: string): Promise<{ release(): Promise<void> } | null> {
  return ports.lock.acquire(`verifying-${id}`);
}

/**
 * Returns what a dead process left half-way to its earlier state. What live processes do is left alone. Never rejects
 * for a damaged ledger.
 */
export async function putBackInterrupted(context: SessionContext): Promise<void> {
  await unlessDamaged(context, undefined, async () => {
    const { ledger } = context;
    const known = await ledger.proposals();
    for (const { id, title } of known.filter(({ status }) => status === 'verifying')) {
      const held = await holdVerification(context, id);
      if (!held) continue;
      try {
        // It may have ended while the lock was taken.
        if ((await ledger.proposal(id))?.status !== 'verifying') continue;
        await ledger.record({ type: 'interrupted', data: { proposal: id } });
        notify(context, {
          severity: 'info',
          message: `The verification of "${title}" was interrupted. It waits as before.`,
          action: 'Checks that have passed do not run again.',
        });
      } finally {
        await held.release();
      }
    }
    if (known.some(isHalfReplacement)) await settleReplacements(context);
  });
}

/** Ends what was to take the place of another proposal and never was verified: the other one still waits. */
export async function dropReplacement(
  { ledger, emit }: SessionContext,
  id: string,
  reason = INTERRUPTED,
): Promise<void> {
  const proposal = await ledger.proposal(id);
  if (!proposal || isSettled(proposal.status)) return;
  const { verdicts, pointsBefore, pointsAfter } = proposal;
  await ledger.record({ type: 'refused', data: { proposal: id, verdicts, pointsBefore, pointsAfter, reason } });
  emit({ type: 'status' });
}

/** True for a proposal that is to replace one that waits: nobody has to decide about both. */
export function isHalfReplacement({ replaces, status }: Pick<Proposal, 'replaces' | 'status'>): boolean {
  return replaces !== undefined && !isSettled(status);
}

/** Replacements are made by whoever applies, so nobody makes one while that lock is free. */
async function settleReplacements(context: SessionContext): Promise<void> {
  const { ledger, ports } = context;
  const held = await ports.lock.acquire('probation');
  if (!held) return;
  try {
    for (const proposal of (await ledger.proposals()).filter(isHalfReplacement)) {
      const original = proposal.replaces === undefined ? null : await ledger.proposal(proposal.replaces);
      if (proposal.status === 'verifying' || !original || isSettled(original.status)) continue;
      await dropReplacement(context, proposal.id, `${INTERRUPTED} "${original.title}" waits in its place.`);
    }
  } finally {
    await held.release();
  }
}
