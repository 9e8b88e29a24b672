// Carries out the decisions on new versions of Selfware for a supervisor: takes offers, checks them in separate
// processes, and chooses the version of the next worker.

import type { MonotonicMs } from '../../core/run/supervision.ts';
import {
  createInitialTakeOver,
  TAKE_OVER_RULES,
  nextTakeOverState,
  acceptsOffers,
  type ProgramVersion,
  type TakeOverEffect,
  type TakeOverEvent,
  type TakeOverRules,
  type TakeOverStep,
} from '../../core/run/takeOver.ts';
import { formatCount } from '../../util/counted.ts';
import { takeOffer, type CheckAnswer } from './versionOffers.ts';
import { startWorkerProcess, type WorkerCommand, type WorkerProcess } from './workerProcess.ts';

/** The parts on which the versions of a run depend. */
export interface VersionsOptions {
  /** The version that this process runs. */
  readonly current: ProgramVersion;
  /** Hashes of the versions that were refused or rolled back earlier. */
  readonly refused: readonly string[];
  /** The folder in which offers appear. */
  readonly folder: string;
  readonly rules?: TakeOverRules;
  /** A monotonic clock in milliseconds. Default: the clock of this process. */
  now?(): MonotonicMs;
  /** Returns the command that checks a version. Its process exits with 0 if the version is healthy. */
  createCheckCommand(version: ProgramVersion): WorkerCommand;
  /** Returns the answer of the check of this version, after the process of the check has ended. */
  readAnswer(version: ProgramVersion): CheckAnswer;
  /** Called before a version is checked or used. */
  onUse(version: ProgramVersion): void;
  /** Called for each step, in order. Must not throw. */
  onStep(step: TakeOverStep, version: ProgramVersion, reason: string | null): void;
}

/** The versions of a run, for its supervisor. */
export interface Versions {
  /**
   * Called once, by the supervisor of the run, before the first tick. An offer that an earlier run did not read may be
   * older than the present version, so it is dropped.
   */
  begin(): void;
  /** The version from which the worker that starts now has to be started. */
  forNextWorker(): ProgramVersion;
  /** True while the version of the worker may be rolled back. */
  isOnProbation(): boolean;
  /**
   * Called when a worker has ended. `isDoubtful`: true if the worker found that the run cannot continue, which another
   * version has to confirm.
   */
  workerEnded(isFailure: boolean, isDoubtful: boolean): void;
  /** Looks for offers. `renew` is called if the worker has to be replaced by one of another version. */
  tick(renew: () => void): void;
  /** Ends a check that is in progress. Steps that could not be stored yet are given up after one more attempt. */
  end(): void;
  /**
   * Resolves when the ledger contains all steps so far. If the ledger cannot be written, waits until it can, or until
   * `end`. If omitted, the ledger contains them immediately.
   */
  whenRecorded?(): Promise<void>;
}

/** Maximum milliseconds that the check of a version may take. */
const MAX_CHECK_MS = 30 * 60_000;

/** Creates the versions. Nothing is offered or checked before the first tick. */
export function createVersions(options: VersionsOptions): Versions {
  const { rules = TAKE_OVER_RULES, folder, now = () => performance.now() } = options;
  let state = createInitialTakeOver(options.current, options.refused);
  let runningCheck: { readonly process: WorkerProcess; readonly since: MonotonicMs; isTooLong: boolean } | null = null;
  let isOver = false;
  let renewWorker: () => void = () => undefined;

  const dispatch = (event: TimelessEvent): void => {
    const result = nextTakeOverState(state, { ...event, at: now() } as TakeOverEvent, rules);
    state = result.state;
    result.effects.forEach(carryOut);
  };
  const carryOut = (effect: TakeOverEffect): void => {
    switch (effect.type) {
      case 'check':
        return startCheck(effect.offer);
      case 'renewWorker':
        return renewWorker();
      case 'record':
        return options.onStep(effect.step, effect.subject, effect.reason);
    }
  };
  const startCheck = (version: ProgramVersion): void => {
    options.onUse(version);
    const process = startWorkerProcess(options.createCheckCommand(version), {
      onStart: () => undefined,
      onBeat: () => undefined,
      onExit(code) {
        const isTooLong = runningCheck?.isTooLong ?? false;
        runningCheck = null;
        // The end of the run shows nothing about the version.
        if (isOver) return;
        const endText = code === null ? 'Its check was ended.' : `Its check ended with code ${code}.`;
        const minutes = formatCount(Math.round(MAX_CHECK_MS / 60_000), 'minute');
        const answer = options.readAnswer(version);
        const reason = isTooLong ? `Its check took more than ${minutes}.` : (answer.reason ?? endText);
        dispatch({ type: 'checked', hash: version.hash, reason: code === 0 ? null : reason, found: answer.found });
      },
    });
    runningCheck = { process, since: now(), isTooLong: false };
  };

  return {
    begin() {
      takeOffer(folder);
    },
    forNextWorker() {
      dispatch({ type: 'workerStarts' });
      return state.current;
    },
    isOnProbation: () => state.probation !== null,
    workerEnded: (isFailure, isDoubtful) => dispatch({ type: 'workerEnded', isFailure, isDoubtful }),
    tick(renew) {
      renewWorker = renew;
      if (runningCheck && now() - runningCheck.since > MAX_CHECK_MS) {
        runningCheck.isTooLong = true;
        runningCheck.process.kill('SIGKILL');
      }
      const offer = acceptsOffers(state) ? takeOffer(folder) : null;
      if (offer) dispatch({ type: 'offered', ...offer });
      dispatch({ type: 'tick' });
    },
    end() {
      isOver = true;
      runningCheck?.process.kill('SIGKILL');
    },
  };
}

/** An event without its time. */
type TimelessEvent = TakeOverEvent extends infer One ? (One extends unknown ? Omit<One, 'at'> : never) : never;
