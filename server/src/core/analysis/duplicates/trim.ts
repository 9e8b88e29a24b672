// Trims a fragment of tokens to whole lines, and decides whether it is code that could be shared.

import { NAME_KIND, NUMBER_KIND, TEXT_KIND, tokenize, type Tokens } from './lexer.ts';

/**
 * A fragment in whole lines. `from` and `to` are token indices, `to` exclusive. Lines are 1-based, and the last one is
 * included.
 */
export interface TrimmedFragment {
  readonly from: number;
  readonly to: number;
  readonly startLine: number;
  readonly endLine: number;
  /** Number of lines with a token. */
  readonly codeLines: number;
}

// Kinds of punctuation are character codes (`lexer.ts`).
const ROUND_BRACKET = 40; // (
const EQUALS = 61; // =
const SQUARE_BRACKET = 91; // [
const OPENING_BRACKETS = new Set([ROUND_BRACKET, SQUARE_BRACKET, 123]); // ( [ {
const CLOSING_BRACKETS = new Set([41, 93, 125]);
/** Brackets, commas and semicolons: tokens without meaning at the ends of a fragment. */
const FILLER_TOKENS = new Set([...OPENING_BRACKETS, ...CLOSING_BRACKETS, 44, 59]);

const ASSIGN_HASH = tokenize('=', 'javascript').hashes[0];
const NEW_HASH = tokenize('new', 'javascript').hashes[0];
const TYPE_HASH = tokenize('type', 'javascript').hashes[0];

/**
 * The fragment in whole lines, without the end of a construct that began before it and the beginning of one that
 * continues after it. Null if no code remains.
 */
export function trimFragment(tokens: Tokens, from: number, to: number): TrimmedFragment | null {
  let start = from;
  let end = to;
  while (start < end && start > 0 && tokens.lines[start] === tokens.endLines[start - 1]) start++;
  while (end > start && end < tokens.count && tokens.endLines[end - 1] === tokens.lines[end]) end--;
  // The fragment begins after the last bracket that closes one from before the fragment, because the construct around
  // such a pair does not belong to it.
  let depth = 0;
  let cut = start;
  for (let index = start; index < end; index++) {
    const kind = tokens.kinds[index]!;
    if (OPENING_BRACKETS.has(kind)) depth++;
    else if (CLOSING_BRACKETS.has(kind) && --depth < 0) {
      // A fragment keeps its first half even if a bracket further on closes one from before the fragment.
      if (index - start > (end - start) / 2) break;
      cut = index + 1;
      depth = 0;
    }
  }
  start = cut;
  while (start < end && FILLER_TOKENS.has(tokens.kinds[start]!)) start++;
  while (start < end && start > 0 && tokens.lines[start] === tokens.endLines[start - 1]) start++;
  while (end > start && OPENING_BRACKETS.has(tokens.kinds[end - 1]!)) end = findLineStart(tokens, start, end - 1);
  if (start >= end) return null;
  let codeLines = 0;
  let lastCountedLine = 0;
  for (let index = start; index < end; index++) {
    for (let line = Math.max(lastCountedLine + 1, tokens.lines[index]!); line <= tokens.endLines[index]!; line++)
      codeLines++;
    lastCountedLine = Math.max(lastCountedLine, tokens.endLines[index]!);
  }
  return { from: start, to: end, startLine: tokens.lines[start]!, endLine: tokens.endLines[end - 1]!, codeLines };
}

/** Index of the first token of the line of the token at `index`, but at least `start`. */
function findLineStart(tokens: Tokens, start: number, index: number): number {
  let first = index;
  while (first > start && tokens.lines[first - 1] === tokens.lines[index]) first--;
  return first;
}

/** Minimum number of calls and assignments per token of code. Tables and lists have almost none. */
const MIN_ACTIONS = 0.04;
/**
 * Minimum number of statement keywords per token. Type declarations have similar constructs to calls and defaults, but
 * none of these keywords.
 */
const MIN_STATEMENTS = 0.015;
/** Maximum share of strings and numbers. A fragment with a larger one is data. */
const MAX_LITERALS = 0.3;
/** Hashes of the keywords of statements in many languages. */
const STATEMENT_KEYWORDS = new Set(
  tokenize(
    'if elif else for while do switch match case return throw raise try except catch await yield const let var new defer go loop unless when rescue ensure begin echo print',
    'javascript',
  ).hashes,
);

/** Hashes of the names of functions that declare the style of a component: `const Title = styled('h1')({ … })`. */
const STYLE_FUNCTIONS = new Set(
  tokenize('styled css keyframes makeStyles createStyles createUseStyles', 'javascript').hashes,
);

/**
 * False for tables, lists of fields, styles and type declarations: if two are equal, that is rarely an idea that could
 * be shared.
 */
export function isSharableCode(tokens: Tokens, { from, to }: Pick<TrimmedFragment, 'from' | 'to'>): boolean {
  let actionCount = 0;
  let statementCount = 0;
  let literalCount = 0;
  for (let current = from; current < to; current++) {
    const kind = tokens.kinds[current]!;
    if (beginsCollection(tokens, current)) current += 2;
    else if (kind === NUMBER_KIND || kind === TEXT_KIND) literalCount++;
    else if (kind === NAME_KIND && STATEMENT_KEYWORDS.has(tokens.hashes[current]!)) statementCount++;
    // `type` begins a declaration only if a name follows it, as in `type Options = …`.
    else if (kind === NAME_KIND && tokens.hashes[current] === TYPE_HASH && tokens.kinds[current + 1] === NAME_KIND)
      statementCount--;
    else if (kind === NAME_KIND && STYLE_FUNCTIONS.has(tokens.hashes[current]!) && tokens.kinds[current - 1] === EQUALS)
      statementCount--;
    // An assignment: `=`, but neither `==` nor `=>`, which may be one token or several.
    else if (
      kind === EQUALS &&
      tokens.kinds[current + 1] !== EQUALS &&
      tokens.kinds[current - 1] !== EQUALS &&
      tokens.hashes[current] === ASSIGN_HASH
    )
      actionCount++;
    else if (kind === ROUND_BRACKET && tokens.kinds[current - 1] === NAME_KIND) actionCount++;
  }
  return (
    actionCount >= MIN_ACTIONS * (to - from) &&
    statementCount >= MIN_STATEMENTS * (to - from) &&
    literalCount <= MAX_LITERALS * (to - from)
  );
}

/**
 * True at the `new` of `new Set([` or another class with a list: a list of data in another form, which neither calls
 * nor decides anything.
 */
function beginsCollection({ kinds, hashes }: Tokens, index: number): boolean {
  return (
    hashes[index] === NEW_HASH &&
    kinds[index + 1] === NAME_KIND &&
    kinds[index + 2] === ROUND_BRACKET &&
    kinds[index + 3] === SQUARE_BRACKET
  );
}
