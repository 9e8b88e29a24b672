// What imports mean in this repository, and what follows from them: who imports whom, and how much leans on each file.

import {
  isProjectConfig,
  NO_CONFIG,
  readProjectConfig,
  type ProjectConfig,
} from '../../index/graph/config/projectConfig.ts';
import { importGraph, type ImportGraph } from '../../index/graph/importGraph.ts';
import type { Language } from '../../model.ts';
import { notify, type SessionContext } from '../context.ts';
import { readFresh } from '../search/remembering.ts';

/** A file as far as imports go, from whichever pass knows it. */
interface Importing {
  readonly path: string;
  readonly hash: string;
  readonly language: Language | null;
  /** As written. */
  readonly imports: readonly string[];
}

/** What imports mean in a repository, and the files that said so, by path and content. */
interface Known {
  readonly files: string;
  readonly config: ProjectConfig;
}

const known = new WeakMap<SessionContext, Known>();
const last = new WeakMap<SessionContext, ReadonlyMap<string, Importing>>();

/**
 * The import graph is made anew only when a file came, went, or imports something else, and not before it is asked for.
 */
export async function setImports(context: SessionContext, files: readonly Importing[]): Promise<void> {
  const before = last.get(context);
  const configBefore = known.get(context)?.config ?? NO_CONFIG;
  const config = await projectConfigOf(context, files);
  const same =
    config === configBefore &&
    before !== undefined &&
    files.length === before.size &&
    files.every((file) => sameImports(before.get(file.path), file));
  last.set(context, new Map(files.map((file) => [file.path, file])));
  if (same) return;
  let graph: ImportGraph | null = null;
  context.state.importGraph = () => (graph ??= importGraph(files, config));
}

/** Read as data, never run; again only when one of its files has changed. What cannot be read is said and left out. */
export async function projectConfigOf(
  context: SessionContext,
  records: Iterable<Pick<Importing, 'path' | 'hash'>>,
): Promise<ProjectConfig> {
  const paths: string[] = [];
  let files = '';
  for (const { path, hash } of records) {
    paths.push(path);
    if (isProjectConfig(path)) files += `${path} ${hash}\n`;
  }
  const before = known.get(context);
  if (before?.files === files) return before.config;
  const config = files === '' ? NO_CONFIG : await readProjectConfig(paths, (path) => readFresh(context, path));
  for (const notice of config.notices) notify(context, notice);
  known.set(context, { files, config });
  return config;
}

function sameImports(before: Importing | undefined, now: Importing): boolean {
  return (
    before !== undefined &&
    (before === now ||
      (before.language === now.language &&
        before.imports.length === now.imports.length &&
        before.imports.every((specifier, at) => specifier === now.imports[at])))
  );
}
