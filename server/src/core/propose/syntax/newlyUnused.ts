// Removes from a changed text the declarations and imports that the change has left unused.

import { ts } from 'ts-morph';
import type { Style } from '../fileStyle.ts';
import { applyReplacements } from '../textEdit.ts';
import { collectDescendants } from './locate.ts';
import { parseSource } from './parse.ts';
import { planRemoval } from './removal.ts';
import { createSingleFileService } from './singleFile.ts';
import { findFirstUnused } from './unused.ts';

/** Maximum number of attempted removals. Names that are unused after these attempts stay. */
const MAX_ATTEMPTS = 40;

/**
 * Removes the top-level declarations and imports that a change has left unused, and then those that only the removed
 * ones used, if behaviour stays the same. Names that were unused before the change stay. `requiredNames`: names that
 * must be removed; refuses if one of them cannot be. Both texts are versions of the file at `path`, without a
 * byte-order mark. `removedNames`: the removed names, in the order of their removal.
 */
export function removeNewlyUnused(
  path: string,
  textBefore: string,
  changedText: string,
  requiredNames: ReadonlySet<string>,
  style: Style,
): { readonly text: string; readonly removedNames: readonly string[] } | { readonly refused: string } {
  const unusedBefore = new Set(findUnusedNames(path, textBefore));
  const removedNames: string[] = [];
  const unremovableNames = new Set<string>();
  let text = changedText;
  for (let step = 0; step < MAX_ATTEMPTS; step++) {
    const nextRemoval = removeFirstUnused(
      path,
      text,
      (names) => names.every((name) => !unusedBefore.has(name) && !unremovableNames.has(name)),
      style,
    );
    if (nextRemoval === null) break;
    if ('refused' in nextRemoval) {
      if (nextRemoval.names.some((name) => requiredNames.has(name))) return { refused: nextRemoval.refused };
      for (const name of nextRemoval.names) unremovableNames.add(name);
      continue;
    }
    text = nextRemoval.text;
    removedNames.push(...nextRemoval.names);
  }
  const remainingName = [...requiredNames].find((name) => !removedNames.includes(name));
  return remainingName === undefined
    ? { text, removedNames: removedNames }
    : { refused: `${remainingName} is still used.` };
}

/** A removal that succeeded or was refused, with the names of its statement. */
type RemovalAttempt =
  | { readonly text: string; readonly names: readonly string[] }
  | { readonly refused: string; readonly names: readonly string[] };

/**
 * Tries to remove the first top-level statement whose names are unused and accepted by `mayRemove`; null if there is
 * none.
 */
function removeFirstUnused(
  path: string,
  text: string,
  mayRemove: (names: readonly string[]) => boolean,
  style: Style,
): RemovalAttempt | null {
  const fileName = `/${path}`;
  const sourceFile = parseSource(path, text);
  if (!sourceFile) return null;
  const service = createSingleFileService(fileName, text);
  try {
    for (const statement of collectStatements(sourceFile)) {
      const unused = findFirstUnused(service, fileName, sourceFile, {
        start: statement.getStart(sourceFile),
        end: statement.end,
      });
      if (!unused || !mayRemove(unused.names) || unused.statement !== statement) continue;
      const removal = planRemoval(service, fileName, sourceFile, unused, style);
      return 'refused' in removal
        ? { refused: removal.refused, names: unused.names }
        : { text: applyReplacements(text, removal.replacements), names: unused.names };
    }
    return null;
  } finally {
    service.dispose();
  }
}

/** Finds the names that the text declares at its top level or imports, and never uses; empty for other languages. */
function findUnusedNames(path: string, text: string): string[] {
  const fileName = `/${path}`;
  const sourceFile = parseSource(path, text);
  if (!sourceFile) return [];
  const service = createSingleFileService(fileName, text);
  try {
    return collectStatements(sourceFile).flatMap(
      (statement) =>
        findFirstUnused(service, fileName, sourceFile, { start: statement.getStart(sourceFile), end: statement.end })
          ?.names ?? [],
    );
  } finally {
    service.dispose();
  }
}

/**
 * The top-level statements that may declare something. Code inside a function is removed together with the function.
 */
function collectStatements(sourceFile: ts.SourceFile): readonly ts.Statement[] {
  return [...sourceFile.statements].filter(
    (statement) => !ts.isExpressionStatement(statement) && collectDescendants(statement).length > 0,
  );
}
