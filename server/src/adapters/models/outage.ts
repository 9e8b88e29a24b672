// Recognises errors of models that are not reachable or not able to answer now, so that the same question may be
// answered later.

/** HTTP statuses below 500 that say nothing about the question: money, time and too many questions. */
const OUTAGE_STATUSES: ReadonlySet<unknown> = new Set([402, 408, 425, 429]);
/** Matches the codes of errors of a connection that could not be made, or that broke. */
const CONNECTION_CODE_PATTERN =
  /^(?:ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_\w+)$/;
/** Matches the codes of errors of a connection that was never made. */
const UNCONNECTED_CODE_PATTERN =
  /^(?:ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;
/** Maximum number of errors in the chain of causes that is read. */
const MAX_CAUSES = 5;

/** True if the server could not be reached, is busy or broken, or has ended the connection within its answer. */
export function isOutage(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as { readonly statusCode?: unknown };
  // The libraries report a stream that breaks as an error with the status of its beginning.
  if (typeof statusCode === 'number') return statusCode === 200 || statusCode >= 500 || OUTAGE_STATUSES.has(statusCode);
  return isInChain(error, ({ code }) => CONNECTION_CODE_PATTERN.test(String(code)));
}

/**
 * For an error of `isOutage`: true if the server may have worked on the question, and so may charge for it. False if
 * there was no connection, or if the server has refused the question with a status.
 */
export function isOutageCharged(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as { readonly statusCode?: unknown };
  if (typeof statusCode === 'number') return statusCode === 200;
  return !isInChain(error, ({ code, syscall }) => UNCONNECTED_CODE_PATTERN.test(String(code)) && syscall !== 'read');
}

/** The fields of an error of the system that are read here. */
interface SystemError {
  readonly code?: unknown;
  readonly syscall?: unknown;
}

/** True if `matches` accepts the error or one of its causes. */
function isInChain(error: unknown, matches: (error: SystemError) => boolean): boolean {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < MAX_CAUSES; depth += 1) {
    if (matches(current as SystemError)) return true;
    current = current.cause;
  }
  return false;
}
