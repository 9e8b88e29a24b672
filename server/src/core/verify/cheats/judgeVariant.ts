// Decides whether a verification caught a change that was made worse on purpose.

import type { VariantOutcome } from '../../model/cheats.ts';
import type { Verdict } from '../../model.ts';
import { BUSY_KEY } from '../busyMachine.ts';
import { findShownClaim } from '../claims/claimVerdicts.ts';
import type { Verification } from '../verify.ts';

/** The outcome for a variant. `reason`: the reason why it did not pass; null if it did. */
export interface TriedVariant {
  readonly outcome: VariantOutcome;
  readonly reason: string | null;
}

/**
 * Judges a variant: `escaped` if it was verified and the charter would apply it unasked; `caught` if a gate failed or
 * the claim no longer holds. Otherwise `unknown`: a busy machine, a tool that does not run, or a person who would be
 * asked anyway show nothing. `reasonToAsk`: the reason why the charter asks a person with these verdicts; null if it
 * does not.
 */
export function judgeVariant(
  verification: Verification,
  reasonToAsk: (verdicts: readonly Verdict[]) => string | null,
): TriedVariant {
  const { verdicts } = verification;
  const isBusy = verdicts.some(({ evidence }) => evidence[BUSY_KEY] !== undefined);
  const isCaught =
    verdicts.some(({ outcome }) => outcome === 'failed') || (!isBusy && findShownClaim(verdicts)?.holds === false);
  if (verification.outcome !== 'verified')
    return { outcome: isCaught ? 'caught' : 'unknown', reason: verification.reason };
  const reason = reasonToAsk(verdicts);
  if (reason === null) return { outcome: 'escaped', reason };
  return { outcome: isCaught ? 'caught' : 'unknown', reason };
}
