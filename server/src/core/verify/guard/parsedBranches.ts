// Finds what Python and Go do in both branches of a comparison, on the trees of tree-sitter.

import type { Node } from 'web-tree-sitter';
import { createUnchangedBranch, type Branch } from './relations.ts';

/**
 * Both branches of this comparison. A branch is null if it does anything other than a `Branch`; both are null if the
 * comparison is not a whole condition.
 */
export function parsedBranches(comparison: Node): { readonly then: Branch | null; readonly otherwise: Branch | null } {
  let condition = comparison;
  while (condition.parent?.type === 'parenthesized_expression') condition = condition.parent;
  const { parent } = condition;
  if (parent?.type === 'conditional_expression') {
    const [whenTrue, test, whenFalse] = listNamedChildren(parent);
    if (test?.id === condition.id) return { then: toValueBranch(whenTrue), otherwise: toValueBranch(whenFalse) };
  }
  if (parent?.type !== 'if_statement' || parent.childForFieldName('condition')?.id !== condition.id)
    return { then: null, otherwise: null };
  const then = readBranch(parent.childForFieldName('consequence'));
  const alternatives = parent.childrenForFieldName('alternative').filter((node) => node !== null);
  if (alternatives.length > 0)
    return { then, otherwise: alternatives.length === 1 ? readBranch(alternatives[0]!) : null };
  if (then?.kind !== 'return') return { then, otherwise: createUnchangedBranch(then) };
  // In Go, an `if` after `else` continues with the statements after the first `if`, which are not searched.
  let nextStatement = parent.nextNamedSibling;
  while (nextStatement?.type === 'comment') nextStatement = nextStatement.nextNamedSibling;
  return { then, otherwise: readBranch(nextStatement) };
}

function toValueBranch(node: Node | undefined): Branch | null {
  return node ? { kind: 'value', target: '', value: node.text } : null;
}

/** The branch that a node is: a single assignment or `return`, also in a block; null for any other node. */
function readBranch(node: Node | null): Branch | null {
  if (!node) return null;
  const [first, ...otherNodes] = listNamedChildren(node);
  if (!first) return null;
  switch (node.type) {
    case 'block':
    case 'statement_list':
    case 'else_clause':
    case 'expression_statement':
      return otherNodes.length === 0 ? readBranch(first) : null;
    case 'return_statement':
      return otherNodes.length === 0 ? { kind: 'return', target: '', value: first.text } : null;
    // The assignment `=` of Python and Go. In Python, `+=` has a different node type.
    case 'assignment':
    case 'assignment_statement': {
      const [target, value] = [node.childForFieldName('left'), node.childForFieldName('right')];
      const isPlainAssignment = (node.childForFieldName('operator')?.text ?? '=') === '=';
      return target && value && isPlainAssignment
        ? { kind: 'assignment', target: target.text, value: value.text }
        : null;
    }
    default:
      return null;
  }
}

function listNamedChildren(node: Node): Node[] {
  return node.namedChildren.filter((child) => child !== null && child.type !== 'comment') as Node[];
}
