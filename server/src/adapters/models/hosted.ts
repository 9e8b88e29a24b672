// Asks models behind a web address, with the protocols of OpenAI (also supported by llama.cpp, vLLM, LM Studio and many
// more), Anthropic and Google. Each library is loaded at the first question.

import { setTimeout as pause } from 'node:timers/promises';
import { SelfwareError } from '../../util/typedError.ts';
import type { Proposer, ProposerReply, ProposerRequest, Usage } from '../../core/ports/proposers.ts';
import { destinationOf, type Protocol } from './proposerNames.ts';
import { withoutSchema } from './withoutSchema.ts';
import { watchAnswer, type AnswerWatch } from './watched.ts';

export interface HostedOptions {
  readonly name: string;
  readonly protocol: Protocol;
  readonly model: string;
  readonly url: string;
  /** Sent as a header, and never part of a message or a log. Null for servers without keys. */
  readonly key: string | null;
  /** The environment variable with the required key, if that variable is missing. */
  readonly needs?: string | null;
  /** True in an editor that stores keys. Then advice names the editor's command. */
  readonly inEditor?: boolean;
  /** Pause before the first retry; doubles with each. */
  readonly backoffMs?: number;
}

/** Number of tries after the first one, for servers that are temporarily busy or broken. */
const RETRIES = 3;
/** Maximum pause in milliseconds before a retry. */
const MAX_PAUSE_MS = 60_000;
/** The command with which a person stores a key in VS Code. */
const SET_KEY = '"Selfware: Set a Model\'s Key…"';
/** Answers that have nothing to do with a schema: keys, permissions, time, and too many questions. */
const OTHER_REFUSALS: ReadonlySet<unknown> = new Set([401, 403, 408, 429]);
/** Maximum number of errors in the chain of causes that is kept. */
const MAX_CAUSES = 5;

/** Creates the proposer. Its library is loaded at the first question. */
export function createHostedProposer(options: HostedOptions): Proposer {
  const serverTraits: ServerTraits = { refusesSchema: false };
  return {
    name: options.name,
    destination: destinationOf(options.url),
    ask: async (request, signal, onText) => {
      requireKey(options);
      return watchAnswer(options.name, request.deadline, signal, onText, (watch) =>
        askWithRetries(options, serverTraits, request, watch),
      );
    },
  };
}

function requireKey({ name, needs = null, inEditor = false }: HostedOptions): void {
  if (needs === null) return;
  const variable = `the environment variable ${needs}, and start Selfware or the editor from there`;
  throw new SelfwareError('unavailable', `${name} needs a key, and ${needs} is not set.`, {
    action: inEditor ? `Run ${SET_KEY}, or put the key into ${variable}.` : `Put the key into ${variable}.`,
  });
}

/** Facts that this proposer has learned about its server. */
interface ServerTraits {
  refusesSchema: boolean;
}

/** Asks, and again after a pause while the server is busy and no text has come. Throws `unavailable`. */
async function askWithRetries(
  options: HostedOptions,
  serverTraits: ServerTraits,
  request: ProposerRequest,
  watch: AnswerWatch,
): Promise<ProposerReply> {
  let question = serverTraits.refusesSchema ? withoutSchema(request) : request;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const reply = await askOnce(options, question, watch);
      // It answers without the schema, so the server refuses schemas.
      serverTraits.refusesSchema = question.schema !== request.schema || serverTraits.refusesSchema;
      return reply;
    } catch (error) {
      const hasBegun = watch.text !== '' || watch.signal.aborted;
      if (question.schema !== undefined && !hasBegun && mayRefuseSchema(error)) {
        question = withoutSchema(request);
        continue;
      }
      const wait = retryAfter(error, attempt, options.backoffMs ?? 1000);
      // An answer that has begun is not requested again, because it is already paid for.
      if (wait === null || hasBegun) throw unavailableError(options, error);
      await pause(wait, undefined, { signal: watch.signal });
    }
  }
}

async function askOnce(
  options: HostedOptions,
  { messages, schema, maxTokens }: ProposerRequest,
  watch: AnswerWatch,
): Promise<ProposerReply> {
  const model = await modelOf(options);
  const { stream } = await model.doStream({
    prompt: messages.map(({ role, content }) =>
      role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] },
    ),
    maxOutputTokens: maxTokens,
    ...responseFormat(options.protocol, schema),
    abortSignal: watch.signal,
  });
  let [modelName, finished] = [null as string | null, false];
  let usage: Usage | null = null;
  for await (const part of stream) {
    if (part.type === 'text-delta') watch.onPiece(part.delta);
    else if (part.type === 'reasoning-delta') watch.onPiece('');
    else if (part.type === 'response-metadata') modelName = part.modelId ?? modelName;
    else if (part.type === 'error') throw part.error;
    else if (part.type === 'finish') {
      finished = part.finishReason.unified === 'stop';
      const { inputTokens, outputTokens } = part.usage;
      if (inputTokens.total !== undefined && outputTokens.total !== undefined)
        usage = {
          input: inputTokens.total,
          output: outputTokens.total,
          cached: inputTokens.cacheRead ?? 0,
          estimated: false,
        };
    }
  }
  // For instance, the server returned a web page instead of an answer.
  if (watch.text === '' && !finished) throw new Error('there is no text in its answer');
  return { text: watch.text, finished, model: modelName, usage };
}

/** The model of the protocol's library, whose stream reports every interruption as an error. */
async function modelOf({ protocol, url, key, model }: HostedOptions) {
  const settings = { baseURL: url, fetch: withoutRedirection, ...(key === null ? {} : { apiKey: key }) };
  if (protocol === 'anthropic')
    return (await import('@ai-sdk/anthropic')).createAnthropic(settings).languageModel(model);
  if (protocol === 'google')
    return (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings).languageModel(model);
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    name: 'proposer',
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...settings,
  }).chatModel(model);
}

/**
 * Anthropic's models get no schema: for models without support of schemas, the library demands a call of a tool
 * instead, and drops all text.
 */
function responseFormat(protocol: Protocol, schema: ProposerRequest['schema']) {
  if (schema === undefined || protocol === 'anthropic') return {};
  return { responseFormat: { type: 'json' as const, name: 'edits', schema } };
}

/**
 * True if the server may refuse the schema: for a status from 400 to 501 that is not in `OTHER_REFUSALS`, and for an
 * error within the stream, which is not an `Error`.
 */
function mayRefuseSchema(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as CallError;
  if (typeof statusCode !== 'number') return !(error instanceof Error);
  return statusCode >= 400 && statusCode <= 501 && !OTHER_REFUSALS.has(statusCode);
}

/** A redirection would send code and key to another host. */
const withoutRedirection: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' });

interface CallError {
  readonly statusCode?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

/** Milliseconds until the next try; null if another try is useless. */
function retryAfter(error: unknown, attempt: number, backoffMs: number): number | null {
  const { statusCode, responseHeaders } = (error ?? {}) as CallError;
  if (attempt >= RETRIES || typeof statusCode !== 'number' || (statusCode !== 429 && statusCode < 500)) return null;
  const requestedMs = Number(responseHeaders?.['retry-after']) * 1000;
  return Math.min(
    MAX_PAUSE_MS,
    Number.isFinite(requestedMs) && requestedMs > 0 ? requestedMs : backoffMs * 2 ** attempt,
  );
}

/** The error as a sentence for a person, without the key. */
function unavailableError({ name, url, key, inEditor = false }: HostedOptions, error: unknown): unknown {
  if (error instanceof SelfwareError) return error;
  const { statusCode } = (error ?? {}) as CallError;
  const status = typeof statusCode === 'number' ? ` (HTTP ${statusCode})` : '';
  const message = error instanceof Error ? error.message : 'no reason given';
  // The key is removed before the message is shortened, because a part of it would not be recognised.
  const safeMessage = withoutKey(message, key);
  const isRefused = statusCode === 401 || statusCode === 403;
  const reason = safeMessage.split('\n')[0]!.slice(0, isRefused ? 80 : 200);
  const action = isRefused
    ? inEditor
      ? `Check the key: ${SET_KEY}, or the environment.`
      : 'Check the key in the environment.'
    : `Check that a server answers at ${new URL(url).host}, and the name of the model.`;
  const cause = causeWithoutKey(error, key);
  return new SelfwareError('unavailable', `${name} gave no answer${status}: ${reason}`, { action, cause });
}

/**
 * A copy of the error and its causes for logs: messages and stacks without the key. All other properties are removed,
 * because libraries store the question, headers and the complete answer of the server in them.
 */
function causeWithoutKey(error: unknown, key: string | null, depth = 1): Error | undefined {
  if (error === undefined || error === null || depth > MAX_CAUSES) return undefined;
  if (!(error instanceof Error)) return new Error(withoutKey(String(error), key));
  const copy = new Error(withoutKey(error.message, key), { cause: causeWithoutKey(error.cause, key, depth + 1) });
  copy.name = error.name;
  copy.stack = withoutKey(error.stack ?? '', key);
  return copy;
}

function withoutKey(text: string, key: string | null): string {
  return key === null ? text : text.replaceAll(key, '…');
}
