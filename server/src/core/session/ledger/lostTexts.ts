// Reports the proposals whose texts a damaged store has lost, so that no waiting proposal disappears silently.

import type { DoctorFinding } from '../../session.ts';
import { notify, type SessionContext } from '../context.ts';

const RECOVERY_ACTION = 'Propose it again, or reject it.';
const STORE_DAMAGED =
  'The file contents.db in the state folder was damaged or truncated; the ledger and your files are intact.';

/** Adds a notice about waiting proposals that can no longer be used, if there are any. */
export async function reportLostTexts(context: SessionContext): Promise<void> {
  const { open } = await context.ledger.lostTexts();
  if (open.length === 0) return;
  notify(context, {
    severity: 'error',
    message: `${describeLostProposals(open)} ${STORE_DAMAGED}`,
    action: RECOVERY_ACTION,
  });
}

/** The finding for `doctor`, which also covers proposals that have been decided. */
export async function findLostTexts(context: SessionContext): Promise<DoctorFinding> {
  const { open, decided } = await context.ledger.lostTexts();
  const name = 'proposals';
  if (open.length > 0)
    return { name, outcome: 'bad', detail: `${describeLostProposals(open)} ${STORE_DAMAGED}`, action: RECOVERY_ACTION };
  if (decided === 0) return { name, outcome: 'good', detail: 'the texts of all proposals are present', action: null };
  const detail = `The texts of ${decided} decided proposals are lost; their changes can no longer be shown. ${STORE_DAMAGED}`;
  const action = 'No waiting proposal needs them. Restore the file from a backup, if there is one.';
  return { name, outcome: 'degraded', detail, action };
}

function describeLostProposals(open: Awaited<ReturnType<SessionContext['ledger']['lostTexts']>>['open']): string {
  const descriptions = open.map(({ id, title, lost }) => `${id} "${title}" (${lost})`).join(', ');
  const owner = open.length === 1 ? 'a proposal that waits' : `${open.length} proposals that wait`;
  return `The texts of ${owner} are lost: ${descriptions}.`;
}
