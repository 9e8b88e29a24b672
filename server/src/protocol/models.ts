// Models that an editor has, asked by the server; and the command that has a model make a change.

/** `selfware/model/list` → this. */
export interface EditorModelList {
  readonly models: readonly EditorModelRow[];
  /** Why there are none: the person has switched them off. */
  readonly off: string | null;
}

export interface EditorModelRow {
  readonly vendor: string;
  readonly id: string;
  readonly title: string;
  readonly mostTokens: number;
}

/** `selfware/model/ask`; the answer comes in pieces, by `selfware/model/text`, and ends with an `EditorModelEnd`. */
export interface EditorModelQuestion {
  /** Names the question in its pieces. */
  readonly question: string;
  readonly vendor: string;
  readonly id: string;
  /** There is no role for a system. */
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
}

export interface EditorModelText {
  readonly question: string;
  readonly text: string;
}

/**
 * Why a question has no answer: the person has switched models off, has not allowed ours to be asked, the provider
 * refuses (too many questions, a filter), there is no such model, or the question is too long for it.
 */
export type EditorModelFailure = 'off' | 'noPermission' | 'blocked' | 'notFound' | 'tooLong' | 'cancelled' | 'failed';

export interface EditorModelEnd {
  /** Characters of all pieces; a smaller sum at the server means that something was lost. */
  readonly characters: number;
  readonly failed: { readonly reason: EditorModelFailure; readonly message: string } | null;
}

/** Argument of the command: without a proposer it answers with those that can be asked. */
export interface ImproveWithModelParams {
  readonly proposer?: string;
  /** One of these says what is to be done: at a place, in words, or tests for a file (a URI); else what is worth most. */
  readonly opportunity?: string;
  readonly words?: string;
  readonly tests?: string;
  /** The destination that the person has agreed to just now. */
  readonly agreed?: string;
  /** Earlier attempts count no longer. */
  readonly again?: boolean;
}

export interface ModelChoices {
  readonly proposers: readonly ProposerChoice[];
  /** What is missing for others, as sentences. */
  readonly missing: readonly string[];
  /** The best place that no recipe can change. */
  readonly best: { readonly opportunity: string; readonly message: string; readonly place: string } | null;
}

export interface ProposerChoice {
  /** Ends with `:MODEL` if the person has to name the model. */
  readonly name: string;
  /** What people call it; absent = by its name. */
  readonly title?: string;
  /** `code stays on this machine`, `code goes to HOST`. */
  readonly where: string;
  readonly why: string;
}

/** Code would leave the machine, and nobody has agreed to that yet. */
export interface ConsentQuestion {
  readonly destination: string;
  readonly question: string;
  readonly detail: string;
}
