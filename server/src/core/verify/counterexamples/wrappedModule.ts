// Reads scripts that wrap all of their code in a function that is called at once, as libraries for browsers do:
// `(function () { … module.exports = x; })();`, and UMD, in which a factory returns what the module exports.

import { ts } from 'ts-morph';

type FunctionValue = ts.FunctionExpression | ts.ArrowFunction;

/**
 * The statements of the module. If one call wraps the whole script, they are those in the called function, or in the
 * factory that it gets, and in their `if` statements. The `return` statement of a factory states what the module
 * exports. Otherwise the statements of the file.
 */
export function listModuleStatements(file: ts.SourceFile): readonly ts.Statement[] {
  const [wrapper, ...others] = file.statements.filter(
    (statement) => !ts.isEmptyStatement(statement) && !isDirective(statement),
  );
  const call =
    wrapper && others.length === 0 && ts.isExpressionStatement(wrapper) ? findCall(wrapper.expression) : null;
  const called = call && findFunction(call.expression);
  if (!called) return file.statements;
  const factory = call.arguments.map(findFunction).find((value) => value !== null);
  return factory
    ? listOwnStatements(factory)
    : listOwnStatements(called).filter((statement) => !ts.isReturnStatement(statement));
}

function isDirective(statement: ts.Statement): boolean {
  return ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);
}

/** The call in `(…)()`, `(…())`, `!…()`, `void …()` and `….call(this)`; null for any other expression. */
function findCall(expression: ts.Expression): ts.CallExpression | null {
  if (ts.isParenthesizedExpression(expression)) return findCall(expression.expression);
  if (ts.isPrefixUnaryExpression(expression)) return findCall(expression.operand);
  if (ts.isVoidExpression(expression)) return findCall(expression.expression);
  return ts.isCallExpression(expression) ? expression : null;
}

/** The function that an expression is, also in parentheses and in `function () {}.call`; null if it is none. */
function findFunction(expression: ts.Expression): FunctionValue | null {
  if (ts.isParenthesizedExpression(expression)) return findFunction(expression.expression);
  if (ts.isPropertyAccessExpression(expression) && /^(?:call|apply)$/.test(expression.name.text))
    return findFunction(expression.expression);
  return ts.isFunctionExpression(expression) || ts.isArrowFunction(expression) ? expression : null;
}

/** The statements in the body of a function, and those in its `if` statements. */
function listOwnStatements({ body }: FunctionValue): readonly ts.Statement[] {
  const listInner = (statement: ts.Statement | undefined): readonly ts.Statement[] => {
    if (statement === undefined) return [];
    if (ts.isBlock(statement)) return statement.statements.flatMap(listInner);
    if (!ts.isIfStatement(statement)) return [statement];
    return [...listInner(statement.thenStatement), ...listInner(statement.elseStatement)];
  };
  return ts.isBlock(body) ? listInner(body) : [];
}
