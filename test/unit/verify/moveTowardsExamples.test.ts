// Inputs that show mistakes become like the inputs of the tests, as far as they still show the mistakes.

import { expect, test } from 'vitest';
import { moveTowardsExamples } from '../../../server/src/adapters/harness/distinguishing/moveTowardsExamples.ts';
import type { ValueSpec } from '../../../server/src/adapters/harness/messages.ts';

type Shows = (input: readonly ValueSpec[]) => boolean;

function moved(input: readonly ValueSpec[], examples: readonly (readonly string[])[], shows: Shows, tries = 100) {
  return moveTowardsExamples(input, examples, async (next) => shows(next), tries);
}

test('a text loses the changes that are not needed, and keeps the others', async () => {
  const shows: Shows = ([text]) => (text as string).includes(', *');
  expect(await moved([',* gzip; q=0, *'], [['gzip, deflate'], ['gzip; q=0, br']], shows)).toEqual({
    input: ['gzip; q=0, *'],
    movedTexts: ['gzip; q=0, *'],
  });
});

test('an argument of the tests is better than one that is only like it', async () => {
  const shows: Shows = ([text, sign]) => `${text}`.startsWith('a') && sign === '+';
  expect(
    await moved(
      ['a<b', '+'],
      [
        ['b', '-'],
        ['a', '-'],
      ],
      shows,
    ),
  ).toEqual({ input: ['a', '+'], movedTexts: ['+'] });
});

test('a long text is compared with none, because that takes time and memory', async () => {
  const long = 'one, two; '.repeat(1_000);
  expect(await moved([`${long}*`], [[long]], ([now]) => now !== long)).toEqual({ input: [`${long}*`], movedTexts: [] });
});

test('a text that is unlike all texts of the tests stays as it is', async () => {
  const text = 'one two three four';
  expect(await moved([text], [['1, 2, 3, 4, 5']], ([now]) => now === text)).toEqual({ input: [text], movedTexts: [] });
});

test('without examples, and after too many tries, the input stays as it is', async () => {
  expect(await moved(['a<b'], [], () => true)).toEqual({ input: ['a<b'], movedTexts: [] });
  expect((await moved(['a<b'], [['a'], ['b']], () => true, 0)).input).toEqual(['a<b']);
});

test('texts in lists and objects lose changes, too', async () => {
  const header = (text: string): ValueSpec => ({
    $: 'array',
    of: [{ $: 'record', fields: [['accept', text]] }],
  });
  const shows: Shows = ([value]) => JSON.stringify(value).includes('text/*;q');
  const examples = [[header('text/html;q=0.5')], [header('image/png')]];
  const result = await moveTowardsExamples(
    [header(',text/*;q=0')],
    examples as never,
    async (next) => shows(next),
    100,
  );
  expect(result).toEqual({ input: [header('text/*;q=0.5')], movedTexts: ['text/*;q=0.5'] });
});

test('other values than texts may become those of the tests', async () => {
  const list = (...of: ValueSpec[]): ValueSpec => ({ $: 'array', of });
  const known = list('a', 'b');
  const result = await moveTowardsExamples([list('a', '<')], [[known as never]], async () => true, 100);
  expect(result).toEqual({ input: [known], movedTexts: [] });
});
