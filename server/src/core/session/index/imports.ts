// Resolves the imports of the repository: which file imports which, how many files import each file, and its PageRank.

import {
  isProjectConfig,
  NO_CONFIG,
  readProjectConfig,
  type ProjectConfig,
} from '../../index/graph/config/projectConfig.ts';
import {
  parseConfig,
  createUnreadableNotice,
  type ConfigText,
  type ParsedConfig,
} from '../../index/graph/config/readConfig.ts';
import { buildImportGraph, type ImportGraph } from '../../index/graph/importGraph.ts';
import type { Language } from '../../model.ts';
import { notify, type SessionContext } from '../context.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { readTextOrNull } from '../search/packing.ts';

/**
 * Maximum length of a text, in UTF-16 units, that is parsed immediately. Such a text is parsed quickly even in the
 * worst case.
 */
const MAX_INLINE_LENGTH = 20_000;

/** The part of a record or an analysis that the import graph needs. */
interface ImportingFile {
  readonly path: string;
  readonly hash: string;
  readonly language: Language | null;
  /** Specifiers as they are written. */
  readonly imports: readonly string[];
}

/** The configuration of imports. `files`: the paths and content hashes of the files that it was read from. */
interface CachedConfig {
  readonly files: string;
  readonly config: ProjectConfig;
}

/** By session: the last configuration. */
const configBySession = new WeakMap<SessionContext, CachedConfig>();
/** By session: the files whose imports were set last, by path. */
const lastFiles = new WeakMap<SessionContext, ReadonlyMap<string, ImportingFile>>();

/**
 * Sets the files whose imports make up the import graph. The graph is rebuilt at its next use, but only if a file was
 * added, was removed or imports something else, or if the configuration of imports has changed.
 */
export async function setImports(context: SessionContext, files: readonly ImportingFile[]): Promise<void> {
  const filesBefore = lastFiles.get(context);
  const configBefore = configBySession.get(context)?.config ?? NO_CONFIG;
  const config = await loadProjectConfig(context, files);
  const isUnchanged =
    config === configBefore &&
    filesBefore !== undefined &&
    files.length === filesBefore.size &&
    files.every((file) => haveSameImports(filesBefore.get(file.path), file));
  lastFiles.set(context, new Map(files.map((file) => [file.path, file])));
  if (isUnchanged) return;
  let graph: ImportGraph | null = null;
  context.state.importGraph = () => (graph ??= buildImportGraph(files, config));
}

/**
 * Reads the configuration of imports as data, and never runs it. Reads it again only if one of its files has changed.
 * Unreadable files are reported and skipped.
 */
export async function loadProjectConfig(
  context: SessionContext,
  records: Iterable<Pick<ImportingFile, 'path' | 'hash'>>,
): Promise<ProjectConfig> {
  const paths: string[] = [];
  let fileHashes = '';
  for (const { path, hash } of records) {
    paths.push(path);
    if (isProjectConfig(path)) fileHashes += `${path} ${hash}\n`;
  }
  const cachedConfig = configBySession.get(context);
  if (cachedConfig?.files === fileHashes) return cachedConfig.config;
  const config =
    fileHashes === ''
      ? NO_CONFIG
      : await readProjectConfig(
          paths,
          (path) => readTextOrNull(context, path),
          (text) => parseInJob(context, text),
        );
  for (const notice of config.notices) notify(context, notice);
  configBySession.set(context, { files: fileHashes, config });
  return config;
}

/**
 * Parses a short text immediately, and a long one on a worker thread, so that a malicious text does not block other
 * requests.
 */
async function parseInJob({ ports }: SessionContext, text: ConfigText): Promise<ParsedConfig> {
  if (text.text.length <= MAX_INLINE_LENGTH) return parseConfig(text);
  try {
    return await ports.jobs.run('configure', text, new AbortController().signal);
  } catch (error) {
    if (!(error instanceof SelfwareError) || error.reason === 'cancelled') throw error;
    return createUnreadableNotice(text.path, error.reason === 'timedOut' ? 'it takes too long' : error.message);
  }
}

/** True if both versions of a file have the same language and the same specifiers. */
function haveSameImports(before: ImportingFile | undefined, now: ImportingFile): boolean {
  return (
    before !== undefined &&
    (before === now ||
      (before.language === now.language &&
        before.imports.length === now.imports.length &&
        before.imports.every((specifier, index) => specifier === now.imports[index])))
  );
}
