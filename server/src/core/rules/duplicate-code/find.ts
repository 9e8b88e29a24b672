// duplicate-code: finds equal code in several places. Each group of such places is one opportunity.

import type { Language, Opportunity } from '../../model.ts';
import { toProjectOpportunity } from '../../analysis/project/projectFinding.ts';
import type { ProjectFile } from '../../analysis/project/projectView.ts';
import { createPluginTest } from '../../analysis/duplicates/counterparts.ts';
import { groupMatches } from '../../analysis/duplicates/groups.ts';
import { tokenize, type Tokens } from '../../analysis/duplicates/lexer.ts';
import { findMatches } from '../../analysis/duplicates/matches.ts';
import type { TrimmedFragment } from '../../analysis/duplicates/trim.ts';
import type { ProjectFinder } from '../finders.ts';
import { createInstance, MIN_LINES, MIN_TOKENS, type Instance } from './instance.ts';
import { chooseRecipe } from './recipeFor.ts';
import { isSmallPair, isWorthSharing } from './worthSharing.ts';
import { isParallelData } from '../../analysis/project/conventions.ts';
import { isTestSupport } from '../../paths/tests.ts';
import { parentFolderOf } from '../../../util/values/parentFolder.ts';

export const finder: ProjectFinder = {
  find: ({ product, packageOf, view, signal }) =>
    findDuplicateCode(
      product.filter(({ path }) => !isParallelData(path) && !isTestSupport(path)),
      packageOf,
      view.read,
      signal,
    ),
};

/** Maximum number of texts whose tokens are cached. */
const MAX_CACHED = 600;
/** Maximum number of other places that an opportunity names. */
const MAX_RELATED = 20;
/**
 * Minimum number of equal fragments in the same files that are reported as one opportunity, because they have one
 * cause: one file was copied.
 */
const MIN_FRAGMENTS_OF_FILES = 3;

/**
 * The opportunities for equal code. `files`: product code to compare. `read` returns null for a file that has changed
 * since its fingerprints were computed. If `signal` is aborted, throws its reason.
 */
async function findDuplicateCode(
  files: readonly ProjectFile[],
  packageOf: (path: string) => { readonly dir: string } | null,
  read: (path: string) => Promise<string | null>,
  signal: AbortSignal,
): Promise<Opportunity[]> {
  const fingerprintedFiles = files
    .filter((file) => file.facts !== null && file.facts.prints !== '')
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const fileByPath = new Map(fingerprintedFiles.map((file) => [file.path, file]));
  const tokens = createTokenCache(async (path) => {
    const language = fileByPath.get(path)?.language;
    const text = language ? await read(path) : null;
    return text === null ? null : tokenize(text, language as Language);
  });
  const matches = await findMatches(
    fingerprintedFiles.map(({ path, facts }) => ({ path, prints: facts!.prints })),
    MIN_TOKENS,
    tokens,
    signal,
  );
  const areRelatedFiles = createPluginTest(files.map(({ path }) => path));
  const groups = new Map<string, Instance[][]>();
  for (const { places } of groupMatches(matches)) {
    const instances: Instance[] = [];
    for (const fragment of places) {
      const instance = await createInstance(fragment, tokens);
      if (instance) instances.push(instance);
    }
    if (
      instances.length < 2 ||
      !isWorthSharing(instances, packageOf, areRelatedFiles) ||
      isSmallPair(instances, fileByPath)
    )
      continue;
    const filesKey = [...new Set(instances.map(({ path }) => path))].join('\0');
    groups.set(filesKey, [...(groups.get(filesKey) ?? []), instances]);
  }
  return [...groups.values()].flatMap((groupsOfFiles) =>
    groupsOfFiles.length >= MIN_FRAGMENTS_OF_FILES
      ? [createFilesOpportunity(groupsOfFiles, fileByPath)]
      : groupsOfFiles.map((places) => createOpportunity(places, fileByPath)),
  );
}

/** The opportunity for files that were copied from one another and then changed. The first group is the largest. */
function createFilesOpportunity(
  groups: readonly (readonly Instance[])[],
  fileByPath: ReadonlyMap<string, ProjectFile>,
): Opportunity {
  const lines = groups.reduce((sum, [first]) => sum + first!.codeLines, 0);
  const largestOpportunity = createOpportunity(groups[0]!, fileByPath);
  const otherPaths = [...new Set(groups[0]!.map(({ path }) => path))].filter(
    (path) => path !== largestOpportunity.path,
  );
  const furtherFilesText = otherPaths.length > 3 ? ` and ${otherPaths.length - 3} more files` : '';
  const otherPlaceText =
    otherPaths.length === 0 ? 'elsewhere in this file' : `in ${otherPaths.slice(0, 3).join(', ')}${furtherFilesText}`;
  return {
    ...largestOpportunity,
    impact: Math.min(60, 15 + Math.round(lines / 4)),
    severity: 'information',
    message:
      `${lines} lines in ${groups.length} stretches, the longest of ${groups[0]![0]!.codeLines} here, are ` +
      `repeated ${otherPlaceText}.`,
    evidence: { ...largestOpportunity.evidence, lines, stretches: groups.length },
    related: groups
      .flatMap((places) =>
        places
          .filter((place) => place !== groups[0]![0])
          .map((place) => ({
            path: place.path,
            range: rangeOf(place),
            message: `One of the ${places.length} places of ${place.codeLines} lines.`,
          })),
      )
      .slice(0, MAX_RELATED),
  };
}

/** The opportunity for one group of equal places, at the first of them. */
function createOpportunity(places: readonly Instance[], fileByPath: ReadonlyMap<string, ProjectFile>): Opportunity {
  const [first, ...others] = places as readonly [Instance, ...Instance[]];
  const file = fileByPath.get(first.path)!;
  const lines = first.codeLines;
  const copyCount = others.length + 1;
  const placeText =
    others.length === 1
      ? `in ${others[0]!.path === first.path ? 'this file' : others[0]!.path}, line ${others[0]!.startLine}`
      : `in ${others.length} other places`;
  const areNear = others.every(({ path }) => parentFolderOf(path) === parentFolderOf(first.path));
  const range = rangeOf(first);
  return toProjectOpportunity({
    rule: 'duplicate-code',
    path: first.path,
    range,
    nameRange: { ...range, endLine: range.startLine + 1 },
    symbol:
      file.symbols.findLast(({ range: outer }) => outer.startLine <= first.startLine && outer.endLine >= first.endLine)
        ?.path ?? null,
    about: first.hash,
    impact: Math.min(60, 15 + Math.round(((copyCount - 1) * lines) / 4)),
    confidence: areNear ? 0.8 : 0.7,
    severity: lines >= 3 * MIN_LINES || copyCount > 3 ? 'information' : 'hint',
    message: `${lines} lines are repeated ${placeText}.`,
    evidence: {
      lines,
      tokens: first.to - first.from,
      places: copyCount,
      files: new Set([first, ...others].map(({ path }) => path)).size,
    },
    ...chooseRecipe(places, fileByPath),
    related: others
      .slice(0, MAX_RELATED)
      .map((place) => ({ path: place.path, range: rangeOf(place), message: `The same ${place.codeLines} lines.` })),
  });
}

/** The range of whole lines; it ends where the next line begins. */
function rangeOf({ startLine, endLine }: TrimmedFragment): Opportunity['range'] {
  return { startLine, startColumn: 1, endLine: endLine + 1, endColumn: 1 };
}

/**
 * Returns a function that reads tokens and caches the most recently used ones, so that memory does not grow with the
 * repository.
 */
function createTokenCache(load: (path: string) => Promise<Tokens | null>): (path: string) => Promise<Tokens | null> {
  const cache = new Map<string, Tokens | null>();
  return async (path) => {
    let tokens = cache.get(path);
    if (tokens === undefined) tokens = await load(path);
    cache.delete(path);
    cache.set(path, tokens);
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
    return tokens;
  };
}
