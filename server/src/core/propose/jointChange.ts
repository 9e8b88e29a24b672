// Applies one recipe to several places of a file as one change, because people prefer to fix similar lines together.

import { posix } from 'node:path';
import type { Opportunity } from '../model.ts';
import { moveOpportunity } from './movedRange.ts';
import { applyRecipe, type AppliedRecipe } from './applyRecipe.ts';
import { rewritesTooMuch } from './rewriting.ts';
import { isSafeRecipe } from './unattended.ts';
import type { SourceTree } from '../ports/sources.ts';

/** Maximum number of places. A larger change is hard to review. */
const MAX_PLACES = 25;
/** Added to the rationale if the file has further places for the recipe. */
const MORE_PLACES_NOTE =
  ' The file has more such places. They are left for another change, so that this one can be read to its end.';

/** A change that the recipe did not refuse. */
type Change = Exclude<AppliedRecipe, { refused: string }>;

/**
 * The joint change, or the reason why there is none. `opportunities`: the ids of all realised opportunities, the
 * requested one first.
 */
export type JointChange = (Change & { readonly opportunities: readonly string[] }) | { readonly refused: string };

/** A further place that was changed. `text`: the text of the file after that change. */
interface AppliedPlace {
  readonly id: string;
  readonly text: string;
}

/**
 * Realises `opportunity`, then each of `candidates` in the text with the previous changes. Refuses if the recipe is not
 * safe, if the first change is refused or touches other files, or if no second change succeeds. It is synchronous and
 * has no side effects. `analyse` finds the opportunities in a text of the file.
 */
export function planJointChange(
  opportunity: Opportunity,
  candidates: readonly Opportunity[],
  tree: SourceTree,
  analyse: (text: string) => readonly Opportunity[],
): JointChange {
  if (!isSafeRecipe(opportunity.recipe)) return { refused: 'Each of its changes is looked at by itself.' };
  const firstChange = applyRecipe(opportunity, tree);
  if ('refused' in firstChange) return firstChange;
  const [editOfFile, ...otherEdits] = firstChange.edits;
  if (
    !editOfFile ||
    editOfFile.path !== opportunity.path ||
    editOfFile.before === null ||
    editOfFile.after === null ||
    otherEdits.length > 0
  ) {
    return { refused: 'It is a change of several files.' };
  }
  const { before } = editOfFile;
  const absolutePath = posix.join(tree.rootDir.replaceAll('\\', '/'), opportunity.path);
  const remainingCandidates = new Map(
    candidates.filter(({ recipe }) => recipe === opportunity.recipe).map((candidate) => [candidate.id, candidate]),
  );
  const idsBefore = new Set(analyse(before).map(({ id }) => id));
  const appliedIds = [opportunity.id];
  let text = editOfFile.after;
  let hasSkipped = false;
  while (appliedIds.length < MAX_PLACES) {
    const nextChange = applyNext();
    if (!nextChange) break;
    text = nextChange.text;
    appliedIds.push(nextChange.id);
  }
  const furtherCount = appliedIds.length - 1;
  if (furtherCount === 0) return { refused: 'Nothing else in the file is like it.' };
  const note = hasSkipped || (appliedIds.length === MAX_PLACES && remainingCandidates.size > 0) ? MORE_PLACES_NOTE : '';
  const title = `${firstChange.title}, and ${furtherCount} more in ${posix.basename(opportunity.path)}`;
  return {
    edits: [{ ...editOfFile, after: text }],
    title,
    rationale: firstChange.rationale + note,
    opportunities: appliedIds,
  };

  /** Changes the next place at which the recipe succeeds; null if there is none. */
  function applyNext(): AppliedPlace | null {
    const overlay: SourceTree = { ...tree, read: (file) => (file === absolutePath ? text : tree.read(file)) };
    for (const [id, place] of findRemainingPlaces(text)) {
      remainingCandidates.delete(id);
      const outcome = applyRecipe(place, overlay);
      if ('refused' in outcome) continue;
      const [edit, ...furtherEdits] = outcome.edits;
      if (!edit || furtherEdits.length > 0 || edit.path !== opportunity.path || edit.after === null) continue;
      if (rewritesTooMuch(before, edit.after)) {
        hasSkipped = true;
        continue;
      }
      return { id, text: edit.after };
    }
    return null;
  }

  /**
   * Finds the remaining candidates in the current text. They are recognised by id, otherwise by rule, symbol and
   * message. Opportunities that `analyse` cannot find, because they depend on other files, are searched at the lines to
   * which their code has moved.
   */
  function findRemainingPlaces(current: string): [id: string, place: Opportunity][] {
    const currentOpportunities = analyse(current).filter(({ recipe }) => recipe === opportunity.recipe);
    const ids = new Set(currentOpportunities.map(({ id }) => id));
    const matchedById = currentOpportunities.flatMap((place): [string, Opportunity][] =>
      remainingCandidates.has(place.id) ? [[place.id, place]] : [],
    );
    const unmatchedCandidates = [...remainingCandidates.values()].filter(({ id }) => !ids.has(id));
    const matchedByMessage = currentOpportunities.flatMap((place): [string, Opportunity][] => {
      if (idsBefore.has(place.id)) return [];
      // The id depends on the neighbouring code, which has changed; the message still identifies the opportunity.
      const index = unmatchedCandidates.findIndex(
        (unmatchedCandidate) =>
          idsBefore.has(unmatchedCandidate.id) && createMatchKey(unmatchedCandidate) === createMatchKey(place),
      );
      return index < 0
        ? []
        : unmatchedCandidates.splice(index, 1).map((unmatchedCandidate) => [unmatchedCandidate.id, place]);
    });
    const matchedByLine = unmatchedCandidates.flatMap((unmatchedCandidate): [string, Opportunity][] => {
      const movedOpportunity = idsBefore.has(unmatchedCandidate.id)
        ? null
        : moveOpportunity(unmatchedCandidate, before, current);
      return movedOpportunity ? [[unmatchedCandidate.id, movedOpportunity]] : [];
    });
    return [...matchedById, ...matchedByMessage, ...matchedByLine];
  }
}

/** Joins rule, symbol and message, which identify an opportunity whose id has changed. */
function createMatchKey({ rule, symbol, message }: Opportunity): string {
  return [rule, symbol ?? '', message].join('\0');
}
