// Runs one command in a process group of its own and leaves nobody behind.

import { spawn, type ChildProcess } from 'node:child_process';
import type { Clock, RunRequest, RunResult } from '../../core/ports.ts';
import type { Environment } from './environment.ts';
import { createOutputCollector } from './outputCollector.ts';
import { endMarked, MARK, signalGroup } from './processes.ts';

/** Between asking a group to end and ending it. */
const GRACE_MS = 2_000;
/** Output may still be in the pipes when everybody has ended; a pipe held by a stranger is not waited for longer. */
const DRAIN_MS = 1_000;
const DEFAULT_OUTPUT_BYTES = 1024 * 1024;

export interface RunSurroundings {
  readonly cwd: string;
  readonly env: Environment;
  /** Unique to this run; whoever carries it at the end is ended. */
  readonly mark: string;
  readonly clock: Clock;
}

/** Resolves when the command and everything it started has ended. Rejects only on a fault of the system. */
export async function runCommand(request: RunRequest, { cwd, env, mark, clock }: RunSurroundings, signal: AbortSignal): Promise<RunResult> {
  const startedAt = clock.now();
  const result = (outcome: RunResult['outcome'], exitCode: number | null, stdout = '', stderr = ''): RunResult => ({ exitCode, outcome, stdout, stderr, millis: clock.now() - startedAt });
  if (signal.aborted) return result('cancelled', null);

  const [program = '', ...args] = request.command;
  const child = spawn(request.shell ? request.command.join(' ') : program, request.shell ? [] : args, {
    cwd,
    env: { ...env, [MARK]: mark },
    shell: request.shell ?? false,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = createOutputCollector(request.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES);
  const stderr = createOutputCollector(request.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES);
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));

  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ended = endOf(child);
  let endedBy: 'timedOut' | 'cancelled' | null = null;
  let force: NodeJS.Timeout | undefined;
  const end = (reason: 'timedOut' | 'cancelled') => {
    if (endedBy !== null || child.pid === undefined) return;
    endedBy = reason;
    const leader = child.pid;
    signalGroup(leader, 'SIGTERM');
    force = setTimeout(() => signalGroup(leader, 'SIGKILL'), GRACE_MS);
  };
  const timeout = setTimeout(() => end('timedOut'), request.timeoutMs);
  const onAbort = () => end('cancelled');
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const exit = await ended;
    if (exit.notFound) return result('notFound', null, '', exit.notFound);
    if (child.pid !== undefined && process.platform !== 'win32') signalGroup(child.pid, 'SIGKILL');
    await endMarked(mark);
    await drained(child, closed);
    return result(endedBy ?? 'exited', exit.code, stdout.text(), stderr.text());
  } finally {
    clearTimeout(timeout);
    clearTimeout(force);
    signal.removeEventListener('abort', onAbort);
  }
}

function endOf(child: ChildProcess): Promise<{ readonly code: number | null; readonly notFound?: string }> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => resolve({ code }));
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'EACCES' || error.code === 'ENOTDIR') resolve({ code: null, notFound: error.message });
      else reject(error);
    });
  });
}

async function drained(child: ChildProcess, closed: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([closed, new Promise<void>((resolve) => (timer = setTimeout(resolve, DRAIN_MS)))]);
  clearTimeout(timer);
  child.stdout?.destroy();
  child.stderr?.destroy();
}
