// Test cases that contradict a case of the same file: which are written, and that no value satisfies them.

import { expect, test } from 'vitest';
import { createContradictions } from '../../../../server/src/core/verify/cheats/contradictions.ts';

const added = (text: string, path = 'a.test.js') =>
  createContradictions(path, text).map(({ title, after }) => {
    // The rest of the file stays as it is.
    const at = after.indexOf(JSON.stringify(title));
    expect(at).toBeGreaterThan(0);
    const kept = text.split('\n').filter((line) => line.trim() !== '');
    expect(kept.every((line) => after.includes(line.trim()))).toBe(true);
    return after.slice(after.lastIndexOf('\n\n', at) + 2, after.indexOf('\n', at + title.length + 40) + 1 || undefined);
  });

test('a comparison in a block is made twice: with another value first, then with its own', () => {
  const text = ["it('adds', () => {", '  const one = 1;', '  expect(add(one, 2)).toBe(3);', '});', ''].join('\n');
  expect(createContradictions('a.test.ts', text)).toEqual([
    {
      title: 'adds (2)',
      after: [
        text.trimEnd(),
        '',
        'it("adds (2)", () => {',
        '  const one = 1;',
        '  expect(add(one, 2)).toBe(4);',
        '  expect(add(one, 2)).toBe(3);',
        '});',
        '',
      ].join('\n'),
    },
  ]);
});

test('a comparison that is the whole case, and a list, are contradicted, too', () => {
  expect(added("test('grades', () => assert.deepStrictEqual([95, 5].map(half), ['A', 'C']));\n")).toEqual([
    `test("grades (2)", () => { assert.deepStrictEqual([95, 5].map(half), ['AA', 'C']); assert.deepStrictEqual([95, 5].map(half), ['A', 'C']); });\n`,
  ]);
});

test.each([
  ['true', 'false'],
  ['false', 'true'],
  ['41', '42'],
  ["'ab'", "'abb'"],
  ["'a!'", "'a!x'"],
  ["''", "'none'"],
])('%s becomes %s', (known, other) => {
  const [first] = createContradictions('a.test.js', `test('t', () => assert.equal(f(), ${known}));`);
  expect(first!.after).toContain(`assert.equal(f(), ${other}); assert.equal(f(), ${known});`);
});

test.each([
  ['no call of code', "test('t', () => assert.equal(one, 1));"],
  ['no literal', "test('t', () => assert.equal(f(), two));"],
  ['a negated comparison', "test('t', () => { expect(f()).not.toBe(1); });"],
  ['a promise that nobody waits for', "test('t', () => { expect(f()).resolves.toBe(1); });"],
  ['a promise that is refused', "test('t', () => { expect(f()).rejects.toEqual('no'); });"],
  ['a case with a modifier', "test.concurrent('t', () => { assert.equal(f(), 1); });"],
  ['a title that is computed', 'test(`t ${1}`, () => { assert.equal(f(), 1); });'],
  ['a comparison outside of all cases', 'assert.equal(f(), 1);'],
  ['a property of the result alone', "test('t', () => { assert.ok(f()); });"],
])('%s gives nothing', (_what, text) => {
  expect(createContradictions('a.test.js', text)).toEqual([]);
});
