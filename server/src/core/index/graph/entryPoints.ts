// Finds the entry points of TypeScript and JavaScript packages: the files that manifests, configuration files and HTML
// pages name, and which of these files are public API.

import { posix } from 'node:path';
import { isInFolder } from './config/packageConfig.ts';
import type { ProjectConfig } from './config/projectConfig.ts';
import { parseConfig, getTable, readValue, type ReadText } from './config/readConfig.ts';
import type { ImportResolver } from './importResolver.ts';
import { createAnyOfPattern } from '../../../util/anyOfPattern.ts';
import { appendTo } from '../../../util/values/appendTo.ts';
import { parentFolderOf } from '../../../util/values/parentFolder.ts';
import { isRecord } from '../../../util/values/isRecord.ts';

/** The entry points of one package. */
export interface PackageEntries {
  /** Folder of the manifest from the root; '' is the root. */
  readonly dir: string;
  /** Files that code outside the package may load. */
  readonly entries: readonly string[];
  /** Entries whose exports are public API. */
  readonly api: readonly string[];
  /** False if the manifest does not show which files others may load. */
  readonly isDeterminable: boolean;
  /** False for a private package and for an extension of VS Code: nobody imports them from a registry. */
  readonly published: boolean;
}

/** Fields of a package.json that name the files for importers (Node, bundlers, type checkers, older conventions). */
const API_FIELDS = [
  'main',
  'module',
  'exports',
  'types',
  'typings',
  'browser',
  'source',
  'es2015',
  'esnext',
  'jsnext:main',
  'react-native',
  'svelte',
  'unpkg',
  'jsdelivr',
  'umd:main',
  'publishConfig',
  'typesVersions',
];
/** Other files that name loaded files. Every text in them that looks like a source path counts. */
const CONFIGURATION_PATTERN = new RegExp(
  `(^|/)(${createAnyOfPattern(String.raw`
    jsr\.json deno\.jsonc? angular\.json builders\.json executors\.json generators\.json collection\.json
    migrations\.json project\.json nest-cli\.json ng-package\.json jest\.config\.json \.mocharc\.json
    \.babelrc(\.json)? typedoc\.json \.eslintrc(\.json)? app\.json wrangler\.(toml|jsonc?) lerna\.json
    \.size-limit\.json [jt]sconfig[^/]*\.json [^/]+\.html
  `)})$`,
);
/**
 * Lists of files that the tools of Angular and Nx load: paths of modules without extension, optionally followed by
 * `#name`.
 */
const MODULE_LISTS = /(^|\/)(builders|executors|generators|collection|migrations)\.json$/;
/** The entry file of Angular's packager if `lib.entryFile` is not set (schema of ng-package.json). */
const NG_ENTRY = 'src/public_api.ts';
/**
 * Maximum number of configuration files that are read. In a repository with more, most of the remaining ones are
 * examples and documentation.
 */
const MAX_CONFIGURATION = 400;

/** Maximum nesting of a manifest's value. Deeper values are not read. */
const MAX_DEPTH = 12;

/** The entry points of each package.json in the repository, in the order of `config.packages`. */
export async function readEntryPoints(
  paths: readonly string[],
  config: ProjectConfig,
  resolve: ImportResolver,
  read: ReadText,
): Promise<readonly PackageEntries[]> {
  const existingPaths = new Set(paths);
  const namedPaths = await findPathsInConfiguration(paths, config, read);
  const packageEntries: PackageEntries[] = [];
  for (const { dir } of config.packages) {
    const text = await read(posix.join(dir, 'package.json'));
    const jsr = await read(posix.join(dir, 'jsr.json'));
    const resolveEntry = (target: string) => resolveTarget(dir, target, paths, existingPaths, resolve);
    packageEntries.push(findEntries(dir, text, jsr, namedPaths.get(dir) ?? [], resolveEntry));
  }
  return packageEntries;
}

/** Paths (from the root) that configuration files other than the manifest name, by folder of the package. */
async function findPathsInConfiguration(
  paths: readonly string[],
  config: ProjectConfig,
  read: ReadText,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const dirs = config.packages.map(({ dir }) => dir);
  const namedPaths = new Map<string, string[]>();
  for (const path of paths.filter((candidate) => CONFIGURATION_PATTERN.test(candidate)).slice(0, MAX_CONFIGURATION)) {
    const owner = findNearestFolder(dirs, path);
    const text = owner === null ? null : await read(path);
    if (owner === null || text === null) continue;
    for (const target of collectNamedPaths(path, text))
      appendTo(namedPaths, owner, posix.join(parentFolderOf(path), target));
  }
  return namedPaths;
}

/** The paths of modules and scripts that the text of a configuration file contains, as written. */
function collectNamedPaths(path: string, text: string): readonly string[] {
  const modules = MODULE_LISTS.test(path) ? text.matchAll(/"(\.{1,2}\/[^"\s#*]+)(?:#\w+)?"/g) : [];
  const scripts = text.matchAll(/["']([^"'\s<>*]+\.[cm]?[jt]sx?)["']/g);
  return [
    ...[...modules].map(([, target]) => target!),
    ...(path.endsWith('ng-package.json') ? [NG_ENTRY] : []),
    ...[...scripts].map(([, target]) => target!.replace(/^\//, '')),
  ];
}

/** The entry points of one package. `resolve` returns the files to which a target in the manifest refers. */
function findEntries(
  dir: string,
  text: string | null,
  jsr: string | null,
  namedPaths: readonly string[],
  resolve: (target: string) => readonly string[],
): PackageEntries {
  const outcome = text === null ? null : parseConfig({ path: 'package.json', text, format: 'json' });
  const manifest = outcome && 'table' in outcome ? outcome.table : {};
  const apiTargets = [
    ...API_FIELDS.flatMap((field) => collectLeafTexts(readValue(manifest, field))),
    ...(jsr === null ? [] : collectPaths(jsr)),
  ];
  const runTargets = [...collectLeafTexts(readValue(manifest, 'bin')), ...collectPaths(text ?? '')];
  const isPrivate = readValue(manifest, 'private') === true;
  // The default entry of a package that names none is its index file.
  const defaultEntries = apiTargets.length === 0 && !isPrivate ? ['./index.js', './src/index.js'] : [];
  const api = new Set([
    ...apiTargets.flatMap(resolve),
    ...findSourcesByKey(readValue(manifest, 'exports'), resolve),
    ...defaultEntries.flatMap(resolve),
  ]);
  const otherTargets = namedPaths.map((target) => `./${posix.relative(dir, target)}`);
  const entries = new Set([...api, ...[...runTargets, ...otherTargets].flatMap(resolve)]);
  return {
    dir,
    entries: [...entries].sort(),
    api: [...api].sort(),
    isDeterminable: isPrivate && apiTargets.length === 0 ? entries.size > 0 : api.size > 0,
    published: !isPrivate && readValue(getTable(manifest, 'engines'), 'vscode') === undefined,
  };
}

/** The innermost of the folders that contains a path; null if none does. */
function findNearestFolder(folders: readonly string[], path: string): string | null {
  let nearest: string | null = null;
  for (const folder of folders)
    if (isInFolder(path, folder) && (nearest === null || folder.length > nearest.length)) nearest = folder;
  return nearest;
}

/** Source files to which a target in a manifest refers; `./dist/*.js` refers to all that are built by this pattern. */
function resolveTarget(
  dir: string,
  target: string,
  paths: readonly string[],
  existingPaths: ReadonlySet<string>,
  resolve: ImportResolver,
): readonly string[] {
  if (/\.(json|css|scss|less|wasm|md|d\.ts\.map)$/.test(target) || target.startsWith('http')) return [];
  const relativeTarget = target.startsWith('./') ? target : `./${target}`;
  if (!relativeTarget.includes('*')) {
    const path = posix.join(dir, relativeTarget);
    const sourceFiles = resolve({ path: posix.join(dir, 'package.ts'), language: 'typescript' }, relativeTarget);
    return existingPaths.has(path) ? [path, ...sourceFiles] : sourceFiles;
  }
  const [start = '', end = ''] = relativeTarget.slice(2).split('*');
  // A folder that is not in the repository is built, whatever its name is.
  const topFolder = start.slice(0, start.indexOf('/') + 1);
  const withoutOutputFolder = start.replace(/^(dist|build|lib|out|esm|cjs|es|types)\/((esm|cjs|es|types|node)\/)?/, '');
  const isBuilt =
    withoutOutputFolder === start &&
    topFolder !== '' &&
    !paths.some((path) => path.startsWith(posix.join(dir, topFolder)));
  const inner = isBuilt ? start.slice(topFolder.length) : withoutOutputFolder;
  const extensions = new RegExp(
    `${end.replace(/(\.d)?\.[cm]?[jt]sx?$/, '').replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')}(/index)?(\\.d)?\\.[cm]?[jt]sx?$`,
  );
  const findMatchingFiles = (folder: string) => {
    const prefix = posix.join(dir, folder, folder === '' || folder.endsWith('/') ? '/' : '').replace(/^\/$/, '');
    return paths.filter((path) => path.startsWith(prefix) && extensions.test(path) && isInFolder(path, dir));
  };
  const filesAsWritten = start === '' ? [] : findMatchingFiles(start);
  if (filesAsWritten.length > 0) return filesAsWritten;
  const filesInSources = findMatchingFiles(posix.join('src', inner));
  return isBuilt && filesInSources.length > 0
    ? filesInSources
    : [...new Set([...filesInSources, ...findMatchingFiles(inner)])];
}

/** Every text in a value of a manifest. The keys of `browser` and `exports` are names for importers, not files. */
function collectLeafTexts(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => collectLeafTexts(item, depth + 1));
  return isRecord(value) ? Object.values(value).flatMap((item) => collectLeafTexts(item, depth + 1)) : [];
}

/**
 * Finds sources by the keys of `exports` whose targets match no source. For
 * `"./fields/float": "./dist/package-fields-float.js"`, the key often matches one.
 */
function findSourcesByKey(apiTargets: unknown, resolve: (target: string) => readonly string[]): string[] {
  if (!isRecord(apiTargets)) return [];
  return Object.entries(apiTargets).flatMap(([key, value]) =>
    !/^\.\/[^*.]+$/.test(key) || collectLeafTexts(value).some((target) => resolve(target).length > 0)
      ? []
      : [...resolve(key), ...resolve(`./src/${key.slice(2)}`)],
  );
}

/** Every text in a manifest that looks like the path of a script. */
function collectPaths(text: string): string[] {
  return [...text.matchAll(/(?<![\w@./-])((?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*\.[cm]?[jt]sx?)(?![\w/-])/g)].map(
    ([, path]) => path!,
  );
}
