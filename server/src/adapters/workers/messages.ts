// Defines the messages between the main thread and the worker threads.

import type { ErrorReason } from '../../util/typedError.ts';

/** The data with which a worker thread starts. */
export interface ThreadData {
  /** Folder of the compiled code; null if it is not kept. */
  readonly code: string | null;
}

/** A job for a worker thread. */
export interface JobRequest {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

/** The answer of a worker thread to the job of this id. */
export type JobReply =
  | { readonly id: number; readonly output: unknown }
  | {
      readonly id: number;
      readonly error: {
        readonly reason: ErrorReason;
        readonly message: string;
        readonly action: string | null;
        readonly stack: string | null;
      };
    };
