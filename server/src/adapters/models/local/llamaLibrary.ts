// Defines the part of node-llama-cpp that Selfware uses. https://node-llama-cpp.withcat.ai/api/functions/getLlama

/** The module. */
export interface LlamaLibrary {
  getLlama(options: {
    readonly gpu: 'auto';
    /** Binaries come with the package; nothing is compiled or downloaded. */
    readonly build: 'never';
    readonly skipDownload: true;
    readonly progressLogs: false;
    readonly logLevel: 'error';
    readonly maxThreads: number;
  }): Promise<Llama>;
  readonly LlamaChatSession: new (options: {
    readonly contextSequence: TokenSequence;
    readonly autoDisposeSequence: false;
  }) => ChatSession;
}

/** The loaded native library. */
export interface Llama {
  /** The kind of graphics card that is used; false if there is none. */
  readonly gpu: string | false;
  /** Memory of the graphics card in bytes. `unifiedSize`: the part that it shares with main memory. */
  getVramState(): Promise<{ readonly total: number; readonly free: number; readonly unifiedSize: number }>;
  loadModel(options: { readonly modelPath: string }): Promise<Model>;
  /** https://node-llama-cpp.withcat.ai/guide/grammar#json-schema */
  createGrammarForJsonSchema(schema: GrammarSchema): Promise<Grammar>;
}

/**
 * The form of a JSON schema that the library accepts: with `oneOf` in place of `anyOf`. All properties of an object are
 * required.
 */
export type GrammarSchema =
  | { readonly type: 'string' | 'boolean' }
  | { readonly type: 'array'; readonly items: GrammarSchema }
  | { readonly oneOf: readonly GrammarSchema[] }
  | { readonly type: 'object'; readonly properties: Readonly<Record<string, GrammarSchema>> };

declare const grammar: unique symbol;
/** Restricts a model's answers to one JSON schema. */
export interface Grammar {
  readonly [grammar]: true;
}

/** A loaded model. */
export interface Model {
  /** Number of tokens of question and answer together for which the model was trained. */
  readonly trainContextSize: number;
  readonly fileInfo: { readonly metadata?: { readonly general?: { readonly name?: unknown } } };
  readonly tokenizer: unknown;
  tokenize(text: string): readonly unknown[];
  createContext(options: {
    readonly contextSize: { readonly min: number; readonly max: number };
    /** Path of a LoRA adapter. */
    readonly lora?: string;
  }): Promise<Context>;
}

/** The memory in which a model evaluates tokens. */
export interface Context {
  /** Maximum number of tokens. */
  readonly contextSize: number;
  getSequence(): TokenSequence;
  dispose(): Promise<void>;
}

/** The tokens in a context. */
export interface TokenSequence {
  clearHistory(): Promise<void>;
  /** `probabilities`: the probability of each token of the vocabulary to come next, if requested. */
  controlledEvaluate(
    input: readonly (readonly [token: unknown, options: { readonly generateNext?: NextTokenOptions }])[],
  ): Promise<readonly ({ readonly next: { readonly probabilities?: ReadonlyMap<unknown, number> } } | undefined)[]>;
  readonly tokenMeter: { getState(): { readonly usedInputTokens: number; readonly usedOutputTokens: number } };
}

/** Options with which `controlledEvaluate` returns the model's own probabilities of the next token. */
export interface NextTokenOptions {
  readonly probabilities: true;
  readonly options: { readonly temperature: 1; readonly topK: 0; readonly topP: 1; readonly minP: 0 };
}

/** A message of a chat. */
export type ChatItem =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] };

/** A chat with a model. */
export interface ChatSession {
  readonly chatWrapper: {
    generateContextState(options: { readonly chatHistory: readonly ChatItem[] }): {
      readonly contextText: { tokenize(tokenizer: unknown): readonly unknown[] };
    };
  };
  setChatHistory(history: readonly ChatItem[]): void;
  promptWithMeta(
    prompt: string,
    options: {
      readonly maxTokens: number;
      readonly temperature: number;
      /** False because code repeats itself, so repetition must not be made less likely. */
      readonly repeatPenalty: false;
      readonly grammar?: Grammar;
      readonly signal: AbortSignal;
      onTextChunk(text: string): void;
    },
  ): Promise<{ readonly responseText: string; readonly stopReason: string }>;
  dispose(): void;
}
