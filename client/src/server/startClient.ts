// Loads the language client and forks the server. This happens late and in a bundle of its own, so that activation
// waits for neither.

import * as vscode from 'vscode';
import type { LanguageClient, Middleware, ServerOptions } from 'vscode-languageclient/node';
import { serverCommands } from '#protocol/methods';
import type { InitializationOptions } from '#protocol/review';
import { documentSelector } from '../languages.ts';

/**
 * Progress that a call of ours asked for begins like this; all other is shown by the status bar item and the sidebar.
 */
export const ownProgress = 'selfware-client-';

/** Server commands that other parts of VS Code run (code actions, CodeLens) take the way of the user's own commands. */
const userCommands: Readonly<Record<string, string>> = {
  [serverCommands.index]: 'selfware.index',
  [serverCommands.improve]: 'selfware.improve',
  [serverCommands.improveWithModel]: 'selfware.improveWithModel',
  [serverCommands.apply]: 'selfware.applyAll',
  [serverCommands.reject]: 'selfware.reject',
  [serverCommands.rollback]: 'selfware.rollback',
  [serverCommands.judge]: 'selfware.judge',
  [serverCommands.keep]: 'selfware.keep',
  [serverCommands.commit]: 'selfware.commit',
  [serverCommands.stop]: 'selfware.stop',
  [serverCommands.resume]: 'selfware.resume',
  [serverCommands.showProposal]: 'selfware.reviewProposal',
  [serverCommands.dismiss]: 'selfware.dismiss',
  [serverCommands.explain]: 'selfware.openRuleDocs',
  [serverCommands.fixAll]: 'selfware.fixAll',
  [serverCommands.verifyLedger]: 'selfware.verifyLedger',
  [serverCommands.verifyChange]: 'selfware.verifyChange',
  [serverCommands.judgeBranch]: 'selfware.judgeBranch',
  [serverCommands.setup]: 'selfware.setUpTests',
  [serverCommands.doctor]: 'selfware.doctor',
};

export interface ClientHandlers {
  /** Registers handlers before the server starts; they hold for every later start, too. */
  prepare(client: LanguageClient): void;
  /** The server is gone without having been asked to. Answers whether to start it again. */
  onLost(): boolean;
  /** URI of the folder that the person has chosen. */
  folder(): string | undefined;
}

/** Resolves once the server has answered `initialize`. Rejects when it does not start. */
export async function startClient(
  module: string,
  output: vscode.LogOutputChannel,
  { prepare, onLost, folder }: ClientHandlers,
): Promise<LanguageClient> {
  await new Promise((done) => setImmediate(done));
  const { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, TransportKind } = await import(
    'vscode-languageclient/node'
  );
  const client = new LanguageClient('selfware', 'Selfware', serverOptions(module, TransportKind.ipc), {
    documentSelector,
    // Asked at every start: trust may have been granted, and another folder chosen, since the last one.
    initializationOptions: (): InitializationOptions => {
      const chosen = folder();
      return {
        trusted: vscode.workspace.isTrusted,
        canSave: true,
        canAskModels: true,
        ...(chosen === undefined ? {} : { folder: chosen }),
      };
    },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => ({ action: onLost() ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true }),
    },
    middleware,
    outputChannel: output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    // The caller says it once, with what to do; a second attempt would end the same way.
    initializationFailedHandler: () => false,
  });
  prepare(client);
  await client.start();
  return client;
}

const middleware: Middleware = {
  provideHover: (document, position, token, next) =>
    isToldAlready(document, position) ? null : next(document, position, token),
  executeCommand: (command, args, next) => {
    const user = userCommands[command];
    return user ? vscode.commands.executeCommand(user, ...args) : next(command, args);
  },
  handleWorkDoneProgress: (token, params, next) => {
    if (String(token).startsWith(ownProgress)) next(token, params);
  },
};

/** A hover of VS Code begins with the problems at that place: one line of ours would say the same below. */
function isToldAlready({ uri }: vscode.TextDocument, position: vscode.Position): boolean {
  if (vscode.workspace.getConfiguration('selfware', uri).get('hover.details') === true) return false;
  return vscode.languages
    .getDiagnostics(uri)
    .some(({ source, range }) => source === 'selfware' && range.contains(position));
}

function serverOptions(
  module: string,
  transport: Extract<ServerOptions, { module: string }>['transport'] & number,
): ServerOptions {
  // `node:sqlite` needs no flag from 22.13 on but announces itself as experimental on stderr.
  const quiet = ['--disable-warning=ExperimentalWarning'];
  // glibc keeps an arena of memory for each thread that ever asked: a hundred megabytes after the first index. Read by
  // it alone; what runs in a sandbox has an environment of its own.
  const env = { MALLOC_ARENA_MAX: '2' };
  return {
    run: { module, transport, options: { execArgv: quiet, env } },
    debug: {
      module,
      transport,
      options: { env, execArgv: [...quiet, '--nolazy', '--inspect=6009', '--enable-source-maps'] },
    },
  };
}
