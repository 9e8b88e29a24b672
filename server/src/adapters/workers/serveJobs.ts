// Answers job requests in a worker thread.

import { parentPort } from 'node:worker_threads';
import type { JobImplementations } from '../../core/jobs.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { JobReply, JobRequest } from './messages.ts';

/**
 * Answers each message from the parent thread by running the job that it names. Call it once in each worker thread. An
 * error is sent as a plain object.
 */
export function serveJobs(implementations: Partial<JobImplementations>): void {
  const port = parentPort;
  if (!port) throw new SelfwareError('internal', 'Jobs are served from a worker thread only.');
  port.on('message', (request: JobRequest) => {
    void answerJob(implementations, request).then((message: JobReply) => port.postMessage(message));
  });
}

/** Runs the requested job and returns the answer, which contains the error if the job fails. */
async function answerJob(table: Partial<JobImplementations>, { id, name, input }: JobRequest): Promise<JobReply> {
  try {
    const job = (table as Record<string, ((input: never) => Promise<unknown>) | undefined>)[name];
    if (!job) throw new SelfwareError('internal', `There is no job ${name}.`);
    return { id, output: await job(input as never) };
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? null) : null;
    if (error instanceof SelfwareError)
      return { id, error: { reason: error.reason, message: error.message, action: error.action, stack } };
    return {
      id,
      error: {
        reason: 'internal',
        message: error instanceof Error ? error.message : String(error),
        action: null,
        stack,
      },
    };
  }
}
