// Decides whether mutants are unnecessary because the comparison of old and new code has already decided.

import { provesEquivalence } from '../../../model/proofs.ts';
import type { VerifyContext } from '../../context.ts';
import type { GateInput } from '../../gate.ts';
import { unknown, type GateAnswer } from '../../answer.ts';

/** The answer of the gate guard if mutants of the touched lines would show nothing new; null if mutants are needed. */
export function answerIfNeedless(
  verdicts: GateInput['verdicts'],
  { wantsMutants }: Pick<VerifyContext, 'wantsMutants'>,
): GateAnswer | null {
  if (!wantsMutants && verdicts.some(provesEquivalence))
    return unknown('Not needed: the comparison of the old and the new code has shown more.');
  if (verdicts.some(({ gate, evidence }) => gate === 'differential' && evidence['unexported'] !== undefined))
    return unknown('Not needed: only what is exported changes, which no mutant of the code would show.', {
      possible: 0,
    });
  return null;
}
