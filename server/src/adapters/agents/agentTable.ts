// Coding agents that Selfware knows, as data. Whatever is told here of hosts and files is all that such an agent gets.

export interface AgentTemplate {
  /** What is looked for on the path. */
  readonly program: string;
  /** For a run without a person. `{prompt}` and `{promptFile}` are replaced; without either, the task is on stdin. */
  readonly args: readonly string[];
  /** Files below the home folder that hold its login and its settings. */
  readonly login: readonly string[];
  /** Hosts that it needs, by https. */
  readonly hosts: readonly string[];
  /** Variables of the environment that may hold its key. */
  readonly keys: readonly string[];
  /** What it is told besides. */
  readonly env: Readonly<Record<string, string>>;
}

/** The sandbox of each agent is off, because it would have to work inside ours. */
export const AGENTS: Readonly<Record<string, AgentTemplate>> = {
  // https://developers.openai.com/codex/noninteractive: the last message alone is on standard output.
  codex: {
    program: 'codex',
    args: ['exec', '--sandbox', 'danger-full-access', '--skip-git-repo-check', '--ephemeral', '--color', 'never', '-'],
    login: ['.codex/auth.json', '.codex/config.toml'],
    hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
    keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
    env: {},
  },
  // https://geminicli.com/docs/cli/headless: what -p says follows what is on standard input.
  gemini: {
    program: 'gemini',
    args: ['--approval-mode=yolo', '--skip-trust', '-p', 'Carry out the task above.'],
    login: ['.gemini/oauth_creds.json', '.gemini/google_accounts.json', '.gemini/settings.json'],
    hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'],
    keys: ['GEMINI_API_KEY'],
    env: {},
  },
  // https://code.claude.com/docs/en/headless. As root, it wants to know that it is shut in.
  claude: {
    program: 'claude',
    args: ['-p', '--permission-mode', 'bypassPermissions'],
    login: ['.claude/.credentials.json', '.claude/settings.json', '.claude.json'],
    hosts: ['api.anthropic.com', 'platform.claude.com'],
    keys: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'],
    env: { IS_SANDBOX: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
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
  },
  // https://opencode.ai/docs/cli. It asks whichever provider its settings name.
  opencode: {
    program: 'opencode',
    args: ['run', '{prompt}'],
    login: ['.local/share/opencode/auth.json', '.config/opencode/opencode.json'],
    hosts: ['opencode.ai', 'models.opencode.ai', 'models.dev', 'api.anthropic.com', 'api.openai.com'],
    keys: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENCODE_API_KEY'],
    env: {},
  },
};
