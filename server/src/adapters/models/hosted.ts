// Asks models behind a web address, with the protocols of OpenAI (also supported by llama.cpp, vLLM, LM Studio and many
// more), Anthropic and Google. Each library is loaded at the first question.

import type { Proposer, ProposerReply, ProposerRequest, Usage } from '../../core/ports/proposers.ts';
import { askWithRetries, type AskOnce, type ServerTraits } from './askWithRetries.ts';
import {
  findWantedTokenField,
  createMissingKeyError,
  createUnavailableError,
  type HostedNames,
} from './hostedErrors.ts';
import { createModelFetch } from './modelFetch.ts';
import { isOnHostOf, parseDestination, PROVIDERS, type Protocol } from './proposerNames.ts';
import { watchAnswer, type AnswerWatch } from './answerLimits.ts';

/** A hosted model. `key`: is sent as a header, and never part of a message or a log; null for servers without keys. */
export interface HostedOptions extends HostedNames {
  readonly protocol: Protocol;
  readonly model: string;
  /** True for a provider whose models cannot be asked without a key. */
  readonly needsKey?: boolean;
  /** Milliseconds before the first retry, which double with each. */
  readonly backoffMs?: number;
}

/**
 * The name of the field of OpenAI's protocol for the maximum number of tokens of an answer. OpenAI's own models refuse
 * the older `max_tokens`.
 */
export type TokenField = 'max_tokens' | 'max_completion_tokens';

/**
 * Creates the proposer. Its library is loaded at the first question. `ask` throws `unavailable`, `timedOut` and
 * `cancelled`.
 */
export function createHostedProposer(options: HostedOptions): Proposer {
  const serverTraits: ServerTraits = { refusesSchema: false };
  const { name } = options;
  const destination = parseDestination(options.url);
  let tokenField: TokenField = isOnHostOf(options.url, PROVIDERS.openai.url) ? 'max_completion_tokens' : 'max_tokens';
  return {
    name,
    destination,
    findHindrance: () => (options.needsKey && options.key === null ? createMissingKeyError(options) : null),
    ask: async (request, signal, onText) => {
      if (options.needsKey && options.key === null) throw createMissingKeyError(options);
      return watchAnswer({ name, isLocal: destination === null }, request, signal, onText, async (watch) => {
        try {
          const ask: AskOnce = async (question) => {
            try {
              return await askOnce(options, question, watch, tokenField);
            } catch (error) {
              const wantedField = options.protocol === 'openai' ? findWantedTokenField(error) : null;
              if (wantedField === null || wantedField === tokenField) throw error;
              tokenField = wantedField;
              return askOnce(options, question, watch, tokenField);
            }
          };
          return await askWithRetries(ask, serverTraits, request, watch, options.backoffMs);
        } catch (error) {
          throw createUnavailableError(options, error);
        }
      });
    },
  };
}

async function askOnce(
  options: HostedOptions,
  { messages, cacheOffsets, schema, maxTokens }: ProposerRequest,
  watch: AnswerWatch,
  tokenField: TokenField,
): Promise<ProposerReply> {
  const model = await createModel(options, tokenField);
  const { stream } = await model.doStream({
    prompt: messages.map(({ role, content }, index) => {
      if (role === 'system') return { role, content };
      const isMarked = options.protocol === 'anthropic' && index === messages.length - 1;
      return { role, content: splitForCache(content, isMarked ? cacheOffsets : undefined) };
    }),
    maxOutputTokens: maxTokens,
    ...createResponseFormat(schema),
    abortSignal: watch.signal,
  });
  let finished = false;
  let usage: Usage | null = null;
  for await (const part of stream) {
    if (part.type === 'text-delta') watch.onPiece(part.delta);
    else if (part.type === 'reasoning-delta' || part.type === 'tool-input-delta') watch.onHiddenPiece(part.delta);
    else if (part.type === 'response-metadata') watch.model = part.modelId ?? watch.model;
    else if (part.type === 'error') throw part.error;
    else if (part.type === 'finish') {
      finished = part.finishReason.unified === 'stop';
      const { inputTokens, outputTokens } = part.usage;
      if (inputTokens.total !== undefined && outputTokens.total !== undefined)
        usage = {
          input: inputTokens.total,
          output: outputTokens.total,
          cached: inputTokens.cacheRead ?? 0,
          ...(inputTokens.cacheWrite ? { written: inputTokens.cacheWrite } : {}),
          estimated: false,
        };
    }
  }
  // The answer has no text, for instance because the server returned a web page.
  if (watch.text === '' && !finished) throw new Error('there is no text in its answer');
  return { text: watch.text, finished, model: watch.model, usage };
}

/**
 * The text in parts that end at these offsets, each with a mark that the question up to its end is to be cached.
 * Anthropic caches nothing without such marks; OpenAI and Google find equal beginnings without them.
 * https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
 */
function splitForCache(text: string, offsets: readonly number[] = []) {
  const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  const starts = [0, ...offsets];
  return starts.flatMap((start, index) => {
    const part = text.slice(start, offsets[index]);
    if (part === '') return [];
    return [{ type: 'text' as const, text: part, ...(index < offsets.length ? { providerOptions } : {}) }];
  });
}

/** The model, as an object of the library for its protocol. Its stream reports every interruption as an error. */
async function createModel({ name, protocol, url, key, model }: HostedOptions, tokenField: TokenField) {
  const settings = { baseURL: url, fetch: createModelFetch(name), ...(key === null ? {} : { apiKey: key }) };
  if (protocol === 'anthropic')
    return (await import('@ai-sdk/anthropic')).createAnthropic(settings).languageModel(model);
  if (protocol === 'google')
    return (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings).languageModel(model);
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    name: 'proposer',
    includeUsage: true,
    supportsStructuredOutputs: true,
    transformRequestBody: ({ max_tokens: maxTokens, ...body }) => ({ ...body, [tokenField]: maxTokens }),
    ...settings,
  }).chatModel(model);
}

/**
 * The options that demand an answer in the shape of the schema. If Anthropic's library does not know that a model
 * supports schemas, it would demand a call of a tool instead and drop all text, so an option sends the schema
 * unchanged. A model that refuses it is asked without one.
 */
function createResponseFormat(schema: ProposerRequest['schema']) {
  if (schema === undefined) return {};
  return {
    responseFormat: { type: 'json' as const, name: 'edits', schema },
    providerOptions: { anthropic: { structuredOutputMode: 'outputFormat' } },
  };
}
