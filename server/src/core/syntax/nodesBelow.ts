// Lists all nodes of a tree, for rooms without a traversal of their own.

import { ts } from 'ts-morph';

/** All nodes below `root`, parents before their children, without recursion; the root is not among them. */
export function nodesBelow(root: ts.Node): ts.Node[] {
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
