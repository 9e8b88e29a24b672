// The checks of all rules by kind of syntax node, so that one walk serves all rules.

import { nodeFinders } from '../rules/allFinders.ts';
import type { NodeFinder } from '../rules/finders.ts';

/** By kind of syntax node: the checks of all rules for it; undefined if there are none. */
export const NODE_CHECKS: readonly (readonly NodeFinder['find'][] | undefined)[] = groupChecksByKind();

function groupChecksByKind(): NodeFinder['find'][][] {
  const checks: NodeFinder['find'][][] = [];
  for (const { nodes, find } of Object.values(nodeFinders)) for (const kind of nodes) (checks[kind] ??= []).push(find);
  return checks;
}
