// Distinguishes lines of code from blank lines and comment lines, by the comment marks of a language. It needs no
// parser, because every proposal is priced by its lines.

import type { Language } from '../model.ts';

/**
 * The marks of comments in a language. `line`: matches the beginning of a line comment. `block`: the marks around a
 * block comment; null if the language has none. Marks count only at the start of a line, where a string rarely has
 * them.
 */
interface CommentMarks {
  readonly line: RegExp;
  readonly block: { readonly opens: string; readonly closes: string } | null;
}

const SLASH_COMMENTS: CommentMarks = { line: /^\/\//, block: { opens: '/*', closes: '*/' } };
const HASH_COMMENTS: CommentMarks = { line: /^#/, block: null };

const COMMENT_MARKS_BY_LANGUAGE: Readonly<Record<Language, CommentMarks>> = {
  typescript: SLASH_COMMENTS,
  tsx: SLASH_COMMENTS,
  javascript: SLASH_COMMENTS,
  go: SLASH_COMMENTS,
  java: SLASH_COMMENTS,
  c: SLASH_COMMENTS,
  cpp: SLASH_COMMENTS,
  rust: SLASH_COMMENTS,
  csharp: SLASH_COMMENTS,
  scala: SLASH_COMMENTS,
  swift: SLASH_COMMENTS,
  kotlin: SLASH_COMMENTS,
  zig: { ...SLASH_COMMENTS, block: null },
  // `#[` begins an attribute.
  php: { ...SLASH_COMMENTS, line: /^(?:\/\/|#(?!\[))/ },
  python: HASH_COMMENTS,
  elixir: HASH_COMMENTS,
  bash: HASH_COMMENTS,
  ruby: { ...HASH_COMMENTS, block: { opens: '=begin', closes: '=end' } },
  lua: { line: /^--/, block: { opens: '--[[', closes: ']]' } },
  // Dashes next to another symbol are an operator, such as `-->`.
  haskell: { line: /^--+(?![-!#$%&*+./<=>?@\\^|~:])/, block: { opens: '{-', closes: '-}' } },
};

/** Languages in which a string between backticks, a template, may have several lines. */
const LANGUAGES_WITH_TEMPLATES = new Set<Language | null>(['typescript', 'tsx', 'javascript', 'go']);
/**
 * Matches code that is complete on its line, so that a backtick in it opens no template: strings, comments and
 * patterns.
 */
const COMPLETE_PATTERN =
  /\\.|`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/.*|\/\*.*?(?:\*\/|$)|(?<=(?:^|[=(,:;!&|?{}[]|\breturn) ?)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\//g;

/**
 * For each line of a text: true if it contains code. If the language is null, each line that is not blank counts as
 * code. A block that is never closed is code, because no compiler accepts it as a comment.
 */
export function findCodeLines(text: string, language: Language | null): readonly boolean[] {
  const marks = language && COMMENT_MARKS_BY_LANGUAGE[language];
  const block = marks?.block ?? null;
  const lines = text.split('\n');
  const lastClosing = block ? lines.findLastIndex((line) => line.includes(block.closes)) : -1;
  const lastBacktick = LANGUAGES_WITH_TEMPLATES.has(language) ? lines.findLastIndex((line) => line.includes('`')) : -1;
  let isInBlock = false;
  let isInTemplate = false;
  return lines.map((line, index) => {
    let code = line.trim();
    while (!isInTemplate && block && (isInBlock || code.startsWith(block.opens))) {
      const end = code.indexOf(block.closes, isInBlock ? 0 : block.opens.length);
      if (end < 0 && index >= lastClosing) break;
      isInBlock = end < 0;
      if (isInBlock) return false;
      code = code.slice(end + block.closes.length).trim();
    }
    const isCode = code !== '' && (isInTemplate || !marks?.line.test(code));
    if (isCode)
      isInTemplate =
        index < lastBacktick && `${isInTemplate ? '`' : ''}${code}`.replace(COMPLETE_PATTERN, '').includes('`');
    return isCode;
  });
}
