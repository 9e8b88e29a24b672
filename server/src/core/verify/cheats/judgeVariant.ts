// Decides whether a verification caught a change that was made worse on purpose.

import type { VariantOutcome } from '../../model/cheats.ts';
import type { Verdict } from '../../model.ts';
import { BUSY } from '../busy.ts';
import { claimOf } from '../claims/shown.ts';
import type { Verification } from '../verify.ts';

/** The outcome for a variant. `reason`: why it did not pass; null if it did. */
export interface TriedVariant {
  readonly outcome: VariantOutcome;
  readonly reason: string | null;
}

/**
 * The outcome is `caught` only if a gate failed or the claim no longer holds: a busy machine, a tool that does not run,
 * or a person who would be asked anyway show nothing. `reasonToAsk`: that of the charter for these verdicts.
 */
export function judgeVariant(
  verification: Verification,
  reasonToAsk: (verdicts: readonly Verdict[]) => string | null,
): TriedVariant {
  const { verdicts } = verification;
  const isBusy = verdicts.some(({ evidence }) => evidence[BUSY] !== undefined);
  const isCaught =
    verdicts.some(({ outcome }) => outcome === 'failed') || (!isBusy && claimOf(verdicts)?.holds === false);
  if (verification.outcome !== 'verified')
    return { outcome: isCaught ? 'caught' : 'unknown', reason: verification.reason };
  const reason = reasonToAsk(verdicts);
  if (reason === null) return { outcome: 'escaped', reason };
  return { outcome: isCaught ? 'caught' : 'unknown', reason };
}
