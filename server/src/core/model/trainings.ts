// The types of trainings, in which a person's own model learns from the history of this repository, as the ledger
// records them. Plain data.

import type { Millis } from '../model.ts';

/** The results of one model on the held-out examples. A figure is null if it was not measured. */
export interface ModelFigures {
  readonly examples: number;
  /** Number of answers that the checks accept, of those that could be judged. */
  readonly success: { readonly hits: number; readonly of: number } | null;
  /** Perplexity of the known answers, over all their tokens; lower is better. */
  readonly perplexity: number | null;
  /** BLEU score of the model's answers against the known ones, 0–1. */
  readonly bleu: number | null;
}

/**
 * The difference between two models on the same examples. `gain`: positive if the new model is better. For `success`,
 * it is the difference of the rates; for `perplexity`, the share by which it fell. `low` and `high`: the limits of the
 * 95 % interval of the gain. Null if nothing could be compared.
 */
export interface ModelComparison {
  readonly metric: 'success' | 'perplexity' | null;
  readonly gain: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly better: boolean;
  /** The result in one sentence. */
  readonly reason: string;
}

/** The possible ends of a training. */
const TRAINING_OUTCOMES = ['deployed', 'rejected', 'failed', 'cancelled'] as const;
/** The end of a training. */
export type TrainingOutcome = (typeof TRAINING_OUTCOMES)[number];

/** An event of trainings in the ledger. */
export type TrainingEvent =
  /** A service has checked whether a training is due. `due`: the reason; null if none is due. */
  | { readonly type: 'trainingChecked'; readonly data: { readonly due: string | null } }
  | {
      readonly type: 'trainingStarted';
      readonly data: {
        readonly training: string;
        /** Hash of the dataset. */
        readonly dataset: string;
        readonly examples: number;
        readonly heldOut: number;
        /** The model from which the training starts. */
        readonly base: string;
        /** The model with which the result of the training is compared. */
        readonly current: string;
      };
    }
  | {
      readonly type: 'trainingEnded';
      readonly data: {
        readonly training: string;
        readonly outcome: TrainingOutcome;
        readonly reason: string;
        readonly current: ModelFigures | null;
        readonly candidate: ModelFigures | null;
        readonly comparison: ModelComparison | null;
      };
    }
  /**
   * A trained model was deployed. `previous`: the model that was in use before; null for the base. `hash`: hash of the
   * file that the trainer made.
   */
  | {
      readonly type: 'modelDeployed';
      readonly data: {
        readonly training: string;
        readonly model: string;
        readonly previous: string | null;
        readonly hash: string;
      };
    }
  /** A person has rolled the deployed model back from `model` to `to`, which is null for the base. */
  | {
      readonly type: 'modelRolledBack';
      readonly data: { readonly model: string; readonly to: string | null };
    };

/** One training, from its start to its end. */
export interface TrainingRecord {
  readonly training: string;
  readonly startedAt: Millis;
  readonly endedAt: Millis | null;
  /** `interrupted`: its process ended without a result, or the training still runs. */
  readonly outcome: TrainingOutcome | 'interrupted';
  readonly reason: string;
  readonly comparison: ModelComparison | null;
}

/** The state of training, as a fold over the ledger. */
export interface TrainingState {
  /** The start of the newest training; null if there was none yet. */
  readonly lastTrainingTime: Millis | null;
  /** The time of the newest check whether a training is due; null if there was none yet. */
  readonly lastCheckTime: Millis | null;
  /** Number of things to learn from that are newer than the last training. */
  readonly learningsSinceTraining: number;
  /** The deployed model; null for the base. */
  readonly currentModel: string | null;
  /** The model that a roll-back leads to; null for the base, undefined if no roll-back is possible. */
  readonly previousModel: string | null | undefined;
  /** The gain of the deployed model over the previous one; null if none is deployed. */
  readonly improvementScore: number | null;
  /** Success rate of the current model on the held-out examples; null if it was not measured. */
  readonly currentAccuracy: number | null;
  /** All trainings, oldest first. */
  readonly trainingRuns: readonly TrainingRecord[];
}
