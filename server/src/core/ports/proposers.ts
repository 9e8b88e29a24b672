// Whoever proposes edits: a language model, an agent, or a person who answers by hand. What they say is data, and
// passes the gates like every other change.

import type { AskedTask, Usage } from '../model/asks.ts';
import type { FileEdit, Millis } from '../model.ts';

export { estimatedTokens, type Usage } from '../model/asks.ts';

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ProposerRequest {
  /** Hash of what is asked, so that the same question has the same name. */
  readonly id: string;
  readonly task: AskedTask;
  readonly messages: readonly Message[];
  /** At most so many tokens may come back. */
  readonly maxTokens: number;
  /** No reply until then is a failure. */
  readonly deadline: Millis;
}

export interface ProposerReply {
  readonly text: string;
  /** False: it ended at a limit or with the connection, so it must not be read. */
  readonly finished: boolean;
  /** The model that really answered; null = unknown. */
  readonly model: string | null;
  /** Null = not told. */
  readonly usage: Usage | null;
  /** Of an agent, which has changed a work tree of its own. The text tells of them, and is not read for others. */
  readonly edits?: readonly FileEdit[];
  /** Why these edits are not taken, as a sentence. */
  readonly refused?: string;
}

export interface Proposer {
  /** As it was named. */
  readonly name: string;
  /** Where code goes: null = it stays on this machine; else a host. */
  readonly destination: string | null;
  /** It works in a copy of the repository, so the question shows no files. */
  readonly hasTree?: true;
  /** Tokens that a question may have; null = unknown. Left out: more than any question has. */
  mostTokens?(signal: AbortSignal): Promise<number | null>;
  /**
   * Throws `cancelled`, `timedOut` after the deadline or a silence, and `unavailable` with what to do; a started
   * request ends with `signal`. `onText` is told how many characters have come.
   */
  ask(request: ProposerRequest, signal: AbortSignal, onText: (characters: number) => void): Promise<ProposerReply>;
}

export interface AvailableProposer {
  readonly name: string;
  readonly destination: string | null;
  readonly available: boolean;
  /** What people call it, where that is not its name. */
  readonly title?: string;
  /** Why it is not there, or what it is. */
  readonly why: string;
}

export interface Proposers {
  /** Throws `usage` for a name that says nothing. Loads and contacts nothing. */
  open(name: string): Proposer;
  /** What this machine offers. Contacts servers on this machine alone; only for a person who asks. */
  list(signal: AbortSignal): Promise<readonly AvailableProposer[]>;
}
