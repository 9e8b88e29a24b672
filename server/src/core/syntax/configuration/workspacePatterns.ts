// Matches folders against the patterns by which a package.json lists its workspaces.

import { posix } from 'node:path';
import { matchesStarPattern } from '../../../util/stars.ts';

/**
 * Maximum number of characters of a pattern, far above the length of patterns that people write. The remaining part is
 * ignored.
 */
const MAX_GLOB_LENGTH = 200;
/** Maximum number of alternatives of all braces together. */
const MAX_ALTERNATIVES = 64;

/**
 * Returns a function that is true for a folder of a workspace. Later patterns take precedence; a pattern with `!`
 * excludes folders. `*` matches one level, `**` any number of levels, and `{a,b}` either name.
 */
export function createWorkspaceMatcher(patterns: readonly string[]): (folder: string) => boolean {
  const matchers = patterns.map((pattern) => {
    const isExclusion = pattern.startsWith('!');
    const normalPattern = posix.normalize(pattern.replace(/^!/, '')).replace(/\/$/, '');
    return { isExclusion: isExclusion, matches: createGlobMatcher(normalPattern.slice(0, MAX_GLOB_LENGTH)) };
  });
  return (folder) => {
    let isIncluded = false;
    for (const { isExclusion, matches } of matchers) if (matches(folder)) isIncluded = !isExclusion;
    return isIncluded;
  };
}

/**
 * Returns a function that matches one pattern. It does not backtrack, because the pattern comes from the repository and
 * may be hostile.
 */
function createGlobMatcher(glob: string): (folder: string) => boolean {
  const alternatives = collectAlternatives(glob).map((alternative) => alternative.split('/'));
  return (folder) => {
    const names = folder.split('/');
    return alternatives.some((parts) => matchesParts(parts, names));
  };
}

/** Expands `{a,b}` into one glob each; braces within braces are taken literally. */
function collectAlternatives(glob: string): readonly string[] {
  let alternatives = [''];
  for (const part of glob.split(/(\{[^{}]*\})/)) {
    const options = part.startsWith('{') ? part.slice(1, -1).split(',') : [part];
    alternatives = alternatives
      .flatMap((before) => options.map((option) => before + option))
      .slice(0, MAX_ALTERNATIVES);
  }
  return alternatives;
}

/**
 * True if the parts of a pattern match all names of a path. After each part, it keeps the numbers of leading names that
 * the parts so far can match.
 */
function matchesParts(parts: readonly string[], names: readonly string[]): boolean {
  let matchedLengths = new Set([0]);
  for (const part of parts) {
    const nextLengths = new Set<number>();
    for (const end of matchedLengths) {
      if (part === '**') for (let length = end; length <= names.length; length += 1) nextLengths.add(length);
      else if (end < names.length && matchesStarPattern(part.replaceAll('**', '*'), names[end]!))
        nextLengths.add(end + 1);
    }
    matchedLengths = nextLengths;
  }
  return matchedLengths.has(names.length);
}
