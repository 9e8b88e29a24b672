// Asks by means of a folder with questions and answers, for machines without a network, for other programs, and for
// people. A question is `requests/ID.json`; its answer is `replies/ID.json` ({text, model?, usage?}) or
// `replies/ID.txt`. The id is a hash of the question, so that a folder with stored answers answers the same questions
// again.

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import type { Proposer, ProposerReply, ProposerRequest, Usage } from '../../core/ports/proposers.ts';
import type { MailboxAction } from './proposerNames.ts';
import { readReplyFile } from './replyFile.ts';

/** Milliseconds between two checks whether the answer has come. */
const POLL_MS = 250;

/** A mailbox, and its action for a question without an answer. */
export interface MailboxOptions {
  readonly name: string;
  readonly folder: string;
  /** The root of the repository; the folder must not be in it. */
  readonly rootDir: string;
  readonly unanswered: MailboxAction;
}

/**
 * Creates the proposer. Throws `usage` for a folder in the repository. `ask` throws `unavailable` if it does not wait
 * and there is no answer, or if the answer is invalid; `timedOut` after the deadline; and `cancelled`.
 */
export function createMailbox({ name, folder: folderName, rootDir, unanswered }: MailboxOptions): Proposer {
  const folder = resolve(folderName);
  const relativeFolder = relative(rootDir, folder);
  if (!isAbsolute(relativeFolder) && relativeFolder.split(/[\\/]/)[0] !== '..')
    throw new SelfwareError(
      'usage',
      `${folderName} lies in the repository, where Selfware writes nothing of its own.`,
      {
        action: 'Name a folder outside of it.',
      },
    );
  return {
    name,
    destination: null,
    ...(unanswered === 'leave'
      ? {
          fileQuestion: async (request) => {
            if (await readReply(folder, request.id)) return null;
            await writeRequest(folder, request);
            return join(folderName, formatRequestPath(request.id));
          },
        }
      : {}),
    async ask(request, signal, onText) {
      const earlierReply = await readReply(folder, request.id);
      if (earlierReply) return earlierReply;
      if (unanswered !== 'wait')
        throw new SelfwareError('unavailable', `${folderName} holds no answer to this question (${request.id}).`, {
          action: 'Record one with --proposer mailbox:FOLDER.',
        });
      await writeRequest(folder, request);
      for (;;) {
        const reply = await readReply(folder, request.id);
        if (reply) {
          onText(reply.text.length);
          return reply;
        }
        if (Date.now() >= request.deadline)
          throw new SelfwareError('timedOut', `No answer came to ${join(folderName, 'replies')}.`, {
            action: `Answer the question ${request.id} there and try again, or raise ${request.deadlineBudget ?? 'models.answerSeconds'}.`,
          });
        await pause(POLL_MS, undefined, { signal }).catch(() => throwIfCancelled(signal));
      }
    },
  };
}

async function writeRequest(
  folder: string,
  { id, task, messages, schema, maxTokens, deadline }: ProposerRequest,
): Promise<void> {
  await mkdir(join(folder, 'requests'), { recursive: true });
  await mkdir(join(folder, 'replies'), { recursive: true });
  const question = { id, task, messages, format: schema === undefined ? 'text' : 'json', maxTokens, deadline };
  const temporary = join(folder, 'requests', `.${id}.tmp`);
  await writeFile(temporary, `${JSON.stringify(question, null, 2)}\n`);
  await rename(temporary, join(folder, formatRequestPath(id)));
}

function formatRequestPath(id: string): string {
  return join('requests', `${id}.json`);
}

/**
 * The reply to the question with this id; null if there is none yet. Throws `unavailable` for an invalid reply, whose
 * file stays in place.
 */
async function readReply(folder: string, id: string): Promise<ProposerReply | null> {
  const json = await readReplyFile(join(folder, 'replies', `${id}.json`));
  if (json !== null) return parseReply(json, `replies/${id}.json`);
  const text = await readReplyFile(join(folder, 'replies', `${id}.txt`));
  return text === null ? null : { text, finished: true, model: null, usage: null };
}

function parseReply(json: string, file: string): ProposerReply {
  const value = parseObject(json);
  const { text, model, usage, finished } = value ?? {};
  if (typeof text !== 'string')
    throw new SelfwareError('unavailable', `${file} is no reply: it needs an object with a text.`, {
      action: 'Correct the file and try again.',
    });
  return {
    text,
    finished: finished !== false,
    model: typeof model === 'string' ? model.slice(0, 200) : null,
    usage: parseUsage(usage),
  };
}

function parseObject(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

function parseUsage(value: unknown): Usage | null {
  if (typeof value !== 'object' || value === null) return null;
  const { input, output, cached = 0 } = value as Readonly<Record<string, unknown>>;
  const counts = [input, output, cached];
  if (!counts.every((count) => Number.isSafeInteger(count) && (count as number) >= 0)) return null;
  return { input: input as number, output: output as number, cached: cached as number, estimated: false };
}
