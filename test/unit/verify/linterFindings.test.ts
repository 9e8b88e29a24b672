// What linters print → findings, and findings → the text with their fixes.

import { expect, test } from 'vitest';
import { readEslintFindings, readOxlintFindings } from '../../../server/src/core/verify/linters/findings.ts';
import { isLayoutFinding } from '../../../server/src/core/session/analyse/lintOpportunities.ts';
import { applyFixes } from '../../../server/src/core/verify/linters/lintFixers.ts';
import { isFormattingRule } from '../../../server/src/core/verify/linters/formattingRules.ts';
import {
  readClippyFindings,
  readGoFindings,
  readGolangciFindings,
  readRuffFindings,
} from '../../../server/src/core/verify/linters/languageFindings.ts';

test('fixes are put in from the front; where two overlap, the first counts', () => {
  const finding = (start: number, end: number, text: string) => ({
    path: 'a.js',
    rule: 'x',
    message: '',
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 1,
    fix: [{ start, end, text }],
  });
  expect(applyFixes('let a = 1;', [finding(8, 9, '2'), finding(0, 3, 'const')], 'units')).toBe('const a = 2;');
  expect(applyFixes('let a = 1;', [finding(0, 9, 'const a = 1'), finding(8, 9, '2')], 'units')).toBe('const a = 1;');
  expect(applyFixes('let a = 1;', [{ ...finding(0, 0, ''), fix: null }], 'units')).toBeNull();
  expect(applyFixes('let a = 1;', [finding(0, 99, '')], 'units')).toBeNull();
});

test('of fixes that begin at one place the shorter counts, and two of them put nothing in twice', () => {
  const finding = (...parts: readonly (readonly [number, number, string])[]) => ({
    ...{ path: 'a.js', rule: 'x', message: '', line: 1, column: 1, endLine: 1, endColumn: 1 },
    fix: parts.map(([start, end, text]) => ({ start, end, text })),
  });
  expect(applyFixes('abcdef', [finding([0, 5, 'LONG']), finding([0, 2, 'S'])], 'units')).toBe('Scdef');
  expect(applyFixes('abcdef', [finding([0, 1, 'A']), finding([3, 3, '-']), finding([3, 3, '-'])], 'units')).toBe(
    'Abc-def',
  );
  expect(applyFixes('abcdef', [finding([3, 2, 'x'])], 'units')).toBeNull();
  expect(applyFixes('abcdef', [finding([5, 6, 'F'])], 'units')).toBe('abcdeF');
  expect(applyFixes('abcdef', [finding([5, 7, 'F'])], 'units')).toBeNull();
  expect(applyFixes('abcdef', [finding()], 'units')).toBeNull();
});

test('answers that cannot be read are none', () => {
  expect(readEslintFindings('Oops!')).toBeNull();
  expect(readEslintFindings('{}')).toBeNull();
  expect(readOxlintFindings('[')).toBeNull();
  expect(
    readEslintFindings(
      '[{"filePath":"a.js","messages":[{"ruleId":null,"message":"parse error"},{"ruleId":"x","message":"y","fix":{"range":[-1,0],"text":""}}]}]',
    ),
  ).toEqual([{ path: 'a.js', rule: 'x', message: 'y', line: 1, column: 1, endLine: 1, endColumn: 1, fix: null }]);
  expect(
    readOxlintFindings(
      '{"diagnostics":[{"code":"typescript-eslint(no-x)","message":"m","filename":"a.ts","labels":[]}]}',
    ),
  ).toMatchObject([{ rule: 'typescript/no-x' }]);
});

test('Ruff: what it calls unsafe is no fix', () => {
  const found = (applicability: string | undefined) => ({
    code: 'F401',
    message: 'm',
    filename: 'a.py',
    location: { row: 2, column: 8 },
    end_location: { row: 2, column: 10 },
    fix: { applicability, edits: [] },
  });
  expect(
    readRuffFindings(JSON.stringify([found('safe'), found('unsafe'), found('display'), found(undefined)]))?.map(
      ({ fix }) => fix,
    ),
  ).toEqual(['itself', null, null, 'itself']);
  expect(readRuffFindings('warning: no\n[]')).toEqual([]);
  expect(readRuffFindings('error: no such option')).toBeNull();
});

test('Clippy: one fix of several parts, in bytes; twice said is once found; what is not machine applicable, or written by a macro, is none', () => {
  const span = (start: number, end: number, text: string | null, more = {}) => ({
    file_name: 'src/lib.rs',
    byte_start: start,
    byte_end: end,
    line_start: 1,
    column_start: 1,
    line_end: 1,
    column_end: 2,
    is_primary: true,
    suggested_replacement: text,
    suggestion_applicability: text === null ? null : 'MachineApplicable',
    expansion: null,
    ...more,
  });
  const message = (name: string, children: readonly object[]) =>
    JSON.stringify({
      reason: 'compiler-message',
      message: { code: { code: name }, level: 'warning', message: name, spans: [span(0, 1, null)], children },
    });
  const lines = [
    message('clippy::needless_return', [{ spans: [] }, { spans: [span(10, 22, 'total'), span(22, 23, '')] }]),
    message('clippy::needless_return', [{ spans: [] }, { spans: [span(10, 22, 'total'), span(22, 23, '')] }]),
    message('unused_imports', [{ spans: [span(0, 3, '', { suggestion_applicability: 'MaybeIncorrect' })] }]),
    message('clippy::len_zero', [{ spans: [span(0, 3, '', { expansion: {} })] }]),
    message('clippy::elsewhere', [{ spans: [span(0, 3, '', { file_name: 'src/other.rs' })] }]),
    JSON.stringify({ reason: 'build-finished', success: true }),
  ];
  expect(readClippyFindings(lines.join('\n'))?.map(({ rule, fix }) => [rule, fix])).toEqual([
    [
      'needless_return',
      [
        { start: 10, end: 22, text: 'total' },
        { start: 22, end: 23, text: '' },
      ],
    ],
    ['rustc/unused_imports', null],
    ['len_zero', null],
    ['elsewhere', null],
  ]);
  expect(readClippyFindings('error: no such command: `clippy`\n')).toBeNull();
});

test('Go: packages one after the other, with or without their names between; an analyser that broke down has found nothing', () => {
  const finding = {
    posn: 'a/a.go:24:2',
    end: 'a/a.go:24:9',
    message: 'self-assignment',
    suggested_fixes: [{ message: 'Remove', edits: [] }],
  };
  const packages = [
    { 'example.com/a': { assign: [finding], printf: { error: 'broke down' } } },
    { 'example.com/b': { unusedresult: [{ posn: 'b/b.go:3', message: 'm' }] } },
    {},
  ];
  const output = packages.map((one, at) => `# example.com/${at}\n${JSON.stringify(one, null, '\t')}`).join('\n');
  expect(readGoFindings(output)).toEqual([
    {
      path: 'a/a.go',
      rule: 'assign',
      message: 'self-assignment',
      line: 24,
      column: 2,
      endLine: 24,
      endColumn: 9,
      fix: 'itself',
    },
    { path: 'b/b.go', rule: 'unusedresult', message: 'm', line: 3, column: 1, endLine: 3, endColumn: 1, fix: null },
  ]);
  expect(readGoFindings('{}\n{}\n')).toEqual([]);
  expect(readGoFindings('\n')).toEqual([]);
  expect(readGoFindings('flag provided but not defined: -json\nusage: go fix')).toEqual([]);
  expect(readGoFindings('vet: ./a.go:3:1: undefined: x\n')).toBeNull();
});

test('fixes in bytes are put in whole or not at all', () => {
  const fix = (...parts: readonly (readonly [number, number, string])[]) => ({
    path: 'a',
    rule: 'x',
    message: '',
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 1,
    fix: parts.map(([start, end, text]) => ({ start, end, text })),
  });
  expect(applyFixes('é = aé;', [fix([5, 8, 'b'])], 'bytes')).toBe('é = b;');
  expect(applyFixes('\uFEFFé = a;', [fix([8, 9, 'b'])], 'bytes')).toBe('\uFEFFé = b;');
  expect(applyFixes('\uFEFFé = a;', [fix([4, 5, 'b'])], 'units')).toBe('\uFEFFé = b;');
  expect(
    applyFixes('0123456789', [fix([0, 1, 'a'], [8, 9, 'b']), fix([4, 5, 'c'], [8, 9, 'd']), fix([5, 6, 'e'])], 'bytes'),
  ).toBe('a1234e67b9');
});

test('Clippy: lines that are no messages are passed over, and what names no place is none', () => {
  const message = JSON.stringify({
    reason: 'compiler-message',
    message: { code: null, level: 'error', message: 'm', spans: [], children: [] },
  });
  expect(readClippyFindings(`   Compiling a\n${message}\n{"reason":"build-finished"}\n`)).toEqual([]);
  expect(readClippyFindings('{}\n')).toBeNull();
  expect(readClippyFindings('')).toBeNull();
});

test.each([
  ['eslint', 'semi', true, false],
  ['eslint', 'style/indent', true, false],
  ['eslint', 'no-var', false, false],
  ['eslint', 'max-len', false, false],
  ['eslint', '@stylistic/max-len', false, false],
  ['xo', 'prettier/prettier', true, true],
  ['xo', '@stylistic/quotes', true, false],
  ['biome', 'style/useConst', false, false],
  ['ruff', 'W291', true, true],
  ['ruff', 'E711', false, false],
] as const)('%s %s is left to a formatter: %s; without one: %s', (linter, rule, withOne, without) => {
  expect([isFormattingRule(linter, rule, true), isFormattingRule(linter, rule, false)]).toEqual([withOne, without]);
});

test('an unattended run leaves out layout, of linters alone', () => {
  const rules = ['lint/eslint/semi', 'lint/eslint/no-var', 'semi', 'lint/ruff/W291'];
  expect(rules.filter(isLayoutFinding)).toEqual(['lint/eslint/semi', 'lint/ruff/W291']);
});

test('golangci-lint of both major versions: findings with their rules, without errors of the compiler', () => {
  const issue = (linter: string, text: string, line: number, more: object = {}) => ({
    ...{ FromLinter: linter, Text: text, Severity: '', SourceLines: ['\tos.Remove(name)'] },
    ...{ Pos: { Filename: 'cmd/main.go', Offset: 85, Line: line, Column: 11 }, ExpectNoLint: false, ...more },
  });
  const issues = [
    issue('errcheck', 'Error return value of `os.Remove` is not checked', 9, { Replacement: null }),
    issue('staticcheck', 'SA4006: this value of `err` is never used', 12, { LineRange: { From: 12, To: 14 } }),
    issue('typecheck', 'could not import example.com/gone', 3),
  ];
  const first = JSON.stringify({ Issues: issues, Report: { Linters: [{ Name: 'errcheck', Enabled: true }] } });
  const warning = 'level=warning msg="[config_reader] The configuration option `run.deadline` is deprecated {1}"';
  for (const output of [`${warning}\n${first}\n`, `${first}\n3 issues:\n* errcheck: 1\n`])
    expect(readGolangciFindings(output)).toMatchObject([
      { path: 'cmd/main.go', rule: 'errcheck', line: 9, column: 11, endLine: 9, fix: null },
      { path: 'cmd/main.go', rule: 'staticcheck/SA4006', line: 12, endLine: 14 },
    ]);
  expect(readGolangciFindings('{"Issues":[],"Report":{}}\n0 issues.')).toEqual([]);
  expect(readGolangciFindings('{"Issues":null,"Report":{}}')).toEqual([]);
  expect(readGolangciFindings('Error: unsupported version of the configuration')).toBeNull();
});
