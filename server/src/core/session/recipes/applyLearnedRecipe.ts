// Makes the change of an accepted recipe in one file, at all of its places there that nothing hides.

import { posix } from 'node:path';
import { parseLearnedId, type LearnedRecipe } from '../../model/learnedRecipes.ts';
import type { Opportunity } from '../../model.ts';
import type { JobTable } from '../../jobs.ts';
import { formatCount } from '../../../util/counted.ts';
import { quoteText } from '../../../util/visible.ts';
import type { SessionContext } from '../context.ts';
import { listShown } from '../analyse/listOpportunities.ts';
import { readAccepted } from './storedCandidates.ts';
import { describeSource } from './learnedPlaces.ts';

/** Maximum number of characters of code in a title. */
const MAX_CHARACTERS = 60;

/**
 * Creates the change for an opportunity of a learned recipe, at all shown places of the recipe in the file. The place
 * of the opportunity itself is changed even if it is hidden, because somebody has named it.
 */
export async function applyLearnedRecipe(
  context: SessionContext,
  opportunity: Opportunity,
  signal: AbortSignal,
): Promise<JobTable['applyRecipe']['output']> {
  const { path, recipe: name } = opportunity;
  const id = parseLearnedId(name);
  const recipe = (await readAccepted(context)).find((candidate) => candidate.id === id);
  if (!recipe) return { refused: `The learned recipe ${id} is no longer accepted.` };
  const shownPlaces = (await listShown(context, [path])).filter((opportunity) => opportunity.recipe === name);
  const places = [...shownPlaces.filter(({ id: otherId }) => otherId !== opportunity.id), opportunity];
  const { rootDir } = context.ports.files;
  const ranges = places.map(({ range }) => range);
  const outcome = await context.ports.jobs.run('rewriteShape', { rootDir, path, shape: recipe, at: ranges }, signal);
  if ('refused' in outcome) return outcome;
  return { edits: outcome.edits, ...describeLearnedChange(recipe, posix.basename(path), places.length) };
}

/**
 * Title and rationale of a change. `location`: the file, or the number of files in words. `places`: the number of
 * places.
 */
export function describeLearnedChange(
  recipe: LearnedRecipe,
  location: string,
  places: number,
): { readonly title: string; readonly rationale: string } {
  const [pattern, replacement] = [
    quoteText(recipe.pattern, MAX_CHARACTERS),
    quoteText(recipe.replacement, MAX_CHARACTERS),
  ];
  const [example] = recipe.examples;
  const firstPlaceText =
    example && example.commit !== null
      ? ` The newest commit is ${example.commit.slice(0, 8)} (${quoteText(example.subject, MAX_CHARACTERS)}).`
      : '';
  // The examples of a model are only in its answer, so they are among the places.
  const morePlacesText = recipe.author === undefined ? 'more place' : 'place';
  return {
    title: `${location}: replace ${pattern} by ${replacement}`,
    rationale: `Learned recipe ${recipe.id}: the same change as ${describeSource(recipe)}, in ${formatCount(places, morePlacesText)}.${firstPlaceText}`,
  };
}
