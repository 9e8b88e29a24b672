// Prints the summary of `selfware improve` on a terminal.

import { languageSentence, searchSentence, joinSentences } from '../../core/session/analyse/possibleWorkText.ts';
import type { PossibleWork } from '../../core/session/analyse/analysisTypes.ts';
import type { ImproveSummary } from '../../core/session/cycleEvents.ts';
import { STRENGTHS } from '../../core/model.ts';
import type { Invocation } from '../invocation.ts';
import { formatPassedOver } from './passedOver.ts';
import { formatPointsGain } from './points.ts';

/**
 * Prints the counts, the change of the points, and advice for the next step. `waiting`: the number of proposals that
 * wait for a decision. `outlook`: a sentence about further improvements. `asksModel`: true if the run could ask a
 * model.
 */
export function printSummary(
  summary: ImproveSummary,
  waiting: number,
  possibleWork: PossibleWork,
  outlook: string | null,
  asksModel: boolean,
  out: Invocation['out'],
): void {
  const {
    proposed,
    verified,
    refused,
    putOff,
    applied,
    kept,
    rolledBack,
    seconds,
    passedOver,
    pointsBefore,
    pointsAfter,
  } = summary;
  const postponedText = putOff > 0 ? `${putOff} deferred (machine busy), ` : '';
  const countsText = `${postponedText}${applied} applied, ${kept} kept, ${rolledBack} rolled back in ${seconds.toFixed(1)} s`;
  out(
    `\n${proposed} proposed, ${verified} passed ${verified === 1 ? 'its' : 'their'} ` +
      `checks${formatStrengthCounts(summary)}, ${refused} refused, ${countsText}`,
  );
  const passedOverText = formatPassedOver(passedOver);
  if (passedOverText !== '') out(`${passedOverText} (\`selfware ledger query --type passedOver attempt\` tells which)`);
  out(formatPointsGain(pointsBefore, pointsAfter));
  const sentence = joinSentences(languageSentence(possibleWork), outlook);
  if (sentence !== '') out(sentence);
  const searchHint = searchSentence(possibleWork);
  if (searchHint !== null) out(searchHint);
  if (proposed === 0 && !asksModel) out('A language model may do more: `selfware models` lists who can be asked.');
  if (waiting > 0) out(`${waiting === 1 ? '1 waits' : `${waiting} wait`} for a decision: selfware proposals list`);
}

/** The counts by strength in the form ` (2 proven, 1 unchecked)`; empty if no proposal has passed. */
function formatStrengthCounts({ strengths }: ImproveSummary): string {
  const counts = STRENGTHS.flatMap((strength) =>
    strengths[strength] > 0 ? [`${strengths[strength]} ${strength}`] : [],
  );
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}
