// Collects the arguments that tests pass to functions, as examples of realistic inputs.

import { ts } from 'ts-morph';
import type { ExampleOrigins } from './origins/exampleOrigins.ts';
import { findRequireSpecifier, type LoadFile } from './imports.ts';
import type { ExampleValue } from './plan.ts';
import { findInitializer, startEvaluation, evaluateArguments } from './evaluateArguments.ts';
import { sampleEvenly } from '../../../util/values/sampleEvenly.ts';

/**
 * Maximum number of calls of one function that are read, and maximum number that are stored, evenly sampled from them.
 */
const [MAX_READ, MAX_STORED] = [400, 40];

/** The file name for a block of code in documentation. */
export const DOCUMENTATION_FILE = 'documentation.ts';

/**
 * The argument lists by the name of the called function, without duplicates. Includes a call only if all arguments can
 * be determined (`evaluateArguments.ts`). `load`: opens files from which tests import tables. The names are: `default`
 * for a default import; `new Stack` for a constructor; both `from` and `Stack.from` for a call `Stack.from(…)`; and
 * `match()` for a function that `match` returned, whose list has two parts, the arguments of `match` and those of the
 * returned function.
 * `origins`: a default import, or a member of it, that is declared elsewhere is left out.
 */
export function collectExamples(
  tests: readonly ts.Node[],
  load: LoadFile = () => null,
  origins: ExampleOrigins | null = null,
): ReadonlyMap<string, readonly (readonly ExampleValue[])[]> {
  const evaluation = startEvaluation(load);
  const listsByName = new Map<string, Map<string, readonly ExampleValue[]>>();
  const add = (name: string, values: readonly ExampleValue[]): void => {
    const lists = listsByName.get(name) ?? new Map<string, readonly ExampleValue[]>();
    listsByName.set(name, lists);
    if (lists.size < MAX_READ) lists.set(JSON.stringify(values), values);
  };
  const addReturned = (node: ts.CallExpression, importedNames: ImportedNames): void => {
    const outer = findOuterCall(node.expression);
    const names = outer ? findCalledNames(outer, importedNames) : [];
    if (!outer || names.length === 0) return;
    for (const lists of evaluateArguments([outer.arguments, node.arguments], evaluation))
      for (const name of names)
        add(
          `${name}()`,
          lists.map((elements): ExampleValue => ({ $: 'array', of: elements })),
        );
  };
  for (const test of tests) {
    const importedNames = findImportedNames(test, origins);
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isNewExpression(node) && (!ts.isCallExpression(node) || node.arguments.length === 0)) return;
      if (ts.isCallExpression(node)) addReturned(node, importedNames);
      const names = findCalledNames(node, importedNames);
      if (names.length === 0) return;
      const isNew = ts.isNewExpression(node);
      for (const [values = []] of evaluateArguments([node.arguments ?? []], evaluation)) {
        if (values.length === 0 && !isNew) continue;
        for (const name of names) add(name, values);
      }
    };
    visit(test);
  }
  return new Map([...listsByName].map(([name, lists]) => [name, sampleEvenly([...lists.values()], MAX_STORED)]));
}

/** A local name, and what it is in the module. */
interface ImportedName {
  readonly localName: string;
  /** `default` for the whole of a required module. */
  readonly name: string;
  readonly from: string;
}

/** The names that a test imports under other names, and what is left out of them. */
interface ImportedNames {
  /** The names in the module, by local name. */
  readonly renamed: ReadonlyMap<string, string>;
  /**
   * Without `member`: true for a default import that is declared in another file, and for a function of the test
   * itself. With `member`: true if this member of the default import is declared in another file.
   */
  isElsewhere(localName: string, member?: string): boolean;
}

function findRequiredNames({ declarationList }: ts.VariableStatement): readonly ImportedName[] {
  return declarationList.declarations.flatMap(({ name: bound, initializer }): readonly ImportedName[] => {
    const isRequire =
      initializer &&
      ts.isCallExpression(initializer) &&
      ts.isIdentifier(initializer.expression) &&
      initializer.expression.text === 'require';
    if (!isRequire) return [];
    const from = findRequireSpecifier(initializer) ?? '';
    if (ts.isIdentifier(bound)) return [{ localName: bound.text, name: 'default', from }];
    return bound.elements.flatMap((element): readonly ImportedName[] =>
      ts.isBindingElement(element) &&
      ts.isIdentifier(element.name) &&
      element.propertyName &&
      ts.isIdentifier(element.propertyName)
        ? [{ localName: element.name.text, name: element.propertyName.text, from }]
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
  const value = ts.isIdentifier(callee) ? findInitializer(callee) : null;
  return value && ts.isCallExpression(value) ? value : null;
}

/** The names under which a call is collected; empty if the called expression has no name, or is of another file. */
function findCalledNames(
  node: ts.CallExpression | ts.NewExpression,
  { renamed, isElsewhere }: ImportedNames,
): readonly string[] {
  const { expression: called } = node;
  const nameOf = ({ text }: ts.Identifier) => renamed.get(text) ?? text;
  if (ts.isIdentifier(called)) {
    if (isElsewhere(called.text)) return [];
    return [ts.isNewExpression(node) ? `new ${nameOf(called)}` : nameOf(called)];
  }
  if (!ts.isPropertyAccessExpression(called)) return [];
  const member = called.name.text;
  const owner = ts.isIdentifier(called.expression) ? called.expression : null;
  if (owner && isElsewhere(owner.text, member)) return [];
  if (ts.isNewExpression(node)) return [`new ${member}`];
  const name = renamed.get(member) ?? member;
  return owner && !isElsewhere(owner.text) ? [name, `${nameOf(owner)}.${member}`] : [name];
}

/**
 * False for a default import of a package, such as a test library, except in documentation, which imports its own
 * package by name.
 */
function mayBeOwnPackage({ parent }: ts.ImportClause): boolean {
  const { moduleSpecifier: from } = parent as ts.ImportDeclaration;
  const isPackage = ts.isStringLiteral(from) && /^(?:node:|@[\w.-]+\/)?[\w-]/.test(from.text);
  return !isPackage || parent.getSourceFile().fileName === DOCUMENTATION_FILE;
}

/** The name by which the examined file exports what is imported as `importedName`; null if that is not certain. */
function findDeclaredName(
  { parent }: ts.ImportSpecifier,
  importedName: string,
  origins: ExampleOrigins | null,
): string | null {
  const { moduleSpecifier: from } = parent.parent.parent as ts.ImportDeclaration;
  return origins !== null && ts.isStringLiteral(from)
    ? origins.findDeclaredName(parent.getSourceFile(), from.text, importedName)
    : null;
}

function findImportedNames(test: ts.Node, origins: ExampleOrigins | null): ImportedNames {
  const renamed = new Map<string, string>();
  const fromByDefault = new Map<string, string>();
  const add = ({ localName, name, from }: ImportedName): void => {
    renamed.set(localName, name);
    if (name === 'default') fromByDefault.set(localName, from);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const { importClause } = node;
      const from = node.moduleSpecifier.text;
      if (importClause?.name && mayBeOwnPackage(importClause))
        add({ localName: importClause.name.text, name: 'default', from });
    }
    if (ts.isImportSpecifier(node)) {
      const importedName = (node.propertyName ?? node.name).text;
      const name = findDeclaredName(node, importedName, origins) ?? importedName;
      if (name !== node.name.text) renamed.set(node.name.text, name);
    }
    if (ts.isVariableStatement(node)) for (const importedName of findRequiredNames(node)) add(importedName);
    if (ts.isSourceFile(node) || ts.isImportDeclaration(node) || ts.isImportClause(node) || ts.isNamedImports(node))
      ts.forEachChild(node, visit);
  };
  visit(test);
  const localFunctions = new Set(ts.isSourceFile(test) ? listLocalFunctions(test) : []);
  return {
    renamed,
    isElsewhere(localName, member) {
      if (member === undefined && localFunctions.has(localName)) return true;
      const from = fromByDefault.get(localName);
      return from !== undefined && (origins?.isElsewhere(test.getSourceFile(), from, member) ?? false);
    },
  };
}

/**
 * The names of functions that the test file declares. A function that mentions its own name is left out, because it may
 * only pass its arguments on to the tested function (`const parse = (text) => lib.parse(text)`).
 */
function listLocalFunctions(file: ts.SourceFile): readonly string[] {
  return file.statements.flatMap((statement) => {
    if (!ts.isFunctionDeclaration(statement) || !statement.name || !statement.body) return [];
    const { text } = statement.name;
    const words: readonly string[] = statement.body.getText(file).match(/[\w$]+/g) ?? [];
    return words.includes(text) ? [] : [text];
  });
}
