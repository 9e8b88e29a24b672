// duplicate-code: the same stretch of code in several places, one opportunity for each group.

import type { Language, Opportunity } from '../../model.ts';
import { ANONYMOUS, type FunctionKind } from '../../analysis/functionUnit.ts';
import { toProjectOpportunity } from '../../analysis/project/projectFinding.ts';
import type { ProjectFile } from '../../analysis/project/projectView.ts';
import {
  areCounterparts,
  areVersions,
  kinOf,
  withoutModuleFormat,
  pathBelow,
} from '../../analysis/duplicates/counterparts.ts';
import { GUARANTEED_TOKENS } from '../../analysis/duplicates/fingerprints.ts';
import { groupsOf } from '../../analysis/duplicates/groups.ts';
import { tokenize, type Tokens } from '../../analysis/duplicates/lexer.ts';
import { matchesIn, type Stretch } from '../../analysis/duplicates/matches.ts';
import { isCode, trimStretch, type Trimmed } from '../../analysis/duplicates/trim.ts';
import type { ProjectFinder } from '../finders.ts';
import { isParallelData } from '../../analysis/project/conventions.ts';
import { isTestSupport } from '../../paths/tests.ts';
import { parentFolder } from '../../../util/values/parentFolder.ts';

export const finder: ProjectFinder = {
  find: ({ product, packageOf, view, signal }) =>
    duplicateCode(
      product.filter(({ path }) => !isParallelData(path) && !isTestSupport(path)),
      packageOf,
      view.read,
      signal,
    ),
};

/** Published default of qlty; jscpd and SonarQube begin at 10 lines. */
const MIN_LINES = 15;
const MIN_TOKENS = GUARANTEED_TOKENS;
/**
 * A shorter stretch in only two files is not reported, because sharing it would take a module of its own
 * (docs/noise.md). A third copy makes that worthwhile.
 */
const MIN_LINES_OF_TWO_FILES = 30;
/** Sharing code between counterparts couples them, which is not worth it for fewer lines. */
const MIN_LINES_OF_COUNTERPARTS = 2 * MIN_LINES;
/** Sharing between packages takes a dependency, and often a new package. */
const MIN_LINES_OF_PACKAGES = 3 * MIN_LINES;
/** Maximum number of texts whose tokens are cached. */
const MAX_CACHED = 600;
/** Maximum number of other places that an opportunity names. */
const MAX_RELATED = 20;
/** From this number on, stretches in the same files are one opportunity, because they have one cause. */
const MIN_FRAGMENTS_OF_FILES = 3;

/** Kinds of functions whose names are not specific. */
const MEMBERS: ReadonlySet<string> = new Set<FunctionKind>([
  'method',
  'getter',
  'setter',
  'constructor',
  'staticBlock',
  'fieldInitialiser',
  'topLevel',
]);

/**
 * `files`: product code to compare. `read` returns null for a file that has changed since its fingerprints were made.
 */
async function duplicateCode(
  files: readonly ProjectFile[],
  packageOf: (path: string) => { readonly dir: string } | null,
  read: (path: string) => Promise<string | null>,
  signal: AbortSignal,
): Promise<Opportunity[]> {
  const fingerprinted = files
    .filter((file) => file.facts !== null && file.facts.prints !== '')
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const byPath = new Map(fingerprinted.map((file) => [file.path, file]));
  const tokens = tokenCache(async (path) => {
    const language = byPath.get(path)?.language;
    const text = language ? await read(path) : null;
    return text === null ? null : tokenize(text, language as Language);
  });
  const matches = await matchesIn(
    fingerprinted.map(({ path, facts }) => ({ path, prints: facts!.prints })),
    MIN_TOKENS,
    tokens,
    signal,
  );
  const areRelatedFiles = kinOf(files.map(({ path }) => path));
  const groups = new Map<string, Instance[][]>();
  for (const { places } of groupsOf(matches)) {
    const instances: Instance[] = [];
    for (const fragment of places) {
      const instance = await instanceOf(fragment, tokens);
      if (instance) instances.push(instance);
    }
    if (instances.length < 2 || !isWorthSharing(instances, packageOf, areRelatedFiles) || isSmallPair(instances, byPath))
      continue;
    const inFiles = [...new Set(instances.map(({ path }) => path))].join('\0');
    groups.set(inFiles, [...(groups.get(inFiles) ?? []), instances]);
  }
  return [...groups.values()].flatMap((groupsOfFiles) =>
    groupsOfFiles.length >= MIN_FRAGMENTS_OF_FILES
      ? [opportunityOfFiles(groupsOfFiles, byPath)]
      : groupsOfFiles.map((places) => opportunityOf(places, byPath)),
  );
}

/** A stretch in whole lines, with a hash of its tokens. */
interface Instance extends Trimmed {
  readonly path: string;
  readonly hash: string;
}

/**
 * False if every copy is on purpose (in another version of an API, another module format, a package that mirrors this
 * one) or too short for its place (in a counterpart, in another package).
 */
function isWorthSharing(
  [first, ...others]: readonly Instance[],
  packageOf: (path: string) => { readonly dir: string } | null,
  areRelatedFiles: (a: string, b: string) => boolean,
): boolean {
  const home = packageOf(first!.path)?.dir ?? null;
  if (
    others.filter(({ path }) => path !== first!.path && areRelatedFiles(path, first!.path)).length * 2 >
    others.length
  )
    return false;
  return others.some(({ path, codeLines }) => {
    if (path === first!.path) return true;
    if (
      withoutModuleFormat(path) === withoutModuleFormat(first!.path) ||
      areVersions(path, first!.path) ||
      areRelatedFiles(path, first!.path)
    )
      return false;
    const other = packageOf(path)?.dir ?? null;
    if (other !== home && home !== null && other !== null && pathBelow(path, other) === pathBelow(first!.path, home))
      return false;
    if (other !== home) return codeLines >= MIN_LINES_OF_PACKAGES;
    return codeLines >= MIN_LINES_OF_COUNTERPARTS || !areCounterparts(path, first!.path);
  });
}

/** True for a few lines in only two files, unless most of them are a whole copied function of the same name. */
function isSmallPair(places: readonly Instance[], byPath: ReadonlyMap<string, ProjectFile>): boolean {
  const [first, second] = places as readonly [Instance, Instance];
  if (places.length > 2 || first.path === second.path || first.codeLines >= MIN_LINES_OF_TWO_FILES) return false;
  const copied = new Set(copiedFunctions(first, byPath));
  return !copiedFunctions(second, byPath).some((name) => copied.has(name));
}

/**
 * Names of the functions that are in the place and make up at least half of its lines, without the kinds in `MEMBERS`.
 */
function copiedFunctions(
  { path, startLine, endLine }: Instance,
  byPath: ReadonlyMap<string, ProjectFile>,
): readonly string[] {
  const functionsInPlace = (byPath.get(path)?.functions ?? []).filter(
    ({ line, endLine: last }) =>
      line >= startLine && last <= endLine && 2 * (last - line + 1) >= endLine - startLine + 1,
  );
  return functionsInPlace.filter(({ name, kind }) => name !== ANONYMOUS && !MEMBERS.has(kind)).map(({ name }) => name);
}

/**
 * The place in whole lines; null if it is then too short, not code, or mostly documentation, as in widely used classes.
 */
async function instanceOf(
  { path, from, to }: Stretch,
  tokens: (path: string) => Promise<Tokens | null>,
): Promise<Instance | null> {
  const tokensOfFile = await tokens(path);
  const cut = tokensOfFile && trimStretch(tokensOfFile, from, to);
  if (
    !tokensOfFile ||
    !cut ||
    cut.codeLines < MIN_LINES ||
    2 * cut.codeLines < cut.endLine - cut.startLine + 1 ||
    cut.to - cut.from < MIN_TOKENS ||
    !isCode(tokensOfFile, cut)
  )
    return null;
  let hash = 0;
  for (let at = cut.from; at < cut.to; at++) hash = (Math.imul(hash, 31) + tokensOfFile.hashes[at]!) | 0;
  return { ...cut, path, hash: (hash >>> 0).toString(36) };
}

/** The opportunity for files that were copied from one another and then changed. The first group is the largest. */
function opportunityOfFiles(
  groups: readonly (readonly Instance[])[],
  byPath: ReadonlyMap<string, ProjectFile>,
): Opportunity {
  const lines = groups.reduce((sum, [first]) => sum + first!.codeLines, 0);
  const largest = opportunityOf(groups[0]!, byPath);
  const others = [...new Set(groups[0]!.map(({ path }) => path))].filter((path) => path !== largest.path);
  return {
    ...largest,
    impact: Math.min(60, 15 + Math.round(lines / 4)),
    severity: 'information',
    message: `${lines} lines in ${groups.length} stretches, the longest of ${groups[0]![0]!.codeLines} here, are repeated ${others.length === 0 ? 'elsewhere in this file' : `in ${others.slice(0, 3).join(', ')}${others.length > 3 ? ` and ${others.length - 3} more files` : ''}`}.`,
    evidence: { ...largest.evidence, lines, stretches: groups.length },
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

function opportunityOf(places: readonly Instance[], byPath: ReadonlyMap<string, ProjectFile>): Opportunity {
  const [first, ...others] = places as readonly [Instance, ...Instance[]];
  const file = byPath.get(first.path)!;
  const lines = first.codeLines;
  const copies = others.length + 1;
  const where =
    others.length === 1
      ? `in ${others[0]!.path === first.path ? 'this file' : others[0]!.path}, line ${others[0]!.startLine}`
      : `in ${others.length} other places`;
  const areNear = others.every(({ path }) => parentFolder(path) === parentFolder(first.path));
  const range = rangeOf(first);
  return toProjectOpportunity({
    rule: 'duplicate-code',
    path: first.path,
    range,
    nameRange: { ...range, endLine: range.startLine + 1 },
    symbol:
      file.symbols.findLast(
        ({ range: around }) => around.startLine <= first.startLine && around.endLine >= first.endLine,
      )?.path ?? null,
    about: first.hash,
    impact: Math.min(60, 15 + Math.round(((copies - 1) * lines) / 4)),
    confidence: areNear ? 0.8 : 0.7,
    severity: lines >= 3 * MIN_LINES || copies > 3 ? 'information' : 'hint',
    message: `${lines} lines are repeated ${where}.`,
    evidence: {
      lines,
      tokens: first.to - first.from,
      places: copies,
      files: new Set([first, ...others].map(({ path }) => path)).size,
    },
    ...recipeFor(places, byPath),
    related: others
      .slice(0, MAX_RELATED)
      .map((place) => ({ path: place.path, range: rangeOf(place), message: `The same ${place.codeLines} lines.` })),
  });
}

/** The recipe that may share the code: of a function that two files have, or of two places in one file. */
function recipeFor(
  places: readonly Instance[],
  byPath: ReadonlyMap<string, ProjectFile>,
): { readonly recipe?: string } {
  if (sharesFunction(places, byPath)) return { recipe: 'deduplicate' };
  const [first, ...others] = places as readonly [Instance, ...Instance[]];
  const isShared =
    isInFunction(first, byPath) && others.some((place) => place.path === first.path && isInFunction(place, byPath));
  return isShared ? { recipe: 'merge-copies' } : {};
}

/** True if the middle of the place is in a function. Code outside of functions cannot move into a shared function. */
function isInFunction({ path, startLine, endLine }: Instance, byPath: ReadonlyMap<string, ProjectFile>): boolean {
  const file = byPath.get(path);
  const middle = (startLine + endLine) / 2;
  return (
    isScript(file) &&
    file!.functions.some(
      ({ line, endLine: last, kind }) =>
        line <= middle && last >= middle && kind !== 'topLevel' && kind !== 'fieldInitialiser',
    )
  );
}

function isScript(file: ProjectFile | undefined): boolean {
  return file?.language === 'typescript' || file?.language === 'tsx' || file?.language === 'javascript';
}

/** True if a top-level function in the first place has the same name as one in a place of another file. */
function sharesFunction([first, ...others]: readonly Instance[], byPath: ReadonlyMap<string, ProjectFile>): boolean {
  const functionsIn = (place: Instance) => {
    const file = byPath.get(place.path);
    if (!isScript(file)) return [];
    return file!.symbols
      .filter(
        ({ kind, path, range }) =>
          (kind === 'function' || kind === 'variable') &&
          !path.includes('.') &&
          range.startLine <= place.endLine &&
          range.endLine >= place.startLine,
      )
      .map(({ path }) => path);
  };
  const names = new Set(functionsIn(first!));
  return others.some((place) => place.path !== first!.path && functionsIn(place).some((name) => names.has(name)));
}

function rangeOf({ startLine, endLine }: Trimmed): Opportunity['range'] {
  return { startLine, startColumn: 1, endLine: endLine + 1, endColumn: 1 };
}

/** Caches the most recently used tokens, so that memory does not grow with the repository. */
function tokenCache(load: (path: string) => Promise<Tokens | null>): (path: string) => Promise<Tokens | null> {
  const cache = new Map<string, Tokens | null>();
  return async (path) => {
    let cached = cache.get(path);
    if (cached === undefined) cached = await load(path);
    cache.delete(path);
    cache.set(path, cached);
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
    return cached;
  };
}
