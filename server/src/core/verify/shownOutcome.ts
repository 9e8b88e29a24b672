// Decides how a verdict is shown to a person. Some verdicts are unknown because nothing had to be proved; a person who
// reads `unknown` there looks for a fault that does not exist. The stored outcome stays `unknown`.

import type { FileEdit, Proposal, Verdict } from '../model.ts';
import { JUDGED_BY, TESTS_ONLY_ADDED } from '../model/evidence.ts';
import { provesEquivalence } from '../model/proofs.ts';
import { isProse } from '../paths/nonSourcePaths.ts';
import { isTestEdit } from '../paths/testEdits.ts';

/** The outcome of a verdict as a person sees it. */
export type ShownOutcome = Verdict['outcome'] | 'not needed';

type Facts = Pick<Proposal, 'edits' | 'verdicts' | 'claim'>;

/** The outcome of a verdict as a person sees it. */
export function toShownOutcome(verdict: Verdict, proposal: Facts): ShownOutcome {
  return explainNotNeeded(verdict, proposal) === null ? verdict.outcome : 'not needed';
}

/**
 * The reason why an unknown verdict of this proposal leaves nothing open, as a clause; null if it leaves something
 * open.
 */
export function explainNotNeeded({ gate, outcome, evidence }: Verdict, proposal: Facts): string | null {
  if (outcome !== 'unknown') return null;
  const { verdicts, claim } = proposal;
  switch (gate) {
    case 'score':
      return evidence[JUDGED_BY] === 'claim' && verdicts.some((verdict) => verdict.gate === 'claim')
        ? 'another check decides what gets better'
        : null;
    case 'integrity':
      return claim?.holds === true && claim.kind === 'tests' && TESTS_ONLY_ADDED in evidence
        ? 'the change only adds test cases'
        : null;
    case 'differential':
      return explainNoCode(proposal.edits);
    case 'guard':
      return explainNoCode(proposal.edits) ?? explainNoMutants(verdicts);
    default:
      return null;
  }
}

/** The reason why a change has no code to run, as a clause; null if it has some. */
function explainNoCode(edits: readonly FileEdit[]): string | null {
  if (edits.length === 0 || !edits.every((edit) => isProse(edit.path) || isTestEdit(edit))) return null;
  return edits.some(({ path }) => !isProse(path)) ? 'only tests change' : 'only documentation changes';
}

/** The reason why mutants would show nothing new, as a clause; null if they may. */
function explainNoMutants(verdicts: readonly Verdict[]): string | null {
  if (verdicts.some(provesEquivalence)) return 'old and new code were shown to do the same';
  return verdicts.some(({ gate, evidence }) => gate === 'differential' && evidence['unexported'] !== undefined)
    ? 'only what is exported changes'
    : null;
}
