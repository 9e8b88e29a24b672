// Reads the parameters of the commands about learned recipes.

import {
  recipeSources,
  type DecideRecipeParams,
  type FindRecipesParams,
  type RepeatEditParams,
} from '#protocol/recipes';
import { SelfwareError } from '../../util/typedError.ts';
import { flagOf, optionalText, textOf } from '../fromProtocol.ts';

/**
 * Reads the arguments of the command `findRecipes`. Throws `usage` for an unknown source, and if `words` or `proposer`
 * is missing for examples by a model.
 */
export function findRecipesParamsFrom(args: readonly unknown[] | undefined): FindRecipesParams {
  const sourceName = textOf(args, 'source');
  const source = recipeSources.find((candidate) => candidate === sourceName);
  if (!source) throw new SelfwareError('usage', `source must be one of ${recipeSources.join(', ')}.`);
  if (source !== 'asked') return { source };
  const [after, agreed] = (['after', 'agreed'] as const).map((name) => optionalText(args, name));
  return {
    source,
    words: textOf(args, 'words'),
    proposer: textOf(args, 'proposer'),
    ...(after === undefined ? {} : { after }),
    ...(agreed === undefined ? {} : { agreed }),
  };
}

/** Reads the arguments of the command `repeatEdit`. Throws `usage` if no recipe is named. */
export function repeatEditParamsFrom(args: readonly unknown[] | undefined): RepeatEditParams {
  return { recipe: textOf(args, 'recipe'), again: flagOf(args, 'again') };
}

/** Reads the arguments of the command `decideRecipe`. Throws `usage` for a field that is missing or wrong. */
export function decideRecipeParamsFrom(args: readonly unknown[] | undefined): DecideRecipeParams {
  const verdict = textOf(args, 'verdict');
  if (verdict !== 'accepted' && verdict !== 'forgotten')
    throw new SelfwareError('usage', 'verdict must be accepted or forgotten.');
  return { recipe: textOf(args, 'recipe'), verdict };
}
