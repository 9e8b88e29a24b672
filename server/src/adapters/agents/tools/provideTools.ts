// Puts the MCP server of an agent into the home folder of its enclosure: the program, the list of its tools, a script
// that starts it without arguments, and a file that names the script in the form of many agents' settings.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentTools } from '../../../core/ports/agentTools.ts';
import { copyRegularSync } from '../../files/safeRead.ts';
import { quoteForShell } from '../../sandbox/isolation/mechanism.ts';
import type { SandboxWorktree } from '../../sandbox/sandbox.ts';
import { TOOLS_SOCKET } from './toolBroker.ts';

/** The MCP server as the agent sees it. */
export interface McpServer {
  /** The script, which takes no arguments. */
  readonly program: string;
  /** The file that lists the script under `mcpServers`. */
  readonly config: string;
}

/**
 * Writes the files of the server for the tools in `list`, and returns the paths for the agent. `program`: path of the
 * bundle of `main.ts`, in one file.
 */
export async function provideTools(
  { home, programs, temporary }: SandboxWorktree['folders'],
  list: AgentTools['list'],
  program: string,
): Promise<McpServer> {
  const folder = join(home, '.selfware');
  await mkdir(folder, { mode: 0o700 });
  const resolvePath = (name: string) => join(folder, name);
  copyRegularSync(program, resolvePath('tools.mjs'));
  await writeFile(resolvePath('tools.json'), JSON.stringify(list));
  const startWords = [
    join(programs, 'node'),
    resolvePath('tools.mjs'),
    resolvePath('tools.json'),
    join(temporary, TOOLS_SOCKET),
  ];
  await writeFile(resolvePath('mcp'), `#!/bin/sh\nexec ${startWords.map(quoteForShell).join(' ')}\n`, { mode: 0o700 });
  await writeFile(
    resolvePath('mcp.json'),
    JSON.stringify({ mcpServers: { selfware: { command: resolvePath('mcp'), args: [] } } }),
  );
  return { program: resolvePath('mcp'), config: resolvePath('mcp.json') };
}
