// Distinguishes verdicts that prove that a change keeps behaviour from verdicts that only make it likely.

import type { Verdict } from '../model.ts';
import { MENDS_ONLY } from './evidence.ts';

/**
 * Key in the evidence of a comparison that uses only calls which the tests make: the number of these calls. Such a
 * comparison may pass, but proves nothing about other calls.
 */
export const TRACED_CALLS = 'tracedCalls';

/**
 * Key in the evidence of a verdict that makes it likely, without a proof, that behaviour is kept. The value is the
 * reason, in words.
 */
export const UNPROVEN_KEY = 'unproven';

/**
 * Key in the evidence of a verdict. It is set if the new code treats a literal of the test or call that shows the claim
 * as a special case. The value is a phrase such as “asks for 17”. The code may be written only for that test or call.
 */
export const SPECIAL_KEY = 'special';

/**
 * Key in the evidence of the gate `integrity`: the places of new code that may hide a fault from the tests, one
 * sentence per line.
 */
export const HIDDEN_KEY = 'hidden';
/** The text of the demand that new code has no places which may hide a fault from the tests. */
export const HIDDEN_DEMAND = 'nothing new may hide a fault from the tests';

/**
 * Key in the evidence of the gate `guard`: the first part of the touched code that can be removed without any test
 * noticing it, as a description for a person. Parts such as changed limits and changed texts do not count, because few
 * tests check them.
 */
export const UNNOTICED_KEY = 'unnoticedChange';

/** Key in the evidence of the gate `guard`, set to 1 if so few mutants were judged that they prove nothing. */
export const FEW_MUTANTS = 'fewMutants';

type ProofFacts = Pick<Verdict, 'gate' | 'outcome' | 'evidence'>;

/**
 * True if the comparison of old and new code proves that both behave alike: it found no difference, and is based on
 * more than the calls of the tests.
 */
export function provesEquivalence({ gate, outcome, evidence }: ProofFacts): boolean {
  const isLikelyOnly = evidence[TRACED_CALLS] !== undefined || evidence[UNPROVEN_KEY] !== undefined;
  return gate === 'differential' && outcome === 'passed' && !isLikelyOnly;
}

/**
 * A copy of a proposal with the field `isShownSame`, which is true if its verdicts prove that old and new code behave
 * alike. `describeEffect` reads this field.
 */
export function addShownEffect<T extends { readonly verdicts: readonly ProofFacts[] }>(
  proposal: T,
): T & { readonly isShownSame: boolean } {
  return { ...proposal, isShownSame: proposal.verdicts.some(provesEquivalence) };
}

/** True if old and new code behaved alike in the calls that the tests make. */
export function isSameInTestCalls({ gate, outcome, evidence }: ProofFacts): boolean {
  return gate === 'differential' && outcome === 'passed' && evidence[TRACED_CALLS] !== undefined;
}

/**
 * True if old and new code behaved alike in generated calls that make it likely, without proving it, such as in Python.
 */
export function isLikelySame({ gate, outcome, evidence }: ProofFacts): boolean {
  return gate === 'differential' && outcome === 'passed' && evidence[UNPROVEN_KEY] !== undefined;
}

/**
 * True for a verdict that shows that behaviour is kept: a comparison that found no difference, or tests that notice the
 * mutants of a change by one of Selfware's recipes. Changes by other authors may omit code that no mutant represents.
 */
export function isProof(verdict: ProofFacts): boolean {
  const { gate, outcome, evidence } = verdict;
  return (
    provesEquivalence(verdict) || (gate === 'guard' && outcome === 'passed' && evidence[UNPROVEN_KEY] === undefined)
  );
}

/**
 * True if the comparison found calls that no longer fail and no other difference, and the tests notice the mutants of
 * the change, which are enough in number.
 */
export function provesFix(verdicts: readonly ProofFacts[]): boolean {
  return (
    verdicts.some(({ gate, evidence }) => gate === 'differential' && evidence[MENDS_ONLY] === 1) &&
    verdicts.some(
      ({ gate, outcome, evidence }) => gate === 'guard' && outcome === 'passed' && evidence[FEW_MUTANTS] === undefined,
    )
  );
}

/**
 * A sentence for a person if the change seems to be written only for its tests, or for the call that shows its claim;
 * otherwise null.
 */
export function describeOverfit(verdicts: readonly Pick<Verdict, 'gate' | 'evidence'>[]): string | null {
  for (const { gate, evidence } of verdicts) {
    const evidenceWord = gate === 'differential' ? 'call' : 'test';
    const treatment = evidence[SPECIAL_KEY];
    if (typeof treatment === 'string')
      return `Its code ${treatment}, which the ${evidenceWord} uses: it may fit that ${evidenceWord} alone.`;
  }
  return null;
}
