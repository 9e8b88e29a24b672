// Which rules find what an input of the ruler counts, so that beside a place that costs points there is what can be
// done about it.

import type { Opportunity, PointPlace } from '../model.ts';

/** By input. Said to people; no part of the definition. */
export const INPUT_RULES: Readonly<Record<string, readonly string[]>> = {
  'over-complex functions': ['cognitive-complexity'],
  'cognitive complexity': ['cognitive-complexity', 'nested-if', 'else-after-return', 'collapsible-if', 'lonely-if'],
  'dead code': ['unused-import', 'unused-local', 'unreachable-code'],
  'unused exports': ['unused-export'],
  'test coverage': ['test-gap'],
  hazards: ['swallowed-error', 'floating-promise', 'silent-rejection'],
  'wasted work': ['await-in-loop', 'work-in-loop', 'nested-search', 'growing-copy', 'needless-copy', 'needless-await'],
  nesting: ['nested-if', 'deep-nesting', 'else-after-return', 'collapsible-if', 'lonely-if', 'cognitive-complexity'],
  'copied code': ['duplicate-code'],
  'roundabout code': [
    'redundant-boolean',
    'collapsible-if',
    'prefer-const',
    'optional-chain',
    'nullish-coalescing',
    'index-loop',
    'string-concat',
    'unused-parameter',
  ],
  'documented API': ['undocumented-export', 'unexplained-export', 'vacuous-doc'],
};

/** For each place, what a recipe can realise there, or null. Of the opportunities, the best come first. */
export function improvements(
  places: readonly PointPlace[],
  opportunities: readonly Opportunity[],
): readonly (Opportunity | null)[] {
  const byPath = new Map<string, Opportunity[]>(places.map(({ path }) => [path, []]));
  for (const opportunity of opportunities)
    if (opportunity.recipe !== null) byPath.get(opportunity.path)?.push(opportunity);
  return places.map(({ path, input, symbol }) => {
    const fitting = byPath.get(path)?.filter(({ rule }) => INPUT_RULES[input]?.includes(rule)) ?? [];
    return fitting.find((one) => symbol !== null && one.symbol === symbol) ?? fitting[0] ?? null;
  });
}
