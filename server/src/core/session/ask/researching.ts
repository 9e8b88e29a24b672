// Asks the person's search program about a task that a first attempt did not solve, once a person has agreed to it for
// this run. What it answers is data with a source; the ledger has the query before it leaves this machine.

import { sha256 } from '../../../util/hash.ts';
import { describeError, throwIfCancelled } from '../../../util/typedError.ts';
import { shortened, visible } from '../../../util/visible.ts';
import { redact } from '../../ledger/redact.ts';
import type { AskedTask } from '../../model/asks.ts';
import type { ResearchEvent, ResearchSource } from '../../model/research.ts';
import type { Operation } from '../../operation.ts';
import type { Research } from '../../ports/research.ts';
import { researchQuery } from './researchQuery.ts';
import type { SessionContext } from '../context.ts';
import type { ResearchWhen } from './askTypes.ts';
import { runOf } from './runOf.ts';

export interface Researched {
  readonly source: ResearchSource;
  readonly text: string;
}

interface AboutTask {
  readonly task: AskedTask;
  /** What to search for; null = this kind of task is not researched. */
  readonly words: string | null;
  /** Files of the repository whose text may not be part of a query. */
  readonly texts: readonly string[];
  /** True if an attempt at this task has failed. */
  readonly isRetry: boolean;
  /** The longest answer, in characters. */
  readonly characters: number;
}

const DAY_MS = 24 * 60 * 60_000;
/** Maximum number and length of the addresses that are recorded. */
const MAX_ADDRESSES = 5;
const MAX_ADDRESS_CHARACTERS = 300;
const ADDRESS = /https?:\/\/[^\s<>"'`)\]}]{1,1000}/g;

const agreed = new WeakMap<SessionContext, ResearchWhen>();
/** Answers (and failures, as null) of this session, by task and query, so that nothing is asked twice. */
const known = new WeakMap<SessionContext, Map<string, Researched | null>>();

/** A person has agreed to online research for this session, which is one run. It is forgotten with the session. */
export function allowResearch(context: SessionContext, when: ResearchWhen): void {
  agreed.set(context, when);
}

/** What was found online; empty without agreement, without a search program, or if it fails. Throws `cancelled`. */
export async function researchFor(
  context: SessionContext,
  about: AboutTask,
  operation: Operation,
): Promise<readonly Researched[]> {
  const { research } = context.ports;
  const when = agreed.get(context);
  if (!research || !context.trusted || when === undefined || about.words === null) return [];
  if (!about.isRetry && when === 'retries') return [];
  const made = researchQuery(about.words, about.texts);
  const answers = known.get(context) ?? new Map<string, Researched | null>();
  known.set(context, answers);
  const key = `${about.task.id}\n${'query' in made ? made.query : ''}`;
  if (!answers.has(key)) answers.set(key, await answerTo(context, research, about, made, operation));
  const found = answers.get(key) ?? null;
  return found ? [found] : [];
}

async function answerTo(
  context: SessionContext,
  research: Research,
  about: AboutTask,
  made: ReturnType<typeof researchQuery>,
  { signal, report }: Operation,
): Promise<Researched | null> {
  const { ports, ledger } = context;
  const id = ports.ids.next('ask');
  const end = async (parts: Omit<Extract<ResearchEvent, { type: 'researchEnded' }>['data'], 'research' | 'task'>) => {
    await ledger.record({ type: 'researchEnded', data: { research: id, task: about.task.id, ...parts } });
  };
  if ('withheld' in made) {
    await end({ outcome: 'withheld', reason: made.withheld, source: null });
    return null;
  }
  if ((await askedToday(context, about.task.id)) >= research.questions) return null;
  const { query } = made;
  const { tool, destination } = research;
  const asked = { research: id, run: runOf(context), task: about.task.id, tool, destination, query };
  await ledger.record({ type: 'researched', data: asked });
  report?.({ stage: 'realising', done: 0, total: null, message: `Searching online with ${tool}` });
  try {
    const text = cleaned(await research.search(query, signal), about.characters);
    const source = { tool, query, addresses: addressesIn(text), hash: sha256(text) };
    const reason = text === '' ? 'It found nothing.' : null;
    await end({ outcome: 'answered', reason, source });
    return text === '' ? null : { source, text };
  } catch (error) {
    const outcome = signal.aborted ? 'cancelled' : 'failed';
    await end({ outcome, reason: describeError(error), source: null });
    throwIfCancelled(signal);
    // A question can do without an answer from outside.
    ports.log.write('warn', `Online research failed: ${describeError(error)}`);
    return null;
  }
}

/** How often the program was asked about this task within 24 hours, in any process. */
async function askedToday({ ledger, ports }: SessionContext, task: string): Promise<number> {
  const since = ports.clock.now() - DAY_MS;
  const events = await ledger.query({ types: ['researched'] });
  return events.filter(({ at, data }) => at >= since && (data as { readonly task?: unknown }).task === task).length;
}

/** The answer as it is shown: without control characters and secrets, and shortened. */
function cleaned(text: string, characters: number): string {
  // Cut before anything searches in it, because its length is up to a stranger.
  return shortened(visible(redact(text.slice(0, characters)) as string).trim(), characters);
}

/** An address without the punctuation of the sentence around it. */
function withoutEnd(address: string): string {
  let end = address.length;
  while (end > 0 && '.,;:!?'.includes(address[end - 1]!)) end -= 1;
  return address.slice(0, end);
}

function addressesIn(text: string): readonly string[] {
  const found = (text.match(ADDRESS) ?? []).map((address) => withoutEnd(address));
  return [...new Set(found)].slice(0, MAX_ADDRESSES).map((address) => shortened(address, MAX_ADDRESS_CHARACTERS));
}
