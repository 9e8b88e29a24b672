// Plays the other end of a mailbox: answers each question of a proposer `mailbox:FOLDER` as a test says.

import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface MailboxQuestion {
  readonly task: { readonly kind: string };
  /** The last message. */
  readonly text: string;
}

export interface MailboxAnswers {
  /** What was asked so far. */
  readonly asked: MailboxQuestion[];
  stop(): Promise<void>;
}

/** Answers each question until `stop`. `answer` returns the edits of an answer, as a model writes them. */
export async function answerMailbox(
  folder: string,
  answer: (question: MailboxQuestion) => readonly object[],
): Promise<MailboxAnswers> {
  await mkdir(join(folder, 'replies'), { recursive: true });
  const asked: MailboxQuestion[] = [];
  let isOver = false;
  const done = new Set<string>();
  const answering = (async () => {
    for (; !isOver; await sleep(50))
      for (const name of await readdir(join(folder, 'requests')).catch((): string[] => [])) {
        if (done.has(name) || !name.endsWith('.json')) continue;
        done.add(name);
        const { task, messages } = JSON.parse(await readFile(join(folder, 'requests', name), 'utf8'));
        const question = { task, text: messages.at(-1).content as string };
        asked.push(question);
        const text = JSON.stringify({ description: 'An answer', edits: answer(question) });
        await writeFile(join(folder, 'replies', `${name}.part`), JSON.stringify({ text }));
        await rename(join(folder, 'replies', `${name}.part`), join(folder, 'replies', name));
      }
  })();
  return {
    asked,
    async stop() {
      isOver = true;
      await answering;
    },
  };
}
