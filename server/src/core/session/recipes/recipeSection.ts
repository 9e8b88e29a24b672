// Creates the façade's `recipes` section: recipes that are learned from edits.

import { canonicalJson } from '../../../util/canonicalJson.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { redact } from '../../ledger/redact.ts';
import { createLearnedRecipeName, type LearnedRecipe } from '../../model/learnedRecipes.ts';
import { withActivity, type SessionContext } from '../context.ts';
import type { Freshness } from '../freshness.ts';
import { withTrialLock } from '../learn/trialLock.ts';
import { readAccepted, getLearnedRecipe } from './storedCandidates.ts';
import { fileLearnedRecipe } from './filingLearned.ts';
import type { LearnedRecipes } from './recipeTypes.ts';
import { learnRecipes, createRecipeViews } from './learning.ts';

/** Creates the section of one session. */
export function createRecipeSection(context: SessionContext, { analyse, index }: Freshness): LearnedRecipes {
  const { operations, ledger } = context;
  const hasPlaces = (recipe: LearnedRecipe) =>
    operations.run(
      async (signal) =>
        (await createRecipeViews(context, [recipe], { signal })).some(({ places }) => places.length > 0),
      new AbortController().signal,
    );
  return {
    learn: (source, operation) =>
      operations.run(async (signal) => {
        // A question needs the index for the files that it shows, and the analysis because its answer is tried. Edits
        // that already exist need neither.
        if (source.kind === 'asked') {
          await index({ ...operation, signal });
          await analyse({ ...operation, signal });
        }
        return withActivity(context, 'analysing', () => learnRecipes(context, source, { ...operation, signal }));
      }, operation.signal),
    accepted: (signal) =>
      operations.run(
        async (operation) => createRecipeViews(context, await readAccepted(context), { signal: operation }),
        signal,
      ),
    file: (id, operation, options) =>
      operations.run(async (signal) => {
        await analyse({ ...operation, signal });
        return withActivity(context, 'proposing', () =>
          fileLearnedRecipe(context, id, { ...operation, signal }, options),
        );
      }, operation.signal),
    alone: (work) => withTrialLock(context, 'recipe', work),
    find: (id) => getLearnedRecipe(context, id),
    async accept(id) {
      const recipe = await getLearnedRecipe(context, id);
      // The ledger would redact the recipe, and so store a recipe that differs from what the person has read.
      if (canonicalJson(redact(recipe)) !== canonicalJson(recipe))
        throw new SelfwareError('forbidden', `The recipe ${id} holds what looks like a password or a key.`, {
          action: 'Make the change by hand, or learn it from examples with another value.',
        });
      if (!(await wasTried(context, id)) && (await hasPlaces(recipe)))
        throw new SelfwareError(
          'usage',
          `The recipe ${id} was never tried here, so nobody knows what the checks say.`,
          {
            action: `Try it first: \`selfware learn recipes --try ${id}\`.`,
          },
        );
      await ledger.record({ type: 'recipeAccepted', data: { recipe } });
      context.emit({ type: 'opportunities', paths: null });
      return recipe;
    },
    async forget(id) {
      const recipe = (await readAccepted(context)).find((candidate) => candidate.id === id);
      if (!recipe)
        throw new SelfwareError('notFound', `No accepted recipe has the id ${id}.`, {
          action: 'Run `selfware learn recipes --accepted`.',
        });
      await ledger.record({ type: 'recipeForgotten', data: { id } });
      context.emit({ type: 'opportunities', paths: null });
      return recipe;
    },
  };
}

/** True if the checks have judged a change by this recipe, with any verdicts. */
async function wasTried({ ledger }: SessionContext, id: string): Promise<boolean> {
  const name = createLearnedRecipeName(id);
  return (await ledger.histories()).some(({ recipe, verdicts }) => recipe === name && verdicts.length > 0);
}
