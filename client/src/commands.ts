// Every contributed command with its handler. Buttons, CodeLens, sidebar and palette all end here.

import * as vscode from 'vscode';
import type { CommandId } from './commandTable.ts';
import type { ClientContext } from './context.ts';
import { guarded, say } from './messages.ts';
import { improve } from './improve.ts';
import { pickCheckpoint, pickProposal } from './pick.ts';
import { applyProposal, nextProposal, rejectProposal, reviewProposal, showVerdicts, skipHunk } from './review/decide.ts';
import { activeHunk } from './review/openReview.ts';
import { openRuleDocs } from './ruleDocs.ts';
import { withProgress } from './withProgress.ts';

/** What a button hands over; the palette hands over nothing. */
export interface CommandArguments {
  readonly opportunity?: string;
  readonly proposal?: string;
  readonly hunk?: number;
  readonly hunks?: readonly number[];
  readonly checkpoint?: string;
  readonly reason?: string;
  readonly rule?: string;
}

type Handler = (context: ClientContext, given: CommandArguments) => Promise<unknown> | unknown;

const handlers: Readonly<Record<CommandId, Handler>> = {
  'selfware.improve': (context, { opportunity }) => improve(context, opportunity),
  'selfware.index': (context) => runOnServer(context, 'index', 'Refreshing the index'),
  'selfware.showSidebar': () => vscode.commands.executeCommand('selfware.sidebar.focus'),
  'selfware.reviewProposal': async (context, { proposal }) => {
    const id = proposal ?? (await pickProposal(context));
    return id && reviewProposal(context, id);
  },
  'selfware.applyAll': (context, { proposal, hunks }) => applyProposal(context, proposal, hunks),
  'selfware.reject': (context, { proposal, reason }) => rejectProposal(context, proposal, reason),
  'selfware.applyHunk': async (context, { proposal, hunk }) => {
    const chosen = hunk ?? (await activeHunk(context.reviews));
    return chosen === null ? say('Put the cursor on a hunk of the proposal first.') : applyProposal(context, proposal, [chosen]);
  },
  'selfware.skipHunk': async (context, { proposal, hunk }) => {
    const chosen = hunk ?? (await activeHunk(context.reviews));
    return chosen === null ? say('Put the cursor on a hunk of the proposal first.') : skipHunk(context, proposal, chosen);
  },
  'selfware.nextProposal': (context) => nextProposal(context),
  'selfware.showVerdicts': (context, { proposal }) => showVerdicts(context, proposal),
  'selfware.rollback': async (context, { checkpoint }) => {
    const id = checkpoint ?? (await pickCheckpoint(context));
    return id && runOnServer(context, 'rollback', 'Rolling back', { checkpoint: id });
  },
  'selfware.stop': (context) => runOnServer(context, 'stop', 'Stopping'),
  'selfware.resume': (context) => runOnServer(context, 'resume', 'Resuming'),
  'selfware.showOutput': ({ output }) => output.show(),
  'selfware.openRuleDocs': ({ extensionUri }, { rule }) => openRuleDocs(extensionUri, rule),
};

/** Registers them all behind one guard. Menus hand over things of their own, which count as nothing given. */
export function registerCommands(context: ClientContext): vscode.Disposable {
  return vscode.Disposable.from(...Object.entries(handlers).map(([id, handler]) => vscode.commands.registerCommand(id, (given: unknown) => guarded(context.output, () => handler(context, argumentsOf(given))))));
}

function argumentsOf(given: unknown): CommandArguments {
  return given !== null && typeof given === 'object' && !(given instanceof vscode.Uri) ? (given as CommandArguments) : {};
}

/** Says how it went in the words of the server. */
async function runOnServer(context: ClientContext, command: 'index' | 'rollback' | 'stop' | 'resume', title: string, params: object = {}) {
  const outcome = await withProgress(context, title, command, params);
  if (!outcome) return undefined;
  await context.feed.refresh();
  if (outcome.ok) void say(outcome.message);
  else void vscode.window.showWarningMessage(`Selfware: ${outcome.message}`);
  return outcome;
}
