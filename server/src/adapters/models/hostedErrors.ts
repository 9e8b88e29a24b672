// Turns errors of the libraries for hosted models into sentences for a person: what happened, and what to do about it.
// No message contains the key.

import { asSentence } from '../../util/values/asSentence.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { isOutage, isOutageCharged } from './outage.ts';

/** The facts about a proposer that its errors name. */
export interface HostedNames {
  readonly name: string;
  readonly url: string;
  readonly key: string | null;
  /** The name of the environment variable with the key. */
  readonly keyFrom: string;
  /**
   * The name of the variable with a provider's key that is not sent to this host, because the host is not that
   * provider's.
   */
  readonly withheldVariable?: string;
  /** True in an editor that stores keys. Then advice names the editor's command. */
  readonly inEditor?: boolean;
}

/** Maximum number of tries after the first one, for servers that are temporarily busy or broken. */
const MAX_RETRIES = 3;
/** The command with which a person stores a key in VS Code. */
const SET_KEY_COMMAND = '"Selfware: Set a Model\'s Key…"';
/** HTTP statuses that have nothing to do with a schema: keys, permissions, money, time, and too many questions. */
const OTHER_REFUSALS: ReadonlySet<unknown> = new Set([401, 402, 403, 408, 429]);
/** Maximum number of errors in the chain of causes that is kept. */
const MAX_CAUSES = 5;
/**
 * `MAX_REASON`: the maximum number of characters of a server's own words in a message. `MAX_REASON_ABOUT_KEY`: the same
 * if the server may repeat a part of the key.
 */
const [MAX_REASON, MAX_REASON_ABOUT_KEY] = [200, 80];

/** The fields of the libraries' errors that are read here. */
interface CallError {
  readonly statusCode?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

/** The error of a server that has refused a question, by an HTTP status or within its answer. */
export class ServerRefusal extends Error {
  readonly statusCode: number | undefined;
  readonly responseHeaders: Readonly<Record<string, string>>;

  constructor(reason: string, response?: Response) {
    super(reason);
    this.statusCode = response?.status;
    this.responseHeaders = Object.fromEntries(response?.headers ?? []);
  }
}

/** The error for a missing key that is required. */
export function createMissingKeyError({ name, keyFrom, inEditor = false }: HostedNames): SelfwareError {
  return new SelfwareError('unavailable', `${name} needs a key, and ${keyFrom} is not set.`, {
    action: `${inEditor ? `Run ${SET_KEY_COMMAND}, or put` : 'Put'} the key into ${formatVariableAdvice(keyFrom)}.`,
  });
}

function formatVariableAdvice(variable: string): string {
  return `the environment variable ${variable}, and start Selfware or the editor from there`;
}

/**
 * True if the error may mean that the server refuses the schema: for a status from 400 to 501 that is not in
 * `OTHER_REFUSALS`, and for an error within the stream, which is not an `Error` in the libraries. Statuses of 500 count
 * because Ollama and llama.cpp answer some schemas with 500.
 */
export function mayRefuseSchema(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as CallError;
  if (typeof statusCode !== 'number') return !(error instanceof Error) || error instanceof ServerRefusal;
  return statusCode >= 400 && statusCode <= 501 && !OTHER_REFUSALS.has(statusCode);
}

/**
 * The field for the maximum of an answer that the server demands in place of the one that it was sent; null if it names
 * none.
 */
export function findWantedTokenField(error: unknown): 'max_tokens' | 'max_completion_tokens' | null {
  if (((error ?? {}) as CallError).statusCode !== 400 || !(error instanceof Error)) return null;
  const [, wantedField = null] = /\buse\W+(max_tokens|max_completion_tokens)\b/i.exec(error.message) ?? [];
  return wantedField as 'max_tokens' | 'max_completion_tokens' | null;
}

/** True for a status of 500 or more, which says nothing about the question. */
export function isServerFailure(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as CallError;
  return typeof statusCode === 'number' && statusCode >= 500;
}

/**
 * Milliseconds until the next try; null if another try is useless, or if the pause would take half of `remainingMs` or
 * more, which would leave too little time for the answer.
 */
export function computeRetryDelay(
  error: unknown,
  attempt: number,
  backoffMs: number,
  remainingMs: number,
): number | null {
  const { statusCode } = (error ?? {}) as CallError;
  if (attempt >= MAX_RETRIES || typeof statusCode !== 'number' || (statusCode !== 429 && !isServerFailure(error)))
    return null;
  const delayMs = parseRequestedPause(error) ?? backoffMs * 2 ** attempt;
  return delayMs < remainingMs / 2 ? delayMs : null;
}

/** The pause in milliseconds for which the server asks: seconds or a date; null if it asks for none. */
export function parseRequestedPause(error: unknown): number | null {
  const header = ((error ?? {}) as CallError).responseHeaders?.['retry-after'];
  if (header === undefined) return null;
  const seconds = Number(header);
  const milliseconds = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return milliseconds > 0 ? milliseconds : null;
}

/**
 * The error `unavailable` with sentences for a person, without the key. If the chain of causes contains a typed error,
 * that one is returned.
 */
export function createUnavailableError(names: HostedNames, error: unknown): unknown {
  const typedError = findTypedCause(error);
  if (typedError) return typedError;
  const { name, key } = names;
  const { statusCode } = (error ?? {}) as CallError;
  const status = typeof statusCode === 'number' && statusCode !== 200 ? statusCode : null;
  // The key is removed before the message is shortened, because a part of it would not be recognised.
  const message = removeKey(describeMessage(error), key);
  const reason = asSentence(message, status === 401 || status === 403 ? MAX_REASON_ABOUT_KEY : MAX_REASON);
  const statusText = status === null ? '' : ` (HTTP ${status})`;
  return new SelfwareError('unavailable', `${name} gave no answer${statusText}: ${reason}`, {
    action: formatAdvice(names, error, status, message),
    retry: isOutage(error) ? { afterMs: parseRequestedPause(error), isCharged: isOutageCharged(error) } : null,
    cause: removeKeyFromCause(error, key),
  });
}

/** The first typed error in the chain of causes: libraries wrap the errors of our own `fetch`. */
function findTypedCause(error: unknown): SelfwareError | null {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < MAX_CAUSES; depth += 1) {
    if (current instanceof SelfwareError) return current;
    current = current.cause;
  }
  return null;
}

/** The message of the server or the library; a plainer one for a broken connection and for an answer without an end. */
function describeMessage(error: unknown): string {
  const { statusCode } = (error ?? {}) as CallError;
  if (statusCode === 200) return 'The connection ended before the answer was complete';
  const message = error instanceof Error ? error.message : describeStreamError(error);
  return message.startsWith('Response stream ended without') ? 'Its answer has no end, so it may be cut' : message;
}

/** The text of an error that a server has sent within its stream. */
function describeStreamError(error: unknown): string {
  if (typeof error === 'string' && error !== '') return error;
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' && message !== '' ? message : 'No reason given';
}

/** Advice to the person about the error. */
function formatAdvice(names: HostedNames, error: unknown, status: number | null, message: string): string {
  const { url } = names;
  const { host } = new URL(url);
  if (status === 401 || status === 403) return formatKeyAdvice(names);
  const pause = status === 429 ? parseRequestedPause(error) : null;
  // A limit per minute is also called a quota. Then the server says how long to wait.
  if (pause === null && (status === 402 || /insufficient|quota|billing|credit/i.test(message)))
    return `Check your account at ${host}.`;
  if (status === 429) {
    return `${pause === null ? 'Wait a while' : `Wait for ${formatDuration(pause)}`}, or name another model.`;
  }
  if (status !== null && status >= 500) return `Try again later, or look at the log of the server at ${host}.`;
  if (/context|too long|too many tokens|maximum.{0,80}tokens/i.test(message))
    return 'Lower models.contextTokens and models.replyTokens, or use a model that reads more.';
  if (status === 404 || status === 405)
    return `Check the address ${url} and the name of the model.${formatEndingAdvice(url)}`;
  if (status !== null) return 'Check the name of the model, or use another model.';
  if (error instanceof Error && message.startsWith('Cannot connect')) return `Check that a server answers at ${host}.`;
  return 'Try again, or use another model.';
}

function formatKeyAdvice({ key, keyFrom, withheldVariable, url, inEditor = false }: HostedNames): string {
  const ownHost =
    withheldVariable === undefined
      ? ''
      : ` ${withheldVariable} is not sent to ${new URL(url).host}, only to its provider.`;
  const missingKeyAdvice = `No key was sent.${ownHost} ${inEditor ? `Run ${SET_KEY_COMMAND}, or put` : 'Put'} it into ${formatVariableAdvice(keyFrom)}.`;
  if (key === null) return missingKeyAdvice;
  return inEditor
    ? `Check the key: ${SET_KEY_COMMAND}, or ${keyFrom} in the environment.`
    : `Check the key in ${keyFrom}.`;
}

/**
 * A sentence about `/v1` for an address without a version, because most servers have their protocol below it and it is
 * easily forgotten; otherwise empty.
 */
function formatEndingAdvice(url: string): string {
  return /\/v\d/.test(new URL(url).pathname) ? '' : ' Most addresses end with /v1.';
}

/** The text of a pause in seconds or, from two minutes on, in minutes. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/**
 * A copy of the error and its causes for logs: messages and stacks without the key. All other properties are removed,
 * because libraries store the question, headers and the complete answer of the server in them.
 */
function removeKeyFromCause(error: unknown, key: string | null, depth = 1): Error | undefined {
  if (error === undefined || error === null || depth > MAX_CAUSES) return undefined;
  if (!(error instanceof Error)) return new Error(removeKey(describeStreamError(error), key));
  const copy = new Error(removeKey(error.message, key), { cause: removeKeyFromCause(error.cause, key, depth + 1) });
  copy.name = error.name;
  copy.stack = removeKey(error.stack ?? '', key);
  return copy;
}

function removeKey(text: string, key: string | null): string {
  return key === null ? text : text.replaceAll(key, '…');
}
