// What one recipe does to several places of a file, as one change: nobody would mend one of two lines that say the same.

import { posix } from 'node:path';
import type { SourceTree } from '../indexPorts.ts';
import type { Opportunity } from '../model.ts';
import { realise, type Realised } from './realise.ts';
import { safetyOf } from './safety.ts';
import { isSafeLevel, isSafeRecipe } from './unattended.ts';

/** Beyond that nobody reads a change to its end. */
const MOST_ADDED = 9;

/** `opportunities`: ids of those that it is for, the first one first. */
export type Alike = (Exclude<Realised, { refused: string }> & { readonly opportunities: readonly string[] }) | { readonly refused: string };

/**
 * The change of `opportunity`, then that of each of `wanted` (ids) that is still found in the text as it has become, one after the
 * other, so that each sees what the ones before it did. Refused where no second one follows. Synchronous and pure. `analyse`
 * finds the opportunities of a text of the file.
 */
export function alikeAround(opportunity: Opportunity, wanted: readonly string[], tree: SourceTree, analyse: (text: string) => readonly Opportunity[]): Alike {
  if (!isSafeRecipe(opportunity.recipe)) return { refused: 'Each of its changes is looked at by itself.' };
  const first = realise(opportunity, tree);
  if ('refused' in first) return first;
  const [own, ...others] = first.edits;
  if (!own || own.path !== opportunity.path || own.before === null || own.after === null || others.length > 0) return { refused: 'It is a change of several files.' };

  const absolutePath = posix.join(tree.rootDir.replaceAll('\\', '/'), opportunity.path);
  const left = new Set(wanted);
  const done = [opportunity.id];
  let text = own.after;
  while (done.length <= MOST_ADDED) {
    const next = step();
    if (!next) break;
    text = next.text;
    done.push(next.id);
  }
  const more = done.length - 1;
  if (more === 0) return { refused: 'Nothing else in the file is like it.' };
  const title = `${first.title}, and ${more} more in ${posix.basename(opportunity.path)}`;
  return { edits: [{ ...own, after: text }], title, rationale: first.rationale, opportunities: done };

  function step(): { readonly id: string; readonly text: string } | null {
    const overlay: SourceTree = { ...tree, read: (file) => (file === absolutePath ? text : tree.read(file)) };
    for (const found of analyse(text)) {
      if (found.recipe !== opportunity.recipe || !left.delete(found.id)) continue;
      const outcome = realise(found, overlay);
      if ('refused' in outcome) continue;
      const [edit, ...rest] = outcome.edits;
      if (!edit || rest.length > 0 || edit.path !== opportunity.path || edit.after === null || !isSafeLevel(safetyOf(outcome.edits, overlay))) continue;
      return { id: found.id, text: edit.after };
    }
    return null;
  }
}
