// Stores the recipes that were found most recently, so that a person can try or accept one by its id.

import { foldAcceptedRecipes, RECIPE_EVENTS } from '../../learn/recipes/acceptedRecipes.ts';
import type { LearnedRecipe } from '../../model/learnedRecipes.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { fallBackIfDamaged, type SessionContext } from '../context.ts';
import { readStoredJson } from '../analyse/storedJson.ts';

/** The name of the blob with the stored candidates. */
const BLOB_NAME = 'recipe-candidates.json';
/** Version of the stored form. Increase it whenever the form of a recipe changes. */
const FORMAT_VERSION = 1;
/** Maximum number of stored candidates; the oldest are removed. */
const MAX_CANDIDATES = 500;

/** Adds recipes to the stored candidates. The newest come first. */
export async function storeCandidates(context: SessionContext, foundRecipes: readonly LearnedRecipe[]): Promise<void> {
  const keptCandidates = (await readCandidates(context)).filter(
    ({ id }) => !foundRecipes.some((recipe) => recipe.id === id),
  );
  const recipes = [...foundRecipes, ...keptCandidates].slice(0, MAX_CANDIDATES);
  await context.ports.blobs.write(
    BLOB_NAME,
    new TextEncoder().encode(JSON.stringify({ format: FORMAT_VERSION, recipes })),
  );
}

/** The accepted recipes, oldest first. Empty if the ledger cannot be read. */
export async function readAccepted(context: SessionContext): Promise<readonly LearnedRecipe[]> {
  return fallBackIfDamaged<readonly LearnedRecipe[]>(context, [], async () =>
    foldAcceptedRecipes(await context.ledger.query({ types: RECIPE_EVENTS })),
  );
}

/** An accepted recipe or a candidate. Throws `notFound` if there is none with this id. */
export async function getLearnedRecipe(context: SessionContext, id: string): Promise<LearnedRecipe> {
  const knownRecipe = [...(await readAccepted(context)), ...(await readCandidates(context))].find(
    (recipe) => recipe.id === id,
  );
  if (knownRecipe) return knownRecipe;
  throw new SelfwareError('notFound', `There is no learned recipe ${id}.`, {
    action: 'Run `selfware learn recipes`, which lists them with their ids.',
  });
}

async function readCandidates({ ports }: SessionContext): Promise<readonly LearnedRecipe[]> {
  const stored = (await readStoredJson({ ports }, BLOB_NAME, '`selfware learn recipes`')) as {
    readonly format?: number;
    readonly recipes?: readonly LearnedRecipe[];
  } | null;
  return stored?.format === FORMAT_VERSION && stored.recipes ? stored.recipes : [];
}
