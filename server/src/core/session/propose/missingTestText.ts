// Describes the result of a search for missing tests that has led to no proposal: the mistakes that no test notices,
// why no test is proposed for them, and what to do.

import { plainReason } from '../../../protocol/plainWords.ts';
import { formatCount } from '../../../util/counted.ts';
import { groupThousands } from '../../../util/thousands.ts';
import type { Proposal } from '../../model.ts';
import { formatMistake } from '../analyse/unguarded/unguardedMistakes.ts';
import type { MissingTest } from './missingTest.ts';

/** Maximum number of named mistakes, of reasons, and of refused proposals. */
const [MAX_MISTAKES, MAX_REASONS, MAX_REFUSED] = [3, 2, 2];

/** The result in one paragraph, for a message of an editor. */
export function missingTestSentence(result: MissingTest): string {
  const reasons = [...collectReasonsUnwritten(result), ...result.refused.map(refusedSentence)].slice(0, MAX_REASONS);
  return [formatSearchCounts(result), ...reasons].join(' ');
}

/** The result as lines for a terminal. */
export function missingTestLines(result: MissingTest): readonly string[] {
  const { unwritten, refused, search } = result;
  const mistakes = unwritten.flatMap(({ path, mistakes }) => mistakes.map((mistake) => ({ path, mistake })));
  const omittedCount = mistakes.length - MAX_MISTAKES;
  const mistakeCount = mistakes.length + result.withTest;
  const mistakesWithoutCall = search.survivors - mistakeCount;
  return [
    formatSearchCounts(result),
    ...mistakes.slice(0, MAX_MISTAKES).map(({ path, mistake }) => `  ${path}, ${formatMistake(mistake)}`),
    ...(omittedCount > 0 ? [`  \`selfware unguarded\` lists ${groupThousands(omittedCount)} more.`] : []),
    ...collectReasonsUnwritten(result),
    ...(mistakes.length > 0
      ? ['You can write such a test by hand: call the function as shown, and expect what it does now.']
      : []),
    ...(mistakesWithoutCall > 0 && mistakeCount > 0
      ? [`For the other ${mistakesWithoutCall} of them, no call was found that shows a difference.`]
      : []),
    ...(mistakesWithoutCall > 0 && mistakeCount === 0
      ? ['No call was found that shows any of them, so no test can be written.']
      : []),
    ...refused.slice(0, MAX_REFUSED).flatMap(refusedLines),
    ...(refused.length > MAX_REFUSED
      ? [`${refused.length - MAX_REFUSED} more did not pass: \`selfware proposals list --all\`.`]
      : []),
  ];
}

/** Lines about a proposal that did not pass its checks: which check refused it, why, and where its diff is. */
export function refusedLines(proposal: Proposal): readonly string[] {
  return [refusedSentence(proposal), `  To see the change: \`selfware proposals show ${proposal.id}\``];
}

function refusedSentence({ title, edits, reason, status }: Proposal): string {
  const paths = [...new Set(edits.map(({ path }) => path))].join(', ');
  const statusWord = status === 'deferred' ? 'deferred' : 'refused';
  return `“${title}” in ${paths} was ${statusWord}${reason === null ? '.' : `. ${plainReason(reason)}`}`;
}

function formatSearchCounts({ search: { files, mutants, survivors, undone } }: MissingTest): string {
  const undoneText = undone > 0 ? ` There was no time for ${formatCount(undone, 'file')}.` : '';
  if (mutants === 0)
    return `Looked for missing tests in ${formatCount(files, 'file')}: no mistake was tried.${undoneText}`;
  const searchText = `Looked for missing tests: put ${formatCount(mutants, 'mistake')} into ${formatCount(files, 'file')}, one at a time`;
  const survivorsText =
    survivors === 0 ? 'the tests notice each' : `no test notices ${groupThousands(survivors)} of them`;
  return `${searchText}; ${survivorsText}.${undoneText}`;
}

/** The reasons why no test was written, each once. */
function collectReasonsUnwritten({ unwritten }: MissingTest): readonly string[] {
  const reasons = unwritten.flatMap(({ test }) => ('refused' in test ? [`No test was written: ${test.refused}`] : []));
  return [...new Set(reasons)].slice(0, MAX_REASONS);
}
