// Collects the arguments that tests pass to functions: examples of what their callers pass.

import { ts } from 'ts-morph';
import type { LoadFile } from './imports.ts';
import type { Example } from './plan.ts';
import { constantValue, readingOf, writtenArguments } from './written.ts';

/** Maximum numbers of calls of one function: of those that are read, and of those that are kept, spread over them. */
const [MOST_READ, MOST] = [400, 40];

/**
 * The arguments of calls whose arguments are all written out, be it in a constant or in a table of cases, each list
 * once, by the name of the function. `load`: opens files from which tests import tables. The name of a default import
 * counts as `default`. The arguments of `new Stack(…)` are those of `new Stack`; a call
 * `Stack.from(…)` counts for `from` and for `Stack.from`. Those of a function that another one returns are those of
 * `match()`: the list of the one, and the list of the other.
 */
export function examplesIn(
  tests: readonly ts.Node[],
  load: LoadFile = () => null,
): ReadonlyMap<string, readonly (readonly Example[])[]> {
  const reading = readingOf(load);
  const found = new Map<string, Map<string, readonly Example[]>>();
  const add = (name: string, values: readonly Example[]): void => {
    const lists = found.get(name) ?? new Map<string, readonly Example[]>();
    found.set(name, lists);
    if (lists.size < MOST_READ) lists.set(JSON.stringify(values), values);
  };
  const addReturned = (node: ts.CallExpression, renamed: ReadonlyMap<string, string>): void => {
    const made = makerOf(node.expression);
    const names = made ? calledNames(made, renamed) : [];
    if (!made || names.length === 0) return;
    for (const lists of writtenArguments([made.arguments, node.arguments], reading))
      for (const name of names)
        add(
          `${name}()`,
          lists.map((of): Example => ({ $: 'array', of })),
        );
  };
  for (const test of tests) {
    const renamed = importedNames(test);
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isNewExpression(node) && (!ts.isCallExpression(node) || node.arguments.length === 0)) return;
      if (ts.isCallExpression(node)) addReturned(node, renamed);
      const names = calledNames(node, renamed);
      if (names.length === 0) return;
      const isNew = ts.isNewExpression(node);
      for (const [values = []] of writtenArguments([node.arguments ?? []], reading)) {
        if (values.length === 0 && !isNew) continue;
        for (const name of names) add(name, values);
      }
    };
    visit(test);
  }
  return new Map([...found].map(([name, lists]) => [name, spread([...lists.values()])]));
}

/** The names of a `require`: `default` for the whole module. */
function requiredNames({ declarationList }: ts.VariableStatement): readonly (readonly [own: string, name: string])[] {
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

/** At most `MOST` of the lists, from all over. */
function spread<T>(lists: readonly T[]): readonly T[] {
  if (lists.length <= MOST) return lists;
  return Array.from({ length: MOST }, (_, at) => lists[Math.floor((at * lists.length) / MOST)]!);
}

/** The call that returns the function which is called: `match("/a")`, directly or through a constant. */
function makerOf(callee: ts.Expression): ts.CallExpression | null {
  if (ts.isCallExpression(callee)) return callee;
  const value = ts.isIdentifier(callee) ? constantValue(callee) : null;
  return value && ts.isCallExpression(value) ? value : null;
}

function calledNames(
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

/** The names by which a test calls what it imports under another name. */
function importedNames(test: ts.Node): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportClause(node) && node.name) names.set(node.name.text, 'default');
    if (ts.isImportSpecifier(node) && node.propertyName) names.set(node.name.text, node.propertyName.text);
    if (ts.isVariableStatement(node)) for (const [own, name] of requiredNames(node)) names.set(own, name);
    if (ts.isSourceFile(node) || ts.isImportDeclaration(node) || ts.isImportClause(node) || ts.isNamedImports(node))
      ts.forEachChild(node, visit);
  };
  visit(test);
  return names;
}
