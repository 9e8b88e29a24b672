// Finds cases that replace the code that they tested, or their assertions, by their own.

import type { FileEdit } from '../../../model.ts';
import type { FoundChange } from '../foundChange.ts';
import { shortenForPerson } from './compareFrames.ts';
import { judgeRedirect } from './redirects.ts';
import { isWithinScope, findScopeOfCase, type FramePart, type FrameUser, type TestFrame } from './testFrame.ts';

/** A case on one side. */
export interface CaseSide extends FrameUser {
  readonly path: string;
  /** The path that its imports are relative to. */
  readonly from: string;
  readonly line: number;
  readonly frame: TestFrame;
}

/** The names that a case declares itself and took from an import before, as far as this weakens the case. */
export function findReplacedInCase(
  old: CaseSide,
  current: CaseSide,
  edits: readonly FileEdit[],
): readonly FoundChange[] {
  const declares = current.declares ?? [];
  return declares.flatMap((newPart) => {
    const names = newPart.names.filter((name) => isTakenOver(name, old, current));
    const replacedName = names.find((name) => {
      const origin = findPart(name, old)?.origin ?? null;
      const newParts = [...current.frame.parts, ...declares];
      const uses = [current.body ?? ''];
      const place = { from: old.from, path: current.path, edits };
      return judgeRedirect({ name, origin, newPart, newParts, uses, ...place }) === 'loosened';
    });
    if (replacedName === undefined) return [];
    const foundChange: FoundChange = {
      ...{ kind: 'loosened', path: old.path, line: old.line, test: old.name },
      ...{
        now: { path: current.path, line: newPart.line },
        before: shortenForPerson(findPart(replacedName, old)?.text),
      },
      after: shortenForPerson(newPart.shown ?? newPart.text),
    };
    return [foundChange];
  });
}

/** True if the old case used the name and did not declare it, and only an import did. */
function isTakenOver(name: string, old: CaseSide, current: CaseSide): boolean {
  if (!old.words.includes(name) || old.declares?.some(({ names }) => names.includes(name))) return false;
  const part = findPart(name, old);
  return part ? part.origin !== undefined : findPart(name, current) === undefined;
}

function findPart(name: string, { frame, name: title }: CaseSide): FramePart | undefined {
  const scope = findScopeOfCase(title);
  return frame.parts.findLast((part) => part.names.includes(name) && isWithinScope(scope, part.scope));
}
