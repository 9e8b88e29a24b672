// Types of the façade's section `training`.

import type { Dataset, DatasetExample } from '../../learn/training/dataset.ts';
import type { ModelAnswer } from '../../learn/training/evaluation.ts';
import type { TrainingEvent, TrainingState } from '../../model/trainings.ts';
import type { Operation } from '../../operation.ts';

/** A model's answer to one held-out example, before it is judged. */
export type UnjudgedAnswer = Omit<ModelAnswer, 'success'>;

/** Section `training`: a person's own model, trained on the lessons and changes of this repository. */
export interface Training {
  /** The dataset of the lessons and changes so far. `leftOut`: number of decided changes that gave no example. */
  dataset(): Promise<{ readonly dataset: Dataset; readonly leftOut: number }>;
  /** The state of training. `base`: only trainings of this base count; null for all. */
  state(base: string | null): Promise<TrainingState>;
  /** Throws `forbidden` while Selfware is stopped, whichever process has stopped it. */
  throwIfStopped(): Promise<void>;
  /** Records an event in the ledger. Call this for a person only, or for a service that a person has started. */
  record(event: TrainingEvent): Promise<void>;
  /** A new id of a training. */
  newId(): string;
  /**
   * Asks a proposer about each example. An example whose question fails has no reply. Throws `unavailable` if several
   * questions in a row fail, because the model is then unreachable, `forbidden` while Selfware is stopped, and the
   * errors of opening a proposer.
   */
  ask(proposer: string, examples: readonly DatasetExample[], operation: Operation): Promise<readonly UnjudgedAnswer[]>;
  /**
   * Judges replies. A reply is a success if it makes the kept change, or passes the gates on the tree of that time. A
   * reply about a lesson, or about a tree that cannot be recreated, stays unknown. Throws `forbidden` while Selfware is
   * stopped.
   */
  judge(
    examples: readonly DatasetExample[],
    answers: readonly UnjudgedAnswer[],
    operation: Operation,
  ): Promise<readonly ModelAnswer[]>;
  /** True if a person has agreed that this training command gets the dataset. */
  consented(command: string): Promise<boolean>;
  /** Records that a person has agreed that this training command gets the dataset. Call this for a person only. */
  consent(command: string): Promise<void>;
}
