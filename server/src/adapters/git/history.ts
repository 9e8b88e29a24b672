// Reads the recent commits: their messages, the files that they touched, and both versions of these files.

import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { isInWorkTree } from './git.ts';
import { createGitRunner, GitFailure } from './runGit.ts';
import type { Log } from '../../core/ports/system.ts';
import type { ChangedFile, Commit, History } from '../../core/ports/git.ts';

/**
 * ASCII separators. If a subject contains one, only its own entry is invalid, which is dropped because it has no commit
 * id.
 */
const RECORD_SEPARATOR = '\x1e';
const FIELD_SEPARATOR = '\x1f';
const FORMAT_OPTION = '--format=%x1e%H%x1f%ct%x1f%s%x1f';
const LOG_ARGUMENTS = [
  'log',
  '--no-merges',
  '--no-renames',
  '--no-show-signature',
  '--no-ext-diff',
  '--no-textconv',
  '--no-mailmap',
  '--ignore-submodules=all',
  '--relative',
  '-z',
  FORMAT_OPTION,
];
const COMMIT_ID = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * Opens the history of `rootDir`, which may be a folder inside the work tree. It is empty without git or a commit. The
 * options disable programs that the repository's configuration could name (external diffs, signatures).
 */
export function createHistory(rootDir: string, log?: Log): History {
  const runner = createGitRunner(rootDir);
  return {
    async commits(limit, signal) {
      throwIfCancelled(signal);
      if (limit <= 0 || !(await isInWorkTree(runner, rootDir, log))) return [];
      return emptyOnFailure(async () =>
        parse(await runner.text([...LOG_ARGUMENTS, '--name-only', '-n', String(limit), 'HEAD', '--', '.'], { signal })),
      );
    },
    async changes({ since, limit, endings, signal }) {
      throwIfCancelled(signal);
      if (limit <= 0 || !(await isInWorkTree(runner, rootDir, log))) return [];
      const from = since === null ? null : await commitNamed(since, signal);
      const range = from === null ? ['HEAD'] : ['HEAD', `^${from}`];
      const text = await emptyOnFailure(async () => [
        await runner.text(
          [...LOG_ARGUMENTS, '--raw', '--no-abbrev', '--diff-filter=M', '-n', String(limit), ...range, '--', '.'],
          { signal },
        ),
      ]);
      return text.flatMap((output) => parseChanges(output, endings));
    },
    texts: (ids, signal) => runner.blobs(ids, signal),
  };

  /** The result of `work`; empty for a branch without commits, and for any other failure of git. */
  async function emptyOnFailure<T>(work: () => Promise<T[]>): Promise<T[]> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      log?.write('debug', 'git has no history here.', error);
      return [];
    }
  }

  async function commitNamed(name: string, signal: AbortSignal): Promise<string> {
    try {
      const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
      return (await runner.text(args, { signal })).trim();
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      throw new SelfwareError('notFound', `There is no commit ${name} in this repository.`, {
        action: 'Give a branch, a tag or a commit.',
        cause: error,
      });
    }
  }
}

function parse(output: string): Commit[] {
  return output
    .split(RECORD_SEPARATOR)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [hash = '', seconds = '', subject = '', names = ''] = entry.split(FIELD_SEPARATOR);
      // In -z output, a line break ends the header if names follow.
      const paths = names
        .split('\0')
        .map((name) => name.replace(/^\n/, ''))
        .filter((name) => name !== '');
      return { hash, atMs: Number(seconds) * 1000, subject, paths };
    })
    .filter(({ hash, paths }) => COMMIT_ID.test(hash) && paths.length > 0);
}

/** Entries of `--raw -z`: `:MODE MODE ID ID M`, then the path. */
function parseChanges(output: string, endings: readonly string[]): Awaited<ReturnType<History['changes']>>[number][] {
  return output
    .split(RECORD_SEPARATOR)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [hash = '', seconds = '', subject = '', changes = ''] = entry.split(FIELD_SEPARATOR);
      const parts = changes.split('\0').map((part) => part.replace(/^\n/, ''));
      const files = parts.flatMap((part, at): ChangedFile[] => {
        const [, , before = '', after = ''] = part.startsWith(':') ? part.split(' ') : [];
        const path = parts[at + 1] ?? '';
        const isWanted = COMMIT_ID.test(before) && COMMIT_ID.test(after) && endings.some((end) => path.endsWith(end));
        return isWanted ? [{ path, before, after }] : [];
      });
      return { hash, atMs: Number(seconds) * 1000, subject, files };
    })
    .filter(({ hash, files }) => COMMIT_ID.test(hash) && files.length > 0);
}
