// Answers that a capable writer gave to real questions (docs/benchmarks.md, "Real answers") are read as they were meant.

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
  readonly edits: readonly { file: string; search?: string; replace?: string; content?: string; append?: string }[];
}

const tasks = JSON.parse(readFileSync(new URL('tasks.json', FOLDER), 'utf8')) as readonly Task[];

test.each(tasks.filter(({ reply }) => reply))('$repository $id ($kind)', ({ id }) => {
  const text = readFileSync(new URL(`${id}.txt`, FOLDER), 'utf8');
  const read = readReply(text, true);
  if ('refused' in read) throw new Error(read.refused);
  const { description, edits } = JSON.parse(text) as Answer;
  expect(read).toMatchObject({ format: 'json', description });
  const written = read.edits.map((edit) =>
    edit.kind === 'replace'
      ? [edit.file, edit.search, edit.replace]
      : edit.kind === 'append'
        ? [edit.file, edit.text]
        : [edit.file, edit.content],
  );
  expect(written).toEqual(
    edits.map((edit) =>
      edit.search === undefined ? [edit.file, edit.append ?? edit.content] : [edit.file, edit.search, edit.replace],
    ),
  );
});
