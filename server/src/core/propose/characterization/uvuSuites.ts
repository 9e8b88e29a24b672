// Finds the suites of uvu in a test file. Each suite is run by a separate statement, which follows its tests.

import { ts } from 'ts-morph';

/** The names of the suites that run at the top level of the file, in their order. */
export function findRunSuites(file: ts.SourceFile): readonly string[] {
  return file.statements.flatMap((statement) => findRunSuite(statement) ?? []);
}

/** Finds the suite with one of these titles that runs at the top level of the file; null if there is none. */
export function findSuite(titles: readonly string[], file: ts.SourceFile): string | null {
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const [title] = initializer && ts.isCallExpression(initializer) ? initializer.arguments : [];
      if (!title || !ts.isStringLiteralLike(title) || !titles.includes(title.text) || !ts.isIdentifier(name)) continue;
      if (findRunSuites(file).includes(name.text)) return name.text;
    }
  }
  return null;
}

/** True if the file itself creates the suite with this name: `const joins = suite('join')`. */
export function declaresSuite(suite: string, file: ts.SourceFile): boolean {
  return file.statements.some(
    (statement) =>
      ts.isVariableStatement(statement) &&
      statement.declarationList.declarations.some(
        ({ name, initializer }) =>
          ts.isIdentifier(name) &&
          name.text === suite &&
          initializer !== undefined &&
          ts.isCallExpression(initializer) &&
          initializer.expression.getText(file) !== 'require',
      ),
  );
}

/**
 * Finds the use of a `describe` that the file declares itself, which creates a suite, passes it on and runs it. Returns
 * the parameters of a group and the name of the function that defines tests there, such as `it`. Null if there is none.
 */
export function findDescribeHelper(file: ts.SourceFile): { readonly parameters: string; readonly call: string } | null {
  const declaresDescribe = file.statements.some(
    (statement) =>
      ts.isFunctionDeclaration(statement) &&
      statement.name?.text === 'describe' &&
      statement.parameters.length === 2 &&
      /\bsuite\([^]*\.run\(\)/.test(statement.body?.getText(file) ?? ''),
  );
  if (!declaresDescribe) return null;
  for (const statement of file.statements) {
    if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) continue;
    const { expression: callee, arguments: callArguments } = statement.expression;
    const [, body] = callArguments;
    if (callee.getText(file) !== 'describe' || !body || !ts.isArrowFunction(body)) continue;
    const [parameter] = body.parameters;
    if (!parameter || !ts.isIdentifier(parameter.name)) continue;
    const parameters = file.text.slice(body.getStart(file), body.equalsGreaterThanToken.getStart(file)).trim();
    return { parameters, call: parameter.name.text };
  }
  return null;
}

/**
 * The offset at which further tests of the suite belong: the end of the statement before the one that runs the suite; 0
 * if there is none.
 */
export function findEndOfSuite(suite: string, file: ts.SourceFile): number {
  const index = file.statements.findLastIndex((statement) => findRunSuite(statement) === suite);
  return file.statements[index - 1]?.end ?? 0;
}

/**
 * The suite that the statement runs: `merges` for `merges.run();`, `uvu.test` for `uvu.test.run();`; null for another
 * statement.
 */
function findRunSuite(statement: ts.Statement): string | null {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return null;
  const { expression: callee } = statement.expression;
  const isRunMember = ts.isPropertyAccessExpression(callee) && callee.name.text === 'run';
  if (!isRunMember) return null;
  const { expression: suite } = callee;
  if (ts.isIdentifier(suite)) return suite.text;
  const isMember = ts.isPropertyAccessExpression(suite) && ts.isIdentifier(suite.expression);
  return isMember ? `${suite.expression.text}.${suite.name.text}` : null;
}
