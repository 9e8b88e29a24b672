// Parses the statements of Python tests from their text, and splits expressions at separators outside of all brackets.

/** A statement of a test function. */
export interface PythonStatement {
  /** The statement without differences of layout and quotes. */
  readonly text: string;
  /** The text in which all strings and comments are masked, at the same offsets. */
  readonly code: string;
  /** The original code, on one line. */
  readonly shown: string;
  /** 1-based number of the line on which the statement begins. */
  readonly line: number;
  /** The classes around the test function and its name, joined by dots. */
  readonly test: string;
}

/** An expression, and the same text with its strings masked. */
export interface PythonCode {
  readonly text: string;
  readonly code: string;
}

/** Matches strings and comments. Triple quotes come first, because they begin like an empty string. */
const QUOTED_PATTERN =
  /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*(?:"|\\?$)|'(?:\\.|[^'\\\n])*(?:'|\\?$)|#[^\n]*/gm;
/** Replaces the characters of strings. */
const STRING_MASK = '§';
/** Matches spaces and commas that have no meaning. */
const NEEDLESS_PATTERN = /(?<=[([{]) | (?=[)\]},:])|,(?= ?[)\]}])/g;

/** The statements in functions whose name begins with `test` in any letter case, in the order of the text. */
export function splitTestStatements(text: string): readonly PythonStatement[] {
  const masked = removeStrings(text);
  const scopes: { readonly indent: number; readonly kind: string; readonly name: string }[] = [];
  return findLogicalLines(masked).flatMap(({ from, to, line }) => {
    const code = masked.slice(from, to);
    if (code.trim() === '') return [];
    const indent = code.search(/\S/);
    while (scopes.length > 0 && scopes.at(-1)!.indent >= indent) scopes.pop();
    const test = findTestPath(scopes);
    const [, kind, name] = /^\s*(?:async\s+)?(class|def)\s+(\w+)/.exec(code) ?? [];
    if (kind !== undefined && name !== undefined) scopes.push({ indent, kind, name });
    if (test === null) return [];
    const shown = text
      .slice(from, to)
      .split('\n')
      .map((line) => line.trim())
      .join(' ')
      .trim();
    return [{ ...normalise(text.slice(from, to), code), shown, line, test }];
  });
}

/**
 * All statements of a text, without differences of layout and quotes. Compound statements end after their colon. Null
 * if the brackets do not match.
 */
export function parsePythonStatements(text: string): readonly PythonCode[] | null {
  const masked = removeStrings(text);
  let depth = 0;
  for (const [bracket] of masked.matchAll(/[()[\]{}]/g)) {
    depth += '([{'.includes(bracket) ? 1 : -1;
    if (depth < 0) return null;
  }
  if (depth > 0) return null;
  return findLogicalLines(masked)
    .map(({ from, to }) => normalise(text.slice(from, to), masked.slice(from, to)))
    .filter(({ code }) => code !== '');
}

/**
 * Returns a function that returns the statement around an offset, from its beginning up to the offset, with strings
 * masked.
 */
export function createStatementHeadLookup(text: string): (offset: number) => string {
  const masked = removeStrings(text);
  const lines = findLogicalLines(masked);
  return (offset) => {
    const enclosingLine = lines.find(({ from, to }) => from <= offset && offset <= to);
    return enclosingLine ? masked.slice(enclosingLine.from, offset) : '';
  };
}

/** Returns the text in which strings are masked and comments are blank, at the same offsets. */
function removeStrings(text: string): string {
  return text.replace(QUOTED_PATTERN, (token) => (token.startsWith('#') ? ' ' : STRING_MASK).repeat(token.length));
}

/** Splits an expression at the separators outside of all brackets. */
export function splitAt({ text, code }: PythonCode, separator: RegExp): readonly PythonCode[] {
  const flat = removeBrackets(code);
  const parts: PythonCode[] = [];
  let from = 0;
  for (const match of flat.matchAll(new RegExp(separator, 'g'))) {
    parts.push(trimExpression({ text: text.slice(from, match.index), code: code.slice(from, match.index) }));
    from = match.index + match[0].length;
  }
  return [...parts, trimExpression({ text: text.slice(from), code: code.slice(from) })];
}

/** Returns the code with the same length, in which the content of brackets is masked. */
export function removeBrackets(code: string): string {
  let depth = 0;
  return code.replace(/[^]/g, (character) => {
    if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
    const visible = depth === 0 ? character : STRING_MASK;
    if ('([{'.includes(character)) depth++;
    return visible;
  });
}

/** Returns the expression without spaces and brackets around it. */
export function trimExpression(expression: PythonCode): PythonCode {
  const inner = removeEnds(expression);
  const isInBrackets = /^\(§*\)$/.test(removeBrackets(inner.code)) && !hasComma(inner.code);
  return isInBrackets ? trimExpression({ text: inner.text.slice(1, -1), code: inner.code.slice(1, -1) }) : inner;
}

/** True for a tuple: it has a comma directly within the outermost brackets. */
function hasComma(code: string): boolean {
  return removeBrackets(code.slice(1, -1)).includes(',');
}

/** The starts and ends of the lines of statements. A line does not end in a bracket or after a backslash. */
function findLogicalLines(
  masked: string,
): readonly { readonly from: number; readonly to: number; readonly line: number }[] {
  const logicalLines: { from: number; to: number; line: number }[] = [];
  let [from, line, lines, depth] = [0, 1, 1, 0];
  // The end of the text ends the last statement.
  for (const { 0: token, index } of `${masked}\n`.matchAll(/[()[\]{}\n]/g)) {
    if ('([{'.includes(token)) depth++;
    else if (token !== '\n') depth = Math.max(0, depth - 1);
    else {
      lines++;
      if (depth > 0 || masked[index - 1] === '\\') continue;
      logicalLines.push({ from, to: index, line });
      [from, line] = [index + 1, lines];
    }
  }
  return logicalLines;
}

/** A statement of a file, with its indentation. */
export interface PythonLine extends PythonCode {
  readonly indent: number;
  /** 1-based line number. */
  readonly line: number;
}

/** All statements of a text with their indentation, without differences of layout and quotes and without comments. */
export function listPythonLines(text: string): readonly PythonLine[] {
  const masked = removeStrings(text);
  return findLogicalLines(masked).flatMap(({ from, to, line }) => {
    const code = masked.slice(from, to);
    const indent = code.search(/\S/);
    return indent < 0 ? [] : [{ ...normalise(text.slice(from, to), code), indent, line }];
  });
}

/** The path of the classes and the outermost function if that function is a test; otherwise null. */
function findTestPath(scopes: readonly { readonly kind: string; readonly name: string }[]): string | null {
  const index = scopes.findIndex(({ kind }) => kind === 'def');
  const names = scopes.slice(0, index + 1).map(({ name }) => name);
  return /^test/i.test(names.at(-1) ?? '') ? names.join('.') : null;
}

/** Joins lines, unifies quotes, and removes needless spaces and trailing commas, in both the text and the code. */
function normalise(text: string, code: string): PythonCode {
  let [shortText, shortCode] = ['', ''];
  // A piece is a string, spaces, or anything else.
  for (const { 0: piece, index } of code.matchAll(/§+|[\s\\]+|[^§\s\\]+/g)) {
    const isBlank = /^[\s\\]/.test(piece);
    shortText += isBlank ? ' ' : text.slice(index, index + piece.length).replaceAll('"', "'");
    shortCode += isBlank ? ' ' : piece;
  }
  let [keptText, keptCode, from] = ['', '', 0];
  for (const { 0: match, index } of shortCode.matchAll(NEEDLESS_PATTERN)) {
    keptText += shortText.slice(from, index);
    keptCode += shortCode.slice(from, index);
    from = index + match.length;
  }
  return removeEnds({ text: keptText + shortText.slice(from), code: keptCode + shortCode.slice(from) });
}

/** The expression without spaces around it. */
function removeEnds({ text, code }: PythonCode): PythonCode {
  const from = code.length - code.trimStart().length;
  const to = code.trimEnd().length;
  return { text: text.slice(from, to), code: code.slice(from, to) };
}
