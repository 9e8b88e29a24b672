// Decides which claims a proposal may make, and in which order they are tried.

import { diffLines } from 'diff';
import type { FileEdit, Proposal } from '../../model.ts';
import type { ClaimKind } from '../../model/claims.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { TYPESCRIPT_PATTERN } from '../../paths/scriptFiles.ts';

/** The claims to try, in order; the first that is shown counts. Never empty. */
export type ClaimChooser = (
  proposal: Pick<Proposal, 'recipe' | 'claimed'>,
  edits: readonly FileEdit[],
) => readonly ClaimKind[];

/**
 * The claims that fit the form of the edits. Edits of tests only claim `tests` if they only add lines, and otherwise
 * `points`. Edits of code claim `types` (only in TypeScript), then `points`. Edits of both code and tests claim `fix`
 * before these.
 */
export function findClaimsByForm(edits: readonly FileEdit[]): readonly ClaimKind[] {
  const [tests, code] = [edits.filter(isTestEdit), edits.filter((edit) => !isTestEdit(edit))];
  if (code.length === 0) return tests.every(addsOnly) && tests.length > 0 ? ['tests'] : ['points'];
  const claimsOfCode: readonly ClaimKind[] = code.some(({ path }) => TYPESCRIPT_PATTERN.test(path))
    ? ['types', 'points']
    : ['points'];
  return tests.length > 0 ? ['fix', ...claimsOfCode] : claimsOfCode;
}

/** An import of names on one line: the text before its names, the names, and the text after them. */
const NAMED_IMPORT = /^(import [^'"{}]*)\{([^{}]+)\}( from (?:'[^']+'|"[^"]+");?)\r?\n?$/;

/** True if the edit creates a file, or removes no line from a file. An import on one line may get more names. */
export function addsOnly({ before, after }: FileEdit): boolean {
  if (after === null) return false;
  if (before === null) return true;
  const parts = diffLines(addFinalNewline(before), addFinalNewline(after));
  return parts.every(({ removed, value }, index) => !removed || extendsImport(value, parts[index + 1]));
}

/** True if `line` is an import, and the added part `next` begins with the same import with more names. */
function extendsImport(line: string, next: { readonly added?: boolean; readonly value: string } | undefined): boolean {
  const [, start, names, end] = NAMED_IMPORT.exec(line) ?? [];
  const [, newStart, newNames, newEnd] = NAMED_IMPORT.exec((next?.added && next.value.split(/(?<=\n)/)[0]) || '') ?? [];
  if (names === undefined || newNames === undefined || start !== newStart || end !== newEnd) return false;
  const newNameList = listNames(newNames);
  return listNames(names).every((name) => newNameList.includes(name));
}

function listNames(text: string): readonly string[] {
  return text.split(',').flatMap((name) => name.trim() || []);
}

function addFinalNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
