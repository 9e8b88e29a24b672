// Trims a stretch of tokens to whole lines, and decides whether it is code that could be shared.

import { NAME, NUMBER, TEXT, tokensOf, type Tokens } from './lexer.ts';

export interface Trimmed {
  readonly from: number;
  readonly to: number;
  readonly startLine: number;
  readonly endLine: number;
  /** Lines with a token on them. */
  readonly codeLines: number;
}

const OPEN = new Set([40, 91, 123]);
const CLOSE = new Set([41, 93, 125]);
/** Brackets, commas and semicolons: what may stand at the edges without saying anything. */
const FILLING = new Set([...OPEN, ...CLOSE, 44, 59]);

/**
 * Whole lines only; ends of what began before and beginnings of what goes on after are cut off. Null when nothing is
 * left.
 */
export function trimmed(tokens: Tokens, from: number, to: number): Trimmed | null {
  let start = from;
  let end = to;
  while (start < end && start > 0 && tokens.lines[start] === tokens.endLines[start - 1]) start++;
  while (end > start && end < tokens.count && tokens.endLines[end - 1] === tokens.lines[end]) end--;
  // What is closed inside but was opened before does not belong to it: begin behind the last of these.
  let depth = 0;
  let cut = start;
  for (let at = start; at < end; at++) {
    const kind = tokens.kinds[at]!;
    if (OPEN.has(kind)) depth++;
    else if (CLOSE.has(kind) && --depth < 0) {
      // A long stretch is not given up for a bracket in its middle.
      if (at - start > (end - start) / 2) break;
      cut = at + 1;
      depth = 0;
    }
  }
  start = cut;
  while (start < end && FILLING.has(tokens.kinds[start]!)) start++;
  while (start < end && start > 0 && tokens.lines[start] === tokens.endLines[start - 1]) start++;
  while (end > start && OPEN.has(tokens.kinds[end - 1]!)) end = lineStart(tokens, start, end - 1);
  if (start >= end) return null;
  let codeLines = 0;
  let last = 0;
  for (let at = start; at < end; at++) {
    for (let line = Math.max(last + 1, tokens.lines[at]!); line <= tokens.endLines[at]!; line++) codeLines++;
    last = Math.max(last, tokens.endLines[at]!);
  }
  return { from: start, to: end, startLine: tokens.lines[start]!, endLine: tokens.endLines[end - 1]!, codeLines };
}

/** First token of the line of the token at `at`, not before `start`. */
function lineStart(tokens: Tokens, start: number, at: number): number {
  let first = at;
  while (first > start && tokens.lines[first - 1] === tokens.lines[at]) first--;
  return first;
}

/** Calls and assignments for each token that code has at least; tables and lists have next to none. */
const MIN_DEEDS = 0.04;
/** Words of statements for each token; declarations of types have calls and defaults of a kind, but none of these. */
const MIN_STATEMENTS = 0.015;
/** Share of tokens that are texts and numbers, beyond which it is data. */
const MAX_LITERALS = 0.3;
const STATEMENTS = new Set(
  tokensOf(
    'if elif else for while do switch match case return throw raise try except catch await yield const let var new defer go loop unless when rescue ensure begin echo print',
    'javascript',
  ).hashes,
);

/** Names that make a style of a component: `const Title = styled('h1')({ … })`. */
const STYLES = new Set(tokensOf('styled css keyframes makeStyles createStyles createUseStyles', 'javascript').hashes);

/** False for tables, lists of fields, styles, declarations of types: the same there is seldom the same idea. */
export function isCode(tokens: Tokens, { from, to }: Pick<Trimmed, 'from' | 'to'>): boolean {
  let deeds = 0;
  let statements = 0;
  let literals = 0;
  for (let at = from; at < to; at++) {
    const kind = tokens.kinds[at]!;
    if (kind === NUMBER || kind === TEXT) literals++;
    else if (kind === NAME && STATEMENTS.has(tokens.hashes[at]!)) statements++;
    // `type Options = …` is told by the name behind it.
    else if (kind === NAME && tokens.hashes[at] === TYPE && tokens.kinds[at + 1] === NAME) statements--;
    else if (kind === NAME && STYLES.has(tokens.hashes[at]!) && tokens.kinds[at - 1] === 61) statements--;
    // `=`, and neither `==` nor `=>`, which are several tokens or one.
    else if (kind === 61 && tokens.kinds[at + 1] !== 61 && tokens.kinds[at - 1] !== 61 && tokens.hashes[at] === ASSIGN)
      deeds++;
    else if (kind === 40 && tokens.kinds[at - 1] === NAME) deeds++;
  }
  return (
    deeds >= MIN_DEEDS * (to - from) &&
    statements >= MIN_STATEMENTS * (to - from) &&
    literals <= MAX_LITERALS * (to - from)
  );
}

const ASSIGN = tokensOf('=', 'javascript').hashes[0];
const TYPE = tokensOf('type', 'javascript').hashes[0];
