// Asks the models of an Ollama server with Ollama's own protocol. Only that protocol can set the context size; by
// default, the start of a long question is silently dropped. Ollama's client for JavaScript is not used, because it
// skips lines of an answer that it cannot parse. https://docs.ollama.com/api/chat

import { estimateTokens } from '../../util/tokens.ts';
import { asSentence } from '../../util/values/asSentence.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { Proposer, ProposerReply, ProposerRequest } from '../../core/ports/proposers.ts';
import { findOllamaDestination, parseRemoteHost, requireAgreedHost } from './ollamaCloud.ts';
import { createModelFetch } from './modelFetch.ts';
import { estimateInput, watchAnswer, type AnswerWatch } from './answerLimits.ts';
import { askWithRetries, type AskOnce, type ServerTraits } from './askWithRetries.ts';
import { isOutage, isOutageCharged } from './outage.ts';
import { formatDuration, isServerFailure, parseRequestedPause, ServerRefusal } from './hostedErrors.ts';

/**
 * Factor for the tokens of a question. They are only estimated, and a context that is too small would cut off the start
 * of the question.
 */
const TOKEN_MARGIN = 1.2;
/**
 * The context size in tokens is a multiple of this number, so that the server need not load the model again for each
 * question.
 */
const CONTEXT_STEP = 1024;
/** Maximum number of characters of the server's own words in a message. */
const MAX_REASON = 200;
/** The reason of an error that has none. */
const NO_REASON = 'No reason given';
/** The reason if a server does not describe a model in JSON. */
const NO_MODEL_DATA = 'It does not tell where the model runs';
/** Milliseconds after which a server that has not listed its models counts as absent. */
const LIST_TIMEOUT_MS = 2000;

/** A model, and the server that runs it. */
export interface OllamaOptions {
  readonly name: string;
  readonly model: string;
  readonly url: string;
  /** Milliseconds before the first retry, which double with each. */
  readonly backoffMs?: number;
}

/** One line of an answer. */
interface Piece {
  readonly model?: unknown;
  readonly message?: { readonly content?: unknown; readonly thinking?: unknown };
  readonly done?: unknown;
  readonly done_reason?: unknown;
  readonly prompt_eval_count?: unknown;
  readonly eval_count?: unknown;
  readonly error?: unknown;
}

/** Creates the proposer for one model of an Ollama server. */
export function createOllamaProposer(options: OllamaOptions): Proposer {
  const serverTraits: ServerTraits = { refusesSchema: false };
  const { name } = options;
  const destination = findOllamaDestination(options.model, options.url);
  return {
    name,
    destination,
    ...(destination === null ? { loadsModel: (signal: AbortSignal) => isUnloaded(options, signal) } : {}),
    ask: (request, signal, onText) =>
      watchAnswer({ name, isLocal: destination === null }, request, signal, onText, async (watch) => {
        try {
          const ask: AskOnce = async (question) => {
            // Asked each time, because a name may stand for another model by now.
            requireAgreedHost(options.name, destination, await fetchRemoteHost(options, destination, watch.signal));
            return askOllama(options, question, watch);
          };
          return await askWithRetries(ask, serverTraits, request, watch, options.backoffMs);
        } catch (error) {
          if (error instanceof SelfwareError || watch.signal.aborted) throw error;
          throw createNoAnswerError(options, error);
        }
      }),
  };
}

/**
 * The host to which the server would forward a question to the model; null if it runs the model itself, or if it does
 * not know the model or the request. `destination`: null if the server is on this machine and the model does not have
 * the name of a cloud model. Then a server that only resembles Ollama may also refuse or misread the request.
 */
async function fetchRemoteHost(
  { name, model, url }: OllamaOptions,
  destination: string | null,
  signal: AbortSignal,
): Promise<string | null> {
  const response = await createModelFetch(name)(`${url}/api/show`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model }),
    signal,
  });
  const text = await response.text();
  const ignoredStatuses = destination === null ? [400, 404, 405, 501] : [404, 405];
  if (ignoredStatuses.includes(response.status)) return null;
  if (!response.ok) throw new ServerRefusal(parseErrorReason(text), response);
  const modelData = parseJson(text);
  if (modelData === undefined && destination !== null) throw new ServerRefusal(NO_MODEL_DATA, response);
  return parseRemoteHost((modelData as { readonly remote_host?: unknown } | null | undefined)?.remote_host);
}

/** The value of a JSON text; undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

async function askOllama(
  { name, model, url }: OllamaOptions,
  { messages, schema, maxTokens }: ProposerRequest,
  watch: AnswerWatch,
): Promise<ProposerReply> {
  const promptTokens = estimateInput(messages);
  const contextTokens = promptTokens * TOKEN_MARGIN + maxTokens;
  const options = { num_ctx: Math.ceil(contextTokens / CONTEXT_STEP) * CONTEXT_STEP, num_predict: maxTokens };
  const response = await createModelFetch(name)(`${url}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // https://docs.ollama.com/capabilities/structured-outputs
    body: JSON.stringify({ model, messages, stream: true, options, ...(schema ? { format: schema } : {}) }),
    signal: watch.signal,
  });
  if (!response.ok) throw new ServerRefusal(parseErrorReason(await response.text()), response);
  for await (const piece of readPieces(response)) {
    if (piece.error !== undefined) throw new ServerRefusal(errorText(piece.error));
    if (typeof piece.model === 'string') watch.model = piece.model;
    watch.onHiddenPiece(String(piece.message?.thinking ?? ''));
    watch.onPiece(String(piece.message?.content ?? ''));
    if (piece.done === true) return parseReply(piece, watch, promptTokens);
  }
  throw new Error('Its answer has no end, so it may be cut');
}

/** The reply at the last line of an answer. Numbers of tokens that the server does not report are estimated. */
function parseReply(lastPiece: Piece, { text, model }: AnswerWatch, promptTokens: number): ProposerReply {
  const { done_reason: reason, prompt_eval_count: input, eval_count: output } = lastPiece;
  const estimated = typeof output !== 'number';
  const usage = {
    input: typeof input === 'number' ? input : promptTokens,
    output: typeof output === 'number' ? output : estimateTokens(text),
    cached: 0,
    estimated,
  };
  return { text, finished: reason === 'stop', model, usage };
}

/** Reads the lines of an answer as JSON. Throws a `SyntaxError` for a line that is not JSON. */
async function* readPieces(response: Response): AsyncGenerator<Piece> {
  const decoder = new TextDecoder();
  let incompleteLine = '';
  for await (const bytes of response.body ?? []) {
    const lines = (incompleteLine + decoder.decode(bytes, { stream: true })).split('\n');
    incompleteLine = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as Piece;
  }
  if (incompleteLine.trim() !== '') yield JSON.parse(incompleteLine) as Piece;
}

function createNoAnswerError(options: OllamaOptions, error: unknown): SelfwareError {
  const { name, model } = options;
  const status = error instanceof ServerRefusal ? error.statusCode : undefined;
  const message = describeMessage(error);
  if (status === 404 && /\bmodel\b/.test(message) && /\bnot found\b/.test(message))
    return new SelfwareError('unavailable', `${name} gave no answer: Ollama has no model ${model}.`, {
      action: `Run \`ollama pull ${model}\`, or name one that \`ollama list\` has.`,
      cause: error,
    });
  const statusText = status === undefined ? '' : ` (HTTP ${status})`;
  return new SelfwareError('unavailable', `${name} gave no answer${statusText}: ${asSentence(message, MAX_REASON)}`, {
    action: formatAdvice(options, error),
    retry: isOutage(error) ? { afterMs: parseRequestedPause(error), isCharged: isOutageCharged(error) } : null,
    cause: error,
  });
}

function formatAdvice({ model, url }: OllamaOptions, error: unknown): string {
  const { host } = new URL(url);
  if (isServerFailure(error)) return `Try again later, or look at the log of the server at ${host}.`;
  if (!(error instanceof ServerRefusal) || error.statusCode === 404)
    return `Check that Ollama runs at ${host}, and that \`ollama list\` has ${model}.`;
  if (error.statusCode !== 429) return 'Try again, or use another model.';
  const delayMs = parseRequestedPause(error);
  return `${delayMs === null ? 'Wait a while' : `Wait for ${formatDuration(delayMs)}`}, or name another model.`;
}

/** The reason in the body of a refusal. Ollama's own is JSON; that of a server in between may be anything. */
function parseErrorReason(body: string): string {
  try {
    return errorText((JSON.parse(body) as Piece).error);
  } catch {
    return body.trim() === '' || body.trimStart().startsWith('<') ? NO_REASON : body;
  }
}

/** The text of an error that the server reports: a text, or an object with a message. */
function errorText(error: unknown): string {
  const text = typeof error === 'string' ? error : ((error ?? {}) as { readonly message?: unknown }).message;
  return typeof text === 'string' && text.trim() !== '' ? text : NO_REASON;
}

/** The message of an error. If a request fails, only the cause says why. */
function describeMessage(error: unknown): string {
  if (!(error instanceof Error)) return NO_REASON;
  return error instanceof TypeError && error.cause instanceof Error ? error.cause.message : error.message;
}

/** A model in the list of a server. `remoteHost`: the host to which the server forwards its questions, or null. */
export interface OllamaModel {
  readonly name: string;
  readonly remoteHost: string | null;
}

/** The models on a server; null if no server answers, or if its answer is not a list of models. */
export async function fetchOllamaModels(url: string, signal: AbortSignal): Promise<readonly OllamaModel[] | null> {
  const limitedSignal = AbortSignal.any([signal, AbortSignal.timeout(LIST_TIMEOUT_MS)]);
  try {
    return await fetchModels(`${url}/api/tags`, limitedSignal);
  } catch {
    return null;
  }
}

/**
 * Unloads those of the models that the server has in memory, and returns their names. Returns none if the server cannot
 * be reached. https://docs.ollama.com/api/ps
 */
export async function unloadOllamaModels(url: string, models: readonly string[]): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
  const wantedModels = new Set(models.map(addDefaultTag));
  try {
    const loadedModels = await fetchModels(`${url}/api/ps`, signal);
    const unloaded = (loadedModels ?? []).map(({ name }) => name).filter((name) => wantedModels.has(name));
    for (const model of unloaded) {
      // Without a prompt and with this time, the server only unloads the model.
      const body = JSON.stringify({ model, keep_alive: 0, stream: false });
      await fetch(`${url}/api/generate`, { method: 'POST', redirect: 'error', body, signal });
    }
    return unloaded;
  } catch {
    return [];
  }
}

/** True if the server does not have the model in memory; null if the server does not report it. */
async function isUnloaded({ model, url }: OllamaOptions, signal: AbortSignal): Promise<boolean | null> {
  const limitedSignal = AbortSignal.any([signal, AbortSignal.timeout(LIST_TIMEOUT_MS)]);
  const loadedModels = await fetchModels(`${url}/api/ps`, limitedSignal).catch(() => null);
  return loadedModels && !loadedModels.some(({ name }) => name === addDefaultTag(model));
}

/** The name of a model as in the server's lists, which name its tag. */
function addDefaultTag(model: string): string {
  return model.includes(':') ? model : `${model}:latest`;
}

/** The models in a list of the server; null if the answer is not a list of models. */
async function fetchModels(url: string, signal: AbortSignal): Promise<readonly OllamaModel[] | null> {
  const response = await fetch(url, { redirect: 'error', signal });
  const { models } = (await response.json()) as { readonly models?: unknown };
  if (!response.ok || !Array.isArray(models)) return null;
  return models.flatMap(({ name, remote_host: remoteHost }: Readonly<Record<string, unknown>>) =>
    typeof name === 'string' ? [{ name, remoteHost: parseRemoteHost(remoteHost) }] : [],
  );
}
