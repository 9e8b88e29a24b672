// Runs one model from a GGUF file with node-llama-cpp. It is a separate process, because a crash of compiled code or a
// lack of memory cannot be caught, and because the end of the process frees all memory of the model.
//
// Usage: main LIBRARY MODEL MISSING, with a channel to the parent; the process ends with that channel. MISSING: the
// bytes of the model for which the memory has no room, so that the graphics card must hold them.

import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { measureFreeCardMemory } from './graphicsCard.ts';
import { convertToGrammarSchema } from './grammarSchema.ts';
import { isFinished } from './isFinished.ts';
import type { ChatItem, Context, Grammar, Llama, LlamaLibrary, Model, TokenSequence } from './llamaLibrary.ts';
import { measureAnswer, tokenizeQuestion } from './measure.ts';
import type { FromModel, ToModel } from './messages.ts';

type Question = Extract<ToModel, { readonly type: 'ask' }>;
type Measurement = Extract<ToModel, { readonly type: 'measure' }>;

/** Milliseconds between two signs of life while a question waits. */
const ALIVE_INTERVAL_MS = 5000;
/**
 * The temperature of answers. It varies the answers to one question a little, and keeps most of the precision that
 * edits need.
 */
const TEMPERATURE = 0.3;
/**
 * The size of a context is a multiple of this number of tokens, so that it can be reused for slightly longer questions.
 */
const CONTEXT_STEP = 1024;
/** Number of tokens that a context must leave for the answer, even if the memory is short. */
const MIN_ANSWER_TOKENS = CONTEXT_STEP / 4;
/**
 * Number of tokens that are reserved around each message, and at the beginning and end of a question. It is more than
 * any known template needs.
 */
const EXTRA_TOKENS = 32;

/** The library and the loaded model. */
interface LoadedLibrary {
  readonly library: LlamaLibrary;
  readonly llama: Llama;
  readonly model: Model;
}

/** The controllers that abort questions which wait or are being answered, by the id of the question. */
const controllersById = new Map<number, AbortController>();
/** The context of the last question. The next question reuses the beginning that both have in common. */
let lastContext: { readonly context: Context; readonly sequence: TokenSequence } | null = null;
/** The last grammar, and the JSON of its schema. */
let lastGrammar: { readonly key: string; readonly grammar: Grammar } | null = null;
/** True once a question was answered without a grammar after it had failed with one. */
let areGrammarsBroken = false;
/** Resolves when all questions so far were answered. */
let queue: Promise<void> = Promise.resolve();

/** The error for a model that is too large even with the graphics card. `cardBytes`: free bytes of the card. */
class TooLargeError extends Error {
  readonly cardBytes: number;

  constructor(cardBytes: number) {
    super('the model is too large');
    this.cardBytes = cardBytes;
  }
}

const [libraryPath = '', modelPath = '', missingBytes = '0'] = process.argv.slice(2);
/** The path of a LoRA adapter next to the model, which is applied if it exists. */
const adapterPath = modelPath.replace(/(?:\.gguf)?$/i, '.lora.gguf');
const whenLoaded = loadModel();
whenLoaded.catch((error: unknown) => {
  // Without the callback, the process could end before the message is sent.
  const message: FromModel =
    error instanceof TooLargeError
      ? { type: 'tooLarge', cardBytes: error.cardBytes }
      : { type: 'failed', id: null, reason: describeReason(error) };
  process.send?.(message, () => process.exit(1));
});
setInterval(() => controllersById.size > 0 && send({ type: 'alive' }), ALIVE_INTERVAL_MS);
process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToModel) => {
  if (message.type === 'cancel') controllersById.get(message.id)?.abort();
  else enqueueQuestion(message);
});

async function loadModel(): Promise<LoadedLibrary> {
  await requireGgufFile();
  const library = (await import(pathToFileURL(libraryPath).href)) as LlamaLibrary;
  const llama = await library.getLlama({
    gpu: 'auto',
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: 'error',
    // Threads of the library wait actively for each other, so one core is left for everything else.
    maxThreads: Math.max(1, availableParallelism() - 1),
  });
  const missing = Number(missingBytes);
  if (missing > 0) {
    const cardBytes = await measureFreeCardMemory(llama);
    if (cardBytes < missing) throw new TooLargeError(cardBytes);
  }
  const model = await llama.loadModel({ modelPath });
  const name = model.fileInfo.metadata?.general?.name;
  send({ type: 'ready', name: typeof name === 'string' ? name : null, contextTokens: model.trainContextSize });
  return { library, llama, model };
}

/**
 * Throws an `Error` if the file is not a GGUF file. The library would read any file as one, and might never come to an
 * end.
 */
async function requireGgufFile(): Promise<void> {
  const file = await open(modelPath);
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
    const version = buffer.readUInt32LE(4);
    if (buffer.toString('latin1', 0, 4) !== 'GGUF' || version < 2 || version > 3)
      throw new Error('it is no GGUF file of version 2 or 3');
  } finally {
    await file.close();
  }
}

/** Answers a question after all earlier ones. */
function enqueueQuestion(question: Question | Measurement): void {
  const controller = new AbortController();
  controllersById.set(question.id, controller);
  queue = queue.then(async () => {
    try {
      const loaded = await whenLoaded.catch(() => null);
      if (loaded === null || controller.signal.aborted) return;
      if (question.type === 'ask') await answerQuestion(loaded, question, controller.signal);
      else await measureQuestion(loaded, question, controller.signal);
    } catch (error) {
      send({ type: 'failed', id: question.id, reason: describeReason(error) });
    } finally {
      controllersById.delete(question.id);
      if (controller.signal.aborted) send({ type: 'stopped', id: question.id });
    }
  });
}

/**
 * Answers a question in the shape of its schema. If that fails before any text has come, answers without the schema. If
 * that succeeds, no later question uses one.
 */
async function answerQuestion(loaded: LoadedLibrary, question: Question, signal: AbortSignal): Promise<void> {
  let hasBegun = false;
  const onText = (text: string) => {
    hasBegun = true;
    send({ type: 'piece', id: question.id, text });
  };
  const effectiveQuestion = areGrammarsBroken ? { ...question, schema: null } : question;
  try {
    await answerOnce(loaded, effectiveQuestion, signal, onText);
  } catch (error) {
    if (effectiveQuestion.schema === null || hasBegun || signal.aborted) throw error;
    await answerOnce(loaded, { ...effectiveQuestion, schema: null }, signal, onText);
    areGrammarsBroken = true;
  }
}

async function answerOnce(
  loaded: LoadedLibrary,
  { id, messages, schema, maxTokens }: Question,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<void> {
  const promptTokens = messages.reduce(
    (sum, { content }) => sum + loaded.model.tokenize(content).length + EXTRA_TOKENS,
    EXTRA_TOKENS,
  );
  const { context, sequence } = await createContext(loaded.model, promptTokens, maxTokens);
  const remainingTokens = context.contextSize - promptTokens;
  const session = new loaded.library.LlamaChatSession({ contextSequence: sequence, autoDisposeSequence: false });
  try {
    session.setChatHistory(messages.slice(0, -1).map(toChatItem));
    const grammar = schema === null ? {} : { grammar: await createGrammar(loaded.llama, schema) };
    const before = sequence.tokenMeter.getState();
    const { responseText, stopReason } = await session.promptWithMeta(messages.at(-1)?.content ?? '', {
      // At a full context, the library would silently drop the beginning of the question.
      maxTokens: Math.min(maxTokens, remainingTokens),
      temperature: TEMPERATURE,
      repeatPenalty: false,
      ...grammar,
      signal,
      onTextChunk: onText,
    });
    const after = sequence.tokenMeter.getState();
    const evaluated = after.usedInputTokens - before.usedInputTokens;
    const usage = {
      input: promptTokens,
      output: after.usedOutputTokens - before.usedOutputTokens,
      cached: Math.max(0, promptTokens - evaluated),
    };
    const isComplete = isFinished(stopReason, responseText, schema !== null);
    send({ type: 'answer', id, text: responseText, finished: isComplete, usage });
  } finally {
    session.dispose();
  }
}

/**
 * The grammar of a schema. The last one is kept, because creating one takes some time and nearly all questions have the
 * same schema.
 */
async function createGrammar(llama: Llama, schema: NonNullable<Question['schema']>): Promise<Grammar> {
  const key = JSON.stringify(schema);
  if (lastGrammar?.key !== key)
    lastGrammar = { key, grammar: await llama.createGrammarForJsonSchema(convertToGrammarSchema(schema)) };
  return lastGrammar.grammar;
}

async function measureQuestion(
  loaded: LoadedLibrary,
  { id, messages, answer: expectedAnswer }: Measurement,
  signal: AbortSignal,
): Promise<void> {
  const { library, model } = loaded;
  const tokens = model.tokenize(expectedAnswer);
  const promptTokens = messages.reduce(
    (sum, { content }) => sum + model.tokenize(content).length + EXTRA_TOKENS,
    EXTRA_TOKENS,
  );
  const { context, sequence } = await createContext(model, promptTokens, tokens.length);
  if (promptTokens + tokens.length > context.contextSize) throw new Error('the example is longer than its context');
  const session = new library.LlamaChatSession({ contextSequence: sequence, autoDisposeSequence: false });
  try {
    const question = tokenizeQuestion(session, model, messages.map(toChatItem));
    send({ type: 'measured', id, ...(await measureAnswer(sequence, question, tokens, signal)) });
  } finally {
    session.dispose();
  }
}

/**
 * A context with room for the question and, if the memory suffices, for the longest answer. Throws an `Error` if the
 * question is too long for the model.
 */
async function createContext(model: Model, promptTokens: number, maxTokens: number) {
  // An answer that is measured can be shorter than the room that every answer gets.
  const answerTokens = Math.max(maxTokens, MIN_ANSWER_TOKENS);
  const neededTokens = Math.ceil((promptTokens + answerTokens) / CONTEXT_STEP) * CONTEXT_STEP;
  const contextTokens = Math.min(neededTokens, model.trainContextSize);
  if (lastContext !== null && lastContext.context.contextSize >= contextTokens) return lastContext;
  if (promptTokens + MIN_ANSWER_TOKENS > contextTokens)
    throw new Error(`the question has ${promptTokens} tokens, and the model sees ${model.trainContextSize} at once`);
  await lastContext?.context.dispose();
  lastContext = null;
  const context = await model.createContext({
    contextSize: { min: Math.min(contextTokens, promptTokens + MIN_ANSWER_TOKENS), max: contextTokens },
    ...(existsSync(adapterPath) ? { lora: adapterPath } : {}),
  });
  lastContext = { context, sequence: context.getSequence() };
  return lastContext;
}

function toChatItem({ role, content }: Question['messages'][number]): ChatItem {
  return role === 'assistant' ? { type: 'model', response: [content] } : { type: role, text: content };
}

function describeReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0]!.replaceAll(modelPath, basename(modelPath)).slice(0, 300);
}

function send(message: FromModel): void {
  if (process.connected) process.send?.(message);
}
