// Finds product code that a change has removed: it was deleted, or moved to files that are not measured. Also finds
// lost types, calls, decisions and checks of tests.

import type { CodePiece, Inventory } from '../model.ts';
import { countEach } from '../../util/values/countBy.ts';

/** Maximum number of names that a sentence lists. */
const MAX_NAMES = 5;

const LOST_CONTENT_START = 'The measured code no longer holds ';

const LOST_CALLS_START = 'There are fewer calls of ';

/**
 * Sentences about missing code; empty if nothing is missing. `before` and `after`: the files that differ. `wholeTree`:
 * these and other files of the tree after the change.
 */
export function findMissing(
  before: readonly Inventory[],
  after: readonly Inventory[],
  wholeTree: readonly Inventory[] = after,
): readonly string[] {
  const contentBefore = collectContent(subtractAllowedRemovals(before, after, wholeTree));
  const contentAfter = collectContent(after);
  return [
    ...findLostTypes(before, after),
    ...findLostAtoms(contentBefore, contentAfter),
    ...findLostPieces(contentBefore, contentAfter),
    ...findLostCalls(contentBefore, contentAfter),
    ...findLostChecks(before, after),
  ];
}

/**
 * The content of measured code. `atoms` and `calls`: the number of occurrences of each content and of each called name.
 */
interface Content {
  readonly pieces: readonly CodePiece[];
  readonly atoms: ReadonlyMap<string, number>;
  readonly calls: ReadonlyMap<string, number>;
}

/**
 * The inventories before the change, without pieces that may disappear completely: unused exports, and copies that were
 * replaced by an import. Pieces that still exist are kept.
 */
function subtractAllowedRemovals(
  before: readonly Inventory[],
  after: readonly Inventory[],
  wholeTree: readonly Inventory[],
): Inventory[] {
  const presentNames = new Set(after.flatMap(({ path, pieces }) => pieces.map(({ name }) => `${path}\0${name}`)));
  const mergedCopies = new Set(findMergedCopies(before, wholeTree));
  return before.map((inventory) => ({
    ...inventory,
    pieces: inventory.pieces.filter(
      (piece) => presentNames.has(`${inventory.path}\0${piece.name}`) || !(piece.deadExport || mergedCopies.has(piece)),
    ),
  }));
}

/**
 * Pieces that disappeared from a file which now imports a name of theirs, if an identical piece still exists in the
 * tree.
 */
export function findMergedCopies(before: readonly Inventory[], wholeTree: readonly Inventory[]): CodePiece[] {
  const contents = new Set(
    wholeTree
      .filter(({ measured }) => measured)
      .flatMap(({ pieces }) => pieces.filter(({ dead }) => !dead).map(computePieceKey)),
  );
  const currentInventories = new Map(wholeTree.map((inventory) => [inventory.path, inventory]));
  return before.flatMap(({ path, pieces }) => {
    const file = currentInventories.get(path);
    const remainingNames = new Set(file?.pieces.map(({ name }) => name));
    const importedNames = new Set(file?.imports.filter(({ dead }) => !dead).map(({ name }) => name));
    return pieces.filter(
      (piece) =>
        !remainingNames.has(piece.name) && importedNames.has(piece.name) && contents.has(computePieceKey(piece)),
    );
  });
}

function computePieceKey({ shape, atoms, calls }: CodePiece): string {
  return JSON.stringify([shape, atoms, calls]);
}

function collectContent(inventories: readonly Inventory[]): Content {
  const pieces = inventories
    .filter(({ measured }) => measured)
    .flatMap((inventory) => inventory.pieces.filter(({ dead }) => !dead));
  return {
    pieces,
    atoms: countEach(pieces.flatMap(({ atoms }) => atoms)),
    calls: countEach(pieces.flatMap(({ calls }) => calls)),
  };
}

/** Sentences about code that had types and is now written without types, or with an alias of `any`. */
function findLostTypes(before: readonly Inventory[], after: readonly Inventory[]): string[] {
  const earlierAnyTypes = new Set(before.flatMap(({ anyTypes }) => anyTypes));
  const aliases = after.flatMap(({ anyTypes }) => anyTypes.filter((name) => !earlierAnyTypes.has(name)));
  const untypedNames = collectNames(after, false);
  const typedNames = collectNames(after, true);
  const lostNames = [...collectNames(before, true)].filter(
    (name) => name !== '' && untypedNames.has(name) && !typedNames.has(name),
  );
  const sentences = [];
  if (aliases.length > 0)
    sentences.push(
      `A type is \`any\` under another name, or a function accepts anything as it: ${listNames(aliases)}.`,
    );
  if (lostNames.length > 0) sentences.push(`Code that had types no longer has them: ${listNames(lostNames)}.`);
  return sentences;
}

function collectNames(inventories: readonly Inventory[], isTyped: boolean): ReadonlySet<string> {
  return new Set(
    inventories
      .filter((inventory) => inventory.measured && inventory.typed === isTyped)
      .flatMap(({ pieces }) => pieces.map(({ name }) => name)),
  );
}

/**
 * True for a sentence of `findMissing` about contents that are gone, or about calls that have become fewer. Other code
 * may replace these.
 */
export function isContentSentence(sentence: string): boolean {
  return sentence.startsWith(LOST_CONTENT_START) || sentence.startsWith(LOST_CALLS_START);
}

/** A sentence about contents (such as names and literals) that no longer occur in any of the files that differ. */
function findLostAtoms(contentBefore: Content, contentAfter: Content): string[] {
  const lostAtoms = [...contentBefore.atoms.keys()].filter((atom) => !contentAfter.atoms.has(atom));
  return lostAtoms.length === 0
    ? []
    : [`${LOST_CONTENT_START}${listNames(lostAtoms.map((atom) => atom.slice(atom.indexOf(' ') + 1)))}.`];
}

/** A sentence about declarations that are gone and were not moved, renamed, split or merged with a copy. */
function findLostPieces(contentBefore: Content, contentAfter: Content): string[] {
  const names = new Set(contentAfter.pieces.map(({ name }) => name));
  const shapes = new Set(contentAfter.pieces.map(({ shape }) => shape));
  const lostDeclarations = contentBefore.pieces.filter((piece) => {
    if (piece.name === '' || names.has(piece.name) || shapes.has(piece.shape)) return false;
    return (
      piece.atoms.length === 0 ||
      piece.atoms.some((atom) => (contentAfter.atoms.get(atom) ?? 0) < (contentBefore.atoms.get(atom) ?? 0))
    );
  });
  return lostDeclarations.length === 0
    ? []
    : [`Code that was in use is gone: ${listNames(lostDeclarations.map(({ name }) => name))}.`];
}

/**
 * A sentence about names that are called less often. Empty if functions of the project are called more often instead.
 */
function findLostCalls(contentBefore: Content, contentAfter: Content): string[] {
  const rarerNames = [...contentBefore.calls]
    .filter(([name, count]) => (contentAfter.calls.get(name) ?? 0) < count)
    .map(([name]) => name);
  if (rarerNames.length === 0) return [];
  return callsOwnFunctionsMore(contentBefore, contentAfter) ? [] : [`${LOST_CALLS_START}${listNames(rarerNames)}.`];
}

/** True if a function that the changed files declare is called more often than before. */
function callsOwnFunctionsMore(contentBefore: Content, contentAfter: Content): boolean {
  const projectNames = new Set(contentAfter.pieces.map(({ name }) => name.slice(name.lastIndexOf('.') + 1)));
  return [...contentAfter.calls].some(
    ([name, count]) => projectNames.has(name) && count > (contentBefore.calls.get(name) ?? 0),
  );
}

/** Branches and loops that a change has removed. */
export interface LostDecisions {
  /** Number of missing decisions; 0 if the project's own functions are called in their place. */
  readonly count: number;
  /** The largest share of decisions that a remaining function has lost, 0–1; 0 if `count` is 0. */
  readonly share: number;
  /** Number of missing decisions, whatever replaces them. */
  readonly gone: number;
  /** True if one of the project's own functions is called more often. */
  readonly isDelegated: boolean;
}

/** Decisions that measured code has lost. Decisions in merged copies and in removed unused exports are not a loss. */
export function findLostDecisions(
  before: readonly Inventory[],
  after: readonly Inventory[],
  wholeTree = after,
): LostDecisions {
  const contentBefore = collectContent(subtractAllowedRemovals(before, after, wholeTree));
  const contentAfter = collectContent(after);
  const goneCount = Math.max(0, sumDecisions(contentBefore) - sumDecisions(contentAfter));
  const isDelegated = callsOwnFunctionsMore(contentBefore, contentAfter);
  if (goneCount === 0 || isDelegated) return { count: 0, share: 0, gone: goneCount, isDelegated };
  const remainingDecisions = new Map(contentAfter.pieces.map(({ name, decisions }) => [name, decisions]));
  const shares = contentBefore.pieces.map(({ name, decisions }) =>
    decisions === 0 ? 0 : 1 - (remainingDecisions.get(name) ?? decisions) / decisions,
  );
  return { count: goneCount, share: Math.max(0, ...shares), gone: goneCount, isDelegated };
}

function sumDecisions({ pieces }: Content): number {
  return pieces.reduce((sum, { decisions }) => sum + decisions, 0);
}

/**
 * A sentence about the first of these losses that occurred: more skipped tests, fewer tests, fewer checks, new tests
 * without any check. Empty if none did.
 */
function findLostChecks(before: readonly Inventory[], after: readonly Inventory[]): string[] {
  const checksBefore = countChecks(before);
  const checksAfter = countChecks(after);
  if (checksAfter.skipped > checksBefore.skipped) return ['More tests are skipped.'];
  if (checksAfter.cases < checksBefore.cases) return ['There are fewer tests.'];
  if (checksAfter.assertions < checksBefore.assertions) return ['The tests check less.'];
  return checksAfter.cases > checksBefore.cases && checksAfter.assertions === checksBefore.assertions
    ? ['The new tests check nothing.']
    : [];
}

function countChecks(inventories: readonly Inventory[]): {
  readonly cases: number;
  readonly skipped: number;
  readonly assertions: number;
} {
  const sum = { cases: 0, skipped: 0, assertions: 0 };
  for (const { tests } of inventories) {
    sum.cases += tests?.cases ?? 0;
    sum.skipped += tests?.skipped ?? 0;
    sum.assertions += tests?.assertions ?? 0;
  }
  return sum;
}

function listNames(names: readonly string[]): string {
  const distinctNames = [...new Set(names)];
  return `${distinctNames
    .slice(0, MAX_NAMES)
    .map((name) => `\`${name}\``)
    .join(', ')}${distinctNames.length > MAX_NAMES ? ` and ${distinctNames.length - MAX_NAMES} more` : ''}`;
}
