// Lets the recipe of an opportunity make its change, with a time limit.

import { SelfwareError, describeError, throwIfCancelled } from '../../../util/typedError.ts';
import type { Opportunity } from '../../model.ts';
import { parseLearnedId } from '../../model/learnedRecipes.ts';
import type { SessionContext } from '../context.ts';
import { UNGUARDED_RULE } from '../analyse/unguarded/unguardedMistakes.ts';
import { applyLearnedRecipe } from '../recipes/applyLearnedRecipe.ts';
import { characterise } from './characterise.ts';
import { correctExamples } from './correctExample.ts';
import { createGuardEdit } from './guardEdit.ts';
import { CHARACTERISATION_RECIPE, CORRECT_EXAMPLE_RECIPE } from './recipeNames.ts';
import { LINTER_FIX_RECIPE } from './claims.ts';
import { fixByLinter } from './linterFix.ts';
import type { JobTable } from '../../jobs.ts';

/** Time limit for a recipe, in milliseconds. A recipe that takes longer hangs, or the file is too complex for it. */
const RECIPE_TIMEOUT_MS = 60_000;

type AppliedRecipe = JobTable['applyRecipe']['output'];

/**
 * Runs the recipe. `isAsked`: true if a person named the place. A recipe that hangs or crashes counts as a refusal.
 * Throws `cancelled`, and `unavailable` if something that it needs is missing.
 */
export async function applyRecipe(
  context: SessionContext,
  opportunity: Opportunity,
  signal: AbortSignal,
  isAsked: boolean,
): Promise<AppliedRecipe> {
  const timeoutSignal = AbortSignal.timeout(RECIPE_TIMEOUT_MS);
  try {
    if (opportunity.recipe === LINTER_FIX_RECIPE)
      return await fixByLinter(context, opportunity, AbortSignal.any([signal, timeoutSignal]));
    if (parseLearnedId(opportunity.recipe) !== null) return await applyLearnedRecipe(context, opportunity, signal);
    if (opportunity.recipe === CHARACTERISATION_RECIPE && opportunity.rule === UNGUARDED_RULE)
      return await createGuardEdit(context, opportunity, signal);
    if (opportunity.recipe === CORRECT_EXAMPLE_RECIPE) return await correctExamples(context, opportunity);
    if (opportunity.recipe === CHARACTERISATION_RECIPE) return await characterise(context, opportunity, signal);
    return await context.ports.jobs.run(
      'applyRecipe',
      { rootDir: context.ports.files.rootDir, opportunity, asked: isAsked },
      AbortSignal.any([signal, timeoutSignal]),
    );
  } catch (error) {
    throwIfCancelled(signal);
    // A failure of Selfware must not be stored as a refusal by the recipe, because that would exclude the place
    // permanently.
    if (
      error instanceof SelfwareError &&
      (error.reason === 'unavailable' || error.reason === 'cancelled') &&
      !timeoutSignal.aborted
    )
      throw error;
    context.ports.log.write('warn', `Recipe ${opportunity.recipe} failed on ${opportunity.path}.`, error);
    return {
      refused: timeoutSignal.aborted ? 'The recipe took too long.' : `The recipe failed: ${describeError(error)}`,
    };
  }
}
