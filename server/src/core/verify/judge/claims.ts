// Tries to show the improvement of a judged change: tries the claims that fit the form of its edits, in order, until
// one is shown.

import type { FileEdit } from '../../model.ts';
import { isProse } from '../../paths/nonSourcePaths.ts';
import type { Claim, ClaimKind } from '../../model/claims.ts';
import { findClaimsByForm } from '../claims/claimsOf.ts';
import { checkFix } from '../claims/fix.ts';
import { checkNewTests } from '../claims/newTests.ts';
import { CLAIM_KIND, SEEN_ONCE } from '../../model/evidence.ts';
import { checkTypes } from '../claims/exactTypes.ts';
import type { Gate, GateInput } from '../gate.ts';
import { passed, unknown, type GateAnswer } from '../answer.ts';

/**
 * Number of runs on each side. A claim of a judged change never leads to an unattended change, so fewer runs than for a
 * proposal suffice.
 */
const RUN_COUNT = 2;

/** The gate that shows each claim. Other claims are not tried. */
const GATE_BY_CLAIM: Readonly<Partial<Record<ClaimKind, Gate>>> = {
  fix: (run, signal) => checkFix(run, 'fix', signal, RUN_COUNT),
  tests: checkNewTests,
  types: checkTypes,
};

/** The improvement for which each claim stands, as a phrase for people. */
const IMPROVEMENT_BY_CLAIM: Readonly<Partial<Record<ClaimKind, string>>> = {
  fix: 'a failing test that passes with it',
  tests: 'a mistake that only its new tests notice',
  types: 'fewer `any`, `!` and `as`',
};

/**
 * Tries the claims. Returns the tried claims and the answer of the gate. The author has made none of these claims, so a
 * claim that is not shown is not a failure.
 */
export async function tryClaims(
  run: GateInput,
  signal: AbortSignal,
): Promise<{ readonly claims: readonly Claim[]; readonly answer: GateAnswer }> {
  const edits = run.edits.filter(({ path }) => !isProse(path));
  const claims: Claim[] = [];
  let reasonSeenOnce: string | null = null;
  for (const kind of listApplicableClaims(edits)) {
    const { outcome, reason, evidence } = await GATE_BY_CLAIM[kind]!({ ...run, edits }, signal);
    if (evidence?.[SEEN_ONCE] !== undefined) reasonSeenOnce = reason;
    claims.push({ kind, holds: outcome === 'unknown' ? null : outcome === 'passed', evidence: reason, price: null });
    if (outcome === 'passed') return { claims, answer: passed(reason, { [CLAIM_KIND]: kind }) };
  }
  return {
    claims,
    answer:
      reasonSeenOnce === null
        ? unknown(describeNotShown(claims))
        : unknown(`Shown once: ${reasonSeenOnce}`, { [SEEN_ONCE]: 1 }),
  };
}

/** The claims that fit these edits and that a gate can show. */
export function listApplicableClaims(edits: readonly FileEdit[]): readonly ClaimKind[] {
  if (edits.length === 0) return [];
  return findClaimsByForm(edits).filter((kind) => GATE_BY_CLAIM[kind] !== undefined);
}

/**
 * The sentence about the improvements that were not shown, with the reason for the first. A judged change need not show
 * any claim.
 */
function describeNotShown(claims: readonly Claim[]): string {
  const [first] = claims;
  if (!first) return 'It shows nothing that it makes better, and nothing has to be shown.';
  const phrase = claims.map(({ kind }) => IMPROVEMENT_BY_CLAIM[kind] ?? kind).join(', and ');
  return `Not shown, and not demanded: ${phrase}. ${first.evidence}`;
}
