// Two peers for search: BM25 by the library MiniSearch over windows of lines, with the words of the library and with
// Selfware's terms.

import MiniSearch from 'minisearch';
import { extractQueryTerms, extractTerms } from '../../../server/src/core/index/terms/terms.ts';
import type { Place } from '../quality/measures.ts';
import type { Corpus, System } from './system.ts';

const WINDOW_LINES = 50;

/** The library with its default settings: words in lower case, separated by spaces and punctuation. */
export const plainBm25: System = createBm25System('BM25 (minisearch)', {});

/** The library with our terms: identifiers are split and stemmed. */
export const splitBm25: System = createBm25System('BM25, identifiers split', {
  tokenize: extractTerms,
  processTerm: (term: string) => term,
  searchOptions: { tokenize: extractQueryTerms, processTerm: (term: string) => term },
});

function createBm25System(name: string, options: object): System {
  return {
    name,
    absent: null,
    async build({ files }, signal) {
      const index = new MiniSearch({ fields: ['text'], ...options });
      const windows: Place[] = [];
      for (const window of divideIntoWindows(files)) {
        if (windows.length % 1000 === 0) signal.throwIfAborted();
        index.add({ id: windows.length, text: window.text });
        windows.push(window);
      }
      return {
        search: (query, top) =>
          index
            .search(query)
            .slice(0, top)
            .map(({ id }) => windows[id as number]!),
      };
    },
  };
}

/** The windows of each file. */
function* divideIntoWindows(files: Corpus['files']): Generator<Place & { readonly text: string }> {
  for (const { path, text } of files) {
    const lines = text.split('\n');
    for (let offset = 0; offset < lines.length; offset += WINDOW_LINES)
      yield {
        path,
        startLine: offset + 1,
        endLine: Math.min(lines.length, offset + WINDOW_LINES),
        text: lines.slice(offset, offset + WINDOW_LINES).join('\n'),
      };
  }
}
