// Defines the type of tools for agents: a name, a description for a language model, an input schema, and a handler that
// uses the session.

import type * as z from 'zod';
import type { Author } from '../core/model/authors.ts';
import type { Session } from '../core/session.ts';
import type { ChangeRequest, JudgedChange } from './judgements.ts';
import type { Verifications, WaitOptions } from './verifications.ts';
import type { Operation } from '../core/operation.ts';

/**
 * The consent of a person to the call. `given` and `declined`: the person has answered. `unasked`: no person has been
 * asked, but one can be asked. `nobody`: no person can be asked.
 */
export type Consent = 'given' | 'declined' | 'unasked' | 'nobody';

/** The environment of one call of a tool. */
export interface ToolCall {
  readonly session: Session;
  readonly operation: Operation;
  readonly consent: Consent;
  /** The kind of caller, which becomes the author of proposals. */
  readonly author: Author;
  readonly verifications: Verifications;
  /** Judges a change by any author, or waits for the judgement that an equal request has started. */
  judgeChange(request: ChangeRequest, options: WaitOptions): Promise<JudgedChange>;
  /** Updates the index or the analysis. Returns a sentence if it is not complete yet, otherwise null. */
  refresh(part: 'index' | 'analysis'): Promise<string | null>;
  /**
   * A tool must call this before it writes files. Throws if one of them is open in an editor and must not be
   * overwritten.
   */
  requireWritable(paths: readonly string[]): Promise<void>;
}

/**
 * The answer of a tool, limited in size. `structured`: the complete answer as data. `text`: the same content for
 * reading.
 */
export interface ToolAnswer {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A question to which a person must agree before the tool continues. `message`: plain text. */
export interface ToolConsentQuestion {
  readonly ask: { readonly title: string; readonly message: string };
}

/** Hints for clients, as the Model Context Protocol defines them (tool annotations). */
export interface ToolHints {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
}

/** A tool. */
export interface Tool<Input = unknown> {
  /** The name for agents. In VS Code it is `selfware_NAME`. */
  readonly name: string;
  /** The title in lists for people. */
  readonly title: string;
  /** What the tool does, in one sentence for people. */
  readonly summary: string;
  /** For the language model: when to use the tool, and what it returns. */
  readonly description: string;
  readonly hints: ToolHints;
  /** True if the tool works only in a trusted workspace. */
  readonly needsTrust: boolean;
  /** The text while the tool runs, such as `Searching the repository`. */
  readonly runningText: string;
  /** The icon in VS Code, such as `$(search)`. */
  readonly icon: string;
  readonly input: z.ZodType<Input>;
  /** Runs the tool with the validated input. Throws a `SelfwareError` with an action. */
  run(input: Input, call: ToolCall): Promise<ToolAnswer | ToolConsentQuestion>;
  /**
   * The question to which a person must agree before the call, for editors that ask before they call a tool; null if
   * there is none.
   */
  question?(input: Input, session: Session): Promise<ToolConsentQuestion | null>;
}

/**
 * Defines a tool. The type of the handler's input is checked against the schema; the result has the type of tools with
 * any input, so that all tools fit into one table.
 */
export function defineTool<Input>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool;
}
