// Defines the messages between the main thread and the worker threads.

import type { ErrorReason } from '../../util/typedError.ts';
import type { OriginalPackages } from '../files/sourceTreeOfCopy.ts';

/** The data with which a worker thread starts. */
export interface ThreadData {
  /** The folder in which compiled code is cached; null if it is not cached. */
  readonly code: string | null;
  /** The repository whose installed packages the jobs see; null if those of their own root. */
  readonly packages: OriginalPackages | null;
}

/** A request to a worker thread to run a job. */
export interface JobRequest {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

/** The answer of a worker thread to the request with this id. */
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
