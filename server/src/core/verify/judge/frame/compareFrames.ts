// Compares the code of test files outside of their cases, as far as old cases use it.

import { posix } from 'node:path';
import type { FileEdit } from '../../../model.ts';
import type { FoundChange } from '../foundChange.ts';
import { isSameModule } from './modules.ts';
import { isSubject, judgeRedirect } from './redirects.ts';
import { collectReached, type FramePart, type FrameUser, type MockedModule, type TestFrame } from './testFrame.ts';
import { subtractByKey } from '../../../../util/values/countBy.ts';

/** A file on one side. `users`: its cases that exist on both sides. */
export interface FrameSide {
  readonly path: string;
  /** The path that its imports are relative to: a different path if the file was renamed. */
  readonly from: string;
  readonly frame: TestFrame;
  readonly users: readonly FrameUser[];
  /** True for a file without cases: other files use all of it. */
  readonly isHelper: boolean;
}

/** Matches a mock that preserves the original, except for the names in it. */
const PARTIAL_MOCK = /\b(?:importOriginal|importActual|requireActual)\b/;
const NO_FRAME: TestFrame = { parts: [], overrides: [] };

/**
 * The changes outside of cases that affect old cases. `loosened`: the tested code or an assertion is replaced.
 * `rewritten`: anything else. `old`: null for a new file, of which only replaced assertions count.
 */
export function compareFrames(
  old: FrameSide | null,
  current: FrameSide,
  edits: readonly FileEdit[],
): readonly FoundChange[] {
  const report = (
    kind: FoundChange['kind'],
    before: FramePart | null,
    after: Pick<FramePart, 'text' | 'shown' | 'line'> | null,
  ) => ({
    ...{ kind, path: old?.path ?? current.path, line: before?.line ?? null, test: '' },
    ...(after ? { now: { path: current.path, line: after.line } } : {}),
    ...{
      before: shortenForPerson(before?.shown ?? before?.text),
      after: shortenForPerson(after?.shown ?? after?.text),
    },
  });
  const knownOverrides = new Set((old?.frame ?? NO_FRAME).overrides.map(({ text }) => text));
  const newOverrides = current.frame.overrides.filter(({ text }) => !knownOverrides.has(text));
  const overrides = newOverrides.map((override) => report('loosened', null, override));
  if (!old) return overrides;
  const [before, after] = [collectReachedParts(old), collectReachedParts(current)];
  const { lost, added } = compareParts(before.parts, after.parts, old.from, current.path);
  const changes: FoundChange[] = [];
  const names = new Set([...lost, ...added].flatMap((part) => part.names));
  const reportedParts = new Set<FramePart>();
  for (const name of names) {
    const declares = (part: FramePart) => part.names.includes(name);
    const currentParts = added.filter(declares);
    const oldParts = lost.some(declares) ? lost.filter(declares) : [...before.parts].filter(declares);
    const [oldPart, newPart] = [oldParts[0] ?? null, currentParts[0] ?? null];
    if (newPart ? reportedParts.has(newPart) : oldPart === null || reportedParts.has(oldPart)) continue;
    const kind = judgeName(name, oldPart, newPart);
    if (kind === null) continue;
    for (const part of [...oldParts, ...currentParts]) reportedParts.add(part);
    changes.push(report(kind, oldPart, newPart));
  }
  const declaredInCases = old.users.flatMap(({ declares = [] }) => declares);
  const subjectMocks = findSubjectMocks(old, current, [...before.parts, ...declaredInCases], edits);
  const isOverride = ({ text }: FramePart) =>
    [...newOverrides, ...subjectMocks].some((replacement) => text.includes(replacement.text));
  const actingParts = added.filter((part) => part.names.length === 0 && !isOverride(part));
  for (const part of lost.filter(({ names }) => names.length === 0)) {
    const index = actingParts.findIndex(({ text }) => findFirstWord(text) === findFirstWord(part.text));
    changes.push(report('rewritten', part, index < 0 ? null : actingParts.splice(index, 1)[0]!));
  }
  overrides.push(...subjectMocks.map((mock) => report('loosened', null, mock)));
  return [...overrides, ...changes, ...actingParts.map((part) => report('rewritten', null, part))];

  function judgeName(name: string, oldPart: FramePart | null, newPart: FramePart | null): FoundChange['kind'] | null {
    // A name that is no longer declared is no longer used: the case itself has changed.
    if (!newPart) return old!.isHelper && !oldPart?.origin ? 'rewritten' : null;
    if (!oldPart && !before.undeclared.has(name)) return null;
    if (oldPart && !oldPart.origin) return hasAllElements(oldPart, newPart) ? null : 'rewritten';
    return judgeRedirect({
      ...{ name, origin: oldPart?.origin ?? null, newPart, from: old!.from, path: current.path, edits },
      newParts: current.frame.parts,
      uses: [...current.users.map(({ body = '' }) => body), ...current.frame.parts.map(({ text }) => text)],
    });
  }
}

/** The new mocks of modules that are not test code, that cases use, and that were not mocked before. */
function findSubjectMocks(
  old: FrameSide,
  current: FrameSide,
  usedParts: readonly FramePart[],
  edits: readonly FileEdit[],
): readonly MockedModule[] {
  const oldMocks = old.frame.mocks ?? [];
  const usedCode = [...usedParts.map(({ text }) => text), ...old.users.map(({ body = '' }) => body)].join('\n');
  return (current.frame.mocks ?? []).filter((mocked) => {
    const { module, text } = mocked;
    if (mocked.isLate && !isLoadedLater(mocked, old, current)) return false;
    const isSame = (other: string) => isSameModule(other, old.from, module, current.path);
    if (oldMocks.some((mock) => isSame(mock.module)) || /\bspy:true\b/.test(text)) return false;
    return usedParts.some(({ names: [name = ''], origin }) => {
      if (!origin || !isSame(origin.module) || !isSubject(origin, { from: old.from, edits })) return false;
      if (new RegExp(String.raw`(?:spyOn|mocked|stub|method)\(${name.replace(/\W/g, '.')}\b`).test(usedCode))
        return false;
      // A mock of some names does not affect the others.
      return (
        !PARTIAL_MOCK.test(text) ||
        removeStrings(text)
          .split(/[^\w$]+/)
          .includes(origin.name)
      );
    });
  });
}

/** True if an old case, or the code outside of the cases, creates the mock and loads the module. */
function isLoadedLater({ module, text }: MockedModule, old: FrameSide, { users, frame }: FrameSide): boolean {
  const stem = module.split('/').at(-1)!.replace(/\W/g, String.raw`\$&`);
  const loads = new RegExp(String.raw`\b(?:import|require)\('(?:[^']*\/)?${stem}(?:\.\w+|\/index(?:\.\w+)?)?'\)`);
  const bodies = users.map(({ body = '' }) => body);
  const outside = frame.parts.map((part) => part.text);
  const isOutside = outside.some((code) => code.includes(text));
  if (isOutside) return [...outside, ...bodies].some((code) => loads.test(code));
  const isKnown = (name: string) => old.users.some((user) => user.name === name);
  return users.some(({ name, body = '' }) => isKnown(name) && body.includes(text) && loads.test(body));
}

function removeStrings(text: string): string {
  return text.replace(/'(?:\\.|[^'\\])*(?:'|\\?$)/gs, "''");
}

function collectReachedParts({ frame, users, isHelper }: FrameSide): {
  parts: readonly FramePart[];
  undeclared: ReadonlySet<string>;
} {
  if (isHelper) return { parts: frame.parts, undeclared: new Set(frame.parts.flatMap(({ words }) => words)) };
  const { parts, undeclared } = collectReached(frame, users);
  // In the order of the text.
  return { parts: frame.parts.filter((part) => parts.has(part)), undeclared };
}

/** The parts that exist only on one side. Paths in a file that moved to another folder may stay or follow. */
function compareParts(
  before: readonly FramePart[],
  after: readonly FramePart[],
  from: string,
  path: string,
): { readonly lost: readonly FramePart[]; readonly added: readonly FramePart[] } {
  const textOf = ({ text }: FramePart) => text;
  if (posix.dirname(from) === posix.dirname(path))
    return { lost: subtractByKey(before, after, textOf), added: subtractByKey(after, before, textOf) };
  const [oldText, newText] = [from, path].map(
    (place) => (part: FramePart) => replaceRelativePaths(part.text, place),
  ) as [(part: FramePart) => string, (part: FramePart) => string];
  const [lost, added] = [
    subtractByKey(before, after, oldText, newText),
    subtractByKey(after, before, newText, oldText),
  ];
  // An import with the same text is an import of another module.
  const keyOfPart = (part: FramePart) => (part.origin ? `${part.line} ${part.text}` : part.text);
  const other = (part: FramePart) => (part.origin ? '' : part.text);
  return { lost: subtractByKey(lost, added, keyOfPart, other), added: subtractByKey(added, lost, keyOfPart, other) };
}

/** The text with relative paths in quotes as paths from the root. */
function replaceRelativePaths(text: string, place: string): string {
  return text.replace(
    /'(\.{1,2}(?:\/[^']*)?)'/g,
    (_, relative: string) => `'${posix.join(posix.dirname(place), relative)}'`,
  );
}

/** True for an array that still has all of its elements. */
function hasAllElements({ elements: before }: FramePart, { elements: after }: FramePart): boolean {
  if (!before || !after) return false;
  const remaining = [...after];
  return before.every((element) => {
    const index = remaining.indexOf(element);
    if (index >= 0) remaining.splice(index, 1);
    return index >= 0;
  });
}

function findFirstWord(text: string): string {
  return /^[\w$.]+/.exec(text)?.[0] ?? text;
}

/** Maximum number of characters of a part that is shown to a person. */
const MAX_CHARACTERS = 300;

/** The text as it is shown to a person. */
export function shortenForPerson(text: string | undefined): string | null {
  if (text === undefined) return null;
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`;
}
