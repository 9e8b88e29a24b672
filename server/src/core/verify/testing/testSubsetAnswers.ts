// Creates the answers of the gate `tests` if only the test files that reach the change were run, such as in a preview.

import { ONLY_FILES } from '../../model/evidence.ts';
import { formatCount, unknown, type GateAnswer } from '../answer.ts';
import { createCommandEvidence } from '../commandEvidence.ts';
import type { ChosenTests } from './chosenTests.ts';

/** Returns the answer with a sentence that the other tests have not run yet, and `ONLY_FILES` in its evidence. */
export function addSubsetNote(answer: GateAnswer, { base }: ChosenTests): GateAnswer {
  const files = new Set(base.value?.cases?.flatMap(({ file }) => file ?? [])).size;
  const subset =
    files === 0 ? 'the test files that reach the change' : `${formatCount(files, 'test file')} that can reach it`;
  return {
    ...answer,
    reason: `${answer.reason} Only ${subset} ran; all tests run before it is applied.`,
    evidence: { ...answer.evidence, [ONLY_FILES]: files },
  };
}

/** The answer if no test of these files passes, most often because the test command does not run these files. */
export function answerWithoutPassingTest({ base }: ChosenTests, testFiles: readonly string[]): GateAnswer {
  const files = formatCount(testFiles.length, 'test file');
  return unknown(
    `No test passes in the ${files} that can reach the change, without it. All tests run before it is applied.`,
    { ...createCommandEvidence(base.answer), [ONLY_FILES]: testFiles.length },
  );
}
