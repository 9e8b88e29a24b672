// Adds a note to a verdict if no test notices a difference that a change makes.

import type { Verdict } from '../../model.ts';
import type { TreeChange } from '../../model/judgement.ts';
import { isSnapshot, isTestData } from '../../paths/tests.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import type { GateAnswer } from '../answer.ts';

/**
 * The answer of the comparison. If it shows a call with a different result, adds a note that the tests do not notice
 * it, if the change does not edit the tests, and all of them pass with and without it.
 */
export function addUnnoticedNote(
  answer: GateAnswer,
  verdicts: readonly Verdict[],
  { edits, bytes, left }: Pick<TreeChange, 'edits' | 'bytes' | 'left'>,
): GateAnswer {
  const tests = verdicts.find(({ gate }) => gate === 'tests');
  const changesTests = edits.some((edit) => isTestEdit(edit) || isTestData(edit.path) || isSnapshot(edit.path));
  if (answer.evidence?.['call'] === undefined || changesTests || bytes.length + left.length > 0) return answer;
  const allTestsPass =
    tests?.outcome === 'passed' && tests.evidence['failed'] === 0 && tests.evidence['failedBefore'] === 0;
  return allTestsPass
    ? { ...answer, reason: `${answer.reason} The tests pass with and without it: none notices.` }
    : answer;
}
