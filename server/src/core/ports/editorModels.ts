// Language models of the editor in which Selfware runs. The user has configured them in the editor, which has their
// keys; Selfware does not have them.

/** A language model that the editor offers. */
export interface EditorModel {
  /** The vendor's name, as the editor spells it. */
  readonly vendor: string;
  /** The id of the model, which is unique among the models of its vendor. */
  readonly id: string;
  /** The name for people. */
  readonly title: string;
  /** Maximum number of tokens of a question. */
  readonly mostTokens: number;
}

/** A question to a model of the editor. `vendor` and `id` name the model. */
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
   * Asks a model. `onPiece` receives each piece of the answer, and the promise resolves at its end. Throws `cancelled`
   * as soon as `signal` is aborted, `forbidden` if the person has not permitted it, and `unavailable` for all other
   * errors of the editor, such as an exceeded quota or an unknown model.
   */
  ask(question: EditorQuestion, signal: AbortSignal, onPiece: (piece: string) => void): Promise<void>;
}
