// Paths of files that are alike on purpose.

import { expect, test } from 'vitest';
import { areVersions } from '../../../server/src/core/analysis/duplicates/counterparts.ts';

test.each([
  ['graphql/v/3.ts', 'graphql/v/4.ts', true],
  ['icons-v5.js', 'icons-v6.js', true],
  ['src/v3/parse.ts', 'src/v4/lexer.ts', true],
  ['src/legacy/parse.ts', 'src/parse.ts', true],
  ['v3/parse.ts', 'parse.ts', true],
  ['src/legacy/parse.ts', 'src/v2/lexer.ts', true],
  ['src/v3/parse.ts', 'lib/lexer.ts', false],
  ['src/legacy/parse.ts', 'lib/lexer.ts', false],
  ['src/v3/parse.ts', 'src/v3/lexer.ts', false],
  ['src/parse.ts', 'src/lexer.ts', false],
])('%s and %s are versions: %j', (one, other, expected) => {
  expect([areVersions(one, other), areVersions(other, one)]).toEqual([expected, expected]);
});
