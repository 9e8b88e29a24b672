// Runs a program with a time limit, and ends everything that it has started.

import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

export interface Ran {
  /** Null: it was ended, or could not be started. */
  readonly code: number | null;
  /** Standard output and standard error; of long ones, the beginning and the end. */
  readonly output: string;
  readonly late: boolean;
  readonly millis: number;
}

const MAX_CHARACTERS = 512 * 1024;
/** Processes that a test left behind may keep the output open. */
const CLOSE_MS = 200;
/** Elsewhere, a run is ended by its process group, so its processes have to stay in it. */
const OWN_GROUP = process.platform === 'linux';

/** `millis`: the time limit. */
export async function run(
  [program = '', ...words]: readonly string[],
  { cwd, env, millis }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly millis: number },
): Promise<Ran> {
  const started = performance.now();
  const child = spawn(program, words, { cwd, env, detached: OWN_GROUP, stdio: ['ignore', 'pipe', 'pipe'] });
  let head = '';
  let tail = '';
  const add = (chunk: string) => {
    if (head.length < MAX_CHARACTERS) head += chunk;
    else tail = (tail + chunk).slice(-MAX_CHARACTERS);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', add);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let late = false;
  const timer = setTimeout(
    () => {
      late = true;
      end(child.pid);
    },
    Math.max(1, millis),
  );
  const code = await new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', (error) => {
      add(String(error));
      resolve(null);
    });
  });
  clearTimeout(timer);
  await Promise.race([closed, wait(CLOSE_MS)]);
  end(child.pid);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  return { code, output: head + tail, late, millis: performance.now() - started };
}

function end(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(OWN_GROUP ? -pid : pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
