// Models of the editor in which Selfware runs. Whoever sits at the editor has set them up there; it knows their keys,
// and we do not.

export interface EditorModel {
  /** Whose models these are, as the editor names them. */
  readonly vendor: string;
  /** Unique among the models of its vendor. */
  readonly id: string;
  /** For people. */
  readonly title: string;
  /** Tokens that a question may have. */
  readonly mostTokens: number;
}

export interface EditorQuestion {
  readonly vendor: string;
  readonly id: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
}

export interface EditorModels {
  /** Throws `forbidden` if the person has switched models off in the editor, `unavailable` if the editor fails. */
  list(signal: AbortSignal): Promise<readonly EditorModel[]>;
  /**
   * Resolves at the end of the answer; `onPiece` is told each piece of it. Throws `cancelled` as soon as `signal` is
   * aborted, and what the editor says (no permission, quota, not found) as `unavailable` or `forbidden`.
   */
  ask(question: EditorQuestion, signal: AbortSignal, onPiece: (piece: string) => void): Promise<void>;
}
