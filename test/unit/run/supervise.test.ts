// The supervisor: its rules one by one, days of a simulated world, and mutants that this simulation must find.

import { expect, test } from 'vitest';
import { createSupervise, findDueTime, createInitialSupervision } from '../../../server/src/core/run/supervise.ts';
import {
  SUPERVISION_RULES,
  WORKER_EXIT,
  type SupervisionEffect,
  type SupervisionEvent,
} from '../../../server/src/core/run/supervision.ts';
import { TAKE_OVER_RULES } from '../../../server/src/core/run/takeOver.ts';
import { violated } from './supervision/invariants.ts';
import { MUTANTS } from './supervision/mutants.ts';
import { simulate } from './supervision/world.ts';

/** 200 seeds are the bench `supervision`. */
const SEEDS = 40;
/** Mutants are found sooner. */
const MUTANT_SEEDS = 20;
const HOURS = 72;
const { tickMs, silenceMs, noProgressMs, healthyMs, killAfterMs, stopAfterMs, remainsMs, drainMs, startsWindowMs } =
  SUPERVISION_RULES;

/** A supervisor whose time is moved by the test. Effects are returned without the records. */
function scene() {
  const supervise = createSupervise();
  let state = createInitialSupervision(0);
  let now = 0;
  const records: SupervisionEffect[] = [];
  const say = (event: Untimed): readonly SupervisionEffect[] => {
    const step = supervise(state, { ...event, at: now } as SupervisionEvent);
    state = step.state;
    records.push(...step.effects.filter(({ type }) => type === 'record'));
    return step.effects.filter(({ type }) => type !== 'record');
  };
  return {
    say,
    records,
    /** Ticks until so many ms have passed, with a beat of this worker before each tick. */
    pass(ms: number, beat: ((tick: number) => Untimed) | null = null): readonly SupervisionEffect[] {
      const effects: SupervisionEffect[] = [];
      for (const end = now + ms; now < end; ) {
        now = Math.min(end, now + tickMs);
        if (beat) effects.push(...say(beat(now)));
        effects.push(...say({ type: 'tick' }));
      }
      return effects;
    },
    /** No tick comes in this time. */
    sleep(ms: number): readonly SupervisionEffect[] {
      now += ms;
      return say({ type: 'tick' });
    },
    exit: (worker: number, code: number | null) => say({ type: 'workerExited', worker, code, signal: null }),
    due: () => findDueTime(state),
    end: () => state.end,
  };
}

/** An event without its time. */
type Untimed = SupervisionEvent extends infer One ? (One extends unknown ? Omit<One, 'at'> : never) : never;

const beatOf = (worker: number) => (tick: number) => ({ type: 'beat', worker, step: 'a', done: tick }) as const;
const startOf = (worker: number) => ({ type: 'startWorker', worker });
const kill = (worker: number, signal: string) => ({ type: 'killWorker', worker, signal });

/** A supervisor whose first worker runs. */
function running() {
  const one = scene();
  expect(one.say({ type: 'tick' })).toEqual([startOf(1)]);
  one.say({ type: 'workerStarted', worker: 1, pid: 10 });
  return one;
}

test('a worker that beats is left alone', () => {
  expect(running().pass(2 * noProgressMs, beatOf(1))).toEqual([]);
});

test('a worker is renewed only if a rollback would find free starts, too', () => {
  const one = running();
  const { startsToRenew, maxStarts } = SUPERVISION_RULES;
  expect(startsToRenew).toBe(TAKE_OVER_RULES.maxFailures + 1);
  for (let worker = 1; worker <= maxStarts - startsToRenew; worker += 1) {
    one.exit(worker, 1);
    one.pass(60_000);
  }
  expect(one.say({ type: 'renewAsked' })).toEqual([]);
  one.pass(startsWindowMs - 60_000, beatOf(3));
  expect(one.say({ type: 'renewAsked' })).toEqual([{ type: 'drainWorker', worker: 3 }]);
});

test('a worker that is to be renewed completes its step, and another one starts at once, which is no failure', () => {
  const one = running();
  expect(one.say({ type: 'renewAsked' })).toEqual([{ type: 'drainWorker', worker: 1 }]);
  expect(one.say({ type: 'renewAsked' })).toEqual([]);
  expect(one.exit(1, WORKER_EXIT.drained)).toEqual([startOf(2)]);
  expect(one.records.at(-1)).toMatchObject({ event: { type: 'workerEnded', cause: 'renew', isFailure: false } });
});

test('a silent worker is killed, and replaced only when it has exited', () => {
  const one = running();
  expect(one.pass(silenceMs)).toEqual([]);
  expect(one.pass(tickMs)).toEqual([kill(1, 'SIGKILL')]);
  expect(one.pass(killAfterMs)).toEqual([kill(1, 'SIGKILL')]);
  expect(one.exit(1, null)).toEqual([]);
  expect(one.pass(1_000)).toEqual([startOf(2)]);
});

test('a worker without progress is ended, unless it waits on purpose', () => {
  const beats = { type: 'beat', worker: 1, step: 'a', done: 1 } as const;
  const waits = running();
  expect(waits.pass(2 * noProgressMs, () => ({ ...beats, isWaiting: true }))).toEqual([]);
  expect(waits.pass(noProgressMs, () => beats)).toEqual([]);
  expect(waits.pass(tickMs, () => beats)).toEqual([kill(1, 'SIGTERM')]);
  expect(waits.pass(killAfterMs, () => beats)).toEqual([kill(1, 'SIGKILL')]);
});

test('pauses double up to a minute, and a healthy time makes them short again', () => {
  const one = running();
  const pauses: number[] = [];
  for (let worker = 1; worker <= 9; worker += 1) {
    const effects = one.exit(worker, 1);
    const planned = one.records.at(-1);
    if (planned?.type === 'record' && planned.event.type === 'startPlanned') pauses.push(planned.event.afterMs / 1000);
    // Enough room for the next start, and too short for health.
    expect(effects.filter(({ type }) => type === 'tellPerson')).toHaveLength(worker % 5 === 0 ? 1 : 0);
    one.sleep(worker % 5 === 0 ? startsWindowMs : 60_000);
  }
  expect(pauses.filter((pause) => pause <= 60)).toEqual([1, 2, 4, 8, 32, 60, 60, 60]);
  one.pass(healthyMs, beatOf(10));
  one.exit(10, 1);
  expect(one.records.at(-1)).toMatchObject({ event: { type: 'startPlanned', failuresInARow: 1 } });
});

test('after five starts in an hour it waits for room and tells a person once', () => {
  const one = running();
  for (let worker = 1; worker <= 4; worker += 1) {
    one.exit(worker, 1);
    expect(one.pass(60_000)).toEqual([startOf(worker + 1)]);
  }
  const told = one.exit(5, 1);
  expect(told).toEqual([
    { type: 'tellPerson', notice: { reason: 'tooManyStarts', waitMs: startsWindowMs - 4 * 60_000 + 1 } },
  ]);
  expect(one.pass(startsWindowMs - 4 * 60_000)).toEqual([]);
  expect(one.pass(tickMs)).toEqual([startOf(6)]);
});

test('after the machine slept, everybody gets a full time-out again', () => {
  const one = running();
  one.pass(silenceMs);
  expect(one.sleep(3_600_000)).toEqual([]);
  expect(one.pass(silenceMs)).toEqual([]);
  expect(one.pass(tickMs)).toEqual([kill(1, 'SIGKILL')]);
});

test('too much memory drains the worker, which is started again without a pause and without a failure', () => {
  const one = running();
  const large = { type: 'memory', worker: 1, rssMb: SUPERVISION_RULES.maxRssMb + 1 } as const;
  expect(one.say({ ...large, rssMb: SUPERVISION_RULES.maxRssMb })).toEqual([]);
  expect(one.say(large)).toEqual([{ type: 'drainWorker', worker: 1 }]);
  expect(one.say(large)).toEqual([]);
  expect(one.exit(1, WORKER_EXIT.drained)).toEqual([startOf(2)]);
  expect(one.records.at(-1)).toMatchObject({ event: { cause: 'memory', isFailure: false } });
});

test.each([
  ['renew', { type: 'renewAsked' }],
  ['memory', { type: 'memory', worker: 1, rssMb: SUPERVISION_RULES.maxRssMb + 1 }],
] as const)('a run that is complete while its worker is drained (%s) does not begin anew', (cause, asked) => {
  for (const isLate of [false, true]) {
    const one = running();
    expect(one.say(asked)).toEqual([{ type: 'drainWorker', worker: 1 }]);
    if (isLate) expect(one.pass(drainMs, beatOf(1))).toEqual([kill(1, 'SIGTERM')]);
    expect(one.exit(1, WORKER_EXIT.finished)).toEqual([{ type: 'exit', end: 'finished' }]);
    expect(one.records.at(-1)).toMatchObject({ event: { type: 'workerEnded', cause, isFailure: false } });
    expect(one.sleep(3_600_000)).toEqual([]);
  }
});

test('a worker that has to give up its step when it is renewed is replaced by another one', () => {
  const one = running();
  one.say({ type: 'renewAsked' });
  expect(one.pass(drainMs, beatOf(1))).toEqual([kill(1, 'SIGTERM')]);
  expect(one.exit(1, WORKER_EXIT.drained)).toEqual([startOf(2)]);
});

test('a worker that is ended because it is stuck has failed, also if it leaves its run in order', () => {
  const one = running();
  one.pass(noProgressMs + 2 * tickMs, () => ({ type: 'beat', worker: 1, step: 'a', done: 0 }));
  expect(one.exit(1, WORKER_EXIT.drained)).toEqual([]);
  expect(one.records.map((effect) => effect.type === 'record' && effect.event)).toContainEqual(
    expect.objectContaining({ type: 'workerEnded', cause: 'stuck', isFailure: true }),
  );
});

test('without a free start, a worker with too much memory is kept', () => {
  const one = running();
  for (let worker = 1; worker <= 4; worker += 1) {
    one.exit(worker, 1);
    one.pass(60_000);
  }
  const large = { type: 'memory', worker: 5, rssMb: 1_000_000 } as const;
  expect(one.say(large)).toEqual([]);
  one.pass(startsWindowMs - 4 * 60_000 + tickMs, beatOf(5));
  expect(one.say(large)).toEqual([{ type: 'drainWorker', worker: 5 }]);
});

test('a worker that does not drain in its time is ended', () => {
  const one = running();
  expect(one.say({ type: 'drainAsked' })).toEqual([{ type: 'drainWorker', worker: 1 }]);
  expect(one.pass(drainMs - tickMs, beatOf(1))).toEqual([]);
  expect(one.pass(tickMs, beatOf(1))).toEqual([kill(1, 'SIGTERM')]);
  expect(one.pass(killAfterMs, beatOf(1))).toEqual([kill(1, 'SIGKILL')]);
  expect(one.exit(1, null)).toEqual([{ type: 'exit', end: 'drained' }]);
});

test('a worker that hangs while it drains is killed', () => {
  const one = running();
  one.say({ type: 'drainAsked' });
  expect(one.pass(silenceMs + tickMs)).toEqual([kill(1, 'SIGKILL')]);
});

test.each([
  ['finished', WORKER_EXIT.finished, []],
  ['needsPerson', WORKER_EXIT.needsPerson, [{ type: 'tellPerson', notice: { reason: 'needsPerson' } }]],
] as const)('an exit with the code of "%s" ends the supervision', (end, code, before) => {
  const one = running();
  expect(one.exit(1, code)).toEqual([...before, { type: 'exit', end }]);
  expect(one.end()).toBe(end);
  expect(one.due()).toBeNull();
  expect(one.sleep(3_600_000)).toEqual([]);
});

test('a worker that asks for a fresh process gets one at once', () => {
  expect(running().exit(1, WORKER_EXIT.drained)).toEqual([startOf(2)]);
});

test('stop ends the worker by SIGTERM, then by SIGKILL, and nothing is started again', () => {
  const one = running();
  expect(one.say({ type: 'stopAsked' })).toEqual([kill(1, 'SIGTERM')]);
  expect(one.due()).toBe(stopAfterMs);
  expect(one.say({ type: 'stopAsked' })).toEqual([]);
  expect(one.pass(stopAfterMs)).toEqual([kill(1, 'SIGKILL')]);
  expect(one.exit(1, null)).toEqual([{ type: 'exit', end: 'stopped' }]);
});

test.each([
  ['stopAsked', 'stopped'],
  ['drainAsked', 'drained'],
] as const)('%s during a pause ends the supervision at once', (type, end) => {
  const one = running();
  one.exit(1, 1);
  expect(one.say({ type })).toEqual([{ type: 'exit', end }]);
});

test('stop does not wait for a drain', () => {
  const one = running();
  one.say({ type: 'drainAsked' });
  expect(one.say({ type: 'stopAsked' })).toEqual([kill(1, 'SIGTERM')]);
});

test('stop shortens the time of a worker that is being ended already', () => {
  const one = running();
  one.say({ type: 'drainAsked' });
  one.pass(drainMs, (tick) => ({ type: 'beat', worker: 1, step: `${tick}`, done: tick }));
  expect(one.say({ type: 'stopAsked' })).toEqual([]);
  expect(one.pass(stopAfterMs)).toEqual([kill(1, 'SIGKILL')]);
});

test('a worker that not even SIGKILL ends is reported once, and never joined by a second one', () => {
  const one = running();
  const effects = one.pass(silenceMs + 10 * remainsMs);
  expect(effects.filter(({ type }) => type === 'tellPerson')).toEqual([
    { type: 'tellPerson', notice: { reason: 'workerRemains', worker: 1 } },
  ]);
  expect(effects.filter(({ type }) => type === 'startWorker')).toEqual([]);
});

test('what an earlier worker says is ignored', () => {
  const one = running();
  one.exit(1, 1);
  one.pass(1_000);
  expect(one.pass(silenceMs, beatOf(1))).toEqual([]);
  expect(one.exit(1, WORKER_EXIT.finished)).toEqual([]);
  expect(one.pass(tickMs, beatOf(1))).toEqual([kill(2, 'SIGKILL')]);
});

test(`the invariants hold in ${SEEDS} worlds for ${HOURS} hours each`, () => {
  const supervise = createSupervise();
  const wrong = Array.from({ length: SEEDS }, (_, index) => index + 1)
    .map((seed) => ({ seed, violations: [...violated(simulate(seed, HOURS, supervise))] }))
    .filter(({ violations }) => violations.length > 0);
  expect(wrong).toEqual([]);
});

test.each(MUTANTS)('a supervisor is found of which holds: $name', ({ supervise, violates }) => {
  const seeds = Array.from({ length: MUTANT_SEEDS }, (_, index) => index + 1);
  expect(seeds.some((seed) => violated(simulate(seed, HOURS, supervise)).has(violates))).toBe(true);
});
