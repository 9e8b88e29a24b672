// A text that a person writes survives what VS Code does with its document, and is answered once each time.

import { expect, test } from 'vitest';
import { createWriting } from '../../../client/src/requests/writing.ts';

function createDocument(uri: string, first: string) {
  let text = first;
  return {
    uri,
    isClosed: false,
    getText: () => text,
    change: (other: string) => void (text = other),
  };
}

/** Empties and closes an untitled document as VS Code does, and tells the writing of it. */
function close(writing: ReturnType<typeof begin>, document: Document, open: readonly Document[]) {
  document.change('');
  writing.noteChanged(document);
  document.isClosed = true;
  return writing.noteClosed(document, open);
}

type Document = ReturnType<typeof createDocument>;
const begin = (document: Document) => createWriting(document);
const untitled = (text: string) => createDocument('untitled:Untitled-1', text);

test('another language mode ends nothing, although VS Code reports the same document as closed', () => {
  const document = untitled('x');
  const writing = begin(document);
  expect(writing.noteClosed(document, [createDocument('file:///a.ts', 'x'), document])).toBe('moved');
  expect(writing.document).toBe(document);
});

test('a text that is saved goes on in its file, also where saving has changed white space', () => {
  const document = untitled('');
  const writing = begin(document);
  document.change('test("a", () => 1)  ');
  writing.noteChanged(document);
  const file = createDocument('file:///a.test.js', 'test("a", () => 1)\n');
  writing.noteSaved(file);
  writing.noteSaved(createDocument('file:///other.ts', 'other'));
  expect(close(writing, document, [file])).toBe('moved');
  expect(writing.document).toBe(file);
  expect(writing.text()).toBe('test("a", () => 1)\n');
  expect(writing.noteClosed(document, [file])).toBe('other');
  file.isClosed = true;
  expect(writing.noteClosed(file, [])).toBe('closed');
});

test('a file with the same text that nobody has saved is not the text, which is kept as it was', () => {
  const document = untitled('x');
  const writing = begin(document);
  expect(close(writing, document, [createDocument('file:///a.test.js', 'x')])).toBe('closed');
  expect(writing.text()).toBe('x');
});

test('each wait takes one answer; Done of an older notification stands for the wait of now', async () => {
  const writing = begin(untitled('x'));
  writing.answer(true);
  const first = writing.waitForAnswer();
  writing.answer(true);
  writing.answer(false);
  expect(await first).toBe(true);
  const second = writing.waitForAnswer();
  writing.answer(false);
  writing.answer(true);
  expect(await second).toBe(false);
});
