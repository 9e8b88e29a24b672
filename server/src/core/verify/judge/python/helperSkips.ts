// Finds skips in Python files without tests, such as conftest.py, that affect tests of other files.

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

/** The facts about helpers from the other edited files. */
export interface HelperContext {
  /** The names that tests use which existed before the change, in their current form. */
  readonly used: ReadonlySet<string>;
  /** The texts of code outside of tests that files had before the change and no longer have. */
  readonly moved: ReadonlySet<string>;
}

/**
 * The skips that are added to a helper file: in hooks, in old declarations, and in code that old tests use now. Helpers
 * that only new tests can use are omitted, and those that were moved unchanged from another file.
 */
export function findHelperSkips(
  { path, newPath, old, current }: HelperFile,
  { used: usedNames, moved: movedTexts }: HelperContext,
): readonly FoundChange[] {
  if (current.cases.length > 0) return [];
  const oldNames = old?.frame.parts.flatMap(({ names }) => names) ?? [];
  // Hooks of a new file count only if pytest loads it by its name.
  const isLoaded = old !== null || /(?:^|\/)conftest\.py$/.test(newPath);
  const frame = { ...current.frame, parts: current.frame.parts.filter(({ names }) => isLoaded || names.length > 0) };
  const reachedParts = collectReached(frame, [{ name: '', words: [...oldNames, ...usedNames] }]).parts;
  const skipsOf = (parts: Iterable<FramePart>): readonly Skip[] => [...parts].flatMap(({ skips = [] }) => skips);
  const candidates = frame.parts.filter(
    (part) => (reachedParts.has(part) || (isLoaded && skipsOnImport(part.text))) && !movedTexts.has(part.text),
  );
  return findAddedSkips(skipsOf(old?.frame.parts ?? []), skipsOf(candidates)).map(({ line, text }) => ({
    ...{ kind: 'skipped', path, line: null, now: { path: newPath, line } },
    ...{ test: '', before: null, after: text.slice(0, 300) },
  }));
}
