// Computes Halstead's measures from counted operators and operands, and the maintainability index that uses them.

import { roundToHundredths } from '../../../util/values/roundToHundredths.ts';

/** Number of occurrences of each operator and each operand. */
export interface TokenCounts {
  readonly operators: Map<string, number>;
  readonly operands: Map<string, number>;
}

/**
 * Volume (in bits), difficulty and effort after Halstead, Elements of Software Science (1977). All are zero for a
 * function without tokens.
 */
export function computeHalstead(counts: TokenCounts): { volume: number; difficulty: number; effort: number } {
  const distinctOperators = counts.operators.size;
  const distinctOperands = counts.operands.size;
  const operators = sumCounts(counts.operators);
  const operands = sumCounts(counts.operands);
  const vocabulary = distinctOperators + distinctOperands;
  if (vocabulary === 0) return { volume: 0, difficulty: 0, effort: 0 };
  const volume = (operators + operands) * Math.log2(vocabulary);
  const difficulty = distinctOperands === 0 ? 0 : (distinctOperators / 2) * (operands / distinctOperands);
  return {
    volume: roundToHundredths(volume),
    difficulty: roundToHundredths(difficulty),
    effort: roundToHundredths(volume * difficulty),
  };
}

/**
 * Maintainability index on 0–100 (higher is better): 171 − 5.2·ln(volume) − 0.23·cyclomatic − 16.2·ln(lines), scaled by
 * 100/171 and cut at 0, after Oman and Hagemeister in the variant that Visual Studio made common.
 */
export function computeMaintainability(figures: {
  readonly volume: number;
  readonly cyclomatic: number;
  readonly lines: number;
}): number {
  const rawIndex =
    171 -
    5.2 * Math.log(Math.max(1, figures.volume)) -
    0.23 * figures.cyclomatic -
    16.2 * Math.log(Math.max(1, figures.lines));
  return roundToHundredths(Math.min(100, Math.max(0, (rawIndex * 100) / 171)));
}

/** Adds one occurrence of a token. */
export function countToken(counts: Map<string, number>, token: string): void {
  counts.set(token, (counts.get(token) ?? 0) + 1);
}

/**
 * Merges the counts of a nested function into the counts of the enclosing function; `from` must not be used
 * afterwards. The smaller map is merged into the larger one, so the cost is linear at any depth.
 */
export function mergeTokens(into: { tokens: TokenCounts }, from: { readonly tokens: TokenCounts }): void {
  into.tokens = {
    operators: mergeCounts(into.tokens.operators, from.tokens.operators),
    operands: mergeCounts(into.tokens.operands, from.tokens.operands),
  };
}

function mergeCounts(a: Map<string, number>, b: Map<string, number>): Map<string, number> {
  const [large, small] = a.size >= b.size ? [a, b] : [b, a];
  for (const [token, count] of small) large.set(token, (large.get(token) ?? 0) + count);
  return large;
}

function sumCounts(counts: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}
