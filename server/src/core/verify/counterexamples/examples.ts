// Collects the arguments that tests pass to functions, as examples of realistic inputs.

import { ts } from 'ts-morph';
import type { LoadFile } from './imports.ts';
import type { ExampleValue } from './plan.ts';
import { evaluateConstant, startEvaluation, evaluateArguments } from './evaluateArguments.ts';
import { sampleEvenly } from '../../../util/values/sampleEvenly.ts';

/**
 * Maximum number of calls of one function that are read, and maximum number that are stored, evenly sampled from them.
 */
const [MAX_READ, MAX_KEPT] = [400, 40];

/** The file name for a block of code in documentation. */
export const DOCUMENTATION_FILE = 'documentation.ts';

/**
 * The argument lists by the name of the called function, without duplicates. Includes a call only if all arguments can
 * be determined (`evaluateArguments.ts`). `load`: opens files from which tests import tables. The names are: `default`
 * for a default import; `new Stack` for a constructor; both `from` and `Stack.from` for a call `Stack.from(…)`; and
 * `match()` for a function that `match` returned, whose list has two parts, the arguments of `match` and those of the
 * returned function.
 */
export function collectExamples(
  tests: readonly ts.Node[],
  load: LoadFile = () => null,
): ReadonlyMap<string, readonly (readonly ExampleValue[])[]> {
  const evaluation = startEvaluation(load);
  const listsByName = new Map<string, Map<string, readonly ExampleValue[]>>();
  const add = (name: string, values: readonly ExampleValue[]): void => {
    const lists = listsByName.get(name) ?? new Map<string, readonly ExampleValue[]>();
    listsByName.set(name, lists);
    if (lists.size < MAX_READ) lists.set(JSON.stringify(values), values);
  };
  const addReturned = (node: ts.CallExpression, renamed: ReadonlyMap<string, string>): void => {
    const outer = findOuterCall(node.expression);
    const names = outer ? findCalledNames(outer, renamed) : [];
    if (!outer || names.length === 0) return;
    for (const lists of evaluateArguments([outer.arguments, node.arguments], evaluation))
      for (const name of names)
        add(
          `${name}()`,
          lists.map((elements): ExampleValue => ({ $: 'array', of: elements })),
        );
  };
  for (const test of tests) {
    const renamed = findImportedNames(test);
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isNewExpression(node) && (!ts.isCallExpression(node) || node.arguments.length === 0)) return;
      if (ts.isCallExpression(node)) addReturned(node, renamed);
      const names = findCalledNames(node, renamed);
      if (names.length === 0) return;
      const isNew = ts.isNewExpression(node);
      for (const [values = []] of evaluateArguments([node.arguments ?? []], evaluation)) {
        if (values.length === 0 && !isNew) continue;
        for (const name of names) add(name, values);
      }
    };
    visit(test);
  }
  return new Map([...listsByName].map(([name, lists]) => [name, sampleEvenly([...lists.values()], MAX_KEPT)]));
}

/**
 * Pairs of a local name and the name in the module, for `const … = require(…)`. `default` stands for the whole module.
 */
function findRequiredNames({
  declarationList,
}: ts.VariableStatement): readonly (readonly [own: string, name: string])[] {
  return declarationList.declarations.flatMap(({ name: bound, initializer }): (readonly [string, string])[] => {
    const isRequire =
      initializer &&
      ts.isCallExpression(initializer) &&
      ts.isIdentifier(initializer.expression) &&
      initializer.expression.text === 'require';
    if (!isRequire) return [];
    if (ts.isIdentifier(bound)) return [[bound.text, 'default']];
    return bound.elements.flatMap((element): (readonly [string, string])[] =>
      ts.isBindingElement(element) &&
      ts.isIdentifier(element.name) &&
      element.propertyName &&
      ts.isIdentifier(element.propertyName)
        ? [[element.name.text, element.propertyName.text]]
        : [],
    );
  });
}

/**
 * The call that returned the called function, such as `match("/a")` in `match("/a")("/b")`, directly or through a
 * constant; null if there is none.
 */
function findOuterCall(callee: ts.Expression): ts.CallExpression | null {
  if (ts.isCallExpression(callee)) return callee;
  const value = ts.isIdentifier(callee) ? evaluateConstant(callee) : null;
  return value && ts.isCallExpression(value) ? value : null;
}

/** The names under which a call is collected; empty if the called expression has no name. */
function findCalledNames(
  node: ts.CallExpression | ts.NewExpression,
  renamed: ReadonlyMap<string, string>,
): readonly string[] {
  const { expression: called } = node;
  const nameOf = ({ text }: ts.Identifier) => renamed.get(text) ?? text;
  if (ts.isIdentifier(called)) return [ts.isNewExpression(node) ? `new ${nameOf(called)}` : nameOf(called)];
  if (!ts.isPropertyAccessExpression(called)) return [];
  const member = called.name.text;
  if (ts.isNewExpression(node)) return [`new ${member}`];
  const name = renamed.get(member) ?? member;
  return ts.isIdentifier(called.expression) ? [name, `${nameOf(called.expression)}.${member}`] : [name];
}

/**
 * False for a default import of a package, such as a test library, except in documentation, which imports its own
 * package by name.
 */
function mayBeOwn({ parent }: ts.ImportClause): boolean {
  const { moduleSpecifier: from } = parent as ts.ImportDeclaration;
  const isPackage = ts.isStringLiteral(from) && /^(?:node:|@[\w.-]+\/)?[\w-]/.test(from.text);
  return !isPackage || parent.getSourceFile().fileName === DOCUMENTATION_FILE;
}

/** Maps local names that differ from the imported names to the names in the module. */
function findImportedNames(test: ts.Node): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportClause(node) && node.name && mayBeOwn(node)) names.set(node.name.text, 'default');
    if (ts.isImportSpecifier(node) && node.propertyName) names.set(node.name.text, node.propertyName.text);
    if (ts.isVariableStatement(node))
      for (const [localName, name] of findRequiredNames(node)) names.set(localName, name);
    if (ts.isSourceFile(node) || ts.isImportDeclaration(node) || ts.isImportClause(node) || ts.isNamedImports(node))
      ts.forEachChild(node, visit);
  };
  visit(test);
  return names;
}
