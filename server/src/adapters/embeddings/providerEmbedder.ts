// Requests vectors from a server that speaks OpenAI's embeddings protocol: Ollama, vLLM, llama.cpp, hosted services.
// https://platform.openai.com/docs/api-reference/embeddings

import { setTimeout as pause } from 'node:timers/promises';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { parseVectors } from './providerReply.ts';
import { normaliseVector } from './unitLength.ts';
import type { Embedder } from '../../core/ports/search.ts';
import { sha256 } from '../../util/hash.ts';

/** The options of an embedder that requests its vectors from a server. */
export interface ProviderOptions {
  /** The address without `/embeddings`, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token, and never part of a message, a profile or a log. Null for servers without keys. */
  readonly apiKey: string | null;
  readonly timeoutMs?: number;
  readonly batchSize?: number;
  /** Number of tries after the first one. */
  readonly retries?: number;
  /** Milliseconds before the first retry. The pause doubles with each retry. */
  readonly backoffMs?: number;
}

/** The values of options that the caller does not set. */
const DEFAULT_OPTIONS = { timeoutMs: 60_000, batchSize: 64, retries: 4, backoffMs: 500 } as const;
/** Maximum number of milliseconds before a retry, even if the server asks for more. */
const MAX_PAUSE_MS = 30_000;
/** Maximum number of bytes of a reply. */
const MAX_REPLY_BYTES = 256 * 1024 * 1024;

/**
 * Creates the embedder. Immediately requests one vector, to learn the dimensions and to detect an unusable server
 * before anything is indexed. Throws `usage` for an unusable address, `unavailable` (no answer, refused, wrong answer),
 * `timedOut` or `cancelled`.
 */
export async function createProviderEmbedder(options: ProviderOptions, signal: AbortSignal): Promise<Embedder> {
  const resolvedOptions = { ...DEFAULT_OPTIONS, ...options };
  const url = parseEndpoint(options.baseUrl);
  const [probe] = await requestVectors(url, resolvedOptions, ['dimensions'], null, signal);
  const dimensions = probe!.length;
  const spaceHash = sha256(`${url}\0${options.model}`).slice(0, 16);
  return {
    source: 'model',
    profile: `provider-${dimensions}-${spaceHash}`,
    dimensions,
    async embed(texts, callSignal) {
      const vectors: Float32Array[] = [];
      for (let offset = 0; offset < texts.length; offset += resolvedOptions.batchSize) {
        throwIfCancelled(callSignal);
        // Some servers refuse empty input.
        const batch = texts
          .slice(offset, offset + resolvedOptions.batchSize)
          .map((text) => (text.trim() === '' ? '.' : text));
        for (const vector of await requestVectors(url, resolvedOptions, batch, dimensions, callSignal))
          vectors.push(normaliseVector(vector));
      }
      return vectors;
    },
  };
}

function parseEndpoint(baseUrl: string): string {
  let url: URL;
  try {
    url = new URL(`${baseUrl.replace(/(?<!\/)\/+$/, '')}/embeddings`);
  } catch (cause) {
    throw new SelfwareError('usage', 'The address of the embedding server is not a URL.', {
      action: 'Set selfware.memory.embedderUrl to something like http://127.0.0.1:11434/v1.',
      cause,
    });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new SelfwareError('usage', 'The address of the embedding server must begin with http:// or https://.');
  if (url.username || url.password)
    throw new SelfwareError('usage', 'The address of the embedding server must not hold a password.', {
      action: 'Put the key into the environment variable SELFWARE_EMBEDDER_KEY.',
    });
  return url.href;
}

type ResolvedOptions = Required<ProviderOptions>;

/** The vectors of one batch, after retries. `dimensions`: the expected number; null if any is accepted. */
async function requestVectors(
  url: string,
  options: ResolvedOptions,
  input: readonly string[],
  dimensions: number | null,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  for (let attempt = 0; ; attempt++) {
    throwIfCancelled(signal);
    const result = await requestOnce(url, options, input, dimensions, signal);
    if ('vectors' in result) return result.vectors;
    if (!result.isRetriable || attempt >= options.retries) throw result.error;
    await pause(Math.min(MAX_PAUSE_MS, result.pauseMs ?? options.backoffMs * 2 ** attempt), undefined, {
      signal,
    }).catch(() => throwIfCancelled(signal));
  }
}

type AttemptResult =
  | { readonly vectors: Float32Array[] }
  | { readonly error: SelfwareError; readonly isRetriable: boolean; readonly pauseMs: number | null };

async function requestOnce(
  url: string,
  { model, apiKey, timeoutMs }: ResolvedOptions,
  input: readonly string[],
  dimensions: number | null,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const { host } = new URL(url);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body: JSON.stringify({ model, input, encoding_format: 'float' }),
      signal: AbortSignal.any([signal, deadline]),
      // The key must not be sent to another server by a redirect.
      redirect: 'error',
    });
    if (response.ok) return { vectors: parseVectors(await readBody(response), input.length, dimensions, host) };
    await response.body?.cancel();
    const isRetriable = response.status === 429 || response.status >= 500;
    return {
      error: createStatusError(response.status, host, model),
      isRetriable,
      pauseMs: parseRetryAfter(response.headers.get('retry-after')),
    };
  } catch (cause) {
    throwIfCancelled(signal);
    if (cause instanceof SelfwareError) throw cause;
    if (deadline.aborted)
      return {
        error: new SelfwareError('timedOut', `The embedding server at ${host} did not answer within ${timeoutMs} ms.`),
        isRetriable: true,
        pauseMs: null,
      };
    return {
      error: new SelfwareError('unavailable', `The embedding server at ${host} could not be reached.`, {
        action: 'Start it, or set selfware.memory.embedder to static.',
        cause,
      }),
      isRetriable: true,
      pauseMs: null,
    };
  }
}

/** The body as text. Throws `unavailable` if it has more than `MAX_REPLY_BYTES`. */
async function readBody(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_REPLY_BYTES)
      throw new SelfwareError('unavailable', 'The embedding server sent far more than vectors.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function createStatusError(status: number, host: string, model: string): SelfwareError {
  if (status === 401 || status === 403)
    return new SelfwareError('unavailable', `The embedding server at ${host} refused the key (${status}).`, {
      action: 'Put a valid key into the environment variable SELFWARE_EMBEDDER_KEY.',
    });
  if (status === 404)
    return new SelfwareError(
      'unavailable',
      `The embedding server at ${host} knows no such address or no model ${model} (404).`,
      { action: 'Check selfware.memory.embedderUrl and selfware.memory.embedderModel.' },
    );
  return new SelfwareError('unavailable', `The embedding server at ${host} answered ${status}.`);
}

/**
 * The pause in milliseconds from a `retry-after` in seconds. Null without that header, and for a date in it, which is
 * rare.
 */
function parseRetryAfter(retryAfter: string | null): number | null {
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}
