// Searches online for a task with the search program in the person's settings, once a person has agreed to it for this
// run: before the first attempt, or only after a failed one. The answer is foreign text, which a question shows with
// its source. The query is recorded in the ledger before it leaves this machine.

import { cutToSize, sizeOf } from '../../../util/tokens.ts';
import { formatCount } from '../../../util/counted.ts';
import { sha256 } from '../../../util/hash.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { shorten, escapeInvisible, escapeInvisibleLine } from '../../../util/visible.ts';
import { redact } from '../../ledger/redact.ts';
import type { AskedTask } from '../../model/asks.ts';
import type { ResearchEvent, ResearchSource } from '../../model/research.ts';
import type { Operation } from '../../operation.ts';
import type { Research, ResearchAnswer } from '../../ports/research.ts';
import { createResearchQuery, type ResearchQuery } from './researchQuery.ts';
import { notify, type SessionContext } from '../context.ts';
import type { WantedResearch } from './taskText.ts';
import { getOrCreateRunId } from './attemptRunId.ts';
import { DAY_MS } from '../../../util/timing/durations.ts';

/** The answer of a search as a question shows it, with its source. */
export interface ResearchedText {
  readonly source: ResearchSource;
  readonly text: string;
}

/** An answer before it is shortened for a question. It is foreign text. */
interface ResearchAnswerText {
  readonly tool: string;
  readonly query: string;
  readonly text: string;
}

/** The task for which something is searched. */
interface ResearchTopic {
  readonly task: AskedTask;
  /** The search to make; null if nothing is searched. */
  readonly wanted: WantedResearch | null;
  /** Files of the repository whose text may not be part of a query. */
  readonly texts: readonly string[];
  /** True if an attempt at this task has failed. */
  readonly isRetry: boolean;
  /** Maximum size of the answer in the question, as `sizeOf` measures it. */
  readonly size: number;
}

/** Minimum size for an answer in the question. With less room, nothing is searched. */
const MIN_SIZE = 500;
/** Maximum number of characters of an answer that are kept for further questions. */
const MAX_KEPT_CHARACTERS = 256 * 1024;
/** Number of characters of an answer that show whether it is text. */
const MAX_TESTED_CHARACTERS = 4096;
/**
 * Matches characters that text does not contain: control characters, and the replacement of bytes that were not UTF-8.
 */
const STRANGE_PATTERN = /[\u0000-\u0008\u000E-\u001A\u001C-\u001F\uFFFD]/g;
/** Maximum number of addresses that are recorded with an answer. */
const MAX_ADDRESSES = 5;
/** Maximum number of characters of a recorded address. */
const MAX_ADDRESS_CHARACTERS = 300;
/** Matches an address of the web. */
const ADDRESS_PATTERN = /https?:\/\/[^\s<>"'`)\]}]{1,1000}/g;

/** By session: the person's answer to the question whether to search online. */
const agreements = new WeakMap<SessionContext, ResearchAnswer>();
/**
 * By session, subject and query: the complete answer, or null if there is none. It prevents that the same search is
 * made twice.
 */
const answersBySession = new WeakMap<SessionContext, Map<string, ResearchAnswerText | null>>();

/** Records the person's answer for this session, which is one run. */
export function allowResearch(context: SessionContext, when: ResearchAnswer): void {
  agreements.set(context, when);
}

/** The person's answer in this session; null if nobody was asked. */
export function getResearchAnswer(context: SessionContext): ResearchAnswer | null {
  return agreements.get(context) ?? null;
}

/**
 * The results of online research. Empty if the person has not agreed for this attempt, if there is no search program or
 * nothing to search for, if the workspace is not trusted, if there is no room, or if the search is withheld or fails.
 * Throws `cancelled`.
 */
export async function researchOnline(
  context: SessionContext,
  topic: ResearchTopic,
  operation: Operation,
): Promise<readonly ResearchedText[]> {
  const { research } = context.ports;
  const when = agreements.get(context);
  if (!research || !context.trusted || when === undefined || when === 'never' || topic.wanted === null) return [];
  if (topic.size < MIN_SIZE) return [];
  if (!topic.isRetry && when === 'retries') return [];
  const researchQuery = createResearchQuery(topic.wanted.words, {
    texts: topic.texts,
    isMessage: topic.task.kind === 'fix',
  });
  const answers = answersBySession.get(context) ?? new Map<string, ResearchAnswerText | null>();
  answersBySession.set(context, answers);
  const key = `${topic.wanted.subject}\n${'query' in researchQuery ? researchQuery.query : ''}`;
  if (!answers.has(key))
    answers.set(
      key,
      await askSearchProgram(context, research, { ...topic, ...topic.wanted }, researchQuery, operation),
    );
  const answer = answers.get(key) ?? null;
  return answer ? [createResearchedText(answer, topic.size)] : [];
}

/**
 * Runs the search program, and records query and outcome. Null if the query is withheld, if the program was asked too
 * often within 24 hours, if it fails, or if it finds nothing. Throws `cancelled`.
 */
async function askSearchProgram(
  context: SessionContext,
  research: Research,
  { subject, size }: ResearchTopic & WantedResearch,
  researchQuery: ResearchQuery,
  { signal, report }: Operation,
): Promise<ResearchAnswerText | null> {
  const { ports, ledger } = context;
  const id = ports.ids.next('ask');
  const reportMessage = (message: string) => report?.({ stage: 'realising', done: 0, total: null, message });
  const recordEnd = async (
    parts: Omit<Extract<ResearchEvent, { type: 'researchEnded' }>['data'], 'research' | 'task'>,
  ) => {
    await ledger.record({ type: 'researchEnded', data: { research: id, task: subject, ...parts } });
  };
  const withhold = async (reason: string): Promise<null> => {
    await recordEnd({ outcome: 'withheld', reason, source: null });
    reportMessage(`Nothing is searched online. ${reason}`);
    notify(context, { severity: 'warning', message: `Nothing was searched online. ${reason}`, action: null });
    return null;
  };
  if ('withheld' in researchQuery) return withhold(researchQuery.withheld);
  const maxQuestions = research.questions;
  if ((await countAskedToday(context, subject)) >= maxQuestions)
    return withhold(
      `${research.tool} was asked about this ${formatCount(maxQuestions, 'time')} within 24 hours, the most that models.research allows.`,
    );
  const { query } = researchQuery;
  const { tool, destination } = research;
  const request = { research: id, run: getOrCreateRunId(context), task: subject, tool, destination, query };
  await ledger.record({ type: 'researched', data: request });
  reportMessage(`Searching online with ${tool}`);
  try {
    const answer = { tool, query, text: (await research.search(query, signal)).slice(0, MAX_KEPT_CHARACTERS) };
    requireText(answer);
    const { source, text } = createResearchedText(answer, size);
    const reason = text === '' ? 'It found nothing.' : null;
    await recordEnd({ outcome: 'answered', reason, source });
    return text === '' ? null : answer;
  } catch (error) {
    const outcome = signal.aborted ? 'cancelled' : 'failed';
    await recordEnd({ outcome, reason: describeError(error), source: null });
    throwIfCancelled(signal);
    // The question can be asked without the answer, but the person has to know.
    const action = error instanceof SelfwareError ? (error.action ?? null) : null;
    const message = `Online research failed, so the question is asked without it. ${error instanceof Error ? error.message : ''}`;
    notify(context, { severity: 'warning', message: escapeInvisibleLine(message), action });
    return null;
  }
}

/** Throws `unavailable` for output that is not text, such as an image. */
function requireText({ tool, text }: ResearchAnswerText): void {
  const beginning = text.slice(0, MAX_TESTED_CHARACTERS);
  const strangeCount = beginning.match(STRANGE_PATTERN)?.length ?? 0;
  if (strangeCount > beginning.length / 10)
    throw new SelfwareError('unavailable', `${tool} has answered with something that is not text.`, {
      action: 'Correct models.research: the program has to print text in UTF-8.',
    });
}

/** The answer in the form in which a question shows it, with its source. */
function createResearchedText({ tool, query, text: fullText }: ResearchAnswerText, size: number): ResearchedText {
  const text = cleanAnswer(fullText, size);
  return { source: { tool, query, addresses: collectAddresses(text), hash: sha256(text) }, text };
}

/** Number of times that any process has searched for this subject within 24 hours. */
async function countAskedToday({ ledger, ports }: SessionContext, subject: string): Promise<number> {
  const since = ports.clock.now() - DAY_MS;
  const events = await ledger.query({ types: ['researched'] });
  return events.filter(({ at, data }) => at >= since && (data as { readonly task?: unknown }).task === subject).length;
}

/** Removes control characters and secrets from the answer, and shortens it. */
function cleanAnswer(text: string, size: number): string {
  // The text is cut before anything is searched in it, because a stranger determines its length.
  const visibleText = escapeInvisible(redact(cutToSize(text, size)) as string).trim();
  return sizeOf(visibleText) <= size ? visibleText : `${cutToSize(visibleText, size - 1)}…`;
}

/** Removes the punctuation of a sentence from the end of an address. */
function removeEndPunctuation(address: string): string {
  let end = address.length;
  while (end > 0 && '.,;:!?'.includes(address[end - 1]!)) end -= 1;
  return address.slice(0, end);
}

/** The addresses in the text, without duplicates. */
function collectAddresses(text: string): readonly string[] {
  const foundAddresses = (text.match(ADDRESS_PATTERN) ?? []).map((address) => removeEndPunctuation(address));
  return [...new Set(foundAddresses)]
    .slice(0, MAX_ADDRESSES)
    .map((address) => shorten(address, MAX_ADDRESS_CHARACTERS));
}
