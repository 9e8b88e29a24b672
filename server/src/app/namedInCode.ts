// Finds the changed texts and pictures that the code of a repository names, because the code may read them.

import type { TreeChange } from '../core/model/judgement.ts';
import { isSourceCode } from '../core/paths/nonSourcePaths.ts';
import { isProseOrPicture } from '../core/verify/judge/files/prose.ts';
import { createGitRunner, hasExitCode } from '../adapters/git/runGit.ts';

/** Maximum number of names to search for. If there are more, each counts as named. */
const MAX_NAMES = 200;
/** The command without colours, lines and columns, which the person's settings of git may add. */
const PLAIN_GREP = ['grep', '--cached', '--no-color', '--no-line-number', '--no-column', '--full-name'];
/** Matches setup scripts, which use a text only as the description of the package. */
const SHOWS_TEXTS = /(^|\/)setup\.py$/;

/**
 * The changed texts and pictures whose name is in a string of the code, before or after the change. `tree`: the
 * repository before the change.
 */
export async function findNamedInCode(
  tree: string,
  { edits, bytes, left }: TreeChange,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const paths = [...new Set([...edits, ...bytes, ...left].map(({ path }) => path))].filter(isProseOrPicture);
  if (paths.length === 0) return [];
  const names = new Set(paths.map(nameOf));
  if (names.size > MAX_NAMES) return paths;
  const newCode = edits.filter(({ path }) => isSourceCode(path)).map(({ after }) => after ?? '');
  const patterns = [...names].map(patternOf);
  const mentionedNames = new Set(
    [...names].filter((name) => newCode.some((text) => new RegExp(patternOf(name)).test(text))),
  );
  for (const match of await grep(tree, patterns, signal)) mentionedNames.add(match.slice(1, -1));
  return paths.filter((path) => mentionedNames.has(nameOf(path)));
}

/**
 * Searches the patterns in the code of the tree, and returns the matches. The attributes of the tree make all files
 * binary, so `-a` is needed.
 */
async function grep(tree: string, patterns: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const args = patterns.flatMap((pattern) => ['-e', pattern]);
  try {
    const output = await createGitRunner(tree).text([...PLAIN_GREP, '-zoaE', ...args], { signal });
    // Each match is a separate line: the path, a zero, and the text.
    return output.split('\n').flatMap((line) => {
      const [path = '', match = ''] = line.split('\0');
      return match !== '' && isSourceCode(path) && !SHOWS_TEXTS.test(path) ? [match] : [];
    });
  } catch (error) {
    if (hasExitCode(error, 1)) return [];
    throw error;
  }
}

/** The pattern that matches the name in quotes, or at the end of a path in quotes. */
function patternOf(name: string): string {
  return `["'\`/]${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}["'\`]`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
