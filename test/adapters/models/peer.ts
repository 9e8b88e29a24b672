// A server of the tests that speaks the chat protocols of OpenAI, Anthropic, Google and Ollama, well and badly.
// Sources: platform.openai.com/docs/api-reference/chat-streaming,
// docs.anthropic.com/en/docs/build-with-claude/streaming, ai.google.dev/api/generate-content, docs.ollama.com/api/chat.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export type Protocol = 'openai' | 'anthropic' | 'google' | 'ollama';
/** How the server behaves; `fine` after so many other answers where a list is given. */
export type Manner =
  | 'fine'
  | 'busy'
  | 'broken'
  | 'cut'
  | 'no end'
  | 'malformed'
  | 'limit'
  | 'stalls'
  | 'hangs'
  | 'asks for an hour'
  | 'asks for a date'
  | 'has no such model'
  | 'asks for money'
  | 'reads too little'
  | 'fails within its answer'
  | 'page'
  | 'page without end'
  | 'error without end'
  | 'key refused'
  | 'echoes the key'
  | 'redirects'
  | 'knows no schema'
  | 'breaks at a schema'
  | 'overloaded'
  | 'ignores the limit'
  | 'thinks without end'
  | 'caches';

export interface Peer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly { readonly path: string; readonly body: string; readonly key: string | undefined }[];
  /** Resolves when a client has closed a connection before its answer was whole. */
  readonly left: Promise<void>;
}

export const TEXT = ['{"description": "d", ', '"edits": [{"file": "a.ts", ', '"search": "a", "replace": "b"}]}'];

/** `model`: what Ollama says of a model, such as `{"remote_host": …}`, or the status and the text instead. */
export async function createPeer(
  protocol: Protocol,
  manners: readonly Manner[],
  model: Readonly<Record<string, unknown>> | { readonly status: number; readonly text: string } = {},
): Promise<Peer> {
  const requests: { path: string; body: string; key: string | undefined }[] = [];
  let hasLeft: () => void = () => undefined;
  const left = new Promise<void>((resolve) => (hasLeft = resolve));
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    if (request.url === '/api/show') {
      const hasText = typeof model.status === 'number' && typeof model.text === 'string';
      return void response.writeHead(hasText ? model.status : 200).end(hasText ? model.text : JSON.stringify(model));
    }
    if (request.url === '/api/ps') return void response.end(JSON.stringify({ models: [] }));
    if (request.url === '/api/tags')
      return void response.end(JSON.stringify({ models: [{ name: 'own' }, { name: 'm', ...model }] }));
    const key = request.headers.authorization ?? request.headers['x-api-key'] ?? request.headers['x-goog-api-key'];
    requests.push({ path: request.url ?? '', body, key: String(key) });
    response.on('close', () => response.writableFinished || hasLeft());
    // OpenAI's newer models refuse the older name of this field.
    if (protocol === 'openai' && /"model":"(?:gpt-5|o\d)/.test(body) && body.includes('"max_tokens":'))
      return refuseMaxTokens(response);
    const manner = manners[requests.length - 1] ?? manners.at(-1)!;
    const hasSchema = /"(?:response_format|responseJsonSchema|output_config|format)":/.test(body);
    const refused = manner === 'knows no schema' ? 'invalid' : manner === 'breaks at a schema' ? 'broken' : null;
    await behave(hasSchema && refused ? refused : manner, protocol, response, String(key));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${protocol === 'ollama' ? '' : '/v1'}`,
    requests,
    left,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Refuses as OpenAI does. */
function refuseMaxTokens(response: ServerResponse): void {
  const message =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  const error = { message, type: 'invalid_request_error', param: 'max_tokens', code: 'unsupported_parameter' };
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of request) body += piece;
  return body;
}

async function behave(
  manner: Manner | 'invalid',
  protocol: Protocol,
  response: ServerResponse,
  key: string,
): Promise<void> {
  const refuse = (status: number, headers: Record<string, string> = {}, message = 'not now') => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message } }));
  };
  if (manner === 'hangs') return;
  if (manner === 'busy') return refuse(429, { 'retry-after': '0' });
  if (manner === 'asks for an hour') return refuse(429, { 'retry-after': '3600' });
  if (manner === 'asks for a date')
    return refuse(429, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() });
  if (manner === 'has no such model')
    return refuse(404, {}, protocol === 'ollama' ? "model 'm' not found" : 'The model `m` does not exist');
  if (manner === 'asks for money') return refuse(402, {}, 'Insufficient credits');
  if (manner === 'reads too little') return refuse(400, {}, "This model's maximum context length is 4096 tokens.");
  if (manner === 'page without end' || manner === 'error without end') {
    response.writeHead(manner === 'page without end' ? 200 : 400, { 'content-type': 'text/html' });
    return writeForever(response);
  }
  if (manner === 'broken') return refuse(500);
  if (manner === 'overloaded') return refuse(503);
  if (manner === 'invalid') return refuse(400, {}, 'unknown field');
  if (manner === 'key refused') return refuse(401);
  // The first key lies across the place where a reason is shortened.
  if (manner === 'echoes the key') return refuse(401, {}, `${'-'.repeat(190)}${key} and ${key}`);
  if (manner === 'redirects') return refuse(307, { location: 'http://127.0.0.1:9/v1/chat/completions' });
  if (manner === 'page') {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html>Please log in</html>');
    return;
  }
  response.writeHead(200, { 'content-type': protocol === 'ollama' ? 'application/x-ndjson' : 'text/event-stream' });
  const { beginning, piece } = PIECES[protocol];
  // Anthropic's tokens that come from the cache, and those that go there, are no part of `input_tokens`.
  const cache = '"cache_creation_input_tokens":200,"cache_read_input_tokens":100,"input_tokens":7';
  response.write(manner === 'caches' ? beginning.replace('"input_tokens":7', cache) : beginning);
  if (manner === 'ignores the limit') return writeForever(response, piece('word '.repeat(20)));
  if (manner === 'thinks without end') return writeForever(response, thought(protocol, 'word '.repeat(20)));
  for (const [at, text] of TEXT.entries()) {
    if (at === 2 && manner === 'stalls') return;
    if (at === 2 && manner === 'cut') return void response.destroy();
    if (at === 2 && manner === 'fails within its answer')
      response.write(
        protocol === 'ollama' ? '{"error": "overloaded"}\n' : 'data: {"error": {"message": "overloaded"}}\n\n',
      );
    if (at === 2 && manner === 'malformed')
      response.write(protocol === 'ollama' ? '{"message": {\n' : 'data: {"choices": [{\n\n');
    response.write(piece(text));
  }
  if (manner !== 'no end') response.write(ending(protocol, manner === 'limit' ? 'length' : 'stop'));
  response.end();
}

/** Writes a piece, by default a long text without line breaks, until the client leaves. */
function writeForever(response: ServerResponse, piece = 'x'.repeat(1 << 18)): void {
  const fill = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', fill);
  fill();
}

const PIECES: Readonly<Record<Protocol, { readonly beginning: string; piece(text: string): string }>> = {
  openai: { beginning: '', piece: openAiPiece },
  ollama: { beginning: '', piece: ollamaPiece },
  anthropic: {
    beginning:
      anthropicEvent({
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'peer-1',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 7, output_tokens: 1 },
        },
      }) + anthropicEvent({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    piece: (text) => anthropicEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  },
  google: { beginning: '', piece: (text) => googlePiece(text, null) },
};

function anthropicEvent(event: Readonly<Record<string, unknown>>): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function googlePiece(text: string, finishReason: string | null): string {
  const candidate = {
    content: { role: 'model', parts: [{ text }] },
    ...(finishReason ? { finishReason } : {}),
    index: 0,
  };
  const usage = finishReason
    ? { usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 5, totalTokenCount: 12 } }
    : {};
  return `data: ${JSON.stringify({ candidates: [candidate], modelVersion: 'peer-1', ...usage })}\n\n`;
}

function openAiPiece(content: string): string {
  return `data: ${JSON.stringify({ id: 'c', model: 'peer-1', choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

function ollamaPiece(content: string): string {
  return `${JSON.stringify({ model: 'peer-1', message: { role: 'assistant', content }, done: false })}\n`;
}

/** A piece of the thoughts of a model, for the protocols of OpenAI's imitators and Ollama. */
function thought(protocol: Protocol, text: string): string {
  return protocol === 'ollama'
    ? `${JSON.stringify({ model: 'peer-1', message: { role: 'assistant', content: '', thinking: text }, done: false })}\n`
    : `data: ${JSON.stringify({ id: 'c', model: 'peer-1', choices: [{ index: 0, delta: { reasoning_content: text } }] })}\n\n`;
}

function ending(protocol: Protocol, reason: string): string {
  if (protocol === 'ollama')
    return `${JSON.stringify({ model: 'peer-1', message: { role: 'assistant', content: '' }, done: true, done_reason: reason, prompt_eval_count: 7, eval_count: 5 })}\n`;
  if (protocol === 'google') return googlePiece('', reason === 'length' ? 'MAX_TOKENS' : 'STOP');
  if (protocol === 'anthropic')
    return [
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: reason === 'length' ? 'max_tokens' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: 5 },
      },
      { type: 'message_stop' },
    ]
      .map(anthropicEvent)
      .join('');
  const finish = { id: 'c', model: 'peer-1', choices: [{ index: 0, delta: {}, finish_reason: reason }] };
  const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
  return `data: ${JSON.stringify(finish)}\n\ndata: ${JSON.stringify({ id: 'c', model: 'peer-1', choices: [], usage })}\n\ndata: [DONE]\n\n`;
}
