// oxc's parser behind the port of the skim: its tree stays in the parser's memory and is read where it is asked.

import { parseSyncLazy, Visitor } from 'oxc-parser/src-js/raw-transfer/lazy.js';
import type { LazyParser } from '../../core/analysis/skim/lazyTree.ts';

/** What is not offered by the package's main entry, which would load more than twice as much. */
export const lazyParser: LazyParser = {
  visitor: (handlers) => new Visitor(handlers),
  parse(text, dialect, commonJs, read) {
    const tree = parseSyncLazy(`file.${dialect}`, text, { lang: dialect, sourceType: commonJs ? 'commonjs' : 'unambiguous' });
    try {
      return tree.errors.length > 0 ? null : read({ program: tree.program, visit: (visitor) => tree.visit(visitor) });
    } finally {
      tree.dispose();
    }
  },
};
