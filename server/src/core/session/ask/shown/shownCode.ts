// Identifies by hashes the code that a question has shown to the author of a proposal.

import { sha256 } from '../../../../util/hash.ts';
import type { ShownCode, ShownFileHash } from '../../../model/asks.ts';
import type { PromptContent } from '../../../proposers/prompt.ts';
import type { SessionContext } from '../../context.ts';
import { readTextOrNull } from '../../search/packing.ts';
import { readAskEvents } from '../pastAttempts.ts';
import { prepareTextToSend } from '../taskText.ts';

/**
 * The files of a question, with the hashes of the texts that are sent. `isPart`: true if the text is not the complete
 * file.
 */
export async function hashShownFiles(
  context: SessionContext,
  { files }: Pick<PromptContent, 'files'>,
): Promise<readonly ShownFileHash[]> {
  return Promise.all(
    files.map(async ({ path, text }) => {
      const textToSend = prepareTextToSend(text);
      const isWhole = textToSend === (await readTextOrNull(context, path));
      return { path, hash: sha256(textToSend), ...(isWhole ? {} : { isPart: true as const }) };
    }),
  );
}

/**
 * The hashes of the code in the question whose answer became the proposal; null if there was no question, or if its
 * record has no hash.
 */
export async function findShownCode(context: SessionContext, proposalId: string): Promise<ShownCode | null> {
  const events = await readAskEvents(context);
  const askId = events.find(({ answered }) => answered?.proposal === proposalId)?.answered?.ask;
  const question = events.find(({ asked }) => asked !== undefined && asked.ask === askId)?.asked;
  return question?.shown === undefined ? null : { messages: question.shown, files: question.files ?? [] };
}
