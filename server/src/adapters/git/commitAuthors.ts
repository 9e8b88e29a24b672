// Reads who made the commits of a change: the authors, the committers, and the persons and tools that their messages
// name.

import type { GitRunner } from './runGit.ts';

/** Maximum number of commits whose authors are read. */
const MAX_COMMITS = 1_000;
/** Matches a line of a message that names a person or a tool who made the change, with the name as the first group. */
const NAMED_PATTERN =
  /^\W*(?:(?:co-authored|co-developed|assisted|generated|authored|written|created)[- ](?:by|with)\s*:?\s+)(.+)$/i;

/**
 * The authors and committers of the commits between `base` and `tip`, as `Name <address>`, and the names in lines of
 * the messages such as `Co-authored-by:`, `Assisted-by:` and `Generated with`, each once. `hasMoreAuthors`: true if
 * there are more commits than are read.
 */
export async function readAuthors(
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
