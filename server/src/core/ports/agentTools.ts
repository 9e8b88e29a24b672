// The tools that a coding agent may call while it works. They read what Selfware knows, and receive the agent's change.

import type { FileEdit } from '../model.ts';

/**
 * A description of the tools, one line for each group: for the agent's task, and for the instructions of the MCP
 * server.
 */
export const AGENT_TOOLS_TEXT = `- search finds code by what it does, and context packs the parts of the repository that matter for a task.
- graph says who uses a file or a symbol, what a change may break, and which tests reach it.
- opportunities and metrics say what could be better.
- read_file reads your copy.
- propose sends edits as your answer. Then they alone count, whatever else differs in your copy.`;

/** A tool as an agent sees it. */
export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly readOnly: boolean;
}

/** What the tools can read and record of one agent's work. */
export interface AgentWork {
  /** The text of a file in the agent's copy; null if it is missing, is not text or is too large. */
  read(path: string): Promise<string | null>;
  /** The text from which the agent started; null if it did not get the file, or if the user has edited it since. */
  readOriginal(path: string): Promise<string | null>;
  /**
   * Records the change as the agent's answer, in place of an earlier one. Returns the reason why it is refused, as a
   * sentence; null if it was recorded.
   */
  propose(description: string, edits: readonly FileEdit[]): Promise<string | null>;
}

/** The answer of a tool, in words for a model. `failed`: true if the text describes an error. */
export interface AgentAnswer {
  readonly text: string;
  readonly failed: boolean;
}

/** The tools of agents. None of them writes to the repository or to a setting. Calls are recorded as feedback. */
export interface AgentTools {
  readonly list: readonly AgentTool[];
  /**
   * Calls a tool of the list; any other name is refused. Answers are bounded, and secrets in them are redacted. Rejects
   * only if `signal` is aborted.
   */
  call(name: string, input: unknown, work: AgentWork, signal: AbortSignal): Promise<AgentAnswer>;
}
