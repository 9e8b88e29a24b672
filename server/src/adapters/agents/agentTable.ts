// The coding agents that Selfware knows, as data. An agent sees its work tree, its program, the parts of the machine
// that all commands see, and copies of the files in its row. It reaches only the hosts in its row.

import type { McpHandover } from './agent.ts';

/** A known agent: its program, and what it needs from the machine. */
export interface AgentTemplate {
  /** Name of the program in the path. */
  readonly program: string;
  /**
   * Arguments for a run without a person. `{prompt}` and `{promptFile}` stand for the task and its file. If neither
   * occurs, the agent reads the task from standard input.
   */
  readonly args: readonly string[];
  /** Paths below the home folder of files with the agent's login and settings. */
  readonly login: readonly string[];
  /** Hosts that the agent needs, by https. */
  readonly hosts: readonly string[];
  /** Names of environment variables that may contain the agent's key. */
  readonly keys: readonly string[];
  /** Additional environment variables. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Arguments and variables that name Selfware's MCP server to the agent. They are not needed with the Agent Client
   * Protocol, which names the server itself.
   */
  readonly mcp: McpHandover;
}

/** The settings that name Selfware's MCP server, as Claude Code and Copilot take them in an argument. */
const MCP_JSON = '{"mcpServers":{"selfware":{"type":"stdio","command":"{mcpServer}","args":[]}}}';

/**
 * Command lines that start a known agent with the Agent Client Protocol, and variables in addition to those in
 * `AGENTS`. The login, the hosts and the keys are also those in `AGENTS`.
 * https://agentclientprotocol.com/get-started/agents
 */
export const ACP_COMMANDS: Readonly<
  Record<string, Pick<AgentTemplate, 'program' | 'args'> & Partial<Pick<AgentTemplate, 'env' | 'mcp'>>>
> = {
  // https://github.com/agentclientprotocol/codex-acp: the mode says that its sandbox is off.
  codex: { program: 'codex-acp', args: [], env: { INITIAL_AGENT_MODE: 'agent-full-access', NO_BROWSER: '1' } },
  gemini: { program: 'gemini', args: ['--acp', '--skip-trust'] },
  claude: { program: 'claude-agent-acp', args: [] },
  // Copilot 1.0.102 ignores the servers that the protocol names: its first question has none of their tools.
  copilot: { program: 'copilot', args: ['--acp'], mcp: { args: ['--additional-mcp-config', MCP_JSON], env: {} } },
  opencode: { program: 'opencode', args: ['acp'] },
  qwen: { program: 'qwen', args: ['--acp'] },
};

/** The known agents by name. Their own sandboxes are off, because they would have to work inside Selfware's. */
export const AGENTS: Readonly<Record<string, AgentTemplate>> = {
  // https://developers.openai.com/codex/noninteractive: standard output contains only the last message.
  codex: {
    program: 'codex',
    args: ['exec', '--sandbox', 'danger-full-access', '--skip-git-repo-check', '--ephemeral', '--color', 'never', '-'],
    login: ['.codex/auth.json', '.codex/config.toml'],
    hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
    keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
    env: {},
    mcp: { args: ['-c', 'mcp_servers.selfware.command="{mcpServer}"'], env: {} },
  },
  // https://geminicli.com/docs/cli/headless: the text of -p is appended to the text of standard input.
  gemini: {
    program: 'gemini',
    args: ['--approval-mode=yolo', '--skip-trust', '-p', 'Carry out the task above.'],
    login: ['.gemini/oauth_creds.json', '.gemini/google_accounts.json', '.gemini/settings.json'],
    hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'],
    keys: ['GEMINI_API_KEY'],
    env: {},
    mcp: { args: [], env: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '{mcpConfig}' } },
  },
  // https://code.claude.com/docs/en/headless. As root, it needs a variable that states that it runs in a sandbox.
  claude: {
    program: 'claude',
    args: ['-p', '--permission-mode', 'bypassPermissions'],
    login: ['.claude/.credentials.json', '.claude/settings.json', '.claude.json'],
    hosts: ['api.anthropic.com', 'platform.claude.com'],
    keys: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'],
    env: { IS_SANDBOX: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    mcp: { args: ['--mcp-config', MCP_JSON], env: {} },
  },
  // https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-programmatic-reference
  copilot: {
    program: 'copilot',
    args: ['-s', '--allow-all-tools', '--no-ask-user', '-p', '{prompt}'],
    login: ['.copilot/config.json'],
    hosts: [
      'api.github.com',
      'api.githubcopilot.com',
      'api.individual.githubcopilot.com',
      'api.business.githubcopilot.com',
      'api.enterprise.githubcopilot.com',
    ],
    keys: ['COPILOT_GITHUB_TOKEN'],
    env: {},
    mcp: { args: ['--additional-mcp-config', MCP_JSON], env: {} },
  },
  // https://opencode.ai/docs/cli. The agent uses the provider in its settings.
  opencode: {
    program: 'opencode',
    args: ['run', '{prompt}'],
    login: ['.local/share/opencode/auth.json', '.config/opencode/opencode.json'],
    hosts: ['opencode.ai', 'models.opencode.ai', 'models.dev', 'api.anthropic.com', 'api.openai.com'],
    keys: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENCODE_API_KEY'],
    env: {},
    mcp: {
      args: [],
      env: { OPENCODE_CONFIG_CONTENT: '{"mcp":{"selfware":{"type":"local","command":["{mcpServer}"]}}}' },
    },
  },
  // https://qwenlm.github.io/qwen-code-docs/en/users/features/headless: the question follows the text of standard
  // input.
  qwen: {
    program: 'qwen',
    args: ['--approval-mode=yolo', 'Carry out the task above.'],
    login: ['.qwen/oauth_creds.json', '.qwen/settings.json'],
    hosts: [
      'dashscope.aliyuncs.com',
      'dashscope-intl.aliyuncs.com',
      'dashscope-us.aliyuncs.com',
      'coding.dashscope.aliyuncs.com',
      'coding-intl.dashscope.aliyuncs.com',
      'chat.qwen.ai',
    ],
    // OPENAI_API_KEY is missing, because settings of Qwen Code may send it to another host than OpenAI's.
    keys: ['DASHSCOPE_API_KEY', 'BAILIAN_CODING_PLAN_API_KEY'],
    env: {},
    mcp: { args: ['--mcp-config', MCP_JSON], env: {} },
  },
};
