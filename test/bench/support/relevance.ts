// Computes the size and the rank of results, from which the quality of an answer is computed.

import { estimateTokens } from '../../../server/src/util/tokens.ts';
import { isHit, type Place } from '../quality/measures.ts';

/** The estimated tokens of a place: of its lines, or of the whole file. */
export function countTokens({ startLine, endLine }: Place, text: string): number {
  return estimateTokens(
    startLine === undefined || endLine === undefined
      ? text
      : text
          .split('\n')
          .slice(startLine - 1, endLine)
          .join('\n'),
  );
}

/** 1 ÷ the rank of the first result that hits the target; 0 if none does. */
export function computeReciprocalRank(answer: readonly Place[], target: Place): number {
  const rank = answer.findIndex((hit) => isHit(hit, target));
  return rank < 0 ? 0 : 1 / (rank + 1);
}
