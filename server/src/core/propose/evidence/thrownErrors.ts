// Finds the errors that a function itself throws, with their messages or conditions, so that its documentation can list
// them.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';

/** An error that a function throws. */
export interface ThrownError {
  readonly type: string;
  /** The error's message, or the condition under which it is thrown (``If `x` ``), without a full stop. */
  readonly sentence: string;
}

/** Minimum number of words of a message. A shorter one explains less than the condition of the error. */
const MIN_WORDS = 3;
/** Maximum number of characters of a condition. */
const MAX_CONDITION_LENGTH = 50;
/** Maximum number of characters of a message. */
const MAX_MESSAGE_LENGTH = 100;
/** Maximum number of errors. A longer list would repeat the code, and a shortened list would mislead. */
const MAX_ERRORS = 4;

/**
 * Finds the errors that a function throws, in the order of the text. Empty if there are more than `MAX_ERRORS`, or if
 * one of them is not thrown as `throw new Name(…)` or has neither a usable message nor a condition on parameters.
 */
export function findThrownErrors(owner: ts.FunctionLikeDeclaration, sourceFile: ts.SourceFile): ThrownError[] {
  if (!owner.body || !ts.isBlock(owner.body)) return [];
  const parameterNames = new Set(owner.parameters.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : [])));
  const errorsBySentence = new Map<string, ThrownError>();
  for (const statement of collectThrows(owner.body)) {
    const thrownError = readThrownError(statement, owner.body, parameterNames, sourceFile);
    if (!thrownError) return [];
    errorsBySentence.set(`${thrownError.type} ${thrownError.sentence}`, thrownError);
  }
  return errorsBySentence.size > MAX_ERRORS ? [] : [...errorsBySentence.values()];
}

/**
 * Collects the `throw` statements whose errors leave the function. Statements in inner functions, and those in a `try`
 * with a `catch`, are not included.
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

/** Reads the error of one statement; null if neither its message nor its condition can be described. */
function readThrownError(
  { expression, parent }: ts.ThrowStatement,
  body: ts.Block,
  parameterNames: ReadonlySet<string>,
  sourceFile: ts.SourceFile,
): ThrownError | null {
  if (!ts.isNewExpression(expression) || !ts.isIdentifier(expression.expression)) return null;
  const type = expression.expression.text;
  const [messageNode] = expression.arguments ?? [];
  const message =
    messageNode && ts.isStringLiteralLike(messageNode)
      ? messageNode.text
          .replace(/\s+/g, ' ')
          .trim()
          .replace(/[.!:]$/, '')
      : null;
  const isUsableMessage =
    message !== null &&
    message.length <= MAX_MESSAGE_LENGTH &&
    /^\p{Lu}/u.test(message) &&
    message.split(' ').length >= MIN_WORDS &&
    !/[@{}*]/.test(message);
  if (isUsableMessage) return { type, sentence: message };
  const branch = ts.isBlock(parent) && parent.statements.length === 1 ? parent.parent : parent;
  if (
    !ts.isIfStatement(branch) ||
    branch.parent !== body ||
    (branch.thenStatement !== parent && branch.thenStatement.pos !== parent.pos)
  )
    return null;
  const condition = branch.expression.getText(sourceFile);
  const usedIdentifiers = [branch.expression, ...collectDescendants(branch.expression)].filter(
    (node): node is ts.Identifier =>
      ts.isIdentifier(node) && !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node),
  );
  const usesOnlyKnownNames = usedIdentifiers.every(
    ({ text }) => parameterNames.has(text) || /^(undefined|Number|Array|NaN|Infinity|String|Object)$/.test(text),
  );
  return usesOnlyKnownNames &&
    usedIdentifiers.some(({ text }) => parameterNames.has(text)) &&
    condition.length <= MAX_CONDITION_LENGTH &&
    !/[\n`@{}]|\*\//.test(condition)
    ? { type, sentence: `If \`${condition}\`` }
    : null;
}
