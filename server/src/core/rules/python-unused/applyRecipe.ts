// remove-python-import: removes a name from an import statement of Python, or the whole statement if it is the only one.

import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { applyReplacements, type Replacement } from '../../propose/textEdit.ts';
import { STANDARD_MODULES } from '../../syntax/python/standardModules.ts';

/** An import statement. Offsets are in UTF-16 units; `end` is exclusive, and before the line break. */
interface ImportStatement {
  readonly start: number;
  readonly end: number;
  /** The module of `from MODULE import …`; null for `import …`. */
  readonly module: string | null;
  readonly names: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

/** Matches an import statement from the start of its line: the module, and the names without or with parentheses. */
const STATEMENT_PATTERN = /[ \t]*(?:from[ \t]+([.\w]+)[ \t]+)?import\b[ \t]*(\([^()]*\)|[^\r\n]*)/y;
/** Matches an imported name, with its other name if it has one. */
const NAME_PATTERN = /[\w.]+(?:\s+as\s+\w+)?/g;

/**
 * Removes the import. Refuses if its module is not of the standard library, if the statement has a comment, a semicolon
 * or a line continuation, or if nothing else is in its block.
 */
export function applyRecipe({ text, opportunity }: RecipeContext): RecipeOutcome {
  const { startLine, startColumn } = opportunity.nameRange;
  const offset = findLineStart(text, startLine) + startColumn - 1;
  const statement = findStatement(text, startLine, offset);
  const index = statement?.names.findIndex(({ start, end }) => start <= offset && offset < end) ?? -1;
  const name = statement?.names[index];
  if (!statement || !name) return refuse('There is no longer such an import here.');
  if (/[#;\\*]/.test(text.slice(statement.start, statement.end)))
    return refuse('A comment, a semicolon, a star or a line continuation is in the statement.');
  const [importedName = ''] = name.text.split(/\s+as\s+/);
  const [packageName = ''] = (statement.module ?? importedName).split('.');
  if (!STANDARD_MODULES.has(packageName))
    return refuse('The module is not of the standard library, so its import may have an effect.');
  const isWhole = statement.names.length === 1;
  if (isWhole && isAloneInBlock(text, statement)) return refuse('Nothing else is in the block of the import.');
  const removal = isWhole ? removeStatement(text, statement) : removeName(statement, index);
  const boundName = name.text.split(/\s+as\s+/).at(-1) ?? importedName;
  return {
    text: applyReplacements(text, [removal]),
    title: `remove the unused import of ${boundName}`,
    rationale: `Nothing in the file uses \`${boundName}\`.`,
  };
}

/** The import statement that contains the offset. It begins in this line (1-based) or above. */
function findStatement(text: string, line: number, offset: number): ImportStatement | null {
  for (let statementLine = line; statementLine > 0; statementLine -= 1) {
    const start = findLineStart(text, statementLine);
    STATEMENT_PATTERN.lastIndex = start;
    const match = STATEMENT_PATTERN.exec(text);
    if (!match) continue;
    const { 0: matchedText, 1: module = null, 2: list = '' } = match;
    const end = start + matchedText.trimEnd().length;
    if (offset >= end) return null;
    const listStart = start + matchedText.length - list.length;
    const names = [...list.matchAll(NAME_PATTERN)].map(({ 0: name, index }) => ({
      start: listStart + index,
      end: listStart + index + name.length,
      text: name,
    }));
    return { start, end, module, names };
  }
  return null;
}

/** Removes a name with the comma and the blanks that separate it from its neighbour. */
function removeName({ names }: ImportStatement, index: number): Replacement {
  const next = names[index + 1];
  return next
    ? { start: names[index]!.start, end: next.start, text: '' }
    : { start: names[index - 1]!.end, end: names[index]!.end, text: '' };
}

/**
 * Removes the lines of the statement. Of the blank lines before and after it, the larger group stays; at the start of
 * the file, none.
 */
function removeStatement(text: string, { start, end }: ImportStatement): Replacement {
  const [lineEnd = ''] = /^[ \t]*(?:\r\n|\r|\n)?/.exec(text.slice(end)) ?? [];
  const linesAfter = text.slice(end + lineEnd.length).match(/^(?:[ \t]*(?:\r\n|\r|\n))*/)?.[0] ?? '';
  const blankLinesAfter = linesAfter.match(/[ \t]*(?:\r\n|\r|\n)/g) ?? [];
  const linesBefore = text
    .slice(0, start)
    .split(/\r\n|\r|\n/)
    .slice(0, -1);
  const blankCountBefore = linesBefore.length - 1 - linesBefore.findLastIndex((line) => line.trim() !== '');
  const removedLines = blankLinesAfter.slice(0, start === 0 ? blankLinesAfter.length : blankCountBefore);
  return { start, end: end + lineEnd.length + removedLines.join('').length, text: '' };
}

/** True if the statement is indented, follows the line that opens its block, and ends that block. */
function isAloneInBlock(text: string, { start, end }: ImportStatement): boolean {
  const indentOf = (line: string) => line.search(/\S/);
  const isCode = (line: string) => /^\s*[^\s#]/.test(line);
  const indent = indentOf(text.slice(start));
  if (indent === 0) return false;
  const previousLine =
    text
      .slice(0, start)
      .split(/\r\n|\r|\n/)
      .findLast(isCode) ?? '';
  const nextLine =
    text
      .slice(end)
      .split(/\r\n|\r|\n/)
      .slice(1)
      .find(isCode) ?? '';
  return indentOf(previousLine) < indent && indentOf(nextLine) < indent;
}

/** The offset at which a line (1-based) starts. */
function findLineStart(text: string, line: number): number {
  const lineEnds = [...text.matchAll(/\r\n|\r|\n/g)];
  const lineEnd = lineEnds[line - 2];
  return lineEnd ? lineEnd.index + lineEnd[0].length : 0;
}
