// simplify-boolean: replaces a redundant condition by the condition itself: `c ? true : false` by `c`, an `if` that
// returns true or false by `return c`, and `!!a` in a condition by `a`.

import { ts } from 'ts-morph';
import { openTypes, type Types } from '../../propose/extraction/checkerTypes.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { negate } from '../../propose/syntax/negate.ts';
import { bindsTightly, needsNoGrouping, findNodeToReplace } from '../../propose/syntax/precedence.ts';
import { isAlwaysBoolean, isCondition, isFalse, hasOperator, isNot, isTrue } from '../../syntax/values.ts';
import { detectLineWidth } from '../../propose/fileStyle.ts';
import { applyReplacements, isFirstOnLine, lineStart, type Replacement } from '../../propose/textEdit.ts';
import { skipParentheses, findReturnValue } from '../../syntax/controlFlow.ts';

/** Code from `start` to `end` (exclusive) that gives the same result as `condition`, or the opposite if `isNegated`. */
interface RedundantBoolean {
  readonly start: number;
  readonly end: number;
  readonly condition: ts.Expression;
  readonly isNegated: boolean;
  /** True if only the truth of the result is used. */
  readonly isTruthinessOnly: boolean;
  /** True for an `if` that becomes `return condition`. */
  readonly isIfStatement: boolean;
  /** True for `x === true` in a condition and for `x !== true`: the change is valid for null and undefined, too. */
  readonly allowsNullish: boolean;
}

/** Replaces the code at the opportunity's place by its condition, negated if necessary. */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const node = findOpportunityNode(
    context,
    (candidate): candidate is ts.Expression | ts.IfStatement => findRedundantBooleanAt(sourceFile, candidate) !== null,
  );
  const redundantBoolean = node && findRedundantBooleanAt(sourceFile, node);
  if (!node || !redundantBoolean) return refuse('There is no longer anything here that says a condition twice.');
  const conditionStart = redundantBoolean.condition.getStart(sourceFile);
  if (
    /\/[/*]/.test(text.slice(redundantBoolean.start, conditionStart)) ||
    /\/[/*]/.test(text.slice(redundantBoolean.condition.end, redundantBoolean.end))
  )
    return refuse('A comment stands beside the condition.');
  const types = openTypes(context.tree, context.absolutePath, text);
  try {
    const reason = explainDifference(redundantBoolean, types);
    if (reason) return refuse(reason);
  } finally {
    types.dispose();
  }
  const simplifiedText = createConditionText(sourceFile, redundantBoolean, node);
  const terminator = redundantBoolean.isIfStatement && context.style.semicolons ? ';' : '';
  const replacement = `${redundantBoolean.isIfStatement ? 'return ' : ''}${simplifiedText}${terminator}`;
  if (
    !replacement.includes('\n') &&
    redundantBoolean.start - lineStart(text, redundantBoolean.start) + replacement.length > detectLineWidth(text)
  )
    return refuse('The line would be longer than the lines of this file are.');
  if (redundantBoolean.isIfStatement && replacement.includes('\n')) return refuse('The condition has several lines.');
  return {
    text: applyReplacements(text, [{ start: redundantBoolean.start, end: redundantBoolean.end, text: replacement }]),
    title: redundantBoolean.isIfStatement ? 'return the condition itself' : 'simplify a redundant condition',
    rationale: 'The result is the value of the condition anyway, so the code around it adds nothing.',
  };
}

/**
 * The condition that `node` expresses twice; null if there is none. Whether the types allow the change is not tested
 * here.
 */
function findRedundantBooleanAt(sourceFile: ts.SourceFile, node: ts.Node): RedundantBoolean | null {
  const replacedNode = ts.isConditionalExpression(node) ? findNodeToReplace(sourceFile, node) : node;
  const defaults = {
    start: replacedNode.getStart(sourceFile),
    end: replacedNode.end,
    isTruthinessOnly: isCondition(node),
    isIfStatement: false,
    allowsNullish: false,
  };
  if (ts.isConditionalExpression(node)) {
    if (isTrue(node.whenTrue) && isFalse(node.whenFalse))
      return { ...defaults, condition: node.condition, isNegated: false };
    return isFalse(node.whenTrue) && isTrue(node.whenFalse)
      ? { ...defaults, condition: node.condition, isNegated: true }
      : null;
  }
  if (isNot(node)) {
    const inner = skipParentheses(node.operand);
    if (isNot(inner))
      return defaults.isTruthinessOnly ? { ...defaults, condition: inner.operand, isNegated: false } : null;
    return ts.isBinaryExpression(inner) && isEquality(inner.operatorToken.kind)
      ? { ...defaults, condition: inner, isNegated: true }
      : null;
  }
  if (
    ts.isBinaryExpression(node) &&
    (node.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken ||
      node.operatorToken.kind === ts.SyntaxKind.ExclamationEqualsEqualsToken)
  ) {
    if (!isTrue(node.right) && !isFalse(node.right)) return null;
    const expectsTrue = isTrue(node.right) === (node.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken);
    return {
      ...defaults,
      condition: node.left,
      isNegated: !expectsTrue,
      allowsNullish: isTrue(node.right) && (defaults.isTruthinessOnly || !expectsTrue),
    };
  }
  return ts.isIfStatement(node) ? findRedundantIf(sourceFile, node) : null;
}

/**
 * Finds `if (c) return true; return false;`, also with an `else` or with both values swapped; null for any other
 * statement.
 */
function findRedundantIf(sourceFile: ts.SourceFile, node: ts.IfStatement): RedundantBoolean | null {
  const siblings = 'statements' in node.parent ? (node.parent.statements as ts.NodeArray<ts.Statement>) : undefined;
  const nextStatement = node.elseStatement ?? siblings?.[siblings.indexOf(node) + 1];
  if (
    !nextStatement ||
    (!node.elseStatement &&
      !isFirstOnLine(sourceFile.text, nextStatement.getStart(sourceFile)) &&
      lineStart(sourceFile.text, nextStatement.getStart(sourceFile)) !==
        lineStart(sourceFile.text, node.getStart(sourceFile)))
  )
    return null;
  const [whenTrue, whenFalse] = [findReturnValue(node.thenStatement), findReturnValue(nextStatement)];
  if (
    !whenTrue ||
    !whenFalse ||
    isTrue(whenTrue) === isTrue(whenFalse) ||
    !isBooleanLiteral(whenTrue) ||
    !isBooleanLiteral(whenFalse)
  )
    return null;
  return {
    start: node.getStart(sourceFile),
    end: nextStatement.end,
    condition: node.expression,
    isNegated: isFalse(whenTrue),
    isTruthinessOnly: false,
    isIfStatement: true,
    allowsNullish: false,
  };
}

function isBooleanLiteral(node: ts.Expression): boolean {
  return isTrue(node) || isFalse(node);
}

function isEquality(kind: ts.SyntaxKind): boolean {
  return (
    kind === ts.SyntaxKind.EqualsEqualsEqualsToken ||
    kind === ts.SyntaxKind.ExclamationEqualsEqualsToken ||
    kind === ts.SyntaxKind.EqualsEqualsToken ||
    kind === ts.SyntaxKind.ExclamationEqualsToken
  );
}

/** The reason why the condition alone may give another result, according to the types; null if it cannot. */
function explainDifference(redundantBoolean: RedundantBoolean, types: Types): string | null {
  const { condition, isTruthinessOnly, isNegated, allowsNullish } = redundantBoolean;
  const isComparison =
    ts.isBinaryExpression(condition.parent) &&
    condition.parent.left === condition &&
    (isTrue(condition.parent.right) || isFalse(condition.parent.right));
  if (isComparison) {
    if (
      isAlwaysBoolean(condition, (part) => types.isBoolean(part)) ||
      (allowsNullish && types.isBooleanOrNullish(condition))
    )
      return null;
    return 'The compared value may be something other than true or false.';
  }
  // A negation is always a boolean.
  if (isTruthinessOnly || isNegated || isAlwaysBoolean(condition, (part) => types.isBoolean(part))) return null;
  return 'The condition may be something else than true or false, and its value is used.';
}

/** The condition or its opposite as code, in parentheses if the place of `node` may need them. */
function createConditionText(
  sourceFile: ts.SourceFile,
  { condition, isNegated }: RedundantBoolean,
  node: ts.Node,
): string {
  const inner = skipParentheses(condition);
  if (!isNegated)
    return needsNoGrouping(node) || bindsTightly(inner) || needsNoParentheses(inner, node.parent)
      ? inner.getText(sourceFile)
      : `(${inner.getText(sourceFile)})`;
  const offset = inner.getStart(sourceFile);
  const shiftedReplacements = negate(sourceFile, inner).map((replacement: Replacement) => ({
    ...replacement,
    start: replacement.start - offset,
    end: replacement.end - offset,
  }));
  const opposite = applyReplacements(inner.getText(sourceFile), shiftedReplacements);
  const isUnary = /^!/.test(opposite) && !/[|&]{2}/.test(opposite);
  return needsNoGrouping(node) ||
    isUnary ||
    (ts.isBinaryExpression(inner) && isEquality(inner.operatorToken.kind) && needsNoParentheses(inner, node.parent))
    ? opposite
    : `(${opposite})`;
}

/** True for a binary expression that gives a boolean, is not itself `&&` or `||`, and is an operand of one of these. */
function needsNoParentheses(inner: ts.Expression, parent: ts.Node): boolean {
  if (!ts.isBinaryExpression(inner) || !ts.isBinaryExpression(parent)) return false;
  const { kind } = inner.operatorToken;
  return (
    isAlwaysBoolean(inner) &&
    !hasOperator(inner, ts.SyntaxKind.AmpersandAmpersandToken) &&
    !hasOperator(inner, ts.SyntaxKind.BarBarToken) &&
    kind !== ts.SyntaxKind.CommaToken &&
    (hasOperator(parent, ts.SyntaxKind.AmpersandAmpersandToken) || hasOperator(parent, ts.SyntaxKind.BarBarToken))
  );
}
