// The records of a session and what follows from their imports.

import { isProjectConfig, NO_CONFIG, readProjectConfig, type ProjectConfig } from '../index/graph/config/projectConfig.ts';
import { importGraph } from '../index/graph/importGraph.ts';
import type { FileRecord } from '../indexPorts.ts';
import { notify, type SessionContext } from './context.ts';
import { readFresh } from './remembering.ts';

/** What imports mean in a repository, and the files that said so, by path and content. */
interface Known {
  readonly files: string;
  readonly config: ProjectConfig;
}

const known = new WeakMap<SessionContext, Known>();

/** Sets the records. The import graph is made anew only when a file came, went, or imports something else. */
export async function setRecords(context: SessionContext, records: readonly FileRecord[]): Promise<void> {
  const { state } = context;
  const before = state.records;
  const configBefore = known.get(context)?.config ?? NO_CONFIG;
  const config = await projectConfigOf(context, records);
  const same = config === configBefore && records.length === before.size && records.every((record) => sameImports(before.get(record.path), record));
  state.records = new Map(records.map((record) => [record.path, record]));
  if (same) return;
  const { edges, inDegree, rank } = importGraph(records, config);
  Object.assign(state, { imports: edges, inDegree, rank });
}

/** Read as data, never run; again only when one of its files has changed. What cannot be read is said and left out. */
export async function projectConfigOf(context: SessionContext, records: Iterable<FileRecord>): Promise<ProjectConfig> {
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

function sameImports(before: FileRecord | undefined, now: FileRecord): boolean {
  return before !== undefined && (before === now || (before.language === now.language && before.imports.length === now.imports.length && before.imports.every((specifier, at) => specifier === now.imports[at])));
}
