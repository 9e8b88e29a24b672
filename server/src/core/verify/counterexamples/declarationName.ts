// Finds the name of the declaration behind an export, also if the function is exported through an object of the file.

import { ts } from 'ts-morph';
import type { ModuleOutline } from '../differential/declarations.ts';
import type { ExportedFunction } from './exportedFunctions.ts';

/**
 * The name of the declaration behind an export. For `exports.parse = api.parse`, it is the function to which
 * `api.parse` refers, if `api` is a constant object of the file that no code changes or passes on. Otherwise, it is the
 * name of the exported declaration; for this example, of the assignment, which mentions the whole object.
 */
export function findDeclarationName(
  { declarations }: Pick<ModuleOutline, 'declarations'>,
  { name, exportedAs, declaredAs }: Pick<ExportedFunction, 'name' | 'exportedAs' | 'declaredAs'>,
  code: ts.SourceFile,
): string {
  if (declaredAs !== undefined) return declaredAs;
  const exported = [...declarations.values()].find((declaration) => declaration.exportedAs === exportedAs);
  if (!exported) return name;
  const assignedMember = findMember(exported.node);
  const objectNode = assignedMember && declarations.get(assignedMember.object)?.node;
  const functionName = objectNode && assignedMember ? findName(objectNode, assignedMember.member) : null;
  const isFunction = functionName !== null && declarations.get(functionName)?.kind === 'function';
  return assignedMember && isFunction && isUnchanged(assignedMember.object, code) ? functionName : exported.name;
}

/** The object and the member in `exports.parse = api.parse`; null for any other statement. */
function findMember(node: ts.Node): { readonly object: string; readonly member: string } | null {
  if (!ts.isExpressionStatement(node) || !ts.isBinaryExpression(node.expression)) return null;
  const { right } = node.expression;
  return ts.isPropertyAccessExpression(right) && ts.isIdentifier(right.expression)
    ? { object: right.expression.text, member: right.name.text }
    : null;
}

/**
 * The name to which a member of a constant object refers; null if the node is not such an object, or the member is not
 * a name.
 */
function findName(node: ts.Node, member: string): string | null {
  const { initializer } = ts.isVariableDeclaration(node) ? node : {};
  if (!initializer || !ts.isObjectLiteralExpression(initializer)) return null;
  if (!(ts.getCombinedNodeFlags(node) & ts.NodeFlags.Const) || initializer.properties.some(isUnclear)) return null;
  const property = initializer.properties.find((candidate) => candidate.name?.getText() === member);
  if (property && ts.isShorthandPropertyAssignment(property)) return member;
  return property && ts.isPropertyAssignment(property) && ts.isIdentifier(property.initializer)
    ? property.initializer.text
    : null;
}

/** True for a property whose name is not a plain identifier. */
function isUnclear({ name }: ts.ObjectLiteralElementLike): boolean {
  return !name || !ts.isIdentifier(name);
}

/** True if the file only reads members of the object, or exports it as a whole. */
function isUnchanged(object: string, code: ts.SourceFile): boolean {
  let isOnlyRead = true;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === object && !isHarmless(node)) isOnlyRead = false;
    ts.forEachChild(node, visit);
  };
  visit(code);
  return isOnlyRead;
}

/** True for a use of the object that reads a member of it, declares it or exports it as a whole. */
function isHarmless(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) && parent.name === node) return true;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node || isRead(parent);
  const isExported = ts.isBinaryExpression(parent) && parent.right === node && ts.isExpressionStatement(parent.parent);
  return isExported && /^(?:module\.)?exports\b/.test(parent.left.getText());
}

/** False for uses that may change the member, such as `api.parse = …`, `delete api.parse` and `[api.parse] = …`. */
function isRead(node: ts.PropertyAccessExpression): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent)) return true;
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return parent.right === node;
  return ts.isVariableDeclaration(parent) || ts.isReturnStatement(parent);
}
