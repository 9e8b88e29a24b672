// Language models of the editor in which Selfware runs. The user has configured them in the editor, which has their
// keys; Selfware does not have them.

/** A language model that the editor offers. */
export interface EditorModel {
  /** The vendor's name, as the editor spells it. */
  readonly vendor: string;
  /** Unique among the models of its vendor. */
  readonly id: string;
  /** The name for people. */
  readonly title: string;
  /** Maximum number of tokens of a question. */
  readonly mostTokens: number;
}

/** A question to one of these models. */
export interface EditorQuestion {
  readonly vendor: string;
  readonly id: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
}

/** Access to the models of the editor. */
export interface EditorModels {
  /**
   * The models that the editor offers. Throws `forbidden` if the person has switched models off in the editor, and
   * `unavailable` if the editor fails.
   */
  list(signal: AbortSignal): Promise<readonly EditorModel[]>;
  /**
   * Resolves at the end of the answer; `onPiece` receives each piece of it. Throws `cancelled` as soon as `signal` is
   * aborted, `forbidden` without permission, and `unavailable` for all other errors of the editor (quota, not found).
   */
  ask(question: EditorQuestion, signal: AbortSignal, onPiece: (piece: string) => void): Promise<void>;
}
