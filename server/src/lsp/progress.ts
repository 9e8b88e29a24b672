// Reports work-done progress (LSP): the client shows running work, and can cancel it.

import { WorkDoneProgressReporter } from 'vscode-languageserver/node';
import { SelfwareError } from '../util/typedError.ts';
import { createAbortSignal } from './guardHandlers.ts';
import type { ServerContext } from './serverContext.ts';
import { throttle } from './throttle.ts';
import { groupThousands } from '../util/thousands.ts';
import type { Operation, Progress } from '../core/operation.ts';

/** Minimum time between two reports in milliseconds. Nobody can read faster ones, and some clients redraw at each. */
const MIN_REPORT_MS = 100;

/** The title of an operation, and how its progress is shown. */
export interface ProgressRequest {
  readonly title: string;
  /**
   * The progress that the client has supplied with the request; if it has not, the server creates progress, if the
   * client supports that.
   */
  readonly reporter?: WorkDoneProgressReporter | undefined;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Runs `work` as an operation that is cancelled if `signal` is aborted or the user cancels it in the client. Reports no
 * percentage, because the relative duration of the stages is unknown, and a progress bar that goes backwards would
 * confuse. Throws `cancelled` if the operation was cancelled, and otherwise the errors of `work`.
 */
export async function withProgress<T>(
  context: Pick<ServerContext, 'connection' | 'abilities' | 'log'>,
  request: ProgressRequest,
  signal: AbortSignal,
  work: (operation: Operation) => Promise<T>,
): Promise<T> {
  const { reporter, cancel, dispose } = await createReporter(context, request.reporter);
  const cancelSignal = AbortSignal.any([signal, cancel]);
  let latestText = '';
  let isEnded = false;
  // Of a burst of reports, the last one is always sent, because it may stay visible for minutes.
  const reportSoon = throttle(MIN_REPORT_MS, () => {
    if (!isEnded) reporter?.report(latestText);
  });
  reporter?.begin(request.title, undefined, undefined, true);
  try {
    return await work({
      signal: cancelSignal,
      report: (progress) => {
        request.onProgress?.(progress);
        latestText = formatProgress(progress);
        reportSoon();
      },
    });
  } catch (error) {
    // A cancelled operation may fail with any error, so every error becomes `cancelled`.
    throw cancelSignal.aborted ? new SelfwareError('cancelled', 'Cancelled.', { cause: error }) : error;
  } finally {
    isEnded = true;
    reporter?.done();
    dispose();
  }
}

/** The message with the numbers of done and of all items, unless the total is unknown or already in the message. */
function formatProgress({ message, done, total }: Progress): string {
  const needsNoCount = total === null || total === 0 || message.includes(groupThousands(total));
  return needsNoCount ? message : `${message} (${groupThousands(done)} of ${groupThousands(total)})`;
}

/**
 * The reporter of the request or a new one; null if the client shows no progress. `cancel`: the signal that is aborted
 * if the user cancels in the client. `dispose` ends the link between both.
 */
async function createReporter(
  { connection, abilities, log }: Pick<ServerContext, 'connection' | 'abilities' | 'log'>,
  requestReporter: WorkDoneProgressReporter | undefined,
): Promise<{ readonly reporter: WorkDoneProgressReporter | null; readonly cancel: AbortSignal; dispose(): void }> {
  const neverCancelled = { cancel: new AbortController().signal, dispose: () => {} };
  if (requestReporter && !WorkDoneProgressReporter.isNullInstance(requestReporter))
    return { reporter: requestReporter, ...neverCancelled };
  if (!abilities.workDoneProgress) return { reporter: null, ...neverCancelled };
  try {
    const reporter = await connection.window.createWorkDoneProgress();
    const { signal, dispose } = createAbortSignal(reporter.token);
    return { reporter, cancel: signal, dispose };
  } catch (error) {
    log.write('warn', 'The client refused to show progress.', error);
    return { reporter: null, ...neverCancelled };
  }
}
