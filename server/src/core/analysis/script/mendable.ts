// Findings that the ruler counts: what could be said more directly, and what is done more often than necessary.

import type { Finding } from '../../rules/finding.ts';

/**
 * Measure → rules whose findings it counts. Part of what the ruler measures: a change here needs a new version of it.
 */
const COUNTED: Readonly<Record<string, ReadonlySet<string>>> = {
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
 * As found, with what comments suppress. `dead`: end → start of code that nothing uses, which counts once, as dead
 * code.
 */
export function countMendable(findings: readonly Finding[], dead: ReadonlyMap<number, number>): Record<string, number> {
  const ranges = [...dead];
  const live = findings.filter(({ start }) => !ranges.some(([to, from]) => from <= start && start < to));
  return Object.fromEntries(
    Object.entries(COUNTED).map(([measure, rules]) => [measure, live.filter(({ rule }) => rules.has(rule)).length]),
  );
}
