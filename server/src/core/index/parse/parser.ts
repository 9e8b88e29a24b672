// Parses source text with the shipped tree-sitter grammars; each grammar is loaded when it is first needed.

import { Language as Grammar, Parser, type Tree } from 'web-tree-sitter';
import type { Language } from '../../model.ts';
import type { Grammars } from '../../ports/sources.ts';

/** Parses source text on one thread. */
export interface SourceParser {
  /**
   * The syntax tree, which the caller frees with `tree.delete()`. Null if the text is longer than
   * `MAX_PARSED_CHARACTERS`, is nested too deeply for its grammar, or takes too many steps or reads to parse.
   */
  parse(language: Language, text: string): Promise<Tree | null>;
  close(): void;
}

/** Maximum number of UTF-16 units. A larger text is more likely data than code. */
const MAX_PARSED_CHARACTERS = 1_000_000;
/**
 * Maximum number of progress reports before parsing stops. The parser reports about every hundred steps. 1 MB of plain
 * code takes about 4,000 reports; this limit is reached after 5–20 s.
 */
const MAX_PROGRESS_REPORTS = 200_000;
/** Number of characters that the parser reads at a time. It reads plain code fewer than ten times in all. */
const READ_CHARACTERS = 5_000;
/**
 * Maximum number of reads. In a text full of `/*`, the parser reads to the end from every star, which takes quadratic
 * time in few steps. The limit is reached after some hundred milliseconds.
 */
const computeMaxReads = (text: string): number => 2_000 + 20 * Math.ceil(text.length / READ_CHARACTERS);
/**
 * Maximum depth of brackets, for languages whose grammars take time that grows with the square of this depth (a depth
 * of 4,000 takes 10 s). Code that people write is far less deep.
 */
const MAX_DEPTH: Readonly<Partial<Record<Language, number>>> = { scala: 300 };

/**
 * Creates the parser. Its `parse` throws the errors of the Grammars port if a grammar cannot be read, and a
 * RuntimeError if memory runs out. After a RuntimeError, the parsers of this thread are unusable.
 */
export function createParser(grammars: Grammars): SourceParser {
  const parsers = new Map<Language, Promise<Parser>>();
  let runtime: Promise<void> | null = null;

  const parserFor = (language: Language): Promise<Parser> => {
    let parser = parsers.get(language);
    if (!parser) {
      runtime ??= grammars.runtime().then((wasmBinary) => Parser.init({ wasmBinary: toExactBuffer(wasmBinary) }));
      parser = runtime.then(async () => {
        const newParser = new Parser();
        newParser.setLanguage(Grammar.loadSync(await grammars.load(language)));
        return newParser;
      });
      parsers.set(language, parser);
    }
    return parser;
  };

  return {
    async parse(language, text) {
      if (text.length > MAX_PARSED_CHARACTERS || isDeeperThan(text, MAX_DEPTH[language])) return null;
      const parser = await parserFor(language);
      let reportCount = 0;
      let readsLeft = computeMaxReads(text);
      // The declared type says void, but returning true stops the parser.
      const progressCallback = (() => ++reportCount > MAX_PROGRESS_REPORTS || readsLeft < 0) as unknown as () => void;
      const readFrom = (from: number) => (--readsLeft < 0 ? '' : text.slice(from));
      const tree = parser.parse(readFrom, null, { progressCallback });
      if (!tree) {
        parser.reset();
        return null;
      }
      // The tree uses the same callback to read the texts of its nodes.
      const isIncomplete = readsLeft < 0;
      readsLeft = Infinity;
      if (isIncomplete) {
        tree.delete();
        return null;
      }
      return tree;
    },
    close() {
      for (const parser of parsers.values())
        void parser.then(
          (parser) => parser.delete(),
          () => undefined,
        );
      parsers.clear();
    },
  };
}

/**
 * True if brackets are nested more deeply than the limit. Brackets in strings and comments count as well; they usually
 * match, too.
 */
function isDeeperThan(text: string, limit: number | undefined): boolean {
  if (limit === undefined) return false;
  let depth = 0;
  for (let offset = 0; offset < text.length; offset++) {
    const character = text[offset];
    if (character === '(' || character === '[' || character === '{') {
      if (++depth > limit) return true;
    } else if ((character === ')' || character === ']' || character === '}') && depth > 0) depth--;
  }
  return false;
}

function toExactBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
