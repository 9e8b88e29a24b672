// Measures file discovery and speed by everyday questions about this repository (`test/bench/quality/everyday`), each
// with the files that answer it. Only the development part is used, so that nothing is tuned to the held-out part.

import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from '../support/measure.ts';
import { openSession } from '../support/ours.ts';
import { DIMENSIONS, type Item } from './dimensions.ts';

/** A labelled question. */
interface Question {
  readonly query: string;
  /** Paths of the files that answer. */
  readonly relevant: readonly string[];
}

const QUESTIONS = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'quality', 'everyday', 'selfware-dev.json'), 'utf8'),
) as readonly Question[];
/** Folders that are left out, because they contain the questions. */
const EXCLUDED_PREFIXES = ['test/bench/', '.selfware/'];
const MAX_SHOWN = 5;
/** Number of results that are read to get `MAX_SHOWN` different files. */
const MAX_RESULTS = 50;
const POINTS_PER_QUESTION = DIMENSIONS['file discovery'].max / QUESTIONS.length;
const HALF_OF_SPEED = DIMENSIONS.speed.max / 2;
/** The targets of `selfware performance`. */
const [FILES_PER_SECOND, SEARCH_MS] = [50, 100];
const MS_PER_SECOND = 1_000;

/**
 * Measures both dimensions on a copy of the tracked files below `folder` of the repository `root`, without history.
 * Times are those of the processor.
 */
export async function measureFiles(
  scratch: string,
  root: string,
  folder: string,
  signal: AbortSignal,
): Promise<readonly Item[]> {
  signal.throwIfAborted();
  const dir = join(scratch, 'sources');
  const tracked = execFileSync('git', ['ls-files', '-z', '--', folder], { cwd: root, encoding: 'utf8' }).split('\0');
  const files = new Set(
    tracked.filter((path) => path !== '' && !EXCLUDED_PREFIXES.some((prefix) => path.startsWith(prefix))),
  );
  for (const path of files) cpSync(join(root, path), join(dir, path));
  const session = await openSession(dir, join(scratch, 'files-home'), signal);
  try {
    const indexing = await measure(() => session.memory.index({ signal }));
    const items: Item[] = [];
    let searchMs = 0;
    for (const { query, relevant } of QUESTIONS) {
      const { value: hits, cpuMs } = await measure(() => session.memory.search(query, MAX_RESULTS, signal));
      searchMs += cpuMs;
      const paths = [...new Set(hits.map(({ path }) => path))].slice(0, MAX_SHOWN);
      items.push({
        dimension: 'file discovery',
        name: query,
        max: POINTS_PER_QUESTION,
        ...scoreQuestion(paths, relevant, files),
      });
    }
    const filesPerSecond = indexing.value.files / (indexing.cpuMs / MS_PER_SECOND);
    const millisPerSearch = searchMs / QUESTIONS.length;
    return [
      ...items,
      createSpeedItem(
        'index from scratch',
        filesPerSecond / FILES_PER_SECOND,
        `${filesPerSecond.toFixed(0)} files a second`,
      ),
      createSpeedItem('search', SEARCH_MS / millisPerSearch, `${millisPerSearch.toFixed(0)} ms a question`),
    ];
  } finally {
    await session.close();
  }
}

/** The score of a search. `foundPaths`: the first files in its results. Null if the answering files no longer exist. */
function scoreQuestion(
  foundPaths: readonly string[],
  relevant: readonly string[],
  files: ReadonlySet<string>,
): Pick<Item, 'score' | 'seen'> {
  if (!relevant.some((path) => files.has(path))) return { score: null, seen: 'the files that answer are gone' };
  const position = foundPaths.findIndex((path) => relevant.includes(path));
  if (position < 0) return { score: 0, seen: `not among the first ${MAX_SHOWN}; first: ${foundPaths[0] ?? '–'}` };
  return {
    score: position === 0 ? POINTS_PER_QUESTION : POINTS_PER_QUESTION / 2,
    seen: `found at place ${position + 1}`,
  };
}

/** An item of the dimension speed. `ratio`: the measured speed divided by the target; 1 or more gets all points. */
function createSpeedItem(name: string, ratio: number, seen: string): Item {
  return { dimension: 'speed', name, max: HALF_OF_SPEED, score: HALF_OF_SPEED * Math.min(1, ratio), seen };
}
