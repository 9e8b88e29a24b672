// Answers that a capable writer gave to real questions (docs/benchmarks.md, "Real answers") are read as they were
// meant. Only those that quote no code of their repositories are kept.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readReply } from '../../../../server/src/core/proposers/reply/read.ts';

const FOLDER = new URL('../../../fixtures/answers/', import.meta.url);

interface Task {
  readonly id: string;
  readonly repository: string;
  readonly kind: string;
  readonly reply: boolean;
}

interface Answer {
  readonly description: string;
  readonly edits: readonly { readonly file: string; readonly content?: string; readonly append?: string }[];
}

const tasks = JSON.parse(readFileSync(new URL('tasks.json', FOLDER), 'utf8')) as readonly Task[];

test.each(tasks.filter(({ reply }) => reply))('$repository $id ($kind)', ({ id }) => {
  const text = readFileSync(new URL(`${id}.txt`, FOLDER), 'utf8');
  const read = readReply(text, true);
  if ('refused' in read) throw new Error(read.refused);
  const { description, edits } = JSON.parse(text) as Answer;
  expect(read).toMatchObject({ format: 'json', description });
  const written = read.edits.map((edit) => [
    edit.file,
    edit.kind === 'append' ? edit.text : 'content' in edit && edit.content,
  ]);
  expect(written).toEqual(edits.map(({ file, append, content }) => [file, append ?? content]));
});
