// Writes sources to a git repository, optionally with a second branch on which a part of the files differs.

import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createGitEnvironment } from '../../helpers/temporaryRepository.ts';
import { shuffle } from '../support/random.ts';
import { createRenamer } from './grow.ts';
import type { Source } from './sources.ts';

const execute = promisify(execFile);
const PARALLEL_WRITES = 64;
/** Number of the copy for the texts of the branch. Other copies have small numbers, so its words differ from theirs. */
const BRANCH_COPY = 1_000_000;

/** The repository. */
export interface BenchRepository {
  readonly dir: string;
  readonly files: number;
  readonly bytes: number;
  write(path: string, text: string): Promise<void>;
  git(...args: string[]): Promise<void>;
}

/**
 * Makes the repository, with all sources committed on the branch `main`. `branch`: the share of the files that the
 * branch `other` changes; null for no such branch. The git configuration of the machine is not read.
 */
export async function makeRepository(
  dir: string,
  sources: readonly Source[],
  branch: { readonly share: number; readonly seed: number } | null,
  signal: AbortSignal,
): Promise<BenchRepository> {
  const git = async (...args: string[]) => {
    await execute(
      'git',
      [
        '-c',
        'user.name=Bench',
        '-c',
        'user.email=bench@example.com',
        '-c',
        'gc.auto=0',
        '-c',
        'core.autocrlf=false',
        ...args,
      ],
      { cwd: dir, env: createGitEnvironment(), signal, maxBuffer: 2 ** 28 },
    );
  };
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  };
  const writeAll = async (files: readonly Source[]) => {
    for (let offset = 0; offset < files.length; offset += PARALLEL_WRITES) {
      signal.throwIfAborted();
      await Promise.all(files.slice(offset, offset + PARALLEL_WRITES).map(({ path, text }) => write(path, text)));
    }
  };
  await mkdir(dir, { recursive: true });
  await git('init', '--quiet', '--initial-branch', 'main');
  await writeAll(sources);
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Initial state');
  if (branch) {
    const rename = createRenamer(BRANCH_COPY, branch.seed, new Set());
    const changedSources = shuffle(sources, branch.seed, ({ path }) => path).slice(
      0,
      Math.max(1, Math.round(sources.length * branch.share)),
    );
    await git('checkout', '--quiet', '-b', 'other');
    await writeAll(changedSources.map(({ path, text }) => ({ path, text: changeMiddle(text, rename) })));
    await git('commit', '--quiet', '--all', '--message', 'Other branch');
    await git('checkout', '--quiet', 'main');
  }
  return {
    dir,
    files: sources.length,
    bytes: sources.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    write,
    git,
  };
}

/** The text with other words in the fifth of the lines in the middle, as after an ordinary change. */
function changeMiddle(text: string, rename: (text: string) => string): string {
  const lines = text.split('\n');
  const from = Math.floor(lines.length * 0.4);
  const to = Math.max(from + 1, Math.floor(lines.length * 0.6));
  const middle = lines.slice(from, to).join('\n');
  const newMiddle = rename(middle);
  return [...lines.slice(0, from), newMiddle === middle ? `${middle} changed` : newMiddle, ...lines.slice(to)].join(
    '\n',
  );
}
