// Creates the task to fix a test that fails in the current repository.

import { showLinesAround } from '../../proposers/excerpts.ts';
import { fenceText, formatName } from '../../proposers/prompt.ts';
import { showsDefect } from '../../verify/claims/failures.ts';
import type { TestCase } from '../../verify/parse/testCounts.ts';
import { findFailingTests } from '../../verify/testing/failingTests.ts';
import type { SessionContext } from '../context.ts';
import type { Operation } from '../../operation.ts';
import { readTextOrNull } from '../search/packing.ts';
import { createVerifyContext } from '../verify/verifying.ts';
import type { TaskRequest } from './askTypes.ts';
import type { TaskRefusal, TaskText } from './taskText.ts';

/**
 * Creates the task for a failing test. An empty name stands for the first test that shows a defect of the code, and a
 * whole name for the test of exactly this name. `budget`: tokens for files. Refused if the tests cannot be run, if no
 * such test fails, or if the cause of its failure is outside of the code.
 */
export async function createFixTask(
  context: SessionContext,
  request: Extract<TaskRequest, { readonly fix: string }>,
  budget: number,
  operation: Operation,
): Promise<TaskText | TaskRefusal> {
  const namePart = request.fix;
  const isWholeName = request.isWholeName === true;
  const failing = await findFailingTests(await createVerifyContext(context, operation), operation.signal);
  if ('refused' in failing) return failing;
  const test = chooseTest(failing, namePart, isWholeName);
  if (!test) {
    const failingText =
      failing.length === 0 ? 'All tests pass.' : `These fail: ${failing.map(({ name }) => name).join('; ')}`;
    const missingSentence = isWholeName
      ? `The test “${namePart}” does not fail.`
      : `No test with “${namePart}” in its name fails.`;
    return { refused: namePart === '' ? failingText : `${missingSentence} ${failingText}`.slice(0, 600) };
  }
  const { file, name, failure = '' } = test;
  if (failure !== '' && !showsDefect(failure))
    return {
      refused: `The test “${name}” fails because of what is around it, not because of the code: ${shortenFailure(failure)}`,
    };
  const text = file === null ? null : await readTextOrNull(context, file);
  const line = findLine(text, name);
  const targets =
    file === null || text === null
      ? []
      : [{ path: file, text: showLinesAround(text, line, line + 60, budget / 2), role: 'related' as const }];
  return {
    sentence: [
      `The test “${formatName(name)}”${file === null ? '' : ` in ${formatName(file)}`} fails. Correct the code, so that it passes.`,
      'This is what the runner says:',
      fenceText(failure),
    ].join('\n'),
    demands: [
      'The test is right, and the code is wrong: leave the test as it is.',
      'Correct the defect for every input, not only for those of the test.',
    ],
    targets,
    elsewhere: true,
    firstFiles: file === null ? [] : (context.state.imports.get(file) ?? []),
    search: `${name} ${shortenFailure(failure)}`,
    // Searches only for the runner's message, because others may also have met it. It is not shortened here: secrets
    // are removed first, because half of a secret would not be recognised.
    research: { words: failure.split('\n')[0]!, subject: `fix ${file ?? ''} › ${name}` },
  };
}

/**
 * The name of the failing test that a task with this part of a name is about; null if none fails, or if the tests
 * cannot be run.
 */
export async function findTestToFix(
  context: SessionContext,
  part: string,
  operation: Operation,
): Promise<string | null> {
  const failing = await findFailingTests(await createVerifyContext(context, operation), operation.signal);
  return 'refused' in failing ? null : (chooseTest(failing, part, false)?.name ?? null);
}

/**
 * Chooses the test of exactly this name. If there is none and `isWholeName` is false, chooses the first test with this
 * part in its name that shows a defect, or else the first one with it.
 */
function chooseTest(failing: readonly TestCase[], part: string, isWholeName: boolean): TestCase | undefined {
  const namedTests = failing.filter(({ name }) => name.includes(part));
  const exactTests = namedTests.filter(({ name }) => name === part);
  const candidates = exactTests.length > 0 || isWholeName ? exactTests : namedTests;
  return candidates.find(({ failure = '' }) => failure === '' || showsDefect(failure)) ?? candidates[0];
}

/** The first line of a runner's message, shortened. */
function shortenFailure(failure: string): string {
  return failure.split('\n')[0]!.slice(0, 200);
}

/**
 * The line of the test, 1-based; the first line if the current text does not contain the name that the runner prints.
 */
function findLine(text: string | null, name: string): number {
  const title = name.split(' › ').at(-1) ?? name;
  const titleStart = text?.indexOf(title) ?? -1;
  return titleStart < 0 ? 1 : text!.slice(0, titleStart).split('\n').length;
}
