// Counts the findings that the ruler scores: code that could be more direct, and work that is done more often than
// necessary.

import type { Finding } from '../../rules/finding.ts';

/**
 * By measure: the rules whose findings it counts. This is part of the ruler, so a change needs a new version of the
 * ruler.
 */
const COUNTED_RULES: Readonly<Record<string, ReadonlySet<string>>> = {
  'script.awaitInLoop': new Set(['await-in-loop']),
  'script.needlessCopy': new Set(['needless-copy', 'growing-copy']),
  'script.needlessAwait': new Set(['needless-await']),
  'script.repeatedWork': new Set(['work-in-loop', 'nested-search']),
  'script.roundabout': new Set([
    'redundant-boolean',
    'collapsible-if',
    'prefer-const',
    'optional-chain',
    'nullish-coalescing',
    'index-loop',
    'string-concat',
    'unused-parameter',
  ]),
};

/**
 * By measure of `COUNTED_RULES`: the number of its findings. `findings`: the findings of the file, including suppressed
 * ones. `dead` maps the end of each range of unused code to its start. Findings in these ranges are skipped, because
 * the code already counts as dead code.
 */
export function countScoredFindings(
  findings: readonly Finding[],
  dead: ReadonlyMap<number, number>,
): Record<string, number> {
  const deadRanges = [...dead];
  const liveFindings = findings.filter(({ start }) => !deadRanges.some(([to, from]) => from <= start && start < to));
  return Object.fromEntries(
    Object.entries(COUNTED_RULES).map(([measure, rules]) => [
      measure,
      liveFindings.filter(({ rule }) => rules.has(rule)).length,
    ]),
  );
}
