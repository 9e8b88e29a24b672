// Disables the programs that the configuration of a repository makes git run on its files.

import { hasExitCode, type GitRunner } from './runGit.ts';

/**
 * The configuration that switches off the filters of a repository, as pairs of key and value. `git status` and `git
 * add` run clean filters over files whose times have changed. These filters are programs that the repository's
 * configuration names. Without them, a file that only a filter would call unchanged counts as modified.
 */
export async function listSettingsWithoutFilters(runner: GitRunner): Promise<readonly (readonly [string, string])[]> {
  const listing = await readOutputOrNull(runner, ['config', '--null', '--name-only', '--get-regexp', '^filter\\.']);
  return (listing ?? '')
    .split('\0')
    .filter((key) => /\.(clean|smudge|process|required)$/i.test(key))
    .map((key) => [key, /\.required$/i.test(key) ? 'false' : ''] as const);
}

/** The trimmed output. Null for exit code 1, which means that there is no result. */
export async function readOutputOrNull(runner: GitRunner, args: readonly string[]): Promise<string | null> {
  try {
    return (await runner.text(args)).trim();
  } catch (error) {
    if (hasExitCode(error, 1)) return null;
    throw error;
  }
}
