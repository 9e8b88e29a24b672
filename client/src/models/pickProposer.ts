// Asks the person which model or agent to use. The list says for each where code would be sent; this file sends none.

import * as vscode from 'vscode';
import type { ModelChoices, ProposerChoice } from '#protocol/models';
import type { ClientContext } from '../context.ts';
import { installComponent } from './installComponent.ts';
import { explainBadAddress } from './keyText.ts';
import { describeProposer, findMissingPart, completeName } from './missingPart.ts';
import { setModelKey } from './modelKeys.ts';
import { showKeyCommands } from './storedKeys.ts';

/** The key under which VS Code stores the last chosen proposer for each workspace. */
const PROPOSER_KEY = 'selfware.proposer';
const TITLE = 'Improve with a Model';

/** The name of the proposer that was chosen last in this workspace. */
export function recallLastProposer({ memory }: Pick<ClientContext, 'memory'>): string | undefined {
  return memory.get<string>(PROPOSER_KEY);
}

/** An entry of the list. If an entry with none of these fields is chosen, the person is asked for an address. */
interface ProposerItem extends vscode.QuickPickItem {
  readonly choice?: ProposerChoice;
  /** The host that has no key yet: choosing the entry asks for the key first. */
  readonly needsKeyFor?: string;
  /** The component that is not installed yet: choosing the entry offers its installation first. */
  readonly component?: string;
  /** The name of the previous choice, if it is not one of the listed proposers. */
  readonly previousName?: string;
  /** True for the entry that opens the page about setting up a model. */
  readonly opensHelp?: boolean;
}

/**
 * Asks for a proposer (a model or an agent) and returns its name. The choice is stored for this workspace. Undefined if
 * the person cancels, chooses the page about setting up a model, or does not add the missing key or component.
 */
export async function pickProposer(context: ClientContext, choices: ModelChoices): Promise<string | undefined> {
  showKeyCommands();
  const lastChosen = recallLastProposer(context);
  const chosenItem = await vscode.window.showQuickPick<ProposerItem>(createItems(choices, lastChosen), {
    title: TITLE,
    placeHolder: 'Who should be asked? Nothing is sent before you choose.',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosenItem?.opensHelp) await openHelp(context);
  if (!chosenItem || chosenItem.opensHelp || !(await isReady(context, chosenItem))) return undefined;
  return storeProposer(context, await completeChosenName(chosenItem));
}

/** Asks for the missing key, or offers to install the missing component. True if nothing is missing afterwards. */
async function isReady(context: ClientContext, { needsKeyFor, component }: ProposerItem): Promise<boolean> {
  if (needsKeyFor !== undefined) return setModelKey(context, needsKeyFor);
  return component === undefined || (await installComponent(context, component))?.ok === true;
}

async function storeProposer(context: ClientContext, proposer: string | undefined): Promise<string | undefined> {
  if (proposer !== undefined) await context.memory.update(PROPOSER_KEY, proposer);
  return proposer;
}

/** The entries of the list, with the previous choice first. If there is no proposer, entries say what is missing. */
function createItems(choices: ModelChoices, lastChosen: string | undefined): ProposerItem[] {
  const { proposers, withoutKey, withoutComponent } = choices;
  const items = proposers.map((choice): ProposerItem => {
    const { name, where, why } = choice;
    return {
      choice,
      description: where,
      ...describeProposer(choice, `${why}${name === lastChosen ? ' Chosen last time.' : ''}`),
    };
  });
  const isLast = ({ choice }: ProposerItem) => choice?.name === lastChosen;
  const lastChosenItems = items.filter(isLast);
  const previousNameItems: ProposerItem[] =
    lastChosen === undefined || lastChosenItems.length > 0
      ? []
      : [
          {
            previousName: lastChosen,
            label: lastChosen,
            description: 'as last time',
            detail: 'You are asked before code leaves this machine.',
          },
        ];
  const nothingFoundItems: ProposerItem[] =
    proposers.length > 0
      ? []
      : [
          {
            opensHelp: true,
            label: '$(info) No Model Was Found',
            description: 'choose this to read how to set one up',
          },
          // One entry for each reason, because the list cuts off long lines.
          ...choices.missing.map((why): ProposerItem => ({ opensHelp: true, label: `$(circle-slash) ${why}` })),
        ];
  const addressItem: ProposerItem = {
    label: 'An Address…',
    description: "any server with OpenAI's protocol",
    detail: 'Asks for an address and the name of a model. Set its key first, if it needs one: "Set a Model\'s Key…".',
  };
  const itemsWithoutKey = withoutKey.map((choice): ProposerItem => {
    const { label, detail } = describeProposer(choice, 'Has no key yet: choose it to set one.');
    return { choice, needsKeyFor: choice.host, label: `$(key) ${label}`, description: choice.where, detail };
  });
  const itemsWithoutComponent = withoutComponent.map((choice): ProposerItem => {
    const missingText = 'Needs a library that is not installed: choose it to see what would be fetched.';
    const { label, detail } = describeProposer(choice, missingText);
    const { component, where } = choice;
    return { choice, component, label: `$(cloud-download) ${label}`, description: where, detail };
  });
  return [
    ...lastChosenItems,
    ...previousNameItems,
    ...nothingFoundItems,
    ...items.filter((item) => !isLast(item)),
    addressItem,
    ...itemsWithoutComponent,
    ...itemsWithoutKey,
  ];
}

/** The complete name of the chosen proposer. Asks for the missing part of the name; undefined if the person cancels. */
async function completeChosenName({ choice, previousName }: ProposerItem): Promise<string | undefined> {
  if (previousName !== undefined) return previousName;
  if (!choice) return askForAddress();
  const missingPart = findMissingPart(choice.name);
  if (!missingPart) return choice.name;
  if (missingPart.part === 'file') return askForFile(missingPart.kind);
  const model = await askForModelName(`The name of the model, as ${missingPart.kind} calls it.`);
  return model === undefined ? undefined : completeName(missingPart, model);
}

/**
 * Asks for the file of a model. Returns the proposer's name, such as `gguf:/path/of/file`; undefined if the person
 * cancels.
 */
export async function askForFile(kind: string): Promise<string | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({ title: TITLE, openLabel: 'Use Model', filters: { Models: [kind] } })) ?? [];
  return file && `${kind}:${file.fsPath}`;
}

/**
 * Asks for the address of a server and for its model. Returns `openai-compatible:MODEL@ADDRESS`; undefined if the
 * person cancels.
 */
export async function askForAddress(title = TITLE): Promise<string | undefined> {
  const url = await vscode.window.showInputBox({
    title,
    prompt: 'The address of the server. Outside of this machine it begins with https://.',
    value: 'http://127.0.0.1:8080/v1',
    validateInput: explainBadAddress,
  });
  const model =
    url === undefined ? undefined : await askForModelName('The name of the model, as the server calls it.', title);
  return model === undefined ? undefined : `openai-compatible:${model}@${url?.trim()}`;
}

async function askForModelName(prompt: string, title = TITLE): Promise<string | undefined> {
  const model = await vscode.window.showInputBox({ title, prompt });
  return model?.trim() || undefined;
}

async function openHelp({ extensionUri }: ClientContext): Promise<void> {
  await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.joinPath(extensionUri, 'docs', 'models.md'));
}
