// Adds up the tokens that questions have used.

import type { Usage } from '../model/asks.ts';

/** The usage without any question. */
export const NOTHING_USED: Usage = { input: 0, output: 0, cached: 0, estimated: false };

/** Adds two usages. The sum is estimated if one of them is. */
export function addUsage(usage: Usage, otherUsage: Usage): Usage {
  const writtenTokens = (usage.written ?? 0) + (otherUsage.written ?? 0);
  return {
    input: usage.input + otherUsage.input,
    output: usage.output + otherUsage.output,
    cached: usage.cached + otherUsage.cached,
    ...(writtenTokens === 0 ? {} : { written: writtenTokens }),
    estimated: usage.estimated || otherUsage.estimated,
  };
}
