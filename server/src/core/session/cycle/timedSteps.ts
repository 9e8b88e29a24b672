// Measures the stages of a run: wraps its steps so that each call adds its duration and its outcome.

import { SelfwareError } from '../../../util/typedError.ts';
import type { Stage } from '../../model/nights.ts';
import type { StageTimes } from './stageTimes.ts';
import type { Steps } from './steps.ts';

/** Wraps the steps so that each call adds its duration and outcomes to `times`, even if it throws. */
export function createTimedSteps(steps: Steps, now: () => number, times: StageTimes): Steps {
  let isReload = false;
  async function measureStep<T>(stage: Stage, work: () => Promise<T>, listOutcomes: (result: T) => readonly string[]) {
    const startedAt = now();
    try {
      const result = await work();
      times.add(stage, now() - startedAt, listOutcomes(result));
      return result;
    } catch (error) {
      times.add(stage, now() - startedAt, [
        error instanceof SelfwareError && error.reason === 'cancelled' ? 'cancelled' : 'failed',
      ]);
      throw error;
    }
  }
  const listDoneOutcome = () => ['done'];
  const listProposingOutcome = ({ proposal }: { readonly proposal: unknown }) => [proposal ? 'proposed' : 'nothing'];
  const { analysis, proposals, questions, verification, changes } = steps;
  return {
    isStopped: () => steps.isStopped(),
    analysis: {
      analyse: (...args) =>
        measureStep(isReload ? 'reload' : 'analyse', () => analysis.analyse(...args), listDoneOutcome),
      score: (...args) => measureStep(isReload ? 'reload' : 'analyse', () => analysis.score(...args), listDoneOutcome),
    },
    proposals: {
      propose(...args) {
        isReload = false;
        return measureStep('prioritise', () => proposals.propose(...args), listProposingOutcome);
      },
      explainNeedToAsk: (...args) =>
        measureStep(
          'decide',
          () => proposals.explainNeedToAsk(...args),
          (reason) => [reason === null ? 'approved' : 'asks'],
        ),
      decide: (...args) => proposals.decide(...args),
    },
    questions: {
      askNext: (...args) => measureStep('ask', () => questions.askNext(...args), listProposingOutcome),
    },
    verification: {
      verify: (...args) =>
        measureStep(
          'verify',
          () => verification.verify(...args),
          ({ status }) => [status],
        ),
      checkTogether: (...args) =>
        measureStep(
          'verify',
          () => verification.checkTogether(...args),
          () => [],
        ),
      verifySideBySide: (...args) =>
        measureStep(
          'verify',
          () => verification.verifySideBySide(...args),
          (results) => results.map((result) => ('error' in result ? 'brokeDown' : result.proposal.status)),
        ),
    },
    changes: {
      applyPause: (...args) => changes.applyPause(...args),
      async apply(...args) {
        const applied = await measureStep(
          'apply',
          () => changes.apply(...args),
          ({ proposal }) => [proposal.status],
        );
        isReload = true;
        return applied;
      },
      async applyTogether(...args) {
        const applied = await measureStep(
          'apply',
          () => changes.applyTogether(...args),
          (results) => (results ?? []).map((result) => ('error' in result ? 'failed' : result.proposal.status)),
        );
        isReload = true;
        return applied;
      },
    },
  };
}
