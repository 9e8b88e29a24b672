// Determines the answer of the gate `integrity` in a judgement: whether tests were weakened, checks silenced, or faults
// hidden.

import { throwIfCancelled } from '../../../../util/typedError.ts';
import type { FileEdit } from '../../../model.ts';
import { WEAKENING_KINDS } from '../../../model/judgement.ts';
import { HIDDEN_KEY } from '../../../model/proofs.ts';
import { isForContributors } from '../../../paths/nonSourcePaths.ts';
import { isTestEdit } from '../../../paths/testEdits.ts';
import { failed, passed, unknown, type GateAnswer } from '../../answer.ts';
import { describeUnknownDocNames, formatNote } from '../../integrity/docNameDoubts.ts';
import { isInertManifestEdit } from '../../integrity/inertManifests.ts';
import { findNewStateDoubts, NO_TIME_FOR_STATE } from '../../integrity/newStateDoubts.ts';
import { findSuspiciousUses } from '../../integrity/suspiciousAccess.ts';
import { findSilencedChecks } from '../../integrity/weakenedChecks.ts';
import { describeReason } from '../brokenChecks.ts';
import { createUnreadableDoubts } from '../files/unreadable.ts';
import { joinFirstThree, describeWeakenedTest } from '../judgementTexts.ts';
import type { Judgement } from './judgement.ts';

/** Failed if a test was weakened; unknown if a person must look at something; otherwise passed. */
export async function answerIntegrity(judgement: Judgement): Promise<GateAnswer> {
  const { context, change, testChanges } = judgement;
  const { edits } = change;
  const weakeningChanges = testChanges.filter(({ kind }) => WEAKENING_KINDS.has(kind));
  const silencedChecks = findSilencedChecks(edits);
  const suspiciousUses = findSuspiciousUses(edits);
  const hiddenFaultSentences = await findHiddenFaults(judgement);
  const unknownNames = await describeUnknownDocNames(context, edits);
  const evidence = {
    ...(unknownNames === null ? {} : { unknownNames }),
    weakened: weakeningChanges.length,
    ...(hiddenFaultSentences.length > 0 ? { [HIDDEN_KEY]: hiddenFaultSentences.join('\n') } : {}),
    ...(silencedChecks.length > 0 ? { silenced: silencedChecks.join('\n') } : {}),
    ...(suspiciousUses.length > 0 ? { reaches: suspiciousUses.join('\n') } : {}),
  };
  if (weakeningChanges.length > 0) {
    const subject =
      weakeningChanges.length === 1
        ? 'A test that was there is'
        : `${weakeningChanges.length} tests that were there are`;
    return failed(`${subject} weakened: ${joinFirstThree(weakeningChanges.map(describeWeakenedTest))}.`, evidence);
  }
  const doubts = [
    ...createUnreadableDoubts(change, context.isJudge),
    ...hiddenFaultSentences,
    ...silencedChecks,
    ...suspiciousUses,
  ];
  const mayDecideOnChanges = (edit: FileEdit) =>
    context.isJudge(edit.path) && !isForContributors(edit.path) && !isTestEdit(edit) && !isInertManifestEdit(edit);
  const editedJudgePaths = edits.filter(mayDecideOnChanges).map(({ path }) => path);
  if (editedJudgePaths.length > 0)
    doubts.push(`It edits what changes are judged by: ${joinFirstThree(editedJudgePaths)}.`);
  if (doubts.length > 0) return unknown(`A person has to look at it. ${doubts.slice(0, 3).join(' ')}`, evidence);
  return passed(
    `No test that was there checks less, and nothing silences a check.${formatNote(unknownNames)}`,
    evidence,
  );
}

/**
 * Sentences about code that may hide a fault. If the search fails, returns a sentence about the failure instead,
 * because a policy may demand that there is no such code.
 */
async function findHiddenFaults({ context, change, signal }: Judgement): Promise<readonly string[]> {
  try {
    const code = change.edits.filter((edit) => !context.isJudge(edit.path) && !isTestEdit(edit));
    const newStateDoubts = await findNewStateDoubts(context, code);
    return [...(await context.findHiddenFaults(change)), ...(newStateDoubts ?? [NO_TIME_FOR_STATE])];
  } catch (error) {
    throwIfCancelled(signal);
    return [`Code that may hide a fault was not looked for: ${describeReason(error)}.`];
  }
}
