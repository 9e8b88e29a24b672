// Finds names through which code acts outside of a call, such as a module for files.

import { ts } from 'ts-morph';
import { createWordSet } from '../../../util/wordSet.ts';
import { createOriginLookup, GLOBAL_ORIGIN } from '../../syntax/nameOrigins.ts';
import { listVariableNames, type ModuleOutline } from '../differential/declarations.ts';
import { findRequireSpecifier } from './imports.ts';
import { hasModifier } from '../../syntax/declarations/modifiers.ts';
import { listBoundNames } from '../../syntax/names.ts';

/** Matches modules of Node that act outside of the process, or that wait. */
const OUTSIDE_MODULES =
  /^(?:node:)?(?:fs(?:\/promises)?|child_process|cluster|dgram|dns|http|https|http2|net|tls|worker_threads|readline|repl|inspector|timers(?:\/promises)?)$/;
/** Globals that act outside of the process, that wait, or whose state is shared by all code. */
const OUTSIDE_GLOBALS = createWordSet(`
fetch XMLHttpRequest WebSocket EventSource localStorage sessionStorage indexedDB document window navigator history
setTimeout setInterval setImmediate requestAnimationFrame globalThis Deno Bun alert caches
`);
/**
 * Outside globals whose names are common words, so that a file may use them for something else. In contrast, a file's
 * own `fetch` or `setTimeout` usually does what the global one does.
 */
const COMMON_WORDS = new Set(['document', 'window', 'navigator', 'history', 'alert', 'caches']);
/** Caches, for each examined file, the common words that never mean the global there. */
const ownNames = new WeakMap<ts.SourceFile, ReadonlySet<string>>();

/**
 * All names that the declaration `from` mentions, directly or through other declarations of its file. Adds them to
 * `names`.
 */
export function collectReachedNames(
  { declarations }: ModuleOutline,
  declarationName: string,
  names = new Set<string>(),
): ReadonlySet<string> {
  for (const name of declarations.get(declarationName)?.references ?? []) {
    if (names.has(name)) continue;
    names.add(name);
    collectReachedNames({ declarations, looseStatements: [] }, name, names);
  }
  return names;
}

/**
 * One of these names that refers to something outside of the call, such as a module for files; null if there is none.
 * `file`: the file whose code mentions the names.
 */
export function findOutsideName(mentioned: ReadonlySet<string>, file: ts.SourceFile): string | null {
  const names = [...file.statements.flatMap(findOutsideImports), ...findOutsideRequires(file), ...OUTSIDE_GLOBALS];
  const outside = names.filter((name) => mentioned.has(name));
  return outside.find((name) => !isOwnName(file, name)) ?? null;
}

/**
 * True for a common word if each variable of this name in the file is a parameter, or is declared in the file with a
 * value.
 */
function isOwnName(file: ts.SourceFile, word: string): boolean {
  let names = ownNames.get(file);
  if (!names) {
    const origins = createOriginLookup(file.fileName, file);
    const commonNames = listVariableNames(file).filter(({ text }) => COMMON_WORDS.has(text));
    const isGlobal = (name: ts.Identifier) =>
      origins.of(name.text, name) === GLOBAL_ORIGIN || isAmbientDeclaration(name.parent);
    const globals = new Set(commonNames.filter(isGlobal).map(({ text }) => text));
    names = new Set(commonNames.map(({ text }) => text).filter((text) => !globals.has(text)));
    ownNames.set(file, names);
  }
  return names.has(word);
}

/**
 * True for a declaration that `declare` only describes, such as a global. Parameters of described functions do not
 * count.
 */
function isAmbientDeclaration(node: ts.Node): boolean {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isModuleDeclaration(node);
  const isDeclare = (outer: ts.Node) => hasModifier(outer, ts.SyntaxKind.DeclareKeyword);
  return isDeclaration && ts.findAncestor(node, isDeclare) !== undefined;
}

/** The names that a statement imports from modules that act outside. */
function findOutsideImports(statement: ts.Statement): readonly string[] {
  if (ts.isImportEqualsDeclaration(statement)) {
    const { moduleReference: reference } = statement;
    const isModule = ts.isExternalModuleReference(reference) && ts.isStringLiteral(reference.expression);
    return isModule && OUTSIDE_MODULES.test((reference.expression as ts.StringLiteral).text)
      ? [statement.name.text]
      : [];
  }
  if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
  if (!OUTSIDE_MODULES.test(statement.moduleSpecifier.text)) return [];
  return listNamesOfClause(statement.importClause);
}

function listNamesOfClause(clause: ts.ImportClause | undefined): readonly string[] {
  const bound = clause?.namedBindings;
  return [
    ...(clause?.name ? [clause.name.text] : []),
    ...(bound && ts.isNamespaceImport(bound) ? [bound.name.text] : []),
    ...(bound && ts.isNamedImports(bound) ? bound.elements.map(({ name }) => name.text) : []),
  ];
}

/**
 * The names of variables that are set to `require(…)` of a module that acts outside, at the top level or in a function.
 * If such a module is used without a variable, the name is `require`.
 */
function findOutsideRequires(file: ts.SourceFile): readonly string[] {
  if (!file.text.includes('require')) return [];
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || !OUTSIDE_MODULES.test(findRequireSpecifier(node) ?? '')) return;
    // `const { readFile } = require('fs').promises` uses a part of the module.
    let value: ts.Node = node;
    while (ts.isPropertyAccessExpression(value.parent) && value.parent.expression === value) value = value.parent;
    const { parent } = value;
    if (ts.isVariableDeclaration(parent) && parent.initializer === value) names.push(...listBoundNames(parent.name));
    else if (ts.isBinaryExpression(parent) && ts.isIdentifier(parent.left)) names.push(parent.left.text);
    else names.push('require');
  };
  visit(file);
  return names;
}
