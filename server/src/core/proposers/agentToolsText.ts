// Describes the tools that Selfware's MCP server gives a coding agent, for the agent's task and for the server's own
// instructions.

/** One line for each group of tools. */
export const AGENT_TOOLS_TEXT = `- search finds code by what it does, and context packs the parts of the repository that matter for a task.
- graph says who uses a file or a symbol, what a change may break, and which tests reach it.
- opportunities and metrics say what could be better.
- read_file reads your copy.
- propose sends edits as your answer. Then they alone count, whatever else differs in your copy.`;
