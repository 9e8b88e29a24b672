// The type of a coding agent: its command line and its permissions.

/** `acp`: the Agent Client Protocol. */
export type AgentProtocol = 'command' | 'acp';

/**
 * Arguments and variables that name an MCP server to an agent, with `{mcpServer}` for the program of the server and
 * `{mcpConfig}` for a file that lists it under `mcpServers`.
 */
export interface McpHandover {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A coding agent that Selfware knows or that a person has named. */
export interface Agent {
  /** Program and arguments, with placeholders. */
  readonly commandLine: readonly string[];
  /** Hosts that the agent may reach, by https. */
  readonly hosts: readonly string[];
  /** Files below the home folder. The agent receives copies of them. */
  readonly login: readonly string[];
  /** Environment variables that the agent receives if they are set. */
  readonly keys: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /**
   * Arguments and variables that name Selfware's MCP server to the agent. Absent if the protocol or the command line
   * already does.
   */
  readonly mcp?: McpHandover;
  /**
   * The way in which the agent receives its task: on the command line, or by the Agent Client Protocol on its standard
   * input.
   */
  readonly protocol: AgentProtocol;
  /** The non-empty line of the output in which the agent describes its change. */
  readonly descriptionLine: 'first' | 'last';
}
