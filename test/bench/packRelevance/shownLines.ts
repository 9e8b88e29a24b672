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
const AGREEING = 4;
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
export function shownBy(text: string, texts: ReadonlyMap<string, string>): Shown {
  const lines = new Map<string, Set<number>>();
  const spent: Spent = { headings: 0, bodies: 0, boilerplate: 0, outlines: 0, memory: 0 };
  const at = text.startsWith(REPOSITORY) ? 0 : text.indexOf(`\n${REPOSITORY}`) + 1;
  const hasRepository = at > 0 || text.startsWith(REPOSITORY);
  spent.memory = estimateTokens(hasRepository ? at : text.length);
  const [head = [], ...sections] = hasRepository ? sectionsOf(text.slice(at), texts) : [];
  spent.headings += tokensOf(head);
  let emptyHeadings = 0;
  for (const [heading = '', ...body] of sections) {
    spent.headings += tokensOf([heading]);
    const path = heading.slice(3);
    const whole = linesOf(texts.get(path)!);
    const found = align(body, whole);
    const boilerplate = boilerplateOf(whole);
    const kinds = { bodies: [] as string[], boilerplate: [] as string[], outlines: [] as string[] };
    body.forEach((line, index) => {
      const number = found[index];
      kinds[number == null ? 'outlines' : boilerplate.has(number) ? 'boilerplate' : 'bodies'].push(line);
    });
    for (const kind of ['bodies', 'boilerplate', 'outlines'] as const) spent[kind] += tokensOf(kinds[kind]);
    lines.set(path, new Set(found.filter((number) => number !== null)));
    if (body.every((line) => line.trim() === '')) emptyHeadings++;
  }
  return { lines, spent, headings: sections.length, emptyHeadings };
}

/** The lines of a text, without an empty one after the last line break. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** The lines before the first heading of a file, and those of each file with its heading. */
function sectionsOf(text: string, texts: ReadonlyMap<string, string>): string[][] {
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
function align(shown: readonly string[], whole: readonly string[]): (number | null)[] {
  let next = 0;
  return shown.map((line, index) => {
    let best: number | null = null;
    let mostAgreeing = 0;
    for (let at = next; at < whole.length && mostAgreeing < AGREEING; at++) {
      if (!isSame(line, whole[at]!)) continue;
      let agreeing = 1;
      while (
        agreeing < AGREEING &&
        index + agreeing < shown.length &&
        isSame(shown[index + agreeing]!, whole[at + agreeing] ?? '')
      )
        agreeing++;
      if (agreeing > mostAgreeing) [best, mostAgreeing] = [at, agreeing];
    }
    if (best === null) return null;
    next = best + 1;
    return next;
  });
}

/** True if a shown line is the line of the file, or its beginning with a mark for the cut. */
function isSame(shown: string, line: string): boolean {
  return shown === line || (shown.length > 1 && shown.endsWith(CUT) && line.startsWith(shown.slice(0, -1)));
}

/** Numbers of the lines of the licence at the top, and of imports. */
function boilerplateOf(lines: readonly string[]): ReadonlySet<number> {
  const boilerplate = new Set<number>();
  const code = lines.findIndex((line) => !COMMENT.test(line));
  const top = lines.slice(0, Math.max(0, code));
  if (LICENCE.test(top.join('\n'))) top.forEach((_, index) => boilerplate.add(index + 1));
  lines.forEach((line, index) => {
    if (IMPORT.test(line)) boilerplate.add(index + 1);
  });
  return boilerplate;
}

function tokensOf(lines: readonly string[]): number {
  return estimateTokens(lines.reduce((sum, line) => sum + line.length + 1, 0));
}
