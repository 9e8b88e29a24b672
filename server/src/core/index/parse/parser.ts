// Parses source text with the shipped tree-sitter grammars, each loaded when first needed.

import { Language as Grammar, Parser, type Tree } from 'web-tree-sitter';
import type { Language } from '../../model.ts';
import type { Grammars } from '../../ports/sources.ts';

export interface SourceParser {
  /**
   * The syntax tree, which the caller frees by `tree.delete()`. Null: the text is over 1 MB, nested too deep for its
   * grammar, took too many steps, or was read too often.
   */
  parse(language: Language, text: string): Promise<Tree | null>;
  close(): void;
}

/** UTF-16 units. Larger texts are data more often than code. */
export const MAX_PARSED_CHARACTERS = 1_000_000;
/** The parser reports about every hundred steps. 1 MB of plain code takes about 4,000 reports; this is some 5–20 s. */
const MAX_PROGRESS_REPORTS = 200_000;
/** The parser reads some 5,000 characters at a time, plain code less than ten times over. */
const READ_CHARACTERS = 5_000;
/**
 * A page of `/* ` is read to its end from every star: the square of its length, in few steps. These are some hundred
 * milliseconds.
 */
const readsOf = (text: string): number => 2_000 + 20 * Math.ceil(text.length / READ_CHARACTERS);
/**
 * Grammars whose time grows with the square of the depth of brackets (4,000 of them take 10 s): no code is written that
 * deep.
 */
const MAX_DEPTH: Readonly<Partial<Record<Language, number>>> = { scala: 300 };

/**
 * `parse` throws what the Grammars port throws if a grammar cannot be read, and a RuntimeError if memory runs out; then
 * the thread's parsers can no longer be used.
 */
export function createParser(grammars: Grammars): SourceParser {
  const parsers = new Map<Language, Promise<Parser>>();
  let runtime: Promise<void> | null = null;

  const parserFor = (language: Language): Promise<Parser> => {
    let parser = parsers.get(language);
    if (!parser) {
      runtime ??= grammars.runtime().then((wasmBinary) => Parser.init({ wasmBinary: exactBuffer(wasmBinary) }));
      parser = runtime.then(async () => {
        const made = new Parser();
        made.setLanguage(Grammar.loadSync(await grammars.load(language)));
        return made;
      });
      parsers.set(language, parser);
    }
    return parser;
  };

  return {
    async parse(language, text) {
      if (text.length > MAX_PARSED_CHARACTERS || isDeeperThan(text, MAX_DEPTH[language])) return null;
      const parser = await parserFor(language);
      let reports = 0;
      let readsLeft = readsOf(text);
      // The declared type says void; a true answer stops the parser.
      const progressCallback = (() => ++reports > MAX_PROGRESS_REPORTS || readsLeft < 0) as unknown as () => void;
      const read = (from: number) => (--readsLeft < 0 ? '' : text.slice(from));
      const tree = parser.parse(read, null, { progressCallback });
      if (!tree) {
        parser.reset();
        return null;
      }
      // The tree asks in the same way for the texts of its nodes.
      const isCut = readsLeft < 0;
      readsLeft = Infinity;
      if (isCut) {
        tree.delete();
        return null;
      }
      return tree;
    },
    close() {
      for (const parser of parsers.values())
        void parser.then(
          (made) => made.delete(),
          () => undefined,
        );
      parsers.clear();
    },
  };
}

/** Brackets in strings and comments count as well: most often they match, too. */
function isDeeperThan(text: string, limit: number | undefined): boolean {
  if (limit === undefined) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '(' || character === '[' || character === '{') {
      if (++depth > limit) return true;
    } else if ((character === ')' || character === ']' || character === '}') && depth > 0) depth--;
  }
  return false;
}

function exactBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
