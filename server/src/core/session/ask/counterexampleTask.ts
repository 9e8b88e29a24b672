// Creates the task to fix a function that fails for a call its types allow, with a test that shows the failure.

import { showLinesAround } from '../../proposers/excerpts.ts';
import { fenceText, joinLines, formatName } from '../../proposers/prompt.ts';
import type { CheckedCounterexample } from '../../verify/counterexamples/plan.ts';
import type { SessionContext } from '../context.ts';
import { readTextOrNull } from '../search/packing.ts';
import type { TaskText } from './taskText.ts';

/** Shares of the token budget for the code, and for the existing test file. */
const [CODE_SHARE, TESTS_SHARE] = [0.7, 0.3];

/** The task for a counterexample. `text`: the current text of the file. `budget`: tokens for files. */
export async function createCounterexampleTask(
  context: SessionContext,
  counterexample: CheckedCounterexample,
  text: string,
  budget: number,
): Promise<TaskText> {
  const { path, name, call, observed, expected, range, test } = counterexample;
  const failingTest = 'refused' in test ? null : test;
  const testFileText = failingTest && (await readTextOrNull(context, failingTest.path));
  const lineCount = testFileText?.split('\n').length ?? 0;
  return {
    sentence: [
      `In ${formatName(path)}, \`${name}\` has a defect: \`${joinLines(call)}\` ${joinLines(observed)}. ` +
        `It ${joinLines(expected)}. Correct the code.`,
      ...(failingTest ? [`This test, for ${failingTest.path}, shows the defect:`, fenceText(failingTest.text)] : []),
    ].join('\n'),
    demands: [
      failingTest
        ? formatTestDemand(failingTest.path, testFileText)
        : 'Add no test of this call: without the correction it would hang.',
      'Correct the defect for every input of its kind, not only for that of the test.',
      'Keep what the code does for all other inputs. Nothing that it exports changes its name or its parameters.',
      'If the types allow what the function cannot handle, make it throw an error that says what is wrong with the ' +
        'argument' +
        (failingTest ? ', and let the test expect that error.' : '.'),
    ],
    targets: [
      { path, text: showLinesAround(text, range.startLine, range.endLine, budget * CODE_SHARE), role: 'target' },
      ...(failingTest === null || testFileText === null
        ? []
        : [
            {
              path: failingTest.path,
              text: showLinesAround(testFileText, Math.max(1, lineCount - 30), lineCount, budget * TESTS_SHARE),
              role: 'target' as const,
            },
          ]),
    ],
    elsewhere: false,
    firstFiles: context.state.imports.get(path) ?? [],
    search: `${name} ${call}`,
  };
}

/** The demand to add the test. `tests`: the current text of the file of the test; null if it does not exist. */
function formatTestDemand(path: string, tests: string | null): string {
  return tests === null
    ? `Add the test as ${path}, and put nothing else into that file.`
    : `Add the test to ${path}, with the imports that are missing there; leave its other tests as they are.`;
}
