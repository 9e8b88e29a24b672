// Runs a command line of the person in their shell. After a time limit, it is stopped with its children.

import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalGroup } from '../sandbox/processes.ts';
import { onForcedShutdown } from '../system/gracefulShutdown.ts';
import { removeUntrustedFolders } from '../system/ownPrograms.ts';
import { resolveWindowsProgram } from '../system/systemPrograms.ts';
import type { Environment } from '../../util/values/environment.ts';

/** One run of a command line. */
export interface PersonCommand {
  readonly command: string;
  readonly cwd: string;
  readonly env: Environment;
  /** A repository whose programs are not found by their name. */
  readonly rootDir?: string | undefined;
  readonly input?: string;
  /** Maximum number of milliseconds. After it, the command is stopped. */
  readonly maxMs: number;
  /** The limit in words: `15 s`. */
  readonly limit: string;
  readonly signal: AbortSignal;
  /**
   * `show`: the output of the command is shown. A function receives standard output and standard error. If it is
   * omitted, the output is discarded.
   */
  readonly output?: 'show' | ((bytes: Buffer) => void);
  /** True if the processes that the command has started are killed when it has ended. */
  readonly endsChildren?: boolean;
  /** Called once with a function that ends the command for a reason, as a sentence. */
  readonly onStart?: (end: (reason: string) => void) => void;
}

/** Maximum milliseconds to wait for output after the command has ended. */
const LAST_OUTPUT_MS = 2_000;

/**
 * Returns null if the command ends with the code 0, otherwise the reason for the failure, as a sentence. Never throws
 * because of the command.
 */
export async function runPersonCommand(options: PersonCommand): Promise<string | null> {
  const { command, cwd, env, rootDir, maxMs, limit, signal, output, input = '' } = options;
  if (signal.aborted) return 'The run is being ended.';
  const isWindows = process.platform === 'win32';
  const channel = typeof output === 'function' ? 'pipe' : output === 'show' ? 'inherit' : 'ignore';
  const child = spawn(
    isWindows ? resolveWindowsProgram('cmd.exe') : '/bin/sh',
    isWindows ? ['/d', '/s', '/c', `"${command}"`] : ['-c', command],
    {
      cwd,
      env: { ...env, ...createTrustedPath(env, rootDir) },
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: true,
      stdio: ['pipe', channel, channel],
    },
  );
  const { pid } = child;
  const end = () => pid !== undefined && signalGroup(pid, 'SIGKILL');
  const unregister = onForcedShutdown(end);
  let endReason: string | null = null;
  const endFor = (reason: string) => {
    endReason ??= reason;
    end();
  };
  const timer = setTimeout(() => endFor(`It took longer than ${limit} and was ended.`), maxMs);
  const abort = () => endFor('The run was ended.');
  signal.addEventListener('abort', abort, { once: true });
  if (typeof output === 'function') for (const stream of [child.stdout, child.stderr]) stream?.on('data', output);
  options.onStart?.(endFor);
  // A command need not read its input.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  const whenClosed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    const failure = await new Promise<string | null>((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => resolve(`It did not start (${error.code ?? 'unknown'}).`));
      child.once('exit', (code) =>
        resolve(endReason ?? (code === 0 ? null : `It ended with the code ${code ?? 'unknown'}.`)),
      );
    });
    if (options.endsChildren && !isWindows) end();
    // A process that left the group may keep the channel open.
    if (typeof output === 'function')
      await Promise.race([whenClosed, sleep(LAST_OUTPUT_MS, undefined, { ref: false })]);
    return failure;
  } finally {
    clearTimeout(timer);
    unregister();
    signal.removeEventListener('abort', abort);
  }
}

/**
 * The variable PATH without folders of the repository. Empty if the variable has another spelling, as on Windows, where
 * the shell searches the current folder first anyway.
 */
function createTrustedPath({ PATH }: Environment, rootDir: string | undefined): Environment {
  return PATH === undefined ? {} : { PATH: removeUntrustedFolders(PATH, rootDir === undefined ? [] : [rootDir]) };
}
