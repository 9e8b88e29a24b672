// Comments and quoted texts are found in one pass, and what nobody closes hides nothing.

import { expect, test } from 'vitest';
import { replaceCommentsAndStrings } from '../../../server/src/util/sourceTokens.ts';

const without = (text: string) =>
  replaceCommentsAndStrings(text, /\/\*|\/\/[^\n]*|['"]/g, (found) => (found.startsWith('/') ? '#' : "''"));

test.each([
  ['a /* b */ c', 'a # c'],
  ['a // b\nc', 'a #\nc'],
  ["a 'b: any' c", "a '' c"],
  ['a "b\\"c" d', "a '' d"],
  // Unclosed: plain text, and what follows is still seen.
  ['const glob = `src/**`;\nlet x: any;', 'const glob = `src/**`;\nlet x: any;'],
  ['a /* b', 'a /* b'],
  ["it's\nlet x: any = 'y';", "it's\nlet x: any = '';"],
  ["'\\' /* any */", "'\\' #"],
  [`'${'x'.repeat(3000)}' as any as 'y'`, "'' as any as ''"],
  ["'/*' any '*/'", "'' any ''"],
])('%j', (text, expected) => expect(without(text)).toBe(expected));

test.each(['/*', "'", "'\\", '"\\"', "/* '", '//', '/* */'])('%j over and over takes time in proportion', (piece) => {
  const steps = (size: number) => {
    let count = 0;
    const text = piece.repeat(size);
    replaceCommentsAndStrings(text, /\/\*|\/\/[^\n]*|['"]/g, (found) => (count++, found));
    return count;
  };
  // A quadratic pass over 4 MB would not end within the time of a test.
  expect(steps(1_000_000)).toBeLessThanOrEqual(1_000_000);
});
