// Finds local names of assertions that do not look like assertions: `eq` in `import { strictEqual as eq }`, and helpers
// of the same file that assert.

import { ts } from 'ts-morph';
import { createWordSet } from '../../util/wordSet.ts';
import { collectNodesBelow } from './nodesBelow.ts';

/** Modules that consist mainly of assertions. */
const ASSERTION_MODULES = createWordSet('chai expect should power-assert tap earl unexpected expect.js must');
/** Matches modules whose names contain `assert` as a part: `node:assert/strict`, `uvu/assert`, `jsr:@std/assert@1`. */
const ASSERT_MODULE_PATTERN = /(?:^|[/:@])assert(?:@[^/]*)?(?:\/|$)/;
/** Exports of assertion modules that are not assertions. */
const OTHER_EXPORTS = new Set(
  'test it describe suite before after beforeEach afterEach use util config plugin AssertionError'.split(' '),
);
/** Matches names of functions that assert, in any library. */
export const ASSERTION_NAME_PATTERN = /^(?:expect|assert|should|check|verify|ensure)/i;

/** A function of the file, and the names that it calls. */
interface Helper {
  readonly name: string;
  readonly calls: ReadonlySet<string>;
}

/**
 * Local names of assertions, each with its exported name. The exported name is null for a namespace, whose methods show
 * the kind of assertion (`import * as is from 'uvu/assert'`), and for helpers of the file.
 */
export function findAssertionNames(source: ts.SourceFile): ReadonlyMap<string, string | null> {
  const names = new Map<string, string | null>();
  const add = (local: ts.Node, exported: string | null) => {
    if (ts.isIdentifier(local) && !OTHER_EXPORTS.has(exported ?? local.text)) names.set(local.text, exported);
  };
  const helpers: Helper[] = [];
  for (const node of collectNodesBelow(source)) {
    if (ts.isImportDeclaration(node) && isAssertionModule(node.moduleSpecifier)) {
      const { name, namedBindings } = node.importClause ?? {};
      if (name) add(name, null);
      if (namedBindings && ts.isNamespaceImport(namedBindings)) add(namedBindings.name, null);
      else
        for (const element of namedBindings?.elements ?? [])
          add(element.name, (element.propertyName ?? element.name).text);
    }
    if (ts.isVariableDeclaration(node) && node.initializer && loadsAssertionModule(node.initializer)) {
      const boundName = node.name;
      if (ts.isIdentifier(boundName)) add(boundName, findImportedMember(node.initializer));
      else if (ts.isObjectBindingPattern(boundName))
        for (const element of boundName.elements)
          add(element.name, (element.propertyName ?? element.name).getText(source));
    }
    const helper = readHelper(node);
    if (helper) helpers.push(helper);
  }
  addAssertingHelpers(helpers, names);
  return names;
}

/** Functions of test frameworks that declare a test. */
export const CASE_FUNCTIONS: ReadonlySet<string> = new Set(['test', 'it', 'specify']);

/** Adds helpers that assert, including helpers that call one of them. */
function addAssertingHelpers(helpers: readonly Helper[], names: Map<string, string | null>): void {
  for (let hasGrown = true; hasGrown; ) {
    const assertingHelpers = helpers.filter(
      ({ name, calls }) =>
        !names.has(name) && [...calls].some((call) => ASSERTION_NAME_PATTERN.test(call) || names.has(call)),
    );
    for (const { name } of assertingHelpers) names.set(name, null);
    hasGrown = assertingHelpers.length > 0;
  }
}

function isAssertionModule(specifier: ts.Expression): boolean {
  return (
    ts.isStringLiteralLike(specifier) &&
    (ASSERTION_MODULES.has(specifier.text) || ASSERT_MODULE_PATTERN.test(specifier.text))
  );
}

/** True for `require('assert')`, `require('assert').strict` and `await import('node:assert')`. */
function loadsAssertionModule(value: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(value) || ts.isAwaitExpression(value) || ts.isParenthesizedExpression(value))
    return loadsAssertionModule(value.expression);
  if (!ts.isCallExpression(value)) return false;
  const isImport = value.expression.kind === ts.SyntaxKind.ImportKeyword;
  const [specifier] = value.arguments;
  return (
    (isImport || value.expression.getText() === 'require') && specifier !== undefined && isAssertionModule(specifier)
  );
}

/** The member that is read from a loaded module: `equal` in `require('assert').equal`; null for the whole module. */
function findImportedMember(value: ts.Expression): string | null {
  return ts.isPropertyAccessExpression(value) && value.name.text !== 'strict' && value.name.text !== 'default'
    ? value.name.text
    : null;
}

/** The function of the file that a node declares, with the first name in each of its calls; null for any other node. */
function readHelper(node: ts.Node): Helper | null {
  const namedHelper =
    ts.isFunctionDeclaration(node) && node.name
      ? { name: node.name.text, body: node.body }
      : ts.isVariableDeclaration(node) &&
          ts.isIdentifier(node.name) &&
          node.initializer &&
          (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer))
        ? { name: node.name.text, body: node.initializer.body }
        : null;
  if (!namedHelper?.body) return null;
  const calls = new Set<string>();
  for (const inner of [namedHelper.body, ...collectNodesBelow(namedHelper.body)])
    if (ts.isCallExpression(inner)) calls.add(findLeftmostName(inner.expression));
  return { name: namedHelper.name, calls };
}

function findLeftmostName(expression: ts.Expression): string {
  let current = expression;
  while (ts.isPropertyAccessExpression(current) || ts.isCallExpression(current) || ts.isNonNullExpression(current))
    current = current.expression;
  return ts.isIdentifier(current) ? current.text : '';
}
