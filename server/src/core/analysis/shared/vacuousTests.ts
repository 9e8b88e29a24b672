// Finds tests that pass whatever the code does: empty ones, ones that only call something, and ones whose only
// assertions compare literals.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { ASSERTION_NAME, findAssertionNames } from '../../syntax/assertionNames.ts';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { isLiteral } from '../../syntax/bugPatterns/sameCode.ts';

const CASE_FUNCTIONS = new Set(['test', 'it', 'specify']);
/** Parts of a title that say what such a test shows: that nothing is thrown, that the types fit, how long it takes, or which issue it repeats. */
const SAYS_WHY = new RegExp(
  [
    String.raw`\b(?:throws?|throwing|thrown|crash\w*|errors?|fails?|failing|warns?|warnings?|explode|blow up|break)\b`,
    String.raw`\b(?:panic|hang\w*|leak\w*|smoke|compiles?|types?|typed|infers?|render(?:s|ed)?|mounts?|loads?)\b`,
    String.raw`\b(?:imports?|benchmark|perf\w*|no-?op|without|safely|gracefully|todo|placeholder|skip\w*)\b`,
    String.raw`\b(?:deprecated|can|accepts?|allows?|supports?|tolerates?|ignores?|handles?|not|never)\b|n't\b`,
    String.raw`\b(?:gh-?|issue )\d+|#\d+`,
  ].join('|'),
  'i',
);
/** Libraries whose commands wait and fail by themselves. */
const WAITING_LIBRARY =
  /\b(?:cy|browser|page|driver|nightwatch|I)\.\w+|@playwright\/|cypress|testcafe|puppeteer|webdriver/;
/** Names of functions that may assert although they are not called so. */
const MAY_ASSERT = new RegExp(
  [
    '^(?:ok|notOk|assume|that|eq|t)$|^is[A-Z]|^(?:get|find)(?:All)?By|waitFor|fc$|forAll|property|fuzz',
    'assert|expect|should|must|check|verify|validate|ensure|require|match|equal|compare|snapshot',
    'fail|done|end|plan|spec|test|run|throws',
  ].join('|'),
  'i',
);
/** Modules that hold helpers of tests. */
const HELPER_MODULE = new RegExp(
  [
    String.raw`(?:^|[/._-])(?:tests?|specs?|helpers?|utils?|support|fixtures?|common)(?:[/._-]|$)`,
    String.raw`(?:^|[/._-])(?:harness|setup|mocks?|__\w+__)(?:[/._-]|$)|^\./|^\.$`,
  ].join('|'),
  'i',
);

/** A test that cannot fail: the reason, without a full stop. */
export interface VacuousTest {
  readonly reason: string;
  readonly kind: 'empty' | 'literals' | 'no assertion';
}

/** What a file shows about its tests; computed once. */
interface FileFacts {
  readonly assertionNames: ReadonlyMap<string, string | null>;
  /** True if some test of the file asserts something, so that the file is no data of a test runner's own tests. */
  readonly asserts: boolean;
  readonly isLeftOut: boolean;
  /** Local names that come from modules with helpers of tests. */
  readonly helpers: ReadonlySet<string>;
}

const FACTS = new WeakMap<ts.SourceFile, FileFacts>();

/** Null for another call than a test, and for a test that may fail. */
export function findVacuousTest(call: ts.CallExpression, sourceFile: ts.SourceFile): VacuousTest | null {
  const [title, body] = call.arguments;
  if (!ts.isIdentifier(call.expression) || !CASE_FUNCTIONS.has(call.expression.text)) return null;
  if (!title || !ts.isStringLiteralLike(title) || !body || !ts.isExpressionStatement(call.parent)) return null;
  if (!ts.isArrowFunction(body) && !ts.isFunctionExpression(body)) return null;
  if (body.parameters.length > 0 || body.asteriskToken || !ts.isBlock(body.body)) return null;
  const facts = readFacts(sourceFile);
  if (!facts.asserts || facts.isLeftOut || hasComment(body.body, sourceFile)) return null;
  if (body.body.statements.length === 0) return { kind: 'empty', reason: 'this test is empty, so it always passes' };
  if (SAYS_WHY.test(title.text)) return null;
  return findInBody(body.body, facts);
}

function findInBody(body: ts.Block, { assertionNames, helpers }: FileFacts): VacuousTest | null {
  let literals = 0;
  for (const node of collectNodesBelow(body)) {
    if (mayFailByItself(node)) return null;
    if (!ts.isCallExpression(node) || !isOutermost(node)) continue;
    if (isAboutLiterals(node)) {
      // In a branch or a callback, the assertion shows that the code gets there.
      if (node.parent.parent !== body) return null;
      literals += 1;
      continue;
    }
    const names = readNames(node);
    if (names.some((name) => ASSERTION_NAME.test(name) || MAY_ASSERT.test(name))) return null;
    if (names.length === 0 || assertionNames.has(names[0]!) || helpers.has(names[0]!)) return null;
  }
  if (literals > 0) return { kind: 'literals', reason: 'the only assertion of this test is about a literal' };
  return { kind: 'no assertion', reason: 'this test asserts nothing, so it passes whatever the result is' };
}

/** True for code that may end a test without an assertion: what it throws, waits for, returns, or leaves to others. */
function mayFailByItself(node: ts.Node): boolean {
  switch (node.kind) {
    case ts.SyntaxKind.ThrowStatement:
    case ts.SyntaxKind.AwaitExpression:
    case ts.SyntaxKind.ReturnStatement:
    case ts.SyntaxKind.ThisKeyword:
    case ts.SyntaxKind.TaggedTemplateExpression:
    case ts.SyntaxKind.JsxElement:
    case ts.SyntaxKind.JsxSelfClosingElement:
    case ts.SyntaxKind.SatisfiesExpression:
    case ts.SyntaxKind.AsExpression:
    case ts.SyntaxKind.TypeReference:
      return true;
    default:
      // The compiler checks what stands under such a comment.
      return ts.isPropertyAccessExpression(node) && node.name.text === 'should';
  }
}

/**
 * False for the inner calls of a chain that ends in a call: that one stands for all of it. `expect(x).to.be.ok` ends
 * in a property.
 */
function isOutermost(call: ts.CallExpression): boolean {
  let chain: ts.Node = call;
  while (ts.isPropertyAccessExpression(chain.parent) && chain.parent.expression === chain) chain = chain.parent;
  return !(ts.isCallExpression(chain.parent) && chain.parent.expression === chain);
}

/** `expect(true).toBe(true)`, `assert.ok(true)`, `assert(1)`, `assert.equal(1, 1)`. */
export function isAboutLiterals(call: ts.CallExpression): boolean {
  const { expression: callee, arguments: values } = call;
  if (!values.every((value) => isLiteral(value))) return false;
  const text = callee.getText().replaceAll(/\s+/g, '');
  if (/^(?:assert|assert\.ok|chai\.assert|assert\.isTrue|assert\.isOk)$/.test(text)) {
    const [value] = values;
    return value !== undefined && isTruthy(value);
  }
  if (/^(?:assert(?:\.strict)?)\.(?:equal|strictEqual|deepEqual|deepStrictEqual)$/.test(text))
    return values.length >= 2 && values[0]!.getText() === values[1]!.getText();
  if (!ts.isPropertyAccessExpression(callee) || !ts.isCallExpression(callee.expression)) return false;
  const inner = callee.expression;
  const [value] = inner.arguments;
  if (inner.expression.getText() !== 'expect' || !value || !isLiteral(value)) return false;
  const matcher = callee.name.text;
  if (/^(?:toBe|toEqual|toStrictEqual)$/.test(matcher)) return values[0]?.getText() === value.getText();
  return (matcher === 'toBeTruthy' && isTruthy(value)) || (matcher === 'toBeDefined' && values.length === 0);
}

function isTruthy(value: ts.Expression): boolean {
  const text = skipParentheses(value).getText();
  return !/^(?:false|null|0|''|""|``)$/.test(text);
}

/** The names in the chain of a call, from left to right; empty if it begins with another expression. */
function readNames(call: ts.CallExpression): readonly string[] {
  const names: string[] = [];
  let current: ts.Expression = call;
  for (;;) {
    if (ts.isCallExpression(current) || ts.isNonNullExpression(current) || ts.isElementAccessExpression(current))
      current = current.expression;
    else if (ts.isPropertyAccessExpression(current)) {
      names.unshift(current.name.text);
      current = current.expression;
    } else if (ts.isParenthesizedExpression(current) || ts.isNewExpression(current)) current = current.expression;
    else break;
  }
  // A call of a literal or of a function that stands there is no helper.
  if (!ts.isIdentifier(current)) return ts.isLiteralExpression(current) || isLiteralList(current) ? ['', ...names] : [];
  return [current.text, ...names];
}

function isLiteralList(node: ts.Node): boolean {
  return ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node);
}

function readFacts(sourceFile: ts.SourceFile): FileFacts {
  const known = FACTS.get(sourceFile);
  if (known) return known;
  const assertionNames = findAssertionNames(sourceFile);
  const nodes = collectNodesBelow(sourceFile);
  const facts = {
    assertionNames,
    asserts: nodes.some(
      (node) =>
        ts.isCallExpression(node) &&
        !isAboutLiterals(node) &&
        readNames(node).some((name) => ASSERTION_NAME.test(name) || assertionNames.has(name)) &&
        node.arguments.some((value) => !isLiteral(value)),
    ),
    isLeftOut: WAITING_LIBRARY.test(sourceFile.text) || /[./_-]bench(?:mark)?s?[./_-]/.test(sourceFile.fileName),
    helpers: findHelperNames(sourceFile),
  };
  FACTS.set(sourceFile, facts);
  return facts;
}

/** The local names of what modules with helpers export, and of functions of the file that call one of these. */
function findHelperNames(sourceFile: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of sourceFile.statements) {
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const { name, namedBindings } = statement.importClause ?? {};
      if (!HELPER_MODULE.test(statement.moduleSpecifier.text)) continue;
      if (name) names.add(name.text);
      if (namedBindings && ts.isNamespaceImport(namedBindings)) names.add(namedBindings.name.text);
      else for (const element of namedBindings?.elements ?? []) names.add(element.name.text);
    }
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const required = initializer && /^require\(\s*['"]([^'"]+)['"]/.exec(initializer.getText(sourceFile))?.[1];
      if (required === undefined || !HELPER_MODULE.test(required)) continue;
      for (const node of [name, ...collectNodesBelow(name)]) if (ts.isIdentifier(node)) names.add(node.text);
    }
  }
  const helpers = collectNodesBelow(sourceFile).filter(
    (node): node is ts.FunctionDeclaration | ts.VariableDeclaration =>
      (ts.isFunctionDeclaration(node) && node.name !== undefined) ||
      (ts.isVariableDeclaration(node) &&
        node.initializer !== undefined &&
        (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer))),
  );
  for (const helper of helpers) {
    const callsUnknown = collectNodesBelow(helper).some(
      (node) =>
        ts.isThrowStatement(node) ||
        (ts.isCallExpression(node) &&
          readNames(node).some((name, at) => MAY_ASSERT.test(name) || (at === 0 && names.has(name)))),
    );
    if (callsUnknown && helper.name && ts.isIdentifier(helper.name)) names.add(helper.name.text);
  }
  return names;
}

function hasComment(body: ts.Block, { text }: ts.SourceFile): boolean {
  return /\/\/|\/\*/.test(text.slice(body.pos, body.end));
}
