// Inline suppressions: what they hide, in which comments of which language, and that the figures never notice them.

import { describe, expect, test } from 'vitest';
import { RULE_IDS } from '../../../server/src/core/analysis/rules.ts';
import { applySuppressions, findUnusedSuppressions } from '../../../server/src/core/analysis/suppressions.ts';
import { analyse, analyseWithTree } from './analyseCase.ts';

const SEVEN = 'a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7';
/** A function that only `many-parameters` complains about. */
const many = (name = 'many'): string =>
  `/** Adds all up, one for each day. */\nexport function ${name}(${SEVEN}): number {\n  return a + b + c + d + e + f + g;\n}\n`;

/** `rule@line` of what is shown, and of what is hidden with its reason. */
async function outcome(
  path: string,
  text: string,
): Promise<{ readonly shown: readonly string[]; readonly hidden: readonly string[] }> {
  const { opportunities, suppressed, trouble } = await analyseWithTree(path, text);
  expect(trouble).toBeNull();
  return {
    shown: opportunities.map(({ rule, nameRange }) => `${rule}@${nameRange.startLine}`).sort(),
    hidden: suppressed.map(
      ({ opportunity, reason, line }) => `${opportunity.rule}@${opportunity.nameRange.startLine} by ${line}: ${reason}`,
    ),
  };
}

describe('where a suppression speaks', () => {
  test.each<readonly [string, string, readonly string[], readonly string[]]>([
    [
      'the next line, over the documentation in between',
      `// selfware-ignore-next-line many-parameters: mirrors the protocol\n${many()}`,
      [],
      ['many-parameters@3 by 1: mirrors the protocol'],
    ],
    [
      'the next line, over blank lines and other suppressions',
      `// selfware-ignore-next-line many-parameters: mirrors it\n\n// selfware-ignore-next-line needless-copy: not here\n${many()}`,
      ['unused-suppression@3'],
      ['many-parameters@5 by 1: mirrors it'],
    ],
    [
      'the line itself',
      many().replace('number {', 'number { // selfware-ignore many-parameters: mirrors it'),
      [],
      ['many-parameters@2 by 2: mirrors it'],
    ],
    [
      'the line itself, in a block comment',
      many().replace('export', '/* selfware-ignore many-parameters: mirrors it */ export'),
      [],
      ['many-parameters@2 by 2: mirrors it'],
    ],
    [
      'several rules',
      `// selfware-ignore-next-line needless-copy, many-parameters: both\n${many()}`,
      ['unused-suppression@1'],
      ['many-parameters@3 by 1: both'],
    ],
    [
      'the whole file',
      `#!/usr/bin/env node\n'use strict';\n/*\n * selfware-ignore-file many-parameters: mirrors the protocol\n */\n${many()}${many('more')}`,
      [],
      ['many-parameters@7 by 4: mirrors the protocol', 'many-parameters@11 by 4: mirrors the protocol'],
    ],
    [
      'not the whole file from below its code',
      `${many()}// selfware-ignore-file many-parameters: too late\n`,
      ['many-parameters@2', 'unused-suppression@5'],
      [],
    ],
    [
      'not the line after the next',
      `// selfware-ignore-next-line many-parameters: too early\nconst x = 1;\n${many()}console.log(x);\n`,
      ['many-parameters@4', 'unused-suppression@1'],
      [],
    ],
    [
      'not the next line without saying so',
      `// selfware-ignore many-parameters: own line\n${many()}`,
      ['many-parameters@3', 'unused-suppression@1'],
      [],
    ],
    [
      'not without a reason',
      `// selfware-ignore-next-line many-parameters\n${many()}`,
      ['many-parameters@3', 'suppression-without-reason@1'],
      [],
    ],
    [
      'not with a reason of dots',
      `// selfware-ignore-next-line many-parameters: ...\n${many()}`,
      ['many-parameters@3', 'suppression-without-reason@1'],
      [],
    ],
    [
      'not without a rule',
      `// selfware-ignore-next-line: everything\n${many()}`,
      ['many-parameters@3', 'unused-suppression@1'],
      [],
    ],
    [
      'not another rule',
      `// selfware-ignore-next-line many-parameter: one missing\n${many()}`,
      ['many-parameters@3', 'unused-suppression@1'],
      [],
    ],
    [
      'nothing about suppressions themselves',
      `// selfware-ignore-file unused-suppression: let me\n// selfware-ignore-next-line large-file: none\n${many()}`,
      ['many-parameters@4', 'unused-suppression@1', 'unused-suppression@2'],
      [],
    ],
    [
      'not after the last line',
      `${many()}// selfware-ignore-next-line many-parameters: nothing follows`,
      ['many-parameters@2', 'unused-suppression@5'],
      [],
    ],
    [
      'not a word that goes on',
      `// selfware-ignore-next-lines many-parameters: typo\n${many()}`,
      ['many-parameters@3'],
      [],
    ],
  ])('%s', async (_, text, shown, hidden) => {
    expect(await outcome('src/a.ts', text)).toEqual({ shown, hidden });
  });

  test('line ends of any kind', async () => {
    for (const end of ['\r\n', '\r'])
      expect(
        (
          await outcome(
            'src/a.ts',
            `// selfware-ignore-next-line many-parameters: mirrors it\n${many()}`.replaceAll('\n', end),
          )
        ).hidden,
      ).toEqual(['many-parameters@3 by 1: mirrors it']);
  });
});

describe('only in comments', () => {
  test.each<readonly [string, string]>([
    ['a string', `const s = "// selfware-ignore-file many-parameters: in a string";\n`],
    ['a template', 'const s = `\n// selfware-ignore-file many-parameters: in a template\n`;\n'],
    ['a regular expression', `const s = /\\/\\/ selfware-ignore-file many-parameters: in a pattern/;\n`],
    ['text of JSX', `const s = <p>\n// selfware-ignore-file many-parameters: in a text\n</p>;\n`],
    ['an attribute of JSX', `const s = <p title="// selfware-ignore-file many-parameters: in an attribute" />;\n`],
    ['a mention in prose', `const s = 1; // write selfware-ignore-file many-parameters: like this\n`],
  ])('not in %s', async (_, before) => {
    expect(await outcome('src/a.tsx', `${before}export { s };\n${many()}`)).toEqual({
      shown: [`many-parameters@${before.split('\n').length + 2}`],
      hidden: [],
    });
  });

  test('in comments inside of templates and JSX', async () => {
    const inJsx = `export const view = (run: () => void) => (\n  <ul>\n    {/* selfware-ignore-next-line swallowed-error: the button says it */}\n    <li onClick={() => { try { run(); } catch {} }} />\n  </ul>\n);\n`;
    expect(await outcome('src/a.tsx', inJsx)).toEqual({
      shown: [],
      hidden: ['swallowed-error@4 by 3: the button says it'],
    });
    const inTemplate =
      'export const text = (run: () => string) => `${(() => {\n  // selfware-ignore-next-line swallowed-error: empty is right\n  try { run(); } catch {}\n  return 1;\n})()}`;\n';
    expect((await outcome('src/a.ts', inTemplate)).hidden).toEqual(['swallowed-error@3 by 2: empty is right']);
  });
});

describe('in every language', () => {
  test.each<readonly [string, string, string]>([
    [
      'python',
      'a.py',
      '# selfware-ignore-next-line many-parameters: wire format\n@staticmethod\ndef many(a, b, c, d, e, f, g):\n    return a\n',
    ],
    [
      'python, own line',
      'a.py',
      'def many(a, b, c, d, e, f, g):  # selfware-ignore many-parameters: wire format\n    return a\n',
    ],
    [
      'python, over decorators',
      'a.py',
      '# selfware-ignore-next-line many-parameters: wire format\n@print(\n    [1, 2],\n)\n@str.format  # fine\ndef many(a, b, c, d, e, f, g):\n    return a\n',
    ],
    [
      'rust, over attributes',
      'a.rs',
      '// selfware-ignore-next-line many-parameters: wire format\n#[inline(always)] #[cfg(test)]\nfn many(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8) {}\n',
    ],
    [
      'rust',
      'a.rs',
      '/// Says all.\n// selfware-ignore-next-line many-parameters: wire format\nfn many(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8) {}\n',
    ],
    [
      'go',
      'a.go',
      'package a\n\n// selfware-ignore-next-line many-parameters: wire format\nfunc many(a, b, c, d, e, f, g int) {}\n',
    ],
    [
      'java',
      'A.java',
      'class A {\n  /* selfware-ignore-next-line many-parameters: wire format */\n  void many(int a, int b, int c, int d, int e, int f, int g) {}\n}\n',
    ],
    [
      'c, the whole file',
      'a.c',
      '/* selfware-ignore-file many-parameters: wire format */\n#include <stdio.h>\nvoid many(int a, int b, int c, int d, int e, int f, int g) {}\n',
    ],
    [
      'c++',
      'a.cpp',
      '// selfware-ignore-file many-parameters: wire format\nvoid many(int a, int b, int c, int d, int e, int f, int g) {}\n',
    ],
  ])('%s', async (_, name, text) => {
    const { shown, hidden } = await outcome(`src/${name}`, text);
    expect(shown).toEqual([]);
    expect(hidden).toHaveLength(1);
    expect(hidden[0]).toMatch(/^many-parameters@\d+ by \d+: wire format$/);
  });

  test('not in a docstring', async () => {
    const text =
      'def many(a, b, c, d, e, f, g):\n    """\n    selfware-ignore-file many-parameters: in a string\n    """\n    return a\n';
    expect(await outcome('src/a.py', text)).toEqual({ shown: ['many-parameters@1'], hidden: [] });
  });
});

test.each<readonly [string, string, readonly string[]]>([
  [
    'a component',
    '<!-- selfware-ignore-file duplicate-code: generated twin -->\n<template></template>\n',
    ['file duplicate-code: generated twin'],
  ],
  [
    'SQL',
    'select 1;\n-- selfware-ignore-next-line duplicate-code: both tables\nselect 2;\n',
    ['next-line duplicate-code: both tables @3'],
  ],
  [
    'a page that shows how',
    '```ts\n// selfware-ignore-next-line many-parameters\n```\n',
    ['next-line many-parameters: null @3'],
  ],
  ['a page that speaks of it', 'Write `// selfware-ignore RULE: reason` there.\n', []],
])('where no parser reads, comments begin their line, and nothing is said about them: %s', (_, text, expected) => {
  const { suppressions, opportunities } = analyse('docs/page.txt', text);
  expect(
    suppressions.map(
      ({ kind, rules, reason, target }) => `${kind} ${rules.join(', ')}: ${reason}${target ? ` @${target.from}` : ''}`,
    ),
  ).toEqual(expected);
  expect(opportunities).toEqual([]);
});

test('the figures of a file do not change by what it suppresses', () => {
  const poor = `${many()}export const copy = (list: readonly number[]) => [...list].map((x) => x);\ntry { copy([1]); } catch {}\n`;
  const plain = analyse('src/a.ts', poor);
  const hushed = analyse('src/a.ts', `// selfware-ignore-file ${RULE_IDS.join(', ')}: all of it\n${poor}`);
  expect(plain.opportunities.length).toBeGreaterThan(1);
  expect(hushed.suppressed.map(({ opportunity }) => opportunity.rule).sort()).toEqual(
    plain.opportunities.map(({ rule }) => rule).sort(),
  );
  expect(hushed.measures).toEqual(plain.measures);
});

test('what is suppressed keeps its identity', () => {
  const [plain] = analyse('src/a.ts', many()).opportunities;
  const [hidden] = analyse(
    'src/a.ts',
    `// selfware-ignore-next-line many-parameters: mirrors it\n${many()}`,
  ).suppressed;
  expect(hidden?.opportunity.id).toBe(plain?.id);
});

test('of rules that were not asked nothing is said: those about several files, and those of the checker while one types', () => {
  const text = `// selfware-ignore-file unused-export, unused-import: used by a template\n${many()}`;
  expect(
    analyse('src/a.ts', text)
      .opportunities.filter(({ rule }) => rule === 'unused-suppression')
      .map(({ evidence }) => evidence.rules),
  ).toEqual(['unused-import']);
});

test('generated files have no opportunities, and no suppressions either', () => {
  const text = '// selfware-ignore-file many-parameters\n';
  expect(analyse('src/a.ts', text, { generated: true })).toMatchObject({ opportunities: [], suppressions: [] });
  expect(analyse('src/a.d.ts', text)).toMatchObject({ opportunities: [], suppressions: [] });
});

test('what is found about several files is parted the same way', () => {
  const { suppressions, opportunities } = analyse(
    'src/a.ts',
    `// selfware-ignore-next-line unused-export: loaded by name\n${many()}`,
  );
  const [one] = opportunities;
  const unusedExport = { ...one!, id: 'x', rule: 'unused-export' };
  const applied = applySuppressions([unusedExport], suppressions);
  expect(applied.opportunities).toEqual([]);
  expect(applied.suppressed).toEqual([{ opportunity: unusedExport, reason: 'loaded by name', line: 1 }]);
  const asked = (rule: string) => rule === 'unused-export';
  expect(findUnusedSuppressions('src/a.ts', suppressions, applied.suppressed, asked)).toEqual([]);
  expect(
    findUnusedSuppressions('src/a.ts', suppressions, [], asked).map(({ rule, message }) => `${rule}: ${message}`),
  ).toEqual(['unused-suppression: a.ts: a suppression of unused-export hides nothing.']);
});

test('ids survive edits above, and equal comments have ids of their own', () => {
  const idle = '// selfware-ignore-next-line large-file: old\nconsole.log(1);\n';
  const ids = (text: string) =>
    analyse('src/a.ts', text)
      .opportunities.filter(({ rule }) => rule === 'unused-suppression')
      .map(({ id }) => id);
  expect(ids(`console.log(0);\n\n${idle}${idle}`)).toEqual(ids(idle + idle));
  expect(new Set(ids(idle + idle)).size).toBe(2);
});
