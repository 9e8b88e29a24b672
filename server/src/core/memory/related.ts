// Turns the results of a search into places of the repository that are related to a task.

/** A place that is related to the task. */
export interface TaskRelatedPlace {
  readonly path: string;
  /** The first line, from 1. */
  readonly startLine: number;
  /** The last line, from 1. */
  readonly endLine: number;
  /** Relation to the task, above 0 and at most 1. */
  readonly relation: number;
}

/** Maximum number of results of a search that count as related to a task. */
export const MAX_RELATED = 200;

/** The places of the results of a search (both best first); undefined if no result has a score above 0. */
export function selectRelatedPlaces(
  hits: readonly (Omit<TaskRelatedPlace, 'relation'> & { readonly score: number })[],
): readonly TaskRelatedPlace[] | undefined {
  const best = hits[0]?.score ?? 0;
  if (best <= 0) return undefined;
  return hits
    .filter(({ score }) => score > 0)
    .map(({ path, startLine, endLine, score }) => ({ path, startLine, endLine, relation: score / best }));
}
