// "Install a Component…": installs a library that is too large to ship with Selfware. Shows the packages that npm would
// fetch, and fetches nothing before the person agrees.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { offerTrust } from '../improve.ts';
import { chooseEmbeddingModel } from './embeddingModel.ts';
import { showFailure, showMessage } from '../messages.ts';
import { runOnce } from '../runOnce.ts';
import { withProgress } from '../server/withProgress.ts';

const TITLE = 'Install a Component';
const INSTALL_LABEL = 'Install';
/** The component for embeddings. After its installation, the person also has to choose a model. */
const EMBEDDINGS = 'embeddings';

/**
 * Installs the named component, or a component that the person chooses. The outcome is `ok` if the component is now
 * installed. Undefined if the person cancels, and in a workspace that is not trusted.
 */
export async function installComponent(
  context: ClientContext,
  component?: string,
): Promise<CommandOutcome | undefined> {
  if (!vscode.workspace.isTrusted) {
    await offerTrust();
    return undefined;
  }
  const chosenName = component ?? (await chooseComponent(context));
  if (chosenName === undefined) return undefined;
  const preview = await context.server.execute('installComponent', { component: chosenName });
  if (!preview.installation) return showInstallOutcome(context, preview);
  const { question, detail, packages } = preview.installation;
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, INSTALL_LABEL);
  if (answer !== INSTALL_LABEL) return undefined;
  const params = { component: chosenName, agreed: packages };
  const outcome = await runOnce(`install ${chosenName}`, () =>
    withProgress(context, TITLE, 'installComponent', params),
  );
  await context.feed.refresh();
  if (outcome?.ok && chosenName === EMBEDDINGS) void chooseEmbeddingModel(context);
  return outcome && showInstallOutcome(context, outcome);
}

/** The name of the component that the person picks; undefined if they cancel or the list fails. */
async function chooseComponent(context: ClientContext): Promise<string | undefined> {
  const outcome = await context.server.execute('installComponent', {});
  if (!outcome.components) {
    showFailure(outcome, context.output);
    return undefined;
  }
  const items = outcome.components.map(({ name, purpose, megabytes, installed }) => ({
    label: name,
    description: installed ? 'installed' : `about ${megabytes} MB`,
    detail: `Needed to ${purpose.replaceAll('`', '')}.`,
  }));
  const chosenItem = await vscode.window.showQuickPick(items, {
    title: TITLE,
    placeHolder: 'What should be installed? You are asked before anything is fetched.',
  });
  return chosenItem?.label;
}

function showInstallOutcome(context: ClientContext, outcome: CommandOutcome): CommandOutcome {
  if (outcome.ok) void showMessage(outcome.message);
  else showFailure(outcome, context.output);
  return outcome;
}
