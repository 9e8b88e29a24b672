// Finds servers with OpenAI's protocol that run on this machine at the addresses of their programs.

import type { AvailableProposer } from '../../core/ports/proposers.ts';

/** A program that serves models, and the address at which it listens by default. */
export interface LocalServer {
  readonly program: string;
  readonly url: string;
}

/**
 * The known servers (https://github.com/ggml-org/llama.cpp/tree/master/tools/server, https://lmstudio.ai/docs/api,
 * https://docs.vllm.ai).
 */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { program: 'llama.cpp', url: 'http://127.0.0.1:8080/v1' },
  { program: 'LM Studio', url: 'http://127.0.0.1:1234/v1' },
  { program: 'vLLM', url: 'http://127.0.0.1:8000/v1' },
];

/**
 * Maximum number of milliseconds for an answer. A server on this machine answers immediately, but another program at
 * the address may never answer.
 */
const TIMEOUT_MS = 500;
/** Maximum number of characters of a list. */
const MAX_CHARACTERS = 1_000_000;
/** Maximum number of models of one server that are listed. */
const MAX_MODELS = 20;
/** Matches names that can be part of the name of a proposer. */
const MODEL_PATTERN = /^[^\s,@\p{C}]{1,200}$/u;
/** Matches models for embeddings, which answer no questions. */
const EMBEDDING_PATTERN = /embed/i;

/** The models of the servers that answer, in the order of the servers. An address without such a server is skipped. */
export async function listLocalServers(
  signal: AbortSignal,
  servers: readonly LocalServer[] = LOCAL_SERVERS,
): Promise<readonly AvailableProposer[]> {
  const models = await Promise.all(servers.map(({ url }) => fetchModelNames(url, signal)));
  return servers.flatMap(({ program, url }, index) =>
    models[index]!.map((model) => ({
      name: `openai-compatible:${model}@${url}`,
      destination: null,
      available: true,
      why: `A model of a server on this machine, where ${program} listens.`,
    })),
  );
}

async function fetchModelNames(url: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const limitedSignal = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(`${url}/models`, { redirect: 'error', signal: limitedSignal });
    if (!response.ok || !response.body) return [];
    const { data } = JSON.parse(await readText(response.body)) as { readonly data?: unknown };
    if (!Array.isArray(data)) return [];
    const names = data.flatMap((model: { readonly id?: unknown } | null) =>
      typeof model?.id === 'string' && MODEL_PATTERN.test(model.id) && !EMBEDDING_PATTERN.test(model.id)
        ? [model.id]
        : [],
    );
    return names.slice(0, MAX_MODELS);
  } catch {
    return [];
  }
}

/** The text of an answer. Throws if it is longer than `MAX_CHARACTERS`. */
async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_CHARACTERS) throw new Error('The list is too long.');
  }
  return text;
}
