// Proposers of edits: a language model, an agent, or a person who answers by hand. Their answers are data, and are
// judged by the gates like every other change.

import type { SelfwareError } from '../../util/typedError.ts';
import type { AskedTask, Price, Usage } from '../model/asks.ts';
import type { FileEdit, Millis } from '../model.ts';

export type { Usage } from '../model/asks.ts';

/** One message of a question. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The subset of JSON Schema by which answers are described. */
export type ReplySchema =
  | { readonly type: 'string' | 'boolean' }
  | { readonly type: 'array'; readonly items: ReplySchema }
  | { readonly anyOf: ReplySchema[] }
  | {
      readonly type: 'object';
      readonly properties: Readonly<Record<string, ReplySchema>>;
      readonly required: string[];
      readonly additionalProperties: false;
    };

/** The limits of an agent's traffic. `tokens`: as the budgets count them. `money`: null if money is not limited. */
export interface TrafficLimit {
  readonly tokens: number;
  readonly money: { readonly amount: number; readonly price: Price } | null;
}

/** A question to a proposer. */
export interface ProposerRequest {
  /** Hash of the question, so that equal questions have equal ids. */
  readonly id: string;
  readonly task: AskedTask;
  readonly messages: readonly Message[];
  /**
   * Offsets in the last message, ascending. Further questions about the task begin with the same text up to each
   * offset, so that text is worth caching. Absent if this is unknown.
   */
  readonly cacheOffsets?: readonly number[];
  /**
   * The schema of the answer, which the messages also describe in words. A proposer that can enforce a schema uses it;
   * others ignore it.
   */
  readonly schema?: ReplySchema;
  /** Maximum length of the reply, in tokens. */
  readonly maxTokens: number;
  /** Only for a proposer with a tree: the estimated traffic that it may have with its hosts. */
  readonly maxTraffic?: TrafficLimit;
  /**
   * Maximum number of seconds until the first piece of the reply, such as a thought. Ignored for a model on this
   * machine, which may have to be loaded first.
   */
  readonly beginSeconds?: number;
  /** Time limit: the request fails if no reply has come by then. */
  readonly deadline: Millis;
  /**
   * The setting that determines `deadline`, if it is a budget of time. After the deadline, such a budget is used up, so
   * asking again is useless. If absent, the setting is `models.answerSeconds`.
   */
  readonly deadlineBudget?: string;
}

/** The answer of a proposer. */
export interface ProposerReply {
  readonly text: string;
  /** False if the reply was cut off by a limit or a lost connection, so that it must not be used. */
  readonly finished: boolean;
  /** The model that actually answered; null if unknown. */
  readonly model: string | null;
  /** The tokens that were used; null if they were not reported. */
  readonly usage: Usage | null;
  /**
   * Edits of an agent, which has changed its own work tree. The text only describes them, and is not searched for
   * edits.
   */
  readonly edits?: readonly FileEdit[];
  /** The reason why the reply or its edits are refused, as a sentence. */
  readonly refused?: string;
}

/** A proposer, which answers questions with edits. */
export interface Proposer {
  /** The name under which the proposer was requested. */
  readonly name: string;
  /** The host to which code is sent; null if code stays on this machine. */
  readonly destination: string | null;
  /**
   * The error with which every question would end, such as a missing key or program; null if none is known. Does not
   * contact other programs or machines.
   */
  findHindrance?(): SelfwareError | null;
  /** Set if the proposer works in a copy of the repository, so that the question contains no files. */
  readonly hasTree?: true;
  /**
   * Maximum number of tokens of a question; null if unknown. A proposer without this function accepts questions of any
   * length.
   */
  maxQuestionTokens?(signal: AbortSignal): Promise<number | null>;
  /**
   * Only for a model that a server on this machine loads: true if a question now would load it; null if the server does
   * not tell. Contacts the server.
   */
  loadsModel?(signal: AbortSignal): Promise<boolean | null>;
  /**
   * Only for a proposer that answers between two runs: files the question, unless its answer exists already. Returns
   * the path of the question; null if `ask` returns the answer immediately. Throws `unavailable` for a folder that
   * cannot be used.
   */
  fileQuestion?(request: ProposerRequest): Promise<string | null>;
  /**
   * Only for a model whose probabilities can be read: the natural logarithm of the probability that it gives this
   * answer, and the answer's tokens. Throws `cancelled` and `unavailable`.
   */
  measure?(
    messages: readonly Message[],
    answer: string,
    signal: AbortSignal,
  ): Promise<{ readonly logProbability: number; readonly tokens: number }>;
  /**
   * Asks the question. Throws `cancelled`, `timedOut` after the deadline or after a long silence, and `unavailable`
   * with an action. Aborting `signal` ends a request that has started. `onText` receives the number of characters of
   * the reply so far.
   */
  ask(request: ProposerRequest, signal: AbortSignal, onText: (characters: number) => void): Promise<ProposerReply>;
}

/** A proposer in a list for a person. */
export interface AvailableProposer {
  readonly name: string;
  readonly destination: string | null;
  readonly available: boolean;
  /** The name for people, if it differs from `name`. */
  readonly title?: string;
  /** The reason why the proposer is not available; if it is available, a description of it. */
  readonly why: string;
  /** The host for which a key is missing. */
  readonly needsKeyFor?: string;
  /** The optional component that is missing. */
  readonly needsComponent?: string;
  /** True if no other process can ask it, because the model or its key belongs to the editor. */
  readonly onlyInEditor?: true;
}

/** Opens and lists proposers. */
export interface Proposers {
  /** Opens a proposer by its name. Throws `usage` for an invalid name. Loads and contacts nothing. */
  open(name: string): Proposer;
  /**
   * The proposers of this machine. Contacts only servers on this machine, and must be called only if a person asks for
   * the list.
   */
  list(signal: AbortSignal): Promise<readonly AvailableProposer[]>;
}
