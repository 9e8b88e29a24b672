// Finds the places at which Python code skips tests, and compares these places before and after a change.

import { parsePythonStatements, type PythonLine } from './pythonStatements.ts';

/** A statement or decorator that skips a test, or lets it fail. */
export interface Skip {
  /** 1-based line number. */
  readonly line: number;
  readonly text: string;
  /** The text without its reason. */
  readonly key: string;
  /** The conditions and loops around it, outermost last. */
  readonly guards: readonly string[];
}

/** Matches code that skips a test, or lets it fail. Strings are masked in this code. */
const SKIP_PATTERN =
  /\b(?:mark|pytest|unittest)\.(?:skip(?:if|If|Unless)?|xfail|importorskip|expectedFailure|SkipTest)\b|\bskipTest\(|\braise SkipTest\b|^ *@(?:skip(?:if|If|Unless)?|xfail|expectedFailure)\b|^skip\((?:reason ?= ?)?[rbuf]{0,2}§/m;
/** Matches a mark that is given by its name, in text whose quotes are unified. */
const NAMED_MARK_PATTERN = /\.add_marker\('(?:skip|xfail)'/;
/** The source of a pattern for strings that follow each other, in code whose strings are masked. */
const STRINGS_SOURCE = '[rbuf]{0,2}§+(?: [rbuf]{0,2}§+)*';
/** Matches the reason at the end of a call, in code whose strings are masked. */
const REASON_PATTERN = new RegExp(
  String.raw`(?:, ?(?:reason|msg) ?= ?|(?<=\b(?:skip|skipTest|SkipTest|xfail)\()(?:(?:reason|msg) ?= ?)?)` +
    String.raw`${STRINGS_SOURCE}(?=\)+\]?$)|, ?${STRINGS_SOURCE}(?=\)\]?$)`,
  'i',
);
/** Matches the beginning of a statement that determines whether its body runs. */
const GUARDING_STATEMENT_PATTERN = /^(?:if|elif|else|for|while|try|except|with|async (?:for|with))\b/;
/** Matches a mark without a condition, as a key. */
const ALWAYS_PATTERN = /^(?:@|(?:pytestmark|marks) ?= ?\[?)(?:\w+\.)*skip\]?$/;

/** True for code, with its strings masked, that skips a test. */
export function isSkip({ text, code }: Pick<PythonLine, 'text' | 'code'>): boolean {
  return SKIP_PATTERN.test(code) || NAMED_MARK_PATTERN.test(text);
}

/** The places in these statements that skip a test. */
export function readSkips(lines: readonly PythonLine[]): readonly Skip[] {
  return lines.flatMap((line, index) =>
    isSkip(line)
      ? [{ line: line.line, text: line.text, key: removeReason(line), guards: listGuards(lines, index) }]
      : [],
  );
}

/**
 * The places that skip more than the places before: each old place matches one with the same text and at least the same
 * conditions around it.
 */
export function findAddedSkips(before: readonly Skip[], after: readonly Skip[]): readonly Skip[] {
  const unmatched = [...before];
  return after.filter(({ key, guards }) => {
    const index = unmatched.findIndex((old) => old.key === key && old.guards.every((guard) => guards.includes(guard)));
    if (index >= 0) unmatched.splice(index, 1);
    return index < 0;
  });
}

/** True for the key of a mark that skips in all cases. No other mark can skip more. */
export function skipsAlways(key: string): boolean {
  return ALWAYS_PATTERN.test(key);
}

/**
 * True for the text of an assignment that skips the whole file if a module is missing, regardless of who uses the name.
 */
export function skipsOnImport(text: string): boolean {
  return /^[\w, ]+ ?= ?(?:\w+\.)?importorskip\(/.test(text);
}

/** Returns the text of a mark or call without its reason, which does not affect the skip. */
export function removeReason({ text, code }: Pick<PythonLine, 'text' | 'code'>): string {
  const reason = REASON_PATTERN.exec(code);
  const end = reason ? reason.index + reason[0].length : 0;
  return (reason ? text.slice(0, reason.index) + text.slice(end) : text).replace(/\(\)(?=\]?$)/, '');
}

/** Returns an expression with its strings masked. */
export function maskExpression(text: string): Pick<PythonLine, 'text' | 'code'> {
  return parsePythonStatements(text)?.[0] ?? { text, code: text };
}

/** The conditions and loops around a statement, outermost last. */
function listGuards(lines: readonly PythonLine[], index: number): readonly string[] {
  const guards: string[] = [];
  let { indent } = lines[index]!;
  for (let lineIndex = index - 1; lineIndex >= 0 && indent > 0; lineIndex -= 1) {
    const line = lines[lineIndex]!;
    if (line.indent >= indent) continue;
    ({ indent } = line);
    if (GUARDING_STATEMENT_PATTERN.test(line.code)) guards.push(line.text);
  }
  return guards;
}
