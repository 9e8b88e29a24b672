// Finds assertions in Python tests that newly demand less: a comparison with a value became a check for truth.

import type { FoundChange } from './compareCases.ts';

/** An assertion as a person wrote it, on one line. */
interface PythonAssertion {
  readonly text: string;
  readonly line: number;
  /** How much it demands: exactly one value, or hardly anything. Others, such as limits, are left out. */
  readonly demands: 'value' | 'little';
}

/** Matches strings and comments. Triple quotes come first, because they begin like an empty string. */
const QUOTED = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*(?:"|\\?$)|'(?:\\.|[^'\\\n])*(?:'|\\?$)|#[^\n]*/gm;
/** Matches the beginning of an assertion: the statement, or a method of unittest. */
const BEGINS = /^[ \t]*(?:assert\b|(?:self|cls)\.assert\w+(?=\())/;
/** Matches methods that demand one value. */
const DEMANDS_VALUE =
  /\.assert(?:Equals?|(?:List|Tuple|Set|Dict|Sequence|MultiLine|Count)Equal|Is|IsNone|AlmostEqual|RaisesRegex)\(/;
/** Matches methods that demand hardly anything of a value. */
const DEMANDS_LITTLE = /\.assert(?:True|False|_|IsNotNone|IsNot|NotEquals?|IsInstance|Raises)\(/;
/** Matches a comparison with one value. */
const COMPARES = /==|\bis\b(?!\s+not\b)/;
/** Matches any other comparison, which demands more than truth. */
const LIMITS = /[<>]|\bin\b|\b(?:all|any|startswith|endswith|match|search|fullmatch|approx)\b/;
/** Maximum number of lines of one assertion. */
const MAX_LINES = 40;

/**
 * The first assertion on a value that is gone, with the first new one that demands little, for a file in which the
 * former became fewer and the latter more. Null if that is not so, and for an assertion that only moved.
 */
export function loosenedInPython(path: string, before: string, after: string): FoundChange | null {
  const [olds, currents] = [assertionsIn(before), assertionsIn(after)];
  const lost = without(olds, currents);
  const gained = without(currents, olds);
  const countOf = (side: readonly PythonAssertion[], demands: PythonAssertion['demands']) =>
    side.filter((one) => one.demands === demands).length;
  if (countOf(currents, 'value') >= countOf(olds, 'value')) return null;
  if (countOf(currents, 'little') <= countOf(olds, 'little')) return null;
  const old = lost.find(({ demands }) => demands === 'value');
  const current = gained.find(({ demands }) => demands === 'little');
  if (!old || !current) return null;
  return { kind: 'loosened', path, line: old.line, test: '', before: old.text, after: current.text };
}

/** Those of `side` that do not occur in `other`, by their text and as often as they occur. */
function without(side: readonly PythonAssertion[], other: readonly PythonAssertion[]): readonly PythonAssertion[] {
  const left = other.map(({ text }) => text);
  return side.filter(({ text }) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The assertions of a text that demand one value or hardly anything. */
function assertionsIn(text: string): readonly PythonAssertion[] {
  const lines = text.split('\n');
  // Blanks keep the lines and the columns.
  const code = text.replace(QUOTED, (found) => found.replace(/[^\n]/g, (_, at) => (at === 0 ? '0' : ' '))).split('\n');
  return code.flatMap((line, at) => {
    if (!BEGINS.test(line)) return [];
    const end = endOf(code, at);
    const demands = demandsOf(code.slice(at, end).join(' '));
    const shown = lines
      .slice(at, end)
      .map((one) => one.trim())
      .join(' ');
    return demands === null ? [] : [{ text: shown, line: at + 1, demands }];
  });
}

/** The line after the assertion that begins at a line: where all brackets are closed. */
function endOf(code: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < Math.min(code.length, from + MAX_LINES); at++) {
    const line = code[at]!;
    depth += (line.match(/[([{]/g)?.length ?? 0) - (line.match(/[)\]}]/g)?.length ?? 0);
    if (depth <= 0 && !line.trimEnd().endsWith('\\')) return at + 1;
  }
  return Math.min(code.length, from + MAX_LINES);
}

function demandsOf(code: string): PythonAssertion['demands'] | null {
  if (DEMANDS_VALUE.test(code)) return 'value';
  const isTruth = DEMANDS_LITTLE.test(code) || /^\s*assert\b/.test(code);
  if (!isTruth) return null;
  if (/\.assert(?:Equals?|Not\w*|IsNot\w*|IsInstance|Raises)\(/.test(code)) return 'little';
  if (COMPARES.test(code)) return 'value';
  return LIMITS.test(code) ? null : 'little';
}
