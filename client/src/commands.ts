// Every contributed command with its handler. Buttons, CodeLens, sidebar and palette all end here.

import * as vscode from 'vscode';
import type { CommandId } from './commandTable.ts';
import type { ClientContext } from './context.ts';
import { guarded, say, showTrouble } from './messages.ts';
import { dismiss } from './dismiss.ts';
import { fixAll } from './fixAll.ts';
import { improve } from './improve.ts';
import { pickCheckpoint, pickProposal } from './pick.ts';
import { applyProposal, nextProposal, rejectProposal, reviewProposal, showVerdicts, skipHunk } from './review/decide.ts';
import { activeHunk } from './review/openReview.ts';
import { openRuleDocs } from './ruleDocs.ts';
import { searchPick } from './searchPick.ts';

/** What a button hands over; the palette hands over nothing. */
export interface CommandArguments {
  readonly opportunity?: string;
  readonly proposal?: string;
  readonly hunk?: number;
  readonly hunks?: readonly number[];
  readonly checkpoint?: string;
  readonly reason?: string;
  readonly rule?: string;
  readonly uri?: string;
  readonly kind?: string;
  readonly query?: string;
}

type Handler = (context: ClientContext, given: CommandArguments) => Promise<unknown> | unknown;

const handlers: Readonly<Record<CommandId, Handler>> = {
  'selfware.improve': (context, { opportunity }) => improve(context, opportunity),
  'selfware.index': (context) => runQuietly(context, 'index'),
  'selfware.search': (context, { query }) => searchPick(context, query),
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
  'selfware.fixAll': (context) => fixAll(context),
  'selfware.dismiss': (context, given) => dismiss(context, given),
  'selfware.rollback': async (context, { checkpoint }) => {
    const id = checkpoint ?? (await pickCheckpoint(context));
    return id && rollBack(context, id);
  },
  'selfware.stop': (context) => runQuietly(context, 'stop'),
  'selfware.resume': (context) => runQuietly(context, 'resume'),
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

async function rollBack(context: ClientContext, checkpoint: string) {
  const outcome = await context.server.execute('rollback', { checkpoint });
  await context.feed.refresh();
  if (outcome.ok) void say(outcome.message);
  else showTrouble(outcome.message, context.output);
  return outcome;
}

/** For what status bar and sidebar show while it runs: only trouble gets a notification. */
async function runQuietly({ server, feed, output }: ClientContext, command: 'index' | 'stop' | 'resume') {
  const outcome = await server.execute(command);
  await feed.refresh();
  if (outcome.ok) vscode.window.setStatusBarMessage(outcome.message, 8000);
  else showTrouble(outcome.message, output);
  return outcome;
}
