// Finds the opportunities of accepted recipes. They are cached by file, so that only changed files are searched again.

import { applySuppressions, type SuppressedOpportunity } from '../../analysis/suppressions.ts';
import type { LearnedRecipe } from '../../model/learnedRecipes.ts';
import type { Opportunity } from '../../model.ts';
import type { FileAnalysis } from '../../ports/catalogue.ts';
import type { SessionContext } from '../context.ts';
import { readAccepted } from './storedCandidates.ts';
import { findCurrentPlaces, createLearnedOpportunities } from './learnedPlaces.ts';

/** The opportunities of the accepted recipes that were found so far. */
interface CachedOpportunities {
  /** The ids of the accepted recipes, joined. Another set of recipes has another key. */
  readonly key: string;
  /** By path: the content hash of the file when it was searched, and its opportunities. */
  readonly files: Map<string, { readonly hash: string; readonly opportunities: readonly Opportunity[] }>;
}

const opportunitiesBySession = new WeakMap<SessionContext, CachedOpportunities>();

/**
 * Opportunities of accepted recipes in these files; in all files if `paths` is undefined. Searches only files that have
 * changed since the last search.
 */
export async function findLearnedOpportunities(
  context: SessionContext,
  paths: readonly string[] | undefined,
): Promise<{ readonly opportunities: readonly Opportunity[]; readonly suppressed: readonly SuppressedOpportunity[] }> {
  const recipes = await readAccepted(context);
  if (recipes.length === 0) return { opportunities: [], suppressed: [] };
  const { analyses } = context.state;
  const key = recipes.map(({ id }) => id).join(' ');
  const earlierCache = opportunitiesBySession.get(context);
  const cached: CachedOpportunities = earlierCache?.key === key ? earlierCache : { key, files: new Map() };
  opportunitiesBySession.set(context, cached);
  const rows = (paths ?? [...analyses.keys()]).flatMap((path) => analyses.get(path) ?? []);
  await searchAndCache(
    context,
    recipes,
    rows.filter(({ path, hash }) => cached.files.get(path)?.hash !== hash),
    cached,
  );
  const parts = rows.map(({ path, suppressions }) =>
    applySuppressions(cached.files.get(path)?.opportunities ?? [], suppressions),
  );
  return {
    opportunities: parts.flatMap(({ opportunities }) => opportunities),
    suppressed: parts.flatMap(({ suppressed }) => suppressed),
  };
}

/** Searches these files, and stores their opportunities in `cached`. */
async function searchAndCache(
  context: SessionContext,
  recipes: readonly LearnedRecipe[],
  rows: readonly FileAnalysis[],
  cached: CachedOpportunities,
): Promise<void> {
  if (rows.length === 0) return;
  const { signal } = new AbortController();
  const paths = rows.map(({ path }) => path);
  const { places } = await findCurrentPlaces(context, recipes, { signal }, paths);
  const opportunities = createLearnedOpportunities(recipes, places);
  for (const { path, hash } of rows)
    cached.files.set(path, { hash, opportunities: opportunities.filter((opportunity) => opportunity.path === path) });
}
