// Runs the GitHub command line `gh`, at a person's request and with their own login.

import { spawn } from 'node:child_process';
import { SelfwareError } from '../../util/typedError.ts';
import { findTrustedProgram } from '../system/ownPrograms.ts';
import { selectLastLines } from './userGit.ts';

/** One call of `gh`. */
export interface GithubQuestion {
  readonly rootDir: string;
  readonly args: readonly string[];
  /** The text for its standard input. */
  readonly input: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** The action that failed, as the beginning of a sentence, for the message of an error. */
  readonly failure: string;
  /** The advice of an error. */
  readonly action: string;
}

/**
 * The path of `gh` on this machine; a program inside the repository is not used. Throws `unavailable` with `action` if
 * there is none.
 */
export function requireGithubCli({ rootDir, env }: Pick<GithubQuestion, 'rootDir' | 'env'>, action: string): string {
  const gh = findTrustedProgram('gh', env['PATH'] ?? '', [rootDir]);
  if (gh !== null) return gh;
  throw new SelfwareError('unavailable', 'The GitHub command line `gh` was not found.', { action });
}

/** Returns the output of `gh`. Throws `unavailable` if it is missing or cannot start, and `writeFailed` if it fails. */
export function runGithubCli(question: GithubQuestion): Promise<string> {
  const { rootDir, args, input, env, signal, failure, action } = question;
  const gh = requireGithubCli(question, action);
  return new Promise((resolve, reject) => {
    const child = spawn(gh, args, {
      cwd: rootDir,
      env: env as NodeJS.ProcessEnv,
      signal,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const texts = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
    child.on('error', (cause) =>
      reject(
        new SelfwareError('unavailable', '`gh` could not be started.', { action: 'Run `gh auth status`.', cause }),
      ),
    );
    child.on('close', (code) =>
      code === 0
        ? resolve(texts.out.trim())
        : reject(new SelfwareError('writeFailed', `${failure}: ${selectLastLines(texts.err)}`, { action })),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
