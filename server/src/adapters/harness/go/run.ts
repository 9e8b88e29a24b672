// Runs a program with a time limit, and ends the processes in its group.

import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

/** The end of a run. */
export interface RunOutcome {
  /** The exit code; null if a signal has ended the program, or if it could not be started. */
  readonly code: number | null;
  /** Standard output and standard error together; the middle of a long output is missing. */
  readonly output: string;
  /** True if the program was stopped at its time limit. */
  readonly hasTimedOut: boolean;
  /** The duration in milliseconds. */
  readonly millis: number;
}

/** Maximum number of characters kept of the beginning of the output, and of its end. */
const MAX_CHARACTERS = 512 * 1024;
/**
 * Milliseconds to wait for the end of the output. The wait is short because processes that a test left behind may keep
 * the output open.
 */
const CLOSE_MS = 200;
/**
 * True if the program leads its own process group, which is then stopped with it. Only on Linux: elsewhere the sandbox
 * ends a run by its process group, which the program must therefore not leave.
 */
const LEADS_GROUP = process.platform === 'linux';

/**
 * Runs a program (a path or a name in the path) with arguments. `millis`: the time limit in milliseconds. Never
 * rejects: an error of the start becomes part of the output.
 */
export async function runProgram(
  [program = '', ...words]: readonly string[],
  { cwd, env, millis }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly millis: number },
): Promise<RunOutcome> {
  const startedAt = performance.now();
  const child = spawn(program, words, { cwd, env, detached: LEADS_GROUP, stdio: ['ignore', 'pipe', 'pipe'] });
  let head = '';
  let tail = '';
  const addOutput = (chunk: string) => {
    if (head.length < MAX_CHARACTERS) head += chunk;
    else tail = (tail + chunk).slice(-MAX_CHARACTERS);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', addOutput);
  const whenClosed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let hasTimedOut = false;
  const timer = setTimeout(
    () => {
      hasTimedOut = true;
      killProcesses(child.pid);
    },
    Math.max(1, millis),
  );
  const code = await new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', (error) => {
      addOutput(String(error));
      resolve(null);
    });
  });
  clearTimeout(timer);
  await Promise.race([whenClosed, wait(CLOSE_MS)]);
  killProcesses(child.pid);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  return { code, output: head + tail, hasTimedOut: hasTimedOut, millis: performance.now() - startedAt };
}

function killProcesses(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(LEADS_GROUP ? -pid : pid, 'SIGKILL');
  } catch {
    // The program has already ended.
  }
}
