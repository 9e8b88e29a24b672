// Sends mutants of real sources to the analysis, one after the other, and keeps book of what each did.

import { setTimeout as after } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { detectLanguage } from '../../server/src/core/index/parse/language.ts';
import { diceOf, mutate, mutateBytes } from './mutate.ts';
import type { Mutant, Outcome } from './worker.ts';

export interface Campaign {
  readonly inputs: number;
  readonly seed: number;
  readonly sources: readonly { readonly path: string; readonly text: string }[];
  note(text: string): void;
  /** Told at once, so that a run that is stopped has not searched in vain. */
  onFault?(fault: Fault): void;
}

/** What must not happen, with what it takes to see it again. */
export interface Fault {
  readonly kind: 'threw' | 'crashed' | 'hung' | 'internal error';
  readonly input: number;
  readonly path: string;
  readonly detail: string;
  readonly mutant: Mutant;
}

export interface CampaignReport {
  readonly byLanguage: ReadonlyMap<string, LanguageTally>;
  readonly faults: readonly Fault[];
  /** Largest heap after an input, and resident set of the whole process, in bytes. */
  readonly peakHeap: number;
  readonly peakResident: number;
}

export interface LanguageTally {
  inputs: number;
  /** Answered with a reason instead of an analysis: beyond the parser's depth, not text. */
  refused: number;
  functions: number;
  opportunities: number;
  slowest: number;
}

/**
 * Seconds of processor time for one mutant: other programs on the machine do not count. The parser gives up after 5 to
 * 20.
 */
const DEADLINE = 30;
/** Milliseconds between looks at the processor time. */
const LOOK = 1_000;
const HEAP_LIMIT_MB = 512;
/** What parsers without a bound of their own end with. */
const TOO_DEEP = /Maximum call stack size exceeded/;

export async function runCampaign(
  { inputs, seed, sources, note, onFault }: Campaign,
  signal: AbortSignal,
): Promise<CampaignReport> {
  const byLanguage = new Map<string, LanguageTally>();
  const faults: Fault[] = [];
  const blame = (fault: Fault): void => {
    faults.push(fault);
    onFault?.(fault);
  };
  const groups = groupByLanguage(sources);
  let peakHeap = 0;
  let peakResident = 0;
  let worker = startWorker();
  try {
    for (let input = 0; input < inputs; input++) {
      signal.throwIfAborted();
      const { language, mutant } = mutantOf(input, seed, groups);
      const answer = await ask(worker, mutant);
      if (answer === 'hung' || 'crashed' in answer) {
        blame({
          kind: answer === 'hung' ? 'hung' : 'crashed',
          input,
          path: mutant.path,
          mutant,
          detail: answer === 'hung' ? `no answer in ${DEADLINE} s of processor time` : answer.crashed,
        });
        await worker.terminate();
        worker = startWorker();
        continue;
      }
      if ('thrown' in answer) {
        blame({ kind: 'threw', input, path: mutant.path, mutant, detail: answer.thrown });
        continue;
      }
      peakHeap = Math.max(peakHeap, answer.heap);
      peakResident = Math.max(peakResident, process.memoryUsage.rss());
      count(byLanguage, language, answer);
      if (answer.trouble !== null && !TOO_DEEP.test(answer.trouble) && !('bytes' in mutant))
        blame({ kind: 'internal error', input, path: mutant.path, mutant, detail: answer.trouble });
      if ((input + 1) % 1_000 === 0) note(`${input + 1} of ${inputs}, ${faults.length} faults`);
    }
  } finally {
    await worker.terminate();
  }
  return { byLanguage, faults, peakHeap, peakResident };
}

/** The mutant of a number: languages take turns, so that each is tried alike. */
export function mutantOf(
  input: number,
  seed: number,
  groups: readonly (readonly [string, readonly { readonly path: string; readonly text: string }[]])[],
): { readonly language: string; readonly mutant: Mutant } {
  const dice = diceOf(`${seed}/${input}`);
  const [language, files] = groups[input % groups.length]!;
  const { path, text } = files[dice(files.length)]!;
  const mutant = mutate(text, files[dice(files.length)]!.text, dice);
  return {
    language,
    mutant:
      dice(4) === 0 ? { path, bytes: mutateBytes(new TextEncoder().encode(mutant), dice) } : { path, text: mutant },
  };
}

export function groupByLanguage<T extends { readonly path: string; readonly text: string }>(
  sources: readonly T[],
): readonly (readonly [string, readonly T[]])[] {
  const groups = new Map<string, T[]>();
  for (const source of sources) {
    const language = detectLanguage(source.path, source.text);
    if (language) groups.set(language, [...(groups.get(language) ?? []), source]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

function startWorker(): Worker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
  });
  // What ends it is heard by the question that waits.
  worker.on('error', () => undefined);
  return worker;
}

type Answer = Outcome | { readonly thrown: string } | { readonly crashed: string } | 'hung';

async function ask(worker: Worker, mutant: Mutant): Promise<Answer> {
  const over = new AbortController();
  try {
    return await Promise.race([
      new Promise<Answer>((resolve) => {
        worker.once('message', resolve);
        worker.once('error', (error) => resolve({ crashed: error.message }));
        worker.once('exit', (code) => resolve({ crashed: `exit ${code}` }));
        worker.postMessage(mutant);
      }),
      deadline(over.signal),
    ]);
  } finally {
    over.abort();
    worker
      .removeAllListeners('message')
      .removeAllListeners('exit')
      .removeAllListeners('error')
      .on('error', () => undefined);
  }
}

/** This thread only waits, so the time of the process is the worker's. */
async function deadline(signal: AbortSignal): Promise<'hung'> {
  const before = process.cpuUsage();
  for (;;) {
    await after(LOOK, null, { signal });
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1e6 > DEADLINE) return 'hung';
  }
}

function count(byLanguage: Map<string, LanguageTally>, language: string, answer: Outcome): void {
  const tally = byLanguage.get(language) ?? { inputs: 0, refused: 0, functions: 0, opportunities: 0, slowest: 0 };
  byLanguage.set(language, tally);
  tally.inputs++;
  if (answer.trouble !== null) tally.refused++;
  tally.functions += answer.functions;
  tally.opportunities += answer.opportunities;
  tally.slowest = Math.max(tally.slowest, answer.milliseconds);
}
