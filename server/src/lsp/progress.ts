// Reports work-done progress: the client shows running work and can cancel it.

import { WorkDoneProgressReporter } from 'vscode-languageserver/node';
import { SelfwareError } from '../util/typedError.ts';
import { createAbortSignal } from './guardHandlers.ts';
import type { ServerContext } from './serverContext.ts';
import { throttle } from './throttle.ts';
import { thousands } from '../util/thousands.ts';
import type { Operation, Progress } from '../core/operation.ts';

/** The shortest interval of reports. Faster ones cannot be read, and some clients redraw for each. */
const MIN_REPORT_MS = 100;

/** The title of an operation, and how its progress is shown. */
export interface ProgressRequest {
  readonly title: string;
  /**
   * The progress of the request itself, if the client supplies one; otherwise progress is created, if the client
   * supports it.
   */
  readonly reporter?: WorkDoneProgressReporter | undefined;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Runs `work` as an operation that is cancelled if `signal` is aborted or the user cancels it in the client. Shows no
 * percentage, because the weight of the stages is unknown, and a bar that goes backwards is worse than none.
 */
export async function withProgress<T>(
  context: Pick<ServerContext, 'connection' | 'abilities' | 'log'>,
  request: ProgressRequest,
  signal: AbortSignal,
  work: (operation: Operation) => Promise<T>,
): Promise<T> {
  const { reporter, cancel, dispose } = await createReporter(context, request.reporter);
  const cancelled = AbortSignal.any([signal, cancel]);
  let latest = '';
  let isEnded = false;
  // The last report of a burst may stay visible for minutes, so it is always sent.
  const reportSoon = throttle(MIN_REPORT_MS, () => {
    if (!isEnded) reporter?.report(latest);
  });
  reporter?.begin(request.title, undefined, undefined, true);
  try {
    return await work({
      signal: cancelled,
      report: (progress) => {
        request.onProgress?.(progress);
        latest = progressText(progress);
        reportSoon();
      },
    });
  } catch (error) {
    // A cancelled operation may fail with any error, so it becomes `cancelled`.
    throw cancelled.aborted ? new SelfwareError('cancelled', 'Cancelled.', { cause: error }) : error;
  } finally {
    isEnded = true;
    reporter?.done();
    dispose();
  }
}

/** The message with its counts, unless the message names the total itself. */
export function progressText({ message, done, total }: Progress): string {
  const hasCount = total === null || total === 0 || message.includes(thousands(total));
  return hasCount ? message : `${message} (${thousands(done)} of ${thousands(total)})`;
}

async function createReporter(
  { connection, abilities, log }: Pick<ServerContext, 'connection' | 'abilities' | 'log'>,
  requestReporter: WorkDoneProgressReporter | undefined,
): Promise<{ readonly reporter: WorkDoneProgressReporter | null; readonly cancel: AbortSignal; dispose(): void }> {
  const never = { cancel: new AbortController().signal, dispose: () => {} };
  if (requestReporter && !WorkDoneProgressReporter.isNullInstance(requestReporter))
    return { reporter: requestReporter, ...never };
  if (!abilities.workDoneProgress) return { reporter: null, ...never };
  try {
    const reporter = await connection.window.createWorkDoneProgress();
    const { signal, dispose } = createAbortSignal(reporter.token);
    return { reporter, cancel: signal, dispose };
  } catch (error) {
    log.write('warn', 'The client refused to show progress.', error);
    return { reporter: null, ...never };
  }
}
