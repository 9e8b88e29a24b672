// Compares Python tests before and after a change: assertions, and the text of tests and of what is outside of them.

import type { FileEdit } from '../../model.ts';
import { isBenchmarkCode, isTest, isTestData } from '../../paths/tests.ts';
import type { FoundChange } from './foundChange.ts';
import { compareFrames, type FrameSide } from './frame/compareFrames.ts';
import { readPythonFile, type PythonCase, type PythonFile } from './frame/pythonFrame.ts';
import { findLoosened } from './pythonAssertions.ts';

/** The changes of Python tests. `newPaths`: the new paths of renamed files. */
export function findPythonChanges(
  edits: readonly FileEdit[],
  newPaths: ReadonlyMap<string, string>,
): readonly FoundChange[] {
  const texts = new Map(edits.map(({ path, after }) => [path, after]));
  const files = edits.flatMap(({ path, before, after }) => {
    const newPath = after === null ? (newPaths.get(path) ?? path) : path;
    const text = texts.get(newPath) ?? null;
    return isPythonTest(path) && before !== null && text !== null ? [{ path, newPath, before, after: text }] : [];
  });
  const loosened = findLoosened(files);
  const moved = new Set(newPaths.values());
  const added = edits.filter(({ path, before }) => before === null && isPythonTest(path) && !moved.has(path));
  return [
    ...loosened,
    ...files.flatMap((file) => compareFiles(file, loosened, edits)),
    ...added.flatMap(({ path, after }) => compareNewFile(path, readPythonFile(after!), edits)),
  ];
}

function isPythonTest(path: string): boolean {
  return path.endsWith('.py') && isTest(path) && !isTestData(path) && !isBenchmarkCode(path);
}

function compareFiles(
  { path, newPath, before, after }: Readonly<Record<'path' | 'newPath' | 'before' | 'after', string>>,
  loosened: readonly FoundChange[],
  edits: readonly FileEdit[],
): readonly FoundChange[] {
  const [old, current] = [readPythonFile(before), readPythonFile(after)];
  const pairs = pairCases(old.cases, current.cases);
  const side = (file: PythonFile, name: string, users: Iterable<PythonCase>): FrameSide => ({
    ...{ path: name, frame: file.frame, users: [...users], isHelper: file.cases.length === 0 },
  });
  const rewritten = [...pairs].flatMap(([oldCase, newCase]): readonly FoundChange[] => {
    const lostRow = oldCase.rows.find((row) => !newCase.rows.includes(row)) ?? null;
    if (oldCase.body === newCase.body && lostRow === null) return [];
    const isReported = loosened.some(
      (change) => change.path === path && change.line! >= oldCase.line && change.line! <= oldCase.lastLine,
    );
    if (isReported) return [];
    return [
      {
        ...{ kind: 'rewritten', path, line: oldCase.line, now: { path: newPath, line: newCase.line } },
        ...{ test: oldCase.name, before: lostRow, after: null },
      },
    ];
  });
  return [...rewritten, ...compareFrames(side(old, path, pairs.keys()), side(current, newPath, pairs.values()), edits)];
}

/** Assertions that a new file replaces, and hooks of pytest, which apply to all tests of the folder. */
function compareNewFile(path: string, file: PythonFile, edits: readonly FileEdit[]): readonly FoundChange[] {
  const side = { path, frame: file.frame, users: file.cases, isHelper: false };
  const hook = file.frame.parts.find(({ text }) => /^(?:@.*\n)*def pytest_/.test(text));
  const isHooked = hook && /(?:^|\/)conftest\.py$/.test(path);
  const place = { path, line: null, now: { path, line: hook?.line ?? 1 } };
  return [
    ...compareFrames(null, side, edits),
    ...(isHooked
      ? [{ kind: 'rewritten' as const, ...place, test: '', before: null, after: hook.text.slice(0, 300) }]
      : []),
  ];
}

/** Pairs tests by their name, or by an equal body. */
function pairCases(before: readonly PythonCase[], after: readonly PythonCase[]): ReadonlyMap<PythonCase, PythonCase> {
  const pairs = new Map<PythonCase, PythonCase>();
  const free = new Set(after);
  const bodyOf = ({ name, body }: PythonCase) => body.replace(name.split(' › ').at(-1)!, '');
  for (const fits of [
    (old: PythonCase, current: PythonCase) => old.name === current.name,
    (old: PythonCase, current: PythonCase) => bodyOf(old) === bodyOf(current),
  ])
    for (const old of before) {
      const current = pairs.has(old) ? undefined : [...free].find((candidate) => fits(old, candidate));
      if (!current) continue;
      pairs.set(old, current);
      free.delete(current);
    }
  return pairs;
}
