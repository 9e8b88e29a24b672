// Describes the first difference between two outcomes of one call, in words for a person.

import type { Outcome, Observation } from './messages.ts';

/** What both sides do differently, each as the end of a sentence about the call. */
export interface Difference {
  readonly before: string;
  readonly after: string;
  /** True if the result of the first call differs, which a test can check. */
  readonly inResult: boolean;
}

/** Number of lines of the protocol that are shown before the first different one. */
const LINES_BEFORE = 3;
/** Number of lines that are shown from the first different one on. */
const LINES_FROM = 3;

/** The first difference: in the first call, else in the second. Null if the outcomes are equal. */
export function difference(old: Outcome, fresh: Outcome): Difference | null {
  const first = differenceBetween(old.first, fresh.first);
  if (first) return first;
  const second = differenceBetween(old.second, fresh.second);
  return (
    second && { before: `the second time ${second.before}`, after: `the second time ${second.after}`, inResult: false }
  );
}

function differenceBetween(old: Observation, fresh: Observation): Difference | null {
  if (old.result !== fresh.result) return { before: old.result, after: fresh.result, inResult: true };
  if (old.arguments !== fresh.arguments)
    return {
      before: old.arguments || 'its arguments stay as they are',
      after: fresh.arguments || 'its arguments stay as they are',
      inResult: false,
    };
  const first = firstDifference(old.protocol, fresh.protocol);
  return first === null
    ? null
    : { before: excerptAround(old.protocol, first), after: excerptAround(fresh.protocol, first), inResult: false };
}

function firstDifference(old: readonly string[], fresh: readonly string[]): number | null {
  const length = Math.max(old.length, fresh.length);
  for (let index = 0; index < length; index++) if (old[index] !== fresh[index]) return index;
  return null;
}

/** The lines around the place, as a sentence part. */
function excerptAround(protocol: readonly string[], place: number): string {
  if (protocol.length === 0) return 'calls nothing';
  const from = Math.max(0, place - LINES_BEFORE);
  const lines = protocol.slice(from, place + LINES_FROM);
  return `calls ${from > 0 ? '…, then ' : ''}${lines.join(', then ')}${lines.length === 0 ? 'nothing more' : ''}`;
}
