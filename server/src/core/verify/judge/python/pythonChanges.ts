// Compares Python tests before and after a change: assertions, and the text of tests and of the code outside of them.

import type { FileEdit } from '../../../model.ts';
import { isBenchmarkCode, isTest, isTestData } from '../../../paths/tests.ts';
import type { FoundChange } from '../foundChange.ts';
import { compareFrames, type FrameSide } from '../frame/compareFrames.ts';
import { compareFramesOfMoved, findReplacedInCases } from '../frame/findFrameChanges.ts';
import { findReplacedInCase } from '../frame/findReplacedInCase.ts';
import { findPatchedSubject } from '../frame/pythonPatches.ts';
import { collectReached } from '../frame/testFrame.ts';
import { readPythonFile, type PythonCase, type PythonFile } from '../frame/pythonFrame.ts';
import { findHelperSkips } from './helperSkips.ts';
import { findNewSkip, findSkipAmongUnpaired, type SkippableCase } from './newSkips.ts';
import { pairEqualCases, pairSimilarCases } from './pairPythonCases.ts';
import { findLoosened } from './pythonAssertions.ts';

/**
 * The changes of Python tests. `newPaths`: the new paths of renamed files. `lostNames`: names that the tested code no
 * longer declares.
 */
export function findPythonChanges(
  edits: readonly FileEdit[],
  newPaths: ReadonlyMap<string, string>,
  lostNames: ReadonlySet<string>,
): readonly FoundChange[] {
  const texts = new Map(edits.map(({ path, after }) => [path, after]));
  const files = edits.flatMap(({ path, before, after }) => {
    const newPath = after === null ? (newPaths.get(path) ?? path) : path;
    const text = texts.get(newPath) ?? null;
    return isPythonTest(path) && before !== null && text !== null ? [{ path, newPath, before, after: text }] : [];
  });
  const loosenedChanges = findLoosened(files);
  const newPathsOfRenames = new Set(newPaths.values());
  const remainingPaths = new Set(files.map(({ path }) => path));
  const comparedFiles = files.map((file) => {
    const [old, current] = [readPythonFile(file.before), readPythonFile(file.after)];
    return { ...file, old, current, pairs: pairEqualCases(old.cases, current.cases) };
  });
  const added = edits.flatMap(({ path, before, after }) =>
    before === null && isPythonTest(path) && !newPathsOfRenames.has(path)
      ? [{ path, current: readPythonFile(after!) }]
      : [],
  );
  const deleted = edits.flatMap(({ path, before }) =>
    before !== null && isPythonTest(path) && !remainingPaths.has(path) ? [{ path, old: readPythonFile(before) }] : [],
  );
  const comparedFilesWithPairs = pairSimilarInFiles(comparedFiles, deleted, added);
  const helperContext = {
    used: new Set(comparedFilesWithPairs.flatMap(listUsedNames)),
    moved: new Set([...comparedFilesWithPairs, ...deleted].flatMap(listLostParts)),
  };
  const skippedChanges = comparedFilesWithPairs.flatMap(findSkipped);
  const reportedChanges = [...loosenedChanges, ...skippedChanges];
  return [
    ...reportedChanges,
    ...comparedFilesWithPairs.flatMap((file) => compareFiles(file, reportedChanges, edits)),
    ...added.flatMap(({ path, current }) => compareNewFile(path, current, edits)),
    ...compareMovedCases(comparedFilesWithPairs, deleted, added, { edits, lostNames }),
    ...comparedFilesWithPairs.flatMap((file) => findHelperSkips(file, helperContext)),
    ...added.flatMap(({ path, current }) =>
      findHelperSkips({ path, newPath: path, old: null, current }, helperContext),
    ),
  ];
}

/** Pairs the remaining tests of each file by similarity, except for tests whose name exists in another file. */
function pairSimilarInFiles(
  files: readonly ComparedFile[],
  deleted: readonly DeletedFile[],
  added: readonly AddedFile[],
): readonly ComparedFile[] {
  const selectUnpaired = ({ old, current, pairs }: ComparedFile) => {
    const pairedCases = new Set(pairs.values());
    return [
      old.cases.filter((testCase) => !pairs.has(testCase)),
      current.cases.filter((testCase) => !pairedCases.has(testCase)),
    ] as const;
  };
  const unpairedByFile = new Map(files.map((file) => [file, selectUnpaired(file)]));
  const collectNames = (cases: readonly PythonCase[]) => new Set(cases.map(({ name }) => name));
  const namesOnlyBefore = collectNames([
    ...[...unpairedByFile.values()].flatMap(([olds]) => olds),
    ...deleted.flatMap(({ old }) => old.cases),
  ]);
  const namesOnlyAfter = collectNames([
    ...[...unpairedByFile.values()].flatMap(([, currents]) => currents),
    ...added.flatMap(({ current }) => current.cases),
  ]);
  return files.map((file) => {
    const [olds, currents] = unpairedByFile.get(file)!;
    const similarPairs = pairSimilarCases(
      olds.filter(({ name }) => !namesOnlyAfter.has(name)),
      currents.filter(({ name }) => !namesOnlyBefore.has(name)),
    );
    return { ...file, pairs: new Map([...file.pairs, ...similarPairs]) };
  });
}

/** The texts that were outside of the tests of a file and were removed. */
function listLostParts({
  old,
  current,
}: {
  readonly old: PythonFile;
  readonly current?: PythonFile;
}): readonly string[] {
  const remainingTexts = new Set(current?.frame.parts.map(({ text }) => text));
  return old.frame.parts.map(({ text }) => text).filter((text) => !remainingTexts.has(text));
}

/** The names that old tests use now, directly or through the code outside of the tests in their file. */
function listUsedNames({ current, pairs }: ComparedFile): readonly string[] {
  const users = [...pairs.values()];
  const parts = users.length === 0 ? [] : [...collectReached(current.frame, users).parts];
  return [...users, ...parts].flatMap(({ words }) => words);
}

/** Compares the code outside of the tests for tests that are in another file now. */
function compareMovedCases(
  compared: readonly ComparedFile[],
  deleted: readonly DeletedFile[],
  added: readonly AddedFile[],
  { edits, lostNames }: { readonly edits: readonly FileEdit[]; readonly lostNames: ReadonlySet<string> },
): readonly FoundChange[] {
  const casesPairedInFiles = new Set(compared.flatMap(({ pairs }) => [...pairs].flat()));
  const createFacts = (path: string, { frame, cases }: PythonFile): readonly MovedFacts[] => [
    { path, name: '', body: '', frame },
    ...cases.filter((testCase) => !casesPairedInFiles.has(testCase)).map((testCase) => ({ path, ...testCase })),
  ];
  const before = [...compared, ...deleted].flatMap(({ path, old }) => createFacts(path, old));
  const after = [
    ...compared.flatMap(({ newPath, current }) => createFacts(newPath, current)),
    ...added.flatMap(({ path, current }) => createFacts(path, current)),
  ];
  const isCase = ({ name }: MovedFacts) => name !== '';
  const equalPairs = pairEqualCases(before.filter(isCase), after.filter(isCase));
  const pairedCases = new Set(equalPairs.values());
  const similarPairs = pairSimilarCases(
    before.filter((facts) => isCase(facts) && !equalPairs.has(facts)),
    after.filter((facts) => isCase(facts) && !pairedCases.has(facts)),
  );
  const pairs = new Map([...equalPairs, ...similarPairs]);
  const skippedChanges = [...pairs].flatMap(
    ([old, current]) => findNewSkip(withFrame(old, before), withFrame(current, after)) ?? [],
  );
  return [
    ...skippedChanges,
    ...findSkipsAmongUnpaired(),
    ...findReplacedInCases(pairs, before, after, edits),
    ...compareFramesOfMoved(pairs, before, after, edits),
  ];

  /** Compares the remaining tests of each file, and those of the deleted files with those of the new files. */
  function findSkipsAmongUnpaired(): readonly FoundChange[] {
    const counterparts = new Set(pairs.values());
    // A test may be removed together with the code that it tested.
    const olds = before.filter(
      (facts) => isCase(facts) && !pairs.has(facts) && !(facts.words ?? []).some((word) => lostNames.has(word)),
    );
    const currents = after.filter((facts) => isCase(facts) && !counterparts.has(facts));
    const places = [
      ...compared.map(({ path, newPath }) => [new Set([path]), new Set([newPath])] as const),
      [new Set(deleted.map(({ path }) => path)), new Set(added.map(({ path }) => path))] as const,
    ];
    return places.flatMap(([oldPaths, currentPaths]) => {
      const [oldCases, newCases] = [
        olds.filter(({ path }) => oldPaths.has(path)),
        currents.filter(({ path }) => currentPaths.has(path)),
      ];
      return (
        findSkipAmongUnpaired(
          oldCases.map((facts) => withFrame(facts, before)),
          newCases.map((facts) => withFrame(facts, after)),
        ) ?? []
      );
    });
  }
}

/** A deleted test file that was not renamed. */
interface DeletedFile {
  readonly path: string;
  readonly old: PythonFile;
}

/** A new test file that was not renamed. */
interface AddedFile {
  readonly path: string;
  readonly current: PythonFile;
}

/** A test, or a file outside of its tests, which has no name. */
type MovedFacts = Pick<PythonCase, 'name' | 'body'> &
  Partial<PythonCase> &
  Pick<FrameSide, 'path'> &
  Partial<Pick<FrameSide, 'frame'>>;

/** A moved test, with the code outside of the tests in its file. */
function withFrame(facts: MovedFacts, side: readonly MovedFacts[]): SkippableCase {
  const frame = side.find(({ path, frame }) => path === facts.path && frame !== undefined)!.frame!;
  return { line: 1, rows: [], words: [], wordsOutsideRows: [], skips: [], ...facts, frame };
}

/** Tests that are skipped now, in a file that exists on both sides. */
function findSkipped({ path, newPath, old, current, pairs }: ComparedFile): readonly FoundChange[] {
  return [...pairs].flatMap(
    ([oldCase, newCase]) =>
      findNewSkip({ ...oldCase, path, frame: old.frame }, { ...newCase, path: newPath, frame: current.frame }) ?? [],
  );
}

/** A file that exists on both sides. */
interface ComparedFile extends Readonly<Record<'path' | 'newPath', string>> {
  readonly old: PythonFile;
  readonly current: PythonFile;
  readonly pairs: ReadonlyMap<PythonCase, PythonCase>;
}

function isPythonTest(path: string): boolean {
  return path.endsWith('.py') && isTest(path) && !isTestData(path) && !isBenchmarkCode(path);
}

/** The changes of tests, and of the code outside of them, in a file that exists on both sides. */
function compareFiles(
  { path, newPath, old, current, pairs }: ComparedFile,
  reported: readonly FoundChange[],
  edits: readonly FileEdit[],
): readonly FoundChange[] {
  const side = (file: PythonFile, name: string, users: Iterable<PythonCase>): FrameSide => ({
    ...{ path: name, from: name, frame: file.frame, users: [...users], isHelper: file.cases.length === 0 },
  });
  const rewritten = [...pairs].flatMap(([oldCase, newCase]): readonly FoundChange[] => {
    const sides = [
      { ...oldCase, path, from: path, frame: old.frame },
      { ...newCase, path: newPath, from: newPath, frame: current.frame },
    ] as const;
    const replacements = [...findReplacedInCase(...sides, edits), ...findPatchedSubject(...sides, edits)];
    if (replacements.length > 0) return replacements;
    const lostRow = oldCase.rows.find((row) => !newCase.rows.includes(row)) ?? null;
    if (oldCase.body === newCase.body && lostRow === null) return [];
    const isReported = reported.some(
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
  const side = { path, from: path, frame: file.frame, users: file.cases, isHelper: false };
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
