// Checks the kill switch for work that must not start or continue while Selfware is stopped.

import { SelfwareError } from '../../util/typedError.ts';
import type { Ledger } from './ledger.ts';

/**
 * Throws `forbidden` while Selfware is stopped. Reads the ledger on each call, because another process may have stopped
 * Selfware.
 */
export async function throwIfStopped(ledger: Pick<Ledger, 'isStopped'>): Promise<void> {
  if (!(await ledger.isStopped())) return;
  throw new SelfwareError('forbidden', 'Selfware is stopped for this repository: somebody ran `selfware stop`.', {
    action: 'Run `selfware resume` first.',
  });
}
