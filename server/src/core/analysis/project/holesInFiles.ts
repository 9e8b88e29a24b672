// Looks for type holes in many files: one program for all files that share their compiler options.

import { posix } from 'node:path';
import type { Range } from '../../model.ts';
import type { SourceTree } from '../../ports/sources.ts';
import { mayHaveTypeHoles, type TypeHole } from '../../syntax/typeHoles.ts';
import { findProvenHoles, type TriedFile } from '../../syntax/provenHoles.ts';
import { findLineStarts, toRange } from '../lines.ts';
import { TYPESCRIPT_PATTERN, DECLARATION_PATTERN } from '../../paths/scriptFiles.ts';

/** The type holes of a file, in the order of its text. */
export interface FileHoles {
  readonly path: string;
  readonly holes: readonly (Pick<TypeHole, 'kind' | 'explanation'> & {
    readonly range: Range;
    readonly shown: string;
  })[];
}

/** Opens files in programs of the TypeScript compiler. */
export interface ProgramOpener<File extends TriedFile> {
  /** The folder whose configuration applies to a file. Files with the same folder share their compiler options. */
  findConfigFolder(tree: SourceTree, absolutePath: string): string;
  /** Opens these files, given by absolute path and text, in one program. The result is by absolute path, too. */
  open(tree: SourceTree, files: ReadonlyMap<string, string>): ReadonlyMap<string, File>;
}

/** Maximum number of files in one program. More would need too much memory. */
const MAX_FILES_PER_PROGRAM = 250;

/**
 * Finds the type holes of these files; files without holes are not in the result. Reads the tree, and has no other
 * effects. `paths`: relative to the root. Languages other than TypeScript, declaration files, and files with a
 * byte-order mark are skipped.
 */
export function findTypeHolesInFiles<File extends TriedFile>(
  paths: readonly string[],
  tree: SourceTree,
  programs: ProgramOpener<File>,
): readonly FileHoles[] {
  const root = tree.rootDir.replaceAll('\\', '/');
  const groups = new Map<string, Map<string, string>>();
  for (const path of paths) {
    if (!TYPESCRIPT_PATTERN.test(path) || DECLARATION_PATTERN.test(path)) continue;
    const absolutePath = posix.join(root, path);
    const text = tree.read(absolutePath);
    if (text === undefined || text.startsWith('\uFEFF') || !mayHaveTypeHoles(text)) continue;
    const folder = programs.findConfigFolder(tree, absolutePath);
    groups.set(folder, (groups.get(folder) ?? new Map<string, string>()).set(absolutePath, text));
  }
  const fileHoles: FileHoles[] = [];
  for (const group of groups.values()) {
    const files = [...group];
    for (let index = 0; index < files.length; index += MAX_FILES_PER_PROGRAM) {
      const textsOfProgram = new Map(files.slice(index, index + MAX_FILES_PER_PROGRAM));
      const openedFiles = programs.open(tree, textsOfProgram);
      const holesByFile = findProvenHoles([...openedFiles.values()]);
      for (const [absolute, file] of openedFiles) {
        const holes = holesByFile.get(file);
        if (holes) fileHoles.push(addRanges(posix.relative(root, absolute), textsOfProgram.get(absolute)!, holes));
      }
    }
  }
  return fileHoles;
}

/** Converts the offsets of type holes to ranges, and adds the text of each hole in one line. */
function addRanges(path: string, text: string, holes: readonly TypeHole[]): FileHoles {
  const lines = findLineStarts(text);
  return {
    path,
    holes: holes.map(({ kind, explanation, start, end }) => ({
      kind,
      explanation,
      range: toRange(lines, start, end),
      shown: text.slice(start, end).replace(/\s+/g, ' '),
    })),
  };
}
