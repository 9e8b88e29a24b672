// Messages about language models: models of the editor, changes by a model, components, and consent.

/** Answer of `selfware/model/list`. */
export interface EditorModelList {
  readonly models: readonly EditorModelRow[];
  /**
   * The reason why models are unavailable: the workspace is not trusted, or the person has switched models off. Null if
   * they are available.
   */
  readonly off: string | null;
}

/** A language model of the editor. */
export interface EditorModelRow {
  readonly vendor: string;
  readonly id: string;
  readonly title: string;
  readonly mostTokens: number;
}

/**
 * Parameters of `selfware/model/ask`. The answer arrives in pieces by `selfware/model/text`, and ends with an
 * `EditorModelEnd`.
 */
export interface EditorModelQuestion {
  /** The id of the question, which the pieces of its answer repeat. */
  readonly question: string;
  readonly vendor: string;
  readonly id: string;
  /** The messages. There is no system role. */
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
}

/** A piece of the answer to a question. */
export interface EditorModelText {
  readonly question: string;
  readonly text: string;
}

/**
 * The reason why a question has no answer. `off`: the person has switched models off. `noPermission`: the person has
 * not given permission. `blocked`: the provider refuses, for example because of too many questions or a filter.
 * `notFound`: the model does not exist. `tooLong`: the question is too long for the model. `cancelled`: the question
 * was cancelled. `failed`: any other error.
 */
export type EditorModelFailure = 'off' | 'noPermission' | 'blocked' | 'notFound' | 'tooLong' | 'cancelled' | 'failed';

/** The end of an answer. */
export interface EditorModelEnd {
  /** The number of characters of all pieces. If the server has received fewer, a piece was lost. */
  readonly characters: number;
  /** The reason why there is no complete answer; null if it is complete. */
  readonly failed: { readonly reason: EditorModelFailure; readonly message: string } | null;
}

/** Parameters of `selfware/model/keys`: API keys by host and port. They are kept in memory only. */
export interface StoredModelKeys {
  readonly keys: Readonly<Record<string, string>>;
}

/**
 * Argument of the command `improveWithModel`. If `proposer` is absent, the answer lists the proposers that can be
 * asked.
 */
export interface ImproveWithModelParams {
  readonly proposer?: string;
  /** The id of an opportunity as the task. If no task is given, the most valuable one is chosen. */
  readonly opportunity?: string;
  /** A request in words as the task. */
  readonly words?: string;
  /** The URI of a file for which tests are the task. */
  readonly tests?: string;
  /** The id of a wish in the queue: its words are the task, and its accepted test must pass. */
  readonly wish?: string;
  /** The destination to which the person has just agreed. */
  readonly agreed?: string;
  /** True to ignore earlier attempts. */
  readonly again?: boolean;
  /** The answer of the person to a `ResearchQuestion`; it remains valid until the server ends. */
  readonly research?: boolean;
  /**
   * With `research`: the `detail` of the question that was answered. The answer is ignored if it belongs to another
   * question.
   */
  readonly asked?: string;
}

/** The options of the person when a model is asked for a change. */
export interface ModelChoices {
  readonly proposers: readonly ProposerChoice[];
  /** Providers without a key, for a client that can store one. */
  readonly withoutKey: readonly (ProposerChoice & { readonly host: string })[];
  /** Proposers whose library is not installed, for a client that can have it installed. */
  readonly withoutComponent: readonly (ProposerChoice & { readonly component: string })[];
  /** The missing parts of the other proposers, as sentences. */
  readonly missing: readonly string[];
  /** The best opportunity that no recipe can realise. */
  readonly best: { readonly opportunity: string; readonly message: string; readonly place: string } | null;
}

/** A model or an agent that can be asked for a change. */
export interface ProposerChoice {
  /** Ends with `:MODEL` or `:FILE` if the person has to name the model or its file. */
  readonly name: string;
  /** The name for people; if absent, `name`. */
  readonly title?: string;
  /** Where the code goes: `code stays on this machine` or `code goes to HOST`. */
  readonly where: string;
  /** The reason why it is offered, or a description of it. */
  readonly why: string;
}

/**
 * Argument of the command `installComponent`. If `model` is set, that embedding model is downloaded. If neither a
 * component nor a model is named, the answer lists the components. If `agreed` is absent, the answer is the question
 * for the person.
 */
export interface InstallComponentParams {
  readonly component?: string;
  /** OWNER/NAME of an embedding model. */
  readonly model?: string;
  /** The `packages` of the question that the person has just confirmed. */
  readonly agreed?: string;
}

/** An optional component: a library that is too large to be part of Selfware. */
export interface ComponentChoice {
  readonly name: string;
  /** The purpose, as the end of a sentence that begins with `to`. */
  readonly purpose: string;
  /** The approximate size of the installed folder. */
  readonly megabytes: number;
  readonly installed: boolean;
}

/** The question whether something may be installed. Nothing is installed before the person agrees. */
export interface InstallQuestion {
  /** The packages with their versions, or the model, as one text. The client sends it back as `agreed`. */
  readonly packages: string;
  readonly question: string;
  readonly detail: string;
}

/** The question whether the person's search program may be used. */
export interface ResearchQuestion {
  readonly question: string;
  readonly detail: string;
}

/** The question whether code may leave the machine. It is asked if the consent is missing or too narrow. */
export interface ConsentQuestion {
  /**
   * The destination. If more than files in questions is sent there, the text also says what. The client sends it back
   * as the agreement.
   */
  readonly destination: string;
  /** The destination and what was agreed for it so far, as the end of a sentence. */
  readonly missing: string;
  readonly question: string;
  readonly detail: string;
}

/** Argument of the command `withdrawConsent`. If `destination` is absent, the answer lists the consents. */
export interface WithdrawConsentParams {
  readonly destination?: string;
}

/** What a person has agreed to for one destination. */
export interface ConsentChoice {
  /** The client sends it back to withdraw the consent. */
  readonly destination: string;
  /** What may be sent there. */
  readonly what: string;
  /** The day on which the person first agreed, such as 2026-11-29. */
  readonly since: string;
}
