// A coding agent: its command line and its permissions.

/** A coding agent that Selfware knows or that a person has named. */
export interface Agent {
  /** Program and arguments, with placeholders. */
  readonly words: readonly string[];
  readonly hosts: readonly string[];
  readonly login: readonly string[];
  readonly keys: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The line of the output in which the agent describes its change. */
  readonly says: 'first' | 'last';
}
