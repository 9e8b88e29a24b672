// Computes a description of the repository for newcomers from files, imports and history. It also lists what it could
// not determine.

import { throwIfCancelled } from '../../util/typedError.ts';
import { findExternalDependencies, type Dependency } from './model/dependencies.ts';
import { findEntryPoints, type EntryPoint } from './model/entryPoints.ts';
import { findHotSpots, findRecentChanges, type HotSpot, type RecentChange } from './model/history.ts';
import { computeLayers } from './model/layers.ts';
import { readDeclaredManifests, type Manifest, type Read } from './model/manifests.ts';
import { divideIntoModules, type Folder } from './model/modules.ts';
import { findTopCommentPurpose, readReadmePurpose, type Purpose } from './model/purpose.ts';
import { isTestFile } from '../paths/tests.ts';
import type { Commit } from '../ports/git.ts';
import type { StoredEvent } from '../ports/ledger.ts';
import type { FileRecord } from '../ports/catalogue.ts';

/** The input of the self-model. */
export interface ModelSources {
  readonly records: readonly FileRecord[];
  /** Files that each file imports. */
  readonly edges: ReadonlyMap<string, readonly string[]>;
  /** Number of files that import each file. */
  readonly inDegree: ReadonlyMap<string, number>;
  /** The commits, newest first; null if there is no history to read. */
  readonly commits: readonly Commit[] | null;
  readonly events: readonly StoredEvent[];
  /** Sum of the cyclomatic complexity of the functions in each file that has some; null if nothing was measured yet. */
  readonly complexity: ReadonlyMap<string, number> | null;
  readonly read: Read;
}

/** A part of the repository: a folder with its files. */
export interface RepositoryModule {
  /** Path of the folder; `.` is the root. The module has only the files that no deeper module contains. */
  readonly path: string;
  /** The purpose as the folder states it: in a README, a manifest, or the comment at the top of its main file. */
  readonly purpose: Purpose | null;
  /**
   * The purpose of the first of the most imported files that states one, if the folder itself states none; otherwise
   * null.
   */
  readonly keyFile: Purpose | null;
  readonly files: number;
  readonly symbols: number;
  readonly tokens: number;
  /**
   * 0 for a module that needs no other one; otherwise higher than the levels of the modules that it needs, except in a
   * cycle. Null if the module has no code.
   */
  readonly level: number | null;
  /** Paths of the modules that it imports from. */
  readonly needs: readonly string[];
  /** Paths of the modules that import from it. */
  readonly neededBy: readonly string[];
  /** Its most imported files, at most three. */
  readonly keyFiles: readonly string[];
  /** Number of test files that import from it directly. */
  readonly testedBy: number;
}

/** The description of a repository. */
export interface SelfModel {
  readonly name: string | null;
  readonly purpose: Purpose | null;
  readonly files: number;
  readonly tokens: number;
  readonly symbols: number;
  readonly languages: readonly { readonly language: string; readonly files: number; readonly tokens: number }[];
  readonly modules: readonly RepositoryModule[];
  readonly cycles: readonly (readonly string[])[];
  readonly entryPoints: readonly EntryPoint[];
  readonly dependencies: readonly Dependency[];
  readonly hotSpots: readonly HotSpot[];
  readonly recentChanges: readonly RecentChange[];
  readonly tests: {
    readonly files: number;
    readonly folders: readonly { readonly path: string; readonly files: number }[];
    readonly command: string | null;
    readonly commandSource: string | null;
  };
  /** Sentences about what this model does not know. */
  readonly unknown: readonly string[];
}

/** Maximum number of hot spots in the model. */
const MAX_HOT_SPOTS = 15;
/** Maximum number of key files of an area. */
const MAX_KEY_FILES = 3;
/** Files in which a folder states its purpose, preferred ones first. */
const PURPOSE_FILES = [
  /^(package\.json|pyproject\.toml|Cargo\.toml)$/,
  /^readme(\.(md|rst|txt|markdown))?$/i,
  /^(__init__\.py|mod\.rs|lib\.rs|doc\.go|package-info\.java)$/,
];

/** Computes the self-model. Throws `cancelled` if `signal` is aborted. */
export async function computeSelfModel(sources: ModelSources, signal: AbortSignal): Promise<SelfModel> {
  const { records, edges, inDegree, commits, events, complexity, read } = sources;
  const manifests = await readDeclaredManifests(records, read);
  throwIfCancelled(signal);
  // Code that other code imports is not a test, whatever its folder is called.
  const importedPaths = new Set([...edges].filter(([path]) => !isTestFile(path)).flatMap(([, targets]) => targets));
  const isTest = (path: string) => isTestFile(path) && !importedPaths.has(path);
  const productFiles = records.filter(({ path, generated }) => !generated && !isTest(path));
  const tests = records.filter(({ path, language }) => language !== null && isTest(path));
  const folders = divideIntoModules(productFiles);
  const moduleByPath = new Map(
    folders.flatMap((folder) => folder.files.map(({ path }) => [path, folder.path] as const)),
  );
  const codeFolders = folders.filter(({ files }) => files.some(({ language }) => language !== null));
  const needs = findNeededModules(codeFolders, edges, moduleByPath);
  const { levels, cycles } = computeLayers(needs);
  const modules: RepositoryModule[] = [];
  for (const folder of folders) {
    throwIfCancelled(signal);
    const neededBy = [...needs].filter(([, needed]) => needed.has(folder.path)).map(([path]) => path);
    const purpose = await findPurpose(folder, manifests, read);
    modules.push({
      path: folder.path,
      purpose,
      keyFile: purpose ? null : await findKeyFilePurpose(folder, inDegree, read),
      files: folder.files.length,
      symbols: folder.files.reduce((sum, { symbols }) => sum + symbols.length, 0),
      tokens: folder.files.reduce((sum, { tokens }) => sum + tokens, 0),
      level: levels.get(folder.path) ?? null,
      needs: [...(needs.get(folder.path) ?? [])].sort(),
      neededBy: neededBy.sort(),
      keyFiles: collectKeyFiles(folder, inDegree),
      testedBy: tests.filter(({ path }) =>
        (edges.get(path) ?? []).some((target) => moduleByPath.get(target) === folder.path),
      ).length,
    });
  }
  const rootManifest = manifests.find(({ folder }) => folder === '');
  const readme = records.find(({ path }) => /^readme(\.(md|rst|txt|markdown))?$/i.test(path));
  const manifestWithTests =
    manifests.find(({ testCommand, folder }) => testCommand && folder === '') ??
    manifests.find(({ testCommand }) => testCommand);
  return {
    name: rootManifest?.name ?? null,
    purpose: rootManifest?.description
      ? { text: rootManifest.description, source: rootManifest.path }
      : readme
        ? await readStatedPurpose(readme.path, read)
        : null,
    files: records.length,
    tokens: records.reduce((sum, { tokens }) => sum + tokens, 0),
    symbols: records.reduce((sum, { symbols }) => sum + symbols.length, 0),
    languages: countLanguages(records),
    modules,
    cycles,
    entryPoints: findEntryPoints(productFiles, records, manifests),
    dependencies: findExternalDependencies(records, manifests, isTest),
    hotSpots: findHotSpots(productFiles, complexity ?? new Map(), commits ?? [], MAX_HOT_SPOTS),
    recentChanges: findRecentChanges(events, commits ?? []),
    tests: {
      files: tests.length,
      folders: findTestFolders(tests),
      command: manifestWithTests?.testCommand ?? null,
      commandSource: manifestWithTests?.testCommand ? manifestWithTests.path : null,
    },
    unknown: collectUnknowns(records, productFiles, manifests, commits, modules, complexity),
  };
}

/** For each folder with code, the other such folders whose files its files import. */
function findNeededModules(
  codeFolders: readonly Folder[],
  edges: ReadonlyMap<string, readonly string[]>,
  moduleOf: ReadonlyMap<string, string>,
): Map<string, Set<string>> {
  const codePaths = new Set(codeFolders.map(({ path }) => path));
  return new Map(
    codeFolders.map(({ path, files }) => {
      const targets = files.flatMap((file) => (edges.get(file.path) ?? []).map((target) => moduleOf.get(target)));
      return [
        path,
        new Set(
          targets.filter(
            (target): target is string => target !== undefined && target !== path && codePaths.has(target),
          ),
        ),
      ];
    }),
  );
}

/**
 * The purpose that a manifest or another file of the folder states, otherwise the description of the package with the
 * same name; null if there is none.
 */
async function findPurpose(
  { path, files }: Folder,
  manifests: readonly Manifest[],
  read: Read,
): Promise<Purpose | null> {
  const prefix = path === '.' ? '' : `${path}/`;
  for (const pattern of PURPOSE_FILES) {
    for (const file of files.filter((candidate) => pattern.test(candidate.path.slice(prefix.length)))) {
      const description = manifests.find((manifest) => manifest.path === file.path)?.description;
      const purpose = description ? { text: description, source: file.path } : await readStatedPurpose(file.path, read);
      if (purpose) return purpose;
    }
  }
  // The folder with the same name as the package.
  const manifestWithSameName = manifests.find(
    ({ name, folder, description }) =>
      description !== null &&
      path.startsWith(folder) &&
      name?.toLowerCase().replace(/-/g, '_') === path.split('/').at(-1),
  );
  return manifestWithSameName ? { text: manifestWithSameName.description!, source: manifestWithSameName.path } : null;
}

/** The purpose of the first key file that states one; null if none does. */
async function findKeyFilePurpose(
  folder: Folder,
  inDegree: ReadonlyMap<string, number>,
  read: Read,
): Promise<Purpose | null> {
  for (const path of collectKeyFiles(folder, inDegree)) {
    const purpose = await readStatedPurpose(path, read);
    if (purpose) return purpose;
  }
  return null;
}

/** The purpose that the text of a file states; null if there is none, and for JSON and TOML. */
async function readStatedPurpose(path: string, read: Read): Promise<Purpose | null> {
  if (/\.(json|toml)$/.test(path)) return null;
  const text = await read(path);
  const statement =
    text === null ? null : /(^|\/)readme[^/]*$/i.test(path) ? readReadmePurpose(text) : findTopCommentPurpose(text);
  return statement ? { text: statement, source: path } : null;
}

/** At most `MAX_KEY_FILES` files of a folder that other files import, the most imported first. */
function collectKeyFiles({ files }: Folder, inDegree: ReadonlyMap<string, number>): string[] {
  const importedFiles = files.filter(({ path }) => (inDegree.get(path) ?? 0) > 0);
  return importedFiles
    .toSorted((a, b) => inDegree.get(b.path)! - inDegree.get(a.path)!)
    .slice(0, MAX_KEY_FILES)
    .map(({ path }) => path);
}

/** The languages of source files that are not generated, those with most tokens first. */
function countLanguages(records: readonly FileRecord[]): SelfModel['languages'] {
  const counts = new Map<string, { files: number; tokens: number }>();
  for (const { language, tokens, generated } of records) {
    if (language === null || generated) continue;
    const count = counts.get(language) ?? { files: 0, tokens: 0 };
    counts.set(language, { files: count.files + 1, tokens: count.tokens + tokens });
  }
  return [...counts].map(([language, count]) => ({ language, ...count })).sort((a, b) => b.tokens - a.tokens);
}

/** The folders of the tests, at most two levels deep; those with most files first. */
function findTestFolders(tests: readonly FileRecord[]): SelfModel['tests']['folders'] {
  const counts = new Map<string, number>();
  for (const { path } of tests) {
    const folder = path.includes('/') ? path.split('/').slice(0, -1).slice(0, 2).join('/') : '.';
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .map(([path, files]) => ({ path, files }))
    .sort((a, b) => b.files - a.files || (a.path < b.path ? -1 : 1));
}

/** Sentences about what the model could not determine. */
function collectUnknowns(
  records: readonly FileRecord[],
  ownFiles: readonly FileRecord[],
  manifests: readonly Manifest[],
  commits: readonly Commit[] | null,
  modules: readonly RepositoryModule[],
  complexity: ReadonlyMap<string, number> | null,
): string[] {
  const sentences: string[] = [];
  const silentFolders = modules.filter(({ purpose, keyFile }) => !purpose && !keyFile).map(({ path }) => path);
  if (silentFolders.length > 0)
    sentences.push(`These folders do not say what they are for: ${silentFolders.join(', ')}.`);
  if (manifests.length === 0)
    sentences.push(
      'There is no supported manifest (package.json, pyproject.toml, Cargo.toml, go.mod), so entry points and dependencies are not known.',
    );
  if (commits === null) sentences.push('There is no git history, so churn and recent commits are not known.');
  const unmeasuredCount = ownFiles.filter(
    ({ path, language, symbols }) => language !== null && symbols.length > 0 && !complexity?.has(path),
  ).length;
  if (complexity === null) sentences.push('Nothing was measured yet, so complexity and hot spots are not known.');
  else if (unmeasuredCount > 0)
    sentences.push(
      `The complexity of ${unmeasuredCount} source files is not known (no functions were measured in them).`,
    );
  const unreadCount = records.filter(({ language, trouble }) => language !== null && trouble !== null).length;
  if (unreadCount > 0) sentences.push(`${unreadCount} source files could not be analysed.`);
  return sentences;
}
