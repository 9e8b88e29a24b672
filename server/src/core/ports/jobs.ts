// The port for jobs that run outside of the calling thread.

import { SelfwareError } from '../../util/typedError.ts';

/** The types of jobs: the input and the output of each, by its name. They are plain data. */
export type JobTypes<T> = { readonly [K in keyof T]: { readonly input: unknown; readonly output: unknown } };

/** Runs jobs outside of the calling thread. Cancelling ends the thread, so a hanging job cannot outlive its request. */
export interface JobRunner<T extends JobTypes<T>> {
  run<K extends keyof T>(name: K, input: T[K]['input'], signal: AbortSignal): Promise<T[K]['output']>;
  /** Tells the runner that no job is expected soon, so that idle threads free their resources. */
  release(): void;
  close(): Promise<void>;
}

/** Thrown if the thread of a job ended before it answered, for example for lack of memory. */
export class ThreadEndedError extends SelfwareError {
  constructor(message: string, cause?: unknown) {
    super('internal', message, { cause });
  }
}
