// Where a job runs apart from us: in a thread, or in a process of its own, which may fall without taking us along.

import { fork, type ChildProcess } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { passOn } from '../system/terminal.ts';
import type { JobRequest } from './messages.ts';

/** Emits `message`, `error`, `messageerror` and `exit`, as a `Worker` does. */
export interface JobRunner extends EventEmitter {
  postMessage(request: JobRequest): void;
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
}

export function startThread(entry: URL, options: WorkerOptions): JobRunner {
  const worker = new Worker(entry, { ...options, stdout: true });
  // Standard output may carry a protocol: what a library prints there goes with the errors.
  worker.stdout.on('data', passOn);
  return worker;
}

/** It ends when we do. In an editor, our program has to be told to be Node. */
export function startProcess(entry: URL, args: readonly string[]): JobRunner {
  const child = fork(fileURLToPath(entry), args, { execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
  const held = { ref: child.ref.bind(child), unref: child.unref.bind(child) };
  return Object.assign<ChildProcess, Omit<JobRunner, keyof EventEmitter>>(child, {
    postMessage: (request) => void child.send(request),
    ref() {
      held.ref();
      child.channel?.ref();
    },
    unref() {
      held.unref();
      child.channel?.unref();
    },
    terminate() {
      // Somebody waits for its end.
      held.ref();
      child.kill('SIGKILL');
      return ended;
    },
  });
}
