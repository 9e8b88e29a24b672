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
import { resolveEdits } from '../../proposers/reply/resolve.ts';
import type { SessionContext } from '../context.ts';
import { formatAnswer } from '../propose/formatting.ts';
import type { ExternalEdits } from '../propose/requests.ts';
import { readTextOrNull } from '../search/packing.ts';
import { findPlaceClaim } from './claimOfPlace.ts';
import type { IdentifiedTask } from './questions.ts';
import { CLAIM_BY_KIND } from './taskText.ts';

const DEFAULT_TITLES = { model: 'A change by a language model', agent: 'A change by a coding agent' } as const;

export interface AnswerEdits {
  readonly description: string;
  readonly edits: readonly FileEdit[];
  readonly format: string;
  readonly rung: Exactness | null;
  readonly author: keyof typeof DEFAULT_TITLES;
}

/**
 * The edits of an answer: the edits of an agent, or the ones in a model's text. Refused if the text cannot be read as
 * edits, or if it replaces a file that is not in `shownPaths` (null if any file may be replaced, because a person reads
 * the difference).
 */
export async function readAnswerEdits(
  context: SessionContext,
  { text, finished, edits, refused }: ProposerReply,
  shownPaths: ReadonlySet<string> | null,
): Promise<AnswerEdits | { readonly refused: string }> {
  if (refused !== undefined) return { refused };
  if (edits) return { description: text, format: 'tree', rung: null, edits, author: 'agent' };
  const read = readReply(text, finished);
  if ('refused' in read) return read;
  const paths = new Set(read.edits.map(({ file }) => file.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')));
  const texts = new Map<string, string | null>();
  for (const path of paths)
    texts.set(path, (await isInside(context, path)) ? await readTextOrNull(context, path) : null);
  const resolved = resolveEdits(
    read.edits,
    (path) => texts.get(path) ?? null,
    (path) => shownPaths === null || shownPaths.has(path),
  );
  if ('refused' in resolved) return resolved;
  return { description: read.description, format: read.format, author: 'model', ...resolved };
}

/** The paths of the files that the question shows. */
export function listShownPaths(
  { files }: Pick<PromptContent, 'files'>,
  acceptance: readonly AcceptanceFile[] = [],
): ReadonlySet<string> {
  return new Set([...files, ...acceptance].map(({ path }) => path));
}

async function isInside({ ports }: SessionContext, path: string): Promise<boolean> {
  return !path.includes('\0') && (await ports.files.resolve(path)) !== null;
}

/**
 * The change for the task, formatted if the formatter can run isolated. Accepted tests are part of it, exactly as a
 * person has seen them, even if the answer edits their files. Throws `stale` if one no longer fits its file.
 */
export async function changeFromAnswer(
  context: SessionContext,
  { task, acceptance = [] }: Pick<IdentifiedTask, 'task' | 'acceptance'>,
  { description, edits, author }: AnswerEdits,
  { addresses }: Pick<PromptContent, 'addresses'>,
  signal: AbortSignal,
): Promise<ExternalEdits> {
  // The formatter's configuration is code, and the answer may have changed it, so the formatter runs only if it is
  // isolated.
  const { confined } = await context.ports.sandbox.isolation();
  const accepted = await createAcceptedTestEdits(context, acceptance);
  // An accepted test that is in the tree already needs no edit, and the answer may not change it either.
  const answerEdits = edits.filter(({ path }) => !acceptance.some((acceptanceFile) => acceptanceFile.path === path));
  const { edits: ownEdits, formatter } = confined
    ? await formatAnswer(context, answerEdits, signal)
    : { edits: answerEdits, formatter: null };
  const formatted = [...ownEdits, ...accepted];
  const isPlace = task.kind === 'opportunity' && task.rule !== undefined;
  const claim = isPlace ? await findPlaceClaim(context, task.rule, formatted, signal) : CLAIM_BY_KIND[task.kind];
  return {
    title: description.trim() === '' ? DEFAULT_TITLES[author] : description,
    rationale: '',
    edits: formatted,
    author,
    ...(formatter === null ? {} : { note: `Formatted with ${formatter}, which this repository uses.` }),
    ...(addresses === undefined ? {} : { addresses }),
    ...(claim === undefined ? {} : { claim }),
  };
}

/**
 * The accepted tests as edits of the current files. A test that is in its file already has no edit. Throws `stale` if a
 * file has changed so that its test no longer fits.
 */
export async function createAcceptedTestEdits(
  context: SessionContext,
  acceptance: readonly AcceptanceFile[],
): Promise<readonly FileEdit[]> {
  const edits: FileEdit[] = [];
  for (const { path, before, after } of acceptance) {
    const now = await readTextOrNull(context, path);
    const text = now === before || now === after ? after : before && now ? mergeTexts(before, now, after) : null;
    if (text === null)
      throw new SelfwareError('stale', `The accepted test in ${path} does not fit the file any more.`, {
        action: 'Make it again: `selfware tonight test`.',
      });
    if (text !== now) edits.push({ path, before: now, after: text });
  }
  return edits;
}

/** Identifies edits by their paths and texts. */
export function identifyContent(edits: readonly FileEdit[]): string {
  const parts = edits.map(({ path, before, after }) => [path, before, after]);
  return sha256(canonicalJson(parts.toSorted(([a], [b]) => (a! < b! ? -1 : 1))));
}
