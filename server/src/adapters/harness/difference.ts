// Describes the first difference between two outcomes of one call, as text for a person.

import type { CallOutcome, Observation } from './messages.ts';

/**
 * The behaviour of the old code (`before`) and of the new code (`after`), each as the end of a sentence about the call.
 */
export interface BehaviourDifference {
  readonly before: string;
  readonly after: string;
  /** True if the result of the first call differs, which a test can check. */
  readonly isInResult: boolean;
}

/** Number of lines of the call log that are shown before the first different one. */
const LINES_BEFORE = 3;
/** Number of lines that are shown from the first different one on. */
const LINES_FROM = 3;

/** The difference of the first call, otherwise the difference of the second. Null if the outcomes are equal. */
export function describeDifference(oldOutcome: CallOutcome, newOutcome: CallOutcome): BehaviourDifference | null {
  const firstDifference = findDifferenceBetween(oldOutcome.first, newOutcome.first);
  if (firstDifference) return firstDifference;
  const secondDifference = findDifferenceBetween(oldOutcome.second, newOutcome.second);
  return (
    secondDifference && {
      before: `the second time ${secondDifference.before}`,
      after: `the second time ${secondDifference.after}`,
      isInResult: false,
    }
  );
}

function findDifferenceBetween(oldObservation: Observation, newObservation: Observation): BehaviourDifference | null {
  if (oldObservation.result !== newObservation.result)
    return { before: oldObservation.result, after: newObservation.result, isInResult: true };
  if (oldObservation.arguments !== newObservation.arguments)
    return {
      before: oldObservation.arguments || 'its arguments stay as they are',
      after: newObservation.arguments || 'its arguments stay as they are',
      isInResult: false,
    };
  const firstIndex = findFirstDifference(oldObservation.callLog, newObservation.callLog);
  return firstIndex === null
    ? null
    : {
        before: formatExcerpt(oldObservation.callLog, firstIndex),
        after: formatExcerpt(newObservation.callLog, firstIndex),
        isInResult: false,
      };
}

function findFirstDifference(oldTexts: readonly string[], newTexts: readonly string[]): number | null {
  const length = Math.max(oldTexts.length, newTexts.length);
  for (let index = 0; index < length; index++) if (oldTexts[index] !== newTexts[index]) return index;
  return null;
}

/** The lines of the call log around the first different one, at `index`, as the end of a sentence. */
function formatExcerpt(callLog: readonly string[], index: number): string {
  if (callLog.length === 0) return 'calls nothing';
  const from = Math.max(0, index - LINES_BEFORE);
  const lines = callLog.slice(from, index + LINES_FROM);
  return `calls ${from > 0 ? '…, then ' : ''}${lines.join(', then ')}${lines.length === 0 ? 'nothing more' : ''}`;
}
