// Reads examples of a function from its tests: calls and results, if both consist of literals.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import { splitIntoWords } from '../syntax/prose.ts';
import type { ImportingTest } from './testFiles.ts';
import { bindsName } from '../../syntax/names.ts';

/** A call in a test with its result, both as source texts. */
export interface ExampleCall {
  /** The call, with the function under its own name. */
  readonly call: string;
  readonly value: string;
  /** The title of the test if it adds something to the call; otherwise null. */
  readonly title: string | null;
}

/** Matches the names of assertions that compare with a value. */
const EQUAL_PATTERN = /^(toBe|toEqual|toStrictEqual|equal|eql|equals|deepEqual|deepStrictEqual|strictEqual|is)$/;
/** Matches code that mocks a dependency of the tested function. */
const MOCK_PATTERN =
  /\b(vi|jest|sinon|td|mock|t)\.(mock|doMock|spyOn|fn|stub\w*|useFakeTimers|replace|method)\(|\bmock(Implementation|ReturnValue|ResolvedValue)|process\.env\b|\b(sandbox|nock)\b/;
/** Maximum number of characters of a call. A longer one is a poor example. */
const MAX_CALL_LENGTH = 60;
/** Maximum number of characters of a value. A longer one makes a poor example. */
const MAX_VALUE_LENGTH = 50;
/** Maximum number of characters of the title of a test. A longer one is not used. */
const MAX_TITLE_LENGTH = 60;
/** Maximum number of examples for a function. */
const MAX_EXAMPLES = 3;

/**
 * Finds at most three examples in the tests. `exported`: the name under which the file exports the function. `name`:
 * the name of the function in the returned examples.
 */
export function findExamples(tests: readonly ImportingTest[], exported: string, name: string): ExampleCall[] {
  const examples: ExampleCall[] = [];
  const calls = new Set<string>();
  for (const { sourceFile, names } of tests) {
    // Results that depend on mocks do not show the behaviour of the function in use.
    if (MOCK_PATTERN.test(sourceFile.text)) continue;
    for (const { exported: from, local } of names) {
      if ((from !== exported && from !== '*') || isShadowed(sourceFile, local)) continue;
      for (const node of collectDescendants(sourceFile)) {
        const example = ts.isCallExpression(node)
          ? findExample(node, sourceFile, from === '*' ? `${local}.${exported}` : local, name)
          : null;
        if (!example || calls.has(example.call)) continue;
        calls.add(example.call);
        examples.push(example);
      }
    }
  }
  return chooseExamples(examples);
}

/**
 * Chooses examples that show most: those with arguments that are not empty and with different results. Keeps their
 * order.
 */
function chooseExamples(examples: readonly ExampleCall[]): ExampleCall[] {
  const chosenExamples = new Set<ExampleCall>();
  const values = new Set<string>();
  for (const isWorthwhile of [
    (example: ExampleCall) => !showsEdgeCase(example) && !values.has(example.value),
    (example: ExampleCall) => !values.has(example.value),
    (example: ExampleCall) => !showsEdgeCase(example),
  ]) {
    for (const example of examples) {
      if (chosenExamples.size >= MAX_EXAMPLES || chosenExamples.has(example) || !isWorthwhile(example)) continue;
      chosenExamples.add(example);
      values.add(example.value);
    }
  }
  return examples.filter((example) => chosenExamples.has(example));
}

/** True if the first argument is an empty value, null or undefined, which makes the call an edge case. */
function showsEdgeCase({ call }: ExampleCall): boolean {
  return /\((['"`]\s*['"`]|\[\]|\{\}|null|undefined)[,)]/.test(call);
}

/**
 * Reads the example in `expect(f(1)).toBe(2)` or `assert.equal(f(1), 2)`; null for other calls, and for long examples
 * or those with values that are not literals.
 */
function findExample(
  node: ts.CallExpression,
  sourceFile: ts.SourceFile,
  callee: string,
  name: string,
): ExampleCall | null {
  if (!ts.isPropertyAccessExpression(node.expression) || !EQUAL_PATTERN.test(node.expression.name.text)) return null;
  const [subject, expected] = findAssertedParts(node);
  const call = subject && ts.isAwaitExpression(subject) ? subject.expression : subject;
  const isAwaited = call !== subject || /\bresolves$/.test(node.expression.expression.getText(sourceFile));
  if (
    !call ||
    !expected ||
    !ts.isCallExpression(call) ||
    call.expression.getText(sourceFile) !== callee ||
    call.arguments.length === 0
  )
    return null;
  if (![...call.arguments, expected].every(isLiteral) || !isInTest(node)) return null;
  const callText = `${isAwaited ? 'await ' : ''}${name}(${call.arguments.map((argument) => argument.getText(sourceFile)).join(', ')})`;
  const value = expected.getText(sourceFile);
  if (callText.length > MAX_CALL_LENGTH || value.length > MAX_VALUE_LENGTH || /\n|\*\//.test(callText + value))
    return null;
  return { call: callText, value, title: findTitle(node, name) };
}

/** Finds the tested and the expected expression of an assertion; empty for one that is negated or has another form. */
function findAssertedParts(node: ts.CallExpression): readonly [subject?: ts.Expression, expected?: ts.Expression] {
  if (!ts.isPropertyAccessExpression(node.expression)) return [];
  let { expression: receiver }: { expression: ts.Expression } = node.expression;
  // `expect(x).to.equal(y)`, but not `expect(x).not.toBe(y)`.
  while (ts.isPropertyAccessExpression(receiver) && /^(to|be|deep|and|resolves)$/.test(receiver.name.text))
    receiver = receiver.expression;
  if (ts.isCallExpression(receiver) && ts.isIdentifier(receiver.expression) && receiver.expression.text === 'expect')
    return node.arguments.length === 1 ? [receiver.arguments[0], node.arguments[0]] : [];
  return ts.isIdentifier(receiver) && /^(assert|t)$/.test(receiver.text) ? [node.arguments[0], node.arguments[1]] : [];
}

/** True for a value that consists of literals. */
function isLiteral(node: ts.Expression): boolean {
  if (
    ts.isStringLiteralLike(node) ||
    ts.isNumericLiteral(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    node.kind === ts.SyntaxKind.NullKeyword ||
    ts.isRegularExpressionLiteral(node)
  )
    return true;
  if (ts.isIdentifier(node)) return node.text === 'undefined' || node.text === 'NaN' || node.text === 'Infinity';
  if (ts.isPrefixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.MinusToken && ts.isNumericLiteral(node.operand);
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isLiteral);
  return (
    ts.isObjectLiteralExpression(node) &&
    node.properties.every(
      (property) =>
        ts.isPropertyAssignment(property) &&
        !ts.isComputedPropertyName(property.name) &&
        isLiteral(property.initializer),
    )
  );
}

function isInTest(node: ts.Node): boolean {
  return findTestAround(node) !== null;
}

/**
 * Finds the enclosing call of `test`, `it` or a similar function; null if there is none, or if it is skipped, expected
 * to fail, or run with a table.
 */
function findTestAround(node: ts.Node): ts.CallExpression | null {
  for (let ancestor = node.parent; ancestor; ancestor = ancestor.parent) {
    if (!ts.isCallExpression(ancestor)) continue;
    const calleeText = ancestor.expression.getText();
    if (/^(test|it|specify|Deno\.test|t\.test)(\.(only|concurrent|sequential))?$/.test(calleeText)) return ancestor;
    if (
      /^(test|it|describe|xit|xtest|xdescribe)\b.*\b(skip|fails|todo|failing|each)\b|^x(it|test|describe)$/.test(
        calleeText,
      )
    )
      return null;
  }
  return null;
}

/**
 * Finds the title of the test, without `should` and the full stop. Null if it has fewer than three informative words,
 * is too long, contains code, or only announces a result by words such as `returns`.
 */
function findTitle(node: ts.Node, name: string): string | null {
  const [titleNode] = findTestAround(node)?.arguments ?? [];
  if (!titleNode || !ts.isStringLiteralLike(titleNode)) return null;
  const title = titleNode.text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(new RegExp(`^${name.replace(/\W/g, '\\$&')}(\\(\\))?[\\s:–-]+`), '')
    .replace(/^should (?=\w)/i, '')
    .replace(/[.:]$/, '');
  const wordsOfName = new Set(splitIntoWords(name));
  const titleWords = splitIntoWords(title).filter(
    (word) =>
      !wordsOfName.has(word) &&
      !/^(works?|basic|simple|default|correctly|properly|expected|as|test|tests|returns?|ok|and|the|an?|is|it|for|with|of|to|in|valid|input|output|value|values|result|results|cases?|case)$/.test(
        word,
      ),
  );
  return titleWords.length >= 3 &&
    title.length <= MAX_TITLE_LENGTH &&
    !/\b(valid|should|returns?)\b|=/i.test(title) &&
    !/[@{}`]|\*\//.test(title)
    ? title
    : null;
}

/** True if the file declares the name again, so that the called function may not be the import. */
function isShadowed(sourceFile: ts.SourceFile, local: string): boolean {
  return collectDescendants(sourceFile).some((node) => {
    if (ts.isVariableDeclaration(node) || ts.isParameter(node)) return bindsName(node.name, local);
    return (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && node.name?.text === local;
  });
}
