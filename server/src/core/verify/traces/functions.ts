// Finds the functions of a file, by names that are valid on both sides of a change.

import { ts } from 'ts-morph';
import { isForTypes, createTraceOriginLookup, type FileOrigins } from './origins.ts';
import { hasExportKeyword } from '../../syntax/declarations/modifiers.ts';

/** A function with a body. */
export interface FoundFunction {
  /** `slug`, `Store.get`, `handler › each`, `handler › 1st unnamed`; unique in its file. */
  readonly key: string;
  readonly node: ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };
  /** Its code without comments, layout, types and the functions inside it. */
  readonly code: string;
  /** The code of the defaults of its parameters, each with its place. */
  readonly defaults: string;
  /** True if code outside of the file can call it by a name: it is exported, or a member of an exported object. */
  readonly visible: boolean;
  /** The reason why its calls are not recorded; null if they are recorded. */
  readonly obstacle: string | null;
}

/** The functions of a file, and its remaining code. */
export interface FoundFunctions {
  readonly functions: ReadonlyMap<string, FoundFunction>;
  /** The code outside of all functions, without declarations of functions and methods and without imports of names. */
  readonly outsideCode: string;
  /** The origins of the names in the file. */
  readonly origins: FileOrigins;
  /** Names of exported function declarations. */
  readonly exported: ReadonlySet<string>;
}

type WithBody = FoundFunction['node'];

/** The functions of a file, and its other code. */
export function findFunctions(sourceFile: ts.SourceFile): FoundFunctions {
  const functions = new Map<string, FoundFunction>();
  const exported = new Set<string>();
  const names = new Map<ts.Node, string>();
  const exportedNames = collectExportedNames(sourceFile);
  const visit = (node: ts.Node, outerKey: string, isVisible: boolean): void => {
    let [innerKey, isInnerVisible] = [outerKey, isVisible];
    if (hasBody(node)) {
      const functionName = findName(node, sourceFile);
      const baseKey = `${outerKey === '' ? '' : `${outerKey} › `}${functionName ?? 'unnamed'}`;
      let key = baseKey;
      for (let count = 2; functions.has(key); count += 1) key = `${baseKey} ${count}`;
      names.set(node, key);
      const visible =
        outerKey === '' && functionName !== null && isReachableFromOutside(node, functionName, exportedNames);
      if (visible && ts.isFunctionDeclaration(node)) exported.add(functionName!);
      functions.set(key, { key, node, code: '', defaults: '', visible, obstacle: explainObstacle(node) });
      [innerKey, isInnerVisible] = [key, false];
    }
    ts.forEachChild(node, (child) => visit(child, innerKey, isInnerVisible));
  };
  visit(sourceFile, '', true);
  for (const [key, tracedFunction] of functions) {
    const code = (part: ts.Node) => collectCode(part, sourceFile, names, tracedFunction.node);
    functions.set(key, {
      ...tracedFunction,
      code: code(tracedFunction.node),
      defaults: collectDefaults(tracedFunction.node.parameters, code).join(),
    });
  }
  const topLevelCode = collectCode(sourceFile, sourceFile, names, sourceFile);
  return { functions, outsideCode: topLevelCode, origins: createTraceOriginLookup(sourceFile), exported };
}

function collectDefaults(
  elements: readonly (ts.ParameterDeclaration | ts.ArrayBindingElement)[],
  code: (node: ts.Node) => string,
): string[] {
  return elements.flatMap((element, index) => {
    if (ts.isOmittedExpression(element)) return [];
    const defaultTexts = element.initializer ? [code(element.initializer)] : [];
    const innerDefaults = ts.isIdentifier(element.name) ? [] : collectDefaults(element.name.elements, code);
    return [...defaultTexts, ...innerDefaults].map((text) => `${index} ${text}`);
  });
}

/** True for a function, method or accessor with code. */
export function hasBody(node: ts.Node): node is WithBody {
  return (
    (ts.isFunctionDeclaration(node) ||
      ts.isFunctionExpression(node) ||
      ts.isArrowFunction(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isAccessor(node) ||
      ts.isConstructorDeclaration(node)) &&
    node.body !== undefined
  );
}

/** The reason why the calls of a function cannot be recorded; null if they can. */
function explainObstacle(node: WithBody): string | null {
  if ('asteriskToken' in node && node.asteriskToken) return 'is a generator';
  if (ts.isConstructorDeclaration(node) && ts.isClassLike(node.parent) && isDerived(node.parent))
    return 'is the constructor of a derived class';
  return null;
}

/** True for a class that extends another class. */
export function isDerived(node: ts.ClassLikeDeclaration): boolean {
  return node.heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword) ?? false;
}

/** The name of a function; null if it has no name. */
function findName(node: WithBody, sourceFile: ts.SourceFile): string | null {
  if (ts.isConstructorDeclaration(node)) return `${findClassName(node.parent)}.constructor`;
  if (ts.isMethodDeclaration(node) || ts.isAccessor(node)) {
    const kind = ts.isGetAccessor(node) ? 'get ' : ts.isSetAccessor(node) ? 'set ' : '';
    const isStatic = ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Static;
    return `${kind}${findHolder(node.parent)}${isStatic ? '.static.' : '.'}${node.name.getText(sourceFile)}`;
  }
  if (node.name) return node.name.text;
  const { parent } = skipWrappers(node);
  if (ts.isVariableDeclaration(parent)) return parent.name.getText(sourceFile);
  if (ts.isPropertyAssignment(parent)) return `${findHolder(parent.parent)}.${parent.name.getText(sourceFile)}`;
  if (ts.isPropertyDeclaration(parent)) return `${findClassName(parent.parent)}.${parent.name.getText(sourceFile)}`;
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return parent.left.getText(sourceFile).replace(/\s/g, '');
  return ts.isExportAssignment(parent) || ts.isFunctionDeclaration(node) ? 'default' : null;
}

/** The outermost expression around the node that changes nothing at run time, or the node itself. */
function skipWrappers(node: ts.Node): ts.Node {
  const { parent } = node;
  return ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent)
    ? skipWrappers(parent)
    : node;
}

function findClassName(node: ts.Node): string {
  return ts.isClassLike(node) ? (node.name?.text ?? 'class') : 'object';
}

/** The name of the object or class of a member. */
function findHolder(node: ts.Node): string {
  if (ts.isClassLike(node)) return findClassName(node);
  const { parent } = skipWrappers(node);
  if (parent && ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return parent.name.text;
  if (parent && ts.isPropertyAssignment(parent) && ts.isIdentifier(parent.name)) return parent.name.text;
  return 'object';
}

/** True if code outside of the file can call the function by a name. `exportedNames`: the names that the file exports. */
function isReachableFromOutside(node: WithBody, name: string, exportedNames: ReadonlySet<string>): boolean {
  if (/^(?:module\.)?exports\b/.test(name)) return true;
  if (node.name && ts.isPrivateIdentifier(node.name)) return false;
  if (exportedNames.has(name.replace(/^[gs]et /, '').split('.')[0]!)) return true;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  if (ts.canHaveModifiers(node) && ts.getCombinedModifierFlags(node) & hidden) return false;
  for (let ancestor: ts.Node = node; ancestor.parent; ancestor = ancestor.parent) {
    if (ts.isExportAssignment(ancestor) || hasExportKeyword(ancestor)) return true;
  }
  return false;
}

/** Local names in `export { … }`, `export default name` and `module.exports = name`. */
function collectExportedNames({ statements }: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const addAssigned = (expression: ts.Expression): void => {
    if (!ts.isBinaryExpression(expression) || expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return;
    if (/^(?:module\.)?exports\b/.test(expression.left.getText())) {
      addTarget(expression.right);
      addAssigned(expression.right);
    }
    // In `var app = exports = module.exports = {}`, members of `app` are exported.
    if (ts.isIdentifier(expression.left)) addAssigned(expression.right);
  };
  const addTarget = (value: ts.Expression): void => void (ts.isIdentifier(value) && names.add(value.text));
  for (const statement of statements) {
    if (ts.isExportAssignment(statement)) addTarget(statement.expression);
    if (ts.isExpressionStatement(statement)) addAssigned(statement.expression);
    if (ts.isVariableStatement(statement))
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (!initializer || !ts.isIdentifier(name) || !ts.isBinaryExpression(initializer)) continue;
        if (/\bexports\b/.test(initializer.getText())) names.add(name.text);
      }
    const clause = ts.isExportDeclaration(statement) && !statement.moduleSpecifier ? statement.exportClause : undefined;
    if (clause && ts.isNamedExports(clause))
      for (const { propertyName, name } of clause.elements) names.add((propertyName ?? name).text);
  }
  // `module.exports = app` exports the members of `app`, including members of its prototype.
  return names;
}

/** The words of the code, separated by spaces. A mark replaces an inner function; a declared function is omitted. */
function collectCode(
  node: ts.Node,
  sourceFile: ts.SourceFile,
  names: ReadonlyMap<ts.Node, string>,
  outermost: ts.Node,
): string {
  const tokens: string[] = [];
  const visit = (inner: ts.Node): void => {
    if (ts.isJSDoc(inner) || isForTypes(inner)) return;
    if (inner !== outermost && names.has(inner)) {
      const isDeclared = ts.isFunctionDeclaration(inner) || ts.isMethodDeclaration(inner) || ts.isAccessor(inner);
      if (!isDeclared) tokens.push(`‹${names.get(inner)!}›`);
      return;
    }
    const isSkipped = ts.isImportDeclaration(inner)
      ? inner.importClause !== undefined
      : ts.isFunctionDeclaration(inner) && !inner.body;
    if (outermost === sourceFile && isSkipped) return;
    const children = inner.getChildren(sourceFile);
    if (children.length > 0) children.forEach(visit);
    else if (inner.getWidth(sourceFile) > 0 && inner.kind !== ts.SyntaxKind.SemicolonToken)
      tokens.push(inner.getText(sourceFile));
  };
  visit(node);
  return tokens.join(' ');
}
