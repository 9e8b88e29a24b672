// A tool for agents: a name, a description for a language model, an input schema, and a handler over the session.

import type * as z from 'zod';
import type { Author } from '../core/model/authors.ts';
import type { Session } from '../core/session.ts';
import type { Verifications } from './verifications.ts';
import type { Operation } from '../core/operation.ts';

/**
 * The person's word on what a tool is about to do. `unasked`: there is somebody who can be asked; `nobody`: there is
 * not.
 */
export type Consent = 'given' | 'declined' | 'unasked' | 'nobody';

export interface ToolCall {
  readonly session: Session;
  readonly operation: Operation;
  readonly consent: Consent;
  /** Who calls, and so who makes what the call proposes. */
  readonly author: Author;
  readonly verifications: Verifications;
  /** Brings the index or the analysis up to date. Answers with a sentence where it is not whole yet, else null. */
  refresh(what: 'index' | 'analysis'): Promise<string | null>;
  /** Throws where what is open in an editor stands in the way of a write to these files. */
  beforeWriting(paths: readonly string[]): Promise<void>;
}

/** `structured` says it all as data, `text` the same for reading. Both are bounded. */
export interface ToolAnswer {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** What a person has to say yes to before it is done. `message` is plain text. */
export interface Question {
  readonly ask: { readonly title: string; readonly message: string };
}

/** What the hints mean is said by the Model Context Protocol (tool annotations). */
export interface ToolHints {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
}

export interface Tool<Input = unknown> {
  /** As agents call it. In VS Code it is `selfware_NAME`. */
  readonly name: string;
  /** In lists that people read. */
  readonly title: string;
  /** One sentence for people. */
  readonly summary: string;
  /** For the language model: when to use it, what comes back. */
  readonly description: string;
  readonly hints: ToolHints;
  /** False = it works in an untrusted workspace, too. */
  readonly needsTrust: boolean;
  /** While it runs, as `Searching the repository`. */
  readonly doing: string;
  readonly icon: string;
  readonly input: z.ZodType<Input>;
  /** Throws SelfwareError with what to do about it. */
  run(input: Input, call: ToolCall): Promise<ToolAnswer | Question>;
  /** What to ask before it runs, where the host asks first; null = nothing. */
  question?(input: Input, session: Session): Promise<Question | null>;
}

/** Keeps the types of input and handler together. */
export function tool<Input>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool;
}
