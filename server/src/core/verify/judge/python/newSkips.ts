// Finds Python tests that were there and that a change skips.

import type { FoundChange } from '../foundChange.ts';
import { SKIP_PATTERN, type PythonCase } from '../frame/pythonFrame.ts';
import type { TestFrame } from '../frame/testFrame.ts';

/** A test on one side of a change, with what is outside of the tests in its file. */
export interface SkippableCase extends Pick<PythonCase, 'name' | 'line' | 'rows' | 'words' | 'skips'> {
  readonly path: string;
  readonly frame: TestFrame;
}

/** A place that skips a test. */
type Skip = PythonCase['skips'][number];

/**
 * The change if the test is skipped now and was not before: by a mark of its own, of its class or of its file, or by a
 * helper that skips. Null otherwise. What only new tests use is no change of a test that was there.
 */
export function findNewSkip(old: SkippableCase, current: SkippableCase): FoundChange | null {
  const hasNewRows = current.rows.length > old.rows.length;
  const before = listSkips(old, hasNewRows);
  const after = listSkips(current, hasNewRows);
  if (after.length <= before.length) return null;
  const texts = new Set(before.map(({ text }) => text));
  const skip = after.find(({ text }) => !texts.has(text)) ?? after[0]!;
  return {
    ...{ kind: 'skipped', path: old.path, line: old.line, now: { path: current.path, line: skip.line } },
    ...{ test: old.name, before: null, after: skip.text.slice(0, 300) },
  };
}

/** Everything that skips the test. Marks of single rows do not count if the table has new rows, which may bear them. */
function listSkips({ name, words, skips, frame }: SkippableCase, withoutRows: boolean): readonly Skip[] {
  const skippingParts = frame.parts.filter(({ names, scope, text }) => {
    if (!SKIP_PATTERN.test(text)) return false;
    const isInScope = scope === '' || name.startsWith(`${scope} › `);
    return isInScope && (names.length === 0 || names.some((helper) => words.includes(helper)));
  });
  return [
    ...skips.filter(({ isInTable }) => !isInTable || !withoutRows),
    ...skippingParts.map(({ line, text }) => ({
      line,
      text:
        text
          .split('\n')
          .map((part) => part.trim())
          .find((part) => SKIP_PATTERN.test(part)) ?? text,
      isInTable: false,
    })),
  ];
}
