// `selfware serve --stdio`: the language server, for any LSP client.

import { spawn } from 'node:child_process';
import { Command } from 'commander';
import { serverEntry } from '../../app/places.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { CommandFactory } from '../invocation.ts';

export const serveCommand: CommandFactory = () =>
  new Command('serve')
    .description('the language server, for any LSP client')
    .option('--stdio', 'speak over standard input and output')
    .action(async (options: { readonly stdio?: boolean }) => {
      if (!options.stdio) throw new SelfwareError('usage', 'Say how to speak: selfware serve --stdio.');
      const server = spawn(process.execPath, [serverEntry(), '--stdio'], { stdio: 'inherit' });
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
      await new Promise((resolve) => server.once('exit', resolve));
    });
