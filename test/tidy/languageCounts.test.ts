// Numbers of languages in the documentation are those of the tables.

import { expect, test } from 'vitest';
import { PACKAGED_GRAMMARS } from '../../server/src/adapters/grammars/packagedGrammars.ts';
import { LANGUAGE_PATTERNS } from '../../server/src/core/index/patterns/patternTable.ts';
import { read } from './sourceFiles.ts';

/** The library that runs the grammars has a row, too. */
const byGrammar = Object.keys(PACKAGED_GRAMMARS).filter((name) => name !== 'tree-sitter').length;
/** One row stands for two languages: Vue and Svelte. */
const byPatterns = Object.keys(LANGUAGE_PATTERNS).length + 1;

test.each([
  ['README.md', `${byGrammar} languages by grammar, ${byPatterns} by patterns`],
  ['ARCHITECTURE.md', `parsing of ${byGrammar} languages`],
])('%s names the number of languages: %s', (page, text) => {
  expect(read(page)).toContain(text);
});
