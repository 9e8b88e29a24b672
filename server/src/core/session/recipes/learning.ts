// Learns recipes from edits: reads the edits, finds common shapes, removes the shapes that their own commits
// contradict, and finds the places that match now.

import type { RejectedShape } from '../../learn/recipes/induceRecipes.ts';
import { determineOutcome } from '../../ledger/changeOutcome.ts';
import type { Proposal } from '../../model.ts';
import { createLearnedRecipeName, type LearnedRecipe } from '../../model/learnedRecipes.ts';
import type { Operation } from '../../operation.ts';
import { computeCostOfExamples } from '../../proposers/cost.ts';
import type { PatternSearchFile } from '../../propose/patterns/jobs.ts';
import { formatCount } from '../../../util/counted.ts';
import type { SessionContext } from '../context.ts';
import { readAskEvents } from '../ask/pastAttempts.ts';
import { readAccepted, storeCandidates } from './storedCandidates.ts';
import type { EditSource, LearningReport, RecipeView } from './recipeTypes.ts';
import { findCurrentPlaces } from './learnedPlaces.ts';
import { askForEdits } from './askForEdits.ts';
import { readEdits } from './readingEdits.ts';

/** Maximum number of recipes. Those with the most edits are chosen. */
const MAX_RECIPES = 200;

/** Maximum ratio of remaining places to edits. Above it, a recipe counts as seldom applied. */
const SELDOM_RATIO = 4;

/**
 * Learns recipes, and stores them as candidates. Edits that are not from the history express a person's wish, so two
 * places in one file are enough, and renaming counts as a change. Throws the errors of `readEdits` and `askForEdits`.
 */
export async function learnRecipes(
  context: SessionContext,
  source: EditSource,
  operation: Operation,
): Promise<LearningReport> {
  const sourceEdits =
    source.kind === 'asked'
      ? await askForEdits(context, source, operation)
      : { ...(await readEdits(context, source, operation)), author: null, usage: null };
  const { edits, commits, files, author, usage } = sourceEdits;
  const isRequested = source.kind !== 'history';
  operation.report?.({ stage: 'analysing', done: 0, total: null, message: 'Compares the edits' });
  const induction = await context.ports.jobs.run(
    'induceRecipes',
    { edits, options: { isRequested } },
    operation.signal,
  );
  const recipes: LearnedRecipe[] = [];
  const rejected: RejectedShape[] = [...induction.rejected];
  const inducedRecipes = induction.recipes.slice(0, MAX_RECIPES);
  for (const [done, induced] of inducedRecipes.entries()) {
    operation.report?.({ stage: 'analysing', done, total: inducedRecipes.length, message: 'Checks the recipes' });
    const recipe: LearnedRecipe = {
      ...induced,
      ...(author === null ? {} : { author }),
      ...(isRequested ? { isRequested } : {}),
    };
    const reason = await findContradiction(context, recipe, operation.signal);
    if (reason === null) recipes.push(recipe);
    else rejected.push({ pattern: recipe.pattern, replacement: recipe.replacement, edits: recipe.edits, reason });
  }
  await storeCandidates(context, recipes);
  const views = await createRecipeViews(context, recipes, operation);
  return {
    recipes: views.toSorted(
      (a, b) =>
        Number(a.seldom) - Number(b.seldom) || b.places.length - a.places.length || b.recipe.edits - a.recipe.edits,
    ),
    rejected: rejected.toSorted((a, b) => b.edits - a.edits),
    commits,
    files,
    edits: edits.length,
    usage,
  };
}

/** The recipes with their effect on the current tree, in the same order. */
export async function createRecipeViews(
  context: SessionContext,
  recipes: readonly LearnedRecipe[],
  operation: Operation,
): Promise<readonly RecipeView[]> {
  const acceptedIds = new Set((await readAccepted(context)).map(({ id }) => id));
  const { places, refused } = await findCurrentPlaces(context, recipes, operation);
  const proposals = await context.ledger.proposals();
  const questions = await readAskEvents(context);
  const now = context.ports.clock.now();
  return recipes.map((recipe, index): RecipeView => {
    const proposalsOfRecipe = proposals.filter((proposal) => proposal.recipe === createLearnedRecipeName(recipe.id));
    const countsByRefusalReason: Record<string, number> = {};
    for (const { shape, reason } of refused)
      if (shape === index) countsByRefusalReason[reason] = (countsByRefusalReason[reason] ?? 0) + 1;
    const remaining = places.flatMap(({ shape, ...place }) => (shape === index ? [place] : []));
    return {
      recipe,
      accepted: acceptedIds.has(recipe.id),
      places: remaining,
      seldom: recipe.isRequested !== true && remaining.length > SELDOM_RATIO * recipe.edits,
      leftAlone: countsByRefusalReason,
      kept: proposalsOfRecipe.filter((proposal) => determineOutcome(proposal) === 'kept').length,
      turnedDown: proposalsOfRecipe.filter(wasTurnedDown).length,
      cost: recipe.author === undefined ? null : computeCostOfExamples(questions, recipe.id, now),
    };
  });
}

/** True if the gates or a person refused the change, or if it was undone. */
function wasTurnedDown(proposal: Proposal): boolean {
  return ['refused', 'rejected', 'rolledBack'].includes(proposal.status) || determineOutcome(proposal) === 'rolledBack';
}

/**
 * The reason why the commits contradict a recipe: in the files that the commits edited, they left more places of its
 * shape unchanged than the recipe has examples there. Null if they do not contradict it.
 */
async function findContradiction(
  { ports }: SessionContext,
  recipe: LearnedRecipe,
  signal: AbortSignal,
): Promise<string | null> {
  const files: PatternSearchFile[] = [];
  const versions = new Map(recipe.examples.map((example) => [`${example.commit} ${example.path}`, example]));
  for (const { commit, path } of versions.values()) {
    const bytes = commit === null ? null : await ports.git.readAt(commit, path);
    if (bytes) files.push({ path, text: new TextDecoder().decode(bytes) });
  }
  if (files.length === 0) return null;
  const input = { rootDir: ports.files.rootDir, files, shapes: [recipe] };
  const { places } = await ports.jobs.run('findShapes', input, signal);
  return places.length > recipe.examples.length
    ? `The same commits left ${formatCount(places.length, 'such place')} in the same files as they were.`
    : null;
}
