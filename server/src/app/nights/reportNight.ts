// The report of a night with the diffs of its commits.

import { commitDiffs } from '../../adapters/git/commitDiffs.ts';
import { shortDiff } from '../../core/run/changeDiff.ts';
import { nightReport } from '../../core/run/nightReport.ts';
import { numberedChanges, type Night } from '../../core/run/nights.ts';

/** Of further changes, the report names the command that shows the diff. */
const MAX_DIFFS = 30;

/** The report as Markdown. */
export async function reportNight(rootDir: string, night: Night, signal?: AbortSignal): Promise<string> {
  const commits = numberedChanges(night)
    .slice(0, MAX_DIFFS)
    .map(({ commit }) => commit);
  return nightReport(night, await commitDiffs(rootDir, commits, shortDiff, signal));
}
