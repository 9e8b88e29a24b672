// Stores the recipes that were found last, so that a person can try or accept one by its id.

import { foldAcceptedRecipes, RECIPE_EVENTS } from '../../learn/recipes/acceptedRecipes.ts';
import type { LearnedRecipe } from '../../model/learnedRecipes.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { unlessDamaged, type SessionContext } from '../context.ts';

const BLOB = 'recipe-candidates.json';
/** Version of the stored form. Increase it whenever the form of a recipe changes. */
const FORMAT = 1;
/** Maximum number of stored candidates; the newest are kept. */
const MAX_CANDIDATES = 500;

/** Adds recipes to the candidates; the newest come first. */
export async function keepCandidates(context: SessionContext, found: readonly LearnedRecipe[]): Promise<void> {
  const keptCandidates = (await readCandidates(context)).filter(({ id }) => !found.some((recipe) => recipe.id === id));
  const recipes = [...found, ...keptCandidates].slice(0, MAX_CANDIDATES);
  await context.ports.blobs.write(BLOB, new TextEncoder().encode(JSON.stringify({ format: FORMAT, recipes })));
}

/** The accepted recipes, oldest first. Empty if the ledger cannot be read. */
export async function readAccepted(context: SessionContext): Promise<readonly LearnedRecipe[]> {
  return unlessDamaged<readonly LearnedRecipe[]>(context, [], async () =>
    foldAcceptedRecipes(await context.ledger.query({ types: RECIPE_EVENTS })),
  );
}

/** An accepted recipe or a candidate. Throws `notFound`. */
export async function recipeOf(context: SessionContext, id: string): Promise<LearnedRecipe> {
  const knownRecipe = [...(await readAccepted(context)), ...(await readCandidates(context))].find(
    (recipe) => recipe.id === id,
  );
  if (knownRecipe) return knownRecipe;
  throw new SelfwareError('notFound', `There is no learned recipe ${id}.`, {
    action: 'Run `selfware learn recipes`, which lists them with their ids.',
  });
}

async function readCandidates({ ports }: SessionContext): Promise<readonly LearnedRecipe[]> {
  const bytes = await ports.blobs.read(BLOB);
  if (!bytes) return [];
  try {
    const { format, recipes } = JSON.parse(new TextDecoder().decode(bytes)) as {
      readonly format?: number;
      readonly recipes?: readonly LearnedRecipe[];
    };
    return format === FORMAT && recipes ? recipes : [];
  } catch (error) {
    // A damaged blob counts as an empty one; the next search writes it again.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
