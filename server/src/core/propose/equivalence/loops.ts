// Equivalence of loops: `for … of` in place of a loop that counts through an array and only reads it.

import { ts } from 'ts-morph';
import { parseIndexLoop } from '../../syntax/indexLoops.ts';
import { listTokenTexts } from '../syntax/tokens.ts';
import { collectDescendants } from '../syntax/locate.ts';
import type { NodeEquivalence } from './equivalence.ts';
import { collectBoundIdentifiers } from '../../syntax/names.ts';

/**
 * Accepts `for (const item of list)` in place of `for (let i = 0; i < list.length; i++)` if the types show that `list`
 * is an array.
 */
export const indexLoop: NodeEquivalence = (oldNode, changedNode, proof) => {
  if (
    !ts.isForStatement(oldNode) ||
    !ts.isForOfStatement(changedNode) ||
    changedNode.awaitModifier ||
    !ts.isVariableDeclarationList(changedNode.initializer)
  )
    return false;
  const loop = parseIndexLoop(oldNode);
  const [element, secondDeclaration] = changedNode.initializer.declarations;
  if (
    !loop ||
    !element ||
    secondDeclaration ||
    element.type ||
    !proof.types?.isArray(loop.list) ||
    !proof.isSame(loop.list, changedNode.expression)
  )
    return false;
  for (let part = loop.list; ts.isPropertyAccessExpression(part); part = part.expression)
    if (proof.types.isAccessor(part)) return false;
  if (loop.itemDeclaration) {
    const [declaration] = loop.itemDeclaration.declarationList.declarations;
    if (
      !declaration ||
      !ts.isBlock(oldNode.statement) ||
      !ts.isBlock(changedNode.statement) ||
      !proof.isSame(declaration.name, element.name)
    )
      return false;
    const isSameKeyword =
      ((loop.itemDeclaration.declarationList.flags ^ changedNode.initializer.flags) & ts.NodeFlags.BlockScoped) === 0;
    return isSameKeyword && proof.isSameList(oldNode.statement.statements.slice(1), changedNode.statement.statements);
  }
  const [name] = collectBoundIdentifiers(element.name);
  if (!name || !ts.isIdentifier(element.name)) return false;
  // The new name must not be used anywhere else in the enclosing function or file.
  if (
    collectDescendants(findEnclosingFunction(oldNode)).some((node) => ts.isIdentifier(node) && node.text === name.text)
  )
    return false;
  return readBodyWithName(oldNode.statement, loop.reads, name.text) === listTokenTexts(changedNode.statement).join(' ');
};

/** The tokens of the body, joined by spaces. Every read of an element of the array is replaced by the name. */
function readBodyWithName(body: ts.Statement, reads: readonly ts.Node[], name: string): string {
  const markedReads = new Set(reads.map((read) => (ts.isNonNullExpression(read.parent) ? read.parent : read)));
  const collect = (node: ts.Node): string[] => {
    if (markedReads.has(node as ts.ElementAccessExpression)) return [name];
    const children = node
      .getChildren()
      .filter(({ kind }) => kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode);
    const [text] =
      children.length === 0 ? [node.kind === ts.SyntaxKind.JsxText ? node.getFullText() : node.getText()] : [''];
    return children.length === 0 ? (text ? [text] : []) : children.flatMap(collect);
  };
  return collect(body).join(' ');
}

/** The function or file that contains the node. */
function findEnclosingFunction(node: ts.Node): ts.Node {
  let owner = node;
  while (!ts.isSourceFile(owner) && !ts.isFunctionLike(owner)) owner = owner.parent;
  return owner;
}
