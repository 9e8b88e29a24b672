// Finds Python tests that newly replace the code that they test by a mock.

import type { FileEdit } from '../../../model.ts';
import type { FoundChange } from '../foundChange.ts';
import { shortenForPerson } from './compareFrames.ts';
import type { CaseSide } from './findReplacedInCase.ts';
import { isSameModule, toPythonModulePath } from './modules.ts';
import { isSubject } from './redirects.ts';
import { collectReached, type FramePart, type Origin } from './testFrame.ts';
import { readTopLevel } from './topLevel.ts';

/** Matches a replaced member: by its full name, as a member of an object, or by an assignment. */
const PATCH_PATTERN =
  /\b(?:patch|monkeypatch\.setattr)\((?:target ?= ?)?f?'(?<path>[\w.{}]+)\.(?<name>\w+)'[^\n]*|\b(?:patch\.object|monkeypatch\.setattr|(?<![\w.])setattr)\((?:target ?= ?)?(?<object>[\w.]+), ?(?:(?:attribute|name) ?= ?)?'(?<member>\w+)'[^\n]*|^[ ]*(?<owner>[A-Za-z_][\w.]*)\.(?<assigned>\w+) ?= ?(?:lambda\b|(?:mock\.)?(?:Magic|Async)?Mock\(|create_autospec\()[^\n]*/gm;
/** Matches a mock of several members of one object, by keyword arguments. */
const MULTIPLE_PATTERN = /\bpatch\.multiple\((?<object>[\w.]+|'[\w.]+'),(?<members>[^\n]*)/g;

/** Matches a mock of members of a module by their names in its dictionary. */
const DICT_PATTERN =
  /\bpatch\.dict\((?:in_dict ?= ?)?(?<object>'?[\w.]+)\.__dict__'?,(?: ?(?:values ?= ?)?\{(?<keys>[^\n]*)|(?<members>[^\n]*))/g;

/** Matches the name of a class. */
const CLASS_NAME = /^_?[A-Z]/;

/** A replaced member. */
interface Patch {
  /** The object: a path from the root in quotes, or an expression. */
  readonly object: string;
  readonly isPath: boolean;
  readonly member: string;
  readonly text: string;
  readonly line: number;
}

/**
 * The mocks in a test, around it, or in the code that it uses, that replace a function which it called before and still
 * calls. A mock that passes calls on is not a replacement.
 */
export function findPatchedSubject(
  old: CaseSide,
  current: CaseSide,
  edits: readonly FileEdit[],
): readonly FoundChange[] {
  const after = readSide(current);
  if (after.patches.length === 0) return [];
  const before = readSide(old);
  const knownKeys = new Set(before.patches.map((patch) => createPatchKey(patch, before)));
  const newPatch = after.patches.find(
    (patch) => !knownKeys.has(createPatchKey(patch, after)) && replacesSubject(patch, before, after, edits),
  );
  if (!newPatch) return [];
  return [
    {
      ...{ kind: 'loosened', path: old.path, line: old.line, test: old.name },
      ...{
        now: { path: current.path, line: newPatch.line },
        before: null,
        after: shortenForPerson(newPatch.text.trim()),
      },
    },
  ];
}

/** A test with the code outside of it that it reaches: classes around it, hooks, fixtures and helpers. */
interface Side {
  readonly from: string;
  /** The code of the test and of its helpers. */
  readonly uses: string;
  /** Declarations that are visible in the test, its own last. */
  readonly parts: readonly FramePart[];
  readonly patches: readonly Patch[];
}

function readSide({ name, words, body = '', declares = [], frame, from, line }: CaseSide): Side {
  const reachedParts = [...collectReached(frame, [{ name, words }]).parts];
  const texts = [{ text: body, line }, ...reachedParts.filter(({ origin }) => !origin)];
  return {
    ...{ from, parts: [...reachedParts, ...declares] },
    uses: [
      body,
      ...reachedParts.filter(({ names, origin }) => names.length > 0 && !origin).map(({ text }) => text),
    ].join('\n'),
    patches: texts.flatMap((part) => readPatches(part.text).map((patch) => ({ ...patch, line: part.line }))),
  };
}

function readPatches(text: string): readonly Omit<Patch, 'line'>[] {
  const singlePatches = [...text.matchAll(PATCH_PATTERN)].map((match) => {
    const { path, name, object, member, owner, assigned } = match.groups as Partial<Record<string, string>>;
    const place = { object: path ?? object ?? owner ?? '', isPath: path !== undefined };
    return { ...place, member: name ?? member ?? assigned ?? '', text: match[0] };
  });
  const multiplePatches = [...text.matchAll(MULTIPLE_PATTERN), ...text.matchAll(DICT_PATTERN)].flatMap((match) => {
    const { object = '', members, keys = '' } = match.groups as Partial<Record<string, string>>;
    const place = { object: object.replaceAll("'", ''), isPath: object.startsWith("'") };
    const names = readTopLevel(members ?? keys, 0).matchAll(
      members === undefined ? /(?:^|,) ?'(\w+)' ?:/g : /(?:^|,) ?(\w+) ?=(?!=)/g,
    );
    return [...names].map(([, member = '']) => ({ ...place, member, text: match[0] }));
  });
  return [...singlePatches, ...multiplePatches].filter((patch) => !/\bwraps ?=/.test(patch.text));
}

function createPatchKey({ object, member, isPath }: Patch, side: Side): string {
  const target = isPath ? object : (findOwner(object, side.parts)?.path ?? object);
  return `${target}.${member}`;
}

/** True if the mock replaces the origin of an imported name of the test, or a member of it that the test uses. */
function replacesSubject(patch: Patch, before: Side, after: Side, edits: readonly FileEdit[]): boolean {
  return before.parts.some(
    ({ names: [local = ''], origin }) =>
      origin !== undefined &&
      isSubject(origin, { from: before.from, edits }) &&
      (patch.isPath
        ? replacesByPath(patch, { local, origin }, before, after)
        : replacesMember(patch, { local, origin }, before, after)),
  );
}

/** An imported name. */
interface Imported {
  readonly local: string;
  readonly origin: Origin;
}

/** True if the mock, named by a full path, replaces the imported name, or a member of it that the test uses. */
function replacesByPath({ object, member }: Patch, { local, origin }: Imported, before: Side, after: Side): boolean {
  const isOfFile = object === '{__name__}' || `/${before.from}`.endsWith(`/${object.replaceAll('.', '/')}.py`);
  if (isOfFile) return member === local;
  return listMembersBelow(object, origin, before.from).some((inner) => {
    const members = [...inner, member];
    if (origin.name === '*') {
      const isCalled = usesCall(before, `${createLocalPattern(local)}${members.join(String.raw`\.`)}`);
      return isCalled || (isClassPath(inner) && callsMember(before, after, member));
    }
    if (members[0] !== origin.name) return false;
    if (members.length === 1) return true;
    const isOfClass = isClassPath(inner.length > 1 ? inner.slice(1) : inner);
    return (
      usesCall(before, `${createLocalPattern(local)}${member}`) || (isOfClass && callsMember(before, after, member))
    );
  });
}

/** True if the mock replaces a member of an object of the file, and the test uses this member of the imported name. */
function replacesMember({ object, member }: Patch, { local, origin }: Imported, before: Side, after: Side): boolean {
  const owner = findOwner(object, after.parts);
  if (!owner || !isSameModule(owner.origin.module, after.from, origin.module, before.from)) return false;
  if (owner.origin.name === origin.name) {
    if (object.split('.')[0] === local && usesCall(before, `${createLocalPattern(local)}${member}`)) return true;
    return origin.name !== '*' && CLASS_NAME.test(owner.path.split('.').at(-1)!) && callsMember(before, after, member);
  }
  // `from lib import half`, and `lib.half` is replaced.
  return owner.path === owner.origin.module && origin.name === member && usesCall(before, local);
}

/** True for the names of a class and of classes around it: its methods are called on objects of any name. */
function isClassPath(names: readonly string[]): boolean {
  return names.length > 0 && names.every((name) => CLASS_NAME.test(name));
}

/** Creates a pattern for the imported name with members or calls behind it. */
function createLocalPattern(local: string): string {
  return String.raw`(?<![\w.])${local}(?:\.\w+|\([^()\n]*\))*?\.`;
}

/** True if both tests use the result of the member of some object. */
function callsMember(before: Side, after: Side, member: string): boolean {
  return [before, after].every((side) => usesCall(side, String.raw`\w\)?\.${member}`));
}

/** True if the test uses the result of the call, or expects an error of it. */
function usesCall({ uses }: Side, callee: string): boolean {
  const call = new RegExp(String.raw`${callee}\(`);
  const alone = new RegExp(String.raw`^\s*(?:await )?[\w.]*${callee}\(`);
  let expectsError = false;
  return uses.split('\n').some((line) => {
    const isUsed = call.test(line) && (expectsError || !alone.test(line));
    expectsError = /^\s*(?:async )?with .*(?:[Rr]aises|[Ww]arns)\w*\(/.test(line);
    return isUsed;
  });
}

/** The members of the path below the imported module; empty for another module. */
function listMembersBelow(path: string, { module }: Origin, from: string): readonly (readonly string[])[] {
  const words = path.split('.');
  return words.flatMap((_, index) =>
    isSameModule(toPythonModulePath(words.slice(0, words.length - index).join('.')), from, module, from)
      ? [words.slice(words.length - index)]
      : [],
  );
}

/** The origin of an object that the file imports, with its members; null for other objects. */
function findOwner(
  object: string,
  parts: readonly FramePart[],
): { readonly origin: Origin; readonly path: string } | null {
  const [root = '', ...members] = object.split('.');
  const origin = parts.findLast(({ names }) => names.includes(root))?.origin;
  if (!origin) return null;
  return { origin, path: [origin.module, ...(origin.name === '*' ? [] : [origin.name]), ...members].join('.') };
}
