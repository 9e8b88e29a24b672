// `selfware serve --stdio`: the language server, for any LSP client. `selfware serve --mcp`: tools for agents, for any
// MCP client.

import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { markAgentSession } from '../../adapters/system/agentSession.ts';
import { beforeCutOff } from '../../adapters/system/ending.ts';
import { createStderrLog } from '../../adapters/system/system.ts';
import { writeError } from '../../adapters/system/terminal.ts';
import { settingsOfEditor } from '../../app/editorSettings.ts';
import { packageRoot, programVersion, serverEntry } from '../../app/places.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { interruption } from '../interruption.ts';
import { command, settingsFor, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';

interface ServeOptions extends CommonOptions {
  readonly stdio?: boolean;
  readonly mcp?: boolean;
}

export const serveCommand: CommandFactory = () =>
  command('serve', 'the language server for any LSP client, or tools for agents (MCP), over standard input and output')
    .option('--stdio', 'the language server protocol')
    .option('--mcp', 'the Model Context Protocol, for one repository')
    .action(async (options: ServeOptions) => {
      if (options.mcp && options.stdio) throw new SelfwareError('usage', '--stdio and --mcp exclude each other.');
      if (options.mcp) return serveAgents(options);
      if (!options.stdio)
        throw new SelfwareError('usage', 'Say how to speak: selfware serve --stdio (LSP) or selfware serve --mcp.');
      const server = spawn(process.execPath, [serverEntry(), '--stdio'], { stdio: 'inherit' });
      const { signal } = interruption();
      signal.addEventListener('abort', () => server.kill('SIGTERM'), { once: true });
      const unregister = beforeCutOff(() => server.kill('SIGKILL'));
      await new Promise((resolve) => server.once('exit', resolve));
      unregister();
    });

async function serveAgents(options: ServeOptions): Promise<void> {
  // The module is loaded here, so that other commands start without it.
  const { serveMcp } = await import('../../mcp/serveMcp.ts');
  const { rawSettings: editorSettings, problem } = settingsOfEditor(resolve(options.repo), process.env);
  if (problem !== null) writeError(`warning: ${problem}`);
  const sessionOptions = { ...options, agent: true, editor: editorSettings };
  await settingsFor(sessionOptions);
  markAgentSession();
  await serveMcp({
    version: programVersion(),
    rulesDir: join(packageRoot(), 'server/src/core/rules'),
    log: createStderrLog(process.env.SELFWARE_DEBUG ? 'debug' : 'warn'),
    signal: interruption().signal,
    open: (body) => withSession(sessionOptions, ({ session }) => body(session)),
  });
}
