// The kill switch, as work that must not begin or continue reads it.

import { SelfwareError } from '../../util/typedError.ts';
import type { Ledger } from './ledger.ts';

/** Throws `forbidden` while Selfware is stopped. Reads the ledger each time: another process may have stopped it. */
export async function refuseStopped(ledger: Pick<Ledger, 'isStopped'>): Promise<void> {
  if (!(await ledger.isStopped())) return;
  throw new SelfwareError('forbidden', 'Selfware is stopped for this repository.', {
    action: 'Run `selfware resume` first.',
  });
}
