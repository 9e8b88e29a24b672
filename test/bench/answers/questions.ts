// Leaves the questions that Selfware would ask about a repository in a mailbox, and stores their tasks, so that a later
// run can judge the answers.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createApp } from '../../../server/src/app/createApp.ts';
import type { TaskRequest } from '../../../server/src/core/session/ask/askTypes.ts';
import type { Session } from '../../../server/src/core/session.ts';
import type { PlaceWithoutResult } from '../../../server/src/core/session/propose/requests.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';
import { askByKind } from './byKind.ts';
import type { Kind } from './kinds.ts';

/** A task about which a question was left. */
export interface LeftTask {
  readonly request: TaskRequest;
  readonly kind: Kind;
  /** The rule of the place; `tests` or `fix` for a task without a place. */
  readonly rule: string;
  readonly path: string;
}

/** The files of one repository below the folder that is kept between runs. */
export interface Place {
  readonly name: string;
  /** The checkout. */
  readonly dir: string;
  /** Questions and answers. */
  readonly mail: string;
  /** The state from which every task starts. */
  readonly home: string;
  readonly tasks: string;
  readonly root: string;
}

/** The files of the checkout `dir` below the folder `keep`. */
export function createPlace(dir: string, keep: string): Place {
  const name = basename(dir);
  const root = join(keep, name);
  return { name, dir, root, mail: join(root, 'mail'), home: join(root, 'home'), tasks: join(root, 'tasks.json') };
}

/** Opens a session that may run the commands of the repository. */
export async function openTrusted(dir: string, home: string, signal: AbortSignal): Promise<Session> {
  const { session } = await createApp({
    rootDir: dir,
    settings: { ...defaultSettings, 'analysis.rules': { 'type-hole': 'hint' } },
    trusted: true,
    env: { ...process.env, SELFWARE_HOME: home },
    log: { write: () => undefined },
  });
  await session.open({ signal });
  return session;
}

/** The stored tasks; empty if no question was left yet. */
export function readTasks({ tasks }: Place): readonly LeftTask[] {
  return existsSync(tasks) ? (JSON.parse(readFileSync(tasks, 'utf8')) as LeftTask[]) : [];
}

/** Limits of the questions that are left. */
export interface Limits {
  /** Number of questions after which no more are left. */
  readonly most: number;
  /** Maximum number of questions of each of these kinds, instead of `most`; null: as Selfware would ask. */
  readonly each: number | null;
  readonly kinds: readonly Kind[];
  /** Seconds of the search for calls that break. */
  readonly seconds: number;
}

/** Leaves questions and returns their tasks. Recipes are tried first, as in `selfware improve`. */
export async function leaveQuestions(
  place: Place,
  { most, each, kinds, seconds }: Limits,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<readonly LeftTask[]> {
  mkdirSync(place.home, { recursive: true });
  mkdirSync(place.mail, { recursive: true });
  const session = await openTrusted(place.dir, place.home, signal);
  try {
    await session.memory.index({ signal });
    await session.analysis.analyse({ signal });
    // In a checkout with a failing test, no other answer can be verified, so only the fix is asked about.
    const fix = await session.questions.ask({ task: { fix: '' }, proposer: `later:${place.mail}`, signal });
    if (isQuestionLeft(fix.refused))
      return keepTasks(place, [{ request: { fix: '' }, kind: 'fix', rule: 'fix', path: '' }]);
    if (seconds > 0) await findCalls(session, seconds, place, note, signal);
    const refusedPlaces = await collectRefusedPlaces(session, signal);
    if (each !== null) {
      const keep = (tasks: readonly LeftTask[]) => void keepTasks(place, tasks);
      await askByKind(session, place, { each, refused: refusedPlaces, kinds }, { note, keep }, signal);
      return readTasks(place);
    }
    const leftTasks = new Map<string, LeftTask>(await askAboutTypeHoles(session, place, signal));
    keepTasks(place, [...leftTasks.values()]);
    for (let hasMore = true; hasMore && leftTasks.size < most; ) {
      const outcome = await session.questions.askNext({ proposer: `later:${place.mail}`, signal });
      for (const { opportunity, rule, path, refused } of outcome.tried)
        if (isQuestionLeft(refused)) {
          const { shown, hidden } = await session.opportunities.listWithHidden();
          const opportunities = [...shown, ...hidden.map((entry) => entry.opportunity)];
          const recipe = opportunities.find(({ id }) => id === opportunity)?.recipe ?? null;
          leftTasks.set(opportunity, { ...createTask(opportunity, rule, recipe !== null), rule, path });
        } else note(`${place.name}: nothing to ask about ${opportunity}: ${refused}`);
      if (outcome.stopReason !== null) note(`${place.name}: ${outcome.stopReason}`);
      hasMore = outcome.hasMore;
      keepTasks(place, [...leftTasks.values()]);
      note(`${place.name}: ${leftTasks.size} questions`);
    }
    return [...leftTasks.values()];
  } finally {
    await session.close();
  }
}

/** Asks about each type hole, because a recipe closes most of them and `askNext` would hardly ask about any. */
async function askAboutTypeHoles(
  session: Session,
  { mail }: Place,
  signal: AbortSignal,
): Promise<readonly (readonly [string, LeftTask])[]> {
  const { shown, hidden } = await session.opportunities.listWithHidden();
  const leftTasks: (readonly [string, LeftTask])[] = [];
  for (const { id, rule, path } of [...shown, ...hidden.map(({ opportunity }) => opportunity)]) {
    if (rule !== 'type-hole') continue;
    const request = { opportunity: id };
    const { refused } = await session.questions.ask({ task: request, proposer: `later:${mail}`, signal });
    if (isQuestionLeft(refused)) leftTasks.push([id, { request, kind: 'type hole', rule, path }]);
  }
  return leftTasks;
}

/** True if the reason why there is no answer is that the question was left. */
function isQuestionLeft(refusal: string | null): boolean {
  return refusal?.startsWith('The question') ?? false;
}

function keepTasks({ tasks }: Place, leftTasks: readonly LeftTask[]): readonly LeftTask[] {
  writeFileSync(tasks, `${JSON.stringify(leftTasks, null, 1)}\n`);
  return leftTasks;
}

/** Searches calls that break, which become tasks, too. If the search fails, the other questions are still left. */
async function findCalls(
  session: Session,
  seconds: number,
  { name }: Place,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    await session.analysis.counterexamples({ paths: [], seconds, signal });
  } catch (error) {
    signal.throwIfAborted();
    note(`${name}: no calls that break could be searched: ${(error as Error).message}`);
  }
}

/**
 * Tries all recipes and returns the places that they refuse, which become questions. The proposals of recipes wait for
 * a decision. The recipe for type holes is left out, because an answer with the same edits as a waiting proposal would
 * be refused.
 */
async function collectRefusedPlaces(session: Session, signal: AbortSignal): Promise<readonly PlaceWithoutResult[]> {
  const { shown, hidden } = await session.opportunities.listWithHidden();
  const rules = new Set([...shown, ...hidden.map(({ opportunity }) => opportunity)].map(({ rule }) => rule));
  rules.delete('type-hole');
  const refusedPlaces: PlaceWithoutResult[] = [];
  if (rules.size === 0) return refusedPlaces;
  const excludedProposals = new Set<string>();
  for (let hasMore = true; hasMore; ) {
    const outcome = await session.proposals.propose({
      excludedProposals: excludedProposals,
      rules: [...rules],
      signal,
    });
    refusedPlaces.push(...outcome.tried);
    if (outcome.proposal && excludedProposals.has(outcome.proposal.id)) return refusedPlaces;
    if (outcome.proposal) excludedProposals.add(outcome.proposal.id);
    hasMore = outcome.proposal !== null || (outcome.hasMore ?? false);
  }
  return refusedPlaces;
}

/** The task of a question. `id`: as in `taskId`, or the id of an opportunity. */
function createTask(id: string, rule: string, hasRecipe: boolean): Pick<LeftTask, 'request' | 'kind'> {
  if (rule === 'tests') return { request: { tests: id.replace(/^tests /, '') }, kind: 'tests' };
  if (rule === 'fix') return { request: { fix: id.replace(/^fix /, '') }, kind: 'fix' };
  const request = { opportunity: id };
  if (rule === 'counterexample') return { request, kind: 'fix' };
  if (rule === 'type-hole') return { request, kind: 'type hole' };
  return { request, kind: hasRecipe ? 'refused by a recipe' : 'other place' };
}
