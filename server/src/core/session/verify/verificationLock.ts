// Locks the verification of a proposal, so that two processes do not verify it at the same time.

import { SelfwareError } from '../../../util/typedError.ts';
import type { SessionContext } from '../context.ts';

/** Takes the lock of a proposal's verification; null while another live process has it. */
export function acquireVerificationLock(
  { ports }: SessionContext,
  id: string,
): Promise<{ release(): Promise<void> } | null> {
  return ports.lock.acquire(`verifying-${id}`);
}

/** Runs `work` under the lock of a proposal's verification. Throws `locked` while another process has it. */
export async function withVerificationLock<T>(context: SessionContext, id: string, work: () => Promise<T>): Promise<T> {
  const lock = await acquireVerificationLock(context, id);
  if (!lock)
    throw new SelfwareError('locked', 'Another Selfware is verifying this proposal.', {
      action: 'Wait until it is done.',
    });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
