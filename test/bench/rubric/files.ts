// File discovery and speed: questions in everyday words about Selfware's own sources, each with the file that answers
// it.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from '../support/measure.ts';
import { openSession } from '../support/ours.ts';
import { DIMENSIONS, type Item } from './dimensions.ts';

/** Written without having seen any answer. */
const QUESTIONS: readonly (readonly [question: string, files: readonly string[]])[] = [
  ['after a power failure only half of my files were edited, what repairs that', ['core/apply/recover.ts']],
  ['combine what I typed with what the tool changed in the same file', ['core/apply/mergeTexts.ts']],
  ['a command that takes too much memory is ended', ['adapters/sandbox/watchLimits.ts']],
  ['which files can never be changed by a proposal', ['core/charter/protectedPaths.ts']],
  ['the model stops sending text in the middle of its answer', ['adapters/models/watched.ts']],
  ['API keys must not end up in the history of events', ['core/ledger/redact.ts']],
  ['skip folders that have not changed without reading their files', ['core/index/merkle.ts']],
  ['a rule is trusted less after people have dismissed its findings', ['core/prioritise/calibrate.ts']],
  ['how much money did a question cost', ['core/proposers/prices.ts']],
  ['two processes must not write to the same state at once', ['adapters/files/lock.ts']],
  ['call a webhook when the night is over', ['adapters/run/tell.ts', 'app/nights/tellPerson.ts']],
  ['restart a worker that hangs, with growing delays', ['core/run/supervise.ts']],
];
const SHOWN = 5;
/** Number of hits that are read for so many different files. */
const SEARCHED = 50;
const EACH = DIMENSIONS['file discovery'].max / QUESTIONS.length;
const HALF_OF_SPEED = DIMENSIONS.speed.max / 2;
/** The targets of `selfware performance`. */
const [FILES_PER_SECOND, SEARCH_MS] = [50, 100];
const MS_PER_SECOND = 1_000;

/** Measures both dimensions on a copy of the sources without history. Times are those of the processor. */
export async function measureFiles(scratch: string, sources: string, signal: AbortSignal): Promise<readonly Item[]> {
  signal.throwIfAborted();
  const dir = join(scratch, 'sources');
  cpSync(sources, dir, { recursive: true });
  const session = await openSession(dir, join(scratch, 'files-home'), signal);
  try {
    const indexing = await measure(() => session.memory.index({ signal }));
    const items: Item[] = [];
    let searchMs = 0;
    for (const [question, files] of QUESTIONS) {
      const { value: hits, cpuMs } = await measure(() => session.memory.search(question, SEARCHED, signal));
      searchMs += cpuMs;
      const paths = [...new Set(hits.map(({ path }) => path))].slice(0, SHOWN);
      const place = paths.findIndex((path) => files.includes(path));
      const score = place === 0 ? EACH : place > 0 ? EACH / 2 : 0;
      const seen =
        place >= 0 ? `found at place ${place + 1}` : `not among the first ${SHOWN}; first: ${paths[0] ?? '–'}`;
      items.push({ dimension: 'file discovery', name: question, max: EACH, score, seen });
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

/** `ratio`: what was measured, divided by the target; 1 or more is the target or better. */
function speedItem(name: string, ratio: number, seen: string): Item {
  return { dimension: 'speed', name, max: HALF_OF_SPEED, score: HALF_OF_SPEED * Math.min(1, ratio), seen };
}
