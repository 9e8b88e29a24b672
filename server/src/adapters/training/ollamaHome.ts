// Stores trained models on an Ollama server. Each training is a tag of one model; the tag `latest` is the model in use.
// https://docs.ollama.com/api

import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { SelfwareError } from '../../util/typedError.ts';
import type { ModelHome } from './modelHome.ts';

/** Options of a store of trained models on an Ollama server. */
export interface OllamaHomeOptions {
  readonly url: string;
  /** The model to train. */
  readonly base: string;
  /** The name of the trained model, without a tag. */
  readonly name: string;
}

/** Maximum time in milliseconds of a request that creates no model. */
const MAX_REQUEST_MS = 30_000;
/** Maximum time in milliseconds of a request that uploads or creates a model. */
const MAX_CREATION_MS = 30 * 60_000;

/** Creates the store of the models on the server at `url`. Sends nothing yet. */
export function createOllamaHome({ url, base, name }: OllamaHomeOptions): ModelHome {
  const hostSuffix = url === 'http://127.0.0.1:11434' ? '' : `@${url}`;
  const latest = `${name}:latest`;
  const send = (path: string, method: string, body: unknown, signal: AbortSignal, maxMs = MAX_REQUEST_MS) =>
    sendRequest(`${url}${path}`, { method, body: JSON.stringify(body), signal }, maxMs);
  return {
    base: `ollama:${base}${hostSuffix}`,
    inUse: `ollama:${name}${hostSuffix}`,
    async add(training, { path, kind, hash }, signal) {
      const digest = `sha256:${hash}`;
      const existingBlob = await sendRequest(
        `${url}/api/blobs/${digest}`,
        { method: 'HEAD', signal },
        MAX_REQUEST_MS,
        [404],
      );
      if (existingBlob.status === 404)
        await sendRequest(
          `${url}/api/blobs/${digest}`,
          { method: 'POST', body: Readable.toWeb(createReadStream(path)), duplex: 'half', signal } as RequestInit & {
            readonly signal: AbortSignal;
          },
          MAX_CREATION_MS,
        );
      const tag = `${name}:${training}`;
      const parts =
        kind === 'adapter' ? { from: base, adapters: { 'adapter.gguf': digest } } : { files: { 'model.gguf': digest } };
      await send('/api/create', 'POST', { model: tag, stream: false, ...parts }, signal, MAX_CREATION_MS);
      return tag;
    },
    async activate(tag, signal) {
      await send('/api/copy', 'POST', { source: tag ?? base, destination: latest }, signal);
    },
    async remove(training, signal) {
      await sendRequest(
        `${url}/api/delete`,
        { method: 'DELETE', body: JSON.stringify({ model: `${name}:${training}` }), signal },
        MAX_REQUEST_MS,
        [404],
      );
    },
    place: (tag) => ({ model: tag ?? base, adapter: null }),
    proposer: (tag) => `ollama:${tag ?? base}${hostSuffix}`,
  };
}

/**
 * Sends a request. `acceptedStatuses`: further status codes that are not errors. Throws `unavailable`, or the reason of an
 * aborted signal.
 */
async function sendRequest(
  url: string,
  init: RequestInit & { readonly signal: AbortSignal },
  maxMs: number,
  acceptedStatuses: readonly number[] = [],
): Promise<Response> {
  const limitedSignal = AbortSignal.any([init.signal, AbortSignal.timeout(maxMs)]);
  let problem: string;
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: limitedSignal });
    // Ollama reports some errors in the creation of a model in an answer with the status 200.
    const text = await response.text();
    const failure = /"error"\s*:\s*"([^"]{0,300})/.exec(text)?.[1];
    if ((response.ok && failure === undefined) || acceptedStatuses.includes(response.status)) return response;
    problem = `HTTP ${response.status}${failure === undefined ? '' : `: ${failure}`}`;
  } catch (error) {
    init.signal.throwIfAborted();
    problem = limitedSignal.aborted ? `no answer within ${maxMs / 1000} s` : 'it cannot be reached';
    if (!(error instanceof Error)) throw error;
  }
  throw new SelfwareError('unavailable', `Ollama refused ${new URL(url).pathname}: ${problem}.`, {
    action: `Check that Ollama runs at ${new URL(url).host}.`,
  });
}
