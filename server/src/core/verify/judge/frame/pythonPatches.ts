// Finds Python tests that newly replace what they test by a mock.

import type { FileEdit } from '../../../model.ts';
import type { FoundChange } from '../foundChange.ts';
import { shorten } from './compareFrames.ts';
import type { CaseSide } from './findReplacedInCase.ts';
import { isSameModule, pythonModule } from './modules.ts';
import { isSubject } from './redirects.ts';
import { isWithin, scopeOfCase, type FramePart } from './testFrame.ts';

/** Matches where a member is replaced, by its whole name or as a member of an object. */
const PATCH_PATTERN =
  /\b(?:patch|monkeypatch\.setattr)\('([\w.]+)\.(\w+)'[^\n]*|\b(?:patch\.object|monkeypatch\.setattr)\(([\w.]+), ?'(\w+)'[^\n]*/g;

/** The mocks in a test that replace what it called before. A mock that passes calls on replaces nothing. */
export function findPatchedSubject(
  old: CaseSide,
  current: CaseSide,
  edits: readonly FileEdit[],
): readonly FoundChange[] {
  const known = new Set([...(old.body ?? '').matchAll(PATCH_PATTERN)].map(targetOf));
  const patches = [...(current.body ?? '').matchAll(PATCH_PATTERN)].filter(
    (match) => !known.has(targetOf(match)) && !/\bwraps ?=/.test(match[0]),
  );
  const scope = scopeOfCase(old.name);
  const used = old.frame.parts.filter(
    ({ names: [name = ''], scope: partScope }) => old.words.includes(name) && isWithin(scope, partScope),
  );
  const found = patches.find((match) =>
    used.some((part) => part.origin && isSubject(part.origin, { from: old.from, edits }) && replaces(match, part, old)),
  );
  if (!found) return [];
  return [
    {
      ...{ kind: 'loosened', path: old.path, line: old.line, test: old.name },
      ...{ now: { path: current.path, line: current.line }, before: null, after: shorten(found[0]) },
    },
  ];
}

function targetOf([, module, member, object, objectMember]: RegExpMatchArray): string {
  return `${module ?? object}.${member ?? objectMember}`;
}

/** True if the mock replaces what the imported name stands for, or a member that the test uses of it. */
function replaces(
  [, module, member, object, objectMember]: RegExpMatchArray,
  { names: [local = ''], origin }: FramePart,
  { from, body = '' }: CaseSide,
): boolean {
  const { module: imported, name } = origin!;
  const calls = (wanted: string) => new RegExp(String.raw`(?<![\w.])${local}(?:\.\w+)*?\.${wanted}\(`).test(body);
  if (object !== undefined) return object.split('.')[0] === local && calls(objectMember!);
  const isOwn = `/${from}`.endsWith(`/${module!.replaceAll('.', '/')}.py`);
  if (isOwn) return member === local;
  if (!isSameModule(pythonModule(module!), from, imported, from)) return false;
  return name === '*' ? calls(member!) : name === member;
}
