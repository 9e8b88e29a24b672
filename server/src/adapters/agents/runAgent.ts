// Runs an agent in its work tree. The agent reads its task from a file, from standard input or from its arguments, and
// the gate is its only network access.

import { writeFile } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { ProposerRequest } from '../../core/ports/proposers.ts';
import type { RunResult } from '../../core/ports/sandbox.ts';
import { copyRegularSync } from '../files/safeRead.ts';
import { SOCKET_NAME } from '../packages/networkGate.ts';
import { findCertificates } from '../packages/packages.ts';
import { createRelayCommand } from '../packages/relay.ts';
import { listOuterPrograms } from '../sandbox/environment.ts';
import type { SandboxWorktree } from '../sandbox/sandbox.ts';
import type { Agent } from './agent.ts';
import { fillMcp, fillPlaceholders } from './commandLine.ts';
import type { McpServer } from './tools/provideTools.ts';

/** Maximum number of bytes of standard output and standard error; longer output is cut in the middle. */
const MAX_OUTPUT_BYTES = 256 * 1024;
/**
 * Milliseconds between the signal that asks an agent to end and the one that kills it. They are few, because the agent
 * has nothing to save.
 */
const GRACE_MS = 500;
/**
 * Variables for programs that reach the network through the gate, a proxy. Addresses in the enclosure are reached
 * without it. Node uses a proxy only if `NODE_USE_ENV_PROXY` is set.
 */
export const PROXY_ENVIRONMENT = {
  NO_PROXY: 'localhost,127.0.0.1,::1',
  no_proxy: 'localhost,127.0.0.1,::1',
  NODE_USE_ENV_PROXY: '1',
};

/** One run of an agent. */
export interface AgentRun {
  readonly agent: Pick<Agent, 'hosts' | 'env' | 'protocol' | 'mcp'>;
  /** Values of the agent's keys, by environment variable. */
  readonly keys: Readonly<Record<string, string>>;
  /** The command line, with the path of the program. */
  readonly commandLine: readonly string[];
  readonly worktree: SandboxWorktree;
  /** Selfware's environment, for its path and its certificates. */
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  /** Path of the program that speaks the Agent Client Protocol with the agent, in one file. */
  readonly acpClient: string;
  /** The MCP server in the enclosure; null if there is none. */
  readonly mcp: McpServer | null;
}

/**
 * Runs the agent until its deadline. Resolves when it has ended in any way and none of its processes is left. `onText`
 * receives the number of characters of output so far. Throws the errors of `Worktree.run`.
 */
export async function runAgent(
  { agent, keys, commandLine, worktree, hostEnvironment, acpClient, mcp }: AgentRun,
  { messages, deadline }: ProposerRequest,
  signal: AbortSignal,
  onText: (characters: number) => void,
): Promise<RunResult> {
  const { folders, dir } = worktree;
  const prompt = messages.map(({ content }) => content).join('\n\n');
  const promptFile = join(folders.home, 'selfware-task.md');
  await writeFile(promptFile, prompt, { mode: 0o600 });
  const mcpHandover = mcp === null ? undefined : agent.mcp;
  const words = [...commandLine, ...(mcpHandover?.args ?? [])];
  const command =
    agent.protocol === 'acp'
      ? createAcpCommand(
          words.map((word) => fillMcp(word, mcp)),
          promptFile,
          folders,
          acpClient,
          mcp,
        )
      : fillPlaceholders(words, { promptFile, prompt, mcp });
  const env = { ...agent.env, ...mcpHandover?.env };
  const isOnline = agent.hosts.length > 0;
  // Programs of the repository come last in the path, so that none of them can replace a program of the agent.
  const path = [
    ...listOuterPrograms(folders, hostEnvironment['PATH'] ?? '').filter(isAbsolute),
    join(dir, 'node_modules', '.bin'),
  ].join(delimiter);
  let characterCount = 0;
  return worktree.run(
    {
      command: isOnline ? createRelayCommand(SOCKET_NAME, command) : command,
      env: {
        ...(isOnline ? { ...PROXY_ENVIRONMENT, ...findCertificates(hostEnvironment) } : {}),
        ...keys,
        ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fillMcp(value, mcp)])),
        PATH: path,
      },
      timeoutMs: Math.max(1, deadline - Date.now()),
      graceMs: GRACE_MS,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      onProgress: ({ newOutput }) => onText((characterCount += newOutput.length)),
    },
    signal,
  );
}

/**
 * The command line of the program that starts the agent and speaks the Agent Client Protocol with it. It runs in the
 * enclosure, too, so that the agent's messages are parsed there, and Selfware itself reads only the output and the
 * tree. The program is copied to the home folder of the enclosure, because its own folder may not be visible there.
 */
function createAcpCommand(
  commandLine: readonly string[],
  promptFile: string,
  { home, programs }: SandboxWorktree['folders'],
  acpClient: string,
  mcp: McpServer | null,
): readonly string[] {
  const program = join(home, 'selfware-acp.mjs');
  copyRegularSync(acpClient, program);
  // The Node on the person's path may be too old.
  return [join(programs, 'node'), program, promptFile, mcp?.program ?? '', ...commandLine];
}
