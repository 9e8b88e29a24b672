// The stages of a run: how long each took in all, and how often it had each outcome.

import { expect, test } from 'vitest';
import type { Steps } from '../../../server/src/core/session/cycle/steps.ts';
import { createStageTimes } from '../../../server/src/core/session/cycle/stageTimes.ts';
import { createTimedSteps } from '../../../server/src/core/session/cycle/timedSteps.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createPart } from '../../helpers/createPart.ts';

test('each stage has its total time and its outcomes; after a change, reading the tree counts as reload', async () => {
  let now = 0;
  const after = async <T>(ms: number, result: T | Error): Promise<T> => {
    now += ms;
    if (result instanceof Error) throw result;
    return result;
  };
  const answers: unknown[] = [{ status: 'refused' }, { status: 'verified' }, new SelfwareError('cancelled', 'Ended.')];
  const steps = createPart<Steps>({
    isStopped: async () => false,
    analysis: { analyse: () => after(10, undefined), score: () => after(5, null) },
    proposals: { propose: () => after(2, { proposal: {} }) },
    questions: { askNext: () => after(7, { proposal: null }) },
    verification: { verify: () => after(100, answers.shift()) },
    changes: { apply: () => after(30, { proposal: { status: 'kept' } }) },
  });
  const times = createStageTimes();
  const { analysis, proposals, questions, verification, changes } = createTimedSteps(steps, () => now, times);
  const operation = {} as never;
  await analysis.analyse(operation);
  await analysis.score();
  await proposals.propose(operation);
  await verification.verify('p', operation);
  await verification.verify('q', operation);
  await changes.apply(operation);
  await analysis.score();
  await proposals.propose(operation);
  await questions.askNext(operation);
  await analysis.score();
  await expect(verification.verify('r', operation)).rejects.toThrow('Ended.');
  expect(times.figures()).toEqual([
    { stage: 'analyse', ms: 20, outcomes: { done: 3 } },
    { stage: 'prioritise', ms: 4, outcomes: { proposed: 2 } },
    { stage: 'verify', ms: 300, outcomes: { refused: 1, verified: 1, cancelled: 1 } },
    { stage: 'apply', ms: 30, outcomes: { kept: 1 } },
    { stage: 'reload', ms: 5, outcomes: { done: 1 } },
    { stage: 'ask', ms: 7, outcomes: { nothing: 1 } },
  ]);
});
