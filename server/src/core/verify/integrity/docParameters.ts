// Finds `@param` tags that name no parameter of their function.

import { ts } from 'ts-morph';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';

/**
 * The names in `@param` tags that no parameter has. Empty if the comment belongs to no function, or if the parameters
 * are unknown, because the function reads `arguments` or takes the remaining properties of an object.
 */
export function findWrongParameters(doc: ts.JSDoc): readonly string[] {
  const parameters = findParameters(doc.parent);
  if (parameters === null || parameters.some(({ name }) => hasRest(name))) return [];
  const patterns = parameters.map(({ name }) => (ts.isIdentifier(name) ? null : new Set(collectBoundNames(name))));
  const names = new Set(
    parameters.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : collectBoundNames(name))),
  );
  const members = new Set(patterns.flatMap((pattern) => [...(pattern ?? [])]));
  const tags = (doc.tags ?? []).flatMap((tag) => (ts.isJSDocParameterTag(tag) ? [tag.name.getText().split('.')] : []));
  const parameterNames = [...new Set(tags.map(([root = '']) => root))];
  return tags.flatMap(([root = '', member]) => {
    if (names.has(root) || root === '' || root === 'this') return [];
    // A destructured parameter has no name, so the comment may choose one. It is recognised by its position, or by a
    // member.
    const isNameOfPattern =
      patterns[parameterNames.indexOf(root)] != null ||
      tags.some(([name, inner]) => name === root && members.has(inner ?? ''));
    if (!isNameOfPattern) return [root];
    return member === undefined || members.has(member) ? [] : [member];
  });
}

/**
 * The parameters of the function that a comment describes, of its overloads, and of the functions that it returns
 * directly; null if the comment describes something else, or if a function reads `arguments`.
 */
function findParameters(host: ts.Node): readonly ts.ParameterDeclaration[] | null {
  const functions = findFunctions(host).flatMap(collectReturnedFunctions);
  if (functions.length === 0 || functions.some(readsArguments)) return null;
  return functions.flatMap(({ parameters }) => parameters.filter(ts.isParameter));
}

/** The functions that a comment at this node describes; empty if it describes something else. */
function findFunctions(host: ts.Node): readonly ts.SignatureDeclaration[] {
  if (ts.isFunctionLike(host)) return [host, ...findOverloads(host)];
  const value = ts.isVariableStatement(host)
    ? host.declarationList.declarations[0]?.initializer
    : ts.isPropertyAssignment(host) || ts.isPropertyDeclaration(host) || ts.isVariableDeclaration(host)
      ? host.initializer
      : ts.isTypeAliasDeclaration(host) || ts.isPropertySignature(host)
        ? host.type
        : ts.isExpressionStatement(host) && ts.isBinaryExpression(host.expression)
          ? host.expression.right
          : undefined;
  const valueNode = value && skipParentheses(value);
  return valueNode !== undefined && ts.isFunctionLike(valueNode) ? [valueNode] : [];
}

/** The other signatures of the same name next to a function. */
function findOverloads(host: ts.SignatureDeclaration): readonly ts.SignatureDeclaration[] {
  const name = ts.isConstructorDeclaration(host) ? 'constructor' : host.name?.getText();
  const siblings: ts.SignatureDeclaration[] = [];
  ts.forEachChild(host.parent, (node) => {
    if (node === host || !ts.isFunctionLike(node)) return;
    if ((ts.isConstructorDeclaration(node) ? 'constructor' : node.name?.getText()) === name) siblings.push(node);
  });
  return siblings;
}

/** The function, and the functions that it returns directly, as in `(a) => (b) => a + b`. */
function collectReturnedFunctions(declaration: ts.SignatureDeclaration): readonly ts.SignatureDeclaration[] {
  const body = 'body' in declaration ? (declaration.body as ts.Node | undefined) : declaration.type;
  const returnedNodes =
    body === undefined
      ? []
      : ts.isBlock(body)
        ? body.statements.flatMap((statement) =>
            ts.isReturnStatement(statement) && statement.expression ? [statement.expression] : [],
          )
        : [body];
  return [
    declaration,
    ...returnedNodes
      .map(skipParentheses)
      .flatMap((node) => (ts.isFunctionLike(node) ? collectReturnedFunctions(node) : [])),
  ];
}

function skipParentheses(node: ts.Node): ts.Node {
  let inner = node;
  while (ts.isParenthesizedExpression(inner) || ts.isAsExpression(inner) || ts.isSatisfiesExpression(inner))
    inner = inner.expression;
  return inner;
}

function readsArguments(declaration: ts.SignatureDeclaration): boolean {
  return collectNodesBelow(declaration).some((node) => ts.isIdentifier(node) && node.text === 'arguments');
}

/** True if the pattern takes the remaining properties or elements. */
function hasRest(name: ts.BindingName): boolean {
  return collectNodesBelow(name).some((node) => ts.isBindingElement(node) && node.dotDotDotToken !== undefined);
}

function collectBoundNames(pattern: ts.BindingName): readonly string[] {
  return collectNodesBelow(pattern).flatMap((node) => (ts.isIdentifier(node) ? [node.text] : []));
}
