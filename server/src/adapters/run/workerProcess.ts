// Starts one worker of an unattended run as a process: the leader of its own process group, with a channel for its
// beats.

import { spawn, type ChildProcess } from 'node:child_process';
import { signalGroup } from '../sandbox/processes.ts';
import { findDescendants, killStillRunning } from '../system/processTree.ts';
import { parseBeat, type BeatMessage, type DrainMessage } from './messages.ts';

/** The program of a worker. */
export interface WorkerCommand {
  /** Absolute path of the program: one with a channel to its parent, such as Node. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Receives the reports of a worker. */
export interface WorkerListener {
  onStart(pid: number): void;
  onBeat(beat: BeatMessage): void;
  /** Called once, even if the process could not be started (both null). Its process group is empty by then. */
  onExit(code: number | null, signal: NodeJS.Signals | null): void;
}

/** A running worker. */
export interface WorkerProcess {
  /**
   * Sends a signal. SIGTERM goes only to the worker, which ends its own children; SIGKILL also goes to all processes
   * below it.
   */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Asks the worker to end after its current step. */
  drain(): void;
}

/** Starts the process. Its output goes to the output of this process. */
export function startWorkerProcess(
  { command, args, cwd, env }: WorkerCommand,
  listener: WorkerListener,
): WorkerProcess {
  let hasEnded = false;
  /**
   * The descendants of the worker at the times when it was asked to end. They are stored because they cannot be found
   * by their parents afterwards.
   */
  let descendants: ReturnType<typeof findDescendants> = [];
  const child = spawnSafely();
  const handleEnd = (code: number | null, signal: NodeJS.Signals | null): void => {
    if (hasEnded) return;
    hasEnded = true;
    // A group keeps the id of its leader from being reused; on Windows there are no groups.
    if (child?.pid !== undefined && process.platform !== 'win32') signalGroup(child.pid, 'SIGKILL');
    killStillRunning(descendants);
    listener.onExit(code, signal);
  };
  // The event also occurs if a message cannot be sent to a worker that was just killed. Without a listener, it would
  // end this process.
  child?.on('error', () => child.pid === undefined && handleEnd(null, null));
  child?.on('spawn', () => child.pid !== undefined && listener.onStart(child.pid));
  child?.on('message', (message) => {
    const beat = parseBeat(message);
    if (beat && !hasEnded) listener.onBeat(beat);
  });
  child?.on('exit', handleEnd);
  if (child === null) queueMicrotask(() => handleEnd(null, null));

  function spawnSafely(): ChildProcess | null {
    try {
      return spawn(command, args, {
        cwd,
        env,
        detached: true,
        windowsHide: true,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
    } catch {
      // The system refuses some starts immediately, for example without memory. Such a refusal is a failure like any
      // other.
      return null;
    }
  }

  return {
    kill(signal) {
      if (hasEnded || child?.pid === undefined) return;
      const currentDescendants = findDescendants(child.pid);
      descendants = [...descendants, ...currentDescendants];
      if (signal === 'SIGTERM') return void child.kill(signal);
      signalGroup(child.pid, 'SIGKILL');
      killStillRunning(currentDescendants);
    },
    drain() {
      // A worker that has just ended cannot be reached, and needs no message.
      if (child?.connected) child.send({ type: 'drain' } satisfies DrainMessage, () => undefined);
    },
  };
}
