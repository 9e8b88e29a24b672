// The state of training as a fold, and when a training is due.

import { expect, test } from 'vitest';
import type { TrainingEvent, TrainingOutcome } from '../../../../server/src/core/model/trainings.ts';
import {
  computeNextAutomaticTraining,
  computeNextManualTraining,
  foldTrainingState,
  explainDue,
  type RecordedTraining,
} from '../../../../server/src/core/learn/training/trainingState.ts';
import { formatTrainingMetrics } from '../../../../server/src/core/learn/training/trainingMetrics.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Events at full hours from the first one on; sequences count up by ten. */
const recorded = (...events: TrainingEvent[]): readonly RecordedTraining[] =>
  events.map((event, at) => ({ ...event, sequence: (at + 1) * 10, at: at * HOUR }));
const started = (training: string, base = 'gguf:b'): TrainingEvent => ({
  type: 'trainingStarted',
  data: { training, dataset: 'd', examples: 80, heldOut: 20, base, current: base },
});
const figures = (hits: number) => ({ examples: 20, success: { hits, of: 20 }, perplexity: null, bleu: null });
const comparison = { metric: 'success', gain: 0.1, low: 0.02, high: 0.2, better: true, reason: '' } as const;
const ended = (training: string, outcome: TrainingOutcome): TrainingEvent => ({
  type: 'trainingEnded',
  data: { training, outcome, reason: 'r', current: figures(10), candidate: figures(12), comparison },
});
const deployed = (training: string, previous: string | null): TrainingEvent => ({
  type: 'modelDeployed',
  data: { training, model: `m-${training}`, previous, hash: '' },
});
const ONE_DEPLOYED = [started('1'), deployed('1', null), ended('1', 'deployed')];
const limits = { learnings: 100, days: 7, success: 0.9 };
const learned = (count: number, from = 1) => Array.from({ length: count }, (_, at) => from + at);

test('never trained is a state', () => {
  const state = foldTrainingState([], [1, 2, 3]);
  expect(state).toEqual({
    lastTrainingTime: null,
    lastCheckTime: null,
    learningsSinceTraining: 3,
    currentModel: null,
    previousModel: undefined,
    improvementScore: null,
    currentAccuracy: null,
    trainingRuns: [],
  });
  expect(formatTrainingMetrics(state)).toContain('\ngenesis_learnings_since_training 3\n');
  expect(formatTrainingMetrics(state)).not.toContain('accuracy');
});

test('a deployed model is in use with its figures; two roll-backs lead to the base', () => {
  const two = [...ONE_DEPLOYED, started('2'), deployed('2', 'm-1'), ended('2', 'deployed')];
  expect(foldTrainingState(recorded(...two), [])).toMatchObject({
    currentModel: 'm-2',
    previousModel: 'm-1',
    improvementScore: 0.1,
    currentAccuracy: 0.6,
  });
  const back = (model: string, to: string | null): TrainingEvent => ({ type: 'modelRolledBack', data: { model, to } });
  const once = foldTrainingState(recorded(...two, back('m-2', 'm-1')), []);
  expect(once).toMatchObject({ currentModel: 'm-1', previousModel: null });
  const twice = foldTrainingState(recorded(...two, back('m-2', 'm-1'), back('m-1', null)), []);
  expect(twice).toMatchObject({ currentModel: null, previousModel: undefined, improvementScore: null });
});

test('of three deployed models the first is forgotten: two roll-backs lead to the base', () => {
  const three = [deployed('1', null), deployed('2', 'm-1'), deployed('3', 'm-2')];
  const back: TrainingEvent = { type: 'modelRolledBack', data: { model: 'm-3', to: 'm-2' } };
  expect(foldTrainingState(recorded(...three, back), [])).toMatchObject({ currentModel: 'm-2', previousModel: null });
});

test('a rejection measures the model in use; a run without an end was interrupted', () => {
  const state = foldTrainingState(recorded(...ONE_DEPLOYED, started('2'), ended('2', 'rejected'), started('3')), []);
  expect(state).toMatchObject({ currentModel: 'm-1', currentAccuracy: 0.5, improvementScore: 0.1 });
  expect(state.trainingRuns.map(({ outcome }) => outcome)).toEqual(['deployed', 'rejected', 'interrupted']);
  expect(formatTrainingMetrics(state)).toMatch(
    /cycles_total 3\n[^]*deployed_total 1\n[^]*rejected_total 1\n[^]*accuracy 0.5\n/,
  );
});

test('a run that was killed right after it deployed has deployed', () => {
  const { currentModel, trainingRuns } = foldTrainingState(recorded(...ONE_DEPLOYED.slice(0, 2)), []);
  expect(currentModel).toBe('m-1');
  expect(trainingRuns).toMatchObject([{ outcome: 'deployed', endedAt: HOUR }]);
});

test('trainings of another base do not count, until it is set again', () => {
  const other = [started('2', 'ollama:c'), deployed('2', null), ended('2', 'deployed'), started('3', 'ollama:c')];
  const back: TrainingEvent = { type: 'modelRolledBack', data: { model: 'm-2', to: null } };
  const events = recorded(...ONE_DEPLOYED, ...other, back);
  expect(foldTrainingState(events, [5, 45], 'gguf:b')).toMatchObject({
    currentModel: 'm-1',
    previousModel: null,
    learningsSinceTraining: 1,
    trainingRuns: [{ training: '1' }],
  });
  expect(foldTrainingState(events.slice(0, -1), [], 'ollama:c')).toMatchObject({ currentModel: 'm-2' });
  expect(foldTrainingState(events, [], 'ollama:c')).toMatchObject({ currentModel: null, previousModel: undefined });
});

test('learnings count from the last training on', () => {
  expect(foldTrainingState(recorded(...ONE_DEPLOYED), [5, 9, 11, 40]).learningsSinceTraining).toBe(2);
});

test.each([
  ['100 learnings', foldTrainingState([], learned(100)), 0, '100 learnings'],
  ['99 learnings', foldTrainingState([], learned(99)), 0, null],
  ['a week with something new', foldTrainingState(recorded(...ONE_DEPLOYED.slice(0, 2)), [50]), 7 * DAY, '7 days'],
  ['a week without anything new', foldTrainingState(recorded(...ONE_DEPLOYED), [1]), 8 * DAY, null],
  ['a low success rate', foldTrainingState(recorded(...ONE_DEPLOYED), [50]), DAY, 'a success rate of 0.60'],
  ['a low success rate and nothing new', foldTrainingState(recorded(...ONE_DEPLOYED), []), DAY, null],
])('due: %s', (_what, state, now, due) => {
  const why = explainDue(state, limits, now);
  if (due === null) expect(why).toBeNull();
  else expect(why).toContain(due);
});

test('after a rejection nobody trains within the hour, and a service waits longer each time', () => {
  const rejections = (count: number) =>
    foldTrainingState(
      recorded(...Array.from({ length: count }, (_, n) => [started(`${n}`), ended(`${n}`, 'rejected')]).flat()),
      learned(200, 1000),
    );
  const waits = [1, 2, 3, 4, 5].map((count) => {
    const state = rejections(count);
    const end = state.trainingRuns.at(-1)!.endedAt!;
    expect(computeNextManualTraining(state)).toBe(end + HOUR);
    expect(explainDue(state, limits, computeNextAutomaticTraining(state) - 1)).toBeNull();
    expect(explainDue(state, limits, computeNextAutomaticTraining(state))).not.toBeNull();
    return (computeNextAutomaticTraining(state) - end) / HOUR;
  });
  expect(waits).toEqual([1, 4, 12, 24, 24]);
  expect(computeNextManualTraining(foldTrainingState(recorded(started('1'), ended('1', 'failed')), []))).toBe(0);
});
