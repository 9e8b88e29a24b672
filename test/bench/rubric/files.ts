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
const WITHOUT = ['test/bench/', '.selfware/'];
const SHOWN = 5;
/** Number of results that are read to get `SHOWN` different files. */
const SEARCHED = 50;
const EACH = DIMENSIONS['file discovery'].max / QUESTIONS.length;
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
  const files = new Set(tracked.filter((path) => path !== '' && !WITHOUT.some((prefix) => path.startsWith(prefix))));
  for (const path of files) cpSync(join(root, path), join(dir, path));
  const session = await openSession(dir, join(scratch, 'files-home'), signal);
  try {
    const indexing = await measure(() => session.memory.index({ signal }));
    const items: Item[] = [];
    let searchMs = 0;
    for (const { query, relevant } of QUESTIONS) {
      const { value: hits, cpuMs } = await measure(() => session.memory.search(query, SEARCHED, signal));
      searchMs += cpuMs;
      const paths = [...new Set(hits.map(({ path }) => path))].slice(0, SHOWN);
      items.push({ dimension: 'file discovery', name: query, max: EACH, ...scoreOf(paths, relevant, files) });
    }
    const filesPerSecond = indexing.value.files / (indexing.cpuMs / MS_PER_SECOND);
    const each = searchMs / QUESTIONS.length;
    return [
      ...items,
      speedItem('index from scratch', filesPerSecond / FILES_PER_SECOND, `${filesPerSecond.toFixed(0)} files a second`),
      speedItem('search', SEARCH_MS / each, `${each.toFixed(0)} ms a question`),
    ];
  } finally {
    await session.close();
  }
}

/** The score of a search. `found`: the first files in its results. Null if the answering files no longer exist. */
function scoreOf(
  found: readonly string[],
  relevant: readonly string[],
  files: ReadonlySet<string>,
): Pick<Item, 'score' | 'seen'> {
  if (!relevant.some((path) => files.has(path))) return { score: null, seen: 'the files that answer are gone' };
  const place = found.findIndex((path) => relevant.includes(path));
  if (place < 0) return { score: 0, seen: `not among the first ${SHOWN}; first: ${found[0] ?? '–'}` };
  return { score: place === 0 ? EACH : EACH / 2, seen: `found at place ${place + 1}` };
}

/** An item of the dimension speed. `ratio`: the measured speed divided by the target; 1 or more gets all points. */
function speedItem(name: string, ratio: number, seen: string): Item {
  return { dimension: 'speed', name, max: HALF_OF_SPEED, score: HALF_OF_SPEED * Math.min(1, ratio), seen };
}
