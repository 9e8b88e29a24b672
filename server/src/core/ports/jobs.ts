// Work off the calling thread.

/** A table of jobs: plain data in, plain data out. */
export type JobTypes<T> = { readonly [K in keyof T]: { readonly input: unknown; readonly output: unknown } };

/**
 * Runs jobs off the calling thread. Cancelling ends the thread, so a hanging job cannot outlive its request. `release`:
 * nothing is expected next, so idle threads free their resources.
 */
export interface JobRunner<T extends JobTypes<T>> {
  run<K extends keyof T>(name: K, input: T[K]['input'], signal: AbortSignal): Promise<T[K]['output']>;
  release(): void;
  close(): Promise<void>;
}
