// What a judged change makes better, as far as its edits allow a guess: every claim that may hold is tried and
// reported.

import { isProse } from '../../paths/others.ts';
import type { Claim, ClaimKind } from '../../model/claims.ts';
import { claimsByForm } from '../claims/claimsOf.ts';
import { showFix } from '../claims/fix.ts';
import { showNewTests } from '../claims/newTests.ts';
import { KIND } from '../claims/shown.ts';
import { showTypes } from '../claims/types.ts';
import type { Gate, GateRun } from '../gate.ts';
import { passed, unknown, type GateAnswer } from '../answer.ts';

/** Runs on each side. Nothing is applied unasked by such a claim, so fewer than of a proposal are enough to see chance. */
const TIMES = 2;

const SHOW: Readonly<Partial<Record<ClaimKind, Gate>>> = {
  fix: (run, signal) => showFix(run, 'fix', signal, TIMES),
  tests: showNewTests,
  types: showTypes,
};

/** Nobody has claimed anything, so a claim that does not hold is no failure. */
export async function showClaims(
  run: GateRun,
  signal: AbortSignal,
): Promise<{ readonly claims: readonly Claim[]; readonly answer: GateAnswer }> {
  const edits = run.edits.filter(({ path }) => !isProse(path));
  const kinds = edits.length === 0 ? [] : claimsByForm(edits).filter((kind) => SHOW[kind] !== undefined);
  const claims: Claim[] = [];
  for (const kind of kinds) {
    const { outcome, reason } = await SHOW[kind]!({ ...run, edits }, signal);
    claims.push({ kind, holds: outcome === 'unknown' ? null : outcome === 'passed', evidence: reason, price: null });
    if (outcome === 'passed') return { claims, answer: passed(reason, { [KIND]: kind }) };
  }
  return {
    claims,
    answer: unknown(claims[0]?.evidence ?? 'It shows nothing that it makes better, and nothing has to be shown.'),
  };
}
