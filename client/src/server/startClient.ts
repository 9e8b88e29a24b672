// Loads the library of the language client (from a separate bundle) and starts the server process, both after
// activation, so that VS Code need not wait for them.

import * as vscode from 'vscode';
import type { LanguageClient, Middleware, ServerOptions } from 'vscode-languageclient/node';
import { serverCommands } from '#protocol/methods';
import type { InitializationOptions } from '#protocol/review';
import { documentSelector } from '../languages.ts';
import { hideKeys } from './withoutKeys.ts';

/**
 * Prefix of the progress tokens of calls by this client. Other progress of the server gets no notification, because the
 * status bar item and the sidebar show it.
 */
export const PROGRESS_PREFIX = 'selfware-client-';

/**
 * Commands of the extension, by the server command that they replace. Code actions and code lenses name server
 * commands; these are redirected to commands of the extension, which ask the user and show the outcome.
 */
const userCommandByServerCommand: Readonly<Record<string, string>> = {
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

/** The functions of the caller that `startClient` calls. */
export interface ClientHandlers {
  /** Called before the server starts, to register handlers on the client; these remain after restarts. */
  prepare(client: LanguageClient): void;
  /** Called when the server has stopped unexpectedly. Returns true if it should be restarted. */
  onLost(): boolean;
  /** URI of the folder that the person has chosen; undefined for the first folder. */
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
  const client = new LanguageClient('selfware', 'Selfware', createServerOptions(module, TransportKind.ipc), {
    documentSelector,
    // A function, because trust may be granted and another folder chosen before a restart.
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
    traceOutputChannel: hideKeys(output),
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    // False: no second attempt, which would fail in the same way. The caller reports the failure.
    initializationFailedHandler: () => false,
  });
  prepare(client);
  await client.start();
  return client;
}

const middleware: Middleware = {
  provideHover: (document, position, token, next) =>
    repeatsDiagnostics(document, position) ? null : next(document, position, token),
  executeCommand: (command, args, next) => {
    const userCommand = userCommandByServerCommand[command];
    return userCommand ? vscode.commands.executeCommand(userCommand, ...args) : next(command, args);
  },
  handleWorkDoneProgress: (token, params, next) => {
    if (String(token).startsWith(PROGRESS_PREFIX)) next(token, params);
  },
};

/**
 * True if the server's hover would only repeat the diagnostics that VS Code's hover already shows. False if the setting
 * `hover.details` asks for more.
 */
function repeatsDiagnostics({ uri }: vscode.TextDocument, position: vscode.Position): boolean {
  if (vscode.workspace.getConfiguration('selfware', uri).get('hover.details') === true) return false;
  return vscode.languages
    .getDiagnostics(uri)
    .some(({ source, range }) => source === 'selfware' && range.contains(position));
}

/** How the library starts the server: over IPC, with a debugger port in debug mode. */
function createServerOptions(
  module: string,
  transport: Extract<ServerOptions, { module: string }>['transport'] & number,
): ServerOptions {
  // Since 22.13, `node:sqlite` needs no flag, but prints on stderr that it is experimental.
  const nodeFlags = ['--disable-warning=ExperimentalWarning'];
  // glibc keeps a memory arena for each thread that has allocated memory: without this limit, some hundred megabytes
  // after the first index. Sandboxes are not affected, because they have their own environment.
  const env = { MALLOC_ARENA_MAX: '2' };
  return {
    run: { module, transport, options: { execArgv: nodeFlags, env } },
    debug: {
      module,
      transport,
      options: { env, execArgv: [...nodeFlags, '--nolazy', '--inspect=6009', '--enable-source-maps'] },
    },
  };
}
