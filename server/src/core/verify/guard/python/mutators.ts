// Creates mutants of Python code on the tree of tree-sitter-python: small faults that programmers make, one at a time.

import { parsedBranches } from '../parsedBranches.ts';
import { RELATION_REPLACEMENTS, replaceRelation } from '../relations.ts';
import type { Node } from 'web-tree-sitter';
import type { MutantReplacement } from '../mutators.ts';
import { replaceBy, replaceOperator } from '../nodeReplacements.ts';

// The mutants are those of Offutt's sufficient set (An Experimental Determination of Sufficient Mutant Operators, TOSEM
// 1996) for relations, logic, arithmetic and unary operators, as in mutmut and Cosmic Ray; constants, returned values,
// jumps and removed statements are added. Each table maps an operator to the operators that replace it.
const COMPARISON_REPLACEMENTS: Readonly<Record<string, readonly string[]>> = {
  ...RELATION_REPLACEMENTS,
  is: ['is not'],
  'is not': ['is'],
  in: ['not in'],
  'not in': ['in'],
};
const ARITHMETIC_REPLACEMENTS: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '//': '*',
  '%': '*',
  '**': '*',
  '<<': '>>',
  '>>': '<<',
  '&': '|',
  '|': '&',
  '^': '&',
};
const ASSIGNMENT_REPLACEMENTS: Readonly<Record<string, string>> = {
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '//=': '*=',
  '%=': '*=',
  '**=': '*=',
  '&=': '|=',
  '|=': '&=',
  '<<=': '>>=',
  '>>=': '<<=',
};
/** Nodes without effect on the results of a call: annotations, module names, decorators. */
const UNMUTATED_NODES = new Set([
  'type',
  'import_statement',
  'import_from_statement',
  'future_import_statement',
  'decorator',
  'global_statement',
  'nonlocal_statement',
  'comment',
]);
/** Matches calls that print, log or warn, whose texts even good tests rarely check; and calls of `super`. */
const LOG_PATTERN = /^(?:print|super)\(|^(?:\w+\.)*(?:log|logger|logging|_log|_logger|warnings)\.\w+\(/;

/** True for a node below which nothing is mutated. */
export function isUnmutatedPythonNode(node: Node): boolean {
  return UNMUTATED_NODES.has(node.type) || isMainGuard(node);
}

/** All replacements of exactly this node. */
export function findPythonReplacements(node: Node): readonly MutantReplacement[] {
  switch (node.type) {
    case 'comparison_operator':
      return node.children.flatMap((child) =>
        child.isNamed ? [] : replaceBy('equality', child, ...replaceComparison(node, collapseSpaces(child.text))),
      );
    case 'boolean_operator':
      return replaceOperator(node, 'logical', { and: 'or', or: 'and' });
    case 'binary_operator':
      return looksLikeString(node) ? [] : replaceOperator(node, 'arithmetic', ARITHMETIC_REPLACEMENTS);
    case 'augmented_assignment':
      return looksLikeString(node.childForFieldName('right'))
        ? []
        : replaceOperator(node, 'assignment', ASSIGNMENT_REPLACEMENTS);
    case 'not_operator':
      return replaceArgument(node, (text) => replaceBy('unary', node, `(${text})`));
    case 'unary_operator':
      return node.children[0]?.text === '-'
        ? replaceArgument(node, (text) => replaceBy('unary', node, `(${text})`))
        : [];
    case 'true':
      return replaceBy('boolean', node, 'False');
    case 'false':
      return replaceBy('boolean', node, 'True');
    case 'integer':
      return mutateInteger(node);
    case 'float':
      return /[jJ]$/.test(node.text) ? [] : replaceBy('number', node, `(${node.text} + 1)`);
    case 'string':
    case 'concatenated_string':
      return mutateString(node);
    default:
      return mutateStatement(node);
  }
}

/** The operators that replace this operator of the comparison. */
function replaceComparison(node: Node, operator: string): readonly string[] {
  const [left, right, ...otherChildren] = node.namedChildren;
  return left && right && otherChildren.length === 0 && Object.hasOwn(RELATION_REPLACEMENTS, operator)
    ? replaceRelation(operator, [left.text, right.text], parsedBranches(node))
    : (COMPARISON_REPLACEMENTS[operator] ?? []);
}

function mutateStatement(node: Node): readonly MutantReplacement[] {
  switch (node.type) {
    case 'if_statement':
    case 'elif_clause':
      return negateCondition(node.childForFieldName('condition'));
    case 'if_clause':
      return negateCondition(node.namedChildren[0] ?? null);
    case 'conditional_expression':
      return negateCondition(node.namedChildren[1] ?? null);
    case 'while_statement': {
      // An endless loop would show nothing about the tests, so the condition never becomes `True`.
      const condition = node.childForFieldName('condition');
      return condition ? replaceBy('conditional', condition, 'False') : [];
    }
    case 'return_statement': {
      const value = node.namedChildren[0];
      return value && value.type !== 'none' ? replaceBy('return', value, 'None') : [];
    }
    case 'break_statement':
      return replaceBy('jump', node, 'continue');
    case 'continue_statement':
      return replaceBy('jump', node, 'break');
    case 'raise_statement':
    case 'assert_statement':
    case 'delete_statement':
      return replaceBy('statement', node, 'pass');
    case 'expression_statement':
      return isCall(node.namedChildren[0]) && !LOG_PATTERN.test(node.text) ? replaceBy('statement', node, 'pass') : [];
    default:
      return [];
  }
}

function replaceArgument(node: Node, createReplacements: (text: string) => MutantReplacement[]): MutantReplacement[] {
  const value = node.childForFieldName('argument');
  return value && value.text !== '0' ? createReplacements(value.text) : [];
}

function negateCondition(condition: Node | null): MutantReplacement[] {
  if (condition === null) return [];
  // The mutant that removes the operator `not` has the same effect.
  if (condition.type === 'not_operator') return [];
  return replaceBy('conditional', condition, `(not (${condition.text}))`);
}

function mutateInteger(node: Node): MutantReplacement[] {
  const digits = node.text.replaceAll('_', '').toLowerCase();
  if (!/^(?:\d+|0x[\da-f]+|0o[0-7]+|0b[01]+)$/.test(digits)) return [];
  const value = BigInt(digits.replace(/^0+(?=\d)/, ''));
  return replaceBy('number', node, String(value + 1n), ...(value > 0n ? [String(value - 1n)] : []));
}

function mutateString(node: Node): MutantReplacement[] {
  if (!isMutableString(node)) return [];
  const prefix = /b/i.test(/^[a-z]*/i.exec(node.text)?.[0] ?? '') ? 'b' : '';
  const isEmpty = node.type === 'string' && node.namedChildren.every(({ type }) => /^string_(?:start|end)$/.test(type));
  return replaceBy('string', node, isEmpty ? `${prefix}"mutated"` : `${prefix}""`);
}

/**
 * False for docstrings, keys, parts of a longer string, and messages. Even good tests rarely check the words of an
 * error.
 */
function isMutableString(node: Node): boolean {
  const { parent } = node;
  if (!parent || parent.type === 'expression_statement' || parent.type === 'concatenated_string') return false;
  if (parent.type === 'subscript' || parent.type === 'assert_statement') return false;
  if (parent.type === 'pair' && parent.childForFieldName('key')?.id === node.id) return false;
  for (let ancestor: Node | null = parent; ancestor; ancestor = ancestor.parent) {
    if (ancestor.type === 'raise_statement' || ancestor.type === 'interpolation') return false;
    if (ancestor.type === 'expression_statement' && LOG_PATTERN.test(ancestor.text)) return false;
    if (/_statement$|^block$/.test(ancestor.type)) return true;
  }
  return true;
}

function looksLikeString(node: Node | null): boolean {
  if (node === null) return false;
  if (node.type === 'string' || node.type === 'concatenated_string') return true;
  return (
    node.type === 'binary_operator' &&
    (looksLikeString(node.childForFieldName('left')) || looksLikeString(node.childForFieldName('right')))
  );
}

function isCall(node: Node | undefined): boolean {
  return node?.type === 'call' || (node?.type === 'await' && isCall(node.namedChildren[0]));
}

/** True for `if __name__ == …`. Tests import modules, so they do not run such a block. */
function isMainGuard(node: Node): boolean {
  return node.type === 'if_statement' && /^if\s+__name__\s*==/.test(node.text);
}

function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ');
}
