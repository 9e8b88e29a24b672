// Stores the results of a search of one file together with what earlier searches of it have found.

import { afterAgain, continueRounds } from './again.ts';
import { withEarlier } from './kept.ts';
import type { FoundInFiles, Search } from './search.ts';
import { knowsMore, statusesToKeep } from './unfinished.ts';

/** Stores the results of the search in one file. `isFirst`: true if the file was in the first group. */
export function keepFile(
  { context, request, kept, grounds, again, totals, isNearby }: Search,
  path: string,
  found: FoundInFiles,
  isFirst: boolean,
): void {
  if (again.has(path)) {
    kept.set(path, afterAgain(path, kept.get(path)!, found, grounds));
    if (!found.incomplete.has(path)) totals.undone -= 1;
    return;
  }
  const earlier = kept.get(path);
  const isSame = earlier !== undefined && grounds.isSame(path, earlier);
  const earlierStatuses = earlier !== undefined && grounds.isStillNoticed(path, earlier) ? earlier : undefined;
  const isUntried = found.untried?.has(path) === true;
  const isFinished = !found.incomplete.has(path) && !isUntried;
  const statuses = statusesToKeep(context.state, path, found, earlierStatuses, isFinished);
  const hasLearned = !isFinished && knowsMore(statuses, earlierStatuses);
  totals.hasLearned ||= hasLearned;
  const isAgainNext = found.atNextSearch?.has(path) === true || hasLearned;
  // After the whole time of a search that has learned nothing, the same time would not be enough again.
  const secondsTried = isFirst && !isAgainNext ? request.seconds : 0;
  const seconds = found.incomplete.has(path) ? secondsTried : null;
  const nearby = isNearby ? ({ nearby: true } as const) : {};
  const foundInFile = found.found.flatMap((unguarded) =>
    unguarded.path === path ? [{ ...unguarded, ...nearby }] : [],
  );
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
  const merged = withEarlier(current, isSame ? { ...earlier, ground: current.ground } : undefined);
  kept.set(path, {
    ...merged,
    ...nearby,
    // Without findings, a finished file is not searched again, so these keys would only take space.
    ...(isFinished && merged.found.length === 0 ? { noticed: [] } : {}),
    ...(isSame ? continueRounds(earlier) : {}),
    held: grounds.heldIn(path, merged.found),
    ...(isAgainNext && merged.seconds !== null ? { seconds: 0 } : {}),
    ground: grounds.of(path, merged.found),
  });
  if (seconds === null && (!request.all || !isUntried)) totals.undone -= 1;
}
