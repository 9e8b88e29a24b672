// Reads who made the commits of a change: authors, committers, and whom or what their messages name.

import type { GitRunner } from './runGit.ts';

/** Maximum number of commits whose authors are read. */
const MAX_COMMITS = 1_000;
/** Matches a line of a message that names the person or the tool that made the change. */
const NAMED_PATTERN =
  /^\W*(?:(?:co-authored|co-developed|assisted|generated|authored|written|created)[- ](?:by|with)\s*:?\s+)(.+)$/i;

/**
 * Authors and committers as `Name <address>`, and the names in lines of the messages such as `Co-authored-by:`,
 * `Assisted-by:` and `Generated with`, each once. `hasMoreAuthors`: true if there are too many commits to read all.
 */
export async function loadAuthors(
  git: GitRunner,
  base: string,
  tip: string,
  signal: AbortSignal,
): Promise<{ readonly authors: readonly string[]; readonly hasMoreAuthors: boolean }> {
  if (base === tip) return { authors: [], hasMoreAuthors: false };
  const format = '--format=%an <%ae>%n%cn <%ce>%n%B%x00';
  const text = await git.text(['log', `--max-count=${MAX_COMMITS + 1}`, format, `${base}..${tip}`], { signal });
  const commits = text.split('\0').filter((commit) => commit.trim() !== '');
  const names = commits.slice(0, MAX_COMMITS).flatMap((commit) => {
    const [author = '', committer = '', ...message] = commit.trimStart().split('\n');
    return [author, committer, ...message.flatMap((line) => NAMED_PATTERN.exec(line)?.[1] ?? [])];
  });
  const authors = [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
  return { authors, hasMoreAuthors: commits.length > MAX_COMMITS };
}
