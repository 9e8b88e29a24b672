// What is started, and what it gets.

/** A coding agent, whether Selfware knows it or a person has named it. */
export interface Agent {
  /** Program and arguments, with placeholders. */
  readonly words: readonly string[];
  readonly hosts: readonly string[];
  readonly login: readonly string[];
  readonly keys: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Which line of its output says what it did. */
  readonly says: 'first' | 'last';
}
