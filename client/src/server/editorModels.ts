// Answers the server's requests to the language models of this window (VS Code's Language Model API). The API works
// even if AI features are switched off, so this file checks that setting.

import * as vscode from 'vscode';
import type {
  EditorModelEnd,
  EditorModelFailure,
  EditorModelList,
  EditorModelQuestion,
  EditorModelText,
} from '#protocol/models';

/** The failure for each error code of VS Code (`LanguageModelError`). */
const FAILURE_BY_CODE: Readonly<Record<string, EditorModelFailure>> = {
  NoPermissions: 'noPermission',
  Blocked: 'blocked',
  NotFound: 'notFound',
};

/** Access to the language models of this window. */
export interface WindowModels {
  /** The models of the window, or the reason why none may be asked. */
  list(): Promise<EditorModelList>;
  /**
   * Asks a model. Resolves with the number of sent characters and the failure, if any. Ends when the token is
   * cancelled, even if the provider continues.
   */
  ask(question: EditorModelQuestion, token: vscode.CancellationToken): Promise<EditorModelEnd>;
}

/**
 * Creates the access to the models. `sendText` sends a piece of an answer to the server; each piece is awaited before
 * the next one, to keep their order.
 */
export function createEditorModels(sendText: (piece: EditorModelText) => Promise<void>): WindowModels {
  return {
    async list() {
      const unavailableReason = explainUnavailability();
      if (unavailableReason !== null) return { models: [], off: unavailableReason };
      const models = await vscode.lm.selectChatModels();
      return {
        models: models.map(({ vendor, id, name, maxInputTokens }) => ({
          vendor,
          id,
          title: name,
          mostTokens: maxInputTokens,
        })),
        off: null,
      };
    },
    async ask(question, token) {
      let characters = 0;
      const onText = async (text: string) => {
        if (token.isCancellationRequested) return;
        characters += text.length;
        await sendText({ question: question.question, text });
      };
      const unavailableReason = explainUnavailability();
      const failure =
        unavailableReason === null
          ? await Promise.race([answerQuestion(question, token, onText), waitForCancellation(token)])
          : { reason: 'off' as const, message: unavailableReason };
      return { characters, failed: failure };
    },
  };
}

/** The reason why models may not be asked, as a sentence; null if they may be. */
function explainUnavailability(): string | null {
  if (!vscode.workspace.isTrusted) return 'This workspace is not trusted, so no model is asked about it.';
  if (vscode.workspace.getConfiguration('chat').get('disableAIFeatures') !== true) return null;
  return (
    'AI features are switched off in VS Code (chat.disableAIFeatures), so none of its models is asked. That does not concern ' +
    'Ollama, providers and agents: they are asked if you choose them.'
  );
}

/** Asks the model and passes each piece of the answer to `onText`. Null if it has answered; otherwise the failure. */
async function answerQuestion(
  { vendor, id, messages }: EditorModelQuestion,
  token: vscode.CancellationToken,
  onText: (text: string) => Promise<void>,
): Promise<EditorModelEnd['failed']> {
  try {
    const [model] = await vscode.lm.selectChatModels({ vendor, id });
    if (!model) return { reason: 'notFound', message: `VS Code has no model ${id} of ${vendor}.` };
    const chatMessages = messages.map(({ role, content }) =>
      role === 'assistant'
        ? vscode.LanguageModelChatMessage.Assistant(content)
        : vscode.LanguageModelChatMessage.User(content),
    );
    const tokenCounts = await Promise.all(chatMessages.map((message) => model.countTokens(message, token)));
    const tokens = tokenCounts.reduce((sum, count) => sum + count, 0);
    if (tokens > model.maxInputTokens) {
      const message = `The question has ${tokens} tokens, and ${model.name} reads at most ${model.maxInputTokens}.`;
      return { reason: 'tooLong', message };
    }
    const justification = 'Selfware asks for a change that you have requested.';
    const response = await model.sendRequest(chatMessages, { justification }, token);
    for await (const text of response.text) await onText(text);
    return null;
  } catch (error) {
    return describeFailure(error);
  }
}

/**
 * Resolves with a failure on cancellation, because some providers ignore a cancellation, and a cancelled answer looks
 * complete.
 */
function waitForCancellation(token: vscode.CancellationToken): Promise<EditorModelEnd['failed']> {
  const failure = { reason: 'cancelled', message: 'Cancelled.' } as const;
  if (token.isCancellationRequested) return Promise.resolve(failure);
  return new Promise((resolve) => {
    token.onCancellationRequested(() => resolve(failure));
  });
}

/** The failure for an error of the API: its kind, and a sentence for the person. */
function describeFailure(error: unknown): NonNullable<EditorModelEnd['failed']> {
  if (error instanceof vscode.CancellationError) return { reason: 'cancelled', message: 'Cancelled.' };
  const detail = error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 300) : String(error);
  const code = error instanceof vscode.LanguageModelError ? error.code : '';
  const reason = Object.hasOwn(FAILURE_BY_CODE, code) ? FAILURE_BY_CODE[code]! : 'failed';
  const sentenceStarts: Readonly<Record<string, string>> = {
    noPermission: 'VS Code does not let Selfware ask this model',
    blocked: 'The provider of the model refuses the question',
    notFound: 'VS Code no longer has this model',
  };
  return { reason, message: `${sentenceStarts[reason] ?? 'The model gave no answer'}: ${detail || 'no reason given'}` };
}
