// Computes a key for a repository. Machines whose clones have the same origin (or, without one, the same folder name)
// get the same key, so that all of them find a shared index.

import { basename } from 'node:path';
import { createGitRunner, GitFailure } from './runGit.ts';
import { sha256 } from '../../util/hash.ts';

/**
 * Computes the key, which consists of the characters [a-z0-9.-], from the repository's origin and the path of `rootDir`
 * in the repository; without an origin, from the name of `rootDir`.
 */
export async function computeRepositoryKey(rootDir: string): Promise<string> {
  const runner = createGitRunner(rootDir);
  const readGitOutput = async (args: readonly string[]): Promise<string> => {
    try {
      return (await runner.text([...args])).trim();
    } catch (error) {
      // Without a repository, an origin or git, the key comes from the name of the folder.
      if (error instanceof GitFailure) return '';
      throw error;
    }
  };
  return createRepositoryKey(
    await readGitOutput(['config', '--get', 'remote.origin.url']),
    await readGitOutput(['rev-parse', '--show-prefix']),
    rootDir,
  );
}

/**
 * Creates the key for an origin (empty if there is none). `https://user@host/owner/name.git`,
 * `ssh://git@host/owner/name` and `git@host:owner/name` lead to the same key. `prefix`: the path of `rootDir` in the
 * repository.
 */
export function createRepositoryKey(origin: string, prefix: string, rootDir: string): string {
  const normalisedOrigin = origin
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^([^/:]+):(?:\d+\/)?/, '$1/')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/i, '')
    .toLowerCase();
  const name =
    basename(normalisedOrigin || rootDir)
      .toLowerCase()
      .replace(/[^a-z0-9.-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 60) || 'root';
  if (normalisedOrigin === '') return name;
  return `${name}-${sha256(`${normalisedOrigin}\n${prefix}`).slice(0, 12)}`;
}
