// Comments before a place are those that the compiler tells of.

import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import { findLeadingComments } from '../../../server/src/core/analysis/script/leadingComments.ts';
import { realSources } from '../../conformance/sources.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const TEXTS = [
  '#!/usr/bin/env node\n// a\n/* b */ c',
  '#!/a',
  '// a\r\n\r\n/** b */\r// c\u2028 d',
  '\u00a0\u0085\u200b\ufeff// a',
  '/* never closed',
  '/ a',
  '/*/ a */ /**/ /***/ b',
  '',
  '// a',
];

test.each(TEXTS)('%j', (text) => {
  for (let at = 0; at <= text.length; at++)
    expect({ at, found: findLeadingComments(text, at) }).toEqual({ at, found: compilers(text, at) });
});

thoroughTest('at the statements of real sources', () => {
  let found = 0;
  for (const { path, text } of realSources()) {
    for (const { pos } of ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false).statements) {
      const comments = findLeadingComments(text, pos);
      expect({ path, comments }).toEqual({ path, comments: compilers(text, pos) });
      found += comments.length;
    }
  }
  expect(found).toBeGreaterThan(2_000);
});

function compilers(text: string, at: number): { readonly pos: number; readonly end: number }[] {
  return (ts.getLeadingCommentRanges(text, at) ?? []).map(({ pos, end }) => ({ pos, end }));
}
