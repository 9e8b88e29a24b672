// Patterns take linear time: four times the text, made of repeated fragments, takes no more than about four times as
// long.

import { Script, createContext } from 'node:vm';
import { expect, test } from 'vitest';
import ts from 'typescript';
import { projectFiles, read } from './sourceFiles.ts';
import { sample } from '../helpers/thorough.ts';

interface Pattern {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/**
 * Patterns that never see a long text of others, or see it where nobody waits. By the beginning or the end of the path.
 */
const bounded: Readonly<Record<string, string>> = {
  'server/src/adapters/harness/': 'runs in the sandbox, which has a deadline',
  'server/src/adapters/sandbox/isolation/': 'reads tables of the kernel and names of containers',
  'server/src/core/analysis/project/conventions.ts': 'reads paths',
  'server/src/core/analysis/script/parseScript.ts': 'reads paths',
  'server/src/core/paths/benchmarkFile.ts': 'reads paths',
  'server/src/core/paths/table/': 'reads paths',
  'server/src/core/index/graph/resolve/fileIndex.ts': 'reads paths',
  'server/src/core/index/patterns/': 'reads one line at a time, on a worker thread',
  'server/src/core/propose/': 'runs on a worker thread',
  '/applyRecipe.ts': 'runs on a worker thread',
  'server/src/core/verify/differential/': 'reads types and names, in front of a run with a deadline',
  'server/src/util/thousands.ts': 'reads the digits of a number',
};

/**
 * Characters of a short text; the long one has four times as many. A pattern with a square law takes some ten million
 * steps on the short one if its fragment has three characters, well above what counts as quick.
 */
const LENGTH = 8_000;
/** Below that a pattern is quick enough on the short text, whatever the machine is doing beside it. */
const QUICK_MS = 1;
/** A square law makes it 16. */
const MAX_GROWTH = 9;
/** How often a pattern is measured that is not quick. */
const ROUNDS = 8;
/** Processor time after which a pattern is given up. */
const MAX_MS = 500;
/** A pattern that repeats nothing takes the same time at each place of the text, so its time cannot grow faster. */
const REPEATS = /[*+{]/;
/** What texts are made of that are meant to be slow. */
const FRAGMENTS = [
  ' ',
  '\t',
  '\n',
  'a',
  '0',
  '/',
  '*',
  '/* ',
  '/**',
  '// ',
  '"',
  "'",
  '`',
  '(',
  '[',
  '{',
  '<',
  '<!--',
  '![',
  '](',
  '\\',
  '.',
  '-',
  '_',
  '#',
  ',',
  '|',
  ':',
  'a ',
  'a.',
  'a: ',
  'a(',
  'A',
  'import ',
  '<a ',
  'const a',
];

/** What follows a word of the pattern itself again and again: `import` and a page of blanks. */
const TAILS = [' ', '\n', 'a', ', '];
/** Ends what stands once, in front of what is repeated. */
const HEAD = '\u0002';

/** Texts that are tried together first: a deadline takes five times as long as a quick pattern. */
const AT_ONCE = 8;

const script = new Script(`for (const text of texts) text.replace(pattern, '')`);
/** One for all: to make a context takes longer than most patterns do. */
const tried: { pattern: RegExp; texts: readonly string[] } = { pattern: /(?:)/g, texts: [] };
const context = createContext(tried);

test('no pattern grows faster than its text', { timeout: 600_000 }, () => {
  const patterns = distinct(
    projectFiles('.ts')
      .filter((path) => /^(server|client)\/src\//.test(path))
      .filter((path) => !Object.keys(bounded).some((part) => isIn(part, path)))
      .flatMap(patternsIn)
      .filter(({ source }) => REPEATS.test(source)),
  );
  expect(patterns.length).toBeGreaterThan(300);
  const slow = patterns.flatMap((pattern) => {
    const words = own(pattern.source);
    const begun = words.flatMap((word) => TAILS.map((tail) => `${word}${HEAD}${tail}`));
    const fragment = inGroups([...FRAGMENTS, ...words, ...begun])
      .filter((group) => !isQuick(pattern, group))
      .flat()
      .find((one) => growsTooFast(pattern, one));
    return fragment === undefined
      ? []
      : [`${pattern.place} /${pattern.source}/${pattern.flags} on ${JSON.stringify(fragment)}`];
  });
  expect(slow).toEqual([]);
});

test.each(
  sample(
    [
      ['a comment without an end', '\\/\\*[^]*?\\*\\/', '/* '],
      ['blanks before an end', '\\s+$', ' '],
      ['blanks behind a word that can be read in two ways', 'import\\s+([\\w\\s]{1,600}?)\\s+from', `import${HEAD} `],
      ['a group that can be read in two ways', '^(?:a|aa)*b', 'a'],
    ],
    2,
  ),
)('it would be seen: %s', (_, source, fragment) => {
  expect(growsTooFast({ place: '', source, flags: '' }, fragment)).toBe(true);
});

test('each exemption is of something that is there', () => {
  const paths = projectFiles('.ts');
  const gone = Object.keys(bounded).filter((part) => !paths.some((path) => isIn(part, path)));
  expect(gone).toEqual([]);
});

function isIn(part: string, path: string): boolean {
  return path.startsWith(part) || path.endsWith(part);
}

function patternsIn(path: string): Pattern[] {
  const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest);
  const found: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ place: path, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function distinct(patterns: readonly Pattern[]): Pattern[] {
  return [...new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()];
}

/** The words that stand in the pattern itself, alone and with a blank. */
function own(source: string): string[] {
  const words = source.replace(/\\[bBdDwWsSpP](\{\w+\})?/g, ' ').match(/(?:\\[^\w\s]|[\w<>!@#%&=:;,'"`/ -])+/g) ?? [];
  return [...new Set(words.map((word) => word.replace(/\\(.)/g, '$1')).filter((word) => word.trim().length > 1))]
    .slice(0, 6)
    .flatMap((word) => [word, `${word} `]);
}

function inGroups(fragments: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(fragments.length / AT_ONCE) }, (_, at) =>
    fragments.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
}

/** True if the pattern is quick on all of these texts together, and so on each of them. */
function isQuick(pattern: Pattern, fragments: readonly string[]): boolean {
  return millisOf(pattern, fragments, LENGTH) < QUICK_MS;
}

/**
 * Both texts are measured in turn, and the least time of each counts: a busy machine lengthens any single run, and so
 * does the first run of a pattern, which V8 has not compiled yet.
 */
function growsTooFast(pattern: Pattern, fragment: string): boolean {
  if (isQuick(pattern, [fragment])) return false;
  let [short, long] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round += 1) {
    short = Math.min(short, millisOf(pattern, [fragment], LENGTH));
    if (short === Infinity) return true;
    if (short < QUICK_MS) return false;
    // What was given up once is not tried again.
    if (round === 0 || long < Infinity) long = Math.min(long, millisOf(pattern, [fragment], 4 * LENGTH));
  }
  return long > MAX_GROWTH * short;
}

/** Processor time of this thread in milliseconds: the time that other processes take is not counted. */
function millisOf({ source, flags }: Pattern, fragments: readonly string[], length: number): number {
  tried.pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  tried.texts = fragments.map((fragment) => textOf(fragment, length));
  return once();
}

/** The end is no end for most patterns: that is when everything has been tried. */
function textOf(fragment: string, length: number): string {
  const [head = '', repeated = ''] = fragment.includes(HEAD) ? fragment.split(HEAD) : ['', fragment];
  return `${head}${repeated.repeat(Math.ceil(length / repeated.length))}\u0001`;
}

/** The deadline of `vm` is one of the wall: on a busy machine it is doubled until the thread itself had its time. */
function once(): number {
  for (let timeout = MAX_MS; ; timeout *= 2) {
    const start = process.threadCpuUsage();
    const ended = runs(timeout);
    const { user, system } = process.threadCpuUsage(start);
    const millis = (user + system) / 1000;
    if (ended) return millis;
    if (millis > MAX_MS / 2) return Infinity;
  }
}

function runs(timeout: number): boolean {
  try {
    script.runInContext(context, { timeout });
    return true;
  } catch {
    return false;
  }
}
