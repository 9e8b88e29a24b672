// Creates mutants of scripts: small faults that programmers make, one at a time. Tests that guard a line must notice
// them.

import { RELATION_REPLACEMENTS, replaceRelation } from './relations.ts';
import { findScriptBranches } from './scriptBranches.ts';
import { ts } from 'ts-morph';

/**
 * The operators of Stryker's catalogue (stryker-mutator.io/docs/mutation-testing-elements/supported-mutators). It
 * contains the relations, logic, arithmetic and unary operators of Offutt's sufficient set (An Experimental
 * Determination of Sufficient Mutant Operators, TOSEM 1996), but no absolute values. Numbers, returned values, default
 * values of parameters, deleted statements and jumps are added.
 */
const OPERATORS = [
  'conditional',
  'equality',
  'arithmetic',
  'logical',
  'assignment',
  'update',
  'unary',
  'boolean',
  'string',
  'number',
  'array',
  'object',
  'block',
  'return',
  'optional chaining',
  'method',
  'statement',
  'default',
  'jump',
] as const;
/** The kind of a mutant. */
export type Operator = (typeof OPERATORS)[number];

/** A mutant: `text` replaces the text between the offsets `start` and `end` (exclusive). */
export interface MutantReplacement {
  readonly operator: Operator;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The new code for a person, if `text` contains more than the change. */
  readonly shown?: string;
}

const SyntaxKind = ts.SyntaxKind;
const IDENTITY_REPLACEMENTS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
};
const ARITHMETIC_REPLACEMENTS: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '<<': '>>',
  '>>': '<<',
  '&': '|',
  '|': '&',
};
const LOGICAL_REPLACEMENTS: Readonly<Record<string, string>> = { '&&': '||', '||': '&&', '??': '&&' };
const ASSIGNMENT_REPLACEMENTS: Readonly<Record<string, string>> = {
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '%=': '*=',
  '&&=': '||=',
  '||=': '&&=',
  '??=': '&&=',
};
/**
 * A map rather than an object, because names come from the source, and every object has properties such as `toString`.
 */
const METHOD_REPLACEMENTS = new Map(
  Object.entries({
    startsWith: 'endsWith',
    endsWith: 'startsWith',
    toUpperCase: 'toLowerCase',
    toLowerCase: 'toUpperCase',
    some: 'every',
    every: 'some',
    min: 'max',
    max: 'min',
    trimStart: 'trimEnd',
    trimEnd: 'trimStart',
    padStart: 'padEnd',
    padEnd: 'padStart',
    push: 'unshift',
    unshift: 'push',
    pop: 'shift',
    shift: 'pop',
    indexOf: 'lastIndexOf',
    floor: 'ceil',
    ceil: 'floor',
  }),
);
/** Calls that are removed. The value on which they are called stays. */
const REMOVED_CALLS = new Set(['filter', 'sort', 'reverse', 'slice', 'trim', 'toSorted', 'toReversed']);

/** All replacements of exactly this node. Types and other code without effect at run time get none. */
export function findScriptReplacements(node: ts.Node, sourceFile: ts.SourceFile): readonly MutantReplacement[] {
  const replace: CreateReplacements = (operator, target, ...texts) =>
    texts
      .map((text) => ({ operator, start: target.getStart(sourceFile), end: target.getEnd(), text }))
      .filter(({ text }) => text !== target.getText(sourceFile));
  const textOf: TextOf = (target) => target.getText(sourceFile);
  return (
    mutateCondition(node, replace) ??
    mutateOperator(node, replace, textOf) ??
    mutateLiteral(node, replace, textOf) ??
    mutateBody(node, replace, textOf) ??
    mutateAccess(node, replace, textOf) ??
    []
  );
}

type CreateReplacements = (operator: Operator, target: ts.Node, ...texts: readonly string[]) => MutantReplacement[];
type TextOf = (node: ts.Node) => string;
/** The replacements of a node; null if the node is of another kind. */
type ReplacementsOrNull = readonly MutantReplacement[] | null;

function mutateCondition(node: ts.Node, replace: CreateReplacements): ReplacementsOrNull {
  if (ts.isIfStatement(node)) return replace('conditional', node.expression, 'true', 'false');
  if (ts.isConditionalExpression(node)) return replace('conditional', node.condition, 'true', 'false');
  // An endless loop would show nothing about the tests, so the condition never becomes `true`.
  if (ts.isWhileStatement(node) || ts.isDoStatement(node)) return replace('conditional', node.expression, 'false');
  if (ts.isForStatement(node)) return node.condition ? replace('conditional', node.condition, 'false') : [];
  return null;
}

function mutateOperator(node: ts.Node, replace: CreateReplacements, textOf: TextOf): ReplacementsOrNull {
  if (ts.isBinaryExpression(node)) return mutateBinary(node, replace, textOf);
  if (ts.isPostfixUnaryExpression(node))
    return replace(
      'update',
      node,
      `${textOf(node.operand)}${node.operator === SyntaxKind.PlusPlusToken ? '--' : '++'}`,
    );
  if (!ts.isPrefixUnaryExpression(node)) return null;
  if (node.operator === SyntaxKind.PlusPlusToken) return replace('update', node, `--${textOf(node.operand)}`);
  if (node.operator === SyntaxKind.MinusMinusToken) return replace('update', node, `++${textOf(node.operand)}`);
  return node.operator === SyntaxKind.ExclamationToken ||
    (node.operator === SyntaxKind.MinusToken && textOf(node.operand) !== '0')
    ? replace('unary', node, textOf(node.operand))
    : [];
}

function mutateLiteral(node: ts.Node, replace: CreateReplacements, textOf: TextOf): ReplacementsOrNull {
  if (node.kind === SyntaxKind.TrueKeyword) return replace('boolean', node, 'false');
  if (node.kind === SyntaxKind.FalseKeyword) return replace('boolean', node, 'true');
  if (!isLiteral(node)) return null;
  if (!isMutableValue(node)) return [];
  if (ts.isNumericLiteral(node)) return replace('number', node, String(Number(node.text) + 1));
  if (ts.isArrayLiteralExpression(node)) return node.elements.length > 0 ? replace('array', node, '[]') : [];
  if (ts.isObjectLiteralExpression(node)) return node.properties.length > 0 ? replace('object', node, '({})') : [];
  return replace('string', node, textOf(node).length > 2 ? "''" : "'mutated'");
}

function isLiteral(node: ts.Node): boolean {
  return (
    ts.isNumericLiteral(node) ||
    ts.isStringLiteralLike(node) ||
    ts.isTemplateExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isObjectLiteralExpression(node)
  );
}

/** Mutates blocks, returned values, default values of parameters, and expression statements. */
function mutateBody(node: ts.Node, replace: CreateReplacements, textOf: TextOf): ReplacementsOrNull {
  const replaceUnlessUndefined = (value: ts.Node, operator: Operator) =>
    textOf(value) === 'undefined' ? [] : replace(operator, value, 'undefined');
  if (ts.isBlock(node)) return node.statements.length > 0 && canBeEmptied(node) ? replace('block', node, '{}') : [];
  if (ts.isReturnStatement(node)) return node.expression ? replaceUnlessUndefined(node.expression, 'return') : [];
  if (ts.isArrowFunction(node)) return ts.isBlock(node.body) ? [] : replaceUnlessUndefined(node.body, 'return');
  if (ts.isParameter(node)) return node.initializer ? replaceUnlessUndefined(node.initializer, 'default') : [];
  if (ts.isExpressionStatement(node)) return isUnmutatedStatement(node) ? [] : replace('statement', node, ';');
  return null;
}

function mutateAccess(node: ts.Node, replace: CreateReplacements, textOf: TextOf): ReplacementsOrNull {
  const isAccess = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
  if ((isAccess || ts.isCallExpression(node)) && node.questionDotToken)
    return replace('optional chaining', node.questionDotToken, ts.isPropertyAccessExpression(node) ? '.' : '');
  return ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)
    ? mutateMethod(node, node.expression, replace, textOf)
    : null;
}

function mutateBinary(node: ts.BinaryExpression, replace: CreateReplacements, textOf: TextOf): MutantReplacement[] {
  const operator = textOf(node.operatorToken);
  const relations = Object.hasOwn(RELATION_REPLACEMENTS, operator)
    ? replaceRelation(operator, [textOf(node.left), textOf(node.right)], findScriptBranches(node, textOf))
    : IDENTITY_REPLACEMENTS[operator];
  if (relations) return replace('equality', node.operatorToken, ...relations);
  // `??` is not allowed next to `&&` without parentheses.
  if (operator === '??' && [node.left, node.right, node.parent].some((operand) => isCoalescing(operand))) return [];
  if (LOGICAL_REPLACEMENTS[operator]) return replace('logical', node.operatorToken, LOGICAL_REPLACEMENTS[operator]);
  if (ASSIGNMENT_REPLACEMENTS[operator])
    return looksLikeString(node.right)
      ? []
      : replace('assignment', node.operatorToken, ASSIGNMENT_REPLACEMENTS[operator]);
  if (ARITHMETIC_REPLACEMENTS[operator])
    return looksLikeString(node.left) || looksLikeString(node.right)
      ? []
      : replace('arithmetic', node.operatorToken, ARITHMETIC_REPLACEMENTS[operator]);
  return [];
}

function isCoalescing(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.QuestionQuestionToken;
}

function mutateMethod(
  node: ts.CallExpression,
  access: ts.PropertyAccessExpression,
  replace: CreateReplacements,
  textOf: TextOf,
): MutantReplacement[] {
  const otherMethod = METHOD_REPLACEMENTS.get(access.name.text);
  if (otherMethod) return replace('method', access.name, otherMethod);
  return REMOVED_CALLS.has(access.name.text) ? replace('method', node, textOf(access.expression)) : [];
}

function looksLikeString(node: ts.Expression): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateExpression(node) ||
    (ts.isBinaryExpression(node) && (looksLikeString(node.left) || looksLikeString(node.right)))
  );
}

/** False for names, specifiers, types and messages. Even good tests rarely check the words of an error. */
function isMutableValue(node: ts.Node): boolean {
  const { parent } = node;
  if (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isExternalModuleReference(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isEnumMember(parent) ||
    ts.isJsxAttribute(parent)
  )
    return false;
  if (isMemberName(node, parent)) return false;
  if (ts.isExpressionStatement(parent)) return false;
  if (
    ts.isCallExpression(parent) &&
    (parent.expression.kind === SyntaxKind.ImportKeyword ||
      /^(require|console\.\w+|(\w+\.)*(log|logger)\.\w+)$/.test(parent.expression.getText()))
  )
    return false;
  if (ts.isNewExpression(parent) && /Error$/.test(parent.expression.getText())) return false;
  // False for the target of a destructuring assignment.
  return !(
    ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind === SyntaxKind.EqualsToken &&
    parent.left === node
  );
}

/**
 * False for the body of a constructor, which must call `super`, and for the block of a `try` or `catch`, which is often
 * already empty.
 */
function canBeEmptied(block: ts.Block): boolean {
  const { parent } = block;
  return !ts.isConstructorDeclaration(parent) && !ts.isTryStatement(parent) && !ts.isCatchClause(parent);
}

/** True for a directive, a call of `super`, and logging. */
function isUnmutatedStatement(node: ts.ExpressionStatement): boolean {
  return (
    ts.isStringLiteral(node.expression) ||
    (ts.isCallExpression(node.expression) && node.expression.expression.kind === SyntaxKind.SuperKeyword) ||
    /^(console\.|(\w+\.)*(log|logger)\.)/.test(node.expression.getText())
  );
}

/** True for the quoted or numeric name of a member or an export, and for a property name in a binding pattern. */
function isMemberName(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  if (ts.isImportOrExportSpecifier(parent) || ts.isNamespaceExport(parent) || ts.isImportAttribute(parent)) return true;
  return (ts.isObjectLiteralElementLike(parent) || ts.isClassElement(parent)) && parent.name === node;
}
