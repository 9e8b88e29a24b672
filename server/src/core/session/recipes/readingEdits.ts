// Reads the edits that recipes are learned from: commits, kept changes, or the working tree.

import type { FileVersions, MinedEdit } from '../../learn/recipes/mineEdits.ts';
import { determineOutcome } from '../../ledger/changeOutcome.ts';
import { authorOf } from '../../model/authors.ts';
import { parseLearnedId } from '../../model/learnedRecipes.ts';
import type { Operation } from '../../operation.ts';
import { looksGenerated, looksMinified } from '../../paths/generated.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import type { SessionContext } from '../context.ts';
import { isLearningSource } from './learnedPlaces.ts';
import type { EditSource } from './recipeTypes.ts';

/** Endings of the files whose history is read. */
const SCRIPT_EXTENSIONS = ['ts', 'mts', 'cts', 'tsx', 'js', 'mjs', 'cjs', 'jsx'].map((end) => `.${end}`);
/**
 * Maximum number of scripts that a commit changes. A commit that changes more was made by a tool, or moves many files.
 */
const MAX_FILES = 200;
/**
 * Maximum size of a text: bytes in the history and on disk, UTF-16 units once decoded. A larger text is hardly ever
 * written by hand.
 */
const MAX_BYTES = 300_000;
/** Number of pairs of files in one job. */
const FILES_AT_ONCE = 40;

/** The edits from which recipes are learned. */
export interface LearnedEdits {
  /** The edits, newest first. */
  readonly edits: readonly MinedEdit[];
  /** Number of commits that were read. */
  readonly commits: number;
  /** Number of versions of files that were compared. */
  readonly files: number;
}

/**
 * Reads the edits. Skips files that cannot be read. Throws `notFound` if `since` is unknown, `notARepository` and
 * `noCommit` if there is nothing to compare with, and `cancelled`.
 */
export async function readEdits(
  context: SessionContext,
  source: Exclude<EditSource, { readonly kind: 'asked' }>,
  operation: Operation,
): Promise<LearnedEdits> {
  if (source.kind === 'diff') return mineVersions(context, await findUncommitted(context), operation);
  const { since, commits: limit } = source;
  const { history } = context.ports;
  operation.report?.({ stage: 'reading', done: 0, total: null, message: 'Looks for commits that change scripts' });
  const commits = await history.changes({ since, limit, extensions: SCRIPT_EXTENSIONS, signal: operation.signal });
  const minedVersions = await mineVersions(context, await findKeptChanges(context), operation);
  const files = commits.flatMap(({ hash, subject, files: changedFiles }) => {
    const learnableFiles = changedFiles.filter(({ path }) => isLearningSource(path));
    return learnableFiles.length > MAX_FILES ? [] : learnableFiles.map((file) => ({ ...file, commit: hash, subject }));
  });
  const edits: MinedEdit[] = [];
  // Sorts by path, so that the commits of one file are in one batch and each version of it is parsed once.
  const filesByPath = files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  for (let offset = 0; offset < filesByPath.length; offset += FILES_AT_ONCE) {
    operation.report?.({ stage: 'reading', done: offset, total: files.length, message: 'Reads edits in the history' });
    const batch = filesByPath.slice(offset, offset + FILES_AT_ONCE);
    const ids = batch.flatMap(({ beforeId, afterId }) => [beforeId, afterId]);
    const texts = await history.readBlobs([...new Set(ids)], operation.signal);
    const versions = batch.flatMap(({ beforeId, afterId, ...origin }) =>
      collectVersions(origin, texts.get(beforeId), texts.get(afterId)),
    );
    edits.push(...(await mineEdits(context, versions, operation)));
  }
  const positions = new Map(commits.map(({ hash }, index) => [hash, index]));
  const positionOf = ({ commit }: MinedEdit) => positions.get(commit ?? '') ?? 0;
  edits.sort((a, b) => positionOf(a) - positionOf(b));
  // A kept change that was committed is one edit, not two.
  const committedKeys = new Set(edits.map(keyOf));
  return {
    edits: [...minedVersions.edits.filter((edit) => !committedKeys.has(keyOf(edit))), ...edits],
    commits: commits.length,
    files: files.length + minedVersions.files,
  };
}

/** The key of an edit: its path and its texts. */
function keyOf({ path, before, after }: MinedEdit): string {
  return JSON.stringify([path, before, after]);
}

/**
 * Changes by people, models and agents that were kept and not undone since, newest first. Changes by recipes are
 * omitted, because they teach nothing new.
 */
async function findKeptChanges({ ledger }: SessionContext): Promise<readonly FileVersions[]> {
  const proposals = await ledger.proposals();
  return proposals
    .filter(
      (proposal) =>
        determineOutcome(proposal) === 'kept' &&
        authorOf(proposal) !== 'recipe' &&
        parseLearnedId(proposal.recipe) === null,
    )
    .toReversed()
    .flatMap(({ title, edits }) =>
      edits.flatMap(({ path, before, after }) =>
        before === null || after === null || !isLearningSource(path)
          ? []
          : [{ commit: null, subject: title, path, before, after }],
      ),
    );
}

/** The modified files of the working tree with their texts in the last commit. Throws `notARepository`, `noCommit`. */
async function findUncommitted({ ports }: SessionContext): Promise<readonly FileVersions[]> {
  const state = await ports.git.state();
  if (!state)
    throw new SelfwareError('notARepository', 'This folder is not a git repository, so it has no uncommitted edits.', {
      action: 'Run `git init` and commit once.',
    });
  if (!state.head)
    throw new SelfwareError('noCommit', 'This repository has no commit yet, so there is nothing to compare with.', {
      action: 'Commit once.',
    });
  const changed = (await ports.git.listUncommittedChanges()).filter(
    ({ kind, path }) => kind === 'modified' && isLearningSource(path),
  );
  const versions: FileVersions[] = [];
  for (const { path } of changed) {
    const before = await ports.git.readAt(state.head, path);
    const after = await ports.files.read(path);
    versions.push(...collectVersions({ commit: null, subject: 'Uncommitted', path }, before, after));
  }
  return versions;
}

/** Both versions of a file; empty if a text is missing, generated, too large, or not UTF-8. */
function collectVersions(
  origin: Pick<FileVersions, 'commit' | 'subject' | 'path'>,
  before: Uint8Array | null | undefined,
  after: Uint8Array | null | undefined,
): readonly FileVersions[] {
  if (!before || !after || before.length > MAX_BYTES || after.length > MAX_BYTES) return [];
  const [oldText, newText] = [decodeText(before), decodeText(after)];
  if (![oldText, newText].every((text) => isHandwritten(origin.path, text))) return [];
  const { commit, subject, path } = origin;
  return [{ commit, subject, path, before: oldText, after: newText }];
}

/**
 * False for a text that is generated, minified, too large, or not UTF-8; true for other texts, which people probably
 * write.
 */
export function isHandwritten(path: string, text: string): boolean {
  return text.length <= MAX_BYTES && !text.includes('\uFFFD') && !looksGenerated(path, text) && !looksMinified(text);
}

function decodeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}

/** Finds the edits in these versions of files. `commits` is 0, because they belong to no commit. */
export async function mineVersions(
  context: SessionContext,
  versions: readonly FileVersions[],
  operation: Operation,
): Promise<LearnedEdits> {
  return { edits: await mineEdits(context, versions, operation), commits: 0, files: versions.length };
}

/** Finds the edits in these files. If a file breaks the parser, only that file is skipped. */
async function mineEdits(
  context: SessionContext,
  versions: readonly FileVersions[],
  { signal }: Operation,
): Promise<readonly MinedEdit[]> {
  if (versions.length === 0) return [];
  try {
    return await context.ports.jobs.run('mineEdits', versions, signal);
  } catch (error) {
    if (!(error instanceof SelfwareError) || error.reason === 'unavailable' || signal.aborted) throw error;
    if (versions.length > 1) {
      const middle = versions.length >> 1;
      return [
        ...(await mineEdits(context, versions.slice(0, middle), { signal })),
        ...(await mineEdits(context, versions.slice(middle), { signal })),
      ];
    }
    context.ports.log.write('warn', `The edits of ${versions[0]!.path} could not be read.`, error);
    return [];
  }
}
