// Finds the errors that a function throws itself, and when.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';

/** An error that a function throws. */
export interface Thrown {
  readonly type: string;
  /** The error's message, or the condition under which it is thrown (``If `x` ``), without a full stop. */
  readonly sentence: string;
}

/** Minimum number of words. A shorter message explains less than the condition. */
const MIN_WORDS = 3;
/** Maximum number of characters of a condition. */
const MAX_CONDITION_LENGTH = 50;
/** Maximum number of characters of a message. */
const MAX_MESSAGE_LENGTH = 100;
/** Maximum number of errors. A longer list would repeat the code, and a shortened one would mislead. */
const MAX_ERRORS = 4;

/**
 * The errors in text order. Empty if there are more than `MAX_ERRORS`, or if one of them is not thrown as
 * `throw new Name(…)` or has neither a message nor a condition that can be put into words.
 */
export function describeThrownErrors(owner: ts.FunctionLikeDeclaration, sourceFile: ts.SourceFile): Thrown[] {
  if (!owner.body || !ts.isBlock(owner.body)) return [];
  const parameterNames = new Set(owner.parameters.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : [])));
  const errorsBySentence = new Map<string, Thrown>();
  for (const statement of collectThrows(owner.body)) {
    const thrownError = readThrownError(statement, owner.body, parameterNames, sourceFile);
    if (!thrownError) return [];
    errorsBySentence.set(`${thrownError.type} ${thrownError.sentence}`, thrownError);
  }
  return errorsBySentence.size > MAX_ERRORS ? [] : [...errorsBySentence.values()];
}

/**
 * The `throw` statements whose error leaves the function. Statements of inner functions, and those whose error a
 * `catch` around them handles, are not included.
 */
function collectThrows(node: ts.Node): ts.ThrowStatement[] {
  const throwStatements: ts.ThrowStatement[] = [];
  const visit = (inner: ts.Node): void => {
    if (ts.isThrowStatement(inner)) throwStatements.push(inner);
    if (ts.isFunctionLike(inner) || ts.isClassLike(inner)) return;
    if (ts.isTryStatement(inner) && inner.catchClause) {
      visit(inner.catchClause.block);
      if (inner.finallyBlock) visit(inner.finallyBlock);
      return;
    }
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return throwStatements;
}

/** The error of one statement; null if its cause cannot be put into words. */
function readThrownError(
  { expression, parent }: ts.ThrowStatement,
  body: ts.Block,
  parameterNames: ReadonlySet<string>,
  sourceFile: ts.SourceFile,
): Thrown | null {
  if (!ts.isNewExpression(expression) || !ts.isIdentifier(expression.expression)) return null;
  const type = expression.expression.text;
  const [first] = expression.arguments ?? [];
  const message =
    first && ts.isStringLiteralLike(first)
      ? first.text
          .replace(/\s+/g, ' ')
          .trim()
          .replace(/[.!:]$/, '')
      : null;
  const fits =
    message !== null &&
    message.length <= MAX_MESSAGE_LENGTH &&
    /^\p{Lu}/u.test(message) &&
    message.split(' ').length >= MIN_WORDS &&
    !/[@{}*]/.test(message);
  if (fits) return { type, sentence: message };
  const branch = ts.isBlock(parent) && parent.statements.length === 1 ? parent.parent : parent;
  if (
    !ts.isIfStatement(branch) ||
    branch.parent !== body ||
    (branch.thenStatement !== parent && branch.thenStatement.pos !== parent.pos)
  )
    return null;
  const condition = branch.expression.getText(sourceFile);
  const roots = [branch.expression, ...collectDescendants(branch.expression)].filter(
    (node): node is ts.Identifier =>
      ts.isIdentifier(node) && !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node),
  );
  const isKnown = roots.every(
    ({ text }) => parameterNames.has(text) || /^(undefined|Number|Array|NaN|Infinity|String|Object)$/.test(text),
  );
  return isKnown &&
    roots.some(({ text }) => parameterNames.has(text)) &&
    condition.length <= MAX_CONDITION_LENGTH &&
    !/[\n`@{}]|\*\//.test(condition)
    ? { type, sentence: `If \`${condition}\`` }
    : null;
}
