// Reads the edits of an answer, and turns them into a change that can be filed as a proposal.

import { canonicalJson } from '../../../util/canonicalJson.ts';
import { sha256 } from '../../../util/hash.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { mergeTexts } from '../../apply/mergeTexts.ts';
import type { AcceptanceFile } from '../../model/acceptance.ts';
import type { FileEdit } from '../../model.ts';
import type { ProposerReply } from '../../ports/proposers.ts';
import type { PromptContent } from '../../proposers/prompt.ts';
import type { Exactness } from '../../proposers/reply/findQuotation.ts';
import { readReply } from '../../proposers/reply/read.ts';
import { resolveEdits, type ShownState } from '../../proposers/reply/resolve.ts';
import type { SessionContext } from '../context.ts';
import { formatAnswer } from '../propose/formatEdits.ts';
import type { ExternalEdits } from '../propose/requests.ts';
import { readTextOrNull } from '../search/packing.ts';
import { findPlaceClaim } from './claimOfPlace.ts';
import type { IdentifiedTask } from './questions.ts';
import { CLAIM_BY_KIND, prepareTextToSend } from './taskText.ts';

const DEFAULT_TITLES = { model: 'A change by a language model', agent: 'A change by a coding agent' } as const;

/**
 * The edits of an answer. `format`: the notation in which they were written. `rung`: the least exact level at which
 * they fit the file; null for edits of an agent.
 */
export interface AnswerEdits {
  readonly description: string;
  readonly edits: readonly FileEdit[];
  readonly format: string;
  readonly rung: Exactness | null;
  readonly author: keyof typeof DEFAULT_TITLES;
}

/** The parts of a question that determine what an answer may edit. */
export interface AnsweredQuestion {
  readonly question: Pick<PromptContent, 'files' | 'target' | 'format'>;
  /** The accepted tests that the question shows. */
  readonly acceptance?: readonly AcceptanceFile[] | undefined;
  /** True if any file may be replaced as a whole, because a person reads the difference. */
  readonly isReadByPerson?: true;
}

/**
 * Reads the edits of an answer: the edits of an agent, or the edits in the text of a model. Refused if the proposer
 * refused, if the text cannot be read as edits or they do not fit, if it replaces a file whose current text the
 * question did not show, or if it adds a placeholder of a secret.
 */
export async function readAnswerEdits(
  context: SessionContext,
  { text, finished, edits, refused }: ProposerReply,
  { question, acceptance, isReadByPerson }: AnsweredQuestion,
): Promise<AnswerEdits | { readonly refused: string }> {
  if (refused !== undefined) return { refused };
  if (edits) return refuseRedactionMarkers({ description: text, format: 'tree', rung: null, edits, author: 'agent' });
  const parsedReply = readReply(text, finished, question.format === 'function' ? question.target : undefined);
  if ('refused' in parsedReply) return parsedReply;
  const paths = new Set(parsedReply.edits.map(({ file }) => file.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')));
  const texts = new Map<string, string | null>();
  for (const path of paths)
    texts.set(path, (await isInside(context, path)) ? await readTextOrNull(context, path) : null);
  const shownTexts = listShownTexts(question, acceptance);
  const resolved = resolveEdits(
    parsedReply.edits,
    (path) => texts.get(path) ?? null,
    (path, current) => (isReadByPerson ? 'current' : compareWithShown(shownTexts, path, current)),
  );
  if ('refused' in resolved) return resolved;
  return refuseRedactionMarkers({
    description: parsedReply.description,
    format: parsedReply.format,
    author: 'model',
    ...resolved,
  });
}

/** The placeholder of a secret in a question. */
const MARKER_PATTERN = /\[redacted:[a-z-]+\]/g;

/**
 * Returns the answer, or refuses it if an edit adds the placeholder of a secret, because the placeholder would replace
 * the secret.
 */
function refuseRedactionMarkers(answer: AnswerEdits): AnswerEdits | { readonly refused: string } {
  const countMarkers = (text: string | null) => text?.match(MARKER_PATTERN)?.length ?? 0;
  const editWithMarker = answer.edits.find(({ before, after }) => countMarkers(after) > countMarkers(before));
  if (!editWithMarker) return answer;
  return {
    refused: `${editWithMarker.path} would get a “[redacted:…]”, which only stands for a text that was not shown.`,
  };
}

/** The texts by path that a question shows; null for a file whose edits do not count, because a person accepted it. */
type ShownTexts = ReadonlyMap<string, string | null>;

/** The texts of the files that the question shows, as they were sent. */
function listShownTexts(
  { files }: Pick<PromptContent, 'files'>,
  acceptance: readonly AcceptanceFile[] = [],
): ShownTexts {
  return new Map<string, string | null>([
    ...files.map(({ path, text }) => [path, prepareTextToSend(text)] as const),
    ...acceptance.map(({ path }) => [path, null] as const),
  ]);
}

/** Tells whether the question has shown the current text of a file, another text, or nothing. */
function compareWithShown(shownTexts: ShownTexts, path: string, current: string): ShownState {
  const shownText = shownTexts.get(path);
  if (shownText === undefined) return 'nothing';
  return shownText === null || shownText === current ? 'current' : 'other';
}

/** True if a path is inside the repository. */
async function isInside({ ports }: SessionContext, path: string): Promise<boolean> {
  return !path.includes('\0') && (await ports.files.resolve(path)) !== null;
}

/**
 * Creates the change for the task, formatted if the formatter can run isolated. Accepted tests are part of it, exactly
 * as a person has seen them, even if the answer edits their files. Throws `stale` if one no longer fits its file.
 */
export async function createChangeFromAnswer(
  context: SessionContext,
  { task, acceptance = [] }: Pick<IdentifiedTask, 'task' | 'acceptance'>,
  { description, edits, author }: AnswerEdits,
  { addresses }: Pick<PromptContent, 'addresses'>,
  signal: AbortSignal,
): Promise<ExternalEdits> {
  // The formatter's configuration is code, and the answer may have changed it, so the formatter runs only if it is
  // isolated.
  const { confined } = await context.ports.sandbox.isolation();
  const acceptedEdits = await createAcceptedTestEdits(context, acceptance);
  // An accepted test that is already in the tree needs no edit, and the answer may not change it either.
  const answerEdits = edits.filter(({ path }) => !acceptance.some((acceptanceFile) => acceptanceFile.path === path));
  const { edits: ownEdits, formatter } = confined
    ? await formatAnswer(context, answerEdits, signal)
    : { edits: answerEdits, formatter: null };
  const allEdits = [...ownEdits, ...acceptedEdits];
  const isRuleTask = task.kind === 'opportunity' && task.rule !== undefined;
  const claim = isRuleTask ? await findPlaceClaim(context, task.rule, allEdits, signal) : CLAIM_BY_KIND[task.kind];
  return {
    title: description.trim() === '' ? DEFAULT_TITLES[author] : description,
    rationale: '',
    edits: allEdits,
    author,
    ...(formatter === null ? {} : { note: `Formatted with ${formatter}, which this repository uses.` }),
    ...(addresses === undefined ? {} : { addresses }),
    ...(claim === undefined ? {} : { claim }),
  };
}

/**
 * The accepted tests as edits of the current files. A test that is already in its file has no edit. Throws `stale` if a
 * file has changed so that its test no longer fits.
 */
export async function createAcceptedTestEdits(
  context: SessionContext,
  acceptance: readonly AcceptanceFile[],
): Promise<readonly FileEdit[]> {
  const edits: FileEdit[] = [];
  for (const { path, before, after } of acceptance) {
    const currentText = await readTextOrNull(context, path);
    const text =
      currentText === before || currentText === after
        ? after
        : before && currentText
          ? mergeTexts(before, currentText, after)
          : null;
    if (text === null)
      throw new SelfwareError('stale', `The accepted test in ${path} no longer fits the file.`, {
        action: 'Make it again: `selfware tonight test`.',
      });
    if (text !== currentText) edits.push({ path, before: currentText, after: text });
  }
  return edits;
}

/** A hash that identifies edits by their paths and texts, in any order. */
export function identifyContent(edits: readonly FileEdit[]): string {
  const parts = edits.map(({ path, before, after }) => [path, before, after]);
  return sha256(canonicalJson(parts.toSorted(([a], [b]) => (a! < b! ? -1 : 1))));
}
