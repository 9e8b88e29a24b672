// Reads the recent commits: their messages, the files that they touched, and both versions of these files.

import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { isInWorkTree } from './git.ts';
import { createGitRunner, GitFailure } from './runGit.ts';
import type { Log } from '../../core/ports/system.ts';
import type { ChangedFile, Commit, History } from '../../core/ports/git.ts';

/**
 * Lets git print one header per commit: `ID SECONDS SUBJECT`. With `-z`, two NULs in a row are always the beginning of
 * the next header, because git prints no NUL in a subject, and no empty path.
 */
const HEADER_FORMAT_OPTION = '--format=%x00%H %ct %s';
const HEADER_PATTERN = /^([0-9a-f]{40}|[0-9a-f]{64}) (\d+) (.*)$/s;
/**
 * The arguments of each call. Some of them disable programs that the repository's configuration could name (for
 * differences and for signatures).
 */
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
  HEADER_FORMAT_OPTION,
];
const COMMIT_ID_PATTERN = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * Creates access to the history of `rootDir`, which may be a folder inside the work tree. Without git, or without a
 * commit, the history is empty.
 */
export function createHistory(rootDir: string, log?: Log): History {
  const runner = createGitRunner(rootDir);
  return {
    async commits(limit, signal) {
      throwIfCancelled(signal);
      if (limit <= 0 || !(await isInWorkTree(runner, rootDir, log))) return [];
      return emptyIfGitFails(async () =>
        parseCommits(
          await runner.text([...LOG_ARGUMENTS, '--name-only', '-n', String(limit), 'HEAD', '--', '.'], { signal }),
        ),
      );
    },
    async changes({ since, limit, extensions, signal }) {
      throwIfCancelled(signal);
      if (limit <= 0 || !(await isInWorkTree(runner, rootDir, log))) return [];
      const from = since === null ? null : await resolveCommit(since, signal);
      const range = from === null ? ['HEAD'] : ['HEAD', `^${from}`];
      const outputs = await emptyIfGitFails(async () => [
        await runner.text(
          [...LOG_ARGUMENTS, '--raw', '--no-abbrev', '--diff-filter=M', '-n', String(limit), ...range, '--', '.'],
          { signal },
        ),
      ]);
      return outputs.flatMap((output) => parseChanges(output, extensions));
    },
    readBlobs: (ids, signal) => runner.blobs(ids, signal),
  };

  /** Returns the result of `work`; an empty one if the branch has no commits, or if git fails in any other way. */
  async function emptyIfGitFails<T>(work: () => Promise<T[]>): Promise<T[]> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      log?.write('debug', 'git has no history here.', error);
      return [];
    }
  }

  /** The id of the commit of this name. Throws `notFound`. */
  async function resolveCommit(name: string, signal: AbortSignal): Promise<string> {
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

function parseCommits(output: string): Commit[] {
  return parseEntries(output).flatMap(({ header, parts }) => (parts.length > 0 ? [{ ...header, paths: parts }] : []));
}

/** Parses the entries of `--raw -z`: each consists of `:MODE MODE ID ID M` and then the path. */
function parseChanges(output: string, endings: readonly string[]): Awaited<ReturnType<History['changes']>>[number][] {
  return parseEntries(output).flatMap(({ header, parts }) => {
    const files = parts.flatMap((part, index): ChangedFile[] => {
      const [, , beforeId = '', afterId = ''] = part.startsWith(':') ? part.split(' ') : [];
      const path = parts[index + 1] ?? '';
      const isWanted =
        COMMIT_ID_PATTERN.test(beforeId) &&
        COMMIT_ID_PATTERN.test(afterId) &&
        endings.some((end) => path.endsWith(end));
      return isWanted ? [{ path, beforeId, afterId }] : [];
    });
    return files.length > 0 ? [{ ...header, files }] : [];
  });
}

interface LogEntry {
  readonly header: Pick<Commit, 'hash' | 'atMs' | 'subject'>;
  /** The other texts about the commit, which git prints after the header: paths, or entries of `--raw`. */
  readonly parts: readonly string[];
}

function parseEntries(output: string): LogEntry[] {
  return output
    .replace(/^\0/, '')
    .split('\0\0')
    .flatMap((entry) => {
      const [line = '', first = '', ...otherLines] = entry.split('\0');
      const [, hash, seconds, subject] = HEADER_PATTERN.exec(line) ?? [];
      if (hash === undefined || subject === undefined) return [];
      // A line break separates the header from the list.
      const parts = [first.replace(/^\n/, ''), ...otherLines].filter((part) => part !== '');
      return [{ header: { hash, atMs: Number(seconds) * 1000, subject }, parts }];
    });
}
