// Limits the number of processes on systems whose kernel does not: a separate process counts the processes of commands
// many times a second, and ends a command that has too many. A thread would not do, because it would wait for locks of
// other threads, which a fork bomb keeps from running. A task is a process or a thread, as the kernel counts them.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { countTasks } from './countTasks.ts';
import { findSystemProgram } from './isolation/mechanism.ts';

/** Maximum number of milliseconds for which a command waits for the start or an answer of the counter. */
const ANSWER_MS = 2_000;

/** A command whose tasks are being counted. */
export interface CountedCommand {
  /** Ends the counting. True if the command was stopped because of its number of processes. */
  stop(): Promise<boolean>;
}

/** The process that counts. */
interface Counter {
  readonly process: ChildProcess;
  /** Resolves when the process can count, or has ended. */
  readonly whenReady: Promise<unknown>;
  /** Ids of commands that the process has ended because they had too many tasks. */
  readonly endedCommands: Set<number>;
  /** Called when the counting of a command has ended. By the id of the command. */
  readonly answerListeners: Map<number, () => void>;
}

/** The running counter; null if none is running. */
let counter: Counter | null = null;
let lastCommandId = 0;

/** Resolves when commands can be counted from their first process on, or after `ANSWER_MS`. */
export async function startCounting(): Promise<void> {
  if (process.platform !== 'linux') return;
  counter ??= startCounter();
  await waitForAnswer(counter.whenReady);
}

/** Counts the tasks of a command; the counter ends the command if they exceed the limit. */
export function limitTasks(leader: number, limit: number): CountedCommand {
  const currentCounter = counter;
  lastCommandId += 1;
  const id = lastCommandId;
  currentCounter?.process.stdin?.write(`+ ${id} ${leader} ${limit}\n`);
  return {
    async stop() {
      if (currentCounter === null || currentCounter !== counter) return false;
      const answer = new Promise<void>((resolve) => currentCounter.answerListeners.set(id, resolve));
      currentCounter.process.stdin?.write(`- ${id}\n`);
      await waitForAnswer(answer);
      currentCounter.answerListeners.delete(id);
      return currentCounter.endedCommands.delete(id);
    },
  };
}

function startCounter(): Counter {
  const chrt = findSystemProgram('chrt');
  const text = `(${countTasks.toString()})(${JSON.stringify(chrt)})`;
  // In an editor, the executable acts as Node only with this variable. A process with a single thread has no locks
  // between threads.
  const child = spawn(process.execPath, ['--single-threaded', '-e', text], {
    env: { ELECTRON_RUN_AS_NODE: '1' },
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const onAnswer = new Map<number, () => void>();
  const exceeded = new Set<number>();
  const lines = createInterface({ input: child.stdout });
  const newCounter = {
    process: child,
    whenReady: once(lines, 'line').catch(() => undefined),
    endedCommands: exceeded,
    answerListeners: onAnswer,
  };
  lines.on('line', (line) => {
    const [mark, id] = [line[0], Number(line.slice(2))];
    if (mark === '!') exceeded.add(id);
    if (mark === '-') onAnswer.get(id)?.();
  });
  const forget = () => {
    if (counter === newCounter) counter = null;
  };
  child.once('error', forget).once('exit', forget);
  child.stdin.on('error', forget);
  // The counter ends when its input ends, and so when this process ends.
  child.unref();
  for (const pipe of [child.stdin, child.stdout]) (pipe as unknown as { unref(): void }).unref();
  return newCounter;
}

async function waitForAnswer(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ANSWER_MS)))]);
  clearTimeout(timer);
}
