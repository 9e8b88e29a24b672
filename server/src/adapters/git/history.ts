// Reads the recent commits: their messages and the files that they touched.
import { throwIfCancelled } from '../../util/typedError.ts';
import { isInWorkTree } from './git.ts';
import { createGitRunner, GitFailure } from './runGit.ts';
import type { Log } from '../../core/ports/system.ts';
import type { Commit, History } from '../../core/ports/git.ts';

/**
 * ASCII separators. A subject that contains one invalidates only its own entry, which is dropped because it has no
 * commit id.
 */
const RECORD = '\x1e';
const FIELD = '\x1f';
const FORMAT = '--format=%x1e%H%x1f%ct%x1f%s%x1f';
const COMMIT_ID = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * History of `rootDir`, which may be a folder inside the work tree. Empty without git or a commit. The options disable
 * programs that the repository's configuration could name (external diffs, signatures).
 */
export function createHistory(rootDir: string, log?: Log): History {
  const runner = createGitRunner(rootDir);
  return {
    async commits(limit, signal) {
      throwIfCancelled(signal);
      if (limit <= 0 || !(await isInWorkTree(runner, rootDir, log))) return [];
      try {
        const args = [
          'log',
          '--no-merges',
          '--no-renames',
          '--no-show-signature',
          '--no-ext-diff',
          '--no-textconv',
          '--no-mailmap',
          '--ignore-submodules=all',
          '--relative',
          '--name-only',
          '-z',
          FORMAT,
          '-n',
          String(limit),
          'HEAD',
          '--',
          '.',
        ];
        return parse(await runner.text(args, { signal }));
      } catch (error) {
        // A branch without commits has no history; for any other failure, the history is left out.
        if (!(error instanceof GitFailure)) throw error;
        log?.write('debug', 'git has no history here.', error);
        return [];
      }
    },
  };
}

function parse(output: string): Commit[] {
  return output
    .split(RECORD)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [hash = '', seconds = '', subject = '', names = ''] = entry.split(FIELD);
      // In -z output, a line break ends the header if names follow.
      const paths = names
        .split('\0')
        .map((name) => name.replace(/^\n/, ''))
        .filter((name) => name !== '');
      return { hash, atMs: Number(seconds) * 1000, subject, paths };
    })
    .filter(({ hash, paths }) => COMMIT_ID.test(hash) && paths.length > 0);
}
