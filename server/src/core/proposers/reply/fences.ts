// Reads fenced code from a reply: whole files with their paths, or the one requested function.

import { declaresFunction, mentionsName } from './declaration.ts';
import { findLeadingSpace, findReindent } from './indentation.ts';
import { closesFence, matchOpeningFence, findLine, splitLinesWithoutEndings } from './marks.ts';
import { findPathOnLine } from './pathLine.ts';
import { TRUNCATED_REPLY, type ReplyRefusal, type ReplyEdit, type ReplyParts } from './reply.ts';

/** A piece of fenced code. */
export interface Fence {
  /** The last line above the fence that is not empty. */
  readonly above: string;
  /** The line that opens the fence. */
  readonly opening: string;
  readonly code: string;
  /** True if the fence is not closed. */
  readonly isOpen: boolean;
}

/** Finds the fences of three or more backticks or tildes. A fence ends at a line with at least as many of them. */
export function findFences(text: string): Fence[] {
  const lines = splitLinesWithoutEndings(text);
  const fences: Fence[] = [];
  let lineAbove = '';
  for (let index = 0; index < lines.length; index += 1) {
    const fenceMarks = matchOpeningFence(lines[index]!);
    if (fenceMarks !== null) {
      const end = findLine(lines, index + 1, (line) => closesFence(line, fenceMarks));
      const rows = lines.slice(index + 1, end);
      const isOpen = end === lines.length;
      fences.push({
        above: lineAbove,
        opening: lines[index]!.trim(),
        code: rows.map((row) => `${row}\n`).join(''),
        isOpen,
      });
      if (isOpen) break;
      index = end;
    }
    if (lines[index]!.trim() !== '') lineAbove = lines[index]!;
  }
  return fences;
}

/** Finds the path of the file in a fence, in the line that opens the fence or above it; null if there is none. */
export function findFencePath({ opening, above }: Fence): string | null {
  return findPathOnLine(opening) ?? findPathOnLine(above);
}

/**
 * Reads whole files from fences with a path in the line that opens them or above it; null if there are none. If any
 * fence is open, the reply was cut off, or a fence in the text of a file has closed the fence around it.
 */
export function readFileFences(text: string): ReplyParts | ReplyRefusal | null {
  const allFences = findFences(text);
  const fences = allFences.flatMap((fence) => {
    const file = findFencePath(fence);
    return file === null ? [] : [{ ...fence, file }];
  });
  if (fences.length === 0) return null;
  if (allFences.some(({ isOpen }) => isOpen)) return TRUNCATED_REPLY;
  const paths = new Set<string>();
  const duplicateFence = fences.find(({ file }) => paths.size === paths.add(file).size);
  if (duplicateFence) return { refused: `The reply holds ${duplicateFence.file} twice.` };
  const edits: ReplyEdit[] = fences.map(({ file, code }) => ({ kind: 'file', file, content: code }));
  return { description: '', edits };
}

/**
 * Reads the only fence in the reply to a request for a function: its code replaces `target`. Null if there is no fence.
 * Refuses unless the code declares the function.
 */
export function readFunction(
  text: string,
  target: { readonly file: string; readonly name: string; readonly text: string },
): ReplyParts | ReplyRefusal | null {
  const fences = findFences(text);
  if (fences.length === 0) return null;
  if (fences.some(({ isOpen }) => isOpen)) return TRUNCATED_REPLY;
  if (fences.length > 1)
    return { refused: 'The reply holds more than one piece of code, and it is unclear which of them counts.' };
  if (!declaresTarget(target, fences[0]!.code))
    return { refused: `The code of the reply does not declare ${target.name}, which it was to give as a whole.` };
  const code = indentLike(fences[0]!.code, target.text);
  if (code === null) return { refused: 'The indentation of the function in the reply is unclear.' };
  const search = target.text.endsWith('\n') ? target.text : `${target.text}\n`;
  return { description: '', edits: [{ kind: 'replace', file: target.file, search, replace: code, byLines: true }] };
}

/**
 * True if code declares the function. For a language whose declarations are not recognised, the code must mention it.
 */
function declaresTarget({ name, text }: { readonly name: string; readonly text: string }, code: string): boolean {
  return declaresFunction(text, name) ? declaresFunction(code, name) : mentionsName(code, name);
}

/**
 * Gives the code the indentation of the function that it replaces, because models often omit that of methods. Null if a
 * line of the code has a different kind of indentation.
 */
function indentLike(code: string, target: string): string | null {
  const firstLine = code.split('\n').find((line) => line.trim() !== '') ?? '';
  const mapIndent = findReindent([firstLine], [`${findLeadingSpace(target)}x`]);
  const lines = code.split('\n').map((line) => (mapIndent ? mapIndent(line) : null));
  return lines.includes(null) ? null : lines.join('\n');
}
