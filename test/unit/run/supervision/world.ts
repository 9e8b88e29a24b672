// A world with a seed in which a supervisor works: workers that crash, hang, get stuck and grow, bad builds, and a
// machine that sleeps. The clock counts sleep, as on macOS and Windows; one that does not would notice nothing of it.

import { findDueTime, createInitialSupervision, type Supervise } from '../../../../server/src/core/run/supervise.ts';
import {
  SUPERVISION_RULES,
  WORKER_EXIT,
  type SupervisionEffect,
  type SupervisionEvent,
} from '../../../../server/src/core/run/supervision.ts';
import { Agenda } from './agenda.ts';
import type { Condition, Fact } from './facts.ts';
import { createRandom } from './random.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const { tickMs, beatMs, drainMs, maxRssMb } = SUPERVISION_RULES;

/** Mean times between faults. */
const MEAN = {
  crash: 2 * HOUR,
  hang: 6 * HOUR,
  stuck: 8 * HOUR,
  growth: 6 * HOUR,
  sleep: 12 * HOUR,
  badBuild: 24 * HOUR,
};
/** Longest time between two beats of a healthy worker, whose main thread may be busy. */
export const MAX_BETWEEN_BEATS_MS = 85 * SECOND;
/** Longest time that a timer is late, also right after the machine slept. */
export const MAX_LATE_MS = 500;
/** Longest time that a process remains after SIGKILL, because it is in a system call. */
export const MAX_REMAINING_MS = 100 * SECOND;

interface SimulatedWorker {
  readonly number: number;
  readonly startedAt: number;
  isAlive: boolean;
  condition: Condition;
  isWaiting: boolean;
  done: number;
  rssMb: number;
  isLarge: boolean;
  drainAskedAt: number | null;
  /** Ended for a fault of its own, and not because a drain or a stop was due. */
  isFaulty: boolean;
  /** True once SIGKILL was sent. */
  isDying: boolean;
  /** Ignores SIGTERM. */
  readonly isDeaf: boolean;
}

/** Everything that happens in so many hours under this supervisor, and in the minutes after it was asked to stop. */
export function simulate(seed: number, hours: number, supervise: Supervise): readonly Fact[] {
  const random = createRandom(seed);
  const agenda = new Agenda();
  const facts: Fact[] = [];
  let state = createInitialSupervision(0);
  let worker: SimulatedWorker | null = null;
  /** All that live; more than one only under a supervisor that is wrong. */
  const alive = new Set<SimulatedWorker>();
  let asleepUntil = 0;
  let isBadBuild = false;
  let isStopAsked = false;
  let nextTickAt = 0;
  let nextDueAt = Infinity;

  /** Like a timer of a process: what is due while the machine sleeps happens soon after. */
  const later = (ms: number, act: () => void): void => {
    const run = () => (agenda.now < asleepUntil ? agenda.at(asleepUntil + random.between(1, MAX_LATE_MS), run) : act());
    agenda.at(agenda.now + ms, run);
  };

  const tell = (event: Untimed): void => {
    const step = supervise(state, { ...event, at: agenda.now } as SupervisionEvent);
    state = step.state;
    for (const effect of step.effects) carryOut(effect);
    const due = findDueTime(state);
    if (due === null || due <= agenda.now || due >= Math.min(nextTickAt, nextDueAt)) return;
    nextDueAt = due;
    later(due - agenda.now, () => {
      nextDueAt = Infinity;
      tell({ type: 'tick' });
    });
  };

  const carryOut = (effect: SupervisionEffect): void => {
    const at = agenda.now;
    if (effect.type === 'startWorker') start(effect.worker);
    else if (effect.type === 'tellPerson') facts.push({ at, is: 'told', reason: effect.notice.reason });
    else if (effect.type === 'exit') facts.push({ at, is: 'supervisionEnded', end: effect.end, alive: alive.size });
    else if (effect.type === 'drainWorker' && worker?.number === effect.worker) askDrain(worker);
    else if (effect.type === 'killWorker' && worker?.number === effect.worker) signal(worker, effect.signal);
  };

  const start = (number: number): void => {
    const one: SimulatedWorker = {
      number,
      startedAt: agenda.now,
      isAlive: true,
      condition: 'healthy',
      isWaiting: false,
      done: 0,
      rssMb: random.between(200, 400),
      isLarge: false,
      drainAskedAt: null,
      isFaulty: false,
      isDying: false,
      isDeaf: random.next() < 0.3,
    };
    facts.push({ at: agenda.now, is: 'started', worker: number, alive: alive.size });
    worker = one;
    alive.add(one);
    later(random.between(1, 50), () => one.isAlive && tell({ type: 'workerStarted', worker: number, pid: number }));
    if (isBadBuild && random.next() < 0.2) hang(one);
    else if (isBadBuild) later(random.between(100, 2_000), () => end(one, 1));
    later(random.between(SECOND, 8 * SECOND), () => beat(one));
    later(random.between(MINUTE, 10 * MINUTE), () => work(one));
  };

  const beat = (one: SimulatedWorker): void => {
    if (!one.isAlive) return;
    later(
      random.next() < 0.02
        ? random.between(beatMs, MAX_BETWEEN_BEATS_MS - MAX_LATE_MS)
        : random.between(beatMs, 1.05 * beatMs),
      () => beat(one),
    );
    if (one.condition === 'hung') return;
    tell({ type: 'beat', worker: one.number, step: `step ${one.done % 3}`, done: one.done, isWaiting: one.isWaiting });
    if (!one.isLarge && one.rssMb > maxRssMb) {
      one.isLarge = true;
      facts.push({ at: agenda.now, is: 'large', worker: one.number });
    }
    tell({ type: 'memory', worker: one.number, rssMb: one.rssMb });
  };

  /** Now and then, a worker waits for hours, for example for a new commit. */
  const work = (one: SimulatedWorker): void => {
    if (!one.isAlive) return;
    one.isWaiting = !one.isWaiting && one.condition === 'healthy' && random.next() < 0.05;
    if (one.condition === 'healthy') one.done += 1;
    later(one.isWaiting ? random.wait(2 * HOUR) : random.between(MINUTE, 10 * MINUTE), () => work(one));
  };

  const hang = (one: SimulatedWorker): void => {
    one.condition = 'hung';
    facts.push({ at: agenda.now, is: 'hung', worker: one.number });
  };

  const grow = (one: SimulatedWorker): void => {
    if (!one.isAlive) return;
    one.rssMb += 50;
    later(MINUTE, () => grow(one));
  };

  const askDrain = (one: SimulatedWorker): void => {
    one.drainAskedAt = agenda.now;
    facts.push({ at: agenda.now, is: 'drainAsked', worker: one.number });
    if (random.next() < 0.1) return;
    later(random.between(0, 10 * MINUTE), () => one.condition === 'healthy' && end(one, WORKER_EXIT.drained));
  };

  const signal = (one: SimulatedWorker, kind: 'SIGTERM' | 'SIGKILL'): void => {
    const { number, condition, drainAskedAt } = one;
    const isDue = isStopAsked || (drainAskedAt !== null && agenda.now - drainAskedAt >= drainMs);
    facts.push({ at: agenda.now, is: 'signalled', worker: number, condition, isDue });
    one.isFaulty ||= !isDue;
    if (kind === 'SIGTERM' && (one.isDeaf || condition === 'hung')) return;
    if (one.isDying) return;
    one.isDying = kind === 'SIGKILL';
    const isInSystemCall = kind === 'SIGKILL' && random.next() < 0.02;
    const afterMs = isInSystemCall
      ? random.between(10 * SECOND, MAX_REMAINING_MS - MAX_LATE_MS)
      : random.between(1, kind === 'SIGKILL' ? 200 : 3 * SECOND);
    later(afterMs, () => end(one, kind === 'SIGKILL' ? null : 143));
  };

  const end = (one: SimulatedWorker, code: number | null): void => {
    if (!one.isAlive) return;
    one.isAlive = false;
    alive.delete(one);
    const isPlanned = code === WORKER_EXIT.drained || (one.drainAskedAt !== null && !one.isFaulty);
    later(random.between(1, 50), () => {
      facts.push({ at: agenda.now, is: 'ended', worker: one.number, isFailure: !isPlanned });
      tell({ type: 'workerExited', worker: one.number, code, signal: code === null ? 'SIGKILL' : null });
      // What the worker had said before may be delivered after its end.
      const { number, done } = one;
      later(random.between(1, 2_000), () => tell({ type: 'beat', worker: number, step: 'late', done }));
    });
  };

  const every = (mean: number, act: () => void): void => {
    later(random.wait(mean), () => {
      act();
      every(mean, act);
    });
  };
  const toHealthy = (act: (one: SimulatedWorker) => void) => () => {
    if (worker?.isAlive && worker.condition === 'healthy' && !worker.isDying) act(worker);
  };

  every(MEAN.crash, () => worker && end(worker, 1));
  every(MEAN.hang, toHealthy(hang));
  every(
    MEAN.stuck,
    toHealthy((one) => {
      one.condition = 'stuck';
      one.isWaiting = false;
      facts.push({ at: agenda.now, is: 'stuck', worker: one.number });
    }),
  );
  every(MEAN.growth, toHealthy(grow));
  every(MEAN.sleep, () => {
    const forMs = MINUTE + random.wait(3 * HOUR);
    asleepUntil = agenda.now + forMs;
    facts.push({ at: agenda.now, is: 'slept', forMs });
  });
  every(MEAN.badBuild, () => {
    if (isBadBuild) return;
    isBadBuild = true;
    if (worker) end(worker, 1);
    later(random.wait(2 * HOUR), () => (isBadBuild = false));
  });
  const tick = (): void => {
    const late = random.between(0, 300);
    nextTickAt = agenda.now + tickMs + late;
    tell({ type: 'tick' });
    if (state.end === null) later(tickMs + late, tick);
  };
  tick();
  later(hours * HOUR, () => {
    isStopAsked = true;
    facts.push({ at: agenda.now, is: 'stopAsked' });
    tell({ type: 'stopAsked' });
  });
  agenda.runUntil(hours * HOUR);
  // The machine may sleep when it is asked to stop, and fall asleep again while it does.
  do agenda.runUntil(Math.max(agenda.now, asleepUntil) + 5 * MINUTE);
  while (agenda.now < asleepUntil);
  facts.push({ at: agenda.now, is: 'over', alive: alive.size });
  return facts;
}

/** An event without its time. */
type Untimed = SupervisionEvent extends infer One ? (One extends unknown ? Omit<One, 'at'> : never) : never;
