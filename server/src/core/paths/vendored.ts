// Decides whether a comment at the top of a file states that the file was copied from another project.

import { findTopComment } from './topComment.ts';

/** Number of characters that are read at the top of a file. It must be large, because long licences may come first. */
const MAX_READ_CHARACTERS = 4_000;

const anyOf = (...parts: readonly string[]) => `(?:${parts.join('|')})`;
const beginsWith = (...parts: readonly string[]) => new RegExp(`^${parts.join('')}`, 'i');

const KIND_SOURCE = anyOf('file', 'module', 'code', 'source', 'script', 'class', 'package', 'implementation');
const FILE_SOURCE = `(?:this|the|entire|whole)(?: whole| entire)? ${KIND_SOURCE}`;
const FILE_WAS_SOURCE = `(?:${FILE_SOURCE} (?:is|was|has been) )?`;
const UNCHANGED_SOURCE = anyOf(
  'verbatim',
  'directly',
  'unchanged',
  'unmodified',
  'as[- ]is',
  'wholesale',
  'byte for byte',
);
const EXACTLY_SOURCE = `(?: ${UNCHANGED_SOURCE})?`;
const HOSTS_SOURCE = '(?:github|raw\\.githubusercontent|gitlab|bitbucket|unpkg|npmjs|pypi|nuget|crates)';
/** Matches the address of another project. A path in this repository or a question in a forum does not count. */
const ELSEWHERE_SOURCE = anyOf(
  `<?(?:https?://)?(?:www\\.)?${HOSTS_SOURCE}\\.\\w+/`,
  '<?https?://(?:codeberg\\.org|git\\.[\\w.]+|cdn\\.jsdelivr\\.net|registry\\.npmjs\\.org)/',
  '(?:the )?(?:npm|nuget|pypi|crates?) (?:package|module)',
  'node_modules/',
);

/** Matches the mark `@vendored`. */
const MARKED_PATTERN = beginsWith('@vendored\\b');
const OBJECT_SOURCE = `(?: ${anyOf('copy', 'version', 'fork', 'source', 'code', 'file', 'module')})?`;
const CONTINUATION_SOURCE = '(?: (?:from|of)\\b|:? ?$|[:,;.(@])';
/**
 * Matches a statement that a file is vendored: `Vendored from …`, `VENDORED COPY of …`, `Vendored: name 1.2.0`, `This
 * file is vendored.`
 */
const VENDORED_PATTERN = beginsWith(
  FILE_WAS_SOURCE,
  '(?:a )?vendored(?:[ -]in)?',
  OBJECT_SOURCE,
  EXACTLY_SOURCE,
  CONTINUATION_SOURCE,
);
/** Matches a sentence about the destination of the file, not about its origin. */
const DESTINATION_PATTERN = /^[^.]*\binto\b/i;
/** Matches a statement such as `Copied from https://…` or `This file was taken verbatim from https://…`. */
const COPIED_PATTERN = beginsWith(
  FILE_WAS_SOURCE,
  '(?:copied|taken|lifted|borrowed)',
  EXACTLY_SOURCE,
  ' from:?\\s+',
  ELSEWHERE_SOURCE,
);
/** Source of a pattern for words such as `a verbatim`. */
const EXACT_SOURCE = '(?:an? )?(?:verbatim|exact|unmodified|unchanged)';
/** Matches a statement such as `Verbatim copy of https://…`. */
const COPY_PATTERN = beginsWith(`(?:${FILE_SOURCE} is )?`, EXACT_SOURCE, ' copy of:?\\s+', ELSEWHERE_SOURCE);
/** Matches words that say that the file was changed here. */
const CHANGED_PATTERN = new RegExp(
  `\\b${anyOf(
    ...['modif(?:y|ied|ications?)', 'adapt(?:ed|ations?)', 'chang(?:ed?|es)', 'simplified', 'rewritten', 'ported'],
    ...['edited', 'translated', 'extended', 'reduced', 'stripped', 'tweak(?:ed|s)', 'adjust(?:ed|ments)', 'removed'],
    ...['added', 'inspired', 'except', 'but', 'differs?'],
  )}\\b`,
  'i',
);
/**
 * Matches `Based on https://…/tree/v1.2.1`. If such a file also has a copyright notice, it counts as a copy, which is
 * kept in a form that can be compared with that version.
 */
const PINNED_PATTERN = beginsWith(
  '(?:based on|adapted from|forked from)\\s+<?https?://(?:www\\.)?(?:github|gitlab)\\.com/[^\\s/]+/[^\\s/]+/(?:-/)?',
  '(?:commit|tree|blob|releases/tag)/(?:v?\\d+\\.\\d|[0-9a-f]{6,40}\\b)',
);
const COPYRIGHT_PATTERN = /\bcopyright (?:\(c\)|©|\d{4})|©|\(c\) \d{4}/i;
/** Matches a declaration. A comment directly above a declaration is only about that declaration. */
const DECLARATION_PATTERN = beginsWith(
  '[ \\t]*(?:(?:export|default|async|public|private|static|abstract|final|pub)\\s+)*',
  '(?:(?:function|class|def|fn|func)\\b|(?:const|let|var)\\s(?![^\\n]*\\brequire\\())',
);

/**
 * True if a comment before the first line of code states that the file is a copy. Only beginnings of lines and of
 * sentences are examined.
 */
export function isDeclaredVendored(text: string): boolean {
  const comment = findTopComment(text, MAX_READ_CHARACTERS);
  if (!/\b(?:vendored|cop(?:y|ied)|taken|lifted|borrowed|based|adapted|forked)\b/i.test(comment)) return false;
  const sentences = collectSentences(comment);
  const matchesAny = (...patterns: readonly RegExp[]) =>
    sentences.some((sentence) => patterns.some((pattern) => pattern.test(sentence)));
  if (
    matchesAny(MARKED_PATTERN) ||
    sentences.some((sentence) => VENDORED_PATTERN.test(sentence) && !DESTINATION_PATTERN.test(sentence))
  )
    return true;
  if (matchesAny(PINNED_PATTERN) && COPYRIGHT_PATTERN.test(comment)) return true;
  return (
    matchesAny(COPIED_PATTERN, COPY_PATTERN) && !CHANGED_PATTERN.test(comment) && !isOfOneDeclaration(text, comment)
  );
}

/** The texts that begin at each beginning of a line or of a sentence, and extend over two further lines. */
function collectSentences(comment: string): string[] {
  const lines = comment.split('\n').map(removeMarks);
  return lines.flatMap((line, index) => {
    const passage = [line, ...lines.slice(index + 1, index + 3)].join(' ').trim();
    const starts = line.matchAll(/(?:^|[.!?:;|·—–]\s+|\)\s+|\s-\s+)(?=[\w@])/g);
    return [...starts].map((start) => passage.slice(start.index + start[0].length));
  });
}

/** A line without comment marks. */
function removeMarks(line: string): string {
  const lineWithoutOpeningMark = line.replace(
    /^\s*(?:\/\/+!?|\/\*+!?|\*+(?!\/)|#+!?|--+|;+|%+|"""|'''|<!--+|\{-)?\s*/,
    '',
  );
  return lineWithoutOpeningMark.replace(/(?<!\s)\s*(?:(?<!\*)\*+\/|-->|-\}|"""|''')\s*$/, '').trim();
}

/** True if the comment ends directly above a declaration. */
function isOfOneDeclaration(text: string, comment: string): boolean {
  return !/\n[ \t]*\r?\n?$/.test(comment) && DECLARATION_PATTERN.test(text.slice(comment.length).replace(/^\r?\n/, ''));
}
