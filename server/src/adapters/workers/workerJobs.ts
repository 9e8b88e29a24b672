// Runs jobs on worker threads. A job that is cancelled, hangs or crashes ends its thread and nothing else.

import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { SelfwareError } from '../../util/typedError.ts';
import type { OriginalPackages } from '../files/sourceTreeOfCopy.ts';
import { findCompiledCodeFolder } from '../system/compiledCode.ts';
import { printEscaped } from '../system/terminal.ts';
import type { JobReply, JobRequest, ThreadData } from './messages.ts';
import type { Jobs, JobTable } from '../../core/jobs.ts';
import { ThreadEndedError } from '../../core/ports/jobs.ts';

/** Options of the worker threads. */
export interface WorkerJobsOptions {
  /** The file that each thread runs (absolute path or URL). */
  readonly entry: URL | string;
  /** Maximum number of threads. If absent, the number of cores, but at most 4. */
  readonly threads?: number;
  /** Milliseconds after which a job is stopped, by the name of the job. */
  readonly timeouts?: Partial<Record<keyof JobTable, number>>;
  /** Milliseconds after which an idle thread is stopped, which frees its memory. */
  readonly idleMs?: number;
  /** Megabytes of heap for each thread; if a job needs more, only that job fails. */
  readonly heapMb?: number;
  /**
   * The folder whose installed packages the jobs see, if their root has none; null if there is none. It is looked up
   * whenever a thread starts.
   */
  readonly findPackages?: () => OriginalPackages | null;
}

/** Milliseconds after which a job is stopped, unless the options override it. */
const DEFAULT_TIMEOUTS: Record<keyof JobTable, number> = {
  inspect: 30_000,
  glance: 10_000,
  explain: 10_000,
  fixText: 20_000,
  scan: 20_000,
  analyse: 30_000,
  typeHoles: 120_000,
  inventory: 30_000,
  relate: 30_000,
  syntax: 20_000,
  configure: 10_000,
  readCommand: 10_000,
  safety: 120_000,
  planDifferential: 120_000,
  recordCalls: 30_000,
  planMutants: 30_000,
  planGoCalls: 60_000,
  planTraces: 30_000,
  testCases: 60_000,
  planCheats: 30_000,
  planNear: 30_000,
  newState: 30_000,
  lostDocumentation: 30_000,
  docNames: 30_000,
  hiddenFaults: 30_000,
  contradictions: 30_000,
  applyRecipe: 180_000,
  transform: 180_000,
  knowsCause: 60_000,
  compose: 180_000,
  alike: 180_000,
  planRecording: 120_000,
  planSearch: 120_000,
  planExamples: 30_000,
  checkFinds: 300_000,
  guardingTests: 300_000,
  mineEdits: 120_000,
  induceRecipes: 120_000,
  findShapes: 120_000,
  rewriteShape: 60_000,
};
/** Megabytes of heap of each thread, unless the options override it. */
const DEFAULT_HEAP_MB = 512;
/**
 * Megabytes of heap for new objects. It is small, so that garbage is collected often, before that of several files
 * accumulates.
 */
const YOUNG_HEAP_MB = 12;
/** Milliseconds after which an idle thread is stopped, unless the options override it. */
const DEFAULT_IDLE_MS = 60_000;

interface Task {
  readonly name: keyof JobTable;
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  idleTimer: NodeJS.Timeout | null;
}

/**
 * Creates the runner of jobs. Threads start with the first job. Errors: `createCancellationError`, `timedOut`, and the errors
 * of the job itself (`internal` if it crashed).
 */
export function createWorkerJobs(options: WorkerJobsOptions): Jobs {
  const threads = Math.max(1, options.threads ?? Math.min(availableParallelism(), 4));
  const entry = options.entry instanceof URL ? options.entry : pathToFileURL(options.entry);
  const waitingTasks: Task[] = [];
  const idleThreads: Thread[] = [];
  const allThreads = new Set<Thread>();
  let isClosed = false;
  let requestCount = 0;

  const startThread = (): Thread => {
    const worker = new Worker(entry, {
      stdout: true,
      workerData: { code: findCompiledCodeFolder(), packages: options.findPackages?.() ?? null } satisfies ThreadData,
      resourceLimits: {
        maxOldGenerationSizeMb: options.heapMb ?? DEFAULT_HEAP_MB,
        maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
      },
    });
    // Standard output may carry a protocol, so the output of libraries is redirected to standard error.
    worker.stdout.on('data', printEscaped);
    const thread: Thread = { worker, idleTimer: null };
    allThreads.add(thread);
    return thread;
  };
  const retire = (thread: Thread): void => {
    if (thread.idleTimer) clearTimeout(thread.idleTimer);
    allThreads.delete(thread);
    const threadIndex = idleThreads.indexOf(thread);
    if (threadIndex >= 0) idleThreads.splice(threadIndex, 1);
    void thread.worker.terminate();
  };
  const makeIdle = (thread: Thread): void => {
    thread.worker.unref();
    thread.idleTimer = setTimeout(() => retire(thread), options.idleMs ?? DEFAULT_IDLE_MS);
    thread.idleTimer.unref();
    idleThreads.push(thread);
  };
  const startWaitingTasks = (): void => {
    while (waitingTasks.length > 0 && (idleThreads.length > 0 || allThreads.size < threads)) {
      const thread = idleThreads.pop() ?? startThread();
      if (thread.idleTimer) clearTimeout(thread.idleTimer);
      thread.worker.ref();
      runTask(thread, waitingTasks.shift()!);
    }
  };

  const runTask = (thread: Thread, task: Task): void => {
    const id = ++requestCount;
    const { worker } = thread;
    const limit = options.timeouts?.[task.name] ?? DEFAULT_TIMEOUTS[task.name];
    const timer = setTimeout(
      () =>
        endWithError(
          new SelfwareError('timedOut', `The job ${task.name} took longer than ${limit / 1000} s and was ended.`),
        ),
      limit,
    );
    const onAbort = () => endWithError(createCancellationError());
    const onError = (cause: unknown) =>
      endWithError(
        new ThreadEndedError(
          `The job ${task.name} crashed: ${cause instanceof Error ? cause.message : String(cause)}`,
          cause,
        ),
      );
    const onExit = (code: number) =>
      endWithError(
        isClosed
          ? createCancellationError()
          : new ThreadEndedError(`The thread of the job ${task.name} ended with code ${code}.`),
      );
    const onMessage = (reply: JobReply) => {
      if (reply.id !== id) return;
      if ('output' in reply) {
        release();
        makeIdle(thread);
        task.resolve(reply.output);
        startWaitingTasks();
      } else {
        const { reason, message, action, stack } = reply.error;
        endWithError(new SelfwareError(reason, message, { ...(action ? { action } : {}), cause: stack ?? undefined }));
      }
    };
    const release = () => {
      clearTimeout(timer);
      task.signal.removeEventListener('abort', onAbort);
      worker.off('message', onMessage).off('error', onError).off('messageerror', onError).off('exit', onExit);
      // Without a listener, an error of the thread after its answer would end the process.
      worker.on('error', () => retire(thread));
    };
    // A thread in which a job failed may have a broken parser, so the next job gets a new thread.
    const endWithError = (error: SelfwareError) => {
      release();
      retire(thread);
      task.reject(error);
      startWaitingTasks();
    };
    task.signal.addEventListener('abort', onAbort, { once: true });
    worker
      .removeAllListeners('error')
      .on('message', onMessage)
      .on('error', onError)
      .on('messageerror', onError)
      .on('exit', onExit);
    try {
      worker.postMessage({ id, name: task.name, input: task.input } satisfies JobRequest);
    } catch (cause) {
      endWithError(
        new SelfwareError('internal', `The input of the job ${task.name} cannot be sent to a thread.`, { cause }),
      );
    }
  };

  return {
    run<K extends keyof JobTable>(name: K, input: JobTable[K]['input'], signal: AbortSignal) {
      return new Promise<JobTable[K]['output']>((resolve, reject) => {
        if (isClosed) return reject(new SelfwareError('cancelled', 'The jobs are closed.'));
        if (signal.aborted) return reject(createCancellationError());
        const leave = () => {
          const threadIndex = waitingTasks.indexOf(task);
          if (threadIndex < 0) return;
          waitingTasks.splice(threadIndex, 1);
          reject(createCancellationError());
        };
        const task: Task = {
          name,
          input,
          signal,
          resolve: (output) => {
            signal.removeEventListener('abort', leave);
            resolve(output as JobTable[K]['output']);
          },
          reject: (error) => {
            signal.removeEventListener('abort', leave);
            reject(error);
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        waitingTasks.push(task);
        startWaitingTasks();
      });
    },
    release() {
      for (const thread of [...idleThreads]) retire(thread);
    },
    async close() {
      isClosed = true;
      for (const task of waitingTasks.splice(0)) task.reject(createCancellationError());
      await Promise.all([...allThreads].map((thread) => thread.worker.terminate()));
      allThreads.clear();
      idleThreads.length = 0;
    },
  };
}

function createCancellationError(): SelfwareError {
  return new SelfwareError('cancelled', 'Cancelled.');
}
