// Reads a repository as it was at earlier commits: its files, their records, its history, and a search over them. No
// commit is checked out, and a file that is the same in consecutive commits is read only once.

import { createHash } from 'node:crypto';
import { createGrammarsFromNodeModules } from '../../../server/src/adapters/grammars/grammars.ts';
import { buildImportGraph } from '../../../server/src/core/index/graph/importGraph.ts';
import { createFileRecord } from '../../../server/src/core/index/inspect.ts';
import { createParser } from '../../../server/src/core/index/parse/parser.ts';
import { createSearcher } from '../../../server/src/core/index/search/createSearcher.ts';
import { computeHistorySignals } from '../../../server/src/core/index/search/historySignals.ts';
import type { SearchedFile } from '../../../server/src/core/index/search/searcher.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';
import { readGitBlobs, runGit } from '../support/bareGit.ts';
import { embedder, createSearchedFiles, termTable } from '../support/embedding.ts';
import type { SearchHit } from '../../../server/src/core/index/search/hit.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';
import type { Commit } from '../../../server/src/core/ports/git.ts';

/** A repository at one commit. */
export interface Moment {
  readonly records: ReadonlyMap<string, FileRecord>;
  readonly texts: ReadonlyMap<string, string>;
  readonly inDegree: ReadonlyMap<string, number>;
  readonly rank: ReadonlyMap<string, number>;
  /** The commit and those before it, newest first. */
  readonly commits: readonly Commit[];
  search(query: string, top: number): Promise<readonly SearchHit[]>;
}

/** A file that was read. `blob`: the id of its content in git. */
interface Known {
  readonly blob: string;
  readonly record: FileRecord;
  readonly text: string;
}

const MAX_COMMITS = 10_000;
const MAX_BYTES = defaultSettings['index.maxFileKilobytes'] * 1024;

/** Opens the repository. `at` reads a commit; its result is valid until the next call. */
export async function openPast(
  dir: string,
  signal: AbortSignal,
): Promise<{ at(commit: string): Promise<Moment>; close(): void }> {
  const parser = createParser(createGrammarsFromNodeModules());
  const searcher = createSearcher({ table: termTable });
  const currentFiles = new Map<string, Known>();
  const history = await readHistory(dir, signal);

  return {
    close: () => parser.close(),
    async at(commit) {
      const blobs = await listFiles(dir, commit, signal);
      const removedPaths = [...currentFiles.keys()].filter((path) => !blobs.has(path));
      searcher.remove(removedPaths);
      for (const path of removedPaths) currentFiles.delete(path);
      const changedFiles = [...blobs].filter(([path, blob]) => currentFiles.get(path)?.blob !== blob);
      const contents = await readGitBlobs(dir, [...new Set(changedFiles.map(([, blob]) => blob))], signal);
      const changedSearchedFiles: SearchedFile[] = [];
      for (const [path, blob] of changedFiles) {
        const bytes = contents.get(blob)!;
        const hash = createHash('sha256').update(bytes).digest('hex');
        const { record, chunks } = await createFileRecord(parser, {
          path,
          bytes,
          size: bytes.length,
          mtimeMs: 0,
          hash,
        });
        currentFiles.set(path, { blob, record, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) });
        changedSearchedFiles.push(...(await createSearchedFiles([{ record, chunks }], embedder.source, signal)));
      }
      searcher.put(changedSearchedFiles);
      const ancestors = new Set((await runGit(dir, ['rev-list', commit], signal)).split('\n'));
      const commits = history.filter(({ hash }) => ancestors.has(hash)).slice(0, MAX_COMMITS);
      searcher.setSignals({ ownVendors: [], ...computeHistorySignals(commits) });
      const records = new Map([...currentFiles].map(([path, { record }]) => [path, record]));
      const { inDegree, rank } = buildImportGraph([...records.values()]);
      return {
        records,
        texts: new Map([...currentFiles].map(([path, { text }]) => [path, text])),
        inDegree,
        rank,
        commits,
        search: async (query, top) => searcher.search({ text: query, vector: null, top }),
      };
    },
  };
}

/** Blobs of the regular files of a commit, by path, without files that are too large for the index. */
async function listFiles(dir: string, commit: string, signal: AbortSignal): Promise<Map<string, string>> {
  const blobs = new Map<string, string>();
  const entries = (await runGit(dir, ['ls-tree', '-r', '-l', '-z', commit], signal)).split('\0');
  for (const entry of entries.sort()) {
    const [facts = '', path] = entry.split('\t');
    const [mode = '', , blob = '', size] = facts.split(/ +/);
    if (path !== undefined && mode.startsWith('100') && Number(size) <= MAX_BYTES) blobs.set(path, blob);
  }
  return new Map([...blobs].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** All commits of HEAD except merges, newest first. */
async function readHistory(dir: string, signal: AbortSignal): Promise<Commit[]> {
  const args = ['log', '--no-merges', '--no-renames', '--name-only', '--format=%x1e%H%x1f%ct%x1f%s', 'HEAD'];
  return (await runGit(dir, args, signal))
    .split('\x1e')
    .slice(1)
    .map((entry) => {
      const [head = '', ...paths] = entry.split('\n');
      const [hash = '', seconds, subject = ''] = head.split('\x1f');
      return { hash, atMs: Number(seconds) * 1000, subject, paths: paths.filter((path) => path !== '') };
    });
}
