// Finds tests that pass whatever the code does: empty tests, tests that only call something, and tests whose only
// assertions compare literals.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { ASSERTION_NAME_PATTERN, findAssertionNames, CASE_FUNCTIONS } from '../../syntax/assertionNames.ts';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { createWordSet } from '../../../util/wordSet.ts';
import { isLiteral } from '../../syntax/bugPatterns/sameCode.ts';

/**
 * Matches titles that explain why a test has no assertion: it shows that nothing is thrown, that the types fit or how
 * long something takes, or it repeats an issue.
 */
const TITLE_WITHOUT_ASSERTION = new RegExp(
  [
    String.raw`\b(?:throws?|throwing|thrown|crash\w*|errors?|fails?|failing|warns?|warnings?|explode|blow up|break)\b`,
    String.raw`\b(?:panic|hang\w*|leak\w*|smoke|compiles?|types?|typed|infers?|render(?:s|ed)?|mounts?|loads?)\b`,
    String.raw`\b(?:imports?|benchmark|perf\w*|no-?op|without|safely|gracefully|todo|placeholder|skip\w*)\b`,
    String.raw`\b(?:deprecated|can|accepts?|allows?|supports?|tolerates?|ignores?|handles?|not|never)\b|n't\b`,
    String.raw`\b(?:gh-?|issue )\d+|#\d+`,
  ].join('|'),
  'i',
);
/** Matches libraries whose commands wait for a condition and fail if it does not come true. */
const WAITING_LIBRARY =
  /\b(?:cy|browser|page|driver|nightwatch|I)\.\w+|@playwright\/|cypress|testcafe|puppeteer|webdriver/;
/** Matches names of functions that may assert although `ASSERTION_NAME_PATTERN` does not match them. */
const MAY_ASSERT_PATTERN = new RegExp(
  [
    '^(?:ok|notOk|assume|that|eq|t)$|^is[A-Z]|^(?:get|find)(?:All)?By|waitFor|fc$|forAll|property|fuzz',
    'assert|expect|should|must|check|verify|validate|ensure|require|match|equal|compare|snapshot',
    'fail|done|end|plan|spec|test|run|throws',
  ].join('|'),
  'i',
);
/** Matches titles that explain why a test is empty. */
const EMPTY_TEST_TITLE =
  /\b(?:compiles?|types?|typed|todo|fixme|placeholder|pending|later|skip\w*|imports?|loads?)\b|\b(?:gh-?|issue )\d+|#\d+/i;
/** Matches names of hooks, which run before or after tests. */
const HOOK_PATTERN = /^(?:before|after)(?:Each|All)?$|^(?:setup|teardown|suiteSetup|suiteTeardown)$/;
/** Names of objects and functions of the platform and of test runners that do not assert. */
const HARMLESS_NAMES = createWordSet(
  'console Math JSON Object Array Number String Boolean Date Map Set Promise Symbol Reflect jest vi setTimeout',
);

/** A test that cannot fail. `reason`: a clause without a full stop. */
export interface VacuousTest {
  readonly reason: string;
  readonly kind: 'empty' | 'literals' | 'no assertion';
}

/** Facts about the tests of a file, computed once. */
interface FileFacts {
  readonly assertionNames: ReadonlyMap<string, string | null>;
  /** True if some test of the file asserts something. Otherwise the file may be data for the tests of a test runner. */
  readonly hasAssertion: boolean;
  // True if tests of the file may fail without an assertion of their own: by a library that waits, as a benchmark, or
  // by a hook.
  readonly mayFailOtherwise: boolean;
  /** Local names of the exports of the module under test. Any other function may assert. */
  readonly testedNames: ReadonlySet<string>;
}

/** By file: the result of `readFacts`. */
const FACTS_CACHE = new WeakMap<ts.SourceFile, FileFacts>();

/** The reason why a test cannot fail; null for a call that is not a test, and for a test that may fail. */
export function findVacuousTest(call: ts.CallExpression, sourceFile: ts.SourceFile): VacuousTest | null {
  const [title, body] = call.arguments;
  if (!ts.isIdentifier(call.expression) || !CASE_FUNCTIONS.has(call.expression.text)) return null;
  if (!title || !ts.isStringLiteralLike(title) || !body || !ts.isExpressionStatement(call.parent)) return null;
  if (!ts.isArrowFunction(body) && !ts.isFunctionExpression(body)) return null;
  if (body.parameters.length > 0 || body.asteriskToken || !ts.isBlock(body.body)) return null;
  const facts = readFacts(sourceFile);
  if (!facts.hasAssertion || facts.mayFailOtherwise || hasComment(body.body, sourceFile)) return null;
  if (body.body.statements.length === 0 && EMPTY_TEST_TITLE.test(title.text)) return null;
  if (body.body.statements.length === 0) return { kind: 'empty', reason: 'this test is empty, so it always passes' };
  if (TITLE_WITHOUT_ASSERTION.test(title.text)) return null;
  return findVacuousBody(body.body, facts);
}

/** The reason why a test with this body cannot fail; null if it may fail. */
function findVacuousBody(body: ts.Block, { assertionNames, testedNames }: FileFacts): VacuousTest | null {
  let literalAssertionCount = 0;
  for (const node of collectNodesBelow(body)) {
    if (mayFailWithoutAssertion(node)) return null;
    if (ts.isNewExpression(node) && mayAssert(node, assertionNames, testedNames)) return null;
    if (!ts.isCallExpression(node) || !isOutermost(node)) continue;
    if (isAboutLiterals(node)) {
      // In a branch or a callback, the assertion shows that the code is reached.
      if (node.parent.parent !== body) return null;
      literalAssertionCount += 1;
      continue;
    }
    if (mayAssert(node, assertionNames, testedNames)) return null;
  }
  if (literalAssertionCount > 0)
    return { kind: 'literals', reason: 'the only assertion of this test is about a literal' };
  return { kind: 'no assertion', reason: 'this test asserts nothing, so it passes whatever the result is' };
}

/**
 * True for code that may make a test fail without a call of an assertion: it throws, waits, returns a value, uses
 * `this` or JSX, or is checked by the compiler.
 */
function mayFailWithoutAssertion(node: ts.Node): boolean {
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
      // `value.should.be.ok` is an assertion without a call.
      return ts.isPropertyAccessExpression(node) && node.name.text === 'should';
  }
}

/**
 * False for an inner call of a chain that ends in a call, because the outermost call represents the whole chain. In
 * `expect(x).to.be.ok`, which ends in a property, `expect(x)` is the outermost call.
 */
function isOutermost(call: ts.CallExpression): boolean {
  let chain: ts.Node = call;
  while (ts.isPropertyAccessExpression(chain.parent) && chain.parent.expression === chain) chain = chain.parent;
  return !(ts.isCallExpression(chain.parent) && chain.parent.expression === chain);
}

/**
 * True for an assertion about literals that always passes: `expect(true).toBe(true)`, `assert.ok(true)`, `assert(1)`,
 * `assert.equal(1, 1)`.
 */
function isAboutLiterals(call: ts.CallExpression): boolean {
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

/**
 * The names in the chain of a call, from left to right. The first is '' if the chain begins with a literal. Empty if it
 * begins with something other than a name or a literal.
 */
function readChainNames(call: ts.CallExpression | ts.NewExpression): readonly string[] {
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
  // A call of a literal or of a function expression is not a call of a helper.
  if (!ts.isIdentifier(current)) return ts.isLiteralExpression(current) || isLiteralList(current) ? ['', ...names] : [];
  return [current.text, ...names];
}

function isLiteralList(node: ts.Node): boolean {
  return ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node);
}

function readFacts(sourceFile: ts.SourceFile): FileFacts {
  const cachedFacts = FACTS_CACHE.get(sourceFile);
  if (cachedFacts) return cachedFacts;
  const assertionNames = findAssertionNames(sourceFile);
  const nodes = collectNodesBelow(sourceFile);
  const testedNames = findTestedNames(sourceFile);
  const facts = {
    assertionNames,
    hasAssertion: nodes.some(
      (node) =>
        ts.isCallExpression(node) &&
        !isAboutLiterals(node) &&
        readChainNames(node).some((name) => ASSERTION_NAME_PATTERN.test(name) || assertionNames.has(name)) &&
        node.arguments.some((value) => !isLiteral(value)),
    ),
    mayFailOtherwise:
      WAITING_LIBRARY.test(sourceFile.text) ||
      /[./_-]bench(?:mark)?s?[./_-]/.test(sourceFile.fileName) ||
      nodes.some((node) => isAssertingHook(node, assertionNames, testedNames)),
    testedNames: testedNames,
  };
  FACTS_CACHE.set(sourceFile, facts);
  return facts;
}

/**
 * True for a hook such as `afterEach` that asserts or calls a function that may assert, because it checks each test of
 * the file.
 */
function isAssertingHook(
  node: ts.Node,
  ...names: readonly [FileFacts['assertionNames'], ReadonlySet<string>]
): boolean {
  if (!ts.isCallExpression(node) || !HOOK_PATTERN.test(readChainNames(node).at(-1) ?? '')) return false;
  return node.arguments.some((value) =>
    [value, ...collectNodesBelow(value)].some((inner) => ts.isCallExpression(inner) && mayAssert(inner, ...names)),
  );
}

/**
 * False for a call of the tested module or of the platform in which no name looks like that of an assertion; true for
 * any other call.
 */
function mayAssert(
  call: ts.CallExpression | ts.NewExpression,
  assertionNames: FileFacts['assertionNames'],
  testedNames: ReadonlySet<string>,
): boolean {
  const names = readChainNames(call);
  const [firstName] = names;
  if (firstName === undefined || assertionNames.has(firstName)) return true;
  if (names.some((name) => ASSERTION_NAME_PATTERN.test(name) || MAY_ASSERT_PATTERN.test(name))) return true;
  return firstName !== '' && !testedNames.has(firstName) && !HARMLESS_NAMES.has(firstName);
}

/** The local names of the exports of the module under test. That is the module with the same name as the test file. */
function findTestedNames(sourceFile: ts.SourceFile): ReadonlySet<string> {
  const moduleUnderTest = getModuleName(sourceFile.fileName);
  const names = new Set<string>();
  for (const statement of sourceFile.statements) {
    const bindings = ts.isImportDeclaration(statement)
      ? [{ from: statement.moduleSpecifier.getText(sourceFile), bound: statement.importClause }]
      : ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.map(({ name, initializer }) => ({
            from: /^require\(\s*(['"][^'"]+['"])\s*\)$/.exec(initializer?.getText(sourceFile) ?? '')?.[1] ?? '',
            bound: name,
          }))
        : [];
    for (const { from, bound: bindingNode } of bindings) {
      if (!bindingNode || !/^['"]\./.test(from) || getModuleName(from.slice(1, -1)) !== moduleUnderTest) continue;
      for (const node of [bindingNode, ...collectNodesBelow(bindingNode)])
        if (ts.isIdentifier(node)) names.add(node.text);
    }
  }
  return names;
}

/**
 * The name of a module without folder, extension and marks of a test: `orders` for `test/orders.test.ts`,
 * `../src/orders.ts` and `../src/orders/index.ts`.
 */
function getModuleName(path: string): string {
  const name = path.replace(SCRIPT_PATTERN, '').replace(/\/index$/, '');
  return name
    .slice(name.lastIndexOf('/') + 1)
    .replace(/[._-](?:tests?|specs?)$|^test[._-]/i, '')
    .toLowerCase();
}

function hasComment(body: ts.Block, { text }: ts.SourceFile): boolean {
  return /\/\/|\/\*/.test(text.slice(body.pos, body.end));
}
