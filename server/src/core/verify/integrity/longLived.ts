// Finds which variables and objects of a script outlive a single call of its functions. Takes linear time, because each
// scope is read once.

import { ts } from 'ts-morph';
import { hasModifier } from '../../syntax/declarations/modifiers.ts';
import { isImport } from '../../syntax/names.ts';

/** Maximum length of a chain of aliases that is followed. */
const MAX_ALIASES = 8;

/** Lookups of declarations that outlive calls. */
export interface LongLivedDeclarations {
  /**
   * The declaration of a name, if it outlives calls of the function that mentions it: it is outside of all functions,
   * or in functions that run once while the module loads. Null for other names, and for mentions outside of functions.
   */
  declarationOf(name: ts.Identifier): ts.Node | null;
  /**
   * The declaration of the object to which a name refers, if it outlives calls; otherwise null. Follows local variables
   * that are set to another name or to a part of it.
   */
  objectOf(name: ts.Identifier): ts.Node | null;
  /**
   * The class or object to which `self`, a `this`, refers, if it outlives calls. This is so in a static method, in a
   * method of an object that is the value of a variable, and in a method (but not the constructor) of a class that is
   * instantiated while the module loads. Null elsewhere.
   */
  ownerOf(self: ts.Node): ts.Node | null;
}

/** Creates the lookups for one file. `nodes`: all nodes of its tree, with their parents set. */
export function findLongLived(nodes: readonly ts.Node[]): LongLivedDeclarations {
  const scopes = collectDeclarations(nodes);
  const namesCalledAtLoad = collectNamesCalledAtLoad(nodes);
  const runsOnlyOnce = (scope: ts.Node) => isCalledAtOnce(scope) || namesCalledAtLoad.has(getFunctionName(scope) ?? '');

  const findDeclaration = (name: ts.Identifier) => {
    let hasLeftFunction = false;
    for (let scope: ts.Node = name.parent; scope; scope = scope.parent) {
      const declared = scopes.get(scope)?.get(name.text);
      if (declared) return { found: declared, scope, hasLeftFunction };
      if (ts.isFunctionLike(scope) && !isCalledAtOnce(scope)) hasLeftFunction = true;
    }
    return null;
  };
  const isLoadedOnce = (scope: ts.Node) => {
    for (let outer = scope; outer; outer = outer.parent)
      if (ts.isFunctionLike(outer) && !runsOnlyOnce(outer)) return false;
    return true;
  };
  const declarationOf = (name: ts.Identifier) => {
    const foundDeclaration = findDeclaration(name);
    return foundDeclaration?.hasLeftFunction && isLoadedOnce(foundDeclaration.scope) ? foundDeclaration.found : null;
  };
  const objectOf = (name: ts.Identifier) => {
    let current = name;
    for (let step = 0; step < MAX_ALIASES; step += 1) {
      const lastingDeclaration = declarationOf(current);
      if (lastingDeclaration) return lastingDeclaration;
      const declared = findDeclaration(current)?.found;
      const source = declared && findSource(declared);
      const root = source && findLeftmostExpression(source);
      if (!root || !ts.isIdentifier(root)) return null;
      current = root;
    }
    return null;
  };
  const ownerOf = (self: ts.Node) => {
    const method = findFunctionOfThis(self);
    const owner = method?.parent;
    if (!method || !owner) return null;
    if (ts.isClassLike(owner)) {
      const isStatic = hasModifier(method, ts.SyntaxKind.StaticKeyword);
      const isSingle = !ts.isConstructorDeclaration(method) && namesCalledAtLoad.has(owner.name?.text ?? '');
      return (isStatic || isSingle) && isLoadedOnce(owner) ? owner : null;
    }
    const literal = ts.isPropertyAssignment(owner) ? owner.parent : owner;
    if (!ts.isObjectLiteralExpression(literal) || !ts.isVariableDeclaration(literal.parent)) return null;
    return isLoadedOnce(literal.parent) ? literal.parent : null;
  };
  return { declarationOf, objectOf, ownerOf };
}

/** The name or `this` at the start of an expression, such as `a` of `a.b[0]`; null for other expressions. */
export function findLeftmostExpression(expression: ts.Expression): ts.Identifier | ts.Expression | null {
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

/** The first declaration of each name, in each function and in the file. */
function collectDeclarations(nodes: readonly ts.Node[]): ReadonlyMap<ts.Node, ByName> {
  const scopes = new Map<ts.Node, ByName>();
  for (const node of nodes) {
    const name = findDeclaredName(node);
    if (name === null) continue;
    const scope = ts.findAncestor(node.parent, (outer) => ts.isFunctionLike(outer) || ts.isSourceFile(outer));
    if (!scope) continue;
    const names: ByName = scopes.get(scope) ?? new Map();
    scopes.set(scope, names);
    const earlier = names.get(name);
    if (!earlier || node.pos < earlier.pos) names.set(name, node);
  }
  return scopes;
}

/** The name that a node declares; null if it declares none, or declares a pattern. */
function findDeclaredName(node: ts.Node): string | null {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    isImport(node);
  return isDeclaration && node.name && ts.isIdentifier(node.name) ? node.name.text : null;
}

/** Names of functions and classes that are called or instantiated while the module loads. */
function collectNamesCalledAtLoad(nodes: readonly ts.Node[]): ReadonlySet<string> {
  return new Set(
    nodes.flatMap((node) => {
      if ((!ts.isCallExpression(node) && !ts.isNewExpression(node)) || !ts.isIdentifier(node.expression)) return [];
      return ts.findAncestor(node, (outer) => ts.isFunctionLike(outer) && !isCalledAtOnce(outer))
        ? []
        : [node.expression.text];
    }),
  );
}

/** The name of a function, or of the variable that holds it; null if there is none. */
function getFunctionName(scope: ts.Node): string | null {
  if (ts.isFunctionDeclaration(scope)) return scope.name?.text ?? null;
  const { parent } = scope;
  return parent && ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name.text : null;
}

/** True for a function that is called where it is defined: `(() => …)()` and `(function () { … }).call(this)`. */
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

/** The initial value of a variable, or of the pattern to which it belongs; null if there is none. */
function findSource(declaration: ts.Node): ts.Expression | null {
  let outer: ts.Node = declaration;
  while (ts.isBindingElement(outer)) outer = outer.parent.parent;
  return ts.isVariableDeclaration(outer) ? (outer.initializer ?? null) : null;
}

/** The function or class that determines the meaning of `this` at a node. */
function findFunctionOfThis(self: ts.Node): ts.Node | undefined {
  return ts.findAncestor(
    self,
    (outer) => (ts.isFunctionLike(outer) && !ts.isArrowFunction(outer)) || ts.isClassLike(outer),
  );
}
