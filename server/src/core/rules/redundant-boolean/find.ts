// redundant-boolean: finds a `true` and a `false` that only repeat their condition.

import { ts } from 'ts-morph';
import { isAlwaysBoolean, isCondition, isFalse, isNot, isTrue, OPPOSITE_EQUALITY } from '../../syntax/values.ts';
import { resolveLocal } from '../../analysis/script/bindings.ts';
import type { Finding } from '../finding.ts';
import { hasCommentWithin } from '../../analysis/shared/reasons.ts';
import type { NodeFinder } from '../finders.ts';
import { skipParentheses, findReturnValue } from '../../syntax/controlFlow.ts';

export const finder: NodeFinder = {
  nodes: [
    ts.SyntaxKind.ConditionalExpression,
    ts.SyntaxKind.PrefixUnaryExpression,
    ts.SyntaxKind.BinaryExpression,
    ts.SyntaxKind.IfStatement,
  ],
  find: findRedundantBoolean,
};

/** Matches a comparison by order: ` < `, ` >= `. */
const ORDER_PATTERN = /\s[<>]=?\s/;

/**
 * Reports a `true` or `false` that only repeats a condition. `node` is a conditional expression, a negation, a
 * comparison or an `if`.
 */
function findRedundantBoolean(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  if (ts.isConditionalExpression(node)) return findRedundantChoice(node, sourceFile);
  if (isNot(node)) return findRedundantNegation(node, sourceFile);
  if (ts.isIfStatement(node)) return findRedundantIf(node, sourceFile);
  return ts.isBinaryExpression(node) ? findRedundantComparison(node, sourceFile) : null;
}

/** Finds `c ? true : false`, if `c` is a boolean or only its truth is used, and `c ? false : true`. */
function findRedundantChoice(node: ts.ConditionalExpression, sourceFile: ts.SourceFile): Finding | null {
  const isTrueThenFalse = isTrue(node.whenTrue) && isFalse(node.whenFalse);
  const isFalseThenTrue = isFalse(node.whenTrue) && isTrue(node.whenFalse);
  if (!isTrueThenFalse && !isFalseThenTrue) return null;
  if (isTrueThenFalse && !isCondition(node) && !isBoolean(node.condition)) return null;
  return createFinding(
    node,
    node.end,
    isTrueThenFalse ? '? true : false' : '? false : true',
    `a choice of true and false gives ${isTrueThenFalse ? 'what its condition gives' : 'the opposite of its condition'}: ` +
      `the condition${isTrueThenFalse ? '' : ' turned round'} says as much.`,
    sourceFile,
  );
}

/** Finds `!!c` if only its truth is used, and `!(a === b)`. */
function findRedundantNegation(node: ts.PrefixUnaryExpression, sourceFile: ts.SourceFile): Finding | null {
  const inner = skipParentheses(node.operand);
  if (isNot(inner))
    return isCondition(node) && !isNot(skipParentheses(inner.operand))
      ? createFinding(
          node,
          node.end,
          '!!',
          'a needless `!!`: here it only matters whether the value is truthy.',
          sourceFile,
        )
      : null;
  if (!ts.isBinaryExpression(inner) || !ts.isParenthesizedExpression(node.operand)) return null;
  const opposite = OPPOSITE_EQUALITY.get(inner.operatorToken.kind);
  return opposite && !isInTableOfNegations(node)
    ? createFinding(
        node,
        node.end,
        `!(… ${inner.operatorToken.getText(sourceFile)} …)`,
        `a needless \`!\` around a comparison: \`${ts.tokenToString(opposite)}\` says this without it.`,
        sourceFile,
      )
    : null;
}

/**
 * True if the statements before or after the node are of the same kind and also contain `!(`, and one of them contains
 * a comparison by order, such as `!(a <= b)`. Such statements look alike on purpose, so they are not reported.
 */
function isInTableOfNegations(node: ts.Node): boolean {
  let statement = node;
  while (!ts.isStatement(statement) && statement.parent) statement = statement.parent;
  const { parent, kind } = statement;
  if (!ts.isBlock(parent) && !ts.isSourceFile(parent) && !ts.isCaseOrDefaultClause(parent)) return false;
  const index = parent.statements.indexOf(statement as ts.Statement);
  for (const step of [-1, 1])
    for (let nextIndex = index + step; ; nextIndex += step) {
      const nextStatement = parent.statements[nextIndex];
      if (nextStatement?.kind !== kind || !nextStatement.getText().includes('!(')) break;
      if (ORDER_PATTERN.test(nextStatement.getText())) return true;
    }
  return false;
}

/**
 * Finds `===` or `!==` with `true` or `false` on the right, if the left side is a boolean by its form or by its
 * declaration.
 */
function findRedundantComparison(node: ts.BinaryExpression, sourceFile: ts.SourceFile): Finding | null {
  const { kind } = node.operatorToken;
  if (kind !== ts.SyntaxKind.EqualsEqualsEqualsToken && kind !== ts.SyntaxKind.ExclamationEqualsEqualsToken)
    return null;
  if ((!isTrue(node.right) && !isFalse(node.right)) || !isBoolean(node.left)) return null;
  return createFinding(
    node,
    node.end,
    `${node.operatorToken.getText(sourceFile)} ${node.right.getText(sourceFile)}`,
    'a boolean is compared with a boolean: alone it says the same.',
    sourceFile,
  );
}

/**
 * Finds `if (c) return true; return false;`, if `c` is a boolean, or with the values swapped; also with `else`. Not
 * reported after another `if` that returns a value, because the rows of such a table look alike, nor with a comment.
 */
function findRedundantIf(node: ts.IfStatement, sourceFile: ts.SourceFile): Finding | null {
  const { parent } = node;
  const siblings = ts.isBlock(parent) || ts.isCaseOrDefaultClause(parent) ? parent.statements : null;
  const index = siblings?.indexOf(node) ?? -1;
  const next = node.elseStatement ?? siblings?.[index + 1];
  if (!siblings || !next) return null;
  const [firstValue, secondValue] = [findReturnValue(node.thenStatement), findReturnValue(next)];
  if (
    !firstValue ||
    !secondValue ||
    !((isTrue(firstValue) && isFalse(secondValue)) || (isFalse(firstValue) && isTrue(secondValue)))
  )
    return null;
  const previousStatement = siblings[index - 1];
  if (
    previousStatement &&
    ts.isIfStatement(previousStatement) &&
    !previousStatement.elseStatement &&
    findReturnValue(previousStatement.thenStatement)
  )
    return null;
  if (
    (isTrue(firstValue) && !isBoolean(node.expression)) ||
    hasCommentWithin(sourceFile.text, node.getStart(sourceFile), next.end)
  )
    return null;
  return createFinding(
    node,
    next.end,
    'if around true and false',
    `an \`if\` around true and false returns ${isTrue(firstValue) ? 'what its condition gives' : 'the opposite of its condition'}: ` +
      `\`return\` can say so at once.`,
    sourceFile,
  );
}

/** True if the expression is a boolean by its form, or if it is a local that is declared as a boolean. */
function isBoolean(node: ts.Expression): boolean {
  return isAlwaysBoolean(node, (part) => ts.isIdentifier(part) && isDeclaredBoolean(part));
}

/**
 * True for a parameter or variable of the type `boolean`, or a constant without a type whose value is always boolean.
 */
function isDeclaredBoolean(name: ts.Identifier): boolean {
  const [declaration, secondDeclaration] = resolveLocal(name)?.symbol.declarations ?? [];
  if (
    !declaration ||
    secondDeclaration ||
    (!ts.isParameter(declaration) && !ts.isVariableDeclaration(declaration)) ||
    !ts.isIdentifier(declaration.name)
  )
    return false;
  if (declaration.type)
    return (
      declaration.type.kind === ts.SyntaxKind.BooleanKeyword &&
      !(ts.isParameter(declaration) && declaration.questionToken)
    );
  const { initializer } = declaration;
  return (
    ts.isVariableDeclaration(declaration) &&
    (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0 &&
    initializer !== undefined &&
    isAlwaysBoolean(initializer)
  );
}

function createFinding(
  node: ts.Node,
  end: number,
  pattern: string,
  message: string,
  sourceFile: ts.SourceFile,
): Finding {
  const start = node.getStart(sourceFile);
  return {
    rule: 'redundant-boolean',
    start,
    end,
    nameStart: start,
    nameEnd: ts.isIfStatement(node) ? start + 'if'.length : node.end,
    impact: 10,
    confidence: 0.8,
    message,
    evidence: { pattern },
    recipe: 'simplify-boolean',
  };
}
