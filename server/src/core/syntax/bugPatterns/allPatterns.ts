// Lists the bug patterns, and finds them at a node.

import type { ts } from 'ts-morph';
import { casePatterns, comparisonPatterns, switchPatterns } from './comparisons.ts';
import { chainPatterns, choicePatterns, operandPatterns } from './conditions.ts';
import { storePatterns } from './deadStores.ts';
import { classPatterns, objectPatterns } from './members.ts';
import type { BugPatternMatch, BugPatternFinder } from './pattern.ts';
import { awaitPatterns, loopPatterns, promisePatterns, statementPatterns } from './statements.ts';

const finders: readonly BugPatternFinder[] = [
  comparisonPatterns,
  casePatterns,
  switchPatterns,
  chainPatterns,
  operandPatterns,
  choicePatterns,
  objectPatterns,
  classPatterns,
  statementPatterns,
  storePatterns,
  awaitPatterns,
  promisePatterns,
  loopPatterns,
];

/** The kinds of nodes at which a bug pattern may be. */
export const BUG_PATTERN_NODES: readonly ts.SyntaxKind[] = [...new Set(finders.flatMap(({ nodes }) => nodes))];

/** The bug pattern at this node; null if there is none. */
export function findBugPattern(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  for (const { nodes, find } of finders) {
    const match = nodes.includes(node.kind) ? find(node, sourceFile) : null;
    if (match) return match;
  }
  return null;
}
