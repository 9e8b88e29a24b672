// Asks the language models of the editor by requests to the client. The client sends the pieces of an answer as
// notifications, and then answers the request with the number of characters that it has sent, so that a lost piece is
// noticed.

import { randomUUID } from 'node:crypto';
import { CancellationTokenSource, type Connection } from 'vscode-languageserver/node';
import { clientNotifications, clientRequests } from '#protocol/methods';
import type { EditorModelEnd, EditorModelFailure, EditorModelRow } from '#protocol/models';
import type { EditorModels } from '../core/ports/editorModels.ts';
import { SelfwareError, type ErrorReason } from '../util/typedError.ts';
import type { ClientAbilities } from './clientAbilities.ts';
import { isObject } from './commands/commandArguments.ts';
import { rejectWhenAborted } from '../util/watchdog.ts';

/** The reason of the error, by the failure that the client reports. */
const REASON_BY_FAILURE: Readonly<Record<EditorModelFailure, ErrorReason>> = {
  off: 'forbidden',
  noPermission: 'forbidden',
  blocked: 'unavailable',
  notFound: 'unavailable',
  tooLong: 'unavailable',
  cancelled: 'cancelled',
  failed: 'unavailable',
};
/** The advice in the error, by the failure that the client reports. */
const ACTION_BY_FAILURE: Partial<Readonly<Record<EditorModelFailure, string>>> = {
  noPermission: 'Run the command again and allow it, or choose another model.',
  blocked: 'Wait a while, or choose another model.',
  notFound: 'Choose a model from the list.',
  tooLong: 'Choose a model with a larger context, or lower models.contextTokens.',
  failed: 'Try again, or choose another model.',
};

/** Creates the access to the editor's models; undefined if the client does not answer such requests. */
export function createEditorModels(
  connection: Connection,
  { canAskModels }: Pick<ClientAbilities, 'canAskModels'>,
): EditorModels | undefined {
  if (!canAskModels) return undefined;
  const listeners = new Map<string, (piece: string) => void>();
  connection.onNotification(clientNotifications.modelText, (message: unknown) => {
    if (isObject(message) && typeof message['text'] === 'string')
      listeners.get(String(message['question']))?.(message['text']);
  });
  return {
    async list(signal) {
      const answer = await askClient(connection, clientRequests.models, {}, signal);
      if (isObject(answer) && typeof answer['off'] === 'string') throw new SelfwareError('forbidden', answer['off']);
      const models = isObject(answer) && Array.isArray(answer['models']) ? answer['models'] : [];
      return models.filter(isModelRow);
    },
    async ask({ vendor, id, messages }, signal, onPiece) {
      const questionId = randomUUID();
      let characters = 0;
      let listenerError: unknown = null;
      const abortOnListenerError = new AbortController();
      listeners.set(questionId, (piece) => {
        characters += piece.length;
        try {
          onPiece(piece);
        } catch (error) {
          listenerError ??= error;
          abortOnListenerError.abort();
        }
      });
      try {
        const stopSignal = AbortSignal.any([signal, abortOnListenerError.signal]);
        const answerEnd = parseEnd(
          await askClient(
            connection,
            clientRequests.askModel,
            { question: questionId, vendor, id, messages },
            stopSignal,
          ),
        );
        if (answerEnd.failed) throw createFailureError(answerEnd.failed);
        if (answerEnd.characters !== characters)
          throw createNoAnswerError(new Error(`${answerEnd.characters} characters, ${characters} came`));
      } catch (error) {
        throw listenerError ?? error;
      } finally {
        listeners.delete(questionId);
      }
    },
  };
}

/**
 * The client's answer to a request. Rejects as soon as the signal is aborted, without waiting for the client, and with
 * `unavailable` if the request fails.
 */
async function askClient(
  connection: Connection,
  method: string,
  params: object,
  signal: AbortSignal,
): Promise<unknown> {
  const source = new CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const answer = signal.aborted
      ? Promise.resolve(null)
      : connection.sendRequest<unknown>(method, params, source.token);
    return await rejectWhenAborted(answer, signal);
  } catch (error) {
    throw error instanceof SelfwareError ? error : createNoAnswerError(error, method === clientRequests.askModel);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

function createFailureError({ reason, message }: NonNullable<EditorModelEnd['failed']>): SelfwareError {
  const action = ACTION_BY_FAILURE[reason];
  return new SelfwareError(REASON_BY_FAILURE[reason], message, action === undefined ? {} : { action });
}

/**
 * The error if the client has not answered as agreed. `isCharged`: true if the question may have been sent to the
 * model, and so may cost money.
 */
function createNoAnswerError(cause: unknown, isCharged = true): SelfwareError {
  return new SelfwareError('unavailable', 'The editor did not answer a question about or to its models.', {
    action: 'Try again, or choose another model.',
    retry: { afterMs: null, isCharged },
    cause,
  });
}

/**
 * Parses the end of an answer. Throws `unavailable` if it has no number of characters; an unknown reason becomes
 * `failed`.
 */
function parseEnd(message: unknown): EditorModelEnd {
  if (!isObject(message) || typeof message['characters'] !== 'number')
    throw createNoAnswerError(new Error('no number of characters'));
  const { characters, failed } = message;
  if (!isObject(failed)) return { characters, failed: null };
  const reason =
    typeof failed['reason'] === 'string' && Object.hasOwn(REASON_BY_FAILURE, failed['reason'])
      ? failed['reason']
      : 'failed';
  return {
    characters,
    failed: { reason: reason as EditorModelFailure, message: String(failed['message']).slice(0, 500) },
  };
}

/**
 * True for a well-formed model of the client. Its vendor has no slash, because names have the form `editor:VENDOR/ID`.
 */
function isModelRow(row: unknown): row is EditorModelRow {
  return (
    isObject(row) &&
    typeof row['vendor'] === 'string' &&
    row['vendor'] !== '' &&
    !row['vendor'].includes('/') &&
    typeof row['id'] === 'string' &&
    row['id'] !== '' &&
    typeof row['title'] === 'string' &&
    typeof row['mostTokens'] === 'number'
  );
}
