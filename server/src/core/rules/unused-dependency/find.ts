// unused-dependency: finds entries of a package.json whose packages no import, script, configuration file or program
// name refers to.

import { posix } from 'node:path';
import { isOutsideProduct } from '../../analysis/project/conventions.ts';
import { toProjectOpportunity } from '../../analysis/project/projectFinding.ts';
import { doExclusionsHideCode } from '../../analysis/project/excludesCode.ts';
import { escapeForRegExp, findReferringTexts, type ReferringText } from '../../analysis/project/referringTexts.ts';
import type { ProjectFile, ProjectPackage, ProjectView } from '../../analysis/project/projectView.ts';
import { createRangesInText } from '../../analysis/project/rangesInText.ts';
import type { Opportunity } from '../../model.ts';
import { isConfiguration } from '../../paths/tools.ts';
import type { ProjectFinder } from '../finders.ts';
import { isImplied, isPlugin, collectOtherNames } from './implied.ts';
import {
  describePackage,
  listDeclaredPackages,
  readLock,
  listOverrideReferences,
  parseJsonObject,
  removeDeclarations,
  type PackageDescription,
  type ManifestDependency,
  type LockFile,
} from './manifest.ts';
import { findNpmLock, createRemovalCommand } from './removal.ts';
import { parentFolderOf } from '../../../util/values/parentFolder.ts';

export const finder: ProjectFinder = {
  async find({ view, packageOf, signal }) {
    if (await doExclusionsHideCode(view)) return [];
    const paths = new Set(view.files.map(({ path }) => path));
    const locks = new Map<string, LockFile | null>();
    const opportunities: Opportunity[] = [];
    const referredNames = await collectReferredNames(view);
    for (const { dir } of view.packages.filter(
      (packageInfo) => !isOutsideProduct(posix.join(packageInfo.dir, 'package.json')),
    )) {
      const path = findNpmLock(dir, paths);
      if (path !== null && !locks.has(path)) locks.set(path, readLock(await view.read(path), parentFolderOf(path)));
      const lock = path === null ? null : (locks.get(path) ?? null);
      const unusedEntries = await findUnusedEntries(dir, view, packageOf, lock, signal, referredNames);
      if (unusedEntries.length === 0) continue;
      const isWorkspaceOf = await createWorkspaceTest(dir, view, lock);
      for (const { manifestPath, text, entry } of unusedEntries)
        opportunities.push(
          createOpportunity(manifestPath, text, entry, createRemovalCommand(dir, entry.name, paths, isWorkspaceOf)),
        );
    }
    return opportunities;
  },
};

/** A declared package that no import names, with patterns for all names by which a text may refer to it. */
interface UnimportedPackage extends ManifestDependency {
  /** Matches one of the names as a whole word. */
  readonly wordPattern: RegExp;
  /** Matches one of the names between quotes, spaces, or characters that separate the parts of a path. */
  readonly quotedPattern: RegExp;
}

/**
 * Matches a line that is a comment. A comment may name a package that is no longer used, unless it is code that is
 * switched off.
 */
const COMMENT_LINE_PATTERN = /^\s*(\/\/|\/?\*)/;
/** Matches comments that tell a tool what to load. */
const PRAGMA_PATTERN = /@(?:jest-environment|vitest-environment|jsx\w*)\s+\S+/g;

/** An entry of a manifest that nothing uses. */
interface UnusedEntry {
  /** The path of the manifest. */
  readonly manifestPath: string;
  /** The text of the manifest. */
  readonly text: string;
  readonly entry: ManifestDependency;
}

/** The entries of the `package.json` in `folder` that nothing uses; empty if there is no such file. */
async function findUnusedEntries(
  folder: string,
  view: ProjectView,
  packageOf: (path: string) => ProjectPackage | null,
  lock: LockFile | null,
  signal: AbortSignal,
  referredNames: ReadonlySet<string>,
): Promise<UnusedEntry[]> {
  const path = posix.join(folder, 'package.json');
  const text = await view.read(path);
  const manifest = parseJsonObject(text);
  if (text === null || manifest === null) return [];
  const declaredPackages = listDeclaredPackages(manifest).filter(({ name }) => !referredNames.has(name));
  if (declaredPackages.length === 0) return [];
  const files = selectFilesThatMayUse(folder, view.files, packageOf);
  const paths = files.map((file) => file.path);
  const importedPackages = new Set(files.flatMap(collectImportedPackages));
  const names = declaredPackages.map(({ name }) => name);
  const unimportedEntries = declaredPackages.filter(
    ({ name }) => !importedPackages.has(name) && !isImplied(name, paths, names),
  );
  const packages = await describePackages(folder, declaredPackages, view, lock);
  const installedPackages = [...(lock?.packages ?? []), ...packages.values()].filter(
    (description) => description !== null,
  );
  const peerNames = new Set(installedPackages.flatMap((description) => description.peers));
  const dependedNames = new Set(installedPackages.flatMap((description) => description.dependencies));
  const otherNames = [...names, ...[...packages.values()].flatMap((description) => description?.programs ?? [])];
  let candidates = unimportedEntries.flatMap((entry): UnimportedPackage[] => {
    const description = packages.get(entry.name);
    // The programs of a package that is not installed are unknown, and scripts may run them.
    if (!description || peerNames.has(entry.name) || wouldStayInstalled(entry, dependedNames)) return [];
    const candidate = {
      ...entry,
      ...createPatterns([entry.name, ...description.programs, ...collectOtherNames(entry.name, otherNames)]),
    };
    const isNamed = paths.some((filePath) => isNamedLike(filePath, entry.name));
    return isNamed || isConfigured(description.programs, folder, paths, names) ? [] : [candidate];
  });
  for await (const text of findReferringTexts(files, view, () => candidates.length === 0, signal))
    candidates = candidates.filter((candidate) => !isNamedIn(text, candidate));
  return candidates.map((entry) => ({ manifestPath: path, text, entry }));
}

/**
 * True for a development dependency or a plugin that another package depends on, too: without the entry it would stay
 * installed, perhaps in another version. Other dependencies do not count, because the package that depends on them may
 * not be installed where this package is used.
 */
function wouldStayInstalled({ name, table }: ManifestDependency, dependedNames: ReadonlySet<string>): boolean {
  return dependedNames.has(name) && (table === 'devDependencies' || isPlugin(name));
}

/**
 * Names to which the overrides of any manifest refer as `$name`. Without the entry, such a reference would be invalid.
 */
async function collectReferredNames(view: ProjectView): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const { dir } of view.packages) {
    const manifest = parseJsonObject(await view.read(posix.join(dir, 'package.json')));
    for (const name of manifest === null ? [] : listOverrideReferences(manifest)) names.add(name);
  }
  return names;
}

/**
 * Returns a function that is true for a folder above `dir`, if npm knows the package in `dir` as a workspace of the
 * package in that folder.
 */
async function createWorkspaceTest(
  dir: string,
  view: ProjectView,
  lock: LockFile | null,
): Promise<(folder: string) => boolean> {
  const workspaceRoots = new Set<string>();
  for (const packageAbove of view.packages.filter((above) => above.dir !== dir && isBelow(dir, above.dir))) {
    const manifest = parseJsonObject(await view.read(posix.join(packageAbove.dir, 'package.json')));
    if (manifest?.['workspaces'] !== undefined) workspaceRoots.add(packageAbove.dir);
  }
  return (folder) => workspaceRoots.has(folder) && (lock === null || lock.hasEntryFor(dir));
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/**
 * The files that may use a package's dependencies: its own files and, unless it is the root, the configuration of the
 * root and the scripts directly in the root.
 */
function selectFilesThatMayUse(
  folder: string,
  files: readonly ProjectFile[],
  packageOf: (path: string) => ProjectPackage | null,
): readonly ProjectFile[] {
  if (folder === '') return files;
  return files.filter(
    ({ path, facts }) =>
      path.startsWith(`${folder}/`) ||
      (packageOf(path)?.dir === '' && (facts?.module == null || !path.includes('/') || isConfiguration(path))),
  );
}

/** Names of the packages that a file imports or re-exports from. */
function collectImportedPackages({ facts }: ProjectFile): string[] {
  const { imports = [], exports = [] } = facts?.module ?? {};
  return [...imports.map(([from]) => from), ...exports.flatMap(({ from }) => from ?? [])].flatMap((from) => {
    const [name] = /^(?:@[^/]+\/)?[^/?!]+/.exec(from) ?? [];
    return name === undefined || name.startsWith('.') ? [] : [name];
  });
}

/**
 * The descriptions of the declared packages, from the lock file or otherwise from the installed package; null for a
 * package that is in neither.
 */
async function describePackages(
  folder: string,
  declaredPackages: readonly ManifestDependency[],
  view: ProjectView,
  lock: LockFile | null,
): Promise<ReadonlyMap<string, PackageDescription | null>> {
  const packages = new Map<string, PackageDescription | null>();
  for (const { name } of declaredPackages) {
    const manifest = lock?.describe(folder, name)
      ? null
      : parseJsonObject((await view.installed?.(folder, name)) ?? null);
    packages.set(name, lock?.describe(folder, name) ?? (manifest && describePackage(name, manifest)));
  }
  return packages;
}

/** The patterns for some names. */
function createPatterns(names: readonly string[]): Pick<UnimportedPackage, 'wordPattern' | 'quotedPattern'> {
  const alternatives = names.map(escapeForRegExp).join('|');
  return {
    wordPattern: new RegExp(String.raw`(?<![\w-])(?:${alternatives})(?![\w-])`),
    quotedPattern: new RegExp(String.raw`["'\x60\s/!:=](?:${alternatives})(?=["'\x60\s/:@?!])`),
  };
}

/**
 * True if the file or a folder around it is named after the package: `.prettierrc`, `tailwind.config.js`, `.husky/`.
 */
function isNamedLike(path: string, name: string): boolean {
  const bareName = name.slice(name.indexOf('/') + 1).toLowerCase();
  return path
    .toLowerCase()
    .split('/')
    .some(
      (part) => part.startsWith(`.${bareName}`) || part.startsWith(`${bareName}.`) || part.startsWith(`${bareName}rc`),
    );
}

/**
 * True if the folder has a configuration file of one of the programs: `commitlint.config.js` for `@commitlint/cli`. The
 * file does not count if it belongs to another declared package: `babel.config.js` to `@babel/core`, not to
 * `@babel/cli`.
 */
function isConfigured(
  programs: readonly string[],
  folder: string,
  paths: readonly string[],
  declaredNames: readonly string[],
): boolean {
  return programs.some((program) => {
    if (declaredNames.includes(program) || declaredNames.includes(`@${program}/core`)) return false;
    const name = escapeForRegExp(program);
    const pattern = new RegExp(String.raw`^(\.${name}rc(\.\w+)?|${name}\.config\.\w+)$`);
    return paths.some((path) => parentFolderOf(path) === folder && pattern.test(posix.basename(path)));
  });
}

/**
 * True if the text may refer to the package: a script by `quotedPattern`, any other file by `wordPattern`. In comments of scripts
 * and in manifests, only the parts count that may make a tool load a package.
 */
function isNamedIn(
  { file, text, isScript }: ReferringText,
  { wordPattern, quotedPattern }: UnimportedPackage,
): boolean {
  if (isScript)
    return text
      .split('\n')
      .some((line) => quotedPattern.test(COMMENT_LINE_PATTERN.test(line) ? extractNamedParts(line) : line));
  const manifest = posix.basename(file.path) === 'package.json' ? parseJsonObject(text) : null;
  return wordPattern.test(manifest === null ? text : removeDeclarations(manifest));
}

/**
 * The parts of a comment that may still refer to a package: strings, with their quotes, and instructions to load a
 * tool.
 */
function extractNamedParts(line: string): string {
  return `${[...(line.match(/"[^"]*"|'[^']*'/g) ?? []), ...(line.match(PRAGMA_PATTERN) ?? [])].join(' ')} `;
}

function createOpportunity(
  path: string,
  text: string,
  { name, table, version }: ManifestDependency,
  command: string | null,
): Opportunity {
  const tableStart = Math.max(0, text.search(new RegExp(String.raw`"${table}"\s*:`)));
  const start = text.indexOf(`"${name}"`, tableStart);
  const ranges = createRangesInText(
    text,
    start < 0 ? tableStart : start,
    start < 0 ? table.length + 2 : name.length + 2,
  );
  const isRuntime = table === 'dependencies';
  return toProjectOpportunity({
    rule: 'unused-dependency',
    path,
    ...ranges,
    symbol: null,
    about: `${table} ${name}`,
    impact: isRuntime ? 40 : 20,
    confidence: 0.75,
    severity: isRuntime ? 'information' : 'hint',
    message: `\`${name}\` is in \`${table}\`, and no import, script or configuration names it.${command === null ? '' : ` To remove it: \`${command}\``}`,
    evidence: {
      declaredIn: table,
      version,
      namedBy: 'no import, script or configuration',
      ...(command === null ? {} : { command }),
    },
    recipe: 'remove-dependency',
  });
}
