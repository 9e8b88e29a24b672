// Replaces nodes of Go and Python code by other code, as mutants.

import type { Node } from 'web-tree-sitter';
import type { MutantReplacement, Operator } from './mutators.ts';

export function replaceBy(operator: Operator, node: Node, ...texts: readonly string[]): MutantReplacement[] {
  return texts.map((text) => ({ operator, start: node.startIndex, end: node.endIndex, text }));
}

/** Replaces the operator of an expression by that of the table; empty if the table does not have it. */
export function replaceOperator(
  node: Node,
  kind: Operator,
  table: Readonly<Record<string, string>>,
): MutantReplacement[] {
  const operator = node.childForFieldName('operator');
  const replacement = operator && Object.hasOwn(table, operator.text) ? table[operator.text] : undefined;
  return operator && replacement !== undefined ? replaceBy(kind, operator, replacement) : [];
}
