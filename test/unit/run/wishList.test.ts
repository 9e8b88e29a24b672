// Wishes from a task file: the open items of its lists.

import { expect, test } from 'vitest';
import { parseWishList } from '../../../server/src/core/run/wishList.ts';

test('open items of every kind of list are wishes; what is ticked or outside a list is not', () => {
  const text = [
    '# Tasks',
    'Some words.',
    '- [ ] First',
    '- [x] Done',
    '  with a detail that is done, too',
    '* Second',
    '1. Third',
    '2) Fourth',
    'A paragraph.',
    '    indented code outside a list',
  ];
  expect(parseWishList(text.join('\n'))).toEqual(['First', 'Second', 'Third', 'Fourth']);
  expect(parseWishList(text.join('\r\n'))).toEqual(['First', 'Second', 'Third', 'Fourth']);
});

test('indented lines and nested lists say more about their item, also after an empty line', () => {
  expect(parseWishList('- One\n  - part of it\n\n  more of it\n- Two')).toEqual([
    'One\n- part of it\nmore of it',
    'Two',
  ]);
});

test('a text without a list holds no wish', () => {
  expect(parseWishList('Make it faster.\n-no item\n')).toEqual([]);
  expect(parseWishList('')).toEqual([]);
});
