// Starts this program again as a detached process that outlives its parent.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { SelfwareError } from '../../util/typedError.ts';
import { limitLog, useLogFile } from './logFile.ts';

/** The program to start, and its options. */
export interface DetachedStart {
  /** Arguments of this program, without Node and the script. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the log file. Output is appended; the file is created if it is missing. */
  readonly logFile: string;
  /** The script of this program; default: the one that runs now. */
  readonly script?: string;
  /**
   * True if the new process must not be a descendant of this one, even while this one runs. It would otherwise count as
   * started by an agent, because an editor also runs servers for agents next to the server that starts a run for a
   * person.
   */
  readonly viaLauncher?: boolean;
}

/**
 * Source of the launcher: it starts the command in its arguments, prints the id of that process, and ends. The
 * command's output goes to standard error, which is the log.
 */
const LAUNCHER_SOURCE = `
const { spawn } = require('node:child_process');
const options = { detached: true, windowsHide: true, stdio: ['ignore', 2, 2] };
const child = spawn(process.execPath, process.argv.slice(1), options);
child.once('spawn', () => { process.stdout.write(String(child.pid)); child.unref(); });
`;

/**
 * Starts the process, and returns its id as soon as it runs. It keeps running if the terminal or the window is closed,
 * and even if this process is killed. Throws `unavailable` if it cannot be started.
 */
export async function startDetached({ args, cwd, env, logFile, script, viaLauncher }: DetachedStart): Promise<number> {
  limitLog(logFile);
  const program = [...process.execArgv, script ?? process.argv[1] ?? '', ...args];
  const command = viaLauncher ? ['-e', LAUNCHER_SOURCE, '--', ...program] : program;
  const child = useLogFile(logFile, (file) =>
    spawn(process.execPath, command, {
      cwd,
      env,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', viaLauncher ? 'pipe' : file, file],
    }),
  );
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw createStartError((error as Error).message, error);
  }
  if (viaLauncher) return readProcessId(child);
  child.unref();
  return child.pid ?? 0;
}

async function readProcessId(launcher: ChildProcess): Promise<number> {
  let output = '';
  launcher.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(launcher, 'close');
  const id = Number(output);
  if (output === '' || !Number.isSafeInteger(id)) throw createStartError('its process did not start', undefined);
  return id;
}

function createStartError(reason: string, cause: unknown): SelfwareError {
  return new SelfwareError('unavailable', `The run could not be started: ${reason}.`, {
    action: 'Try again, or run it in the foreground.',
    cause,
  });
}
