// Lists the nodes of a syntax tree, for code that has no traversal of its own.

import { ts } from 'ts-morph';

/** All nodes below `root`, parents before their children, without recursion; the root is not among them. */
export function collectNodesBelow(root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [];
  const pending: ts.Node[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node !== root) nodes.push(node);
    ts.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  return nodes;
}

/** The children of a node in the order of the text; the compiler visits some, such as modifiers, in another order. */
export function listChildren(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children.toSorted((a, b) => a.pos - b.pos);
}
