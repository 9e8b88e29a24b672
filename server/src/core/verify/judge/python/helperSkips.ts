// Finds skips in Python files without tests of their own, such as conftest.py, that tests of other files are skipped by.

import type { FoundChange } from '../foundChange.ts';
import type { PythonFile } from '../frame/pythonFrame.ts';
import { collectReached, type FramePart } from '../frame/testFrame.ts';
import { findAddedSkips, skipsOnImport, type Skip } from './skips.ts';

/** A file without tests. */
export interface HelperFile {
  readonly path: string;
  readonly newPath: string;
  /** Null for a new file. */
  readonly old: PythonFile | null;
  readonly current: PythonFile;
}

/** What the other edited files say about helpers. */
export interface HelperContext {
  /** The names that tests that were there use now. */
  readonly used: ReadonlySet<string>;
  /** The texts of what files held outside of their tests and no longer hold. */
  readonly moved: ReadonlySet<string>;
}

/**
 * The skips that a helper file gains: in hooks, in what was declared before, and in what tests that were there use now.
 * Helpers that only new tests can use are left out, and those that come from another file as they are.
 */
export function findHelperSkips(
  { path, newPath, old, current }: HelperFile,
  { used, moved }: HelperContext,
): readonly FoundChange[] {
  if (current.cases.length > 0) return [];
  const oldNames = old?.frame.parts.flatMap(({ names }) => names) ?? [];
  // Hooks of a new file count only if pytest reads it by its name.
  const isRead = old !== null || /(?:^|\/)conftest\.py$/.test(newPath);
  const frame = { ...current.frame, parts: current.frame.parts.filter(({ names }) => isRead || names.length > 0) };
  const reached = collectReached(frame, [{ name: '', words: [...oldNames, ...used] }]).parts;
  const skipsOf = (parts: Iterable<FramePart>): readonly Skip[] => [...parts].flatMap(({ skips = [] }) => skips);
  const candidates = frame.parts.filter(
    (part) => (reached.has(part) || (isRead && skipsOnImport(part.text))) && !moved.has(part.text),
  );
  return findAddedSkips(skipsOf(old?.frame.parts ?? []), skipsOf(candidates)).map(({ line, text }) => ({
    ...{ kind: 'skipped', path, line: null, now: { path: newPath, line } },
    ...{ test: '', before: null, after: text.slice(0, 300) },
  }));
}
