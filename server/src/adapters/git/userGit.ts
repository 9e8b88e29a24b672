// Runs git with the user's identity, keys and, if requested, hooks. Used only for commits and pull requests that the
// user asked for.

import { spawn } from 'node:child_process';
import { addHangupProtection } from '../system/hangup.ts';
import { findTrustedProgram } from '../system/ownPrograms.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';

/** Options of one call of git as the user. */
export interface UserGitCall {
  readonly stdin?: Uint8Array | string;
  readonly cwd?: string;
  /** Absolute path of an index file that git uses in place of the user's. */
  readonly indexFile?: string;
  /** Absolute folder of the hooks to run; if absent, no hooks run. */
  readonly hooks?: string;
  readonly signal?: AbortSignal;
}

/** The result of a call that has ended, with any exit code. */
export interface UserGitResult {
  /** The exit code; -1 if a signal ended git. */
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs git commands as the user, in one folder. */
export interface UserGit {
  /**
   * Runs git and resolves with the result, whatever its exit code is. Throws `unavailable` if git cannot be started,
   * and `cancelled`.
   */
  ask(args: readonly string[], call?: UserGitCall): Promise<UserGitResult>;
  /** Runs git and returns its standard output as text. Throws `writeFailed` for an exit code other than 0. */
  text(args: readonly string[], call?: UserGitCall): Promise<string>;
}

/**
 * Creates a runner of git for the user, in the folder `folder`. `env`: the user's environment, in which git finds key
 * agents. Variables that would redirect git are removed.
 */
export function createUserGit(folder: string, env: Readonly<Record<string, string | undefined>>): UserGit {
  const userEnvironment = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => !name.startsWith('GIT_') && value !== undefined),
  );
  const ask: UserGit['ask'] = (args, call = {}) => {
    const config = [
      '-c',
      `core.hooksPath=${call.hooks ?? '/dev/null'}`,
      '-c',
      'core.fsmonitor=false',
      '-c',
      'gc.auto=0',
      '-c',
      'core.quotePath=false',
    ];
    return new Promise((resolve, reject) => {
      if (call.signal) throwIfCancelled(call.signal);
      const program = findTrustedProgram('git', userEnvironment['PATH'] ?? '', [folder]);
      if (program === null)
        return reject(new SelfwareError('unavailable', 'git could not be started.', { action: 'Install git.' }));
      const [command, ...first] = addHangupProtection(program, userEnvironment['PATH'] ?? '', folder);
      const child = spawn(command, [...first, ...config, ...args], {
        cwd: call.cwd ?? folder,
        env: {
          ...userEnvironment,
          GIT_TERMINAL_PROMPT: '0',
          GIT_EDITOR: 'true',
          GIT_OPTIONAL_LOCKS: '0',
          ...(call.indexFile ? { GIT_INDEX_FILE: call.indexFile } : {}),
        },
        stdio: ['pipe', 'pipe', 'pipe'],
        ...(call.signal ? { signal: call.signal } : {}),
      });
      const [out, err]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
      // If git ends before it has read its whole input, its exit code shows the reason.
      child.stdin.on('error', () => undefined);
      child.stdin.end(call.stdin ?? '');
      child.on('error', (cause) =>
        reject(
          call.signal?.aborted
            ? new SelfwareError('cancelled', 'Cancelled.', { cause })
            : new SelfwareError('unavailable', 'git could not be started.', { cause }),
        ),
      );
      child.on('close', (code) =>
        resolve({ code: code ?? -1, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') }),
      );
    });
  };
  return {
    ask,
    async text(args, call) {
      const { code, stdout, stderr } = await ask(args, call);
      if (code !== 0)
        throw new SelfwareError(
          'writeFailed',
          `git ${args[0]} ended with ${code}: ${selectLastLines(stderr) || 'no message'}`,
        );
      return stdout.toString('utf8');
    },
  };
}

/** The last eight lines of the text, without blank lines at its start and end. */
export function selectLastLines(text: string): string {
  return text.trim().split('\n').slice(-8).join('\n');
}
