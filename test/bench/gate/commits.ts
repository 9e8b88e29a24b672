// Reads and makes commits in a clone, without a work tree.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a commit with another text of one file, without a work tree. Returns its hash. */
export function makeCommit(clone: string, commit: string, path: string, text: string): string {
  const index = join(mkdtempSync(join(clone, '.git', 'gate-')), 'index');
  const env = { ...process.env, GIT_INDEX_FILE: index };
  const run = (args: readonly string[], input?: string) =>
    execFileSync('git', ['-C', clone, ...args], {
      env,
      encoding: 'utf8',
      ...(input === undefined ? {} : { input }),
    }).trim();
  run(['read-tree', commit]);
  const blob = run(['hash-object', '-w', '--stdin'], text);
  run(['update-index', '--cacheinfo', `100644,${blob},${path}`]);
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  return run([...identity, 'commit-tree', run(['write-tree']), '-p', `${commit}^1`, '-m', 'Spoiled']);
}

/** The output of git in a clone. Throws if git fails. */
export function git(clone: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
}

/** The text of a file in a commit; null if there is none. */
export function readCommittedText(clone: string, commit: string, path: string): string | null {
  const { status, stdout } = spawnSync('git', ['-C', clone, 'show', `${commit}:${path}`], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return status === 0 ? stdout : null;
}
