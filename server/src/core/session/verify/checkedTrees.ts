// Stores, until the session ends, the trees on which types and tests passed with several proposals together.

import type { FileEdit } from '../../model.ts';
import type { CheckedTree } from '../../verify/checkedTogether.ts';
import { readCurrentText } from '../propose/rebaseProposal.ts';
import type { SessionContext } from '../context.ts';
import { readTreeState, removeFiles } from './treeState.ts';

/** Maximum number of remembered trees. Older ones belong to earlier rounds. */
const MAX_TREES = 16;

/** The current tree as it would be with these edits; null if the state of the tree is unknown. */
export async function computeTreeWith(
  context: SessionContext,
  edits: readonly FileEdit[],
): Promise<CheckedTree | null> {
  const currentTree = await readTreeState(context);
  return currentTree && { rest: removeFiles(currentTree.text, collectPaths(edits)), edits };
}

/** Remembers that types and tests passed on this tree. */
export function rememberTree({ state }: SessionContext, tree: CheckedTree): void {
  state.checkedTrees = [...state.checkedTrees, tree].slice(-MAX_TREES);
}

/** True if types and tests passed on this tree. */
export function hasPassed({ state }: SessionContext, { rest, edits }: CheckedTree): boolean {
  return state.checkedTrees.some(
    (checked) => checked.rest === rest && formatTexts(checked.edits) === formatTexts(edits),
  );
}

/** True if the tree on disk equals a tree on which types and tests passed. */
export async function isCheckedTree(context: SessionContext): Promise<boolean> {
  for (const { rest, edits } of context.state.checkedTrees) {
    const currentTree = await computeTreeWith(context, edits);
    if (currentTree?.rest === rest && (await areApplied(context, edits))) return true;
  }
  return false;
}

/** True if each edited file has the text after the edit. */
async function areApplied({ ports }: SessionContext, edits: readonly FileEdit[]): Promise<boolean> {
  for (const { path, after } of edits) if ((await readCurrentText(ports, path, after)) !== after) return false;
  return true;
}

function collectPaths(edits: readonly FileEdit[]): readonly string[] {
  return edits.map(({ path }) => path);
}

function formatTexts(edits: readonly FileEdit[]): string {
  return JSON.stringify(edits.map(({ path, after }) => [path, after]).sort());
}
