// Refuses to say what was learned if the ledger is damaged: an answer from a part of it would look like a whole one.

import type { Session } from '../../../core/session.ts';
import { SelfwareError } from '../../../util/typedError.ts';

/** Throws `damaged` if the ledger is. */
export async function requireIntactLedger({ ledger }: Pick<Session, 'ledger'>): Promise<void> {
  const { intact, reason } = await ledger.verify();
  if (intact) return;
  throw new SelfwareError('damaged', `The ledger is damaged: ${reason ?? 'unknown reason'}`, {
    action: 'What was learned is in it. Run `selfware ledger verify`.',
  });
}
