// Recognises a program that the checks of no earlier run have started: the tools that check the changes may have been
// replaced.

import { posix } from 'node:path';
import type { Anomaly, ObservedCommit, RunFacts } from './facts.ts';
import { parsePrograms } from './programs.ts';

/** Minimum number of earlier runs with known commands. Fewer do not show what is usual. */
const MIN_RUNS = 3;
/** Matches file extensions of languages that share their tools. */
const SCRIPT_PATTERN = /^\.[cm]?[jt]sx?$/;

/**
 * The anomaly of the first change that was checked by a program which no earlier run has started. Null if there is
 * none, or if too few earlier runs have known commands. Programs that this run had started before a person last
 * continued it are accepted. A change is skipped if all its languages are new, because it may bring their tools.
 */
export function findUnexpectedCommand({ commits, run, since }: RunFacts): Anomaly | null {
  const earlierCommits = commits.filter((commit) => commit.run !== run && collectCommands(commit).length > 0);
  if (new Set(earlierCommits.map((committed) => committed.run)).size < MIN_RUNS) return null;
  const acceptedCommits = commits.filter((commit) => commit.run === run && commit.at <= since);
  const usualCommits = [...earlierCommits, ...acceptedCommits];
  const usualPrograms = new Set(usualCommits.flatMap(collectCommands).flatMap(parsePrograms));
  const usualLanguages = new Set(usualCommits.flatMap(collectLanguages));
  for (const commit of commits) {
    if (commit.run !== run || commit.at <= since) continue;
    if (commit.change.paths.length > 0 && collectLanguages(commit).every((language) => !usualLanguages.has(language)))
      continue;
    const command = collectCommands(commit).find((line) =>
      parsePrograms(line).some((program) => !usualPrograms.has(program)),
    );
    if (command === undefined) continue;
    const reason = `“${commit.change.title}” was checked with \`${command}\`; no earlier run has started that program.`;
    return { kind: 'unexpectedCommand', reason };
  }
  return null;
}

function collectCommands({ change }: ObservedCommit): readonly string[] {
  return change.commands ?? [];
}

/**
 * The languages of the changed files, as file extensions; all extensions of JavaScript and TypeScript count as `.ts`.
 */
function collectLanguages({ change }: ObservedCommit): readonly string[] {
  return change.paths
    .map((path) => posix.extname(path))
    .map((extension) => (SCRIPT_PATTERN.test(extension) ? '.ts' : extension));
}
