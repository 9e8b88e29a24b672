// Recognises calls of built-in functions without side effects. If their result is not read, they can be removed.

import { ts } from 'ts-morph';
import { collectNodesBelow } from './nodesBelow.ts';
import {
  PURE_CONSTRUCTORS,
  PURE_GLOBALS,
  NEVER_THROW,
  PURE_STATIC_METHODS,
  PURE_MODULE_FUNCTIONS,
  PURE_METHODS,
} from './pureCallNames.ts';
import { isInTryBlock } from './controlFlow.ts';
import { JAVASCRIPT_PATTERN } from '../paths/scriptFiles.ts';

/**
 * Returns a function that tests whether a call or `new` has no side effect itself. Side effects of its arguments are
 * not examined. `JSON.stringify` must get no function that it would call. In JavaScript, only functions that accept
 * any argument count (`NEVER_THROW`), because no type check excludes the others.
 */
export function createPureCallTest(sourceFile: ts.SourceFile): (node: ts.Node) => boolean {
  const nodes = collectNodesBelow(sourceFile);
  /**
   * By name that the file declares: the module and the name in it (`*` for the whole module); null for any other
   * origin.
   */
  const origins = new Map<string, { readonly module: string; readonly name: string } | null>();
  for (const node of nodes) {
    const { name } = node as { readonly name?: ts.Node };
    if (!name || !ts.isIdentifier(name) || !isDeclaration(node)) continue;
    // If a name is declared twice, it is unknown which declaration is used.
    origins.set(name.text, origins.has(name.text) ? null : findOrigin(node));
  }
  const hasToJson = nodes.some((node) => (ts.isIdentifier(node) || ts.isStringLiteral(node)) && node.text === 'toJSON');

  const isJavaScript = JAVASCRIPT_PATTERN.test(sourceFile.fileName);

  const isPure = (node: ts.Node): boolean => {
    if (ts.isNewExpression(node))
      return (
        ts.isIdentifier(node.expression) &&
        PURE_CONSTRUCTORS.has(node.expression.text) &&
        !origins.has(node.expression.text)
      );
    // A `try` may test whether the call succeeds: `try { JSON.stringify(value); } catch { return false; }`.
    if (!ts.isCallExpression(node) || isInTryBlock(node)) return false;
    const { expression: callee } = node;
    if (ts.isIdentifier(callee)) {
      const origin = origins.get(callee.text);
      if (isJavaScript && !NEVER_THROW.has(origin?.name ?? callee.text)) return false;
      return origin
        ? PURE_MODULE_FUNCTIONS.get(origin.module)?.has(origin.name) === true
        : origin === undefined && PURE_GLOBALS.has(callee.text);
    }
    if (!ts.isPropertyAccessExpression(callee)) return false;
    const {
      expression: owner,
      name: { text: method },
    } = callee;
    if (isJavaScript && !NEVER_THROW.has(method)) return false;
    if (!ts.isIdentifier(owner)) return PURE_METHODS.has(method) && (isLiteralValue(owner) || isPure(owner));
    const origin = origins.get(owner.text);
    if (origin) return origin.name === '*' && PURE_MODULE_FUNCTIONS.get(origin.module)?.has(method) === true;
    if (origin === null || !PURE_STATIC_METHODS.get(owner.text)?.has(method)) return false;
    return method !== 'stringify' || (!hasToJson && node.arguments.slice(1).every(isPlainValue));
  };
  return isPure;
}

function isDeclaration(node: ts.Node): boolean {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isModuleDeclaration(node) ||
    ts.isImportClause(node) ||
    ts.isNamespaceImport(node) ||
    ts.isImportSpecifier(node) ||
    ts.isImportEqualsDeclaration(node)
  );
}

/** The module and the name that a declaration imports; null unless it is a module with pure functions. */
function findOrigin(node: ts.Node): { readonly module: string; readonly name: string } | null {
  if (ts.isImportClause(node)) return createModuleOrigin(node.parent.moduleSpecifier, '*');
  if (ts.isNamespaceImport(node)) return createModuleOrigin(node.parent.parent.moduleSpecifier, '*');
  if (ts.isImportSpecifier(node))
    return createModuleOrigin(node.parent.parent.parent.moduleSpecifier, (node.propertyName ?? node.name).text);
  if (!ts.isVariableDeclaration(node) || !node.initializer || !ts.isCallExpression(node.initializer)) return null;
  const {
    expression,
    arguments: [module],
  } = node.initializer;
  return ts.isIdentifier(expression) && expression.text === 'require' && module
    ? createModuleOrigin(module, '*')
    : null;
}

function createModuleOrigin(
  specifier: ts.Expression,
  name: string,
): { readonly module: string; readonly name: string } | null {
  const module = ts.isStringLiteral(specifier) ? specifier.text.replace(/^node:/, '') : '';
  return PURE_MODULE_FUNCTIONS.has(module) ? { module, name } : null;
}

/** True for a literal text, template or list. */
function isLiteralValue(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isArrayLiteralExpression(node);
}

/** True if the value is neither a function nor the name of one. */
function isPlainValue(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isNumericLiteral(node) ||
    node.kind === ts.SyntaxKind.NullKeyword ||
    (ts.isIdentifier(node) && node.text === 'undefined')
  );
}
