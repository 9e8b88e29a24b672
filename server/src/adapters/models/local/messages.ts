// Defines the messages between Selfware and the process that runs a model from a GGUF file.

import type { Message, ReplySchema } from '../../../core/ports/proposers.ts';

/** A request to the process. `id`: identifies a question in later messages. */
export type ToModel =
  | {
      readonly type: 'ask';
      readonly id: number;
      readonly messages: readonly Message[];
      /** Maximum number of tokens of the answer. */
      readonly maxTokens: number;
      /** The shape of the answer; null for any text. */
      readonly schema: ReplySchema | null;
    }
  /** Asks how likely the model is to give this answer. */
  | {
      readonly type: 'measure';
      readonly id: number;
      readonly messages: readonly Message[];
      readonly answer: string;
    }
  | { readonly type: 'cancel'; readonly id: number };

/** Natural logarithm of the probability of an answer, and its length in tokens. */
export interface MeasuredAnswer {
  readonly logProbability: number;
  readonly tokens: number;
}

/** The answer to a question. */
export interface LocalModelAnswer {
  readonly text: string;
  /** False if the answer ended at a limit. */
  readonly finished: boolean;
  /**
   * Numbers of tokens. `cached`: tokens of the question that did not have to be evaluated again, because the previous
   * question began with them.
   */
  readonly usage: { readonly input: number; readonly output: number; readonly cached: number };
}

/** A message of the process. */
export type FromModel =
  | {
      readonly type: 'ready';
      /** The name in the file; null if it has none. */
      readonly name: string | null;
      /** Number of tokens of question and answer together for which the model was trained. */
      readonly contextTokens: number;
    }
  /** A sign of life: the process works on a question, or still loads the model. */
  | { readonly type: 'alive' }
  | { readonly type: 'piece'; readonly id: number; readonly text: string }
  | ({ readonly type: 'answer'; readonly id: number } & LocalModelAnswer)
  | ({ readonly type: 'measured'; readonly id: number } & MeasuredAnswer)
  /** A cancelled question is no longer worked on. */
  | { readonly type: 'stopped'; readonly id: number }
  /** The model is not loaded, because the graphics card has only these bytes for it. The process ends. */
  | { readonly type: 'tooLarge'; readonly cardBytes: number }
  /** `id` null: the model cannot be used at all, and the process ends. */
  | { readonly type: 'failed'; readonly id: number | null; readonly reason: string };
