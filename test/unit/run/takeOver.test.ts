// Which version the workers of a run start from: the rules one by one, and all short orders of events.

import { expect, test } from 'vitest';
import { findRefusedVersions } from '../../../server/src/core/run/nightQueries.ts';
import { SUPERVISION_RULES } from '../../../server/src/core/run/supervision.ts';
import {
  createInitialTakeOver,
  TAKE_OVER_RULES,
  nextTakeOverState,
  acceptsOffers,
  type ProgramVersion,
  type TakeOverEvent,
  type TakeOverState,
} from '../../../server/src/core/run/takeOver.ts';
import { isNewer } from '../../../server/src/core/run/versions.ts';

const versionOf = (hash: string): ProgramVersion => ({ version: '1.0.0', hash, folder: `/${hash}` });
const [old, next, other] = [versionOf('old'), versionOf('next'), versionOf('other')];
const { probationMs, maxFailures } = TAKE_OVER_RULES;

/** An event without its time. */
type Untimed = TakeOverEvent extends infer One ? (One extends unknown ? Omit<One, 'at'> : never) : never;

const offer = (offered = next, again = false): Untimed => ({ type: 'offered', offer: offered, again });
const passed: Untimed = { type: 'checked', hash: 'next', reason: null };
const starts: Untimed = { type: 'workerStarts' };
const dies: Untimed = { type: 'workerEnded', isFailure: true };
const drained: Untimed = { type: 'workerEnded', isFailure: false };
const tick: Untimed = { type: 'tick' };

/** Plays the events; each takes `stepMs`. Effects are words such as `switched next`. */
function play(events: readonly Untimed[], stepMs = 1, from = createInitialTakeOver(old, [])) {
  let state: TakeOverState = from;
  let at = 0;
  const done: string[] = [];
  for (const event of events) {
    at += stepMs;
    const result = nextTakeOverState(state, { ...event, at } as TakeOverEvent);
    state = result.state;
    for (const effect of result.effects)
      done.push(
        effect.type === 'record'
          ? `${effect.step} ${effect.subject.hash}`
          : effect.type === 'check'
            ? `check ${effect.offer.hash}`
            : effect.type,
      );
  }
  return { state, done };
}

test('a version is checked, takes over at the next start, and is kept after its time', () => {
  const { state, done } = play([starts, offer(), passed, drained, starts]);
  expect(done).toEqual(['offered next', 'check next', 'renewWorker', 'switched next']);
  expect(state.current).toBe(next);
  expect(acceptsOffers(state)).toBe(false);
  const later = play([tick, { type: 'tick' }], probationMs, state);
  expect(later.done).toEqual(['kept next']);
  expect(acceptsOffers(later.state)).toBe(true);
});

test('the worker is asked again until it is replaced, and never before the check has passed', () => {
  expect(play([starts, offer(), tick, tick]).done).toEqual(['offered next', 'check next']);
  expect(play([starts, offer(), passed, tick, tick]).done.slice(2)).toEqual([
    'renewWorker',
    'renewWorker',
    'renewWorker',
  ]);
});

test('a version whose check fails is not started, and not tried again unless a person asks for it', () => {
  const failed: Untimed = { type: 'checked', hash: 'next', reason: 'It judges otherwise.' };
  const { state, done } = play([starts, offer(), failed, dies, starts, offer()]);
  expect(done).toEqual(['offered next', 'check next', 'refused next']);
  expect(state.current).toBe(old);
  expect(play([offer(next, true)], 1, state).done).toEqual(['offered next', 'check next']);
  expect(play([offer(other)], 1, state).done).toEqual(['offered other', 'check other']);
});

test('a version that fails twice is rolled back, also if much time lies between its starts', () => {
  const events = [starts, offer(), passed, drained, starts, dies, tick, tick, starts, dies];
  const { state, done } = play(events, probationMs / 2);
  expect(done.at(-1)).toBe('rolledBack next');
  expect(state.current).toBe(old);
  expect(state.refused).toEqual(['next']);
  expect(play([starts, dies, starts, dies, offer()], 1, state).done).toEqual([]);
});

test('a version that hangs is rolled back: both of its workers are ended before it could be kept', () => {
  const { noProgressMs, tickMs, killAfterMs } = SUPERVISION_RULES;
  const livesMs = noProgressMs + 2 * tickMs + killAfterMs;
  const hangs = (state: TakeOverState) => {
    const started = nextTakeOverState(state, { ...starts, at: 0 } as TakeOverEvent).state;
    const late = nextTakeOverState(started, { ...tick, at: livesMs } as TakeOverEvent).state;
    return nextTakeOverState(late, { ...dies, at: livesMs } as TakeOverEvent).state;
  };
  const { state } = play([starts, offer(), passed, drained]);
  expect(hangs(hangs(state))).toMatchObject({ current: old, refused: ['next'] });
});

test('a version that finds that a person is needed gives the run back, and is not refused', () => {
  const asks: Untimed = { type: 'workerEnded', isFailure: true, isDoubtful: true };
  const { state, done } = play([starts, offer(), passed, drained, starts, asks]);
  expect(done.at(-1)).toBe('doubted next');
  expect(state).toMatchObject({ current: old, probation: null, refused: [] });
  // Without a probation, the supervisor ends the run.
  expect(play([asks], 1, state).state).toEqual(state);
});

test('a version that gave the run back is not tried again, and is refused once the version before it has continued', () => {
  const asks: Untimed = { type: 'workerEnded', isFailure: true, isDoubtful: true };
  const { state } = play([starts, offer(), passed, drained, starts, asks, starts]);
  expect(play([offer(), dies, tick, starts, tick, offer()], 1, state).done).toEqual([]);
  // A short life shows nothing, and a new worker begins anew.
  expect(play([dies, starts, dies, starts], probationMs, state).done).toEqual([]);
  const lived = play([tick, tick, offer()], probationMs * 2, state);
  expect(lived.done).toEqual(['refused next']);
  expect(lived.state).toMatchObject({ current: old, refused: ['next'], doubted: [] });
  // A person may ask for it at any time.
  expect(play([offer(next, true), tick], 1, state).done).toEqual(['offered next', 'check next']);
  expect(play([offer(next, true), tick, tick], probationMs, state).done).toEqual(['offered next', 'check next']);
});

test('the switch says what the check has found', () => {
  const { state } = play([starts, offer(), { type: 'checked', hash: 'next', reason: null, found: 'Nothing.' }]);
  const { effects } = nextTakeOverState(state, { ...starts, at: 9 } as TakeOverEvent);
  expect(effects).toMatchObject([{ step: 'switched', reason: 'Nothing.' }]);
});

test('one failure, and starts that were planned, do not roll it back', () => {
  const { state } = play([starts, offer(), passed, drained, starts, dies, starts, drained, starts, drained, starts]);
  expect(state.current).toBe(next);
});

test('the failures of the old version while the new one is checked do not count against the new one', () => {
  const { state } = play([starts, offer(), dies, starts, dies, starts, passed, dies, starts]);
  expect(state).toMatchObject({ current: next, probation: { failures: 0 } });
});

test('an offer of the present version, and a second one meanwhile, change nothing', () => {
  expect(play([offer(old)]).done).toEqual([]);
  expect(play([offer(), offer(other), { type: 'checked', hash: 'other', reason: null }]).done).toEqual([
    'offered next',
    'check next',
  ]);
});

test('all orders of six events: only a checked version runs, and a refused one never again', () => {
  const events = [
    offer(),
    passed,
    { type: 'checked', hash: 'next', reason: 'no' },
    starts,
    dies,
    { type: 'workerEnded', isFailure: true, isDoubtful: true },
    drained,
    tick,
  ] as const;
  const wrong: string[] = [];
  const visit = (state: TakeOverState, order: readonly number[], isChecked: boolean): void => {
    const { current, checking, probation, refused } = state;
    const isKnown = current === old || (isChecked && current === next);
    const isGone = !refused.includes('next') || (current === old && checking === null && state.next === null);
    if (!isKnown || !isGone || (probation?.failures ?? 0) >= maxFailures) wrong.push(order.join(' '));
    if (order.length === 6) return;
    for (const [index, event] of events.entries()) {
      const after = nextTakeOverState(state, { ...event, at: order.length * probationMs } as TakeOverEvent).state;
      visit(after, [...order, index], isChecked || (event === passed && checking !== null));
    }
  };
  visit(createInitialTakeOver(old, []), [], false);
  expect(wrong).toEqual([]);
});

test('what was refused or rolled back is remembered, unless it was kept later', () => {
  const step = (hash: string, name: 'refused' | 'rolledBack' | 'kept') =>
    ({ run: 'r', step: name, version: '1', hash, reason: null }) as const;
  const nights = [{ upgrades: [step('a', 'refused'), step('b', 'rolledBack')] }, { upgrades: [step('b', 'kept')] }];
  expect(findRefusedVersions(nights)).toEqual(['a']);
});

test('versions are compared as numbers', () => {
  expect(isNewer('1.10.0', '1.9.9')).toBe(true);
  expect(isNewer('1.9.9', '1.10.0')).toBe(false);
  expect(isNewer('2.0.0', '2.0.0')).toBe(false);
  expect(isNewer('2.0.0-next.1', '2.0.0')).toBe(false);
});
