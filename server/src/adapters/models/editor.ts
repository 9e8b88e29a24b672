// Provides the language models of the editor as proposers. Editors report neither tokens nor the reason why an answer
// ended: tokens are estimated, and an answer that exceeds its limit counts as cut off.

import type { EditorModels } from '../../core/ports/editorModels.ts';
import type {
  AvailableProposer,
  Message,
  Proposer,
  ProposerReply,
  ProposerRequest,
} from '../../core/ports/proposers.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { watchAnswer, type AnswerWatch, type TokenLimit } from './answerLimits.ts';

/** A model of the editor, and the name of its proposer. */
export interface EditorOptions {
  readonly name: string;
  readonly vendor: string;
  readonly id: string;
  readonly models: EditorModels;
}

/**
 * The share of a model's limit of tokens that a question may use. It is less than 1 because tokens are only estimated.
 */
const USED_SHARE = 0.85;
/** The limit on answers. Editors are not told the maximum, so a longer answer is ended here. */
const TOKEN_LIMIT: TokenLimit = { computeAllowed: (maxTokens) => maxTokens, tellsProvider: false };

/** Creates the proposer for one model of the editor. */
export function createEditorProposer({ name, vendor, id, models }: EditorOptions): Proposer {
  return {
    name,
    destination: describeDestination(vendor),
    async maxQuestionTokens(signal) {
      const editorModel = (await models.list(signal)).find((model) => model.vendor === vendor && model.id === id);
      return editorModel ? Math.floor(editorModel.mostTokens * USED_SHARE) : null;
    },
    ask: (request, signal, onText) =>
      watchAnswer(
        { name, isLocal: false },
        request,
        signal,
        onText,
        (watch) => askEditor({ name, vendor, id, models }, request, watch),
        TOKEN_LIMIT,
      ),
  };
}

/**
 * The models that the editor offers now. If it offers none, a single unavailable entry with the reason. Throws
 * `cancelled`.
 */
export async function listEditorProposers(
  models: EditorModels,
  signal: AbortSignal,
): Promise<readonly AvailableProposer[]> {
  try {
    return (await models.list(signal)).map(({ vendor, id, title }) => ({
      name: `editor:${vendor}/${id}`,
      title,
      destination: describeDestination(vendor),
      available: true,
      why: 'A model of this editor.',
      onlyInEditor: true,
    }));
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    return [{ name: 'editor:VENDOR/MODEL', destination: null, available: false, why: error.message }];
  }
}

/** The destination of a question, for a person. Only the editor knows the host, so it is named by the vendor. */
function describeDestination(vendor: string): string {
  return `the provider of the model, ${vendor}`;
}

async function askEditor(
  { vendor, id, models }: EditorOptions,
  { messages }: ProposerRequest,
  watch: AnswerWatch,
): Promise<ProposerReply> {
  watch.model = `${vendor}/${id}`;
  await models.ask({ vendor, id, messages: messages.map(replaceSystemRole) }, watch.signal, watch.onPiece);
  // Some editors end a cancelled answer as if it were complete.
  throwIfCancelled(watch.signal);
  return { text: watch.text, finished: true, model: watch.model, usage: null };
}

/** The message without the role `system`, which editors do not have: such a text becomes a message of the person. */
function replaceSystemRole({ role, content }: Message): {
  readonly role: 'user' | 'assistant';
  readonly content: string;
} {
  return { role: role === 'assistant' ? role : 'user', content };
}
