// Keeps the worker of an unattended run alive: a pure function from state and event to the next state and effects. It
// detects silent and stuck workers, starts new ones after growing pauses, and never runs two workers at once.

import {
  SUPERVISION_RULES,
  WORKER_EXIT,
  type EndingCause,
  type MonotonicMs,
  type SupervisionEffect,
  type SupervisionEnd,
  type SupervisionEvent,
  type SupervisionRules,
} from './supervision.ts';

/**
 * The stages of ending a worker, from the mildest. A stage begins when the time of the previous one is over, or as the
 * first one.
 */
type ShutdownStage = 'drain' | 'SIGTERM' | 'SIGKILL';

/** State of a worker that is being ended. */
interface Shutdown {
  readonly cause: EndingCause;
  readonly stage: ShutdownStage;
  /** The time at which the next stage begins. */
  readonly dueAt: MonotonicMs;
  /** The time at which the first SIGKILL was sent; null before. */
  readonly killedAt: MonotonicMs | null;
}

/** A worker that has been started and has not exited. */
interface LiveWorker {
  /** Counts up from 1. */
  readonly workerNumber: number;
  readonly startedAt: MonotonicMs;
  /** The time of the last heartbeat, or the time at which the time-outs were reset. */
  readonly heardAt: MonotonicMs;
  /** The time of the last heartbeat that showed progress or a wait, or the time at which the time-outs were reset. */
  readonly progressAt: MonotonicMs;
  /** The step that the last heartbeat reported; empty before the first one. */
  readonly step: string;
  readonly done: number;
  /** Null if the worker was not asked to end. */
  readonly ending: Shutdown | null;
}

/** The state of the supervisor between two events. */
export interface SupervisorState {
  readonly lastTickAt: MonotonicMs | null;
  /**
   * Null while there is no worker: before the next start, or after the end. A killed worker counts until it has
   * exited.
   */
  readonly worker: LiveWorker | null;
  readonly workersStarted: number;
  /** The time from which the next worker may start. */
  readonly startAt: MonotonicMs;
  /** The times of the starts within the last window, oldest first. */
  readonly starts: readonly MonotonicMs[];
  readonly failuresInARow: number;
  /** A person's request; null if there is none. */
  readonly requestedEnd: 'stop' | 'drain' | null;
  /** Null while supervision continues. */
  readonly end: SupervisionEnd | null;
}

/** The next state, and the effects to carry out now, in this order. */
export interface SupervisionStep {
  readonly state: SupervisorState;
  readonly effects: readonly SupervisionEffect[];
}

/** The reducer of the supervisor. */
export type Supervise = (state: SupervisorState, event: SupervisionEvent) => SupervisionStep;

/** The state before the first event. The first tick starts the first worker. */
export function createInitialSupervision(now: MonotonicMs): SupervisorState {
  return {
    lastTickAt: null,
    worker: null,
    workersStarted: 0,
    startAt: now,
    starts: [],
    failuresInARow: 0,
    requestedEnd: null,
    end: null,
  };
}

/**
 * The time of the next planned effect, at which a tick is needed; null if none is planned. The regular ticks detect a
 * worker that is silent or stuck.
 */
export function findDueTime({ worker, startAt, end }: SupervisorState): MonotonicMs | null {
  if (end !== null) return null;
  return worker === null ? startAt : (worker.ending?.dueAt ?? null);
}

/** Creates the reducer that follows these rules. It ignores all events after the end, and events of earlier workers. */
export function createSupervise(rules: SupervisionRules = SUPERVISION_RULES): Supervise {
  return (state, event) => {
    if (state.end !== null) return createStepWithoutEffects(state);
    switch (event.type) {
      case 'tick':
        return onTick(state, event.at, rules);
      case 'workerExited':
        return isFromCurrentWorker(state, event)
          ? onExit(state, state.worker, event, rules)
          : createStepWithoutEffects(state);
      case 'stopAsked':
        return onStopRequested(state, event.at, rules);
      case 'drainAsked':
        return onDrainRequested(state, event.at, rules);
      case 'workerStarted':
        if (!isFromCurrentWorker(state, event)) return createStepWithoutEffects(state);
        return {
          state: { ...state, worker: { ...state.worker, heardAt: event.at, progressAt: event.at } },
          effects: [{ type: 'record', event: { type: 'workerStarted', worker: event.worker, pid: event.pid } }],
        };
      case 'beat':
        return isFromCurrentWorker(state, event)
          ? createStepWithoutEffects({ ...state, worker: addBeat(state.worker, event) })
          : createStepWithoutEffects(state);
      case 'memory': {
        if (!isFromCurrentWorker(state, event) || event.rssMb <= rules.maxRssMb || state.worker.ending)
          return createStepWithoutEffects(state);
        return drainForAnother(state, 'memory', event.at, rules);
      }
      case 'renewAsked':
        return state.worker === null || state.worker.ending
          ? createStepWithoutEffects(state)
          : drainForAnother(state, 'renew', event.at, rules);
    }
  };
}

/**
 * Drains the worker so that another worker follows. Does nothing if no start is free, because the run would then stand
 * still. For a new version, the starts that a rollback needs must be free as well.
 */
function drainForAnother(
  state: SupervisorState,
  cause: 'memory' | 'renew',
  now: MonotonicMs,
  rules: SupervisionRules,
): SupervisionStep {
  const neededStarts = cause === 'renew' ? rules.startsToRenew : 1;
  return hasFreeStarts(state, neededStarts, now, rules)
    ? endWorker(state, cause, 'drain', now, rules)
    : createStepWithoutEffects(state);
}

function createStepWithoutEffects(state: SupervisorState): SupervisionStep {
  return { state, effects: [] };
}

function isFromCurrentWorker(
  state: SupervisorState,
  event: { readonly worker: number },
): state is SupervisorState & { readonly worker: LiveWorker } {
  return state.worker?.workerNumber === event.worker;
}

/** Takes the heartbeat into account. A changed step, a changed amount of work, or a wait on purpose is progress. */
function addBeat(worker: LiveWorker, beat: Extract<SupervisionEvent, { type: 'beat' }>): LiveWorker {
  const isProgress = beat.isWaiting === true || beat.step !== worker.step || beat.done !== worker.done;
  return {
    ...worker,
    heardAt: beat.at,
    progressAt: isProgress ? beat.at : worker.progressAt,
    step: beat.step,
    done: beat.done,
  };
}

function onTick(stateBefore: SupervisorState, now: MonotonicMs, rules: SupervisionRules): SupervisionStep {
  const gapMs = stateBefore.lastTickAt === null ? 0 : now - stateBefore.lastTickAt;
  const state = { ...stateBefore, lastTickAt: now };
  // This comes before the time-outs are checked, because a worker that slept with the machine could not send a
  // heartbeat.
  if (gapMs > rules.sleepTicks * rules.tickMs) {
    const { state: awakeState, effects } = performDueActions(resetTimeouts(state, now, rules), now, rules);
    return { state: awakeState, effects: [{ type: 'record', event: { type: 'slept', gapMs } }, ...effects] };
  }
  return performDueActions(state, now, rules);
}

/** The state in which all time-outs of the worker start again. */
function resetTimeouts(state: SupervisorState, now: MonotonicMs, rules: SupervisionRules): SupervisorState {
  const { worker } = state;
  if (worker === null) return state;
  const ending = worker.ending && { ...worker.ending, dueAt: now + durationOf(worker.ending, rules) };
  return { ...state, worker: { ...worker, heardAt: now, progressAt: now, ending } };
}

/** Starts a worker if that is due, ends a worker that is silent or stuck, or begins the next stage of ending it. */
function performDueActions(state: SupervisorState, now: MonotonicMs, rules: SupervisionRules): SupervisionStep {
  const { worker } = state;
  if (worker === null) return now >= state.startAt ? startWorker(state, now, rules) : createStepWithoutEffects(state);
  const { ending } = worker;
  // A worker that drains still works.
  if (ending === null || ending.stage === 'drain') {
    if (now - worker.heardAt > rules.silenceMs) return endWorker(state, 'silent', 'SIGKILL', now, rules);
    if (now - worker.progressAt > rules.noProgressMs) return endWorker(state, 'stuck', 'SIGTERM', now, rules);
  }
  return ending !== null && now >= ending.dueAt
    ? escalateEnding(state, worker, ending, now, rules)
    : createStepWithoutEffects(state);
}

function startWorker(state: SupervisorState, now: MonotonicMs, rules: SupervisionRules): SupervisionStep {
  const number = state.workersStarted + 1;
  return {
    state: {
      ...state,
      workersStarted: number,
      worker: { workerNumber: number, startedAt: now, heardAt: now, progressAt: now, step: '', done: 0, ending: null },
      starts: [...findRecentStarts(state, now, rules), now],
    },
    effects: [{ type: 'startWorker', worker: number }],
  };
}

/** Begins to end the worker with this stage. It replaces the stage of an end that has already begun. */
function endWorker(
  state: SupervisorState,
  cause: EndingCause,
  stage: ShutdownStage,
  now: MonotonicMs,
  rules: SupervisionRules,
): SupervisionStep {
  const { worker } = state;
  if (worker === null) return createStepWithoutEffects(state);
  const ending = {
    cause,
    stage,
    dueAt: now + durationOf({ cause, stage }, rules),
    killedAt: stage === 'SIGKILL' ? now : null,
  };
  const event = { type: 'workerAskedToEnd', worker: worker.workerNumber, cause, step: worker.step } as const;
  return {
    state: { ...state, worker: { ...worker, ending } },
    effects: [{ type: 'record', event }, createShutdownEffect(stage, worker.workerNumber)],
  };
}

/** Begins the next, stricter stage of ending the worker; SIGKILL is repeated. */
function escalateEnding(
  state: SupervisorState,
  worker: LiveWorker,
  ending: Shutdown,
  now: MonotonicMs,
  rules: SupervisionRules,
): SupervisionStep {
  const stage = ending.stage === 'drain' ? 'SIGTERM' : 'SIGKILL';
  const killedAt = ending.killedAt ?? (stage === 'SIGKILL' ? now : null);
  const dueAt = now + durationOf({ ...ending, stage }, rules);
  const nextEnding = { ...ending, stage, dueAt, killedAt } as const;
  const effects: SupervisionEffect[] = [createShutdownEffect(stage, worker.workerNumber)];
  const computeMsSinceKill = (time: MonotonicMs) => (killedAt === null ? 0 : time - killedAt);
  // A person is notified once: at the first attempt to kill the worker after this time.
  if (computeMsSinceKill(now) >= rules.remainsMs && computeMsSinceKill(now) - rules.killAfterMs < rules.remainsMs)
    effects.push({ type: 'tellPerson', notice: { reason: 'workerRemains', worker: worker.workerNumber } });
  return { state: { ...state, worker: { ...worker, ending: nextEnding } }, effects };
}

/** The duration of a stage in ms. */
function durationOf({ cause, stage }: Pick<Shutdown, 'cause' | 'stage'>, rules: SupervisionRules): number {
  if (stage === 'drain') return rules.drainMs;
  return cause === 'stop' && stage === 'SIGTERM' ? rules.stopAfterMs : rules.killAfterMs;
}

function createShutdownEffect(stage: ShutdownStage, worker: number): SupervisionEffect {
  return stage === 'drain' ? { type: 'drainWorker', worker } : { type: 'killWorker', worker, signal: stage };
}

function onStopRequested(state: SupervisorState, now: MonotonicMs, rules: SupervisionRules): SupervisionStep {
  const stateWithRequest = { ...state, requestedEnd: 'stop' } as const;
  if (state.worker === null) return endSupervision(stateWithRequest, 'stopped');
  const { worker } = state;
  const { ending } = worker;
  if (ending === null || ending.stage === 'drain') return endWorker(stateWithRequest, 'stop', 'SIGTERM', now, rules);
  // The worker is already being ended, by force if necessary.
  const dueAt = ending.stage === 'SIGTERM' ? Math.min(ending.dueAt, now + rules.stopAfterMs) : ending.dueAt;
  return createStepWithoutEffects({ ...stateWithRequest, worker: { ...worker, ending: { ...ending, dueAt } } });
}

function onDrainRequested(state: SupervisorState, now: MonotonicMs, rules: SupervisionRules): SupervisionStep {
  if (state.requestedEnd !== null) return createStepWithoutEffects(state);
  const stateWithRequest = { ...state, requestedEnd: 'drain' } as const;
  if (state.worker === null) return endSupervision(stateWithRequest, 'drained');
  return state.worker.ending
    ? createStepWithoutEffects(stateWithRequest)
    : endWorker(stateWithRequest, 'drain', 'drain', now, rules);
}

function onExit(
  state: SupervisorState,
  worker: LiveWorker,
  { at, code, signal }: Extract<SupervisionEvent, { type: 'workerExited' }>,
  rules: SupervisionRules,
): SupervisionStep {
  const cause = worker.ending?.cause ?? null;
  const livedMs = at - worker.startedAt;
  // A run may finish while its worker is drained. Then no other worker follows, because it would begin a new run.
  const isForAnother = cause === 'memory' || cause === 'renew';
  const isDrained = code === WORKER_EXIT.drained && cause !== 'stuck' && cause !== 'silent';
  const isPlanned = code !== WORKER_EXIT.finished && (isForAnother || isDrained);
  const endedState = determineEnd(state, code);
  const isFailure = endedState === null && !isPlanned;
  const endedRecord = {
    type: 'workerEnded',
    worker: worker.workerNumber,
    code,
    signal,
    cause,
    isFailure,
    livedMs,
  } as const;
  const record = { type: 'record', event: endedRecord } as const;
  const failuresBefore = livedMs >= rules.healthyMs ? 0 : state.failuresInARow;
  const stateWithoutWorker = { ...state, worker: null, failuresInARow: failuresBefore + (isFailure ? 1 : 0) };
  const { state: nextState, effects } =
    endedState === null
      ? planStart(stateWithoutWorker, isFailure ? computeBackoffMs(failuresBefore, rules) : 0, at, rules)
      : endSupervision(stateWithoutWorker, endedState);
  return { state: nextState, effects: [record, ...effects] };
}

/** The reason why supervision ends with this exit of its worker; null if it continues. */
function determineEnd(state: SupervisorState, code: number | null): SupervisionEnd | null {
  if (state.requestedEnd === 'stop') return 'stopped';
  if (code === WORKER_EXIT.needsPerson) return 'needsPerson';
  if (state.requestedEnd === 'drain') return 'drained';
  return code === WORKER_EXIT.finished ? 'finished' : null;
}

/** The pause in ms before the next start, which doubles with each earlier failure in a row. */
function computeBackoffMs(failuresBefore: number, rules: SupervisionRules): number {
  return Math.min(rules.maxBackoffMs, rules.firstBackoffMs * 2 ** failuresBefore);
}

/** Plans a start after `pauseMs`, or later if all starts of the window are used. A next start is always planned. */
function planStart(
  state: SupervisorState,
  pauseMs: number,
  now: MonotonicMs,
  rules: SupervisionRules,
): SupervisionStep {
  const starts = findRecentStarts(state, now, rules);
  const oldestStart = starts.at(-rules.maxStarts);
  // One millisecond is added because the sum may be rounded down.
  const freeAt = oldestStart === undefined ? now : oldestStart + rules.startsWindowMs + 1;
  const startAt = Math.max(now + pauseMs, freeAt);
  if (startAt === now) return startWorker(state, now, rules);
  const plannedRecord = {
    type: 'startPlanned',
    afterMs: Math.round(startAt - now),
    failuresInARow: state.failuresInARow,
  } as const;
  const effects: SupervisionEffect[] = [{ type: 'record', event: plannedRecord }];
  if (startAt > now + pauseMs)
    effects.push({ type: 'tellPerson', notice: { reason: 'tooManyStarts', waitMs: startAt - now } });
  return { state: { ...state, startAt, starts }, effects };
}

function findRecentStarts(
  { starts }: SupervisorState,
  now: MonotonicMs,
  rules: SupervisionRules,
): readonly MonotonicMs[] {
  return starts.filter((start) => start > now - rules.startsWindowMs);
}

function hasFreeStarts(
  state: SupervisorState,
  neededStarts: number,
  now: MonotonicMs,
  rules: SupervisionRules,
): boolean {
  return findRecentStarts(state, now, rules).length + neededStarts <= rules.maxStarts;
}

function endSupervision(state: SupervisorState, reason: SupervisionEnd): SupervisionStep {
  const effects: SupervisionEffect[] = [];
  if (reason === 'needsPerson') effects.push({ type: 'tellPerson', notice: { reason: 'needsPerson' } });
  effects.push({ type: 'exit', end: reason });
  return { state: { ...state, worker: null, end: reason }, effects };
}
