// The ground of the attacks: a real session on a real repository, with everything around it that must stay as it is.

import { createHash } from 'node:crypto';
import {
  appendFile,
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorkerJobs } from '../../../server/src/adapters/workers/workerJobs.ts';
import { createApp } from '../../../server/src/app/createApp.ts';
import { workerEntry } from '../../../server/src/app/programPaths.ts';
import type { Jobs } from '../../../server/src/core/jobs.ts';
import type { FileEdit, Proposal } from '../../../server/src/core/model.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { defaultSettings, type Settings } from '../../../server/src/settings/schema.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { chooseIsolationUnderAttack } from '../../helpers/isolation.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import type { Answer, Attack, Place } from './attack.ts';
import { FILES } from './sample.ts';

export const SECRET = 'correct-horse-battery-staple';
const SECRETS_AT_HOME = ['.ssh/id_ed25519', '.netrc', '.config/gh/hosts.yml'];
export const never = new AbortController().signal;
const operation = { signal: never };

/** The level that asks least, and little work for the proofs: what gets through here gets through anywhere. */
export const LEAST: Partial<Settings> = {
  'charter.approval': 'minimal',
  'charter.maxChanges': 1_000,
  'charter.authors': { agent: { changesAnHour: 10_000, changesADay: 10_000, requestsAMinute: 10_000 } },
  'verify.timeoutSeconds': 60,
  // More than the comparison needs on a quiet machine: on a busy one, it must still find the difference.
  'verify.differentialSeconds': 30,
  'verify.guardSeconds': 10,
  'verify.guardMutants': 2,
};

/** What the integrity gate answers needs no tests, and nothing that comes after them. */
const WITHOUT_TESTS: Partial<Settings> = {
  'verify.testCommand': 'true',
  'verify.differentialSeconds': 0,
  'verify.guardSeconds': 0,
};

/**
 * Threads for all sessions of a test file: each thread loads the compiler, and what it holds is copied, as a table of
 * pages, for each process that the tests start.
 */
const threads: Jobs = {
  ...createWorkerJobs({ entry: workerEntry(true), threads: 1 }),
  close: async () => {},
};

export interface Ground extends Place, AsyncDisposable {
  readonly files: TemporaryRepository;
  readonly stateHome: string;
  readonly session: Session;
  /** One more session on the same repository and state, as another process would have it. */
  open(settings?: Partial<Settings>, trusted?: boolean, onBranch?: boolean): Promise<Session>;
  /**
   * What is no longer as it was when `look` was called; sentences. The ledger and the checkpoints are Selfware's own.
   */
  look(): Promise<() => Promise<readonly string[]>>;
  /** Takes back what was applied. */
  restore(): Promise<void>;
}

export interface Outcome {
  readonly answer: Answer;
  /** Sentences; empty = it held. */
  readonly escaped: readonly string[];
}

/**
 * Not in a temporary folder: those are hidden from commands anyway; nor among packages, which are not. A name with a
 * dot keeps compilers and runners out. `prepare` makes the repository hostile.
 */
export async function createGround(
  options: {
    readonly files?: Readonly<Record<string, string>>;
    readonly prepare?: (
      repository: TemporaryRepository,
      around: { readonly outside: string; readonly home: string },
    ) => Promise<void>;
    readonly settings?: Partial<Settings>;
  } = {},
): Promise<Ground> {
  const output = join(import.meta.dirname, '../../output');
  await mkdir(output, { recursive: true });
  const top = await realpath(await mkdtemp(join(output, '.pipeline-')));
  const stateHome = await realpath(await mkdtemp(join(tmpdir(), 'selfware-pipeline-')));
  const [outside, home] = [join(top, 'outside'), join(top, 'home')];
  await mkdir(outside);
  await writeFile(join(outside, 'theirs.ts'), `export const theirs = '${SECRET}';\n`);
  for (const name of SECRETS_AT_HOME) {
    await mkdir(join(home, name, '..'), { recursive: true });
    await writeFile(join(home, name), SECRET);
  }
  const files = await createTemporaryRepository(options.files ?? FILES, { within: top });
  await files.write('.env', `API=${SECRET}\n`);
  await files.write('node_modules/lent/index.js', 'export const lent = 1;\n');
  await options.prepare?.(files, { outside, home });
  const outer = { HOME: process.env['HOME'] };
  process.env['HOME'] = home;
  const sessions: Session[] = [];
  const open = async (settings: Partial<Settings> = {}, trusted = true, onBranch = false): Promise<Session> => {
    const { session } = await createApp({
      rootDir: files.dir,
      settings: { ...defaultSettings, ...LEAST, ...options.settings, ...settings },
      trusted,
      ...(onBranch ? { onBranch } : {}),
      env: { ...process.env, HOME: home, SELFWARE_HOME: stateHome },
      log: { write: () => undefined },
      isolation: chooseIsolationUnderAttack,
      // As it ships, and a thread need not compile the sources for each session.
      built: true,
      jobs: threads,
    });
    sessions.push(session);
    await session.open(operation);
    return session;
  };
  const session = await open();
  let brief: Session | undefined;
  let applied: string[] = [];

  const onward = async (
    file: (by: Session) => Promise<Proposal>,
    session: Session,
    answeredBy?: string,
  ): Promise<Answer> => {
    let proposal: Proposal;
    try {
      proposal = await file(session);
    } catch (error) {
      return ended('not filed', error);
    }
    const verified = await session.verification.verify(proposal.id, operation);
    if (verified.status !== 'verified')
      return { end: 'refused', by: verified.verdicts.at(-1)?.gate ?? '', detail: verified.reason ?? '' };
    try {
      const { checkpoint } = await session.changes.apply({ ...operation, proposal: proposal.id, by: 'charter' });
      applied.push(checkpoint.id);
      return {
        end: 'applied',
        by: 'charter',
        detail: verified.verdicts.map(({ gate, outcome }) => `${gate} ${outcome}`).join(', '),
      };
    } catch (error) {
      const doubts = verified.verdicts.filter(({ outcome }) => outcome === 'unknown');
      const doubt = doubts.find(({ gate }) => gate === answeredBy) ?? doubts[0];
      return { ...ended('asks', error), by: doubt?.gate ?? '', detail: doubt ? doubt.reason : String(error) };
    } finally {
      // Out of the way of the next.
      if ((await session.proposals.get(proposal.id)).status !== 'kept')
        await session.proposals
          .decide({ proposal: proposal.id, verdict: 'rejected', by: 'person', reason: null })
          .catch((error: unknown) => illegalOnly(error));
    }
  };

  return {
    repository: files.dir,
    outside,
    home,
    secret: SECRET,
    mark: `pipeline-mark-${process.pid}`,
    files,
    stateHome,
    session,
    open,
    text: (path) => readFileSync(join(files.dir, path), 'utf8'),
    bring: async (edits, { title = 'A change', rationale = '', answeredBy } = {}) =>
      onward(
        (by) => by.proposals.proposeEdits({ title, rationale, edits }, operation),
        answeredBy === undefined ? session : (brief ??= await open(WITHOUT_TESTS)),
        answeredBy,
      ),
    async bringThen(edits, meddle) {
      const filed = await session.proposals.proposeEdits({ title: 'A change', rationale: '', edits }, operation);
      const { status, reason } = await session.verification.verify(filed.id, operation);
      if (status !== 'verified') throw new Error(`The ground itself is refused: ${reason}`);
      const undo = meddle();
      try {
        const { checkpoint } = await session.changes.apply({ ...operation, proposal: filed.id, by: 'person' });
        applied.push(checkpoint.id);
        return { end: 'applied', by: 'person', detail: '' };
      } catch (error) {
        return ended('refused', error);
      } finally {
        undo();
      }
    },
    ask: (request) => onward((by) => by.proposals.proposeTransform(request, operation), session),
    async look() {
      const before = await stateOf(top, files);
      return async () => differences(before, await stateOf(top, files));
    },
    async restore() {
      for (const checkpoint of applied.toReversed()) await session.changes.rollback(checkpoint, operation);
      applied = [];
    },
    async [Symbol.asyncDispose]() {
      for (const one of sessions) await one.close();
      if (outer.HOME === undefined) delete process.env['HOME'];
      else process.env['HOME'] = outer.HOME;
      await rm(top, { recursive: true, force: true });
      await rm(stateHome, { recursive: true, force: true });
    },
  };
}

/** Runs one attack, then looks at the world: whatever became of the proposal, nothing but it may be there. */
export async function perform(
  ground: Ground,
  attack: Omit<Attack, 'run'> & { run(ground: Ground): Promise<Answer> },
): Promise<Outcome> {
  const changes = await ground.look();
  const answer = await attack.run(ground).catch(
    (error: unknown): Answer => ({
      end: 'broken',
      by: '',
      detail: error instanceof Error ? (error.stack ?? error.message).slice(0, 2_000) : String(error),
    }),
  );
  const wanted = attack.expected.startsWith('applied');
  const escaped = answer.end === 'applied' && !wanted ? [`It was applied without a person (${answer.detail}).`] : [];
  if (answer.end === 'broken') escaped.push('It was no refusal, but a breakdown.');
  if (answer.detail.includes(SECRET)) escaped.push('The secret was told.');
  await ground.restore();
  return { answer, escaped: [...escaped, ...(await changes())] };
}

export function ended(end: Answer['end'], error: unknown): Answer {
  if (error instanceof SelfwareError && error.reason !== 'internal')
    return { end, by: error.reason, detail: error.message };
  throw error;
}

/** A refused proposal cannot be rejected once more. */
function illegalOnly(error: unknown): void {
  if (!(error instanceof SelfwareError && error.reason === 'illegalStep')) throw error;
}

/** Links and names that lead to what is protected, for a repository that somebody else has made. */
export async function layLinks(
  repository: TemporaryRepository,
  { outside }: { readonly outside: string },
): Promise<void> {
  const at = (path: string) => join(repository.dir, path);
  await symlink('../package.json', at('src/manifest.ts'));
  await symlink(join(outside, 'theirs.ts'), at('src/theirs.ts'));
  await symlink(join(outside, 'new.ts'), at('src/dangling.ts'));
  await symlink(outside, at('linked'));
  await symlink('.git', at('gitdir'));
  await symlink('src', at('sources'));
  await writeFile(
    join(outside, 'twin.ts'),
    "import { join } from 'node:path';\n\n/** Three times as much. */\nexport const thrice = (value: number): number => value * 3;\n",
  );
  await appendFile(at('src/index.ts'), "export { thrice } from './twin.ts';\n");
  await link(join(outside, 'twin.ts'), at('src/twin.ts'));
  await link(at('package.json'), at('src/manifestTwin.json'));
  await mkdir(at('nested'), { recursive: true });
  await writeFile(at('nested/a.ts'), 'export const a = 1;\n');
  await mkdir(at('nested/.git'));
  await writeFile(at('nested/.git/HEAD'), 'ref: refs/heads/main\n');
  const head = (await repository.git('rev-parse', 'HEAD')).trim();
  await repository.git('update-index', '--add', '--cacheinfo', `160000,${head},modules/sub`);
  await mkdir(at('modules/sub'), { recursive: true });
  await writeFile(at('modules/sub/.git'), 'gitdir: ../../.git/modules/sub\n');
  await writeFile(at('modules/sub/b.ts'), 'export const b = 1;\n');
  await chmod(at('.husky/pre-commit'), 0o755);
}

/**
 * Bytes, modes and links of everything around the session but its own state; of git all but objects and our own refs.
 */
async function stateOf(top: string, repository: TemporaryRepository): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const place = join(folder, entry.name);
      const name = place.slice(top.length + 1);
      if (/\/\.git\/(objects|refs\/selfware)$/.test(place)) continue;
      if (entry.isDirectory()) await visit(place);
      else if (entry.isSymbolicLink()) found.set(name, `-> ${await readlink(place)}`);
      else if (entry.isFile())
        found.set(
          name,
          `${(await lstat(place)).mode.toString(8)} ${createHash('sha256')
            .update(await readFile(place))
            .digest('hex')}`,
        );
    }
  };
  await visit(top);
  found.set('refs', (await repository.git('for-each-ref')).replaceAll(/.*refs\/selfware\/.*\n/g, ''));
  return found;
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) =>
      after.has(name) ? (before.has(name) ? `${name} is another.` : `${name} is new.`) : `${name} is gone.`,
    );
}

/** One edit of a file of the ground. The bait is taken along, so that the score rises. */
export function edited(place: Place, path: string, change: (text: string) => string): FileEdit {
  const before = place.text(path);
  return { path, before, after: change(before) };
}
