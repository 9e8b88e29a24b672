// Judges the difference between two states of a repository. All temporary data is in one folder: a repository
// with the tree before the change, the state of that repository, and the files after the change.

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readRegular, readTextInside } from '../adapters/files/safeRead.ts';
import { findPathInside } from '../adapters/files/resolvedPath.ts';
import { isInRepositoryOrFolder, resolveStateFolder } from '../adapters/files/stateFolder.ts';
import { listLfsPointers } from '../adapters/git/lfsPointers.ts';
import {
  findSpecialKind,
  openRevisions,
  type FileDifference,
  type Revisions,
  type Sides,
} from '../adapters/git/revisions.ts';
import type { FileEdit } from '../core/model.ts';
import type { ByteChange, Judgement, TreeChange, UnreadableFile } from '../core/model/judgement.ts';
import type { Operation } from '../core/operation.ts';
import type { Log } from '../core/ports/system.ts';
import type { JudgeRequest } from '../core/verify/judge/judgementRequest.ts';
import { applyPolicy, mayNeedMutants, demandsMutants } from '../core/verify/judge/policy.ts';
import { parsePolicy, type PolicyFile } from '../settings/policyFile.ts';
import { SelfwareError, throwIfCancelled } from '../util/typedError.ts';
import { createApp } from './createApp.ts';
import { loadEffectiveSettings } from './teamSettings.ts';
import { findNamedInCode } from './namedInCode.ts';
import { createDocuments } from '../adapters/files/documents.ts';
import { SETUP_DOCUMENT } from '../core/ports/documentNames.ts';
import type { Settings } from '../settings/schema.ts';

export { findBases } from '../adapters/git/baseRevisions.ts';

/** The request to judge a change. */
export interface JudgeRevisionsOptions extends Operation {
  readonly rootDir: string;
  /** Name of the commit or branch before the change. */
  readonly base: string;
  /** Name of the changed commit; null for the working tree, including uncommitted work. */
  readonly head: string | null;
  /** Path of the policy, as the person wrote it; null for the team's policy in the base, if there is one. */
  readonly policy: string | null;
  /** True if only the default demands count when no policy is named. */
  readonly ignoresTeamPolicy?: boolean;
  /** Time limit in seconds; null if there is none. */
  readonly seconds: number | null;
  /** True if mutants and the comparison of calls get all the time that the settings allow. */
  readonly thorough?: boolean;
  /** True if only the checks and the old tests run. Demands that need more are not judged. */
  readonly quick?: boolean;
  /** The author of uncommitted changes, which no commit names. */
  readonly author: string | null;
  /** The person's own settings by name. */
  readonly personSettings: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** A folder for results of the repository's commands, kept by tree; null or undefined for the state folder. */
  readonly cache?: string | null;
  /** The copy whose installed packages and set-up are shared; undefined for the repository itself. */
  readonly shared?: { readonly packagesOf: string; readonly setUpIn: string };
  /** Receives each sentence for a person as soon as it is known. */
  note(text: string): void;
}

/**
 * Maximum number of bytes of a text that gates read. The bytes of a larger file are written, but no gate reads them.
 */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
/** Maximum number of files that are read at the same time. */
const MAX_READS_AT_ONCE = 64;
/** Maximum number of bytes of a policy. */
const MAX_POLICY_BYTES = 1024 * 1024;
/** Number of cores below which the jobs of a judgement share one thread. */
const CORES_FOR_TWO = 4;
/** Path of the policy of the team. */
const TEAM_POLICY_PATH = '.selfware/policy.json';
/** The mode of git for a file that does not exist on a side. */
const DELETED_MODE = '000000';

/**
 * Judges the difference and returns the judgement. Writes nothing to the repository. Throws `notARepository`,
 * `notFound` for an unknown commit, `conflict`, `usage` if there is nothing to judge or for an unusable policy or
 * cache, `cancelled`, and the errors of the session.
 */
export async function judgeRevisions(options: JudgeRevisionsOptions): Promise<Judgement> {
  const { rootDir, base, head, log, signal, report } = options;
  const startedAt = performance.now();
  const { seconds } = options;
  const timeLimit = seconds === null ? new AbortController().signal : AbortSignal.timeout(seconds * 1000);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'selfware-verify-')));
  try {
    report?.({ stage: 'walking', done: 0, total: null, message: 'Comparing both sides' });
    const revisions = await openRevisions(rootDir, folder, log);
    const sides = await revisions.compare(base, head, signal);
    if (sides.differences.length === 0)
      throw new SelfwareError(
        'usage',
        `There is nothing to judge: ${base} and ${head ?? 'the working tree'} hold the same files.`,
        {
          action: head === null ? 'Change something first, or name another base.' : 'Name another base or head.',
        },
      );
    for (const note of sides.notes) options.note(note);
    const tree = join(folder, 'tree');
    await mkdir(tree);
    await revisions.checkOut(sides.base, tree, signal);
    const policy = await findPolicy(options, revisions.top, tree);
    const mayBeThorough = options.quick !== true && policy !== null;
    const differing = await readChange(revisions, sides, tree, join(folder, 'after'), signal);
    const [named, pointers] = await Promise.all([
      findNamedInCode(tree, differing, signal),
      listLfsPointers(tree, signal),
    ]);
    const change = { ...differing, named, pointers };
    const finalJudgement = await judgeInSession(options, revisions, folder, change, {
      trees: { base: sides.trees.base, head: change.left.length === 0 ? sides.trees.head : null },
      budget: {
        signal: timeLimit,
        seconds,
        ...(seconds === null ? {} : { secondsLeft: () => seconds - (performance.now() - startedAt) / 1000 }),
      },
      quick: options.quick === true,
      thorough: options.thorough === true || (mayBeThorough && mayNeedMutants(policy.file)),
      wantsMutants: mayBeThorough && demandsMutants(policy.file),
    });
    const judgement = { ...finalJudgement, ...(options.quick ? { quick: true as const } : {}) };
    const authors = [...new Set([...sides.authors, ...(options.author === null ? [] : [options.author])])];
    const paths = [...change.edits, ...change.bytes, ...change.left].map(({ path }) => path);
    return {
      ...judgement,
      base: sides.base,
      head: head === null ? null : sides.head,
      authors,
      notes: [...sides.notes, ...judgement.notes],
      policy: applyPolicy(policy, judgement, { authors, paths, hasMoreAuthors: sides.hasMoreAuthors }),
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * A text that identifies the trees that `judgeRevisions` would compare now: the commits, and the files of the working
 * tree. Throws `notARepository`, `notFound`, `conflict`, `usage`, `noCommit`.
 */
export async function identifyRevisions({
  rootDir,
  base,
  head,
  log,
  signal,
}: Pick<JudgeRevisionsOptions, 'rootDir' | 'base' | 'head' | 'log' | 'signal'>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'selfware-verify-')));
  try {
    return await (await openRevisions(rootDir, folder, log)).identify(base, head, signal);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Opens a session on the tree before the change, and judges the change there. */
async function judgeInSession(
  options: JudgeRevisionsOptions,
  { top, mainTop }: Pick<Revisions, 'top' | 'mainTop'>,
  folder: string,
  change: TreeChange,
  request: Pick<JudgeRequest, 'trees' | 'budget' | 'thorough' | 'quick' | 'wantsMutants'>,
) {
  const { env, log, signal, report } = options;
  const tree = join(folder, 'tree');
  // The repository's own settings are read from the state before the change.
  const { settings, problems } = loadEffectiveSettings(tree, options.personSettings);
  for (const problem of problems) options.note(problem);
  // A CI runner that has never seen the repository has no state folder, and none is created. A state folder inside a
  // repository is not trusted.
  const state = options.shared?.setUpIn ?? (await findSetUpFolder([top, mainTop], env));
  const isUsable = existsSync(state) && !isInRepositoryOrFolder(state, [top]);
  const cache = options.cache ?? null;
  if (cache !== null) refuseCacheInRepository(cache, top);
  const { session } = await createApp({
    rootDir: tree,
    settings: reserveTimeForBothSides(settings, request.budget.seconds),
    trusted: true,
    env: { ...env, SELFWARE_HOME: join(folder, 'state') },
    log,
    searches: false,
    // Each thread loads the compiler, which takes longer than the jobs themselves.
    ...(availableParallelism() < CORES_FOR_TWO ? { threads: 1 } : {}),
    packagesOf: options.shared?.packagesOf ?? top,
    ...(isUsable ? { setUpIn: state } : {}),
    ...(cache === null ? {} : { resultsIn: resolve(cache) }),
  });
  try {
    await session.open({ signal });
    session.subscribe((event) => event.type === 'notice' && options.note(event.notice.message));
    return await session.verification.judge({
      change,
      names: { base: options.base, head: options.head },
      ...request,
      signal,
      ...(report ? { report } : {}),
    });
  } finally {
    await session.close();
  }
}

/**
 * The state folder of the first of these repositories that was set up, otherwise of the first one. So a linked work
 * tree uses the set-up of the main work tree.
 */
async function findSetUpFolder(folders: readonly string[], env: JudgeRevisionsOptions['env']): Promise<string> {
  const states = folders.map((folder) => resolveStateFolder(folder, env));
  for (const state of states) if ((await createDocuments(state).read(SETUP_DOCUMENT)) !== null) return state;
  return states[0]!;
}

/**
 * Limits the time of each command so that a third of the allowed seconds is left for the other side. Tests that never
 * end then fail in time, because the base still shows how long they should take.
 */
function reserveTimeForBothSides(settings: Settings, seconds: number | null): Settings {
  if (seconds === null) return settings;
  const limit = Math.max(1, Math.floor((seconds * 2) / 3));
  return { ...settings, 'verify.timeoutSeconds': Math.min(settings['verify.timeoutSeconds'], limit) };
}

/** Throws `usage` if the cache is in a repository, because a change could bring its own results. */
function refuseCacheInRepository(cache: string, top: string): void {
  if (!isInRepositoryOrFolder(cache, [top])) return;
  throw new SelfwareError('usage', `${cache} lies in a repository, so a change could bring its own results.`, {
    action: 'Name a folder outside of repositories: --cache DIR.',
  });
}

/** Reads both versions of every file that differs. Links and submodules are only named, in `left`. */
async function readChange(
  revisions: Revisions,
  { head, differences, renamed }: Sides,
  before: string,
  after: string,
  signal: AbortSignal,
): Promise<TreeChange> {
  const regularDifferences = differences.filter(({ modes }) => modes.every((mode) => findSpecialKind(mode) === null));
  const remaining = regularDifferences.filter(({ modes }) => modes[1] !== DELETED_MODE).map(({ path }) => path);
  await revisions.writeFiles(head, remaining, after, signal);
  const edits: FileEdit[] = [];
  const bytes: ByteChange[] = [];
  const unreadable: UnreadableFile[] = [];
  const binary: string[] = [];
  for (let offset = 0; offset < regularDifferences.length; offset += MAX_READS_AT_ONCE)
    await Promise.all(regularDifferences.slice(offset, offset + MAX_READS_AT_ONCE).map(compareFile));
  const comparePaths = (a: { readonly path: string }, b: { readonly path: string }) => (a.path < b.path ? -1 : 1);
  return {
    edits: edits.sort(comparePaths),
    bytes: bytes.sort(comparePaths),
    binary: binary.sort(),
    unreadable: unreadable.sort(comparePaths),
    renamed,
    left: differences.flatMap(explainSkipped),
  };

  async function compareFile({ path, modes }: FileDifference): Promise<void> {
    throwIfCancelled(signal);
    const [textBefore, textAfter] = await Promise.all([
      findSide(before, path, modes[0]),
      findSide(after, path, modes[1]),
    ]);
    const isExecutable = modes[1] === '100755';
    if (textBefore === 'binary' || textAfter === 'binary') {
      binary.push(path);
      unreadable.push({
        path,
        before: await readAsBytes(before, path, modes[0]),
        after: await readAsBytes(after, path, modes[1]),
        existed: modes[0] !== DELETED_MODE,
        wasText: textBefore !== 'binary' && textBefore !== null,
      });
      bytes.push({
        path,
        bytes: modes[1] === DELETED_MODE ? null : await readBytes(after, path),
        executable: isExecutable,
      });
      return;
    }
    if (textBefore !== textAfter) edits.push({ path, before: textBefore, after: textAfter });
    if (textAfter !== null && isExecutable !== (modes[0] === '100755'))
      bytes.push({ path, bytes: new TextEncoder().encode(textAfter), executable: isExecutable });
  }
}

/** The entry about a link or a submodule; empty for a regular file. */
function explainSkipped({ path, modes }: FileDifference): TreeChange['left'] {
  const kind = findSpecialKind(modes[0]) ?? findSpecialKind(modes[1]);
  return kind === null ? [] : [{ path, what: kind === 'link' ? 'a link' : 'a submodule' }];
}

/** The text of a file on one side; null if it does not exist there, `binary` if it is not text or too large. */
async function findSide(folder: string, path: string, mode: string): Promise<string | 'binary' | null> {
  if (mode === DELETED_MODE) return null;
  const bytes = await readBytes(folder, path);
  return decodeText(bytes) ?? 'binary';
}

async function readBytes(folder: string, path: string): Promise<Uint8Array> {
  const file = join(folder, path);
  return readRegular(file, file);
}

/** The content of a file with each byte as one character; null if the file does not exist or is too large. */
async function readAsBytes(folder: string, path: string, mode: string): Promise<string | null> {
  if (mode === DELETED_MODE) return null;
  const bytes = await readBytes(folder, path);
  return bytes.byteLength > MAX_TEXT_BYTES ? null : Buffer.from(bytes).toString('latin1');
}

/** The text; null if the bytes are not text, or if there are too many. */
function decodeText(bytes: Uint8Array): string | null {
  if (bytes.byteLength > MAX_TEXT_BYTES || bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/**
 * Finds the policy. A policy in the repository is read from the tree before the change, so that the change cannot alter
 * it. Null if there is none. Throws `usage` for a policy that is in the repository but not in that tree.
 */
async function findPolicy(
  { policy, ignoresTeamPolicy = false, note }: JudgeRevisionsOptions,
  top: string,
  tree: string,
): Promise<{ readonly file: PolicyFile; readonly source: string } | null> {
  if (policy === null) {
    const text = ignoresTeamPolicy ? null : readTextInside(tree, TEAM_POLICY_PATH, MAX_POLICY_BYTES);
    if (text === null) return null;
    note(`The policy ${TEAM_POLICY_PATH} is taken from the base.`);
    return { file: parsePolicy(text, TEAM_POLICY_PATH), source: TEAM_POLICY_PATH };
  }
  const policyPath = resolve(policy);
  // A link may lead into the repository.
  const realPolicyPath = await realpath(policyPath).catch(() => policyPath);
  const pathInTop = findPathInside(top, policyPath) ?? findPathInside(top, realPolicyPath);
  if (pathInTop === null) return { file: parsePolicy(await readTextAt(policyPath, policy), policy), source: policy };
  const text = readTextInside(tree, pathInTop, MAX_POLICY_BYTES);
  if (text === null)
    throw new SelfwareError('usage', `${policy} is not in the base, so the change itself may have written it.`, {
      action: 'Commit the policy to the base first, or name a file outside of the repository.',
    });
  note(`The policy ${pathInTop} is taken from the base.`);
  return { file: parsePolicy(text, policy), source: pathInTop };
}

async function readTextAt(path: string, name: string): Promise<string> {
  try {
    return new TextDecoder().decode(await readRegular(path, path));
  } catch (cause) {
    throw new SelfwareError('notFound', `The policy ${name} cannot be read.`, { cause });
  }
}
