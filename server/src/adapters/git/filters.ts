// Switches off the filters of a repository: programs that its configuration makes git run on its files.

import { hasExitCode, type GitRunner } from './runGit.ts';

/**
 * The configuration that switches off the filters of a repository, as pairs of key and value. Otherwise, `git status`
 * and `git add` would run clean filters over files whose times have changed. Without filters, a file that is unchanged
 * only after filtering counts as modified.
 */
export async function listSettingsWithoutFilters(runner: GitRunner): Promise<readonly (readonly [string, string])[]> {
  const listing = await readOutputOrNull(runner, ['config', '--null', '--name-only', '--get-regexp', '^filter\\.']);
  return (listing ?? '')
    .split('\0')
    .filter((key) => /\.(clean|smudge|process|required)$/i.test(key))
    .map((key) => [key, /\.required$/i.test(key) ? 'false' : ''] as const);
}

/** The trimmed output of git. Null for exit code 1, which means that there is no result. Throws other failures. */
export async function readOutputOrNull(runner: GitRunner, args: readonly string[]): Promise<string | null> {
  try {
    return (await runner.text(args)).trim();
  } catch (error) {
    if (hasExitCode(error, 1)) return null;
    throw error;
  }
}
