// Supervisors that are wrong in one way each. Each of them must violate an invariant: they test the test.

import { createSupervise, type Supervise } from '../../../../server/src/core/run/supervise.ts';
import { SUPERVISION_RULES, WORKER_EXIT, type SupervisionRules } from '../../../../server/src/core/run/supervision.ts';

export interface Mutant {
  readonly name: string;
  readonly supervise: Supervise;
  /** The invariant that has to find it. */
  readonly violates: string;
}

const right = createSupervise();
const withRules = (rules: Partial<SupervisionRules>): Supervise => createSupervise({ ...SUPERVISION_RULES, ...rules });

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'nobody gets time again after the machine slept',
    supervise: withRules({ sleepTicks: Infinity }),
    violates: 'no healthy worker is killed',
  },
  {
    name: 'starts are not limited',
    supervise: withRules({ maxStarts: Infinity }),
    violates: 'an hour has at most five starts',
  },
  {
    name: 'pauses never become short again',
    supervise: withRules({ healthyMs: Infinity }),
    violates: 'pauses double, and a healthy time ends that',
  },
  {
    name: 'there are no pauses',
    supervise: withRules({ maxBackoffMs: 0 }),
    violates: 'pauses double, and a healthy time ends that',
  },
  {
    name: 'silence is ignored',
    supervise: withRules({ silenceMs: Infinity }),
    violates: 'silence is found in time',
  },
  {
    name: 'a busy worker is taken for a silent one',
    supervise: withRules({ silenceMs: 60_000 }),
    violates: 'no healthy worker is killed',
  },
  {
    name: 'beats without progress are enough',
    supervise: withRules({ noProgressMs: Infinity }),
    violates: 'a lack of progress is found in time',
  },
  {
    name: 'waiting on purpose is a lack of progress',
    supervise: (state, event) => right(state, event.type === 'beat' ? { ...event, isWaiting: false } : event),
    violates: 'no healthy worker is killed',
  },
  {
    name: 'SIGTERM is enough',
    supervise: withRules({ killAfterMs: Infinity, stopAfterMs: Infinity }),
    violates: 'stop leaves nothing',
  },
  {
    name: 'a killed worker is taken for one that has ended',
    supervise(state, event) {
      const step = right(state, event);
      const killed = step.effects.find((effect) => effect.type === 'killWorker' && effect.signal === 'SIGKILL');
      if (killed?.type !== 'killWorker') return step;
      const exited = { type: 'workerExited', worker: killed.worker, code: null, signal: 'SIGKILL' } as const;
      const next = right(step.state, { at: event.at, ...exited });
      return { state: next.state, effects: [...step.effects, ...next.effects] };
    },
    violates: 'there are never two workers',
  },
  {
    name: 'it gives up after five starts in an hour',
    supervise: (state, event) =>
      event.type === 'tick' && state.worker === null && state.starts.length >= SUPERVISION_RULES.maxStarts
        ? { state, effects: [] }
        : right(state, event),
    violates: 'after trouble it runs again',
  },
  {
    name: 'a planned restart is a failure',
    supervise(state, event) {
      const isPlanned = event.type === 'workerExited' && event.code === WORKER_EXIT.drained;
      if (!isPlanned || !state.worker?.ending) return right(state, event);
      const ending = { ...state.worker.ending, cause: 'stuck' } as const;
      return right({ ...state, worker: { ...state.worker, ending } }, { ...event, code: 1 });
    },
    violates: 'pauses double, and a healthy time ends that',
  },
  {
    name: 'a person is not told',
    supervise(state, event) {
      const step = right(state, event);
      return { ...step, effects: step.effects.filter(({ type }) => type !== 'tellPerson') };
    },
    violates: 'a person is told of a long pause',
  },
  {
    name: 'memory is ignored',
    supervise: withRules({ maxRssMb: Infinity }),
    violates: 'a worker with too much memory is drained as soon as a start is free',
  },
];
