// Three-way merge, held against `git merge-file` on thousands of generated texts.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeBytes, mergeTexts } from '../../../server/src/core/apply/mergeTexts.ts';
import { runs } from '../../helpers/properties.ts';

test.each<[string, string, string, string, string | null]>([
  ['apart', 'a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\nc\nD\n', 'A\nb\nc\nD\n'],
  ['one line between', 'a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n'],
  ['touching', 'a\nb\nc\n', 'A\nb\nc\n', 'a\nB\nc\n', null],
  ['the same twice', 'a\nb\nc\n', 'a\nB\nc\n', 'a\nB\nc\n', 'a\nB\nc\n'],
  ['the same and more elsewhere', 'a\nb\nc\nd\n', 'A\nb\nc\nD\n', 'A\nb\nc\nd\n', 'A\nb\nc\nD\n'],
  ['two insertions at one place', 'a\nb\n', 'a\nx\nb\n', 'a\ny\nb\n', null],
  ['deleted here, edited there', 'a\nb\nc\n', 'a\nc\n', 'a\nB\nc\n', null],
  [
    'Windows line ends and a byte order mark',
    '\uFEFFa\r\nb\r\nc\r\n',
    '\uFEFFA\r\nb\r\nc\r\n',
    '\uFEFFa\r\nb\r\nC\r\n',
    '\uFEFFA\r\nb\r\nC\r\n',
  ],
  ['no newline at the end, both sides', 'a\nb\nc', 'A\nb\nc', 'a\nb\nc\n', 'A\nb\nc\n'],
  ['only one side', 'a\n', 'a\n', 'b\n', 'b\n'],
  ['into an empty text', '', 'a\n', 'b\n', null],
  ['everything deleted on one side', 'a\n', '', 'a\n', ''],
])('%s', (_what, base, mine, theirs, merged) => {
  expect(mergeTexts(base, mine, theirs)).toBe(merged);
  expect(mergeTexts(base, theirs, mine)).toBe(merged);
});

test('bytes that are no text are never merged', () => {
  const [text, binary] = [Buffer.from('a\n'), Buffer.from([0xff, 0xfe])];
  expect(mergeBytes(text, binary, text)).toBeNull();
  expect(mergeBytes(null, text, text)).toBeNull();
  expect(Buffer.from(mergeBytes(text, text, Buffer.from('b\n')) ?? []).toString()).toBe('b\n');
});

test('it agrees with git merge-file, but for a text in a hundred on lines that are repeated', () => {
  const dir = mkdtempSync(join(tmpdir(), 'selfware-merge-'));
  let merged = 0;
  let different = 0;
  try {
    const line = fc.constantFrom('a\n', 'b\n', '\n', '}\n', 'x\r\n');
    const texts = fc
      .array(line, { maxLength: 12 })
      .chain((base) => fc.tuple(fc.constant(base), edited(base, line), edited(base, line)));
    fc.assert(
      fc.property(texts, ([base, mine, theirs]) => {
        const ours = mergeTexts(base.join(''), mine.join(''), theirs.join(''));
        const git = byGit(dir, base.join(''), mine.join(''), theirs.join(''));
        // Two diffs of repeated lines may cut them differently: then one of both sees a conflict, or, hardly ever,
        // another text.
        if (ours === null || git === null) return;
        merged++;
        if (ours !== git) different++;
      }),
      runs(150),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  expect(merged).toBeGreaterThan(30);
  expect(different / merged).toBeLessThan(0.01);
});

test('on lines that are all different it answers exactly as git merge-file does', () => {
  const dir = mkdtempSync(join(tmpdir(), 'selfware-merge-'));
  try {
    const base = Array.from({ length: 12 }, (_, index) => `line ${index}\n`);
    const fresh = fc.integer({ min: 0, max: 3 }).map((number) => `new ${number}\n`);
    fc.assert(
      fc.property(edited(base, fresh), edited(base, fresh), (mine, theirs) => {
        expect(mergeTexts(base.join(''), mine.join(''), theirs.join(''))).toBe(
          byGit(dir, base.join(''), mine.join(''), theirs.join('')),
        );
      }),
      runs(150),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test('a change taken out again after another one gives what the other one alone makes', () => {
  const base = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 19 }), fc.integer({ min: 0, max: 19 }), (one, other) => {
      fc.pre(Math.abs(one - other) > 1);
      const first = base.with(one, 'first\n').join('');
      const second = base.with(one, 'first\n').with(other, 'second\n').join('');
      expect(mergeTexts(first, second, base.join(''))).toBe(base.with(other, 'second\n').join(''));
    }),
    runs(100),
  );
});

/** A few lines replaced, inserted or deleted. */
function edited(base: readonly string[], line: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> {
  const edit = fc.record({
    at: fc.nat(Math.max(base.length, 0)),
    remove: fc.nat(2),
    insert: fc.array(line, { maxLength: 2 }),
  });
  return fc
    .array(edit, { maxLength: 2 })
    .map((edits) =>
      edits.reduce<string[]>(
        (lines, { at, remove, insert }) => lines.toSpliced(Math.min(at, lines.length), remove, ...insert),
        [...base],
      ),
    );
}

/** Null for a conflict. */
function byGit(dir: string, base: string, mine: string, theirs: string): string | null {
  for (const [name, text] of Object.entries({ base, mine, theirs })) writeFileSync(join(dir, name), text);
  try {
    return execFileSync(
      'git',
      ['merge-file', '--stdout', '--quiet', join(dir, 'mine'), join(dir, 'base'), join(dir, 'theirs')],
      { encoding: 'utf8' },
    );
  } catch (error) {
    if (typeof (error as { status?: unknown }).status === 'number') return null;
    throw error;
  }
}
