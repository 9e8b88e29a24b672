// Runs an agent in its work tree: the task as a file and on standard input, and the network through the gate alone.

import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { ProposerRequest } from '../../core/ports/proposers.ts';
import type { RunResult } from '../../core/ports/sandbox.ts';
import { SOCKET_NAME } from '../packages/networkGate.ts';
import { certificates } from '../packages/packages.ts';
import { relayed } from '../packages/relay.ts';
import { programsOutside } from '../sandbox/environment.ts';
import type { SandboxWorktree } from '../sandbox/sandbox.ts';
import type { Agent } from './agent.ts';
import { filledIn } from './commandWords.ts';

/** Written to standard output and standard error; more is cut from the middle. */
const OUTPUT_BYTES = 256 * 1024;
/** An agent that is told to end has nothing to save. */
const GRACE_MS = 500;
/** For programs that ask the gate: what is in the enclosure itself needs no proxy, and Node is told that there is one. */
const ONLINE = { NO_PROXY: 'localhost,127.0.0.1,::1', no_proxy: 'localhost,127.0.0.1,::1', NODE_USE_ENV_PROXY: '1' };

export interface AgentRun {
  readonly agent: Pick<Agent, 'hosts' | 'keys' | 'env'>;
  /** The command line, with the place of the program. */
  readonly words: readonly string[];
  readonly worktree: SandboxWorktree;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Resolves when it has ended, however it ended, and nothing of it is left running. */
export async function runAgent(
  { agent, words, worktree, env }: AgentRun,
  { messages, deadline }: ProposerRequest,
  signal: AbortSignal,
  onText: (characters: number) => void,
): Promise<RunResult> {
  const { folders, dir } = worktree;
  const prompt = messages.map(({ content }) => content).join('\n\n');
  const promptFile = join(folders.home, 'selfware-task.md');
  await writeFile(promptFile, prompt, { mode: 0o600 });
  const command = filledIn(words, { promptFile, prompt });
  const online = agent.hosts.length > 0;
  const keys = agent.keys.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  // Programs that the repository brings along come last, so that none of them answers to the name of the agent's own.
  const path = [...programsOutside(folders, env['PATH'] ?? ''), join(dir, 'node_modules', '.bin')].join(delimiter);
  let characters = 0;
  return worktree.run(
    {
      command: online ? relayed(SOCKET_NAME, command) : command,
      env: {
        ...(online ? { ...ONLINE, ...certificates(env) } : {}),
        ...Object.fromEntries(keys),
        ...agent.env,
        PATH: path,
      },
      timeoutMs: Math.max(1, deadline - Date.now()),
      graceMs: GRACE_MS,
      maxOutputBytes: OUTPUT_BYTES,
      onProgress: ({ fresh }) => onText((characters += fresh.length)),
    },
    signal,
  );
}
