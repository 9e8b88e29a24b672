// Proves type holes by trying to fill them. A hole is proven if, without it, the compiler reports the same errors, and
// the same types in other places.

import { ts } from 'ts-morph';
import { findTypeHoles, fillHoles, type RetypableFile, type TypeHole } from './typeHoles.ts';

/** A file whose text can be replaced, with the messages of the compiler about it. */
export interface TriedFile extends RetypableFile {
  /** The compiler's errors in the file: code and message, in order. */
  problems(): readonly string[];
  setText(text: string): void;
}

/** The facts about a file that must stay the same if a hole is filled. */
interface CheckedFacts {
  readonly problems: string;
  /** Each name with its type, in order. `isExported`: other files may rely on the type. */
  readonly names: readonly (Span & { readonly shown: string; readonly isExported: boolean })[];
}

/** A range of offsets in the text of a file; `end` is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Maximum number of characters of a type that are compared. */
const MAX_COMPARED = 400;

/**
 * The type holes of each file that can be filled together; files without such holes are omitted. First, all holes of
 * all files are filled at once, because every attempt costs a new check. Then, files in which something changes are
 * tried separately. Afterwards, the files have their original texts again.
 */
export function findProvenHoles<File extends TriedFile>(
  files: readonly File[],
): ReadonlyMap<File, readonly TypeHole[]> {
  const holesByFile = new Map<File, readonly TypeHole[]>();
  const candidates = files.flatMap((file) => {
    const holes = findTypeHoles(file);
    return holes.length > 0 ? [{ file, holes, before: collectFacts(file), text: file.sourceFile().text }] : [];
  });
  for (const { file, holes, text } of candidates) file.setText(fillHoles(text, holes));
  const unproven = candidates.filter(({ file, holes, before }) => {
    if (!hasSameFacts(before, collectFacts(file), holes)) return true;
    holesByFile.set(file, holes);
    return false;
  });
  for (const { file, text } of candidates) file.setText(text);
  for (const { file, holes, before, text } of unproven) {
    const canBeFilled = (holesToTry: readonly TypeHole[]) => {
      file.setText(fillHoles(text, holesToTry));
      return hasSameFacts(before, collectFacts(file), holesToTry);
    };
    const provenHoles = findLargestProven(holes, canBeFilled);
    file.setText(text);
    if (provenHoles.length > 0) holesByFile.set(file, provenHoles);
  }
  return holesByFile;
}

/**
 * All holes if filling them together passes `canBeFilled`. Otherwise the proven holes of both halves or, if these do
 * not pass together, the proven holes of the first half.
 */
function findLargestProven(
  holes: readonly TypeHole[],
  canBeFilled: (holes: readonly TypeHole[]) => boolean,
): readonly TypeHole[] {
  if (holes.length === 0 || canBeFilled(holes)) return holes;
  if (holes.length === 1) return [];
  const middle = Math.ceil(holes.length / 2);
  const first = findLargestProven(holes.slice(0, middle), canBeFilled);
  const second = findLargestProven(holes.slice(middle), canBeFilled);
  if (first.length === 0) return second;
  return second.length > 0 && canBeFilled([...first, ...second]) ? [...first, ...second] : first;
}

/** The spans of the edited parts in the new text. */
function computeNewSpans(holes: readonly TypeHole[]): readonly Span[] {
  let shift = 0;
  return holes
    .flatMap(({ edits }) => edits)
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end, text }) => {
      const from = start + shift;
      shift += text.length - (end - start);
      return { start: from, end: from + text.length };
    });
}

/** The names that are not within one of the spans. */
function selectNamesOutside({ names }: CheckedFacts, places: readonly Span[]): CheckedFacts['names'] {
  return names.filter((name) => !places.some(({ start, end }) => name.start >= start && name.end <= end));
}

/** The errors and the types of a file with its present text. */
function collectFacts(file: TriedFile): CheckedFacts {
  const sourceFile = file.sourceFile();
  const checker = file.checker();
  const names: CheckedFacts['names'][number][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node))
      names.push({
        start: node.getStart(sourceFile),
        end: node.end,
        shown: `${node.text} ${describeType(checker, node)}`,
        isExported: isExportedName(node),
      });
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return { problems: file.problems().join('\n'), names };
}

/** True for a name whose type other files may use: the name of an exported declaration, or of a member of one. */
function isExportedName(name: ts.Identifier): boolean {
  const declaration = name.parent;
  if (ts.isExportSpecifier(declaration) || ts.isExportAssignment(declaration)) return true;
  if ((declaration as ts.NamedDeclaration).name !== name) return false;
  const owner = ts.isClassElement(declaration) || ts.isTypeElement(declaration) ? declaration.parent : declaration;
  const flags = ts.getCombinedModifierFlags(declaration as ts.Declaration);
  if (flags & ts.ModifierFlags.Private) return false;
  return Boolean((flags | ts.getCombinedModifierFlags(owner as ts.Declaration)) & ts.ModifierFlags.Export);
}

function describeType(checker: ts.TypeChecker, node: ts.Identifier): string {
  return checker
    .typeToString(checker.getTypeAtLocation(node), undefined, ts.TypeFormatFlags.NoTruncation)
    .slice(0, MAX_COMPARED);
}

/**
 * True if filling the holes changed no error and no other type. If an `any` gets a type, values that are derived from
 * it may get one, too, unless other files may rely on theirs.
 */
function hasSameFacts(before: CheckedFacts, after: CheckedFacts, holes: readonly TypeHole[]): boolean {
  const fillsAny = holes.some(({ kind }) => kind === 'known any');
  const namesBefore = selectNamesOutside(
    before,
    holes.flatMap(({ edits }) => edits),
  );
  const namesAfter = selectNamesOutside(after, computeNewSpans(holes));
  if (before.problems !== after.problems || namesBefore.length !== namesAfter.length) return false;
  return namesBefore.every(
    ({ shown, isExported }, index) =>
      shown === namesAfter[index]!.shown || (fillsAny && !isExported && /\bany\b/.test(shown)),
  );
}
