// Folds the ledger into the state of the training of models, and decides when the next training is due.

import type { Millis } from '../../model.ts';
import type { ModelFigures, TrainingEvent, TrainingRecord, TrainingState } from '../../model/trainings.ts';
import { formatCount } from '../../../util/counted.ts';
import { HOUR_MS, DAY_MS } from '../../../util/timing/durations.ts';

/** The types of events that `foldTrainingState` reads. */
export const TRAINING_EVENTS = [
  'trainingChecked',
  'trainingStarted',
  'trainingEnded',
  'modelDeployed',
  'modelRolledBack',
] as const satisfies readonly TrainingEvent['type'][];

/** An event of training as read from the ledger. */
export type RecordedTraining = TrainingEvent & { readonly sequence: number; readonly at: Millis };

/**
 * When a training is due: after this many learnings, after this many days, or if the success rate is below `success`
 * (0–1).
 */
export interface Thresholds {
  readonly learnings: number;
  readonly days: number;
  readonly success: number;
}

/** Hours until a service trains again, by the number of consecutive trainings that deployed nothing. */
const PAUSE_HOURS = [0, 1, 4, 12, 24] as const;

/** The state while events are folded. */
interface Draft {
  runs: (TrainingRecord & { readonly sequence: number })[];
  checkedAt: Millis | null;
  /** The deployed models with their gains, at most two; the last one is in use. */
  deployed: { readonly model: string; readonly gain: number | null; readonly accuracy: number | null }[];
  baseAccuracy: number | null;
}

/**
 * Folds the events, oldest first. `learnedSequences`: sequences of the events from which something was learned. `base`:
 * only trainings of this base model count, because models of another base are stored elsewhere; null for all of them.
 */
export function foldTrainingState(
  events: readonly RecordedTraining[],
  learnedSequences: readonly number[],
  base: string | null = null,
): TrainingState {
  const draft: Draft = { runs: [], checkedAt: null, deployed: [], baseAccuracy: null };
  const trainingsOfOtherBases = new Set<string>();
  for (const event of events) {
    if (base !== null && event.type === 'trainingStarted' && event.data.base !== base)
      trainingsOfOtherBases.add(event.data.training);
    if (!('training' in event.data && trainingsOfOtherBases.has(event.data.training))) applyEvent(draft, event);
  }
  const { runs, deployed } = draft;
  const lastRun = runs.at(-1);
  const [current, previous] = [deployed.at(-1), deployed.at(-2)];
  return {
    lastTrainingTime: lastRun?.startedAt ?? null,
    lastCheckTime: draft.checkedAt,
    learningsSinceTraining: learnedSequences.filter((sequence) => sequence > (lastRun?.sequence ?? 0)).length,
    currentModel: current?.model ?? null,
    previousModel: current ? (previous?.model ?? null) : undefined,
    improvementScore: current?.gain ?? null,
    currentAccuracy: current ? current.accuracy : draft.baseAccuracy,
    trainingRuns: runs.map(({ sequence: _sequence, ...run }) => run),
  };
}

/**
 * Updates the draft by one event. A run counts as interrupted until its end or the deployment of its model is recorded.
 */
function applyEvent(draft: Draft, event: RecordedTraining): void {
  switch (event.type) {
    case 'trainingChecked':
      draft.checkedAt = event.at;
      return;
    case 'trainingStarted':
      draft.runs.push({
        training: event.data.training,
        startedAt: event.at,
        endedAt: null,
        outcome: 'interrupted',
        reason: 'Its process ended without a result.',
        comparison: null,
        sequence: event.sequence,
      });
      return;
    case 'trainingEnded':
      return endRun(draft, event.data, event.at);
    case 'modelDeployed':
      return recordDeployment(draft, event.data, event.at);
    case 'modelRolledBack':
      if (draft.deployed.at(-1)?.model === event.data.model) draft.deployed.pop();
  }
}

/**
 * Records a deployed model as the one in use, and ends its run, because the process may be killed before it records the
 * end of the run.
 */
function recordDeployment(
  { runs, deployed }: Draft,
  { training, model }: EventData<'modelDeployed'>,
  time: Millis,
): void {
  deployed.push({ model, gain: null, accuracy: null });
  // The next training removes the models before the previous one.
  deployed.splice(0, deployed.length - 2);
  const index = runs.findIndex((run) => run.training === training);
  const reason = 'Its process ended before it recorded the figures.';
  if (index >= 0) runs[index] = { ...runs[index]!, endedAt: time, outcome: 'deployed', reason };
}

/** Ends a run. A deployed model was recorded right before, so it is the last one. */
function endRun(draft: Draft, data: EventData<'trainingEnded'>, time: Millis): void {
  const { runs, deployed } = draft;
  const { training, outcome, reason, comparison } = data;
  const index = runs.findIndex((run) => run.training === training);
  if (index >= 0) runs[index] = { ...runs[index]!, endedAt: time, outcome, reason, comparison };
  const isDeployed = outcome === 'deployed';
  const accuracy = computeRate(isDeployed ? data.candidate : data.current);
  const inUse = deployed.at(-1);
  if (!inUse) draft.baseAccuracy = accuracy ?? draft.baseAccuracy;
  else
    deployed[deployed.length - 1] = {
      model: inUse.model,
      accuracy: accuracy ?? inUse.accuracy,
      gain: isDeployed ? (comparison?.gain ?? null) : inUse.gain,
    };
}

type EventData<T extends TrainingEvent['type']> = Extract<TrainingEvent, { readonly type: T }>['data'];

/** The success rate; null if there are no figures or no answer could be judged. */
function computeRate(figures: ModelFigures | null): number | null {
  return figures?.success ? figures.success.hits / figures.success.of : null;
}

/**
 * The reason why a training is due, as part of a sentence; null if it is not. Nothing is due before something new was
 * learned.
 */
export function explainDue(state: TrainingState, { learnings, days, success }: Thresholds, now: Millis): string | null {
  const { learningsSinceTraining: newLearnings, lastTrainingTime: trainedAt, currentAccuracy: accuracy } = state;
  if (newLearnings === 0 || now < computeNextAutomaticTraining(state)) return null;
  if (newLearnings >= learnings) return `${formatCount(newLearnings, 'learning')} since the last training`;
  if (trainedAt !== null && now - trainedAt >= days * DAY_MS) return `${days} days since the last training`;
  if (accuracy !== null && accuracy < success) return `a success rate of ${accuracy.toFixed(2)}`;
  return null;
}

/**
 * The earliest time at which a service trains again; 0 if nothing was trained yet. It is the end of the last run and a
 * pause, which grows with the number of consecutive trainings that deployed nothing.
 */
export function computeNextAutomaticTraining({ trainingRuns }: TrainingState): Millis {
  const lastRun = trainingRuns.at(-1);
  if (!lastRun) return 0;
  const vainRunCount = trainingRuns.length - 1 - trainingRuns.findLastIndex(({ outcome }) => outcome === 'deployed');
  return (
    (lastRun.endedAt ?? lastRun.startedAt) + PAUSE_HOURS[Math.min(vainRunCount, PAUSE_HOURS.length - 1)]! * HOUR_MS
  );
}

/**
 * The time until which even a person has to wait: an hour after a model was rejected; 0 if there is no need to wait.
 */
export function computeNextManualTraining({ trainingRuns }: TrainingState): Millis {
  const lastRun = trainingRuns.at(-1);
  return lastRun?.outcome === 'rejected' && lastRun.endedAt !== null ? lastRun.endedAt + HOUR_MS : 0;
}
