// Calls of tools by agents in the editor, and their results.

/** Custom requests, client → server. */
export const toolRequests = {
  /** ToolRequest → ToolPreparation */
  prepare: 'selfware/prepareTool',
  /** ToolRequest → ToolReply */
  call: 'selfware/callTool',
} as const;

/** A call of a tool by an agent. */
export interface ToolRequest {
  /** Name without the prefix that the editor's list requires. */
  readonly name: string;
  /** Input from the language model; the server validates it. */
  readonly input: unknown;
  /** URI of a document or folder whose repository is used; if absent, the first repository. */
  readonly uri?: string;
  /** True if the person has agreed to the question of `ToolPreparation`. */
  readonly agreed?: boolean;
}

/** The texts that the editor shows before and while a tool runs. */
export interface ToolPreparation {
  /** The text that is shown while the tool runs. */
  readonly doing: string;
  /** The question to which the person must agree first, as plain text; null if there is none. */
  readonly question: { readonly title: string; readonly message: string } | null;
}

/** The result of a tool, as text for a language model. */
export interface ToolReply {
  readonly text: string;
  readonly failed: boolean;
}
