// Finds the calls whose results new or changed test cases demand. A difference in such a call is what the change
// promises, so it is not shown. Calls that are not certain are omitted, so that their differences are shown.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import { findAssertionNames } from '../../syntax/assertionNames.ts';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import type { NamedCall } from '../differential/plan.ts';
import { collectCases } from './planSpecialCase.ts';
import { isAssignment } from '../../syntax/values.ts';

/** Maximum number of calls, so that a table with thousands of rows costs little. */
const MAX_CALLS = 500;
/** Matches assertions that demand a value. Their first argument is the actual value, the second the expected one. */
const EQUALITY_PATTERN =
  /^(?:equals?|strictEqual|deepEquals?|deepStrictEqual|assertEquals|assertStrictEquals|eql|is|same|strictSame)$/;
/** Matches assertions that demand an error from a function. */
const THROWING_PATTERN = /^(?:throws|throwsAsync|rejects)$/;
/** Matches the last word of an `expect(value)` chain that demands a value. */
const EXPECTED_VALUE_PATTERN = /^(?:toBe|toEqual|toStrictEqual|equals?|eql)$/;
const EXPECTED_ERROR_PATTERN = /^(?:toThrow|toThrowError|throws?|rejectedWith)$/;
/** Matches words between `expect(value)` and its last word that do not weaken the demand. */
const LINK_PATTERN = /^(?:to|be|deep|resolves|rejects|eventually)$/;
/** Matches words after `test` and `describe` with which the cases still run. */
const RUNNING_PATTERN = /^(?:each|for|only|concurrent|serial|sequential)$/;
const CASE_PATTERN = /^(?:test|it|specify)$/;
const GROUP_PATTERN = /^(?:describe|suite|context)$/;
/** Matches code by which a test may replace the code or the assertions that it calls, or end early. */
const UNCERTAIN_PATTERN =
  /mock|stub|spy|proxyquire|\b(?:skip|todo|fails|failing|exit|plan|extend|defineProperty|Reflect|Object\s*\.\s*assign)\b/i;

/** The meanings of the names in a file. */
interface FileNames {
  /** Imported names by local name, with the module; `exported` is null for a namespace import. */
  readonly imported: ReadonlyMap<string, { readonly exported: string | null; readonly module: string }>;
  /** Names that the file declares anywhere, or of which it replaces a member. */
  readonly declared: ReadonlySet<string>;
  /** Declared variables that may get another value, because they are not constants. */
  readonly variables: ReadonlySet<string>;
  readonly assertions: ReadonlyMap<string, string | null>;
}

type Case = ReturnType<typeof collectCases>[number];

/** The calls with literal arguments whose results a new or changed case in these edits demands. */
export function collectNamedCalls(tests: readonly FileEdit[]): readonly NamedCall[] {
  const calls = new Map<string, NamedCall>();
  const namesBySource = new Map<ts.SourceFile, FileNames>();
  for (const testCase of tests.flatMap(collectCases)) {
    const { edit, statement, nodes, values } = testCase;
    const source = statement.getSourceFile();
    const names = namesBySource.get(source) ?? readNames(source);
    namesBySource.set(source, names);
    const callback = findRunningCallback(testCase, names);
    if (callback === null) continue;
    for (const node of nodes) {
      if (!ts.isCallExpression(node) || calls.size >= MAX_CALLS) continue;
      const calledFunction = findImportedFunction(node.expression, names);
      if (node.arguments.some((argument) => ts.isIdentifier(argument) && names.variables.has(argument.text))) continue;
      if (calledFunction === null || !isDemanded(node, callback, names, values.byName)) continue;
      const path = posix.join(posix.dirname(edit.path), calledFunction.module).replace(SCRIPT_PATTERN, '');
      for (const argumentTexts of formatArguments(node.arguments, values.byName)) {
        const call = { path, name: calledFunction.name, arguments: argumentTexts };
        calls.set(JSON.stringify(call), call);
      }
    }
  }
  return [...calls.values()];
}

function readNames(source: ts.SourceFile): FileNames {
  const importedNames = new Map<string, { readonly exported: string | null; readonly module: string }>();
  const declared = new Set<string>();
  const variable = new Set<string>();
  for (const node of collectNodesBelow(source)) {
    if (
      (ts.isVariableDeclaration(node) ||
        ts.isBindingElement(node) ||
        ts.isParameter(node) ||
        ts.isFunctionLike(node) ||
        ts.isClassLike(node)) &&
      node.name &&
      ts.isIdentifier(node.name)
    )
      declared.add(node.name.text);
    const replaced = findReplacedName(node);
    if (replaced !== null) declared.add(replaced);
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && !isConstant(node)) variable.add(node.name.text);
    if (!ts.isImportDeclaration(node) || !ts.isStringLiteralLike(node.moduleSpecifier)) continue;
    const module = node.moduleSpecifier.text;
    const { name, namedBindings } = node.importClause ?? {};
    if (name) importedNames.set(name.text, { exported: 'default', module });
    if (namedBindings && ts.isNamespaceImport(namedBindings))
      importedNames.set(namedBindings.name.text, { exported: null, module });
    else
      for (const element of namedBindings?.elements ?? [])
        importedNames.set(element.name.text, { exported: (element.propertyName ?? element.name).text, module });
  }
  return { imported: importedNames, declared, variables: variable, assertions: findAssertionNames(source) };
}

/** The first name in an assignment to a member, such as `assert` in `assert.equal = …`; null for other nodes. */
function findReplacedName(node: ts.Node): string | null {
  if (!isAssignment(node)) return null;
  let root: ts.Expression = node.left;
  while (
    ts.isPropertyAccessExpression(root) ||
    ts.isElementAccessExpression(root) ||
    ts.isParenthesizedExpression(root) ||
    ts.isAsExpression(root)
  )
    root = root.expression;
  return root !== node.left && ts.isIdentifier(root) ? root.text : null;
}

function isConstant({ parent }: ts.VariableDeclaration): boolean {
  return (parent.flags & ts.NodeFlags.Const) !== 0;
}

/** True for a name of a package or of the environment, such as a test runner, rather than of the repository's code. */
function isForeign(name: string, { imported, declared }: FileNames): boolean {
  return !declared.has(name) && !imported.get(name)?.module.startsWith('.');
}

/** The function of the case; null unless it is certain that it runs to its end and calls the real code. */
function findRunningCallback({ statement }: Case, names: FileNames): ts.ArrowFunction | ts.FunctionExpression | null {
  if (UNCERTAIN_PATTERN.test(statement.getSourceFile().text)) return null;
  const call = statement.expression;
  if (!ts.isCallExpression(call) || !isRunning(call, CASE_PATTERN, names)) return null;
  let outer: ts.Node = statement.parent;
  while (!ts.isSourceFile(outer)) {
    const group: ts.Node | undefined = outer.parent?.parent;
    if (!ts.isBlock(outer) || !isCallback(outer.parent) || !group || !ts.isCallExpression(group)) return null;
    if (!isRunning(group, GROUP_PATTERN, names) || !ts.isExpressionStatement(group.parent) || mayJumpOrAssign(outer))
      return null;
    outer = group.parent.parent;
  }
  const callback = call.arguments[1];
  if (!callback || !isCallback(callback) || mayJumpOrAssign(callback.body)) return null;
  return callback;
}

/** True for a call such as `test('…', () => …)`, without options and without words that keep it from running. */
function isRunning(call: ts.CallExpression, roots: RegExp, names: FileNames): boolean {
  if (call.arguments.length !== 2) return false;
  let root: ts.Expression = call.expression;
  for (;;) {
    if (ts.isCallExpression(root)) root = root.expression;
    else if (ts.isPropertyAccessExpression(root) && RUNNING_PATTERN.test(root.name.text)) root = root.expression;
    else break;
  }
  return ts.isIdentifier(root) && roots.test(root.text) && isForeign(root.text, names);
}

function isCallback(node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

/** True if this body may end early, or assigns to a variable. */
function mayJumpOrAssign(body: ts.Node): boolean {
  return (
    ts.isBlock(body) &&
    collectNodesBelow(body).some(
      (node) =>
        ts.isReturnStatement(node) || ts.isThrowStatement(node) || (isAssignment(node) && ts.isIdentifier(node.left)),
    )
  );
}

/** The exported name of a function of the repository, and its module; null for anything else. */
function findImportedFunction(
  called: ts.Expression,
  { imported, declared }: FileNames,
): { readonly name: string; readonly module: string } | null {
  const root = ts.isPropertyAccessExpression(called) ? called.expression : called;
  if (!ts.isIdentifier(root) || declared.has(root.text)) return null;
  const importedName = imported.get(root.text);
  if (!importedName?.module.startsWith('.')) return null;
  const { exported, module } = importedName;
  if (!ts.isPropertyAccessExpression(called)) return exported === null ? null : { name: exported, module };
  return { name: exported === null ? called.name.text : `${exported}.${called.name.text}`, module };
}

/** True if an assertion of the case compares the whole result of the call with a literal, or demands its error. */
function isDemanded(
  call: ts.CallExpression,
  callback: ts.ArrowFunction | ts.FunctionExpression,
  names: FileNames,
  byName: ReadonlyMap<string, readonly ts.Node[]>,
): boolean {
  const value = expandToWrappers(call);
  const variable = findConstant(value, callback);
  if (variable === null) return isActualOperand(value, callback, names, byName);
  return collectNodesBelow(callback.body).some(
    (node) =>
      ts.isIdentifier(node) &&
      node.text === variable.text &&
      node !== variable &&
      isActualOperand(expandToWrappers(node), callback, names, byName),
  );
}

/** The outermost `await` or parentheses around the node; otherwise the node itself. */
function expandToWrappers(node: ts.Node): ts.Node {
  let outer = node;
  while (ts.isAwaitExpression(outer.parent) || ts.isParenthesizedExpression(outer.parent)) outer = outer.parent;
  return outer;
}

/**
 * The name of the constant that is initialised with the value; null if there is none, or if the case declares the name
 * again.
 */
function findConstant(value: ts.Node, callback: ts.ArrowFunction | ts.FunctionExpression): ts.Identifier | null {
  const { parent } = value;
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return null;
  const { name } = parent;
  if (!isConstant(parent) || parent.parent.parent.parent !== callback.body) return null;
  const redeclaresName = (node: ts.Node) =>
    (ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)) &&
    node.name !== name &&
    ts.isIdentifier(node.name) &&
    node.name.text === name.text;
  return collectNodesBelow(callback).some(redeclaresName) ? null : name;
}

/** True if the value is the whole actual operand of an assertion that runs in the case. */
function isActualOperand(
  value: ts.Node,
  callback: ts.ArrowFunction | ts.FunctionExpression,
  names: FileNames,
  byName: ReadonlyMap<string, readonly ts.Node[]>,
): boolean {
  const isExpected = (node: ts.Node | undefined) =>
    node !== undefined &&
    (formatLiteral(node) !== null ||
      (ts.isIdentifier(node) &&
        (byName.get(node.text) ?? []).length > 0 &&
        byName.get(node.text)!.every((literal) => formatLiteral(literal) !== null)));
  const { parent } = value;
  // `assert.ok(mean([]) === 0)`
  if (ts.isBinaryExpression(parent)) {
    const assertion = expandToWrappers(parent).parent;
    return (
      parent.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken &&
      parent.left === value &&
      isExpected(parent.right) &&
      ts.isCallExpression(assertion) &&
      assertion.arguments[0] === expandToWrappers(parent) &&
      /^(?:assert|ok)$/.test(findAssertionWord(assertion, callback, names) ?? '') &&
      runsIn(assertion, callback, false)
    );
  }
  const isThrown = isCallback(parent) && parent.body === value && parent.parameters.length === 0;
  const operand = isThrown ? parent : value;
  const assertion = operand.parent;
  if (!ts.isCallExpression(assertion) || assertion.arguments[0] !== operand) return false;
  if (ts.isIdentifier(assertion.expression) && assertion.expression.text === 'expect' && isForeign('expect', names))
    return isExpectation(assertion, isThrown, callback, isExpected);
  const word = findAssertionWord(assertion, callback, names) ?? '';
  const expected = assertion.arguments[1];
  if (THROWING_PATTERN.test(word)) {
    const isLater = word !== 'throws';
    return (isThrown || isLater) && isError(expected, false) && runsIn(assertion, callback, isLater);
  }
  return !isThrown && EQUALITY_PATTERN.test(word) && isExpected(expected) && runsIn(assertion, callback, false);
}

/** True if `expect(value)` continues with a demand for a literal or an error. */
function isExpectation(
  assertion: ts.CallExpression,
  isThrown: boolean,
  callback: ts.ArrowFunction | ts.FunctionExpression,
  isExpected: (node: ts.Node | undefined) => boolean,
): boolean {
  const words: string[] = [];
  let link: ts.Node = assertion;
  while (ts.isPropertyAccessExpression(link.parent)) {
    link = link.parent;
    words.push((link as ts.PropertyAccessExpression).name.text);
  }
  const end = link.parent;
  const lastWord = words.pop();
  if (lastWord === undefined || !ts.isCallExpression(end) || end.expression !== link) return false;
  if (!words.every((word) => LINK_PATTERN.test(word))) return false;
  const isRejected = words.includes('rejects') || lastWord === 'rejectedWith';
  const isLater = isRejected || words.some((word) => word === 'resolves' || word === 'eventually');
  const [expected] = end.arguments;
  const isMet = EXPECTED_ERROR_PATTERN.test(lastWord)
    ? (isThrown || isRejected) && isError(expected, true)
    : !isThrown && !isRejected && EXPECTED_VALUE_PATTERN.test(lastWord) && isExpected(expected);
  return isMet && end.arguments.length === 1 && runsIn(end, callback, isLater);
}

/** True for the name of an error class, a regular expression or, if `mayBeText`, a non-empty string (the message). */
function isError(node: ts.Node | undefined, mayBeText: boolean): boolean {
  if (node === undefined) return false;
  if (mayBeText && ts.isStringLiteralLike(node)) return node.text !== '';
  return ts.isRegularExpressionLiteral(node) || (ts.isIdentifier(node) && node.text.endsWith('Error'));
}

/** The exported name of an assertion of a library or of the test's context `t`; null for anything else. */
function findAssertionWord(
  { expression }: ts.CallExpression,
  callback: ts.ArrowFunction | ts.FunctionExpression,
  names: FileNames,
): string | null {
  if (ts.isIdentifier(expression)) {
    const { text } = expression;
    if (!isForeign(text, names)) return null;
    return text === 'assert' ? text : (names.assertions.get(text) ?? null);
  }
  if (!ts.isPropertyAccessExpression(expression)) return null;
  const words = [expression.name.text];
  let root: ts.Expression = expression.expression;
  // `assert.strict.equal`, `t.assert.equal`
  while (ts.isPropertyAccessExpression(root) && /^(?:strict|assert)$/.test(root.name.text)) root = root.expression;
  if (!ts.isIdentifier(root)) return null;
  const [parameter] = callback.parameters;
  const isOfTest =
    parameter !== undefined && ts.isIdentifier(parameter.name) && parameter.name.text === 't' && root.text === 't';
  const isLibrary = isForeign(root.text, names) && (root.text === 'assert' || names.assertions.has(root.text));
  return isOfTest || isLibrary ? words[0]! : null;
}

/** True if the assertion is a statement of the case itself, outside of conditions, loops and other functions. */
function runsIn(
  assertion: ts.Node,
  callback: ts.ArrowFunction | ts.FunctionExpression,
  mustBeAwaited: boolean,
): boolean {
  const wholeCall = expandToWrappers(assertion);
  if (wholeCall === callback.body) return true;
  if (mustBeAwaited && wholeCall === assertion) return false;
  return ts.isExpressionStatement(wholeCall.parent) && wholeCall.parent.parent === callback.body;
}

/** The arguments as strings: one array, or one for each row of a table. Empty if an argument is not a literal. */
function formatArguments(
  args: readonly ts.Expression[],
  byName: ReadonlyMap<string, readonly ts.Node[]>,
): readonly (readonly string[])[] {
  const plain = args.map((argument) => formatLiteral(argument));
  if (!plain.includes(null)) return [plain as readonly string[]];
  const rows = args.flatMap((argument) => (ts.isIdentifier(argument) ? [byName.get(argument.text)?.length ?? 0] : []));
  // The names do not come from the same rows if they have different numbers of literals.
  if (new Set(rows).size > 1) return [];
  return Array.from({ length: Math.max(0, ...rows) }, (_, row) =>
    args.map((argument, index) => {
      const node = ts.isIdentifier(argument) ? byName.get(argument.text)?.[row] : undefined;
      return node ? formatLiteral(includeMinus(node)) : plain[index]!;
    }),
  ).filter((texts): texts is string[] => !texts.includes(null));
}

/** The number with its minus, which `collectCaseValues` omits. */
function includeMinus(node: ts.Node): ts.Node {
  return ts.isPrefixUnaryExpression(node.parent) && ts.isNumericLiteral(node) ? node.parent : node;
}

/** The value of a literal as a string, in the format of `writeValue` of the harness; null for anything else. */
function formatLiteral(node: ts.Node): string | null {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return formatLiteral(node.expression);
  if (ts.isStringLiteralLike(node)) return JSON.stringify(node.text);
  if (ts.isNumericLiteral(node)) return String(Number(node.text));
  if (ts.isBigIntLiteral(node)) return node.text;
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const text = formatLiteral(node.operand);
    return text === null || !/^(?:\d|Infinity)/.test(text) ? null : `-${text}`;
  }
  if (ts.isIdentifier(node)) return /^(?:undefined|NaN|Infinity)$/.test(node.text) ? node.text : null;
  if (node.kind === ts.SyntaxKind.NullKeyword) return 'null';
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'true';
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'false';
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map(formatLiteral);
    return items.includes(null) ? null : `[${items.join(',')}]`;
  }
  if (!ts.isObjectLiteralExpression(node)) return null;
  const fields = node.properties.map((property) => {
    if (!ts.isPropertyAssignment(property)) return null;
    const { name } = property;
    const value = formatLiteral(property.initializer);
    const isFixed = ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name);
    return value === null || !isFixed ? null : `${JSON.stringify(name.text)}:${value}`;
  });
  return fields.includes(null) ? null : `{${fields.toSorted().join(',')}}`;
}
