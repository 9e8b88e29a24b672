// Finds definitions and where they end by layout alone, in any language that is indented.

const MAX_LINES = 70;
const MAX_CODE = 2_200;
const MIN_CODE = 40;
const keyword =
  /\b(function|def|defp|defmacro|fn|func|fun|class|interface|struct|enum|trait|impl|type|module|object|sub|public|private|protected|internal|static|const|let|var|val|export|async|void|abstract|override|template|typedef|data|newtype|instance|protocol|extension|actor|init|namespace|record|local|defmodule)\b/;
const callable = /^\s*[\w$<>[\]:*&?,.~\s]+\(/;
const haskellSignature = /^[a-z_][\w']*\s*::/;
const notDefinition =
  /^\s*(if|else|for|while|switch|return|case|import|from|using|use|package|#|require|assert|throw|raise|await|yield|break|continue|try|catch)\b/;
const ending = /^\s*([}\])]|end\b)/;

/** Does a definition begin here? */
export function beginsDefinition(line: string): boolean {
  return !notDefinition.test(line) && (keyword.test(line) || callable.test(line) || haskellSignature.test(line));
}

/** Decorators, attributes and the like, which stand between a comment and its definition. */
export function isDecoration(line: string): boolean {
  return /^\s*(@[\w.]+(\(.*\)?)?\s*$|@spec\b|#!?\[|\[[A-Z]\w*.*\]\s*$|template\s*<.*>\s*$|\{-#)/.test(line);
}

export function indentOf(line: string): number {
  let width = 0;
  for (const char of line) {
    if (char === ' ') width++;
    else if (char === '\t') width += 4;
    else break;
  }
  return width;
}

/** Index behind the last line of the definition that begins at `start`. */
export function endOfBlock(lines: readonly string[], start: number): number {
  const base = indentOf(lines[start]!);
  const first = haskellSignature.exec(lines[start]!)?.[0].split(/\s|::/)[0];
  let end = start + 1;
  for (; end < lines.length && end - start < MAX_LINES; end++) {
    const line = lines[end]!;
    if (line.trim() === '' || indentOf(line) > base) continue;
    if (first && line.startsWith(`${first} `)) continue;
    if (ending.test(line) || /^\s*(\{|where\b|else\b|\)|\|)/.test(line)) {
      // `} else {` and `) {` go on; `}` alone, `};`, `end` are the end.
      if (/^\s*(\}[;,)]*|end[;,)]*|\}\);?|\]\)?[;,]?)\s*$/.test(line)) return end + 1;
      continue;
    }
    break;
  }
  return end;
}

/** Text of some lines when it is neither a scrap nor a book. */
export function codeOf(lines: readonly string[], start: number, end: number): string | null {
  const code = lines.slice(start, end).join('\n').slice(0, MAX_CODE);
  return code.trim().length >= MIN_CODE ? code : null;
}

const namePattern =
  /\b(?:function\*?|defp?|defmacro|fn|func|fun|class|interface|struct|enum|trait|impl|type|module|object|protocol|extension|defmodule|record|const|let|var|val|data|newtype|local)\s+(?:\([^)]*\)\s*)?(?:self\.)?([A-Za-z_$][\w$.:]*)|([A-Za-z_$][\w$]*)\s*(?:<[^>]*>)?\(/;

/** The name that a line defines, without what qualifies it. */
export function nameIn(line: string): string | null {
  const match = namePattern.exec(line);
  const found = match?.[1] ?? match?.[2] ?? haskellSignature.exec(line)?.[0].split(/\s|::/)[0];
  return (
    found
      ?.split(/[.:]+/)
      .filter((part) => part !== '' && part !== 'function')
      .pop() ?? null
  );
}
