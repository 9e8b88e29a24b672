// `selfware serve --stdio` runs the language server for any LSP client, and `selfware serve --mcp` the server of tools
// for any MCP client.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { markAgentSession } from '../../adapters/system/agentSession.ts';
import { onForcedShutdown } from '../../adapters/system/gracefulShutdown.ts';
import { createStderrLog } from '../../adapters/system/system.ts';
import { writeError } from '../../adapters/system/terminal.ts';
import { readEditorSettings } from '../../app/editorSettings.ts';
import { findPackageRoot, readProgramVersion, serverEntry } from '../../app/programPaths.ts';
import type { Log } from '../../core/ports/system.ts';
import type { McpOptions } from '../../mcp/serveMcp.ts';
import { SelfwareError, describeError } from '../../util/typedError.ts';
import { handleInterruption } from '../interruption.ts';
import {
  createCommand,
  loadProcessSettings,
  withSession,
  type CommandFactory,
  type CommonOptions,
  type SetExitCode,
} from '../invocation.ts';

interface ServeOptions extends CommonOptions {
  readonly stdio?: boolean;
  readonly mcp?: boolean;
}

/** The subcommand `serve`. */
export const serveCommand: CommandFactory = (setExitCode) =>
  createCommand('serve', 'the language server for editors (LSP), or the tools for agents (MCP)')
    .option('--stdio', 'the language server protocol')
    .option('--mcp', 'the Model Context Protocol, for one repository')
    .action(async (options: ServeOptions) => {
      if (options.mcp && options.stdio) throw new SelfwareError('usage', '--stdio and --mcp cannot be combined.');
      if (options.mcp) return serveAgents(options);
      if (!options.stdio)
        throw new SelfwareError('usage', 'Choose a protocol: selfware serve --stdio (LSP) or selfware serve --mcp.');
      await serveEditor(setExitCode);
    });

/**
 * Runs the language server until it ends, with standard input and output of this process. The exit code is 1 if the
 * client has sent `exit` without `shutdown`. Throws `unavailable` if the server does not start, or if it crashes.
 */
async function serveEditor(setExitCode: SetExitCode): Promise<void> {
  const server = spawn(process.execPath, [serverEntry(), '--stdio'], { stdio: 'inherit' });
  const { signal } = handleInterruption();
  signal.addEventListener('abort', () => server.kill('SIGTERM'), { once: true });
  const unregister = onForcedShutdown(() => server.kill('SIGKILL'));
  try {
    const [code, endSignal] = (await once(server, 'exit')) as [number | null, NodeJS.Signals | null];
    if (signal.aborted || code === 0) return;
    if (code !== 1) throw new SelfwareError('unavailable', `The language server crashed (${endSignal ?? code}).`);
    setExitCode(1);
  } catch (error) {
    if (error instanceof SelfwareError) throw error;
    throw new SelfwareError('unavailable', `The language server did not start: ${describeError(error)}`, {
      cause: error,
    });
  } finally {
    unregister();
  }
}

/**
 * Runs the MCP server until the client disconnects. The session counts as one of an agent, which may not decide for a
 * person.
 */
async function serveAgents(options: ServeOptions): Promise<void> {
  // The module is loaded here, so that other commands start without it.
  const { serveMcp } = await import('../../mcp/serveMcp.ts');
  const { rawSettings: editorSettings, problem } = readEditorSettings(resolve(options.repo), process.env);
  if (problem !== null) writeError(`warning: ${problem}`);
  const sessionOptions = { ...options, agent: true, editor: editorSettings };
  // Rejects invalid options before an agent connects; each session reads its settings itself.
  await loadProcessSettings(sessionOptions);
  markAgentSession();
  const log = createStderrLog(process.env.SELFWARE_DEBUG ? 'debug' : 'warn');
  await serveMcp({
    version: readProgramVersion(),
    rulesDir: join(findPackageRoot(), 'server/src/core/rules'),
    log,
    signal: handleInterruption().signal,
    judge: createJudge(options, log),
    openSession: (body) => withSession(sessionOptions, ({ session }) => body(session)),
  });
}

/** Creates the judge of changes of the repository. It throws `untrusted` if the repository is not trusted. */
function createJudge(options: ServeOptions, log: Log): McpOptions['judge'] {
  const requireTrust = (): void => {
    if (!options.untrusted) return;
    throw new SelfwareError('untrusted', 'This repository is not trusted, so nothing of it is run.', {
      action: 'A person starts the server without --untrusted.',
    });
  };
  return {
    rootDir: resolve(options.repo),
    async identify({ base, head }, signal) {
      requireTrust();
      const { identifyRevisions } = await import('../../app/judging.ts');
      const { rootDir } = await loadProcessSettings({ ...options, agent: true });
      return identifyRevisions({ rootDir, base, head, log, signal });
    },
    async judge(request, operation) {
      requireTrust();
      const { judgeRevisions } = await import('../../app/judging.ts');
      // The settings of the editor are not used, because the change itself may have written them.
      const { rootDir, personal } = await loadProcessSettings({ ...options, agent: true });
      return judgeRevisions({
        ...{ ...request, ...operation, rootDir, policy: null, author: 'coding agent', personSettings: personal },
        ...{ env: process.env, log, note: (text: string) => log.write('info', text) },
      });
    },
  };
}
