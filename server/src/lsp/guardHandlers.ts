// Wraps handlers of requests and events, so that an exception in one of them is logged, and the server continues.

import { LSPErrorCodes, ResponseError, type CancellationToken } from 'vscode-languageserver/node';
import { SelfwareError } from '../util/typedError.ts';
import type { Log } from '../core/ports/system.ts';

/**
 * Wraps the handler of a request. If the request is cancelled, answers with the error `RequestCancelled` of the
 * protocol. After any other error, logs it under `name` and answers with `fallback`.
 */
export function guardRequest<P, R>(
  log: Log,
  name: string,
  fallback: R,
  handler: (params: P, signal: AbortSignal) => Promise<R> | R,
): (params: P, token: CancellationToken) => Promise<R> {
  return async (params, token) => {
    const { signal, dispose } = createAbortSignal(token);
    try {
      return await handler(params, signal);
    } catch (error) {
      if (signal.aborted || isCancelled(error))
        throw new ResponseError<never>(LSPErrorCodes.RequestCancelled, 'Cancelled.');
      log.write('error', `${name} failed.`, error);
      return fallback;
    } finally {
      dispose();
    }
  };
}

/**
 * Wraps the handler of a notification or an event. Errors are logged under `name`, because no caller awaits the result.
 */
export function guardEvent<P>(
  log: Log,
  name: string,
  handler: (params: P) => Promise<unknown> | void,
): (params: P) => void {
  return (params) => runInBackground(log, name, async () => void (await handler(params)));
}

/** Starts work and returns at once. Errors are logged under `name`, except cancellations. */
export function runInBackground(log: Log, name: string, work: () => Promise<void>): void {
  work().catch((error: unknown) => {
    if (!isCancelled(error)) log.write('error', `${name} failed.`, error);
  });
}

/** An AbortSignal that is aborted when the cancellation token of the protocol is. `dispose` ends that. */
export function createAbortSignal(token: CancellationToken): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const subscription = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, dispose: () => subscription.dispose() };
}

/** True for the error that a cancelled operation throws. */
export function isCancelled(error: unknown): boolean {
  return error instanceof SelfwareError && error.reason === 'cancelled';
}
