// Starts supervisors and launchers for a test, and counts what is left of them.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A run in folders of its own. Its processes are recognised by `file` in their command lines. */
export interface Run {
  readonly rootDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Each worker appends its id to it. */
  readonly file: string;
  readonly logFile: string;
  /** Ends what is left, and removes the folders. */
  dispose(): void;
}

export function newRun(): Run {
  const folder = mkdtempSync(join(tmpdir(), 'selfware-run-'));
  const file = join(folder, 'workers');
  return {
    rootDir: folder,
    env: { ...process.env, SELFWARE_HOME: join(folder, 'home') },
    file,
    logFile: join(folder, 'home', 'logs', 'run.log'),
    dispose() {
      for (const pid of processesOf(file)) kill(pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Starts a supervisor whose worker behaves as `how` says. */
export function startSupervisor(run: Run, how: string): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'supervisorProcess.ts'), how, run.file, run.rootDir], {
    env: run.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Starts a process that starts the supervisor detached. */
export function startLauncher(run: Run, how: string): ChildProcess {
  const args = [join(import.meta.dirname, 'launcher.ts'), run.logFile, how, run.file, run.rootDir];
  return spawn(process.execPath, args, { env: run.env, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Ids of the workers so far, oldest first. */
export function workersOf(run: Run): readonly number[] {
  if (!existsSync(run.file)) return [];
  return readFileSync(run.file, 'utf8').trim().split('\n').filter(Boolean).map(Number);
}

/** Ids of the running processes that have this text in their command line; zombies have none. */
export function processesOf(text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => commandLine(name).split('\0').includes(text))
    .map(Number);
}

/** Sends the signal, if the process still runs. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
