// Loads the language client and forks the server. This happens late and in a separate bundle, so that activation waits
// for neither.

import * as vscode from 'vscode';
import type { LanguageClient, Middleware, ServerOptions } from 'vscode-languageclient/node';
import { serverCommands } from '#protocol/methods';
import type { InitializationOptions } from '#protocol/review';
import { documentSelector } from '../languages.ts';
import { withoutKeys } from './withoutKeys.ts';

/**
 * Prefix of progress tokens for this client's own calls; all other progress is shown by the status bar item and the
 * sidebar.
 */
export const ownProgress = 'selfware-client-';

/** Server commands that other parts of VS Code run (code actions, CodeLens) are redirected to the user's commands. */
const userCommands: Readonly<Record<string, string>> = {
  [serverCommands.index]: 'selfware.index',
  [serverCommands.improve]: 'selfware.improve',
  [serverCommands.improveWithModel]: 'selfware.improveWithModel',
  [serverCommands.installComponent]: 'selfware.installComponent',
  [serverCommands.withdrawConsent]: 'selfware.withdrawConsent',
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
  [serverCommands.findRecipes]: 'selfware.repeatEdit',
  [serverCommands.setup]: 'selfware.setUpTests',
  [serverCommands.outdated]: 'selfware.outdated',
  [serverCommands.doctor]: 'selfware.doctor',
  [serverCommands.runOvernight]: 'selfware.runOvernight',
  [serverCommands.wishes]: 'selfware.wishes',
  [serverCommands.showNight]: 'selfware.showNight',
  [serverCommands.acceptNight]: 'selfware.acceptNight',
  [serverCommands.continueNight]: 'selfware.continueNight',
  [serverCommands.endNight]: 'selfware.endNight',
  [serverCommands.dropNight]: 'selfware.dropNight',
};

/** The decisions that `startClient` leaves to its caller. */
export interface ClientHandlers {
  /** Registers handlers before the server starts; they also apply after every restart. */
  prepare(client: LanguageClient): void;
  /** The server has stopped unexpectedly. Returns true if it should be restarted. */
  onLost(): boolean;
  /** URI of the folder that the person has chosen. */
  folder(): string | undefined;
}

/** Resolves once the server has answered `initialize`. Rejects if the server does not start. */
export async function startClient(
  module: string,
  output: vscode.LogOutputChannel,
  { prepare, onLost, folder }: ClientHandlers,
): Promise<LanguageClient> {
  await new Promise((resolve) => setImmediate(resolve));
  const { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, TransportKind } = await import(
    'vscode-languageclient/node'
  );
  const client = new LanguageClient('selfware', 'Selfware', serverOptions(module, TransportKind.ipc), {
    documentSelector,
    // Evaluated at every start, because trust may have been granted and another folder chosen since the last start.
    initializationOptions: (): InitializationOptions => {
      const chosenFolder = folder();
      return {
        trusted: vscode.workspace.isTrusted,
        canSave: true,
        canAskModels: true,
        canStoreKeys: true,
        ...(chosenFolder === undefined ? {} : { folder: chosenFolder }),
      };
    },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => ({ action: onLost() ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true }),
    },
    middleware,
    outputChannel: output,
    traceOutputChannel: withoutKeys(output),
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    // The caller reports the failure once, with an action; a second attempt would fail in the same way.
    initializationFailedHandler: () => false,
  });
  prepare(client);
  await client.start();
  return client;
}

const middleware: Middleware = {
  provideHover: (document, position, token, next) =>
    isRepetition(document, position) ? null : next(document, position, token),
  executeCommand: (command, args, next) => {
    const user = userCommands[command];
    return user ? vscode.commands.executeCommand(user, ...args) : next(command, args);
  },
  handleWorkDoneProgress: (token, params, next) => {
    if (String(token).startsWith(ownProgress)) next(token, params);
  },
};

/**
 * True if the server's hover would only repeat the diagnostics with which VS Code's hover begins. False if the person
 * has asked for details.
 */
function isRepetition({ uri }: vscode.TextDocument, position: vscode.Position): boolean {
  if (vscode.workspace.getConfiguration('selfware', uri).get('hover.details') === true) return false;
  return vscode.languages
    .getDiagnostics(uri)
    .some(({ source, range }) => source === 'selfware' && range.contains(position));
}

function serverOptions(
  module: string,
  transport: Extract<ServerOptions, { module: string }>['transport'] & number,
): ServerOptions {
  // Since 22.13, `node:sqlite` needs no flag, but prints on stderr that it is experimental.
  const withoutWarning = ['--disable-warning=ExperimentalWarning'];
  // glibc keeps memory arenas for threads that have allocated: a hundred megabytes after the first index. Sandboxes are
  // not affected, because they have their own environment.
  const env = { MALLOC_ARENA_MAX: '2' };
  return {
    run: { module, transport, options: { execArgv: withoutWarning, env } },
    debug: {
      module,
      transport,
      options: { env, execArgv: [...withoutWarning, '--nolazy', '--inspect=6009', '--enable-source-maps'] },
    },
  };
}
