// Finds the module that a called or a local name comes from, by the imports of the file.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { resolveLocal } from '../script/bindings.ts';

/** The module and the name that an import refers to. */
export interface ImportOrigin {
  /** Module name without `node:`. */
  readonly module: string;
  /** Exported name; `*` for the whole module. A default import counts as the whole module. */
  readonly name: string;
}

/**
 * The import that a call uses, for calls such as `readFile(…)`, `fs.readFile(…)` and `fs.promises.readFile(…)`. The
 * last one gives `fs/promises` and `readFile`. Null for any other call, and for a call of the module itself: `got()`
 * after `import got from 'got'`.
 */
export function findImportOfCall(call: ts.CallExpression): ImportOrigin | null {
  const callee = skipParentheses(call.expression);
  if (ts.isIdentifier(callee)) {
    const origin = findImportOrigin(callee);
    return origin && origin.name !== '*' ? origin : null;
  }
  if (!ts.isPropertyAccessExpression(callee)) return null;
  const owner = findOwner(callee.expression);
  return owner && { module: owner.module, name: callee.name.text };
}

/**
 * The origin of a local name that was imported or required; null if it was not, or if no scope of the file declares
 * it.
 */
export function findImportOrigin(identifier: ts.Identifier): ImportOrigin | null {
  const declaration = resolveLocal(identifier)?.symbol.declarations?.[0];
  if (!declaration) return null;
  if (ts.isImportSpecifier(declaration))
    return createImportOrigin(
      declaration.parent.parent.parent.moduleSpecifier,
      (declaration.propertyName ?? declaration.name).text,
    );
  if (ts.isNamespaceImport(declaration)) return createImportOrigin(declaration.parent.parent.moduleSpecifier, '*');
  if (ts.isImportClause(declaration)) return createImportOrigin(declaration.parent.moduleSpecifier, '*');
  if (ts.isVariableDeclaration(declaration)) return findRequiredModule(declaration.initializer, '*');
  if (!ts.isBindingElement(declaration) || !ts.isVariableDeclaration(declaration.parent.parent)) return null;
  const key = declaration.propertyName ?? declaration.name;
  return ts.isIdentifier(key) ? findRequiredModule(declaration.parent.parent.initializer, key.text) : null;
}

/** The module that an expression refers to: `fs`, `fs.promises`, or an imported `promises`; null if it is not one. */
function findOwner(expression: ts.Expression): ImportOrigin | null {
  if (ts.isIdentifier(expression)) {
    const origin = findImportOrigin(expression);
    if (origin?.name === '*') return origin;
    return origin?.name === 'promises' ? { module: `${origin.module}/promises`, name: '*' } : null;
  }
  if (
    !ts.isPropertyAccessExpression(expression) ||
    expression.name.text !== 'promises' ||
    !ts.isIdentifier(expression.expression)
  )
    return null;
  const origin = findImportOrigin(expression.expression);
  return origin?.name === '*' ? { module: `${origin.module}/promises`, name: '*' } : null;
}

/** The export `name` of the module in `require('module')`; null for any other value. */
function findRequiredModule(value: ts.Expression | undefined, name: string): ImportOrigin | null {
  if (
    !value ||
    !ts.isCallExpression(value) ||
    !ts.isIdentifier(value.expression) ||
    value.expression.text !== 'require'
  )
    return null;
  return createImportOrigin(value.arguments[0], name);
}

/** The export `name` of a module, given by the literal of its specifier; null for a specifier that is not a literal. */
function createImportOrigin(specifier: ts.Expression | undefined, name: string): ImportOrigin | null {
  return specifier && ts.isStringLiteral(specifier) ? { module: specifier.text.replace(/^node:/, ''), name } : null;
}
