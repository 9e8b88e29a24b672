// Lists the finders of bug patterns, and applies them to a node.

import type { ts } from 'ts-morph';
import { alwaysTruePatterns } from './alwaysTrue.ts';
import { casePatterns, comparisonPatterns, switchPatterns } from './comparisons.ts';
import { chainPatterns, choicePatterns, operandPatterns } from './conditions.ts';
import { storePatterns } from './deadStores.ts';
import { letterCasePatterns } from './letterCase.ts';
import { listCallPatterns } from './listCalls.ts';
import { classPatterns, objectPatterns } from './members.ts';
import { indexPatterns } from './negativeIndex.ts';
import type { BugPatternMatch, BugPatternFinder } from './pattern.ts';
import { statefulPatterns } from './statefulPattern.ts';
import { awaitPatterns, loopPatterns, promisePatterns, statementPatterns } from './statements.ts';

/** All finders. If several find a pattern at one node, the first in this list wins. */
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
  alwaysTruePatterns,
  indexPatterns,
  letterCasePatterns,
  listCallPatterns,
  statefulPatterns,
];

/** By kind of node: the finders for it. */
const findersByKind = new Map<ts.SyntaxKind, BugPatternFinder[]>();
for (const finder of finders)
  for (const kind of finder.nodeKinds) findersByKind.set(kind, [...(findersByKind.get(kind) ?? []), finder]);

/** The kinds of nodes at which a bug pattern may be. */
export const BUG_PATTERN_NODE_KINDS: readonly ts.SyntaxKind[] = [...findersByKind.keys()];

/** The bug pattern at this node; null if there is none. */
export function findBugPattern(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  for (const { find } of findersByKind.get(node.kind) ?? []) {
    const match = find(node, sourceFile);
    if (match) return match;
  }
  return null;
}
