// Tells which names of a script outlive the calls of its functions. Each scope is read once, so that the time grows
// with the length of the file.

import { ts } from 'ts-morph';

/** Aliases of aliases that are followed. */
const MOST_ALIASES = 8;

export interface Lasting {
  /**
   * The declaration behind a name, if it outlives the calls of the function around the name: it stands outside of all
   * functions, or in one that is called while the module loads. Null for others, and for names outside of functions.
   */
  declarationOf(name: ts.Identifier): ts.Node | null;
  /** The same for the object that the name stands for: local variables that stand for a part of another are followed. */
  objectOf(name: ts.Identifier): ts.Node | null;
  /** The class or object behind `this`: of a static method, of an object, or of a class made while the module loads. */
  ownerOf(self: ts.Node): ts.Node | null;
}

/** Answers for a tree whose nodes know their parents; `nodes`: all of them. */
export function lastingIn(nodes: readonly ts.Node[]): Lasting {
  const scopes = declarationsByScope(nodes);
  const madeAtLoad = namesCalledAtLoad(nodes);
  const isOnce = (scope: ts.Node) => isCalledAtOnce(scope) || madeAtLoad.has(nameOfFunction(scope) ?? '');

  const find = (name: ts.Identifier) => {
    let hasLeftFunction = false;
    for (let scope: ts.Node = name.parent; scope; scope = scope.parent) {
      const found = scopes.get(scope)?.get(name.text);
      if (found) return { found, scope, hasLeftFunction };
      if (ts.isFunctionLike(scope) && !isCalledAtOnce(scope)) hasLeftFunction = true;
    }
    return null;
  };
  const isLoadedOnce = (scope: ts.Node) => {
    for (let outer = scope; outer; outer = outer.parent) if (ts.isFunctionLike(outer) && !isOnce(outer)) return false;
    return true;
  };
  const declarationOf = (name: ts.Identifier) => {
    const place = find(name);
    return place?.hasLeftFunction && isLoadedOnce(place.scope) ? place.found : null;
  };
  const objectOf = (name: ts.Identifier) => {
    let current = name;
    for (let step = 0; step < MOST_ALIASES; step += 1) {
      const lasting = declarationOf(current);
      if (lasting) return lasting;
      const found = find(current)?.found;
      const source = found && sourceOf(found);
      const root = source && rootOf(source);
      if (!root || !ts.isIdentifier(root)) return null;
      current = root;
    }
    return null;
  };
  const ownerOf = (self: ts.Node) => {
    const method = functionOfThis(self);
    const owner = method?.parent;
    if (!method || !owner) return null;
    if (ts.isClassLike(owner)) {
      const isStatic = ts.canHaveModifiers(method) && hasStatic(method);
      const isSingle = !ts.isConstructorDeclaration(method) && madeAtLoad.has(owner.name?.text ?? '');
      return (isStatic || isSingle) && isLoadedOnce(owner) ? owner : null;
    }
    const literal = ts.isPropertyAssignment(owner) ? owner.parent : owner;
    if (!ts.isObjectLiteralExpression(literal) || !ts.isVariableDeclaration(literal.parent)) return null;
    return isLoadedOnce(literal.parent) ? literal.parent : null;
  };
  return { declarationOf, objectOf, ownerOf };
}

/** What an expression begins with: a name, or `this`. Null for other expressions. */
export function rootOf(expression: ts.Expression): ts.Identifier | ts.Expression | null {
  let root: ts.Expression = expression;
  while (
    ts.isPropertyAccessExpression(root) ||
    ts.isElementAccessExpression(root) ||
    ts.isNonNullExpression(root) ||
    ts.isParenthesizedExpression(root) ||
    ts.isAsExpression(root)
  )
    root = root.expression;
  return ts.isIdentifier(root) || root.kind === ts.SyntaxKind.ThisKeyword ? root : null;
}

type ByName = Map<string, ts.Node>;

/** The first declaration of each name, by the function or file that it stands in. */
function declarationsByScope(nodes: readonly ts.Node[]): ReadonlyMap<ts.Node, ByName> {
  const scopes = new Map<ts.Node, ByName>();
  for (const node of nodes) {
    const name = declaredName(node);
    if (name === null) continue;
    const scope = ts.findAncestor(node.parent, (outer) => ts.isFunctionLike(outer) || ts.isSourceFile(outer));
    if (!scope) continue;
    const names: ByName = scopes.get(scope) ?? new Map();
    scopes.set(scope, names);
    const known = names.get(name);
    if (!known || node.pos < known.pos) names.set(name, node);
  }
  return scopes;
}

function declaredName(node: ts.Node): string | null {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    isImport(node);
  return isDeclaration && node.name && ts.isIdentifier(node.name) ? node.name.text : null;
}

/** True for what declares an imported name. */
export function isImport(node: ts.Node): node is ts.ImportSpecifier | ts.ImportClause | ts.NamespaceImport {
  return ts.isImportSpecifier(node) || ts.isImportClause(node) || ts.isNamespaceImport(node);
}

/** Names of functions and classes that are called while the module loads. */
function namesCalledAtLoad(nodes: readonly ts.Node[]): ReadonlySet<string> {
  return new Set(
    nodes.flatMap((node) => {
      if ((!ts.isCallExpression(node) && !ts.isNewExpression(node)) || !ts.isIdentifier(node.expression)) return [];
      return ts.findAncestor(node, (outer) => ts.isFunctionLike(outer) && !isCalledAtOnce(outer))
        ? []
        : [node.expression.text];
    }),
  );
}

function nameOfFunction(scope: ts.Node): string | null {
  if (ts.isFunctionDeclaration(scope)) return scope.name?.text ?? null;
  const { parent } = scope;
  return parent && ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name.text : null;
}

/** True for `(() => …)()` and `(function () { … }).call(this)`. */
function isCalledAtOnce(scope: ts.Node): boolean {
  let child = scope;
  let { parent } = scope;
  while (
    parent &&
    (ts.isParenthesizedExpression(parent) ||
      (ts.isPropertyAccessExpression(parent) && (parent.name.text === 'call' || parent.name.text === 'apply')))
  ) {
    child = parent;
    parent = parent.parent;
  }
  return parent !== undefined && ts.isCallExpression(parent) && parent.expression === child;
}

/** The expression that a local variable stands for, or for a part of. */
function sourceOf(declaration: ts.Node): ts.Expression | null {
  let outer: ts.Node = declaration;
  while (ts.isBindingElement(outer)) outer = outer.parent.parent;
  return ts.isVariableDeclaration(outer) ? (outer.initializer ?? null) : null;
}

/** The function that decides what `this` is. */
function functionOfThis(self: ts.Node): ts.Node | undefined {
  return ts.findAncestor(
    self,
    (outer) => (ts.isFunctionLike(outer) && !ts.isArrowFunction(outer)) || ts.isClassLike(outer),
  );
}

function hasStatic(method: ts.HasModifiers): boolean {
  return ts.getModifiers(method)?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;
}
