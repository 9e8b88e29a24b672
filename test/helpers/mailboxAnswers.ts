// Answers the questions in a mailbox, the folder of a proposer `mailbox:FOLDER`, as a test determines.

import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A question in the mailbox. */
export interface MailboxQuestion {
  readonly task: { readonly kind: string };
  /** The last message. */
  readonly text: string;
}

/** The answering that is in progress. */
export interface MailboxAnswers {
  /** The questions so far. */
  readonly asked: MailboxQuestion[];
  /** Stops answering, after the answer that is being written. */
  stop(): Promise<void>;
}

/**
 * Answers questions until `stop` is called. `answer` returns the edits of an answer, in the form of a model's answer.
 */
export async function answerMailbox(
  folder: string,
  answer: (question: MailboxQuestion) => readonly object[],
): Promise<MailboxAnswers> {
  await mkdir(join(folder, 'replies'), { recursive: true });
  const questions: MailboxQuestion[] = [];
  let isOver = false;
  const done = new Set<string>();
  const answerLoop = (async () => {
    for (; !isOver; await sleep(50))
      for (const name of await readdir(join(folder, 'requests')).catch((): string[] => [])) {
        if (done.has(name) || !name.endsWith('.json')) continue;
        done.add(name);
        const { task, messages } = JSON.parse(await readFile(join(folder, 'requests', name), 'utf8'));
        const question = { task, text: messages.at(-1).content as string };
        questions.push(question);
        const text = JSON.stringify({ description: 'An answer', edits: answer(question) });
        await writeFile(join(folder, 'replies', `${name}.part`), JSON.stringify({ text }));
        await rename(join(folder, 'replies', `${name}.part`), join(folder, 'replies', name));
      }
  })();
  return {
    asked: questions,
    async stop() {
      isOver = true;
      await answerLoop;
    },
  };
}
