// Refuses to report lessons if the ledger is damaged, because a report on a part of the ledger would look complete.

import type { Session } from '../../../core/session.ts';
import { SelfwareError } from '../../../util/typedError.ts';

/** Throws `damaged` if the ledger is damaged. */
export async function requireIntactLedger({ ledger }: Pick<Session, 'ledger'>): Promise<void> {
  const { intact, reason } = await ledger.verify();
  if (intact) return;
  throw new SelfwareError('damaged', `The ledger is damaged: ${reason ?? 'unknown reason'}`, {
    action: 'What was learned is in it. Run `selfware ledger verify`.',
  });
}
