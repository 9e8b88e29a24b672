// The editor of a person, as a program that may be missing.

import { afterEach, expect, test } from 'vitest';
import { editText } from '../../server/src/cli/editText.ts';

const { VISUAL, EDITOR } = process.env;
afterEach(() => {
  for (const [name, value] of Object.entries({ VISUAL, EDITOR }))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
});

test.each([
  ['is not there', 'no-such-editor', 'ended with the code 127'],
  // The system refuses to start a program with so long an argument.
  ['cannot be started', `true ${'x'.repeat(200_000)}`, 'cannot be started'],
])('an editor that %s is unavailable', async (_, editor, words) => {
  process.env['VISUAL'] = editor;
  await expect(editText('a.ts', 'text')).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining(words),
    action: expect.stringContaining('EDITOR'),
  });
});

test('the text is what the editor leaves', async () => {
  process.env['VISUAL'] = 'printf more >>';
  expect(await editText('a.ts', 'text and ')).toBe('text and more');
});
