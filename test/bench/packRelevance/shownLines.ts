// Determines from the text of a context pack which lines of which files it shows, and how many tokens each kind of text
// takes.

import { estimateTokens } from '../../../server/src/util/tokens.ts';

/** Tokens by kind of text. Apart from rounding, they sum to the tokens of the whole text. */
export interface Spent {
  /** Headings of files and of the parts of the pack. */
  headings: number;
  /** Lines of files, without boilerplate. */
  bodies: number;
  /** Licences and imports. */
  boilerplate: number;
  /** Names of definitions, and marks of what is left out. */
  outlines: number;
  /** Working and episodic memory: the task and recalled episodes. */
  memory: number;
}

/** The content of the text of a pack. */
export interface Shown {
  /** Numbers of the shown lines, by path. */
  readonly lines: ReadonlyMap<string, ReadonlySet<number>>;
  readonly spent: Spent;
  /** Headings of files, and those with no line and no name below. */
  readonly headings: number;
  readonly emptyHeadings: number;
}

const REPOSITORY = '# Repository';
const CUT = '…';
/** Number of consecutive equal lines from which on a shown line counts as identified in its file. */
const MIN_AGREEING = 4;
const IMPORTS = [
  ...[
    'import\\b',
    'from \\S+ import\\b',
    '#\\s*include\\b',
    '(?:pub )?use \\w',
    'using [\\w.]+;',
    'package [\\w.]+;?$',
  ],
  ...['export .* from ', '(?:const|let|var) .*=\\s*require\\('],
];
const IMPORT = new RegExp(`^\\s*(?:${IMPORTS.join('|')})`);
const COMMENT = /^\s*(?:$|\/\/|\/\*|\*|#(?!\s*include)|"""|<!--)/;
const LICENCE = /copyright|licen[cs]e|spdx/i;

/** Analyses the text of a pack. `texts`: the files from which the pack was made, by path. */
export function readShown(text: string, texts: ReadonlyMap<string, string>): Shown {
  const lines = new Map<string, Set<number>>();
  const spentTokens: Spent = { headings: 0, bodies: 0, boilerplate: 0, outlines: 0, memory: 0 };
  const repositoryStart = text.startsWith(REPOSITORY) ? 0 : text.indexOf(`\n${REPOSITORY}`) + 1;
  const hasRepository = repositoryStart > 0 || text.startsWith(REPOSITORY);
  spentTokens.memory = estimateTokens(hasRepository ? repositoryStart : text.length);
  const [head = [], ...sections] = hasRepository ? splitSections(text.slice(repositoryStart), texts) : [];
  spentTokens.headings += countTokens(head);
  let emptyHeadings = 0;
  for (const [heading = '', ...body] of sections) {
    spentTokens.headings += countTokens([heading]);
    const path = heading.slice(3);
    const fileLines = splitLines(texts.get(path)!);
    const lineNumbers = alignLines(body, fileLines);
    const boilerplate = findBoilerplate(fileLines);
    const kinds = { bodies: [] as string[], boilerplate: [] as string[], outlines: [] as string[] };
    body.forEach((line, index) => {
      const number = lineNumbers[index];
      kinds[number == null ? 'outlines' : boilerplate.has(number) ? 'boilerplate' : 'bodies'].push(line);
    });
    for (const kind of ['bodies', 'boilerplate', 'outlines'] as const) spentTokens[kind] += countTokens(kinds[kind]);
    lines.set(path, new Set(lineNumbers.filter((number) => number !== null)));
    if (body.every((line) => line.trim() === '')) emptyHeadings++;
  }
  return { lines, spent: spentTokens, headings: sections.length, emptyHeadings };
}

/** The lines of a text, without an empty one after the last line break. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** The lines before the first heading of a file, and those of each file with its heading. */
function splitSections(text: string, texts: ReadonlyMap<string, string>): string[][] {
  const sections: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (line.startsWith('## ') && texts.has(line.slice(3))) sections.push([]);
    sections.at(-1)!.push(line);
  }
  return sections;
}

/**
 * The number in the file of each shown line, in ascending order; null for lines that are not in the file. Of several
 * equal lines, it takes the one at which most following lines agree.
 */
function alignLines(shown: readonly string[], fileLines: readonly string[]): (number | null)[] {
  let nextIndex = 0;
  return shown.map((line, index) => {
    let bestIndex: number | null = null;
    let mostAgreeing = 0;
    for (let lineIndex = nextIndex; lineIndex < fileLines.length && mostAgreeing < MIN_AGREEING; lineIndex++) {
      if (!isSameLine(line, fileLines[lineIndex]!)) continue;
      let agreeingCount = 1;
      while (
        agreeingCount < MIN_AGREEING &&
        index + agreeingCount < shown.length &&
        isSameLine(shown[index + agreeingCount]!, fileLines[lineIndex + agreeingCount] ?? '')
      )
        agreeingCount++;
      if (agreeingCount > mostAgreeing) [bestIndex, mostAgreeing] = [lineIndex, agreeingCount];
    }
    if (bestIndex === null) return null;
    nextIndex = bestIndex + 1;
    return nextIndex;
  });
}

/** True if a shown line is the line of the file, or its beginning with a mark for the cut. */
function isSameLine(shown: string, line: string): boolean {
  return shown === line || (shown.length > 1 && shown.endsWith(CUT) && line.startsWith(shown.slice(0, -1)));
}

/** Numbers of the lines of the licence at the top, and of imports. */
function findBoilerplate(lines: readonly string[]): ReadonlySet<number> {
  const boilerplate = new Set<number>();
  const code = lines.findIndex((line) => !COMMENT.test(line));
  const top = lines.slice(0, Math.max(0, code));
  if (LICENCE.test(top.join('\n'))) top.forEach((_, index) => boilerplate.add(index + 1));
  lines.forEach((line, index) => {
    if (IMPORT.test(line)) boilerplate.add(index + 1);
  });
  return boilerplate;
}

function countTokens(lines: readonly string[]): number {
  return estimateTokens(lines.reduce((sum, line) => sum + line.length + 1, 0));
}
