// Runs the action that a person chooses for a waiting request or task: continue it, correct it, write its acceptance
// test, or drop it.

import * as vscode from 'vscode';
import type { WaitingTask, RequestState } from '#protocol/requests';
import type { CommandOutcome } from '#protocol/review';
import type { SidebarState } from '#protocol/state';
import type { ClientContext } from '../context.ts';
import { folderOfSidebar } from '../folders.ts';
import { showFailure, showMessage } from '../messages.ts';
import { improveWithModel, askModel } from '../models/improveWithModel.ts';
import { recallLastProposer } from '../models/pickProposer.ts';
import { decideTest, languageIdOf } from '../nights/acceptance.ts';
import { addRequest, continueRequest } from './askForChange.ts';
import { askForWords } from './askForWords.ts';
import { parseRepositoryPath } from './pathInRepository.ts';
import { renderTemplate, suggestTestPath } from './testTemplate.ts';
import {
  listCorrections,
  DROP_EXPLANATION,
  createEntryItem,
  shortenToFirstLine,
  listEntries,
  listRequestChoices,
  type CorrectionChoice,
  type RequestEntry,
  type RequestAction,
} from './requestText.ts';
import { beginWriting, closeStoredText, writeInEditor } from './writeInEditor.ts';

const TITLE = 'Requests';

/** The ids of the request or task, and the action. The person is asked for whatever is missing. */
export interface RequestArguments {
  readonly request?: string | undefined;
  readonly task?: string | undefined;
  readonly action?: string | undefined;
}

/** Runs an action on a waiting request or task. Undefined if the person cancels. */
export async function handleRequest(
  context: ClientContext,
  { request: requestId, task: taskId, action }: RequestArguments,
): Promise<unknown> {
  const state = await context.feed.refresh();
  const { requests, waitingTasks } = await listAllWaiting(context, state, requestId ?? taskId);
  const request = requests.find(({ id }) => id === requestId);
  const task = waitingTasks.find((candidate) => candidate.task === taskId);
  if ((requestId !== undefined && !request) || (taskId !== undefined && !task))
    return showMessage('It no longer waits.');
  const entry = request ? { request } : task ? { task } : await pickEntry(listEntries({ requests, waitingTasks }));
  if (!entry) return undefined;
  if ('task' in entry)
    return action === 'retry' || action === 'drop'
      ? correctRequest(context, entry, action)
      : askForCorrection(context, entry);
  const chosenAction = (action as RequestAction | undefined) ?? (await pickAction(entry.request));
  return chosenAction && runAction(context, entry.request, chosenAction);
}

/**
 * All requests and tasks that wait. The state of the sidebar has only some of them; that suffices if `id` is among
 * these, otherwise the server is asked for all.
 */
async function listAllWaiting(
  { server }: ClientContext,
  { requests = [], waitingTasks = [] }: Pick<SidebarState, 'requests' | 'waitingTasks'>,
  id?: string,
): Promise<{ readonly requests: readonly RequestState[]; readonly waitingTasks: readonly WaitingTask[] }> {
  if (requests.some((request) => request.id === id) || waitingTasks.some(({ task }) => task === id))
    return { requests, waitingTasks };
  const wishes = await server.execute('wishes');
  const listedIds = new Set(requests.map((request) => request.id));
  return {
    requests: [...requests, ...(wishes.wishes ?? []).filter((request) => !listedIds.has(request.id))],
    waitingTasks: wishes.waitingTasks ?? waitingTasks,
  };
}

/**
 * The entry that the person picks; a single one is returned without asking. Undefined if there is none or they cancel.
 */
async function pickEntry(entries: readonly RequestEntry[]): Promise<RequestEntry | undefined> {
  if (entries.length === 0) return void showMessage('No request waits. "Selfware: Ask for a Change…" makes one.');
  if (entries.length === 1) return entries[0];
  const placeHolder = 'Requests in words, and tasks of models that wait for you';
  return (await vscode.window.showQuickPick(entries.map(createEntryItem), { title: TITLE, placeHolder }))?.value;
}

/** The action that the person picks; undefined if none is possible now or they cancel. */
async function pickAction(request: RequestState): Promise<RequestAction | undefined> {
  const choices = listRequestChoices(request);
  if (choices.length === 0)
    return void showMessage('A model or agent is asked about it now. The notification of that has a Cancel button.');
  return (await vscode.window.showQuickPick(choices, { title: TITLE, placeHolder: shortenToFirstLine(request.words) }))
    ?.value;
}

/** Runs an action on a request. */
async function runAction(context: ClientContext, request: RequestState, action: RequestAction): Promise<unknown> {
  switch (action) {
    case 'goOn':
      return continueRequest(context, request);
    case 'goOnWithout': {
      const outcome = await decideTest(context, { wish: request.id });
      return outcome?.ok ? continueRequest(context, { ...request, test: 'none' }) : undefined;
    }
    case 'writeTest':
      return writeTest(context, request);
    case 'otherTest':
      return continueRequest(context, request, { asksForOtherTest: true });
    case 'retry':
      return continueRequest(context, request, { again: true });
    case 'correct':
      return askForCorrection(context, { request });
    case 'drop':
      return dropRequest(context, { request });
  }
}

/** Asks how to correct the entry, and does it. */
async function askForCorrection(context: ClientContext, entry: RequestEntry): Promise<unknown> {
  const failedAttempts = 'task' in entry ? entry.task : entry.request.failed;
  const hasWords = 'request' in entry || (entry.task.retry !== null && 'words' in entry.task.retry);
  const choices = listCorrections(failedAttempts ?? { corrections: [] }, { hasWords, hasTest: 'request' in entry });
  const choice = await vscode.window.showQuickPick(choices, {
    title: `Correct: ${'task' in entry ? entry.task.name : shortenToFirstLine(entry.request.words)}`,
    placeHolder: failedAttempts?.learned.join(' ') ?? 'What should be different?',
  });
  return choice && correctRequest(context, entry, choice.value);
}

/** Corrects a request or a task in the chosen way, and usually asks a model again. */
async function correctRequest(
  context: ClientContext,
  entry: RequestEntry,
  correction: CorrectionChoice,
): Promise<unknown> {
  switch (correction) {
    case 'rule':
      return addRule(context, entry);
    case 'words':
      return rephraseRequest(context, entry);
    case 'otherTest':
      return 'request' in entry
        ? continueRequest(context, entry.request, { asksForOtherTest: true, again: true })
        : undefined;
    case 'otherProposer':
      return 'request' in entry
        ? continueRequest(context, entry.request, { choosesProposer: true, again: true })
        : retryTask(context, entry.task, true);
    case 'retry':
      return 'request' in entry
        ? continueRequest(context, entry.request, { again: true })
        : retryTask(context, entry.task);
    case 'drop':
      return dropRequest(context, entry);
  }
}

/** Asks for a rule that every later question to a model includes, stores it, and offers to try the entry again. */
async function addRule(context: ClientContext, entry: RequestEntry): Promise<unknown> {
  const text = await vscode.window.showInputBox({
    title: 'Add a Rule',
    prompt: 'One or two sentences that every later question about this repository will include.',
    placeHolder: 'For example: Round amounts with roundHalfUp of src/money.ts, never with Math.round.',
    ignoreFocusOut: true,
    validateInput: (typed) => (typed.trim() === '' ? 'Write a rule, or press Escape.' : null),
  });
  if (text === undefined) return undefined;
  const outcome = await context.server.execute('writeRule', { text: text.trim() });
  await context.feed.refresh();
  if (!outcome.ok) return showFailure(outcome, context.output);
  const againLabel = 'Try Again';
  return (await showMessage(outcome.message, againLabel)) === againLabel
    ? correctRequest(context, entry, 'retry')
    : undefined;
}

/** Asks for new words, files them as a request that replaces the entry, and continues it. */
async function rephraseRequest(context: ClientContext, entry: RequestEntry): Promise<unknown> {
  const wordsBefore =
    'request' in entry
      ? entry.request.words
      : entry.task.retry && 'words' in entry.task.retry
        ? entry.task.retry.words
        : '';
  const answer = await askForWords('Say It in Other Words', recallLastProposer(context) ?? null, wordsBefore);
  if (answer === undefined) return undefined;
  if (answer === 'otherProposer') return correctRequest(context, entry, 'otherProposer');
  const request = answer.words === wordsBefore ? null : await addRequest(context, answer.words);
  if (request === undefined) return undefined;
  await answer.close?.();
  if (request === null) return correctRequest(context, entry, 'retry');
  await withdrawRequest(context, entry);
  return continueRequest(context, request);
}

/** Asks a model for the task again; `choosesProposer`: true to ask the person for the model first. */
async function retryTask(
  context: ClientContext,
  task: WaitingTask,
  choosesProposer = false,
): Promise<CommandOutcome | undefined> {
  const { retry: params } = task;
  if (params === null)
    return void showMessage(`${task.name} cannot be asked from here: run the command that asked for it.`);
  const folder = folderOfSidebar(context.feed);
  const taskParams =
    'tests' in params && folder ? { tests: vscode.Uri.joinPath(folder, params.tests).toString() } : params;
  const proposer = choosesProposer ? undefined : recallLastProposer(context);
  return proposer === undefined
    ? improveWithModel(context, undefined, { ...taskParams, again: true })
    : askModel(context, { proposer, ...taskParams, again: true });
}

/**
 * Lets the person write the acceptance test. Runs it after each edit, until it fails as it should; then continues the
 * request.
 */
async function writeTest(context: ClientContext, request: RequestState): Promise<CommandOutcome | undefined> {
  const folder = folderOfSidebar(context.feed);
  if (!folder) return undefined;
  const typedPath = await vscode.window.showInputBox({
    title: 'Write a Test',
    prompt: 'The file of the test, new or existing, as a path in this repository. It is written with the change.',
    value: await suggestTestPath(folder),
    ignoreFocusOut: true,
    validateInput: (typed) => (parseRepositoryPath(typed) === null ? 'Type a path in this repository.' : null),
  });
  const path = parseRepositoryPath(typedPath ?? '');
  if (path === null) return undefined;
  const uri = vscode.Uri.joinPath(folder, path);
  const textBefore = await readTextInEditor(uri);
  const explainConflict = async () =>
    textBefore === null && (await fileExists(uri))
      ? `You have saved ${path}, but Selfware writes that file itself. Delete it; your text is kept.`
      : null;
  const writing = await beginWriting(textBefore ?? renderTemplate(path, request.words), languageIdOf(path));
  for (;;) {
    const text = await writeInEditor(writing, 'Write a test that fails today, then choose Done.', explainConflict);
    if (text === undefined) return undefined;
    const outcome = await decideTest(context, { wish: request.id, texts: [{ path, before: textBefore, after: text }] });
    if (outcome?.ok) {
      await closeStoredText(writing, text);
      return continueRequest(context, { ...request, test: 'accepted' });
    }
    const editLabel = 'Edit';
    if (!outcome || (await showMessage(outcome.message, editLabel)) !== editLabel) return undefined;
  }
}

/** The text of a file in the editor, unsaved edits included; null if the file does not exist. */
async function readTextInEditor(uri: vscode.Uri): Promise<string | null> {
  return (await fileExists(uri)) ? (await vscode.workspace.openTextDocument(uri)).getText() : null;
}

async function fileExists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

/** Drops the entry once the person has confirmed. */
async function dropRequest(context: ClientContext, entry: RequestEntry): Promise<CommandOutcome | undefined> {
  const dropLabel = 'Drop';
  const entryName = 'task' in entry ? entry.task.name : `the request “${shortenToFirstLine(entry.request.words)}”`;
  const detail =
    'task' in entry
      ? 'It no longer waits for you. It is listed again if a model or agent is asked about it and fails.'
      : `${DROP_EXPLANATION} Your files stay as they are.`;
  if ((await vscode.window.showWarningMessage(`Drop ${entryName}?`, { modal: true, detail }, dropLabel)) !== dropLabel)
    return undefined;
  const outcome = await withdrawRequest(context, entry);
  if (outcome.ok) vscode.window.setStatusBarMessage('Selfware: dropped.', 8000);
  else showFailure(outcome, context.output);
  return outcome;
}

/** Removes the entry from the list of waiting ones, without asking the person. */
async function withdrawRequest({ server, feed }: ClientContext, entry: RequestEntry): Promise<CommandOutcome> {
  const task = 'task' in entry ? entry.task.task : entry.request.failed?.task;
  const outcome =
    'task' in entry
      ? await server.execute('dropTask', { task })
      : await server.execute('wishes', { drop: entry.request.id });
  // Otherwise the failed attempts at the request would be listed as a separate task.
  if ('request' in entry && task !== undefined && outcome.ok) await server.execute('dropTask', { task });
  await feed.refresh();
  return outcome;
}
