// Finds edited files that no code reaches. A tool may load such a file by its name, so a person must look at it.

import { isStartedByFolder } from '../../analysis/project/conventions.ts';
import { isAutoloaded } from '../../index/graph/phpAutoload.ts';
import { createImportResolver } from '../../index/graph/importResolver.ts';
import { buildImportGraph } from '../../index/graph/importGraph.ts';
import { readEntryPoints } from '../../index/graph/entryPoints.ts';
import { findReachableFiles, findFilesUsedByOthers } from '../../index/graph/reachableFiles.ts';
import { detectLanguage } from '../../index/parse/language.ts';
import type { FileEdit, Language } from '../../model.ts';
import { isTestFile } from '../../paths/tests.ts';
import { isLoadedByTool } from '../../paths/tools.ts';
import { sha256 } from '../../../util/hash.ts';
import type { SessionContext } from '../context.ts';
import { loadCurrentGraph } from '../index/graph.ts';
import { loadProjectConfig } from '../index/imports.ts';
import { readTextOrNull } from '../search/packing.ts';
import type { FileAnalysis } from '../../ports/catalogue.ts';

/** An edited file that may be unreached. */
export interface UnreachedFile {
  readonly path: string;
  /** The reason as a sentence. */
  readonly reason: string;
}

/** Languages in which the index knows the entry points of a package and the file behind each import. */
const LANGUAGES_WITH_KNOWN_IMPORTS: ReadonlySet<Language> = new Set<Language>([
  'typescript',
  'tsx',
  'javascript',
  'python',
  'go',
  'rust',
]);
/**
 * Languages in which code is used by name and not by imports of files: if other code uses a class, its file is reached.
 */
const LANGUAGES_USED_BY_NAME: ReadonlySet<Language> = new Set<Language>([
  'java',
  'kotlin',
  'scala',
  'csharp',
  'php',
  'ruby',
]);
const PHP_LANGUAGES: ReadonlySet<Language> = new Set<Language>(['php']);

/**
 * The edited files that may be unreached, each with the reason. An existing file must be reached in the current tree,
 * because an import that the change adds proves nothing. A new file must be imported by a reached file.
 */
export async function findUnreachedFiles(
  context: SessionContext,
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<readonly UnreachedFile[]> {
  const { analyses, imports } = context.state;
  const reachedBefore = new Set([
    ...(await findReachedFiles(context, analyses, imports)),
    ...(edits.some((edit) => isInLanguage(LANGUAGES_USED_BY_NAME, edit))
      ? findFilesUsedByOthers(await loadCurrentGraph(context, signal))
      : []),
    ...(edits.some((edit) => isInLanguage(PHP_LANGUAGES, edit)) ? await findAutoloaded(context, edits) : []),
  ]);
  const reachedAfter = edits.some((edit) => edit.before === null)
    ? await findReachedAfter(context, edits, reachedBefore, signal)
    : reachedBefore;
  return edits.flatMap((edit) => {
    const reason = explainUnreached(edit, edit.before === null ? reachedAfter : reachedBefore);
    return reason === null ? [] : [{ path: edit.path, reason }];
  });
}

/** True if the edited file is in one of these languages. */
function isInLanguage(languages: ReadonlySet<Language>, { path, before, after }: FileEdit): boolean {
  const language = detectLanguage(path, before ?? after ?? '');
  return language !== null && languages.has(language);
}

/**
 * Explains why a person must look at an edited file, as a sentence; null if code reaches it. `reachedPaths`: all files
 * that code reaches.
 */
function explainUnreached({ path, before, after }: FileEdit, reachedPaths: ReadonlySet<string>): string | null {
  const language = detectLanguage(path, before ?? after ?? '');
  if (language === null)
    return `${path} is not source code that rules check, so a tool or a person may act on its text.`;
  if ([before, after].some((text) => text !== null && isLoadedByTool(path, text)))
    return `A tool loads ${path} by its name.`;
  if (LANGUAGES_USED_BY_NAME.has(language))
    return reachedPaths.has(path)
      ? null
      : `No code elsewhere uses what ${path} defines, so a tool may load it by its name.`;
  if (!LANGUAGES_WITH_KNOWN_IMPORTS.has(language))
    return `It is unknown which code reaches ${path}, so a tool may load it by its name.`;
  return reachedPaths.has(path) ? null : `No import reaches ${path}, so a tool may load it by its name.`;
}

/** The edited files that exist already and that Composer loads automatically. */
async function findAutoloaded(context: SessionContext, edits: readonly FileEdit[]): Promise<readonly string[]> {
  const { phpLibraries } = await loadProjectConfig(context, [...context.state.analyses.values()]);
  return edits.flatMap(({ path, before }) =>
    before !== null && isAutoloaded({ path, text: before }, phpLibraries) ? [path] : [],
  );
}

/**
 * The files that imports reach from the entry points, from tests and from files that are started because of their
 * folder.
 */
async function findReachedFiles(
  context: SessionContext,
  analyses: ReadonlyMap<string, FileAnalysis>,
  edges: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlySet<string>> {
  const files = [...analyses.values()];
  const config = await loadProjectConfig(context, files);
  const resolve = createImportResolver(
    files.map(({ path, language }) => ({ path, language, symbols: [] })),
    config,
  );
  const packages = await readEntryPoints(
    files.map(({ path }) => path),
    config,
    resolve,
    (path) => readTextOrNull(context, path),
  );
  return findReachableFiles({
    files,
    edges,
    packages,
    config,
    startsByName: (path) => isTestFile(path) || isStartedByFolder(path),
  });
}

/**
 * The files in `before`, and the new files that these import once the edits are made, directly or through other new
 * files.
 */
async function findReachedAfter(
  context: SessionContext,
  edits: readonly FileEdit[],
  before: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const { ports, state } = context;
  const texts = edits.flatMap(({ path, after }) =>
    after === null ? [] : [{ path, bytes: new TextEncoder().encode(after) }],
  );
  const rows = await ports.jobs.run(
    'analyse',
    texts.map((file) => ({ ...file, size: file.bytes.byteLength, mtimeMs: 0, hash: sha256(file.bytes) })),
    signal,
  );
  const files = new Map([...state.analyses, ...rows.map((row) => [row.path, row] as const)]);
  const { edges } = buildImportGraph(
    [...files.values()].map(({ path, language, imports }) => ({ path, language, imports, symbols: [] })),
    await loadProjectConfig(context, files.values()),
  );
  const addedPaths = new Set(edits.filter((edit) => edit.before === null).map(({ path }) => path));
  const reachedPaths = new Set(before);
  for (const path of reachedPaths)
    for (const target of edges.get(path) ?? []) if (addedPaths.has(target)) reachedPaths.add(target);
  return reachedPaths;
}
