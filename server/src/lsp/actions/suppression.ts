// Finds the place for a comment that suppresses an opportunity. A place is accepted only if the analysis of a copy with
// the comment shows that it works.

import { detectLanguage } from '../../core/index/parse/language.ts';
import type { Language, Opportunity } from '../../core/model.ts';
import type { Session } from '../../core/session.ts';

/** Where the comment is inserted, and its text around the reason. */
export interface SuppressionPlace {
  /** UTF-16 offset of the insertion. */
  readonly insertOffset: number;
  /** The part of the comment before the reason. */
  readonly before: string;
  /** The part of the comment after the reason. */
  readonly after: string;
}

/** Languages whose line comments begin with `#`. */
const HASH_COMMENTS: ReadonlySet<Language | null> = new Set<Language>(['python', 'ruby', 'bash', 'elixir']);
/** Languages whose line comments begin with `--`. In all languages that are not listed, they begin with `//`. */
const DASH_COMMENTS: ReadonlySet<Language | null> = new Set<Language>(['lua', 'haskell']);
/** The reason in the copy that is analysed. */
const TRIAL_REASON = 'for a reason';

/**
 * The first place at which the comment works: above the line with the name of the opportunity or above the first line
 * of its range, or at the end of one of these lines. Null if it works at none of them, for example inside of a template
 * string.
 */
export async function findSuppressionPlace(
  session: Session,
  path: string,
  text: string,
  opportunity: Opportunity,
  signal: AbortSignal,
): Promise<SuppressionPlace | null> {
  const opportunitiesBefore = (await session.texts.analyse(path, text, signal)).opportunities;
  for (const place of listPlaces(path, text, opportunity)) {
    const trialText =
      text.slice(0, place.insertOffset) + place.before + TRIAL_REASON + place.after + text.slice(place.insertOffset);
    const { opportunities } = await session.texts.analyse(path, trialText, signal);
    if (
      countOpportunities(opportunities, opportunity.rule) < countOpportunities(opportunitiesBefore, opportunity.rule) &&
      countOpportunities(opportunities, 'unused-suppression') <=
        countOpportunities(opportunitiesBefore, 'unused-suppression')
    )
      return place;
  }
  return null;
}

/**
 * The places to try, in order, for the line of the name and for the first line of the range: above the line, in a JSX
 * or TSX file also as a JSX comment, and at the end of the line.
 */
function* listPlaces(path: string, text: string, { rule, range, nameRange }: Opportunity): Generator<SuppressionPlace> {
  const language = detectLanguage(path, text);
  const commentStart = HASH_COMMENTS.has(language) ? '# ' : DASH_COMMENTS.has(language) ? '-- ' : '// ';
  const newline = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  for (const line of new Set([nameRange.startLine, range.startLine])) {
    const { start, end } = findLine(text, line);
    const indent = /^[ \t]*/.exec(text.slice(start, end))?.[0] ?? '';
    yield {
      insertOffset: start,
      before: `${indent}${commentStart}selfware-ignore-next-line ${rule}: `,
      after: newline,
    };
    if (path.endsWith('x'))
      yield {
        insertOffset: start,
        before: `${indent}{/* selfware-ignore-next-line ${rule}: `,
        after: ` */}${newline}`,
      };
    yield { insertOffset: end, before: ` ${commentStart}selfware-ignore ${rule}: `, after: '' };
  }
}

/**
 * Number of opportunities of a rule. Callers compare numbers instead of ids, because an id depends on the surrounding
 * text, which the comment changes.
 */
function countOpportunities(opportunities: readonly Opportunity[], ruleId: string): number {
  return opportunities.filter(({ rule }) => rule === ruleId).length;
}

/** Offsets of the start and the end of a line (1-based), without its line ending. */
function findLine(text: string, line: number): { readonly start: number; readonly end: number } {
  const lineEnd = /\r\n|\r|\n/g;
  for (let lineNumber = 1; lineNumber < line; lineNumber++) lineEnd.exec(text);
  const start = lineEnd.lastIndex;
  const lineBreak = /\r|\n/.exec(text.slice(start));
  return { start, end: lineBreak ? start + lineBreak.index : text.length };
}
