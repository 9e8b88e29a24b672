// Sets up the embedding model, which turns code into vectors for the search: a folder that the person chooses, or a
// download.

import * as vscode from 'vscode';
import type { ClientContext } from '../context.ts';
import { describeError, showError, showFailure, showMessage } from '../messages.ts';
import { runOnce } from '../runOnce.ts';
import { withProgress } from '../server/withProgress.ts';
import { explainUnusableFolder, listSettingsForModel } from './modelFolder.ts';

const TITLE = 'Choose a Model for Embeddings';
const DOWNLOAD_LABEL = 'Download';
/** The Hugging Face name of the offered download: a small, widely used model of about 90 MB. */
const SMALL_MODEL = 'Xenova/all-MiniLM-L6-v2';

/**
 * Asks which model turns code into vectors, and writes it to the person's settings. Does nothing if the person cancels;
 * shows an error if the settings cannot be written.
 */
export async function chooseEmbeddingModel(context: ClientContext): Promise<void> {
  const downloadItem = {
    label: `Download ${SMALL_MODEL}…`,
    detail: 'About 90 MB from huggingface.co. You are asked first. None of your code is sent.',
  };
  const folderItem = { label: 'Choose a Folder…', detail: 'The folder of an ONNX feature-extraction model.' };
  const chosenItem = await vscode.window.showQuickPick([folderItem, downloadItem], {
    title: TITLE,
    placeHolder: 'Without a model, search keeps using the vectors that Selfware ships.',
  });
  if (chosenItem === undefined) return;
  const model = chosenItem === folderItem ? await chooseModelFolder(context) : await downloadModel(context);
  if (model === undefined) return;
  const configuration = vscode.workspace.getConfiguration('selfware');
  try {
    for (const [name, value] of listSettingsForModel(model, configuration.get('memory.embedder', 'static')))
      await configuration.update(name, value, vscode.ConfigurationTarget.Global);
  } catch (error) {
    showError(
      `The model is not set, because the settings could not be written: ${describeError(error)}`,
      context.output,
    );
    return;
  }
  void showMessage(`Search uses ${model}. The index is built again.`);
}

/**
 * The path of a folder that the person chooses. Undefined if they cancel, and, with an error message, if it holds no
 * model.
 */
async function chooseModelFolder(context: ClientContext): Promise<string | undefined> {
  const options = { title: TITLE, openLabel: 'Use Model', canSelectFiles: false, canSelectFolders: true };
  const [folder] = (await vscode.window.showOpenDialog(options)) ?? [];
  if (folder === undefined) return undefined;
  const onnxFolder = vscode.Uri.joinPath(folder, 'onnx');
  const problem = explainUnusableFolder(await listNames(folder), await listNames(onnxFolder));
  if (problem === null) return folder.fsPath;
  showError(problem, context.output);
  return undefined;
}

/** The names in a folder; empty if it cannot be read. */
async function listNames(folder: vscode.Uri): Promise<readonly string[]> {
  return vscode.workspace.fs.readDirectory(folder).then(
    (entries) => entries.map(([name]) => name),
    () => [],
  );
}

/**
 * Downloads the model after the person has agreed. Returns its name; undefined if they decline or the download fails.
 */
async function downloadModel(context: ClientContext): Promise<string | undefined> {
  const preview = await context.server.execute('installComponent', { model: SMALL_MODEL });
  if (preview.ok) return SMALL_MODEL;
  if (!preview.installation) {
    showFailure(preview, context.output);
    return undefined;
  }
  const { question, detail, packages } = preview.installation;
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, DOWNLOAD_LABEL);
  if (answer !== DOWNLOAD_LABEL) return undefined;
  const params = { model: SMALL_MODEL, agreed: packages };
  const outcome = await runOnce(`download ${SMALL_MODEL}`, () =>
    withProgress(context, `Downloading ${SMALL_MODEL}`, 'installComponent', params),
  );
  if (outcome && !outcome.ok) showFailure(outcome, context.output);
  return outcome?.ok ? SMALL_MODEL : undefined;
}
