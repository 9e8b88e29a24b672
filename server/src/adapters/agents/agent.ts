// Defines coding agents: their command lines, their permissions, and the way in which they receive a task.

/**
 * The way in which an agent receives its task. `command`: by its command line or standard input. `acp`: by the Agent
 * Client Protocol.
 */
export type AgentProtocol = 'command' | 'acp';

/**
 * Arguments and variables that name an MCP server to an agent. In them, `{mcpServer}` stands for the program of the
 * server, and `{mcpConfig}` for a file that lists it under `mcpServers`.
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
  /** Paths below the home folder of files with the agent's login. The agent receives copies of them. */
  readonly login: readonly string[];
  /** Names of environment variables with keys, which the agent receives if they are set. */
  readonly keys: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /**
   * Arguments and variables that name Selfware's MCP server to the agent. Absent if the protocol or the command line
   * already does.
   */
  readonly mcp?: McpHandover;
  /** The way in which the agent receives its task. */
  readonly protocol: AgentProtocol;
  /** Which non-empty line of its output describes the agent's change. */
  readonly descriptionLine: 'first' | 'last';
}
