// Merges matches between two fragments into groups of all fragments with the same code.

import type { Match, Fragment } from './matches.ts';

/** Fragments with the same code. */
export interface Group {
  /** The fragments, sorted by path and position. */
  readonly places: readonly Fragment[];
  /** Number of tokens of the shortest fragment. */
  readonly tokens: number;
}

/** Share of the longer fragment by which two fragments must overlap to count as the same. */
const MIN_OVERLAP_SHARE = 0.7;

/**
 * The groups, largest first. Fragments of one file that overlap by `MIN_OVERLAP_SHARE` are merged. A group is omitted
 * if each of its fragments is mostly inside a larger group.
 */
export function groupMatches(matches: readonly Match[]): Group[] {
  const fragments = matches.flatMap(({ a, b }) => [a, b]);
  const parents = fragments.map((_, index) => index);
  // The index that represents the group of a fragment (union-find with path compression).
  const findRoot = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root]!;
    for (let member = index; member !== root; ) [member, parents[member]] = [parents[member]!, root];
    return root;
  };
  const join = (a: number, b: number) => (parents[findRoot(a)] = findRoot(b));
  for (let index = 0; index < fragments.length; index += 2) join(index, index + 1);
  const sortedIndexes = fragments
    .map((_, index) => index)
    .sort((a, b) => compareFragments(fragments[a]!, fragments[b]!));
  for (let index = 0; index < sortedIndexes.length; index++) {
    const fragment = fragments[sortedIndexes[index]!]!;
    for (let next = index + 1; next < sortedIndexes.length; next++) {
      const otherFragment = fragments[sortedIndexes[next]!]!;
      if (otherFragment.path !== fragment.path || otherFragment.from >= fragment.to) break;
      const overlap = Math.min(fragment.to, otherFragment.to) - Math.max(fragment.from, otherFragment.from);
      if (overlap >= MIN_OVERLAP_SHARE * Math.max(fragment.to - fragment.from, otherFragment.to - otherFragment.from))
        join(sortedIndexes[index]!, sortedIndexes[next]!);
    }
  }
  const fragmentsByRoot = new Map<number, Fragment[]>();
  for (const index of sortedIndexes) {
    const root = findRoot(index);
    const group = fragmentsByRoot.get(root) ?? [];
    const lastFragment = group.at(-1);
    // If a fragment was found several times, its longest form is kept.
    if (lastFragment && lastFragment.path === fragments[index]!.path && fragments[index]!.from < lastFragment.to) {
      if (fragments[index]!.to - fragments[index]!.from > lastFragment.to - lastFragment.from)
        group[group.length - 1] = fragments[index]!;
    } else group.push(fragments[index]!);
    fragmentsByRoot.set(root, group);
  }
  const groups = [...fragmentsByRoot.values()]
    .filter((places) => places.length > 1)
    .map((places) => ({ places, tokens: Math.min(...places.map(({ from, to }) => to - from)) }));
  groups.sort((a, b) => b.tokens - a.tokens || compareFragments(a.places[0]!, b.places[0]!));
  const keptByPath = new Map<string, Fragment[]>();
  return groups.filter(({ places }) => {
    const isInLarger = places.every((place) =>
      (keptByPath.get(place.path) ?? []).some(
        ({ from, to }) => countOverlap(place, from, to) >= MIN_OVERLAP_SHARE * (place.to - place.from),
      ),
    );
    if (!isInLarger)
      for (const place of places) keptByPath.set(place.path, [...(keptByPath.get(place.path) ?? []), place]);
    return !isInLarger;
  });
}

/**
 * Number of tokens that a fragment shares with the tokens `from` to `to` (exclusive); negative if there is a gap
 * between them.
 */
function countOverlap(place: Fragment, from: number, to: number): number {
  return Math.min(place.to, to) - Math.max(place.from, from);
}

function compareFragments(a: Fragment, b: Fragment): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.from - b.from || a.to - b.to;
}
