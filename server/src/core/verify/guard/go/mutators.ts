// Creates mutants of Go code on the tree of tree-sitter-go: small faults that programmers make, one at a time. The
// mutants are those of Offutt's sufficient set (An Experimental Determination of Sufficient Mutant Operators, TOSEM
// 1996) for relations, logic, arithmetic and unary operators, as in go-mutesting and Gremlins; constants, returned
// values, jumps and removed statements are added. Each table maps an operator to the operator that replaces it.

import { parsedBranches } from '../parsedBranches.ts';
import { RELATION_REPLACEMENTS, replaceRelation } from '../relations.ts';
import type { Node } from 'web-tree-sitter';
import type { MutantReplacement } from '../mutators.ts';
import { isGoString } from './texts.ts';
import { replaceResultsByZero } from './results.ts';
import { replaceBy, replaceOperator } from '../nodeReplacements.ts';

// The mutants are those of Offutt's sufficient set (An Experimental Determination of Sufficient Mutant Operators, TOSEM
// 1996) for relations, logic, arithmetic and unary operators, as in go-mutesting and Gremlins; constants, returned
// values, jumps and removed statements are added. Each table gives the operator that replaces another operator.
const LOGICAL_REPLACEMENTS: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };
const ARITHMETIC_REPLACEMENTS: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '<<': '>>',
  '>>': '<<',
  '&': '|',
  '|': '&',
  '^': '&',
  '&^': '&',
};
const ASSIGNMENT_REPLACEMENTS: Readonly<Record<string, string>> = {
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '%=': '*=',
  '&=': '|=',
  '|=': '&=',
  '^=': '&=',
  '<<=': '>>=',
  '>>=': '<<=',
};
/** Nodes without effect on the results of a call, or in which other values would not compile. */
const UNMUTATED_NODES = new Set([
  'package_clause',
  'import_declaration',
  'type_declaration',
  'parameter_list',
  'type_arguments',
  'array_type',
  'comment',
]);
/** Matches calls that print or log, whose texts even good tests rarely check. */
const LOG_PATTERN =
  /^(?:print(?:ln)?|(?:fmt\.(?:Print|Fprint)\w*)|(?:\w+\.)*(?:log|logger|Log|Logger|logrus|slog|glog|klog)\.\w+)\(/;
/** Matches calls whose strings are messages for people. */
const MESSAGE_PATTERN = /^(?:panic|(?:fmt\.Errorf|errors\.\w+|\w+\.(?:Wrapf?|Errorf|WithMessagef?)))$/;
/** Maximum values of integer types. A mutant that adds one would not compile. */
const TYPE_MAXIMA = new Set([127n, 255n, 32_767n, 65_535n, 2_147_483_647n, 4_294_967_295n]);

/** True for a node below which nothing is mutated. */
export function isUnmutatedGoNode(node: Node): boolean {
  return UNMUTATED_NODES.has(node.type);
}

/** All replacements of exactly this node. */
export function findGoReplacements(node: Node): readonly MutantReplacement[] {
  switch (node.type) {
    case 'binary_expression':
      return mutateBinary(node);
    case 'assignment_statement':
      return isGoString(node.childForFieldName('right'))
        ? []
        : replaceOperator(node, 'assignment', ASSIGNMENT_REPLACEMENTS);
    case 'unary_expression':
      return mutateUnary(node);
    case 'inc_statement':
    case 'dec_statement':
      return mutateUpdate(node);
    case 'true':
      return replaceBy('boolean', node, 'false');
    case 'false':
      return replaceBy('boolean', node, 'true');
    case 'int_literal':
      return isCaseValue(node) ? [] : mutateInteger(node);
    case 'float_literal':
      return isCaseValue(node) ? [] : replaceBy('number', node, `(${node.text} + 1)`);
    case 'rune_literal':
      return isCaseValue(node) ? [] : replaceBy('number', node, `(${node.text} + 1)`);
    case 'interpreted_string_literal':
    case 'raw_string_literal':
      return isMutableString(node) ? replaceBy('string', node, /^(?:""|``)$/.test(node.text) ? '"mutated"' : '""') : [];
    default:
      return mutateStatement(node);
  }
}

function mutateStatement(node: Node): readonly MutantReplacement[] {
  switch (node.type) {
    case 'if_statement':
      return negateCondition(node.childForFieldName('condition'));
    case 'for_statement':
      return mutateLoop(node);
    case 'return_statement':
      return replaceResultsByZero(node);
    case 'break_statement':
      return node.namedChildren.length === 0 && isContinuable(node) ? replaceBy('jump', node, 'continue') : [];
    case 'continue_statement':
      return node.namedChildren.length === 0 ? replaceBy('jump', node, 'break') : [];
    case 'send_statement':
    case 'defer_statement':
      return disableStatement(node);
    case 'expression_statement':
      return node.namedChildren[0]?.type === 'call_expression' && !LOG_PATTERN.test(node.text)
        ? disableStatement(node)
        : [];
    default:
      return [];
  }
}

function mutateBinary(node: Node): readonly MutantReplacement[] {
  const operator = node.childForFieldName('operator');
  if (!operator) return [];
  if (Object.hasOwn(RELATION_REPLACEMENTS, operator.text))
    return replaceBy('equality', operator, ...replaceRelation(operator.text, getOperands(node), parsedBranches(node)));
  if (Object.hasOwn(LOGICAL_REPLACEMENTS, operator.text))
    return replaceBy('logical', operator, LOGICAL_REPLACEMENTS[operator.text]!);
  return isGoString(node) ? [] : replaceOperator(node, 'arithmetic', ARITHMETIC_REPLACEMENTS);
}

function getOperands(node: Node): readonly [string, string] {
  return [node.childForFieldName('left')?.text ?? '', node.childForFieldName('right')?.text ?? ''];
}

/** `!a` → `a`, `-a` → `a`. Operators of pointers and channels, which have the same node type, are not mutated. */
function mutateUnary(node: Node): MutantReplacement[] {
  const operand = node.childForFieldName('operand');
  const operator = node.childForFieldName('operator')?.text;
  return operand && (operator === '!' || (operator === '-' && operand.text !== '0'))
    ? replaceBy('unary', node, `(${operand.text})`)
    : [];
}

/** `i++` → `i--`, except in the head of a loop, which would never end and so show nothing about the tests. */
function mutateUpdate(node: Node): MutantReplacement[] {
  const operand = node.namedChildren[0];
  if (!operand || node.parent?.type === 'for_clause') return [];
  return replaceBy('update', node, `${operand.text}${node.type === 'inc_statement' ? '--' : '++'}`);
}

/**
 * Makes the condition of a loop false. It is never made true, because an endless loop shows nothing about the tests.
 */
function mutateLoop(node: Node): MutantReplacement[] {
  const head = node.namedChildren[0];
  const condition =
    head?.type === 'for_clause'
      ? head.childForFieldName('condition')
      : head && head.type !== 'range_clause' && head.type !== 'block'
        ? head
        : null;
  return condition ? replaceBy('conditional', condition, `false && (${condition.text})`) : [];
}

function negateCondition(condition: Node | null): MutantReplacement[] {
  // For `!a`, removing the operator is the same mutant.
  if (condition === null || (condition.type === 'unary_expression' && condition.text.startsWith('!'))) return [];
  return replaceBy('conditional', condition, `!(${condition.text})`);
}

/** Moves the statement behind `if false`. It stays in the code, because Go rejects unused imports and variables. */
function disableStatement(node: Node): MutantReplacement[] {
  return node.parent?.type === 'statement_list' ? replaceBy('statement', node, `if false { ${node.text} }`) : [];
}

function mutateInteger(node: Node): MutantReplacement[] {
  const digits = node.text.replaceAll('_', '').toLowerCase();
  if (!/^(?:\d+|0x[\da-f]+|0o[0-7]+|0b[01]+)$/.test(digits)) return [];
  const value = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const increased = TYPE_MAXIMA.has(value) ? [] : [value + 1n];
  const decreased = value > 0n && !(value === 1n && isDivisor(node)) ? [value - 1n] : [];
  return replaceBy('number', node, ...[...increased, ...decreased].map(String));
}

function isDivisor(node: Node): boolean {
  const { parent } = node;
  if (parent?.type !== 'binary_expression' || parent.childForFieldName('right')?.id !== node.id) return false;
  return /^[/%]$/.test(parent.childForFieldName('operator')?.text ?? '');
}

/** True for the value of a `case`. It is not mutated, because two equal cases would not compile. */
function isCaseValue(node: Node): boolean {
  for (let ancestor = node.parent; ancestor; ancestor = ancestor.parent) {
    if (ancestor.type === 'expression_case') return true;
    if (ancestor.type === 'statement_list' || ancestor.type === 'block') return false;
  }
  return false;
}

/** False for keys, values of cases, and messages. Even good tests rarely check the words of an error. */
function isMutableString(node: Node): boolean {
  if (isCaseValue(node)) return false;
  const { parent } = node;
  if (!parent || parent.type === 'index_expression' || parent.type === 'field_declaration') return false;
  for (let ancestor: Node | null = parent; ancestor && ancestor.type !== 'statement_list'; ancestor = ancestor.parent) {
    if (ancestor.type === 'keyed_element' && isNodeInside(node, ancestor.namedChildren[0])) return false;
    if (ancestor.type !== 'call_expression') continue;
    if (MESSAGE_PATTERN.test(ancestor.childForFieldName('function')?.text ?? '') || LOG_PATTERN.test(ancestor.text))
      return false;
  }
  return true;
}

function isNodeInside(node: Node, outer: Node | undefined): boolean {
  return outer !== undefined && outer.startIndex <= node.startIndex && node.endIndex <= outer.endIndex;
}

/** True if the `break` is in a loop of its function, so that `continue` would compile there. */
function isContinuable(node: Node): boolean {
  for (let ancestor = node.parent; ancestor; ancestor = ancestor.parent) {
    if (ancestor.type === 'for_statement') return true;
    if (/^(?:function_declaration|method_declaration|func_literal)$/.test(ancestor.type)) return false;
  }
  return false;
}
