// Paths that a person types for a test, and repository text in notices.

import { expect, test } from 'vitest';
import { parseRepositoryPath } from '../../../client/src/requests/pathInRepository.ts';
import { removeLinks } from '../../../client/src/removeLinks.ts';

test.each([
  ['test/a.test.js', 'test/a.test.js'],
  ['my tests/a.test.js', 'my tests/a.test.js'],
  [' ./test//a.test.js ', 'test/a.test.js'],
  ['test\\a.test.js', 'test/a.test.js'],
  ['a/../b.test.js', 'b.test.js'],
  ['..a/b.test.js', '..a/b.test.js'],
  ['a/../../../x', null],
  ['..', null],
  ['..\\x', null],
  ['/etc/x', null],
  ['\\\\server\\x', null],
  ['C:\\x.js', null],
  ['c:x.js', null],
  ['test/', null],
  ['.', null],
  ['  ', null],
])('the path %j is %j in the repository', (typed, path) => {
  expect(parseRepositoryPath(typed)).toBe(path);
});

test('repository text cannot become a link in a notice', () => {
  expect(removeLinks('“[Fix](command:x) [a](https://b)” waits.')).toBe('“[Fix] (command:x) [a] (https://b)” waits.');
});
