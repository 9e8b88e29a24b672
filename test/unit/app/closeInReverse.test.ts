// Everything that was opened is closed, in reverse order, whatever fails.

import { expect, test } from 'vitest';
import { withClosing } from '../../../server/src/app/nights/open/closeInReverse.ts';

/** Opens parts and works; each step that `fails` names throws its name. Returns the steps, and what was thrown. */
async function steps(...fails: readonly string[]): Promise<unknown> {
  const done: string[] = [];
  const step = (name: string) => {
    done.push(name);
    if (fails.includes(name)) throw name;
  };
  const end = await withClosing(async ({ add }) => {
    for (const part of ['a', 'b', 'c']) {
      step(part);
      add(async () => step(`-${part}`));
    }
    step('work');
    return 'result';
  }).catch((error: unknown) => `threw ${String(error)}`);
  return [done.join(' '), end];
}

test('parts are closed in reverse order, those that were opened and no others', async () => {
  expect(await steps()).toEqual(['a b c work -c -b -a', 'result']);
  expect(await steps('work')).toEqual(['a b c work -c -b -a', 'threw work']);
  expect(await steps('a')).toEqual(['a', 'threw a']);
  expect(await steps('c')).toEqual(['a b c -b -a', 'threw c']);
});

test('a part that cannot be closed keeps no other one open; the first error counts, that of the work before all', async () => {
  expect(await steps('-c')).toEqual(['a b c work -c -b -a', 'threw -c']);
  expect(await steps('-c', '-a')).toEqual(['a b c work -c -b -a', 'threw -c']);
  expect(await steps('work', '-b')).toEqual(['a b c work -c -b -a', 'threw work']);
});
