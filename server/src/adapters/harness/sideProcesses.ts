// Starts the processes of the sides, sends them requests with a time limit, and ends them.

import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import type { Law } from '../../core/verify/counterexamples/plan.ts';
import type {
  Call,
  FromSide,
  ValueSpec,
  CallOutcome,
  ProbeResult,
  RanCode,
  SideStart,
  SwitchedAnswer,
  ToSide,
} from './messages.ts';

/** Time limit of one call in milliseconds. The time for which the code itself waits is virtual and does not count. */
export const CALL_MS = 3_000;
/** Time limit in milliseconds for loading the code. */
const LOAD_MS = 30_000;
/** Maximum megabytes of heap of each process. */
const HEAP_MB = 512;
/**
 * The environment of a process with `SideStart.abroad`. Its time differs from UTC by many hours and some minutes, and
 * its language has special rules for upper and lower case.
 */
export const FOREIGN_ENVIRONMENT = { TZ: 'Pacific/Chatham', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' };

/**
 * The answer to `SideProcess.ask`. `hangs`: the process was stopped after this many milliseconds. `broken`: the reason,
 * as a part of a sentence, if the process ended on its own or could not make the call.
 */
export type SideAnswer = { readonly outcome: CallOutcome } | { readonly hangs: number } | { readonly broken: string };

/** The answer to `SideProcess.probe`. `unloaded`: the file does not load. */
export type ProbeAnswer =
  | { readonly probed: ProbeResult }
  | { readonly unloaded: { readonly path: string; readonly reason: string } }
  | { readonly hangs: true }
  | { readonly broken: string };

/** The answer to `SideProcess.tell`. `unloaded`: the reason why the file does not load. */
export type TellAnswer =
  | { readonly switched: SwitchedAnswer }
  | { readonly unloaded: { readonly path: string; readonly reason: string } }
  | { readonly hangs: true }
  | { readonly broken: string };

/** A process with code. A process that hangs is stopped, and answers no further request. */
export interface SideProcess {
  /** Makes a call of the target with this index. A call that takes longer than `millis` hangs. */
  ask(target: number, call: Call, millis?: number): Promise<SideAnswer>;
  /** Checks a law for these values. The time of the first probe of a file includes the time to load the file. */
  probe(law: Law, args: readonly ValueSpec[], millis: number): Promise<ProbeAnswer>;
  /**
   * Makes a call of code into which mutants are compiled, with this mutant on; with all mutants off if `mutant` is
   * null.
   */
  callSwitched(target: number, switched: Call, mutant: number | null, millis?: number): Promise<TellAnswer>;
  /**
   * Returns the code of the watched files and the ranges that never ran; null if the process has ended, or does not
   * answer in time.
   */
  readRanCode(millis?: number): Promise<readonly RanCode[] | null>;
  /** Ends the process. */
  end(): void;
}

/** Starts a process and loads the code. `obstacle`: the reason why the code does not load, as a part of a sentence. */
export async function startSide(
  entry: URL,
  start: SideStart,
  loadMs = LOAD_MS,
): Promise<SideProcess | { readonly obstacle: string }> {
  const child = fork(fileURLToPath(entry), ['side'], {
    cwd: start.rootDir,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, ...(start.isAbroad ? FOREIGN_ENVIRONMENT : { TZ: 'UTC' }) },
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
  });
  const { pid } = child;
  parentPort?.postMessage({ startedPid: pid });
  child.once('exit', () => parentPort?.postMessage({ endedPid: pid }));
  const loadReply = await sendRequest(child, { start }, loadMs);
  if (!('ready' in loadReply)) {
    child.kill('SIGKILL');
    return {
      obstacle:
        'failed' in loadReply
          ? loadReply.failed
          : 'hangs' in loadReply
            ? 'it takes too long to load'
            : 'it ends while it is loaded',
    };
  }
  return {
    async ask(target, call, millis = CALL_MS) {
      const reply = await sendRequest(child, { target, call }, millis);
      if ('outcome' in reply) return { outcome: reply.outcome };
      if ('hangs' in reply) {
        child.kill('SIGKILL');
        return { hangs: millis };
      }
      return { broken: 'failed' in reply ? reply.failed : 'the process ended' };
    },
    async probe(law, args, millis) {
      const reply = await sendRequest(child, { law, args }, millis);
      if ('probed' in reply || 'unloaded' in reply) return reply;
      if ('hangs' in reply) {
        child.kill('SIGKILL');
        return { hangs: true };
      }
      return { broken: 'failed' in reply ? reply.failed : 'the process ended' };
    },
    async callSwitched(target, switched, mutant, millis = CALL_MS) {
      const reply = await sendRequest(child, { switched, target, mutant }, millis);
      if ('switched' in reply || 'unloaded' in reply) return reply;
      if ('hangs' in reply) {
        child.kill('SIGKILL');
        return { hangs: true };
      }
      return { broken: 'failed' in reply ? reply.failed : 'the process ended' };
    },
    async readRanCode(millis = LOAD_MS) {
      const reply = await sendRequest(child, { finish: true }, millis);
      return 'finished' in reply ? reply.finished : null;
    },
    end: () => void child.kill('SIGKILL'),
  };
}

function sendRequest(
  child: ChildProcess,
  message: ToSide,
  millis: number,
): Promise<FromSide | { readonly hangs: true } | { readonly gone: true }> {
  return new Promise((resolve) => {
    if (!child.connected) return resolve({ gone: true });
    const settle = (reply: FromSide | { readonly hangs: true } | { readonly gone: true }) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
      resolve(reply);
    };
    const onMessage = (reply: unknown) => settle(reply as FromSide);
    const onExit = () => settle({ gone: true });
    const timer = setTimeout(() => settle({ hangs: true }), millis);
    child.on('message', onMessage).on('exit', onExit);
    // The process may have ended a moment ago, unnoticed so far.
    child.send(message, (error) => error && settle({ gone: true }));
  });
}
