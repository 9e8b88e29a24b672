// Checks the improvement that the change claims. Of several claims, the first that is shown counts
// (core/model/claims.ts).

import type { ClaimKind } from '../../../model/claims.ts';
import { CLAIM_KIND, NEEDS_SAME } from '../../../model/evidence.ts';
import { findRemovedDependency } from '../../../model/removedDependency.ts';
import { checkFewerFindings } from '../../claims/findings.ts';
import { checkFix } from '../../claims/fix.ts';
import { checkNewTests } from '../../claims/newTests.ts';
import { explainMissingFindings, findClaimsOfOtherGates } from '../../claims/claimVerdicts.ts';
import { UPDATE_DEPENDENCY } from '../../../model/updatedDependency.ts';
import { checkUpdate } from '../../claims/update.ts';
import { checkRemoval } from '../../claims/removedDependency.ts';
import { checkGain } from '../../claims/speed.ts';
import { checkTypes } from '../../claims/exactTypes.ts';
import type { FileEdit } from '../../../model.ts';
import { isTestEdit } from '../../../paths/testEdits.ts';
import type { Gate, GateInput } from '../../gate.ts';
import { failed, passed, unknown, type GateAnswer } from '../../answer.ts';

const GATE_BY_CLAIM: Readonly<Partial<Record<ClaimKind, Gate>>> = {
  fix: (run, signal) => checkFix(run, 'fix', signal),
  request: (run, signal) => {
    if (run.proposal.recipe === UPDATE_DEPENDENCY) return checkUpdate(run);
    return findRemovedDependency(run.edits) === null ? checkFix(run, 'request', signal) : checkRemoval(run, signal);
  },
  tests: checkTests,
  types: checkTypes,
  findings: checkFewerFindings,
  speed: (run, signal) => checkGain(run, signal, 'time'),
  memory: (run, signal) => checkGain(run, signal, 'memory'),
};

/**
 * Checks new tests. If the change also edits code, the tests are judged with the new code on both sides, and the
 * comparison must show that the code preserves its behaviour.
 */
async function checkTests(run: GateInput, signal: AbortSignal): Promise<GateAnswer> {
  const texts = new Map(run.edits.filter((edit) => !isTestEdit(edit)).map(({ path, after }) => [path, after]));
  if (texts.size === 0) return checkNewTests(run, signal);
  const { testedSources } = run.context;
  const context = testedSources
    ? {
        ...run.context,
        testedSources: async (edits: readonly FileEdit[]) =>
          (await testedSources(edits)).map((source) => ({ ...source, text: texts.get(source.path) ?? source.text })),
      }
    : run.context;
  const answer = await checkNewTests({ ...run, context, edits: run.edits.filter(isTestEdit) }, signal);
  return answer.outcome === 'passed' ? unknown(answer.reason, { ...answer.evidence, [NEEDS_SAME]: 1 }) : answer;
}

/** The answer to the claim that a linter finds fewer problems. */
function answerByLinter({ verdicts }: GateInput): GateAnswer {
  const lint = verdicts.find((verdict) => verdict.gate === 'lint');
  if (!lint || lint.outcome === 'unknown') return unknown(lint?.reason ?? 'No linter has counted its findings.');
  const { problemsBefore = null, problems = null } = lint.evidence;
  const evidence = { problemsBefore, problems };
  return explainMissingFindings(verdicts) === null
    ? passed(`The linter finds less (${problemsBefore} → ${problems}), and nothing new.`, evidence)
    : failed('The linter finds no less.', evidence);
}

export const gate: Gate = async (run, signal) => {
  if (!run.context.trusted) return unknown('Not run: the workspace is not trusted.');
  const score = run.verdicts.find((verdict) => verdict.gate === 'score');
  const doPointsRise = score?.outcome === 'passed';
  const openKinds = score && !doPointsRise ? findClaimsOfOtherGates(score) : null;
  const answers: GateAnswer[] = [];
  for (const kind of run.context.claimsOf?.(run.proposal, run.edits) ?? []) {
    const checkClaim = GATE_BY_CLAIM[kind];
    // For the findings of a linter, the gate `lint` has already counted them.
    if (kind === 'findings' && !run.context.isBuiltInRecipe?.(run.proposal.recipe)) {
      if (run.proposal.claimed !== kind) continue;
      const answerOfLinter = answerByLinter(run);
      answers.push({ ...answerOfLinter, evidence: { [CLAIM_KIND]: kind, ...answerOfLinter.evidence } });
      if (answerOfLinter.outcome === 'passed') break;
      continue;
    }
    if (!checkClaim || (openKinds && !openKinds.includes(kind))) continue;
    const isTriedAfterFix = kind === 'tests' && run.proposal.claimed === undefined && !run.edits.every(isTestEdit);
    // If the points rise, the tests need not notice more mistakes.
    if (isTriedAfterFix && doPointsRise) continue;
    const answer = await checkClaim(run, signal);
    // The reason why these tests show nothing would hide the reason why no test shows a fix.
    if (isTriedAfterFix && !(NEEDS_SAME in (answer.evidence ?? {}))) continue;
    answers.push({ ...answer, evidence: { [CLAIM_KIND]: kind, ...answer.evidence } });
    if (answer.outcome === 'passed') break;
  }
  const firstPassed = answers.find(({ outcome }) => outcome === 'passed');
  if (firstPassed) return firstPassed;
  // A requested refactoring stays a request even if the points rise, so that a person decides on it.
  const isRequested = answers.some(({ evidence }) => NEEDS_SAME in (evidence ?? {}));
  if (score && doPointsRise && run.proposal.claimed === undefined && !isRequested)
    return passed(`What it gains are points: ${score.reason}`, { [CLAIM_KIND]: 'points' });
  return (
    answers.find(({ outcome }) => outcome === 'unknown') ??
    answers[0] ??
    unknown('It claims nothing that can be shown.')
  );
};
