// Where the kernel limits nobody's processes: a process of ours counts those of commands many times a second, and ends
// a command that has too many. It is a process of its own, because a thread would wait for locks of the other threads,
// which a fork bomb keeps from running.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { countTasks } from './countTasks.ts';
import { systemProgram } from './isolation/mechanism.ts';

/** Neither its start nor its answer keeps a command waiting for longer. */
const ANSWER_MS = 2_000;

export interface CountedCommand {
  /** Ends the counting. True if the command has been ended for its number of processes. */
  stop(): Promise<boolean>;
}

interface Counter {
  readonly process: ChildProcess;
  readonly ready: Promise<unknown>;
  readonly exceeded: Set<number>;
  readonly answers: Map<number, () => void>;
}

let counter: Counter | null = null;
let commands = 0;

/** Resolves when commands are counted from their first process on. */
export async function startCounting(): Promise<void> {
  if (process.platform !== 'linux') return;
  counter ??= started();
  await withinAnswer(counter.ready);
}

export function countTasksBelow(leader: number, limit: number): CountedCommand {
  const own = counter;
  commands += 1;
  const id = commands;
  own?.process.stdin?.write(`+ ${id} ${leader} ${limit}\n`);
  return {
    async stop() {
      if (own === null || own !== counter) return false;
      const answered = new Promise<void>((resolve) => own.answers.set(id, resolve));
      own.process.stdin?.write(`- ${id}\n`);
      await withinAnswer(answered);
      own.answers.delete(id);
      return own.exceeded.delete(id);
    },
  };
}

function started(): Counter {
  const chrt = systemProgram('chrt');
  const text = `(${countTasks.toString()})(${JSON.stringify(chrt)})`;
  // In an editor our program is a Node only when told so. Without threads there are no locks between them.
  const child = spawn(process.execPath, ['--single-threaded', '-e', text], {
    env: { ELECTRON_RUN_AS_NODE: '1' },
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = new Map<number, () => void>();
  const exceeded = new Set<number>();
  const lines = createInterface({ input: child.stdout });
  const made = { process: child, ready: once(lines, 'line').catch(() => undefined), exceeded, answers };
  lines.on('line', (line) => {
    const [what, id] = [line[0], Number(line.slice(2))];
    if (what === '!') exceeded.add(id);
    if (what === '-') answers.get(id)?.();
  });
  const forget = () => {
    if (counter === made) counter = null;
  };
  child.once('error', forget).once('exit', forget);
  child.stdin.on('error', forget);
  // It ends when its input does, which is when we end.
  child.unref();
  for (const pipe of [child.stdin, child.stdout]) (pipe as unknown as { unref(): void }).unref();
  return made;
}

async function withinAnswer(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ANSWER_MS)))]);
  clearTimeout(timer);
}
