// Parses the arguments of the server commands about learned recipes (changes that were learned from edits).

import {
  recipeSources,
  type DecideRecipeParams,
  type FindRecipesParams,
  type RepeatEditParams,
} from '#protocol/recipes';
import { SelfwareError } from '../../util/typedError.ts';
import { readFlagField, readOptionalText, readTextField } from './commandArguments.ts';

/**
 * Parses the arguments of the command `findRecipes`. Throws `usage` for an unknown source, and if `words` or `proposer`
 * is missing although a model is to make the examples (source `asked`).
 */
export function parseFindRecipesParams(args: readonly unknown[] | undefined): FindRecipesParams {
  const sourceName = readTextField(args, 'source');
  const source = recipeSources.find((candidate) => candidate === sourceName);
  if (!source) throw new SelfwareError('usage', `source must be one of ${recipeSources.join(', ')}.`);
  if (source !== 'asked') return { source };
  const [after, agreed] = (['after', 'agreed'] as const).map((name) => readOptionalText(args, name));
  return {
    source,
    words: readTextField(args, 'words'),
    proposer: readTextField(args, 'proposer'),
    ...(after === undefined ? {} : { after }),
    ...(agreed === undefined ? {} : { agreed }),
  };
}

/** Parses the arguments of the command `repeatEdit`. Throws `usage` if no recipe is named. */
export function parseRepeatEditParams(args: readonly unknown[] | undefined): RepeatEditParams {
  return { recipe: readTextField(args, 'recipe'), again: readFlagField(args, 'again') };
}

/** Parses the arguments of the command `decideRecipe`. Throws `usage` for a field that is missing or wrong. */
export function parseDecideRecipeParams(args: readonly unknown[] | undefined): DecideRecipeParams {
  const verdict = readTextField(args, 'verdict');
  if (verdict !== 'accepted' && verdict !== 'forgotten')
    throw new SelfwareError('usage', 'verdict must be accepted or forgotten.');
  return { recipe: readTextField(args, 'recipe'), verdict };
}
