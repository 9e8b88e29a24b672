// Files proposals from outside: edits by a person, an agent or a model. They go through the same gates as all others.

import { sha256 } from '../../../util/hash.ts';
import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../../util/visible.ts';
import type { FileEdit, Proposal } from '../../model.ts';
import { formatMoment, refusalSentence } from '../../model/skippedPlaces.ts';
import { EXTERNAL_RECIPE, quoteAuthor, type Author } from '../../model/authors.ts';
import type { ExternalEdits } from './requests.ts';
import type { SessionContext } from '../context.ts';
import {
  parseTransformRequest,
  type CommonRequestFields,
  type TransformRequest,
} from '../../propose/transforms/request.ts';
import { formatEdits } from './formatEdits.ts';
import { draftProposal, isAlreadyFiled, recordProposal } from './recordProposal.ts';
import { areFilesUnchanged } from '../verify/verifying.ts';
import type { JobTable } from '../../jobs.ts';

/** Maximum number of characters of an outsider's words that are stored. */
const MAX_CHARACTERS = { title: 120, rationale: 1000 };
/** Time limit in milliseconds for the job that plans a transform. */
const TRANSFORM_MS = 60_000;

/**
 * Files the edits as a proposal. The author's words are stored as a quotation, because they are not Selfware's. Runs no
 * command of the repository, and writes no file. Throws `untrusted`, `notARepository`, `noCommit`, `usage` for edits
 * that change nothing, `stale` if they do not start from the current files, `forbidden` if the charter does not allow
 * them, `paused` if the author's rate of proposals is used up, `conflict` if the same edits wait for a decision or,
 * without `again`, were refused before.
 */
export function proposeEdits(context: SessionContext, change: ExternalEdits, signal: AbortSignal): Promise<Proposal> {
  return fileProposal(context, quoteChange(change), signal);
}

/** Creates the proposal as `proposeEdits` would file it, and files nothing. Throws the errors of `proposeEdits`. */
export function draftEdits(context: SessionContext, change: ExternalEdits, signal: AbortSignal): Promise<Proposal> {
  return fileProposal(context, quoteChange(change), signal, draftProposal);
}

/** Marks the author's words as a quotation. */
function quoteChange({
  title,
  rationale,
  note = '',
  edits,
  claim,
  addresses,
  author,
  again,
}: ExternalEdits): ExternalEdits {
  const quotation = rationale.trim() === title.trim() ? '' : rationale.trim();
  const authorOrAgent = author ?? 'agent';
  return {
    title: quoteAuthor(authorOrAgent, title.trim() || 'A change', MAX_CHARACTERS.title),
    rationale: [quotation === '' ? '' : quoteAuthor(authorOrAgent, quotation, MAX_CHARACTERS.rationale), note]
      .filter((part) => part !== '')
      .join('\n'),
    edits,
    ...(claim === undefined ? {} : { claim }),
    ...(addresses === undefined ? {} : { addresses }),
    ...(author === undefined ? {} : { author }),
    ...(again === undefined ? {} : { again }),
  };
}

/**
 * Checks the edits and passes them to `file`: `recordProposal` or `draftProposal`. Throws the errors of `proposeEdits`.
 */
async function fileProposal(
  context: SessionContext,
  { title, rationale, edits, claim, addresses, author = 'agent', again = false }: ExternalEdits,
  signal: AbortSignal,
  file: typeof recordProposal = recordProposal,
): Promise<Proposal> {
  const { ports, ledger } = context;
  requireTrust(context);
  const repository = await ports.git.state();
  if (!repository)
    throw new SelfwareError(
      'notARepository',
      'Proposals are tried out in a git work tree, and this folder is not a git repository.',
      { action: 'Run `git init` and commit once.' },
    );
  if (!repository.head)
    throw new SelfwareError(
      'noCommit',
      'Proposals are tried out in a git work tree, and this repository has no commit yet.',
      { action: 'Commit once.' },
    );
  const changingEdits = edits.filter(({ before, after }) => before !== after);
  const [first] = changingEdits;
  if (!first) throw new SelfwareError('usage', 'The edits change nothing.');
  const answer = await context.charter.check(changingEdits);
  if (!answer.allowed) throw new SelfwareError('forbidden', answer.reason, { action: 'Leave this file out.' });
  if (!(await areFilesUnchanged(context, changingEdits)))
    throw new SelfwareError('stale', 'The edits do not start from the current files.', {
      action: 'Read the files again and make new edits.',
    });
  const refusal = again ? null : await ledger.refusalOf(changingEdits);
  if (refusal)
    throw new SelfwareError('conflict', `${refusalSentence(refusal)} That was on ${formatMoment(refusal.at)}.`, {
      action: 'Look at `selfware proposals list`, or change the edits.',
    });
  if (await isAlreadyFiled(context, changingEdits))
    throw new SelfwareError('conflict', 'A proposal with the same edits waits for a decision.', {
      action: 'Look at `selfware proposals list`.',
    });
  return file(
    context,
    {
      id: createOpportunityId(changingEdits),
      rule: EXTERNAL_RECIPE,
      path: first.path,
      symbol: null,
      recipe: EXTERNAL_RECIPE,
    },
    { edits: changingEdits, title: escapeInvisibleLine(title), rationale: escapeInvisible(rationale) },
    repository.head,
    signal,
    {
      author,
      ...(claim === undefined ? {} : { claimed: claim }),
      ...(addresses === undefined ? {} : { addresses }),
    },
  );
}

/** The id of the opportunity of these edits. Equal edits have the same id. */
function createOpportunityId(edits: readonly FileEdit[]): string {
  return sha256(
    new TextEncoder().encode(JSON.stringify(edits.map(({ path, before, after }) => [path, before, after]))),
  ).slice(0, 16);
}

/**
 * Files a change that is requested by name (core/propose/transforms), or by search and replace. A named change and its
 * tests are formatted by the repository's own formatter, in a sandbox. Throws the errors of `proposeEdits`, and `usage`
 * with the reason if the change cannot be made.
 */
export async function proposeTransform(
  context: SessionContext,
  input: unknown,
  signal: AbortSignal,
  author: Author,
): Promise<Proposal> {
  const request = parseTransformRequest(input);
  if ('refused' in request) throw new SelfwareError('usage', request.refused);
  // The repository's own formatter runs before anything is filed, so trust is already checked here.
  requireTrust(context);
  const outcome = await transformInJob(context, request, signal);
  if ('refused' in outcome) throw new SelfwareError('usage', outcome.refused, { action: 'Nothing was proposed.' });
  const statedFields = { author, ...(request.claim === undefined ? {} : { claim: request.claim }) };
  if (request.kind === 'edit') return proposeEdits(context, { ...outcome, ...statedFields }, signal);
  const edits = [...outcome.edits, ...(await createTestEdits(context, request.tests ?? [], signal))];
  const editedTwice = edits.find(({ path }, index) => edits.findIndex((edit) => edit.path === path) !== index);
  if (editedTwice)
    throw new SelfwareError('usage', `${editedTwice.path} is edited by the refactoring and by its tests.`);
  return fileProposal(
    context,
    { ...outcome, ...statedFields, edits: await formatEdits(context, edits, signal) },
    signal,
  );
}

/**
 * Creates the edits of the tests that are requested together with a refactoring. Throws `usage` if they cannot be made.
 */
async function createTestEdits(
  context: SessionContext,
  edits: NonNullable<CommonRequestFields['tests']>,
  signal: AbortSignal,
): Promise<readonly FileEdit[]> {
  if (edits.length === 0) return [];
  const outcome = await transformInJob(context, { kind: 'edit', description: 'Tests', edits }, signal);
  if ('refused' in outcome) throw new SelfwareError('usage', outcome.refused, { action: 'Nothing was proposed.' });
  return outcome.edits;
}

/**
 * Creates the edits of the request. A request that crashes or hangs the parser, for example a deeply nested one, is
 * refused.
 */
async function transformInJob(
  { ports }: SessionContext,
  request: TransformRequest,
  signal: AbortSignal,
): Promise<JobTable['transform']['output']> {
  try {
    return await ports.jobs.run(
      'transform',
      { rootDir: ports.files.rootDir, request },
      AbortSignal.any([signal, AbortSignal.timeout(TRANSFORM_MS)]),
    );
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError) || error.reason === 'unavailable') throw error;
    return { refused: `The change cannot be made: ${error.message}` };
  }
}

function requireTrust({ trusted }: SessionContext): void {
  if (!trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing is proposed.', {
      action: 'Trust the workspace first.',
    });
}
