// Stores the results of a search of one file, together with the findings of earlier searches of it.

import type { UnguardedFunction } from '../../../verify/guard/unguarded.ts';
import { mergeRepeatedSearch, continueRounds } from './repeatedSearch.ts';
import { addEarlierFindings, type KeptUnguarded } from './unguardedMistakes.ts';
import type { FoundInFiles, Search } from './search.ts';
import { knowsMore, selectStatusesToStore } from './unfinished.ts';

/**
 * Stores the results of the search in one file. `groupResults`: the results of the file's group. `isFirst`: true if the file
 * was in the first group, which had the whole time.
 */
export function storeFileResults(search: Search, path: string, groupResults: FoundInFiles, isFirst: boolean): void {
  const { context, request, keptByPath, grounds, repeatedFiles, totals, isNearby } = search;
  const resultsOfFile = isNearby
    ? { ...groupResults, foundFunctions: groupResults.foundFunctions.map(markNearby) }
    : groupResults;
  if (repeatedFiles.has(path)) {
    setFile(search, path, mergeRepeatedSearch(path, keptByPath.get(path)!, resultsOfFile, grounds));
    if (!resultsOfFile.incomplete.has(path)) totals.undone -= 1;
    return;
  }
  const earlier = keptByPath.get(path);
  const isSame = earlier !== undefined && grounds.isSame(path, earlier);
  const earlierStatuses = earlier !== undefined && grounds.isStillNoticed(path, earlier) ? earlier : undefined;
  const isUntried = resultsOfFile.untried?.has(path) === true;
  const isFinished = !resultsOfFile.incomplete.has(path) && !isUntried;
  const statuses = selectStatusesToStore(context.state, path, resultsOfFile, earlierStatuses, isFinished);
  const hasLearned = !isFinished && knowsMore(statuses, earlierStatuses);
  totals.hasLearned ||= hasLearned;
  const isTriedAgainNext = resultsOfFile.atNextSearch?.has(path) === true || hasLearned;
  // If a search has learned nothing in its whole time, the same time would not be enough again.
  const secondsTried = isFirst && !isTriedAgainNext ? request.seconds : 0;
  const seconds = resultsOfFile.incomplete.has(path) ? secondsTried : null;
  const foundInFile = resultsOfFile.foundFunctions.filter((unguarded) => unguarded.path === path);
  const untried = isUntried ? { untriedAfter: secondsTried } : {};
  const current = {
    ground: grounds.of(path, foundInFile),
    seconds,
    ...untried,
    ...statuses,
    noticedOn: grounds.noticedOn(path),
    found: foundInFile,
  };
  // The ground depends on the findings, so it is computed again for the new and earlier findings together.
  const mergedFindings = addEarlierFindings(current, isSame ? { ...earlier, ground: current.ground } : undefined);
  setFile(search, path, {
    ...mergedFindings,
    // A finished file without findings is not searched again, so these keys would only take space.
    ...(isFinished && mergedFindings.found.length === 0 ? { noticed: [] } : {}),
    ...(isSame ? continueRounds(earlier) : {}),
    held: grounds.heldIn(path, mergedFindings.found),
    ...(isTriedAgainNext && mergedFindings.seconds !== null ? { seconds: 0 } : {}),
    ground: grounds.of(path, mergedFindings.found),
  });
  if (seconds === null && (!request.all || !isUntried)) totals.undone -= 1;
}

function markNearby(unguarded: UnguardedFunction): UnguardedFunction {
  return { ...unguarded, nearby: true };
}

/**
 * Stores the results of a file. The results of a complete search replace those of a search with the nearest tests. The
 * results of a search with the nearest tests leave those of a complete search unchanged.
 */
function setFile({ keptByPath, stored, isNearby }: Search, path: string, keptFile: KeptUnguarded): void {
  keptByPath.set(path, keptFile);
  (isNearby ? stored.nearby : stored.complete).set(path, keptFile);
  if (!isNearby) stored.nearby.delete(path);
}
