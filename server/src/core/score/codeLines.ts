// Tells lines of code from blank lines and comment lines, by the comment marks of a language and without a parser.

import type { Language } from '../model.ts';

/** How comments are written. Marks count only at the start of a line, where a string rarely has them. */
interface CommentMarks {
  readonly line: RegExp;
  readonly block: { readonly opens: string; readonly closes: string } | null;
}

const SLASHES: CommentMarks = { line: /^\/\//, block: { opens: '/*', closes: '*/' } };
const HASH: CommentMarks = { line: /^#/, block: null };

const MARKS: Readonly<Record<Language, CommentMarks>> = {
  typescript: SLASHES,
  tsx: SLASHES,
  javascript: SLASHES,
  go: SLASHES,
  java: SLASHES,
  c: SLASHES,
  cpp: SLASHES,
  rust: SLASHES,
  csharp: SLASHES,
  scala: SLASHES,
  swift: SLASHES,
  kotlin: SLASHES,
  zig: { ...SLASHES, block: null },
  // `#[` begins an attribute.
  php: { ...SLASHES, line: /^(?:\/\/|#(?!\[))/ },
  python: HASH,
  elixir: HASH,
  bash: HASH,
  ruby: { ...HASH, block: { opens: '=begin', closes: '=end' } },
  lua: { line: /^--/, block: { opens: '--[[', closes: ']]' } },
  // Dashes beside another symbol are an operator, such as `-->`.
  haskell: { line: /^--+(?![-!#$%&*+./<=>?@\\^|~:])/, block: { opens: '{-', closes: '-}' } },
};

/** For each line of a text: true if it holds code. Without a language, each line that is not blank does. */
export function codeLines(text: string, language: Language | null): readonly boolean[] {
  const marks = language && MARKS[language];
  let closingMark: string | null = null;
  return text.split('\n').map((line) => {
    let code = line.trim();
    if (closingMark === null && marks?.block && code.startsWith(marks.block.opens)) {
      closingMark = marks.block.closes;
      code = code.slice(marks.block.opens.length);
    }
    if (closingMark !== null) {
      const end = code.indexOf(closingMark);
      if (end < 0) return false;
      code = code.slice(end + closingMark.length).trim();
      closingMark = null;
    }
    return code !== '' && !marks?.line.test(code);
  });
}
