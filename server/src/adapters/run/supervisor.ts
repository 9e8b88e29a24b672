// Runs the supervisor: carries out its effects with real processes and a monotonic clock.

import { randomBytes } from 'node:crypto';
import type { EndOfRun } from '../../core/run/endOfRun.ts';
import { createSupervise, findDueTime, createInitialSupervision } from '../../core/run/supervise.ts';
import {
  SUPERVISION_RULES,
  WORKER_EXIT,
  type PersonNotice,
  type SupervisionEffect,
  type SupervisionEnd,
  type SupervisionEvent,
  type SupervisionRecord,
  type SupervisionRules,
} from '../../core/run/supervision.ts';
import type { ProgramVersion } from '../../core/run/takeOver.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { onForcedShutdown } from '../system/gracefulShutdown.ts';
import {
  endOrphanedWorkers,
  readProcessIdentity,
  registerProcess,
  findRunningSupervisors,
  type Registration,
  type SupervisorFacts,
} from '../system/runningProcesses.ts';
import { limitLog } from './logFile.ts';
import { SUPERVISOR_TOKEN } from './messages.ts';
import type { Versions } from './versions.ts';
import { startWorkerProcess, type WorkerCommand, type WorkerProcess } from './workerProcess.ts';

/** An exit code with which a worker counts as failed. */
const FAILED_EXIT_CODE = 1;
/** Maximum milliseconds that `endOfRun` may take. */
const END_OF_RUN_MS = 10_000;

/** The worker to supervise, and the functions through which its supervisor reports. */
export interface SuperviseWorkerOptions extends WorkerCommand {
  /** The repository of the run; it has one supervisor at most. */
  readonly rootDir: string;
  /** If aborted, the worker is stopped immediately, within `killAfterMs`. */
  readonly signal: AbortSignal;
  /** If aborted, the worker completes its current step first. */
  readonly drain?: AbortSignal;
  readonly rules?: SupervisionRules;
  /** Absolute path of the log to which this process writes. If set, the size of the log is limited. */
  readonly logFile?: string;
  /** The versions from which workers are started. If omitted, all are started by `command` and `args`. */
  readonly versions?: Versions;
  /** The version from which the first worker is started. */
  readonly version?: Pick<ProgramVersion, 'version' | 'hash'>;
  /** The arguments of a worker of the version for the next one. */
  argsOf?(version: ReturnType<Versions['forNextWorker']>): readonly string[];
  /**
   * Returns whether the run is over. Called when a worker of a version on probation reports the end of the run, because
   * a version that does not know its arguments, for example, may end in the same way. The report of the worker is
   * ignored if this function throws or takes longer than `endOfRunMs` (default: `END_OF_RUN_MS`). If it is omitted,
   * every worker is believed.
   */
  endOfRun?(): Promise<EndOfRun>;
  readonly endOfRunMs?: number;
  /** Called for each event. Must not throw. */
  onEvent(event: SupervisionRecord): void;
  /** Called with each notice for the person. Must not throw. */
  tellPerson(notice: PersonNotice): void;
}

/**
 * Keeps a worker running until it has finished, needs a person, or is stopped; if it fails, another one is started.
 * Resolves when no process of it is left. Throws `locked` if another process supervises this repository.
 */
export async function superviseWorker(options: SuperviseWorkerOptions): Promise<SupervisionEnd> {
  const token = randomBytes(16).toString('hex');
  const registration = await becomeSupervisor(options, token);
  try {
    return await superviseRegistered(options, token, registration);
  } finally {
    await registration.release();
  }
}

async function becomeSupervisor(
  { rootDir, env, version }: SuperviseWorkerOptions,
  token: string,
): Promise<Registration> {
  const registration = await registerProcess(rootDir, env, {
    supervisor: { token, worker: null, ...selectFacts(version) },
  });
  // If two supervisors start at the same time, each finds the other, so that at most one continues.
  const otherSupervisors = await findRunningSupervisors(rootDir, env);
  const [otherSupervisor] = otherSupervisors;
  if (otherSupervisor) {
    await registration.release();
    throw new SelfwareError('locked', `Process ${otherSupervisor.pid} supervises a run of this repository already.`, {
      action: 'End that run first: `selfware night stop`.',
    });
  }
  await endOrphanedWorkers(rootDir, env);
  return registration;
}

function selectFacts(version: SuperviseWorkerOptions['version']): Pick<SupervisorFacts, 'version' | 'hash'> {
  return version === undefined ? {} : { version: version.version, hash: version.hash };
}

function superviseRegistered(
  options: SuperviseWorkerOptions,
  token: string,
  registration: Registration,
): Promise<SupervisionEnd> {
  const { command, args, argsOf, cwd, signal, drain, versions, rules = SUPERVISION_RULES, logFile } = options;
  const env = { ...options.env, [SUPERVISOR_TOKEN]: token };
  versions?.begin();
  const supervise = createSupervise(rules);
  let state = createInitialSupervision(performance.now());
  let worker: WorkerProcess | null = null;
  /** The worker that is to be started once the ledger is ready; null if there is none, or if it is no longer wanted. */
  let pendingWorker: { readonly worker: number } | null = null;
  let runningVersion = options.version;
  /** True while an exit is handled for which the version of the worker may be the reason, not the run. */
  let isDoubtful = false;
  let dueTimer: NodeJS.Timeout | undefined;
  /** Updates of the record follow each other, so that the last one takes effect. */
  let lastRecord: Promise<void> = Promise.resolve();

  return new Promise((resolve) => {
    const dispatch = (event: TimelessEvent): void => {
      const step = supervise(state, { ...event, at: performance.now() } as SupervisionEvent);
      state = step.state;
      step.effects.forEach(carryOut);
      clearTimeout(dueTimer);
      const due = findDueTime(state);
      if (due === null) return;
      dueTimer = setTimeout(
        () => dispatch({ type: 'tick' }),
        Math.max(0, Math.min(rules.tickMs, due - performance.now())),
      );
    };
    const tick = (): void => {
      if (logFile !== undefined) limitLog(logFile);
      // A worker without a process cannot send beats.
      if (pendingWorker) dispatch({ type: 'beat', ...pendingWorker, step: '', done: 0, isWaiting: true });
      dispatch({ type: 'tick' });
      versions?.tick(() => dispatch({ type: 'renewAsked' }));
    };
    const stop = (): void => dispatch({ type: 'stopAsked' });
    const askDrain = (): void => dispatch({ type: 'drainAsked' });

    /**
     * Starts the worker once the ledger contains the steps of its version. If the ledger did not contain them yet, the
     * next worker would believe the end of a run that is doubted.
     */
    const start = (number: number): void => {
      const version = versions?.forNextWorker();
      runningVersion = version;
      const argsOfVersion = version && argsOf ? argsOf(version) : args;
      if (!versions?.whenRecorded) return startProcess(number, argsOfVersion);
      const attempt = { worker: number };
      pendingWorker = attempt;
      void versions.whenRecorded().then(() => {
        if (pendingWorker !== attempt) return;
        pendingWorker = null;
        startProcess(number, argsOfVersion);
      });
    };
    /** Gives up a worker that has no process yet. It counts as ended immediately, even if the ledger is still busy. */
    const giveUpPendingWorker = (): void => {
      if (!pendingWorker) return;
      const { worker: number } = pendingWorker;
      pendingWorker = null;
      // The effects of the present event come first.
      queueMicrotask(() => dispatch({ type: 'workerExited', worker: number, code: null, signal: null }));
    };
    const startProcess = (number: number, argsOfWorker: readonly string[]): void => {
      worker = startWorkerProcess(
        { command, args: argsOfWorker, cwd, env },
        {
          onStart(pid) {
            lastRecord = lastRecord.then(() => recordWorker(pid));
            dispatch({ type: 'workerStarted', worker: number, pid });
          },
          onBeat({ step, done, isWaiting = false, rssMb }) {
            dispatch({ type: 'beat', worker: number, step, done, isWaiting });
            dispatch({ type: 'memory', worker: number, rssMb });
          },
          onExit(code, exitSignal) {
            worker = null;
            lastRecord = lastRecord.then(() => recordWorker(null));
            const handleExit = (knownCode: number | null) =>
              dispatch({ type: 'workerExited', worker: number, code: knownCode, signal: exitSignal });
            if (!versions?.isOnProbation() || state.requestedEnd === 'stop') return handleExit(code);
            // A version that reports that the run cannot continue may itself be the reason.
            const doubt = () => {
              isDoubtful = state.requestedEnd !== 'stop';
              handleExit(FAILED_EXIT_CODE);
            };
            if (code === WORKER_EXIT.needsPerson) return doubt();
            if (code !== WORKER_EXIT.finished || !options.endOfRun) return handleExit(code);
            rejectAfter(options.endOfRun(), options.endOfRunMs ?? END_OF_RUN_MS).then(
              (end) => (end === 'doubtful' ? doubt() : handleExit(end === 'over' ? code : FAILED_EXIT_CODE)),
              () => handleExit(FAILED_EXIT_CODE),
            );
          },
        },
      );
    };
    /**
     * Records the process of the worker, so that the next supervisor can end it if this one was killed. An error is
     * ignored, because a worker usually ends together with this process.
     */
    const recordWorker = async (pid: number | null): Promise<void> => {
      const facts = selectFacts(runningVersion);
      const identity = pid === null ? null : await readProcessIdentity(pid);
      await registration.update({ token, worker: identity, ...facts }).catch(() => undefined);
    };
    const carryOut = (effect: SupervisionEffect): void => {
      switch (effect.type) {
        case 'startWorker':
          return start(effect.worker);
        case 'drainWorker':
          giveUpPendingWorker();
          return worker?.drain();
        case 'killWorker':
          giveUpPendingWorker();
          // Unless a person ends the run, the worker leaves the run to the next worker.
          if (effect.signal === 'SIGTERM' && state.worker?.ending?.cause !== 'stop') worker?.drain();
          return worker?.kill(effect.signal);
        case 'tellPerson':
          return options.tellPerson(effect.notice);
        case 'record':
          if (effect.event.type === 'workerEnded') versions?.workerEnded(effect.event.isFailure, isDoubtful);
          isDoubtful = false;
          return options.onEvent(effect.event);
        case 'exit':
          clearInterval(ticks);
          versions?.end();
          unregister();
          signal.removeEventListener('abort', stop);
          drain?.removeEventListener('abort', askDrain);
          void lastRecord.then(() => resolve(effect.end));
      }
    };

    // If this process is killed while it waits for its worker, the worker is killed as well.
    const unregister = onForcedShutdown(() => {
      worker?.kill('SIGKILL');
      versions?.end();
    });
    signal.addEventListener('abort', stop, { once: true });
    drain?.addEventListener('abort', askDrain, { once: true });
    const ticks = setInterval(tick, rules.tickMs);
    if (signal.aborted) stop();
    else if (drain?.aborted) askDrain();
    else tick();
  });
}

/** The result of the promise. Rejects with an `Error` if it takes longer than `ms` milliseconds. */
async function rejectAfter<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It took too long.')), ms);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

/** An event without its time. */
type TimelessEvent = SupervisionEvent extends infer One ? (One extends unknown ? Omit<One, 'at'> : never) : never;
