// Induces recipes from edits: groups the edits by shape, and generalises each group only as far as its examples differ
// (anti-unification: Plotkin, "A Note on Inductive Generalization", 1970). Each edit is first generalised separately,
// so that grouping does not compare all pairs.

import { sha256 } from '../../../util/hash.ts';
import {
  MAX_EXAMPLES,
  type HoleKind,
  type LearnedRecipe,
  type LearnedShape,
  type RecipeExample,
} from '../../model/learnedRecipes.ts';
import { GLOBAL_ORIGIN } from '../../syntax/nameOrigins.ts';
import type { MinedEdit } from './mineEdits.ts';
import { explainShapeFlaw, isStandard } from './shapeFlaws.ts';
import { createHoleName, type HoleValue } from './template.ts';

/** A group of edits from which no recipe was made. */
export interface RejectedShape extends Pick<LearnedShape, 'pattern' | 'replacement'> {
  readonly edits: number;
  /** One sentence for a person. */
  readonly reason: string;
}

/** The result of an induction. */
export interface Induction {
  /** The recipes, those with most edits first. */
  readonly recipes: readonly LearnedRecipe[];
  readonly rejected: readonly RejectedShape[];
}

/** Options that determine how strictly edits are judged. */
export interface InductionOptions {
  /** True for edits that a person has just made: two places in one file are enough, and renaming counts. */
  readonly isRequested?: boolean;
}

/** Rewrites an expression where the shape matches it, without checking names; null if it does not match. */
export type Rewrite = (
  shape: Pick<LearnedShape, 'pattern' | 'replacement' | 'holes'>,
  expression: string,
) => string | null;

/** Finds recipes. `edits`: newest first. `rewrite` tries each recipe on its own examples. */
export function induceRecipes(
  edits: readonly MinedEdit[],
  rewrite: Rewrite,
  options: InductionOptions = {},
): Induction {
  const groups = new Map<string, MinedEdit[]>();
  for (const edit of edits) {
    const key = createShapeKey(edit);
    const group = groups.get(key);
    if (group) group.push(edit);
    else groups.set(key, [edit]);
  }
  const recipes: LearnedRecipe[] = [];
  const rejected: RejectedShape[] = [];
  const positions = collectPositions([...groups.values()]);
  for (const group of groups.values()) {
    if (!isRepeated(group, options)) continue;
    const shape = induceShape(group);
    const reproducedEdits = group.filter(({ before, after }) => isSameCode(rewrite(shape, before), after));
    const reason =
      explainShapeFlaw(shape, { renames: options.isRequested ?? false }) ??
      explainMisfit(shape, reproducedEdits, rewrite, options);
    const wasReverted = reason === null && isUndone(group[0]!, positions);
    if (reason !== null || wasReverted)
      rejected.push({
        pattern: shape.pattern,
        replacement: shape.replacement,
        edits: group.length,
        reason: reason ?? 'The opposite was done later.',
      });
    else recipes.push(createRecipe(shape, reproducedEdits));
  }
  const compareByEdits = (a: { readonly edits: number }, b: { readonly edits: number }) => b.edits - a.edits;
  return { recipes: recipes.toSorted(compareByEdits), rejected: rejected.toSorted(compareByEdits) };
}

/** The key of an edit. Edits with the same key have the same shape. */
function createShapeKey({ pattern, replacement, names }: Pick<MinedEdit, 'pattern' | 'replacement' | 'names'>): string {
  return JSON.stringify([pattern, replacement, Object.entries(names).sort()]);
}

/** True if the edits are in at least two places. Without a request, edits of one file in one commit are one place. */
function isRepeated(group: readonly MinedEdit[], { isRequested = false }: InductionOptions): boolean {
  const locations = isRequested
    ? group.map(({ path, line, before }) => `${path} ${line} ${before}`)
    : group.map(createLocationKey);
  return new Set(locations).size >= 2;
}

function createLocationKey({ commit, path }: MinedEdit): string {
  return `${commit} ${path}`;
}

/**
 * The reason why a shape does not fit its own examples, as a sentence; null if it does. `reproducedEdits`: the edits
 * that the shape reproduces.
 */
function explainMisfit(
  shape: LearnedShape,
  reproducedEdits: readonly MinedEdit[],
  rewrite: Rewrite,
  options: InductionOptions,
): string | null {
  if (!isRepeated(reproducedEdits, options))
    return 'It does not make its own examples: effects would move, or get lost.';
  return rewrite(shape, shape.replacement) === null ? null : 'It would match its own result.';
}

/**
 * By both sides of an edit (`renumberHoles`): the position of the newest group of edits with these sides; 0 is the
 * newest.
 */
function collectPositions(groups: readonly (readonly MinedEdit[])[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  groups.forEach(([first], index) => {
    const key = renumberHoles(first!.pattern, first!.replacement);
    if (!positions.has(key)) positions.set(key, index);
  });
  return positions;
}

/** True if a newer edit is the opposite of this one. */
function isUndone({ pattern, replacement }: MinedEdit, positions: ReadonlyMap<string, number>): boolean {
  const opposite = positions.get(renumberHoles(replacement, pattern));
  return opposite !== undefined && opposite < positions.get(renumberHoles(pattern, replacement))!;
}

/** Both sides as one text, with their holes renamed in the order in which they occur. */
function renumberHoles(before: string, after: string): string {
  const names = new Map<string, string>();
  return `${before}\0${after}`.replace(/\$[a-z]\b/g, (hole) => {
    const name = names.get(hole) ?? createHoleName(names.size);
    names.set(hole, name);
    return name;
  });
}

/** The least general shape that covers a group. Code that is the same in all examples is not a hole. */
function induceShape(group: readonly MinedEdit[]): LearnedShape {
  const [first] = group as [MinedEdit, ...MinedEdit[]];
  const isFree = isStandard(first);
  const names: Record<string, string> = { ...first.names };
  const holes: Record<string, HoleKind> = {};
  const texts = new Map<string, string>();
  first.holes.forEach((value, index) => {
    const values = group.map((edit) => edit.holes[index]!);
    if (isShared(values, isFree)) {
      texts.set(createHoleName(index), value.text);
      Object.assign(names, value.names);
      return;
    }
    const hole = createHoleName(Object.keys(holes).length);
    texts.set(createHoleName(index), hole);
    holes[hole] = values.every(({ kind }) => kind === value.kind) ? value.kind : 'any';
  });
  const fillHoles = (text: string) => text.replace(/\$[a-z]\b/g, (hole) => texts.get(hole) ?? hole);
  return { pattern: fillHoles(first.pattern), replacement: fillHoles(first.replacement), holes, names };
}

/**
 * True if the values of a hole are the same code with the same meaning in all examples. A local name is arbitrary if
 * the shape uses only the language itself; otherwise it may describe the value.
 */
function isShared(values: readonly HoleValue[], isFree: boolean): boolean {
  const [first] = values;
  if (!first || values.some(({ text }) => text !== first.text)) return false;
  const firstNames = JSON.stringify(first.names);
  if (values.some(({ names }) => JSON.stringify(names) !== firstNames)) return false;
  return !(isFree && Object.values(first.names).some((origin) => origin !== GLOBAL_ORIGIN));
}

/** The recipe of a shape and of the edits that have it. Its id depends only on the shape. */
function createRecipe(shape: LearnedShape, edits: readonly MinedEdit[]): LearnedRecipe {
  const id = sha256(
    new TextEncoder().encode(JSON.stringify([shape.pattern, shape.replacement, shape.names, shape.holes])),
  ).slice(0, 8);
  const distinctEdits = [
    ...new Map(edits.toReversed().map((edit) => [`${createLocationKey(edit)} ${edit.before}`, edit])).values(),
  ];
  return {
    ...shape,
    id,
    examples: distinctEdits.toReversed().slice(0, MAX_EXAMPLES).map(createExample),
    edits: edits.length,
    commits: new Set(edits.flatMap(({ commit }) => commit ?? [])).size,
    files: new Set(edits.map(({ path }) => path)).size,
  };
}

function createExample({ commit, subject, path, line, before, after }: MinedEdit): RecipeExample {
  return { commit, subject, path, line, before, after };
}

/** True if both texts are the same apart from layout and parentheses. */
function isSameCode(left: string | null, right: string): boolean {
  return left !== null && removeLayout(left) === removeLayout(right);
}

/** The code without white space, parentheses and trailing commas, and with one kind of quotation marks. */
function removeLayout(code: string): string {
  return code.replace(/[\s()]+|,(?=\s*[)\]}])/g, '').replace(/["`]/g, "'");
}
