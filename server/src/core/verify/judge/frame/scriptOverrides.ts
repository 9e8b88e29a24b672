// Finds the places at which a script replaces assertions, or the modules that it tests.

import { BUILT_IN_MATCHERS } from './knownNames.ts';
import { ts } from 'ts-morph';
import { findAssertionNames } from '../../../syntax/assertionNames.ts';
import { collectNodesBelow } from '../../../syntax/nodesBelow.ts';
import { normaliseCode } from '../assertionForms.ts';
import { isLibrary, normaliseModule } from './modules.ts';
import { joinTokens } from './scriptText.ts';
import type { MockedModule, TestFrame } from './testFrame.ts';
import { isAssignment } from '../../../syntax/values.ts';

/** Matches members of assertion libraries that tests commonly use. */
const ASSERTION_MEMBERS =
  /^(?:(?:not|is|loose|strict|deep|partial)*(?:Strict|Deep|Loose|Shallow)*(?:equals?|Equal|eql?|same|Same)|ok|notOk|pass|fail|truthy|falsy|true|false|is|not|throws?|throwsAsync|notThrows|rejects|doesNotThrow|doesNotReject|match|doesNotMatch|include|includes|is(?:True|False|Null|Ok|Defined|Undefined|NotOk|Array)|lengthOf|property|ifError|AssertionError|to[A-Z]\w*)$/;
/** Objects of assertion libraries that runners provide without an import. */
const GLOBAL_ASSERTIONS = ['expect', 'assert', 'chai', 'should'];
/** Matches functions that replace a member of their first argument. */
const REPLACING_CALL =
  /^(?:Object\.(?:assign|defineProperty|defineProperties)|Reflect\.(?:set|defineProperty)|(?:\w+\.)*(?:spyOn|stub|method))$/;
/** Matches objects that contain all global names. */
const GLOBAL_OBJECT = /^(?:globalThis|global|window|self)$/;
/** Matches a global name of an assertion library. */
const GLOBAL_NAME = /^(?:globalThis|global|window|self)\.(?:expect|assert|chai|should)$/;
/** Matches a function that replaces a module for all cases of the file. */
const MOCKING_CALL =
  /^(?:(?:vi|vitest|jest)\.(?:mock|doMock|unstable_mockModule|setMock)|(?:\w+\.)?mock\.module|(?:td|testdouble)\.replace(?:Esm)?)$/;
/** Matches a function whose mock applies only to modules that are loaded after it. */
const LATE_CALL = /\.(?:doMock|replace(?:Esm)?)$/;

/** The modules that the script replaces. */
export function findMocks(source: ts.SourceFile): readonly MockedModule[] {
  return collectNodesBelow(source).flatMap((node) => {
    if (!ts.isCallExpression(node) || !MOCKING_CALL.test(node.expression.getText(source))) return [];
    const [firstArgument] = node.arguments;
    const specifier = firstArgument && ts.isCallExpression(firstArgument) ? firstArgument.arguments[0] : firstArgument;
    if (!specifier || !ts.isStringLiteralLike(specifier)) return [];
    const shown = normaliseCode(node.getText(source));
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    const isLate = LATE_CALL.test(node.expression.getText(source));
    return [{ module: normaliseModule(specifier.text), text: joinTokens(node), shown, line, isLate }];
  });
}

/** The places at which a member of an assertion library is replaced by a value that is not another member of one. */
export function findOverrides(source: ts.SourceFile): TestFrame['overrides'] {
  const nodes = collectNodesBelow(source);
  const names = findAssertionLibraryNames(source, nodes);
  const isAssertion = (node: ts.Expression | undefined) => node !== undefined && names.has(findRootName(node));
  return nodes.flatMap((node) => {
    if (!isReplacement(node, isAssertion)) return [];
    const shown = normaliseCode(node.getText(source));
    return [
      {
        text: joinTokens(node),
        shown,
        line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
      },
    ];
  });
}

/** True if the node replaces a member, or a global name, of an assertion library. */
function isReplacement(node: ts.Node, isAssertion: (node: ts.Expression | undefined) => boolean): boolean {
  if (ts.isCallExpression(node)) {
    const [firstArgument] = node.arguments;
    if (isExtension(node))
      return isAssertion(node.expression) && firstArgument !== undefined && redefinesMatcher(firstArgument);
    return REPLACING_CALL.test(node.expression.getText()) && isAssertion(firstArgument);
  }
  if (!isAssignment(node)) return false;
  const { left, right } = node;
  if (ts.isIdentifier(left) || !isAssertion(left)) return false;
  // `globalThis.expect = …`
  if (GLOBAL_NAME.test(left.getText())) return !isAssertion(findCallee(right)) && !loadsLibrary(right);
  return !isAssertion(right) && (ASSERTION_MEMBERS.test(findLastMember(left)) || /\.prototype\b/.test(left.getText()));
}

/** The local and global names of assertion libraries, with other names that the file gives them. */
function findAssertionLibraryNames(source: ts.SourceFile, nodes: readonly ts.Node[]): ReadonlySet<string> {
  const names = new Set([...findLibraryNames(source), ...GLOBAL_ASSERTIONS]);
  for (const node of nodes) {
    if (!ts.isVariableDeclaration(node) || !node.initializer || !names.has(findRootName(node.initializer))) continue;
    if (ts.isIdentifier(node.name)) names.add(node.name.text);
    else
      for (const element of node.name.elements)
        if (ts.isBindingElement(element) && ts.isIdentifier(element.name)) names.add(element.name.text);
  }
  return names;
}

/** The first name of `assert.equal`, also behind an object that contains all global names; empty for other code. */
function findRootName(node: ts.Expression): string {
  const members: string[] = [];
  let current = node;
  while (ts.isPropertyAccessExpression(current) || ts.isElementAccessExpression(current)) {
    members.unshift(findLastMember(current));
    current = current.expression;
  }
  if (!ts.isIdentifier(current)) return '';
  return GLOBAL_OBJECT.test(current.text) ? (members[0] ?? '') : current.text;
}

/** The callee of a call chain: `chai.should` in `chai.should().equal`. */
function findCallee(node: ts.Expression): ts.Expression {
  let current = node;
  while (
    ts.isPropertyAccessExpression(current) ||
    ts.isCallExpression(current) ||
    ts.isAwaitExpression(current) ||
    ts.isParenthesizedExpression(current)
  )
    current = current.expression;
  return current;
}

/** True for `require('chai').expect` and `(await import('chai')).expect`. */
function loadsLibrary(node: ts.Expression): boolean {
  const [, module] = /\b(?:require|import)\(['"`]([^'"`]+)['"`]\)/.exec(node.getText()) ?? [];
  return module !== undefined && isLibrary(normaliseModule(module));
}

/** True for `expect.extend(…)`. */
function isExtension({ expression }: ts.CallExpression): boolean {
  return ts.isPropertyAccessExpression(expression) && expression.name.text === 'extend';
}

/** True if the object redefines a built-in matcher of `expect`. */
function redefinesMatcher(matchers: ts.Expression): boolean {
  return (
    ts.isObjectLiteralExpression(matchers) &&
    matchers.properties.some(({ name }) => name && BUILT_IN_MATCHERS.has(name.getText().replace(/['"]/g, '')))
  );
}

/** The local names of assertion libraries that the file imports, without helpers that the file declares itself. */
function findLibraryNames(source: ts.SourceFile): readonly string[] {
  const localFunctions = new Set(
    source.statements.flatMap((statement) =>
      ts.isFunctionDeclaration(statement) && statement.name ? [statement.name.text] : [],
    ),
  );
  const importedNames = [...source.statements].flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const bindings = statement.importClause?.namedBindings;
    const module = normaliseModule(statement.moduleSpecifier.text);
    const isKnown = isLibrary(module) || module.startsWith('@playwright/');
    if (!bindings || !ts.isNamedImports(bindings) || !isKnown) return [];
    return bindings.elements.flatMap(({ name, propertyName }) =>
      GLOBAL_ASSERTIONS.includes((propertyName ?? name).text) ? [name.text] : [],
    );
  });
  return [...findAssertionNames(source).keys(), ...importedNames].filter((name) => !localFunctions.has(name));
}

/** The last member of `assert.equal` and `assert['equal']`. */
function findLastMember(node: ts.Expression): string {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (!ts.isElementAccessExpression(node)) return '';
  const { argumentExpression } = node;
  // A computed member may be any assertion.
  return ts.isStringLiteralLike(argumentExpression) ? argumentExpression.text : 'equal';
}
