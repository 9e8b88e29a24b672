// Calls of tools by agents in the editor, and their results.

/** Custom requests, client → server. */
export const toolRequests = {
  /** ToolRequest → ToolPreparation */
  prepare: 'selfware/prepareTool',
  /** ToolRequest → ToolReply */
  call: 'selfware/callTool',
} as const;

export interface ToolRequest {
  /** Without the prefix that the editor's list asks for. */
  readonly name: string;
  /** As the language model wrote it; checked by the server. */
  readonly input: unknown;
  /** URI of a document or folder; its repository is asked. Without it the first one. */
  readonly uri?: string;
  /** The person has agreed to what `ToolPreparation` asked. */
  readonly agreed?: boolean;
}

export interface ToolPreparation {
  /** While it runs. */
  readonly doing: string;
  /** What the person has to agree to first, as plain text; null = nothing. */
  readonly question: { readonly title: string; readonly message: string } | null;
}

export interface ToolReply {
  readonly text: string;
  readonly failed: boolean;
}
