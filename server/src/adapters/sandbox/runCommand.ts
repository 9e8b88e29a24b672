// Runs one command in its own process group and within its limits, and ends the processes that it leaves behind.

import { spawn, type ChildProcess } from 'node:child_process';
import { SelfwareError } from '../../util/typedError.ts';
import { onForcedShutdown } from '../system/gracefulShutdown.ts';
import type { Environment } from './environment.ts';
import { explainMissingProgram } from './missingProgram.ts';
import type { CommandLine } from './isolation/mechanism.ts';
import { computeSystemTaskLimit, STARTED_DESCRIPTOR, type CommandLimits, type TaskLimit } from './limits.ts';
import { addServices } from './services.ts';
import { createOutputCollector } from './outputCollector.ts';
import { measureWork } from './cpuTime.ts';
import { watchPeakMemory } from './peakMemory.ts';
import { watchSilence } from './watchSilence.ts';
import { killMarkedProcesses, MARK_VARIABLE, signalGroup } from './processes.ts';
import { limitTasks, startCounting } from './taskCounter.ts';
import { makeTaskGroup, type TaskGroup } from './taskGroup.ts';
import { createErrorIfShort, createShortageError } from './shortageError.ts';
import { formatTaskLimitText, watchLimits, type ExceededLimit } from './watchLimits.ts';
import { measureFreeRoom } from '../system/freeRoom.ts';
import type { Clock } from '../../core/ports/system.ts';
import type { RunRequest, RunResult } from '../../core/ports/sandbox.ts';

/** Milliseconds between the signal that asks a process group to end and the one that kills it. */
const GRACE_MS = 2_000;
/**
 * Milliseconds to wait for output in the pipes after all processes have ended. The limit matters for a pipe that a
 * foreign process keeps open.
 */
const DRAIN_MS = 1_000;
/** Maximum number of bytes that are kept of each stream, unless the caller sets another limit. */
const DEFAULT_OUTPUT_BYTES = 1024 * 1024;
/** Milliseconds between two reports of new output. */
const PROGRESS_MS = 1_000;
/** Maximum number of characters of new output in one report. */
const MAX_REPORTED_CHARACTERS = 1024 * 1024;

/** Matches what programs report if a write fails because the disk is full. */
const DISK_FULL_OUTPUT = /\bENOSPC\b|\bEDQUOT\b|No space left on device|Disk quota exceeded/;

/** The conditions under which a command runs. */
export interface RunContext {
  readonly cwd: string;
  /** The environment of the command, to which `RunRequest.env` is added. */
  readonly env: Environment;
  /** Unique to this run; processes that still carry it at the end are killed. */
  readonly mark: string;
  readonly clock: Clock;
  readonly limits: CommandLimits;
  readonly taskLimit: TaskLimit;
  /** A folder on the disk that the command may fill. */
  readonly folder: string;
  /** Real path of the file of `RunRequest.lastFile`; null if none is named. */
  readonly lastFile: string | null;
  /** False if the command's processes are not visible to this process, because a daemon runs them. */
  readonly isVisible: boolean;
  /** The real path of the file that commands see at `path`; null if the two paths are equal. */
  resolveElsewhere(path: string): string | null;
  /** Applies the limits to the command, and isolates it if possible. */
  enclose(command: CommandLine): Promise<CommandLine>;
}

/**
 * Resolves when the command, its process group and, on Linux, all processes with its mark have ended, whatever the
 * outcome. Throws `unavailable` if its isolation could not be set up or a service is missing, and errors of the system.
 * Throws `diskFull` or `unavailable` if the machine ran out of room or memory and that is not the command's own doing.
 */
export async function runCommand(request: RunRequest, context: RunContext, signal: AbortSignal): Promise<RunResult> {
  const { limits, taskLimit } = context;
  const group = taskLimit === 'group' && !signal.aborted ? makeTaskGroup(computeSystemTaskLimit(limits)) : null;
  try {
    return await runInGroup(group, request, context, signal);
  } finally {
    await group?.close();
  }
}

async function runInGroup(
  group: TaskGroup | null,
  request: RunRequest,
  { cwd, env, mark, clock, limits, taskLimit, folder, lastFile, isVisible, resolveElsewhere, enclose }: RunContext,
  signal: AbortSignal,
): Promise<RunResult> {
  const startedAt = clock.now();
  const createResult = (
    outcome: RunResult['outcome'],
    exitCode: number | null,
    stdout = '',
    stderr = '',
  ): RunResult => ({
    exitCode,
    outcome,
    stdout,
    stderr,
    millis: clock.now() - startedAt,
  });
  if (signal.aborted) return createResult('cancelled', null);

  const requestedCommand = resolveCommandLine(request);
  const missingSentence = await explainMissingProgram(requestedCommand[0], cwd, env['PATH'] ?? '', resolveElsewhere);
  if (missingSentence !== null) return createResult('notFound', null, '', missingSentence);
  const [programName = '', ...commandArguments] = addServices(requestedCommand, request.services ?? []);
  const command: CommandLine = [programName, ...commandArguments];
  const enclosedCommand = await enclose(command);
  if (taskLimit === 'counted') await startCounting();
  const [program, ...args] = group?.wrap(enclosedCommand) ?? enclosedCommand;
  const child = spawn(program, args, {
    cwd,
    env: { ...env, ...request.env, [MARK_VARIABLE]: mark },
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: request.shell ?? false,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const { pid } = child;
  const unregister = pid === undefined ? () => undefined : onForcedShutdown(() => signalGroup(pid, 'SIGKILL'));
  let writtenBytes = 0;
  let lastOutputAt = 0;
  const collect = (stream: NodeJS.ReadableStream | null) => {
    const collector = createOutputCollector(request.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES);
    stream?.on('data', (chunk: Buffer) => {
      collector.push(chunk);
      lastOutputAt = clock.now();
      writtenBytes += chunk.byteLength;
      if (writtenBytes > limits.outputBytes)
        endForLimit({ text: `more than ${Math.round(limits.outputBytes / 1024 ** 2)} MB of output` });
    });
    return collector;
  };
  const stdout = collect(child.stdout);
  const progressTimer = reportProgress(child.stdout, request.onProgress, () => clock.now() - startedAt);
  const stderr = collect(child.stderr);
  const hasStarted = watchStart(child);
  const whenClosed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const whenEnded = waitForExit(child);

  let endedBy: 'timedOut' | 'cancelled' | 'exceeded' | null = null;
  let exceeded: ExceededLimit | null = null;
  let note = '';
  let forceTimer: NodeJS.Timeout | undefined;
  const endGracefully = (reason: 'timedOut' | 'cancelled') => {
    if (endedBy !== null || child.pid === undefined) return;
    endedBy = reason;
    const leader = child.pid;
    signalGroup(leader, 'SIGTERM');
    forceTimer = setTimeout(() => signalGroup(leader, 'SIGKILL'), request.graceMs ?? GRACE_MS);
  };
  // No grace period, because a machine without memory cannot afford one.
  const endForLimit = (limit: ExceededLimit) => {
    if (endedBy !== null || child.pid === undefined) return;
    endedBy = 'exceeded';
    exceeded = limit;
    signalGroup(child.pid, 'SIGKILL');
    group?.end();
  };
  const watchedProcesses = { leader: pid ?? 0, mark, group, folder };
  const taskCounter = taskLimit === 'counted' && pid !== undefined ? limitTasks(pid, limits.maxTasks) : null;
  const stopWatching = pid === undefined ? () => undefined : watchLimits(watchedProcesses, limits, endForLimit);
  const readPeak = request.peak && pid !== undefined ? watchPeakMemory(pid) : () => undefined;
  const timeoutTimer = setTimeout(() => endGracefully('timedOut'), request.timeoutMs);
  const stopListening =
    lastFile === null
      ? () => undefined
      : watchSilence(
          {
            file: lastFile,
            lastOutputAt: () => lastOutputAt,
            measureWork: async () => (isVisible ? measureWork(mark) : null),
            clock,
            silenceMs: limits.silenceMs,
          },
          () => {
            if (endedBy === null)
              note =
                `\nEnded by Selfware: the command was silent and idle for ${Math.round(limits.silenceMs / 1000)} s ` +
                `after it had written its report.\n`;
            endGracefully('timedOut');
          },
        );
  const onAbort = () => endGracefully('cancelled');
  signal.addEventListener('abort', onAbort, { once: true });
  // The operation was cancelled while the command was being prepared.
  if (signal.aborted) endGracefully('cancelled');
  try {
    const exit = await whenEnded;
    const peakBytes = readPeak();
    if (exit.notFound) return createResult('notFound', null, '', exit.notFound);
    if (child.pid !== undefined && process.platform !== 'win32') signalGroup(child.pid, 'SIGKILL');
    if ((await taskCounter?.stop()) && endedBy === null) {
      endedBy = 'exceeded';
      exceeded = { text: formatTaskLimitText(limits) };
    }
    await killMarkedProcesses(mark);
    await drainPipes(child, whenClosed);
    if (exceeded !== null) {
      const shortage = createErrorIfShort(exceeded, request, folder);
      if (shortage) throw shortage;
      return {
        ...createResult(
          'exited',
          null,
          stdout.text(),
          `${stderr.text()}\nEnded by Selfware: the command took ${exceeded.text}.\n`,
        ),
        exceeded: exceeded.text,
      };
    }
    if (endedBy !== null)
      return createResult(endedBy === 'exceeded' ? 'exited' : endedBy, null, stdout.text(), stderr.text() + note);
    if (!hasStarted())
      throw new SelfwareError(
        'unavailable',
        `The isolation of a command could not be set up: ${stderr.text().trim().split('\n')[0] ?? ''}`,
        { action: 'Run `selfware doctor`.' },
      );
    if (exit.code !== 0 && DISK_FULL_OUTPUT.test(`${stdout.text()}\n${stderr.text()}`)) {
      const freeBytes = await measureFreeRoom(folder);
      if (freeBytes !== null && freeBytes < limits.freeDiskBytes)
        throw createShortageError({ resource: 'disk', wasShort: true }, folder);
    }
    return {
      ...createResult('exited', exit.code, stdout.text(), stderr.text()),
      ...(peakBytes === undefined ? {} : { peakBytes }),
    };
  } finally {
    unregister();
    readPeak();
    clearInterval(progressTimer);
    stopWatching();
    stopListening();
    clearTimeout(timeoutTimer);
    clearTimeout(forceTimer);
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Reports the new output every `PROGRESS_MS`. `millis`: returns the duration of the command so far. Returns the timer
 * to clear; undefined if there is no listener.
 */
function reportProgress(
  stream: NodeJS.ReadableStream | null,
  onProgress: RunRequest['onProgress'],
  millis: () => number,
): NodeJS.Timeout | undefined {
  if (!onProgress) return undefined;
  let newOutput = '';
  const decoder = new TextDecoder();
  // A command that prints endlessly is stopped by its limit; until then, only the newest output is reported.
  stream?.on(
    'data',
    (chunk: Buffer) =>
      (newOutput = (newOutput + decoder.decode(chunk, { stream: true })).slice(-MAX_REPORTED_CHARACTERS)),
  );
  return setInterval(() => {
    onProgress({ millis: millis(), newOutput: newOutput });
    newOutput = '';
  }, PROGRESS_MS);
}

function resolveCommandLine({ command, shell }: RunRequest): CommandLine {
  const [program = '', ...args] = command;
  if (!shell) return [program, ...args];
  const line = command.join(' ');
  return process.platform === 'win32'
    ? [process.env['ComSpec'] ?? 'cmd.exe', '/d', '/s', '/c', `"${line}"`]
    : ['/bin/sh', '-c', line];
}

/**
 * Returns a function that returns true once the set-up has ended and the command itself has started. Windows has no
 * set-up, so there it always returns true.
 */
function watchStart(child: ChildProcess): () => boolean {
  let hasStarted = process.platform === 'win32';
  const pipe = child.stdio[STARTED_DESCRIPTOR] as NodeJS.ReadableStream | null;
  pipe?.on('data', () => (hasStarted = true));
  return () => hasStarted;
}

function waitForExit(child: ChildProcess): Promise<{ readonly code: number | null; readonly notFound?: string }> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => resolve({ code }));
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'EACCES' || error.code === 'ENOTDIR')
        resolve({ code: null, notFound: error.message });
      else reject(error);
    });
  });
}

/** Waits for output that is still in the pipes, for at most `DRAIN_MS`, and then closes them. */
async function drainPipes(child: ChildProcess, whenClosed: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([whenClosed, new Promise<void>((resolve) => (timer = setTimeout(resolve, DRAIN_MS)))]);
  clearTimeout(timer);
  for (const stream of child.stdio) stream?.destroy();
}
