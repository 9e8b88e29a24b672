// What the measures of an answer need to know of texts and ranks.

import { estimateTokens } from '../../../server/src/util/tokens.ts';
import { hits, type Place } from '../quality/measures.ts';

/** The tokens of a place: its lines, or the whole file. */
export function tokensOf({ startLine, endLine }: Place, text: string): number {
  return estimateTokens(
    startLine === undefined || endLine === undefined
      ? text
      : text
          .split('\n')
          .slice(startLine - 1, endLine)
          .join('\n'),
  );
}

/** 1 ÷ rank of the first answer that meets the target; 0 for none. */
export function reciprocalRank(answer: readonly Place[], target: Place): number {
  const rank = answer.findIndex((place) => hits(place, target));
  return rank < 0 ? 0 : 1 / (rank + 1);
}
