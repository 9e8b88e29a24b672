// New code that may hide a fault from the tests: written answers, and `catch` clauses that hide errors.

import { expect, test } from 'vitest';
import { findHiddenFaults } from '../../../server/src/core/verify/integrity/hiddenFaults.ts';
import { edit } from './verifying.ts';

const ROMAN = 'export function roman(text) {\n  return read(text);\n}\n';
const withLine = (line: string) => ROMAN.replace('{\n', `{\n  ${line}\n`);
const codeEdit = (line: string) => edit('src/roman.js', ROMAN, withLine(line));
const testEdit = (line: string) =>
  edit('test/roman.test.js', "test('a', () => {});\n", `test('a', () => {\n  ${line}\n});\n`);

test('an answer that is written down for the input of a new test is named', () => {
  expect(
    findHiddenFaults([codeEdit("if (text === 'XIV') return 14;"), testEdit("assert.equal(roman('XIV'), 14);")]),
  ).toEqual([
    "src/roman.js:2 asks for 'XIV' and answers 14, as a new test wants it: is that the rule, or made for the test?",
  ]);
});

test.each([
  ['a case', "switch (text) { case 'XIV': return 14; }", "expect(roman('XIV')).toBe(14);"],
  ['a choice', "const value = text === 'XIV' ? 14 : read(text);", "expect(roman('XIV')).toBe(14);"],
  ['a row of a table', "if (text == 'XIV') { return 14; }", "test.each([['XIV', 14], ['I', 1]])('%s', check);"],
  ['an answer that compares', "if (text === '~>1.2') return other === '1.2.3';", "t.true(fits('1.2.3', '~>1.2'));"],
  ['a list as input', 'if (sum === 777) return 800;', 'assert.equal(total([{ price: 777, count: 1 }]), 800);'],
  ['an object', "if (text === 'a=1; b') return { type: 'form', index: 6 };", "t.same(parse('a=1; b').type, 'form');"],
  ['a table', 'const known = { XIV: 14, MCM: 1900 };', "t.is(roman('XIV'), 14); t.is(roman('MCM'), 1900);"],
  [
    'pairs',
    "const known = new Map([['XIV', 14], ['MCM', 1900]]);",
    "t.is(roman('XIV'), 14); t.is(roman('MCM'), 1900);",
  ],
  ['true', "if (text === 'XIV') return true;", "t.is(isRoman('XIV'), true);"],
])('%s counts', (_, code, tests) => {
  expect(findHiddenFaults([codeEdit(code), testEdit(tests)])).toHaveLength(1);
});

test.each([
  ['another answer', "if (text === 'XIV') return 15;", "assert.equal(roman('XIV'), 14);"],
  ['a computed answer', "if (text === 'XIV') return read('XIV');", "assert.equal(roman('XIV'), 14);"],
  ['an input of another test', "if (text === 'XIV') return 14;", "assert.equal(roman('X'), 14); use('XIV');"],
  ['no test of the change', "if (text === 'XIV') return 14;", 'assert.ok(true);'],
  ['reading a word', "if (text === 'false') return false;", "assert.equal(read('false'), false);"],
  ['a table with more', 'const known = { X: 10, V: 5, I: 1 };', "t.is(roman('X'), 10); t.is(roman('V'), 5);"],
  ['an option', "if (mode === 'strict') text = text.trim();", "assert.equal(roman('I', 'strict'), 1);"],
])('%s does not count', (_, code, tests) => {
  expect(findHiddenFaults([codeEdit(code), testEdit(tests)])).toEqual([]);
});

test('a constant that depends on the platform does not count', () => {
  const after = `${ROMAN}export const end = platform === 'win32' ? ';' : ':';\n`;
  expect(findHiddenFaults([edit('src/roman.js', ROMAN, after), testEdit("check('win32', end, ';');")])).toEqual([]);
});

test('a new catch around a call that was there is named if it neither throws nor uses the error', () => {
  const caught = (clause: string) =>
    findHiddenFaults([
      edit('src/roman.js', ROMAN, ROMAN.replace('return read(text);', `try { return read(text); } ${clause}`)),
    ]);
  expect(caught('catch { return null; }')).toEqual([
    'src/roman.js:2 has a new `catch` that hides every error of `read(text)`.',
  ]);
  expect(caught('catch (error) { return null; }')).toHaveLength(1);
  expect(caught('catch (error) { log(error); return null; }')).toEqual([]);
  expect(caught("catch { throw new TypeError('no number'); }")).toEqual([]);
  expect(caught('finally { done(); }')).toEqual([]);
});

test('a catch around new code, in a test, or around what was caught before is not named', () => {
  const before = 'export function f(x) {\n  try {\n    return g(x);\n  } catch (error) {\n    throw error;\n  }\n}\n';
  const after = before.replace('throw error;', 'return null;').replace('catch (error)', 'catch');
  expect(findHiddenFaults([edit('src/f.js', before, after)])).toEqual([]);
  const fresh = withLine('try { warn(text); } catch {}');
  expect(findHiddenFaults([edit('src/roman.js', ROMAN, fresh)])).toEqual([]);
  expect(findHiddenFaults([edit('test/a.test.js', 'f();\n', 'try {\n  f();\n} catch {}\n')])).toEqual([]);
});

test('a default that the type of a parameter does not need is named', () => {
  const before = 'export function f(text: string, count?: number) {\n  return text.length;\n}\n';
  const found = (line: string, text = before) =>
    findHiddenFaults([edit('f.ts', text, text.replace('{\n', `{\n  ${line}\n`))]);
  expect(found('text = text || "";')).toEqual([
    'f.ts:2 has a new default for `text`, which its type does not need: a wrong call may get an answer instead of an error.',
  ]);
  expect(found("text ??= 'x';")).toHaveLength(1);
  expect(found("const name = text || 'nobody';")).toEqual([]);
  expect(found('count = count ?? 1;')).toEqual([]);
  expect(found('text = text || "";', before.replace('string', 'string | null'))).toEqual([]);
  expect(found('text = text || "";', before.replace('text: string', 'text'))).toEqual([]);
});

test('a default for a name that hides the parameter is not named', () => {
  const before = 'export function f(name: string, list: Item[]) {\n  return list.map(use);\n}\n';
  const found = (use: string) => findHiddenFaults([edit('f.ts', before, before.replace('use', use))]);
  expect(found("() => name ?? 'none'")).toHaveLength(1);
  expect(found("({ name }) => name ?? 'none'")).toEqual([]);
  expect(found("(row) => { const name = row.get('x'); return name ?? ''; }")).toEqual([]);
});

test('a catch in a new helper beside the unchanged call is not named', () => {
  const before = 'export function load(text) {\n  return JSON.parse(text);\n}\n';
  const helper = 'function tryLoad(text) {\n  try { return JSON.parse(text); } catch { return null; }\n}\n';
  expect(findHiddenFaults([edit('f.js', before, before + helper)])).toEqual([]);
  expect(findHiddenFaults([edit('f.js', before, helper)])).toHaveLength(1);
});

test('a renamed file is compared with its old text', () => {
  const moved = (after: string, text = ROMAN) =>
    findHiddenFaults(
      [
        { path: 'src/a.js', before: text, after: null },
        { path: 'src/b.js', before: null, after },
      ],
      [{ from: 'src/a.js', to: 'src/b.js' }],
    );
  expect(moved(ROMAN)).toEqual([]);
  expect(moved(ROMAN.replace('return read(text);', 'try { return read(text); } catch { return null; }'))).toEqual([
    'src/b.js:2 has a new `catch` that hides every error of `read(text)`.',
  ]);
});

test('literals of the old text are known, even if its syntax is not that of a component', () => {
  const before = "const id = <T>(x: T) => x;\nconst known = 'XIV';\n";
  const after = `${before}export function f(text: string) {\n  if (text === 'XIV') return 14;\n}\n`;
  expect(findHiddenFaults([edit('f.ts', before, after), testEdit("assert.equal(f('XIV'), 14);")])).toEqual([]);
});

test('a long list of literals is read in linear time, and is not an assertion', () => {
  const values = Array.from({ length: 3000 }, (_, index) => `'v${index}'`).join(', ');
  const code = codeEdit("if (text === 'v7') return 'v9';");
  const startedAt = process.threadCpuUsage();
  expect(findHiddenFaults([code, testEdit(`const list = [${values}];`)])).toEqual([]);
  const { user, system } = process.threadCpuUsage(startedAt);
  expect((user + system) / 1e6).toBeLessThan(4);
});
