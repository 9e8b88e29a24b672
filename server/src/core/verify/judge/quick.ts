// A quick judgement, for hooks: it runs the checks of the repository and the old tests, and examines the edits. It
// compares no calls and tries no mutants.

import type { GateName } from '../../model/gates.ts';
import { gatesOfStages } from '../../model/gateStages.ts';
import { unknown, type GateAnswer } from '../answer.ts';

/** The gates that a quick judgement omits: all that run commands but the repository's own checks. */
const OMITTED_GATES: ReadonlySet<GateName> = new Set(gatesOfStages('timing', 'claim', 'behaviour', 'mutants'));

/** The answer of a gate that a quick judgement omits; null for other gates, and if the judgement is not quick. */
export function answerIfLeftOut(gate: GateName, { quick = false }: { readonly quick?: boolean }): GateAnswer | null {
  return quick && OMITTED_GATES.has(gate) ? unknown('Left out by `--quick`.', { leftOut: 1 }) : null;
}

/** The last line of a quick judgement. */
export const QUICK_TEXT =
  'Left out by `--quick`: the comparison of calls, what the change claims, mutants and measured times.';

/** The result of a demand that only omitted gates could meet. */
export const UNJUDGED_TEXT = '`--quick` leaves out what could show it.';

/** True if a gate was omitted, so that the strength is at most `checked`. */
export function isLeftOut({ evidence }: Pick<GateAnswer, 'evidence'>): boolean {
  return evidence['leftOut'] === 1;
}
