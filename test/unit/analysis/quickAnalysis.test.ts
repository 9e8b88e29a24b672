// Analysis while a person types finds what a full analysis finds, and places that were known stay where they belong.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyseSource, type SourceInput } from '../../../server/src/core/analysis/analyse.ts';
import { runs } from '../../helpers/properties.ts';
import { createQuickAnalysis } from '../../../server/src/core/analysis/live/quickAnalysis.ts';
import { moveOpportunities, findChange } from '../../../server/src/core/analysis/live/textChange.ts';
import { CHECKED_RULES } from '../../../server/src/core/analysis/rules.ts';
import type { Opportunity } from '../../../server/src/core/model.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'server', 'src', 'core', 'propose');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(folder, name), 'utf8'));
const pieces = [
  'a',
  ' ',
  '\n',
  '{',
  '}',
  '(',
  'if (x) ',
  'else { return 1; }',
  "'",
  '`',
  '/*',
  '//',
  '/** Doc. */\n',
  'export ',
  'await ',
  '😀',
  '\r\n',
  'class A { b() { c(); } }\n',
  'import { d } from "e";\n',
  '=> ',
  '<T>',
  '',
];

const input = (text: string): SourceInput => ({
  path: 'src/a.ts',
  text,
  language: 'typescript',
  tree: null,
  symbols: null,
  generated: false,
});

/** Rules whose findings rest on the statement that they are in, whatever stands elsewhere. */
const ownRules = new Set([
  'cognitive-complexity',
  'deep-nesting',
  'long-function',
  'many-parameters',
  'complex-condition',
  'else-after-return',
  'nested-if',
  'undocumented-export',
  'large-file',
  'unreachable-code',
  'suppression-without-reason',
]);
const own = (opportunities: readonly Opportunity[]) => opportunities.filter(({ rule }) => ownRules.has(rule));

test('after any edits: the same figures as a full analysis, and the same opportunities as far as they rest on their own statement', () => {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.nat(40),
    insert: fc.constantFrom(...pieces),
  });
  let changed = 0;
  fc.assert(
    fc.property(fc.constantFrom(...sources), fc.array(edit, { minLength: 1, maxLength: 8 }), (source, edits) => {
      const quick = createQuickAnalysis();
      quick(input(source));
      let text = source;
      for (const { at, remove, insert } of edits) {
        const start = Math.floor(at * text.length);
        text = text.slice(0, start) + insert + text.slice(start + remove);
        changed++;
        const { functions, opportunities, trouble } = quick(input(text));
        const full = analyseSource(input(text));
        expect({ functions, trouble }).toEqual({
          functions: full.functions.filter(({ kind }) => kind !== 'topLevel'),
          trouble: full.trouble,
        });
        expect(own(opportunities)).toEqual(own(full.opportunities));
      }
    }),
    runs(30),
  );
  expect(changed).toBeGreaterThan(30);
});

test('a text that is seen for the first time: all that a full analysis finds without the checker', () => {
  for (const source of sources) {
    const { opportunities } = createQuickAnalysis()(input(source));
    expect(opportunities).toEqual(
      analyseSource(input(source)).opportunities.filter(({ rule }) => !CHECKED_RULES.has(rule)),
    );
  }
});

test('a document that was not seen before, or whose tree was forgotten, is parsed anew', () => {
  const quick = createQuickAnalysis();
  for (let round = 0; round < 2; round++) {
    for (let file = 0; file < 20; file++) {
      const text = `${sources[file]}\n// ${round}`;
      expect(quick({ ...input(text), path: `src/${file}.ts` }).functions).toEqual(
        analyseSource({ ...input(text), path: `src/${file}.ts` }).functions.filter(({ kind }) => kind !== 'topLevel'),
      );
    }
  }
});

test.each([
  ['', '', null],
  ['same', 'same', null],
  ['abc', 'abXc', { start: 2, removed: 0, added: 1 }],
  ['aaaa', 'aaa', { start: 3, removed: 1, added: 0 }],
  ['aba', 'ababa', { start: 3, removed: 0, added: 2 }],
  ['one', 'two', { start: 0, removed: 3, added: 3 }],
  ['', 'x', { start: 0, removed: 0, added: 1 }],
])('the change between %j and %j', (before, after, change) => {
  expect(findChange(before, after)).toEqual(change);
});

test('any change makes the new text of the old one', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const change = findChange(before, after) ?? { start: 0, removed: 0, added: 0 };
      expect(
        before.slice(0, change.start) +
          after.slice(change.start, change.start + change.added) +
          before.slice(change.start + change.removed),
      ).toBe(after);
    }),
    runs(100),
  );
});

/** `«name»` marks the name of an opportunity whose construct is `‹…›`. */
test.each([
  ['typing in the line above', 'x\n‹let «n» = 1;›', 'x, y\n‹let «n» = 1;›'],
  ['a new line above', 'x\n‹let «n» = 1;›\nz', 'x\n\n‹let «n» = 1;›\nz'],
  ['a line above goes', 'a\nb\n‹let «n» = 1;›', 'b\n‹let «n» = 1;›'],
  ['typing before it in its line', '  ‹let «n» = 1;›', '    ‹let «n» = 1;›'],
  ['typing within the construct, behind the name', '‹let «n» = 1;›', '‹let «n» = 100;›'],
  ['typing within the construct, before the name', '‹let «n» = 1;›', '‹let  «n» = 1;›'],
  ['a line end within the construct', '‹f(«n», 1)›', '‹f(«n»,\n 1)›'],
  ['typing behind it', '‹let «n» = 1;› a', '‹let «n» = 1;› ab'],
  ['line ends of Windows', 'x\r\n‹let «n» = 1;›', 'x\r\ny\r\n‹let «n» = 1;›'],
])('%s: the place moves along', (_, before, after) => {
  const [old, moved] = [placed(before), placed(after)];
  expect(moveOpportunities([old.opportunity], old.text, moved.text)).toEqual([moved.opportunity]);
});

test.each([
  ['its name is typed on', '‹let «n» = 1;›', 'let nm = 1;'],
  ['its name is gone', 'a\n‹let «n» = 1;›\nb', 'a\nb'],
  ['all is gone', '‹let «n» = 1;›', ''],
])('%s: nobody knows any more', (_, before, after) => {
  const { text, opportunity } = placed(before);
  expect(moveOpportunities([opportunity], text, after)).toEqual([]);
});

function placed(marked: string): { readonly text: string; readonly opportunity: Opportunity } {
  const lines = marked.split(/\r?\n/);
  const at = (mark: string): { line: number; column: number } => {
    const line = lines.findIndex((text) => text.includes(mark));
    const before = lines[line]!.slice(0, lines[line]!.indexOf(mark));
    return { line: line + 1, column: before.replace(/[«»‹›]/g, '').length + 1 };
  };
  const range = (open: string, close: string) => ({
    startLine: at(open).line,
    startColumn: at(open).column,
    endLine: at(close).line,
    endColumn: at(close).column,
  });
  const opportunity: Opportunity = {
    id: 'a',
    rule: 'unused-local',
    path: 'a.ts',
    range: range('‹', '›'),
    nameRange: range('«', '»'),
    symbol: null,
    severity: 'hint',
    impact: 1,
    confidence: 1,
    message: '',
    evidence: {},
    recipe: null,
  };
  return { text: marked.replace(/[«»‹›]/g, ''), opportunity };
}

test.each(['/* ', '`', '${', '((((', '<!--', "'''"])('pages of %s are told as trouble, and never thrown', (opener) => {
  const text = opener.repeat(Math.ceil(60_000 / opener.length));
  const source = { path: 'a.ts', text, language: 'typescript', tree: null, symbols: null, generated: false } as const;
  const analyse = createQuickAnalysis();
  for (const analysed of [analyse(source), analyseSource(source)]) expect(analysed.opportunities).toEqual([]);
  analyse({ ...source, text: 'const a = 1;\n' });
  expect(analyse(source).opportunities).toEqual([]);
  const { trouble } = analyse(source);
  if (opener === "'''" || opener === '<!--') expect(trouble).toContain('syntax errors');
});
