// A quick judgement, for hooks: the checks of the repository, its old tests and what was edited. No calls are compared,
// and no mutants are tried.

import type { GateName } from '../../model/gates.ts';
import { unknown, type GateAnswer } from '../answer.ts';

/** The gates that a quick judgement leaves out. */
const LEFT_OUT: ReadonlySet<GateName> = new Set(['timing', 'claim', 'differential', 'guard']);

/** The answer of a gate that a quick judgement leaves out; null for the others, and if the judgement is not quick. */
export function answerIfLeftOut(gate: GateName, { quick = false }: { readonly quick?: boolean }): GateAnswer | null {
  return quick && LEFT_OUT.has(gate) ? unknown('Left out by `--quick`.', { leftOut: 1 }) : null;
}

/** The last line of a quick judgement. */
export const QUICK_TEXT =
  'Left out by `--quick`: the comparison of calls, what the change claims, mutants and measured times.';

/** What was found of a demand that only gates which are left out could meet. */
export const UNJUDGED_TEXT = '`--quick` leaves out what could show it.';

/** True if a gate was left out, so that the strength is at most `checked`. */
export function isLeftOut({ evidence }: Pick<GateAnswer, 'evidence'>): boolean {
  return evidence['leftOut'] === 1;
}
