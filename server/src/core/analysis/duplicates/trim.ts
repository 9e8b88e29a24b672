// Trims a fragment of tokens to whole lines, and decides whether it is code that could be shared.

import { NAME, NUMBER, TEXT, tokenize, type Tokens } from './lexer.ts';

/** A fragment in whole lines. `from` and `to`: token indices, `to` exclusive. Lines are 1-based and included. */
export interface TrimmedFragment {
  readonly from: number;
  readonly to: number;
  readonly startLine: number;
  readonly endLine: number;
  /** Number of lines with a token. */
  readonly codeLines: number;
}

// Kinds of punctuation are character codes (`lexer.ts`).
const ROUND = 40; // (
const EQUALS = 61; // =
const OPEN = new Set([ROUND, 91, 123]); // ( [ {
const CLOSE = new Set([41, 93, 125]);
/** Brackets, commas and semicolons: tokens without meaning at the ends of a fragment. */
const FILLING = new Set([...OPEN, ...CLOSE, 44, 59]);

const ASSIGN = tokenize('=', 'javascript').hashes[0];
const TYPE = tokenize('type', 'javascript').hashes[0];

/**
 * The fragment in whole lines, without the end of a construct that began before it and the beginning of one that
 * continues after it. Null if no code remains.
 */
export function trimFragment(tokens: Tokens, from: number, to: number): TrimmedFragment | null {
  let start = from;
  let end = to;
  while (start < end && start > 0 && tokens.lines[start] === tokens.endLines[start - 1]) start++;
  while (end > start && end < tokens.count && tokens.endLines[end - 1] === tokens.lines[end]) end--;
  // A bracket that was opened before the fragment does not belong to it, so the fragment begins after the last one
  // that closes such a bracket.
  let depth = 0;
  let cut = start;
  for (let at = start; at < end; at++) {
    const kind = tokens.kinds[at]!;
    if (OPEN.has(kind)) depth++;
    else if (CLOSE.has(kind) && --depth < 0) {
      // A long fragment is kept although a bracket in its middle closes one from before.
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

/** Minimum number of calls and assignments per token of code; tables and lists have almost none. */
const MIN_ACTIONS = 0.04;
/**
 * Minimum number of statement keywords per token. Type declarations have similar constructs to calls and defaults, but
 * none of these keywords.
 */
const MIN_STATEMENTS = 0.015;
/** Maximum share of strings and numbers. A fragment with a larger one is data. */
const MAX_LITERALS = 0.3;
const STATEMENTS = new Set(
  tokenize(
    'if elif else for while do switch match case return throw raise try except catch await yield const let var new defer go loop unless when rescue ensure begin echo print',
    'javascript',
  ).hashes,
);

/** Names that declare the style of a component: `const Title = styled('h1')({ … })`. */
const STYLES = new Set(tokenize('styled css keyframes makeStyles createStyles createUseStyles', 'javascript').hashes);

/**
 * False for tables, lists of fields, styles and type declarations: if two are equal, that is rarely an idea that could
 * be shared.
 */
export function isCode(tokens: Tokens, { from, to }: Pick<TrimmedFragment, 'from' | 'to'>): boolean {
  let actions = 0;
  let statements = 0;
  let literals = 0;
  for (let at = from; at < to; at++) {
    const kind = tokens.kinds[at]!;
    if (kind === NUMBER || kind === TEXT) literals++;
    else if (kind === NAME && STATEMENTS.has(tokens.hashes[at]!)) statements++;
    // `type` begins a declaration only if a name follows it, as in `type Options = …`.
    else if (kind === NAME && tokens.hashes[at] === TYPE && tokens.kinds[at + 1] === NAME) statements--;
    else if (kind === NAME && STYLES.has(tokens.hashes[at]!) && tokens.kinds[at - 1] === EQUALS) statements--;
    // `=`, but neither `==` nor `=>`, which may be one token or several.
    else if (
      kind === EQUALS &&
      tokens.kinds[at + 1] !== EQUALS &&
      tokens.kinds[at - 1] !== EQUALS &&
      tokens.hashes[at] === ASSIGN
    )
      actions++;
    else if (kind === ROUND && tokens.kinds[at - 1] === NAME) actions++;
  }
  return (
    actions >= MIN_ACTIONS * (to - from) &&
    statements >= MIN_STATEMENTS * (to - from) &&
    literals <= MAX_LITERALS * (to - from)
  );
}
