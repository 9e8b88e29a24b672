// Asks a proposer for the acceptance tests of wishes before a run, shows the tests, and asks the person whether each is
// right.

import { isCancel, select } from '@clack/prompts';
import { changeWishQueue } from '../../../app/nights/wishQueue.ts';
import { createStderrLog } from '../../../adapters/system/system.ts';
import { formatUnifiedDiff } from '../../../core/propose/unifiedDiff.ts';
import type { AcceptanceFile } from '../../../core/model/acceptance.ts';
import type { Wish } from '../../../core/run/wishes.ts';
import type { AcceptanceOutcome } from '../../../core/session/ask/acceptanceTypes.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../../util/visible.ts';
import { editText } from '../../editText.ts';
import type { Invocation } from '../../invocation.ts';
import { colorDiff } from '../../writers/human.ts';

/** An acceptance test that was written, as opposed to the reason why there is none. */
type AcceptanceTest = Extract<AcceptanceOutcome, { readonly files: unknown }>;

/**
 * Asks a proposer for the acceptance test of each wish, and the person whether it is right. Stops if the person wants
 * no further questions. `ignoresEarlier`: true if earlier attempts do not count. Throws `cancelled` if the person
 * cancels a question.
 */
export async function confirmAcceptanceTests(
  invocation: Invocation,
  wishes: readonly Wish[],
  proposer: string,
  ignoresEarlier: boolean,
): Promise<void> {
  const { out, note } = invocation;
  for (const [wishIndex, wish] of wishes.entries()) {
    out(`Wish ${wishIndex + 1} of ${wishes.length}: ${escapeInvisibleLine(wish.text)}`);
    const acceptanceTest = await createAcceptanceTest(invocation, wish, proposer, ignoresEarlier);
    if ('refused' in acceptanceTest) {
      note(`No acceptance test: ${escapeInvisibleLine(acceptanceTest.refused)} The wish is tried without one.`);
      continue;
    }
    if (!(await confirmAcceptanceTest(invocation, wish, acceptanceTest))) return;
  }
}

/** Asks a proposer for the acceptance test of a wish. Nothing is stored. */
export function createAcceptanceTest(
  { session, signal, report }: Invocation,
  { text }: Wish,
  proposer: string,
  ignoresEarlier: boolean,
): Promise<AcceptanceOutcome> {
  return session.questions.acceptanceTest({
    words: text,
    proposer,
    ignoresEarlier,
    signal,
    report,
  });
}

/** The test as a diff, with the start of its failure before the wish is fulfilled. */
export function describeTest({ files, failure }: AcceptanceTest, { colors }: Pick<Invocation, 'colors'>): string {
  const failureExcerpt = escapeInvisible(failure).split('\n').slice(0, 6).join('\n  ');
  return `${colorDiff(escapeInvisible(formatUnifiedDiff(files)), colors)}\nIt fails today, as it should:\n  ${failureExcerpt}`;
}

/** Stores a person's decision on the test of a wish: the files of the test, or none. */
export async function storeTests(
  { rootDir }: Pick<Invocation, 'rootDir'>,
  wish: Wish,
  tests: readonly AcceptanceFile[],
) {
  await changeWishQueue(rootDir, process.env, createStderrLog('error'), () => [
    { type: 'wishTested', data: { wish: wish.id, tests, by: 'person' } },
  ]);
}

/**
 * Asks the person whether they accept the test, and asks again after each edit. Stores the decision. Returns false if
 * the person wants no further questions. Throws `cancelled` if the person cancels the question.
 */
async function confirmAcceptanceTest(invocation: Invocation, wish: Wish, firstTest: AcceptanceTest): Promise<boolean> {
  const { out, note, session, signal, report } = invocation;
  let test = firstTest;
  for (;;) {
    out(describeTest(test, invocation));
    const answer = await select({
      message: `Is “${escapeInvisibleLine(wish.text).slice(0, 80)}” done when this passes?`,
      options: [
        { value: 'accept', label: 'Yes', hint: 'the change has to pass it' },
        { value: 'edit', label: 'Edit', hint: 'in your editor' },
        { value: 'none', label: 'No test', hint: 'the wish is tried without one' },
        { value: 'later', label: 'Ask me later', hint: 'no further questions now' },
      ],
    });
    if (isCancel(answer)) throw new SelfwareError('cancelled', 'The questions were cancelled.');
    if (answer === 'later') return false;
    if (answer !== 'edit') {
      await storeTests(invocation, wish, answer === 'accept' ? test.files : []);
      return true;
    }
    const files: AcceptanceFile[] = [];
    for (const file of test.files) files.push({ ...file, after: await editText(file.path, file.after) });
    const editedTest = await session.questions.acceptanceTest({ files, signal, report });
    if ('refused' in editedTest) note(`That cannot be the test: ${escapeInvisibleLine(editedTest.refused)}`);
    else test = editedTest;
  }
}
