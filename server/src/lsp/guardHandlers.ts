// Guards handlers against exceptions: an exception is logged with its cause and answered with a fallback, and the
// server continues.

import { LSPErrorCodes, ResponseError, type CancellationToken } from 'vscode-languageserver/node';
import { SelfwareError } from '../util/typedError.ts';
import type { Log } from '../core/ports/system.ts';

/**
 * Wraps a request handler. A cancelled request is answered by the error that the protocol requires; any other failure
 * by `fallback`.
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

/** Wraps a notification or event handler. Nobody awaits its result, so no exception may escape. */
export function guardEvent<P>(
  log: Log,
  name: string,
  handler: (params: P) => Promise<unknown> | void,
): (params: P) => void {
  return (params) => runInBackground(log, name, async () => void (await handler(params)));
}

/** Starts work and returns at once. An exception is logged under `name`. */
export function runInBackground(log: Log, name: string, work: () => Promise<void>): void {
  work().catch((error: unknown) => {
    if (!isCancelled(error)) log.write('error', `${name} failed.`, error);
  });
}

/** An AbortSignal that follows a protocol token. */
export function createAbortSignal(token: CancellationToken): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const subscription = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, dispose: () => subscription.dispose() };
}

/** True for the error of a cancelled operation. */
export function isCancelled(error: unknown): boolean {
  return error instanceof SelfwareError && error.reason === 'cancelled';
}
