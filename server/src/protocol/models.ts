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
  /** Identifies the question in the pieces of its answer. */
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
 * The reason why a question has no answer: the person has switched models off, the person has not given permission,
 * the provider refuses (too many questions, a filter), the model does not exist, or the question is too long for it.
 */
export type EditorModelFailure = 'off' | 'noPermission' | 'blocked' | 'notFound' | 'tooLong' | 'cancelled' | 'failed';

/** The end of an answer. */
export interface EditorModelEnd {
  /** The number of characters of all pieces. If the server has received fewer, a piece was lost. */
  readonly characters: number;
  readonly failed: { readonly reason: EditorModelFailure; readonly message: string } | null;
}

/** Parameters of `selfware/model/keys`: API keys by host and port. They are kept in memory only. */
export interface StoredModelKeys {
  readonly keys: Readonly<Record<string, string>>;
}

/** Argument of the command `improveWithModel`. Without a proposer, the answer lists those that can be asked. */
export interface ImproveWithModelParams {
  readonly proposer?: string;
  /**
   * The task: an opportunity, a request in words, or tests for a file (a URI). If none is given, the most valuable task
   * is chosen.
   */
  readonly opportunity?: string;
  readonly words?: string;
  readonly tests?: string;
  /** The id of a wish in the queue: its words are the task, and its accepted test is demanded. */
  readonly wish?: string;
  /** The destination to which the person has just agreed. */
  readonly agreed?: string;
  /** True if earlier attempts no longer count. */
  readonly again?: boolean;
  /** The answer of the person to a `ResearchQuestion`; it is valid as long as the server runs. */
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
  /** `code stays on this machine`, `code goes to HOST`. */
  readonly where: string;
  readonly why: string;
}

/**
 * Argument of the command `installComponent`. With a model, that embedding model is downloaded. Without a component,
 * the answer lists the components; without `agreed`, it is the question for the person.
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
  /** The end of a sentence that begins with `to`. */
  readonly purpose: string;
  /** The approximate size of the installed folder. */
  readonly megabytes: number;
  readonly installed: boolean;
}

/** A question for the person: nothing is installed before they agree. */
export interface InstallQuestion {
  /** The packages with their versions, or the model, as one text. The client sends it back as `agreed`. */
  readonly packages: string;
  readonly question: string;
  readonly detail: string;
}

/** A question for the person: may their search program be used if an attempt fails? */
export interface ResearchQuestion {
  readonly question: string;
  readonly detail: string;
}

/** A question for the person: code would leave the machine, and the consent is missing or too narrow. */
export interface ConsentQuestion {
  /**
   * The destination, with what is sent there if that is more than files in questions. The client sends it back as the
   * agreement.
   */
  readonly destination: string;
  /** The destination and what was agreed for it so far, as the end of a sentence. */
  readonly missing: string;
  readonly question: string;
  readonly detail: string;
}

/** Argument of the command `withdrawConsent`. Without a destination, the answer lists what is agreed. */
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
