// Keeps changes from editing judge files (tests, snapshots, configuration, thresholds), and rejects changes that newly
// silence a check.

import type { FileEdit } from '../../../model.ts';
import { authorOf, type Author } from '../../../model/authors.ts';
import { ONLY_APPENDS, TESTS_ONLY_ADDED } from '../../../model/evidence.ts';
import { importsTestRunner } from '../../../paths/runnerImports.ts';
import type { Gate } from '../../gate.ts';
import { onlyAddsGoCases } from '../../claims/addedGoCases.ts';
import { onlyAddsPythonCases } from '../../claims/addedPythonCases.ts';
import { onlyAddsCases } from '../../claims/addedTests.ts';
import { describeUnknownDocNames, formatNote } from '../../integrity/docNameDoubts.ts';
import { findNewStateDoubts, NO_TIME_FOR_STATE } from '../../integrity/newStateDoubts.ts';
import { findWeakenedChecks } from '../../integrity/weakenedChecks.ts';
import { findSuspiciousUses } from '../../integrity/suspiciousAccess.ts';
import { formatCount, failed, passed, unknown } from '../../answer.ts';
import { markTimeDependent } from '../../busyMachine.ts';

/**
 * Authors for which the gate fails if their comments name something that does not exist. For other authors, and for
 * changes that a person has corrected, this is only a note.
 */
const MACHINE_AUTHORS: ReadonlySet<Author> = new Set(['model', 'agent', 'client']);

/**
 * Judges only the edits; changes of judge files by commands are watched while the commands run
 * (`integrity/watchJudgeFiles.ts`). An edit of a judge file never passes: such a proposal has its own safety class, and
 * the charter asks a person about it.
 */
export const gate: Gate = async ({ context, edits, proposal }) => {
  const weakenings = await findWeakenedChecks(edits, context);
  if (weakenings.length > 0)
    return failed(`A check is weakened. ${weakenings.slice(0, 3).join(' ')}${weakenings.length > 3 ? ' …' : ''}`, {
      weakened: weakenings.length,
    });
  const unknownNames = await describeUnknownDocNames(context, edits);
  if (unknownNames !== null && !proposal.isCorrected && MACHINE_AUTHORS.has(authorOf(proposal)))
    return failed(unknownNames, { unknownNames });
  const usesTestRunner = ({ before, after }: FileEdit) =>
    [before, after].some((text) => text !== null && importsTestRunner(text));
  const judgeEdits = edits.filter((edit) => context.isJudge(edit.path) || usesTestRunner(edit));
  const isBuiltIn = context.isBuiltInRecipe?.(proposal.recipe) ?? false;
  const judgePaths = judgeEdits.map(({ path }) => path);
  const code = edits.filter((edit) => !judgeEdits.includes(edit));
  const stateDoubts = isBuiltIn ? [] : await findNewStateDoubts(context, code);
  const shownStateDoubts = stateDoubts ?? [NO_TIME_FOR_STATE];
  const remarks = [...findSuspiciousUses(edits), ...shownStateDoubts];
  if (judgePaths.length > 0) {
    const isHarmless = shownStateDoubts.length === 0 && findSuspiciousUses(code).length === 0;
    // For tests of Python and Go, the reached code is known only if their calls were measured.
    const isMeasured = context.isMeasured?.(proposal) ?? false;
    const addsCases = (candidates: typeof edits) =>
      onlyAddsCases(candidates) || (isMeasured && (onlyAddsPythonCases(candidates) || onlyAddsGoCases(candidates)));
    const onlyAddsTests = isHarmless && addsCases(judgeEdits);
    const files = `${formatCount(judgePaths.length, 'file')} that changes are judged by`;
    const sentences = [
      `It edits ${files}: tests, snapshots or settings (${joinPaths(judgePaths)}).`,
      onlyAddsTests
        ? 'It only adds test cases, which may go on without a person if they show what they claim.'
        : 'A person has to look at it.',
      ...remarks,
    ];
    return unknown(
      sentences.join(' '),
      // The charter may accept added cases if they show their claim; this gate does not pass them.
      {
        judges: judgePaths.length,
        ...(addsCases(edits) ? { [ONLY_APPENDS]: 1 } : {}),
        ...(onlyAddsTests ? { [TESTS_ONLY_ADDED]: 1 } : {}),
        ...(isHarmless ? {} : { reaches: 1 }),
      },
    );
  }
  if (remarks.length > 0) {
    const answer = unknown(`A person has to look at it. ${remarks.join(' ')}`, { reaches: remarks.length });
    return stateDoubts === null ? markTimeDependent(answer) : answer;
  }
  const unreachedFiles = await context.findUnreachedFiles(edits);
  if (unreachedFiles.length > 0)
    return unknown(
      `A person has to look at it. ${unreachedFiles
        .slice(0, 3)
        .map(({ reason }) => reason)
        .join(' ')}${unreachedFiles.length > 3 ? ' …' : ''}`,
      { unreached: unreachedFiles.length },
    );
  return passed(
    `No test, snapshot or setting that judges a change is edited, and nothing silences a check.${formatNote(unknownNames)}`,
    { files: edits.length, ...(unknownNames === null ? {} : { unknownNames }) },
  );
};

function joinPaths(paths: readonly FileEdit['path'][]): string {
  return `${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ', …' : ''}`;
}
