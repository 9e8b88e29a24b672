// Writes test cases that contradict an existing case: they expect a different value from the same call. No honest
// change of the code can make both cases pass.

import { ts } from 'ts-morph';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { CASE_FUNCTIONS } from '../../syntax/assertionNames.ts';

/** A file of tests with one more case. */
export interface Contradiction {
  /** Title of the new test case. */
  readonly title: string;
  /** The text of the file with the new case. */
  readonly after: string;
}

/** Functions that compare their first argument with the second. */
const COMPARISON_PATTERN = /^(?:equal|strictEqual|deepEqual|deepStrictEqual|is|same|assertEquals)$/;
/** Methods that compare what was passed to `expect`. */
const MATCHER_PATTERN = /^(?:toBe|toEqual|toStrictEqual|equal|equals|eql)$/;

/** A contradiction for each test case that has a suitable assertion, in the order of the file. */
export function createContradictions(path: string, text: string): readonly Contradiction[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return collectNodesBelow(source)
    .flatMap((node) => findCase(node) ?? [])
    .toSorted((a, b) => a.statement.pos - b.statement.pos)
    .flatMap((testCase) => findContradiction(source, testCase) ?? []);
}

interface Case {
  readonly statement: ts.ExpressionStatement;
  readonly title: ts.StringLiteralLike;
  readonly body: ts.ConciseBody;
}

/** The test case that a statement defines; null for any other node. */
function findCase(node: ts.Node): Case | null {
  if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return null;
  const { expression, arguments: args } = node.expression;
  const [title] = args;
  const callback = args.at(-1);
  if (!ts.isIdentifier(expression) || !CASE_FUNCTIONS.has(expression.text) || !title || !callback) return null;
  const isCallback = ts.isArrowFunction(callback) || ts.isFunctionExpression(callback);
  return ts.isStringLiteralLike(title) && isCallback ? { statement: node, title, body: callback.body } : null;
}

/** A contradiction of the first suitable assertion of a case; null if there is none. */
function findContradiction(source: ts.SourceFile, testCase: Case): Contradiction | null {
  const { body } = testCase;
  const comparisons = ts.isBlock(body)
    ? body.statements.flatMap((statement) => (ts.isExpressionStatement(statement) ? [statement.expression] : []))
    : [body];
  for (const comparison of comparisons) {
    const literal = findExpectedValue(comparison);
    const differentValue = literal && createOtherValue(literal);
    if (literal && differentValue !== null)
      return createContradiction(source, testCase, comparison, literal, differentValue);
  }
  return null;
}

/** Adds a copy of the case, in which an assertion with the other value comes before the original one. */
function createContradiction(
  source: ts.SourceFile,
  { statement, title, body }: Case,
  comparison: ts.Expression,
  literal: ts.Expression,
  differentValue: string,
): Contradiction {
  const { text } = source;
  const name = `${title.text} (2)`;
  const start = statement.getStart(source);
  const comparisonStart = comparison.getStart(source);
  const original = text.slice(comparisonStart, comparison.end);
  const contradiction =
    text.slice(comparisonStart, literal.getStart(source)) + differentValue + text.slice(literal.end, comparison.end);
  const bothStatements = ts.isBlock(body)
    ? `${contradiction};\n${getIndentation(text, comparisonStart)}${original}`
    : `{ ${contradiction}; ${original}; }`;
  const copiedCase = [
    text.slice(start, title.getStart(source)),
    JSON.stringify(name),
    text.slice(title.end, comparisonStart),
    bothStatements,
    text.slice(comparison.end, statement.end),
  ].join('');
  const after = `${text.slice(0, statement.end)}\n\n${getIndentation(text, start)}${copiedCase}${text.slice(statement.end)}`;
  return { title: name, after };
}

/**
 * The expression with which an assertion compares the result of a call; for an array literal, its first element. Null
 * if the assertion compares no such result.
 */
function findExpectedValue(comparison: ts.Expression): ts.Expression | null {
  if (!ts.isCallExpression(comparison)) return null;
  const { expression, arguments: args } = comparison;
  const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
  const [first, second] = args;
  if (first && second && COMPARISON_PATTERN.test(name)) return containsCall(first) ? findLiteral(second) : null;
  if (!first || !MATCHER_PATTERN.test(name)) return null;
  const calleeNodes = collectNodesBelow(expression);
  const expectCall = calleeNodes.find(
    (node): node is ts.CallExpression => ts.isCallExpression(node) && node.expression.getText() === 'expect',
  );
  // An assertion about a promise without `await` is not waited for, so its contradiction might pass.
  const changesMeaning = calleeNodes.some(
    (node) => ts.isIdentifier(node) && /^(?:not|resolves|rejects)$/.test(node.text),
  );
  const [subject] = expectCall?.arguments ?? [];
  return subject && !changesMeaning && containsCall(subject) ? findLiteral(first) : null;
}

/** The expression itself; for an array literal, its first element, searched recursively. */
function findLiteral(expected: ts.Expression): ts.Expression | null {
  if (!ts.isArrayLiteralExpression(expected)) return expected;
  const [first] = expected.elements;
  return first ? findLiteral(first) : null;
}

function containsCall(expression: ts.Expression): boolean {
  return [expression, ...collectNodesBelow(expression)].some((node) => ts.isCallExpression(node));
}

/** The code of another value of the same type; null if the expression is not a boolean, number or string literal. */
function createOtherValue(literal: ts.Expression): string | null {
  if (literal.kind === ts.SyntaxKind.TrueKeyword) return 'false';
  if (literal.kind === ts.SyntaxKind.FalseKeyword) return 'true';
  if (ts.isNumericLiteral(literal)) return String(Number(literal.text) + 1);
  if (!ts.isStringLiteral(literal)) return null;
  const quote = literal.getText()[0]!;
  return literal.text === ''
    ? `${quote}none${quote}`
    : `${literal.getText().slice(0, -1)}${chooseExtraCharacter(literal)}${quote}`;
}

/** The last character of the string if it needs no escape; otherwise `x`. */
function chooseExtraCharacter({ text }: ts.StringLiteral): string {
  const lastCharacter = text.at(-1)!;
  return /[\w.]/.test(lastCharacter) ? lastCharacter : 'x';
}

function getIndentation(text: string, index: number): string {
  const lineStart = text.lastIndexOf('\n', index - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, index))![0];
}
