// Starts this program again as a process that survives the one that starts it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { SelfwareError } from '../../util/typedError.ts';
import { limitLog, withLogFile } from './logFile.ts';

export interface DetachedStart {
  /** Arguments of this program, without Node and the script. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the file that gets the output. It is created, and appended to. */
  readonly logFile: string;
  /** The script of this program; default: the one that runs now. */
  readonly script?: string;
}

/**
 * Returns the process id as soon as the process runs. Closing the terminal or the window, and even killing this process,
 * leaves it running. Throws `unavailable` if it cannot be started.
 */
export async function startDetached({ args, cwd, env, logFile, script }: DetachedStart): Promise<number> {
  limitLog(logFile);
  const program = [...process.execArgv, script ?? process.argv[1] ?? '', ...args];
  const child = withLogFile(logFile, (file) =>
    spawn(process.execPath, program, {
      cwd,
      env,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', file, file],
    }),
  );
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new SelfwareError('unavailable', `The run could not be started: ${(error as Error).message}.`, {
      action: 'Try again, or run it in the foreground.',
      cause: error,
    });
  }
  child.unref();
  return child.pid ?? 0;
}
