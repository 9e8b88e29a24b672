// Language models of the editor in which Selfware runs. The user has set them up in the editor. The editor knows their
// keys, and Selfware does not.

export interface EditorModel {
  /** The vendor's name, as the editor spells it. */
  readonly vendor: string;
  /** Unique among the models of its vendor. */
  readonly id: string;
  /** The name that people read. */
  readonly title: string;
  /** Maximum number of tokens of a question. */
  readonly mostTokens: number;
}

export interface EditorQuestion {
  readonly vendor: string;
  readonly id: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
}

export interface EditorModels {
  /**
   * The models that the editor offers. Throws `forbidden` if the person has switched models off in the editor, and
   * `unavailable` if the editor fails.
   */
  list(signal: AbortSignal): Promise<readonly EditorModel[]>;
  /**
   * Resolves at the end of the answer; `onPiece` receives each piece of it. Throws `cancelled` as soon as `signal` is
   * aborted. Errors of the editor (no permission, quota, not found) become `unavailable` or `forbidden`.
   */
  ask(question: EditorQuestion, signal: AbortSignal, onPiece: (piece: string) => void): Promise<void>;
}
