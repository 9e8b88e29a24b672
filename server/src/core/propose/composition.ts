// Applies several recipes to one function as one change, because changes without a gain of their own may gain points
// together.

import { posix } from 'node:path';
import type { FileEdit, Opportunity } from '../model.ts';
import { applyRecipe, type AppliedRecipe } from './applyRecipe.ts';
import { determineSafety } from './safety.ts';
import { joinTitles } from './titles.ts';
import { isSafeLevel, isSafeRecipe } from './unattended.ts';
import type { SourceTree } from '../ports/sources.ts';

/** Maximum number of added changes. With more, the result is a different function, and the change is hard to review. */
const MAX_ADDED = 12;

/**
 * Applies the recipe of `opportunity`, then those safe recipes whose opportunities are in the same function or are
 * created by the change itself, such as an unused import. Refuses if the first change is refused, if it creates,
 * deletes or does not touch the file of the opportunity, or if no change can be added. It is synchronous and has no
 * side effects. `analyse` finds the opportunities in a text of the file.
 */
export function composeAround(
  opportunity: Opportunity,
  tree: SourceTree,
  analyse: (text: string) => readonly Opportunity[],
): AppliedRecipe {
  const firstChange = applyRecipe(opportunity, tree);
  if ('refused' in firstChange) return firstChange;
  const editOfFile = firstChange.edits.find(({ path }) => path === opportunity.path);
  if (!editOfFile || editOfFile.before === null || editOfFile.after === null)
    return { refused: 'Its file is made or removed, so nothing can go along with it.' };

  const idsBefore = new Set(analyse(editOfFile.before).map(({ id }) => id));
  const steps = [{ title: firstChange.title, rationale: firstChange.rationale }];
  const triedIds = new Set([opportunity.id]);
  let text = editOfFile.after;
  while (steps.length <= MAX_ADDED) {
    const next = findNextStep(text);
    if (!next) break;
    text = next.text;
    steps.push(next);
  }
  if (steps.length === 1) return { refused: 'Nothing else changes with it.' };
  const edits = firstChange.edits.map(
    (edit): FileEdit => (edit === editOfFile ? { ...editOfFile, after: text } : edit),
  );
  return {
    edits,
    title: joinTitles(steps.map(({ title }) => title)),
    rationale: `They gain only together. ${steps.map(({ rationale }) => rationale).join(' ')}`,
  };

  /** Applies the next opportunity that belongs to the change; null if there is none that can be applied. */
  function findNextStep(
    currentText: string,
  ): { readonly text: string; readonly title: string; readonly rationale: string } | null {
    const absolutePath = posix.join(tree.rootDir.replaceAll('\\', '/'), opportunity.path);
    const overlay: SourceTree = { ...tree, read: (file) => (file === absolutePath ? currentText : tree.read(file)) };
    for (const candidate of analyse(currentText)) {
      if (triedIds.has(candidate.id) || !isSafeRecipe(candidate.recipe) || !belongsToChange(candidate)) continue;
      triedIds.add(candidate.id);
      const outcome = applyRecipe(candidate, overlay);
      if ('refused' in outcome) continue;
      const [edit, ...otherEdits] = outcome.edits;
      if (
        !edit ||
        otherEdits.length > 0 ||
        edit.path !== opportunity.path ||
        edit.after === null ||
        !isSafeLevel(determineSafety(outcome.edits, overlay))
      )
        continue;
      return { text: edit.after, title: outcome.title, rationale: outcome.rationale };
    }
    return null;
  }

  /** True for an opportunity that did not exist before the change, and for one in the same function. */
  function belongsToChange({ id, symbol }: Opportunity): boolean {
    return (
      !idsBefore.has(id) ||
      (symbol !== null &&
        opportunity.symbol !== null &&
        (symbol === opportunity.symbol || symbol.startsWith(`${opportunity.symbol}.`)))
    );
  }
}
