// Test files with helpers, hooks and data, edits of them, and what a judgement finds in these edits.

import type { FileEdit } from '../../../server/src/core/model.ts';
import { readGoTestCases } from '../../../server/src/core/verify/judge/go/testCases.ts';
import { parseTestCases } from '../../../server/src/core/verify/judge/testCases.ts';
import { findTestChanges } from '../../../server/src/core/verify/judge/testChanges.ts';
import { parser } from '../index/support.ts';

export const SUBJECT = 'export function clamp(value, low, high) { return value < low ? low : value; }\n';
export const BROKEN: FileEdit = { path: 'src/clamp.js', before: SUBJECT, after: SUBJECT.replace('? low', '? high') };
export const CASES = `test('clamps', () => { assert.equal(clamp(-1, 0, 10), 0); });
test('stays', () => { assert.equal(clamp(at(5), 0, 10), 5); });
`;
export const OLD = `import test from 'node:test';
import assert from 'node:assert/strict';
import { clamp } from '../src/clamp.js';
const at = (value) => value;
const LIMITS = [[0, 10], [1, 5]];
for (const [low, high] of LIMITS) test(\`limits \${low}\`, () => { assert.ok(clamp(7, low, high) <= high); });
${CASES}`;
export const PYTHON = `from lib import half
import pytest

CASES = [(2, 1), (-1, 0)]


def check(n):
    return half(n)


@pytest.mark.parametrize("n, is_half", CASES)
def test_cases(n, is_half):
    assert half(n) == is_half


class TestHalf:
    def setup_method(self):
        self.n = 2

    def test_half(self):
        assert check(self.n) == 1
`;
const GO = `package clamp

import "testing"

func check(t *testing.T, got, want int) {
	if got != want {
		t.Error(got)
	}
}

func TestClamp(t *testing.T) {
	check(t, Clamp(-1, 0, 10), 0)
}
`;

export async function kindsOf(edits: readonly FileEdit[], renamed: readonly { from: string; to: string }[] = []) {
  const { changes } = await findTestChanges(edits, renamed, {
    inventory: async () => null,
    testCases: async (files) =>
      (
        await Promise.all(
          files.map(async ({ path, text }) =>
            path.endsWith('.go') ? readGoTestCases(parser, path, text) : parseTestCases(path, text),
          ),
        )
      ).flat(),
  });
  return changes.map(({ kind }) => kind);
}

const FILES = {
  script: 'test/clamp.test.js',
  typed: 'test/clamp.test.ts',
  python: 'tests/test_half.py',
  go: 'clamp_test.go',
};
const OLDS = { script: OLD, typed: OLD, python: PYTHON, go: GO };
export type Kind = keyof typeof FILES;

/** The edit of the test file by replacements; an empty first text adds the second one at the end. */
export function editOf(kind: Kind, ...replacements: readonly (readonly [string, string])[]): FileEdit {
  const after = replacements.reduce((text, [from, to]) => {
    if (from !== '' && !text.includes(from)) throw new Error(`Not in the old text: ${from}`);
    return from === '' ? text + to : text.replace(from, () => to);
  }, OLDS[kind]);
  return { path: FILES[kind], before: OLDS[kind], after };
}

/** The same file with another text at one place, before and after. */
export function replacedIn(kind: Kind, place: string, before: string, after: string): FileEdit {
  return { ...editOf(kind, [place, after]), before: editOf(kind, [place, before]).after };
}

export const added = (path: string, after: string): FileEdit => ({ path, before: null, after });
export const IMPORT = "import { clamp } from '../src/clamp.js';";
export const ASSERT = "import assert from 'node:assert/strict';";
export const WRAPPER =
  "import { clamp as c } from '../src/clamp.js';\nconst clamp = (v, l, h) => (c(v, l, h), Math.max(v, l));";
