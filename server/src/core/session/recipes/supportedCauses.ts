// Lets a finding name the recipe `add-cause` only where the settings of the package support the `cause` of errors,
// because the recipe would refuse elsewhere.

import { SelfwareError } from '../../../util/typedError.ts';
import type { Opportunity } from '../../model.ts';
import type { SessionContext } from '../context.ts';

/** The recipe that adds the cause to errors. */
const ADD_CAUSE_RECIPE = 'add-cause';

/**
 * Returns the opportunities in the same order. Removes the recipe `add-cause` where the `cause` of errors is not
 * supported.
 */
export async function removeUnsupportedCauses(
  { ports }: SessionContext,
  opportunities: readonly Opportunity[],
): Promise<readonly Opportunity[]> {
  const paths = [...new Set(opportunities.flatMap(({ recipe, path }) => (recipe === ADD_CAUSE_RECIPE ? [path] : [])))];
  if (paths.length === 0) return opportunities;
  const { signal } = new AbortController();
  try {
    const answers = await ports.jobs.run('knowsCause', { rootDir: ports.files.rootDir, paths }, signal);
    const unsupportedPaths = new Set(paths.filter((_, index) => !answers[index]));
    return opportunities.map((opportunity) =>
      opportunity.recipe === ADD_CAUSE_RECIPE && unsupportedPaths.has(opportunity.path)
        ? { ...opportunity, recipe: null }
        : opportunity,
    );
  } catch (error) {
    if (!(error instanceof SelfwareError)) throw error;
    // The recipe itself reports this when it runs.
    ports.log.write('info', 'It is unknown where errors may have a cause.', error);
    return opportunities;
  }
}
