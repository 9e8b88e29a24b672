// Loads the repositories of a search benchmark as the index has them. They are inspected once and then read from a
// cache on disk within seconds.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { createWorkingTree } from '../../../server/src/adapters/files/workingTree.ts';
import { createGrammarsFromNodeModules } from '../../../server/src/adapters/grammars/grammars.ts';
import { createFileRecord } from '../../../server/src/core/index/inspect.ts';
import { createParser } from '../../../server/src/core/index/parse/parser.ts';
import type { Place } from './measures.ts';
import type { Commit } from '../../../server/src/core/ports/git.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';

/** A line of the benchmark's manifest. */
export interface Repository {
  readonly name: string;
  readonly language: string;
  /** True if it is at the revision for which the labels were made. */
  readonly pinned: boolean;
  readonly root: string;
}

/** A labelled question. */
export interface Question {
  readonly query: string;
  readonly category: string;
  readonly relevant: readonly Place[];
}

/** An inspected file. */
export interface CorpusFile {
  readonly record: FileRecord;
  readonly chunks: readonly { readonly id: string; readonly terms: string; readonly text: string }[];
}

/** A repository with its questions. */
export interface Corpus {
  readonly repository: Repository;
  readonly files: readonly CorpusFile[];
  readonly commits: readonly Commit[];
  readonly questions: readonly Question[];
}

/** Maximum size of an inspected file. */
const MAX_BYTES = 1024 * 1024;
const MAX_COMMITS = 10_000;
const neverAborted = new AbortController().signal;

/** Loads a repository from the cache, or inspects it. `fresh`: languages (or `all`) that are always inspected again. */
export async function loadCorpus(
  repository: Repository,
  options: { readonly cache: string; readonly annotations: string; readonly fresh: readonly string[] },
): Promise<Corpus> {
  const file = join(
    options.cache,
    `${repository.name}-${createHash('sha256').update(repository.root).digest('hex').slice(0, 8)}.bin`,
  );
  const cachedBytes =
    options.fresh.includes('all') || options.fresh.includes(repository.language)
      ? null
      : await readFile(file).catch(() => null);
  const cachedCorpus = cachedBytes
    ? (deserialize(cachedBytes) as Pick<Corpus, 'files' | 'commits'>)
    : { files: await inspectRepository(repository.root), commits: await readCommits(repository.root) };
  if (!cachedBytes) {
    await mkdir(options.cache, { recursive: true });
    await writeFile(`${file}.part`, serialize(cachedCorpus));
    await rename(`${file}.part`, file);
  }
  return {
    repository,
    ...cachedCorpus,
    questions: await readQuestions(join(options.annotations, `${repository.name}.json`)),
  };
}

async function inspectRepository(root: string): Promise<CorpusFile[]> {
  const tree = await createWorkingTree(root);
  const parser = createParser(createGrammarsFromNodeModules());
  const files: CorpusFile[] = [];
  for (const { path, stat } of (await tree.walk({ maxBytes: MAX_BYTES, exclude: [] }, neverAborted)).files) {
    const bytes = await tree.read(path);
    if (!bytes) continue;
    const { record, chunks } = await createFileRecord(parser, {
      path,
      bytes,
      size: stat.size,
      mtimeMs: stat.mtimeMs,
      hash: '',
    });
    if (chunks.length > 0) files.push({ record, chunks: chunks.map(({ id, terms, text }) => ({ id, terms, text })) });
  }
  return files;
}

async function readCommits(root: string): Promise<Commit[]> {
  // In a partial clone, git ends with an error, and the commits before it are used.
  const { stdout } = await promisify(execFile)(
    'git',
    [
      '-C',
      root,
      '-c',
      'core.quotePath=false',
      'log',
      '--no-merges',
      `--max-count=${MAX_COMMITS}`,
      '--name-only',
      '--relative',
      '--format=%x00%H%x01%ct%x01%s',
      '--',
      '.',
    ],
    { maxBuffer: 1 << 30 },
  ).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }));
  return stdout
    .split('\0')
    .slice(1)
    .map((entry) => {
      const [head, ...paths] = entry.split('\n');
      const [hash, seconds, subject] = head!.split('\x01');
      return {
        hash: hash!,
        atMs: Number(seconds) * 1000,
        subject: subject!,
        paths: paths.filter((path) => path !== ''),
      };
    });
}

/** Reads the questions in a file of labels. Secondary answers count as relevant, too. */
export async function readQuestions(file: string): Promise<Question[]> {
  const entries = JSON.parse(await readFile(file, 'utf8')) as {
    query: string;
    category: string;
    relevant?: Target[];
    secondary?: Target[];
  }[];
  return entries.map(({ query, category, relevant = [], secondary = [] }) => ({
    query,
    category,
    relevant: [...relevant, ...secondary].map(toPlace),
  }));
}

/** A relevant place, in the form of the file of labels. */
type Target = string | { readonly path: string; readonly start_line?: number; readonly end_line?: number };

function toPlace(target: Target): Place {
  return typeof target === 'string'
    ? { path: target }
    : { path: target.path, startLine: target.start_line ?? undefined, endLine: target.end_line ?? undefined };
}
