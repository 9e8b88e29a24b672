// Chooses the next task for a proposer if nobody names one: the most valuable task first.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import type { Opportunity } from '../../model.ts';
import type { WorkKind, WorkScope } from '../../model/workScope.ts';
import type { AnsweredData, AskedTask } from '../../model/asks.ts';
import { normaliseReason } from '../../learn/lessons.ts';
import { isDocumentation, isExample } from '../../paths/nonSourcePaths.ts';
import { isBenchmarkCode, isTestFile } from '../../paths/tests.ts';
import { MIN_CONFIDENCE } from '../../prioritise/prioritise.ts';
import { computePriority } from '../../prioritise/priority.ts';
import type { PriorityContext } from '../../prioritise/priorityContext.ts';
import {
  ATTEMPTS_PER_PROPOSER,
  computeAccount,
  countRoundsOfRun,
  MAX_ATTEMPTS,
  MAX_CRASHES,
  type AskEvent,
} from '../../proposers/accounts.ts';
import { showsDefect } from '../../verify/claims/failures.ts';
import type { TestCase } from '../../verify/parse/testCounts.ts';
import type { TestsUnavailable } from '../../verify/testing/unchangedTests.ts';
import { findFailingTests } from '../../verify/testing/failingTests.ts';
import type { SessionContext } from '../context.ts';
import type { Operation } from '../../operation.ts';
import type { Proposer } from '../../ports/proposers.ts';
import { loadPriorityContext } from '../analyse/ranking.ts';
import { readExperience } from '../learn/trials.ts';
import { isInScope, isPathInScope } from '../propose/requestScope.ts';
import { listHiddenByDefault, listOpportunities } from '../analyse/listOpportunities.ts';
import { readTextOrNull } from '../search/packing.ts';
import { isRefusalByFileConvention } from '../../propose/ownForm.ts';
import { findReachingTests } from '../verify/reachingTests.ts';
import { createVerifyContext } from '../verify/verifying.ts';
import type { TaskRequest } from './askTypes.ts';
import { openProposers, orderByRule } from './openProposer.ts';
import { identifyTask, type IdentifiedTask } from './questions.ts';
import { collectKeptIds } from './pastAttempts.ts';
import { countSpares } from './spareAnswers.ts';

/** A task to ask for. */
export interface NextTask {
  readonly request: TaskRequest;
  /** The proposers that may be asked, in the form of a list: without those whose changes a person does not want. */
  readonly proposer: string;
  readonly identifiedTask: IdentifiedTask;
}

/**
 * Maximum number of failing tests that become tasks. Each kind of task has such a maximum, so that one kind does not
 * take a whole run.
 */
const MAX_FIXES = 5;
/** Maximum number of files for which tests are requested. */
const MAX_TEST_FILES = 20;
/** Maximum number of opportunities that become tasks. */
const MAX_PLACES = 40;
/**
 * Maximum number of tasks in a run that ask for documentation, because documentation does not change what the code
 * does.
 */
const MAX_DOCUMENTATION = 3;
const DOCUMENTATION_RULES: ReadonlySet<string> = new Set(['unexplained-export', 'undocumented-export', 'vacuous-doc']);
/**
 * Matches names of proposers whose model is loaded into the memory of this machine, unless code goes to another
 * machine.
 */
const LOADED_PATTERN = /^(?:ollama|gguf):/;
/**
 * Maximum number of tasks that wait because they would load another model although they are worth more, and maximum
 * number of times that each of them waits in a run. A failing test never waits.
 */
const MAX_PASSED_OVER = 5;
/** By session and id of the task: the number of times that the task has waited. */
const timesWaited = new WeakMap<SessionContext, Map<string, number>>();
/** Number of characters at the beginning of a file in which `UNMAINTAINED_PATTERN` is searched. */
const MARKER_CHARACTERS = 400;
/** Markers of files that people do not maintain by hand, or do not check. */
const UNMAINTAINED_PATTERN = /@ts-nocheck\b|\bminified\b/i;
/**
 * The kinds of tasks that are open again after a kept change: a test may fail again, and mutants may survive. The task
 * itself refuses if there is nothing left to do.
 */
const RETURNING_KINDS: ReadonlySet<AskedTask['kind']> = new Set(['fix', 'tests']);

/**
 * Chooses the most valuable task. If none is left, returns the reason why the tests do not run here, or null if they
 * do. `without`: ids of tasks that had no result in this run.
 */
export async function chooseNextTask(
  context: SessionContext,
  events: readonly AskEvent[],
  runId: string,
  {
    scope = {},
    without,
    proposer,
    ...operation
  }: Operation & {
    readonly scope?: WorkScope;
    readonly without: ReadonlySet<string>;
    readonly proposer: string;
  },
): Promise<NextTask | TestsUnavailable | null> {
  const failing = await findFailingTests(await createVerifyContext(context, operation), operation.signal);
  const keptIds = await collectKeptIds(context);
  const documentedTasks = new Set(
    events.flatMap(({ asked }) => (asked?.run === runId && isDocumentationTask(asked.task) ? [asked.task.id] : [])),
  );
  const loadedModel = findLoadedModel(context, events, runId);
  const timesWaitedByTask = timesWaited.get(context) ?? new Map<string, number>();
  timesWaited.set(context, timesWaitedByTask);
  const passedOver: NextTask[] = [];
  const canAsk = createKindCheck(context, proposer);
  for await (const { request, willing = proposer } of collectTasks(context, scope, proposer, failing)) {
    const requestedTask = await identifyTask(context, request);
    const { task } = requestedTask;
    if (isDocumentationTask(task) && !documentedTasks.has(task.id) && documentedTasks.size >= MAX_DOCUMENTATION)
      continue;
    // Even if nobody is left for this kind of task, somebody may be left for another kind.
    if (!(await canAsk(task.kind))) continue;
    if (without.has(task.id) || !(await isOpen(context, { events, run: runId, kept: keptIds }, task))) continue;
    const next = { request, proposer: willing, identifiedTask: requestedTask };
    const waitedTimes = timesWaitedByTask.get(requestedTask.task.id) ?? 0;
    const canWait = loadedModel !== null && !('fix' in request) && waitedTimes < MAX_PASSED_OVER;
    if (!canWait || !(await loadsAnother(context, loadedModel, next))) {
      for (const { identifiedTask } of passedOver)
        timesWaitedByTask.set(identifiedTask.task.id, (timesWaitedByTask.get(identifiedTask.task.id) ?? 0) + 1);
      return next;
    }
    passedOver.push(next);
    if (passedOver.length > MAX_PASSED_OVER) break;
  }
  return passedOver[0] ?? ('refused' in failing && !failing.testsRun ? failing : null);
}

/** Creates a function that tells whether any proposer of the list is left for tasks of a kind. */
function createKindCheck(context: SessionContext, list: string): (kind: AskedTask['kind']) => Promise<boolean> {
  const remainsByKind = new Map<AskedTask['kind'], boolean>();
  return async (kind) => {
    const isLeft = remainsByKind.get(kind) ?? (await openProposers(context, list, kind)).length > 0;
    remainsByKind.set(kind, isLeft);
    return isLeft;
  };
}

function isDocumentationTask({ rule }: AskedTask): boolean {
  return rule !== undefined && DOCUMENTATION_RULES.has(rule);
}

/** The model on this machine that this run has asked last, so that it is in memory; null for any other proposer. */
function findLoadedModel({ ports }: SessionContext, events: readonly AskEvent[], run: string): string | null {
  const lastProposer = events.findLast(({ asked }) => asked?.run === run)?.asked?.proposer ?? null;
  return lastProposer !== null && isLoaded(ports.proposers.open(lastProposer)) ? lastProposer : null;
}

/** True for a model that is loaded into the memory of this machine, where often only one fits. */
function isLoaded({ name, destination }: Pick<Proposer, 'name' | 'destination'>): boolean {
  return LOADED_PATTERN.test(name) && destination === null;
}

/** True if a question about this task would load another model than this one into the memory of this machine. */
async function loadsAnother(
  context: SessionContext,
  loaded: string,
  { proposer, identifiedTask }: NextTask,
): Promise<boolean> {
  const { kind, rule = kind } = identifiedTask.task;
  const [first] = await openProposers(context, proposer, kind, rule);
  return first !== undefined && first.name !== loaded && isLoaded(first);
}

/**
 * True if the task may be asked. This requires that it has attempts left, in this run and in total, or an answer that
 * is not filed yet; that its last attempts did not all fail in the same way; and that its last proposal, if there is
 * one, was refused or rolled back. A task whose change was kept may be asked again only if its kind returns and it has
 * attempts left in this run.
 */
async function isOpen(
  context: SessionContext,
  {
    events,
    run,
    kept,
  }: { readonly events: readonly AskEvent[]; readonly run: string; readonly kept: ReadonlySet<string> },
  { id: task, kind }: AskedTask,
): Promise<boolean> {
  const { ledger, ports } = context;
  const account = computeAccount(events, task, run, ports.clock.now(), undefined, kept);
  const { attempts, rounds, crashes, isSolved } = account;
  if (isSolved) return RETURNING_KINDS.has(kind) && countRoundsOfRun(events, task, run) < ATTEMPTS_PER_PROPOSER;
  const roundsInRun = countRoundsOfRun(events, task, run);
  const isUsedUp = roundsInRun >= ATTEMPTS_PER_PROPOSER || rounds >= MAX_ATTEMPTS || crashes >= MAX_CRASHES;
  // A promising answer to an earlier question is used without asking, so no attempt is needed.
  if (isUsedUp && countSpares(context, task) === 0) return false;
  if (await haveSameFailure(ledger, attempts)) return false;
  const lastProposal = attempts.findLast(({ proposal }) => proposal !== null)?.proposal ?? null;
  const status = lastProposal === null ? null : (await ledger.proposal(lastProposal))?.status;
  return status === null || status === undefined || ['refused', 'rolledBack'].includes(status);
}

/**
 * True if the last `ATTEMPTS_PER_PROPOSER` attempts failed for the same reason. False if one of them got no answer, or
 * if a person has forgotten the lesson of one of them.
 */
async function haveSameFailure(ledger: SessionContext['ledger'], attempts: readonly AnsweredData[]): Promise<boolean> {
  const idsWithForgottenLessons = await ledger.idsWithForgottenLessons();
  const reasons: string[] = [];
  for (const { outcome, reason, proposal } of attempts.slice(-ATTEMPTS_PER_PROPOSER)) {
    if (outcome === 'failed' || (proposal !== null && idsWithForgottenLessons.has(proposal))) return false;
    const filedProposal = proposal === null ? null : await ledger.proposal(proposal);
    const failed = filedProposal?.verdicts.find((verdict) => verdict.outcome === 'failed');
    const reasonText = failed ? `${failed.gate}: ${failed.reason}` : (filedProposal?.reason ?? reason);
    if (!reasonText) return false;
    reasons.push(normaliseReason(reasonText));
  }
  return reasons.length === ATTEMPTS_PER_PROPOSER && new Set(reasons).size === 1;
}

/** A task, and the names of the proposers that may be asked; if `willing` is absent, all of them may. */
interface PossibleTask {
  readonly request: TaskRequest;
  readonly willing?: string;
}

/** The tasks in their order: fixes first, then files to test and opportunities alternately, each kind best first. */
async function* collectTasks(
  context: SessionContext,
  scope: WorkScope,
  proposer: string,
  failing: readonly TestCase[] | TestsUnavailable,
): AsyncGenerator<PossibleTask> {
  const isInPlaces = (path: string) => isPathInScope(path, scope);
  const isKindWanted = (kind: WorkKind) => scope.kinds?.includes(kind) ?? true;
  if (!('refused' in failing) && isKindWanted('fixes'))
    for (const { name } of failing.filter(canShowDefect).filter(createTestFilter(context, scope)).slice(0, MAX_FIXES))
      yield { request: { fix: name, isWholeName: true } };
  const ranking = await loadPriorityContext(context, true);
  const listing = await listOpportunities(context);
  const { promising, isResting } = await readExperience(context);
  const names = (await openProposers(context, proposer, 'opportunity')).map(({ name }) => name);
  const order = await orderByRule(context, proposer, 'opportunity');
  const findNames = (rule: string) => order(rule).filter((name) => !isResting(rule, name));
  const filterTrusted = (opportunities: readonly Opportunity[]) =>
    opportunities
      .filter((opportunity) => isInScope(opportunity, scope))
      .map((opportunity) => ({ opportunity, ...computePriority(opportunity, ranking) }))
      .flatMap(({ opportunity, priority, confidence }) => {
        const [bestName] = confidence.confidence > MIN_CONFIDENCE ? findNames(opportunity.rule) : [];
        // The experience with the proposer that would be asked counts, whichever list names it.
        return bestName === undefined
          ? []
          : [{ opportunity, weight: priority * promising(opportunity.rule, bestName) }];
      })
      .toSorted((a, b) => b.weight - a.weight)
      .map(({ opportunity }) => opportunity);
  // Opportunities of quiet rules are included, because an answer must be proven anyway.
  const trustedOpportunities = [...filterTrusted(listing.shown), ...filterTrusted(listHiddenByDefault(listing))];
  const refusals = await context.ledger.refusals();
  // An untried recipe takes precedence over a question, because it costs nothing.
  const refused = trustedOpportunities.filter(
    ({ id, recipe }) =>
      recipe !== null && refusals.has(id) && !isRefusalByFileConvention(refusals.get(id)?.reason ?? null),
  );
  const opportunitiesWithoutRecipe = trustedOpportunities.filter(({ recipe }) => recipe === null);
  const placeTasks = [...refused, ...opportunitiesWithoutRecipe]
    .slice(0, MAX_PLACES)
    .map(({ id, path, rule }: Opportunity) => ({ opportunity: id, path, willing: findNames(rule) }));
  const filesToTest = isKindWanted('tests') ? findTestedFiles(context, ranking, isInPlaces) : [];
  const testTasks = filesToTest.map((path) => ({ tests: path }));
  for (let index = 0; index < Math.max(testTasks.length, placeTasks.length); index += 1) {
    const [tests, place] = [testTasks[index], placeTasks[index]];
    if (tests && (await isMaintained(context, tests.tests))) yield { request: tests };
    if (place && (await canChange(context, place.path)) && (await isMaintained(context, place.path)))
      yield {
        request: { opportunity: place.opportunity },
        ...(place.willing.length < names.length ? { willing: place.willing.join() } : {}),
      };
  }
}

/** False for a protected file, because no answer about it could pass. */
async function canChange({ charter }: SessionContext, path: string): Promise<boolean> {
  return (await charter.check([{ path }])).allowed;
}

/** False if the file cannot be read, or if its beginning states that it is minified or not type-checked. */
async function isMaintained(context: SessionContext, path: string): Promise<boolean> {
  const text = await readTextOrNull(context, path);
  return text !== null && !UNMAINTAINED_PATTERN.test(text.slice(0, MARKER_CHARACTERS));
}

/** False if the runner's message shows a cause outside the code, such as a missing network or service. */
function canShowDefect({ failure = '' }: TestCase): boolean {
  return failure === '' || showsDefect(failure);
}

/** Creates a function that is true for tests in the scope, and for tests elsewhere that reach a file in its places. */
function createTestFilter({ state }: SessionContext, scope: WorkScope): (test: TestCase) => boolean {
  const { places, ...scopeWithoutPlaces } = scope;
  const reaching =
    places === undefined
      ? null
      : new Set(
          findReachingTests(
            state.imports,
            [...state.analyses.keys()].filter((path) => isPathInScope(path, scope)),
          ),
        );
  return ({ file }) =>
    file === null ||
    isPathInScope(file, scope) ||
    (isPathInScope(file, scopeWithoutPlaces) && reaching?.has(file) === true);
}

/** JavaScript and TypeScript files that tests reach, those with frequent changes and high complexity first. */
function findTestedFiles(
  { state }: SessionContext,
  { churn, complexity }: PriorityContext,
  isInPlaces: (path: string) => boolean,
): readonly string[] {
  const computeWeight = (path: string) => (1 + (complexity?.get(path) ?? 0)) * (1 + (churn?.get(path)?.weight ?? 0));
  return [...state.analyses.keys()]
    .filter(
      (path) =>
        SCRIPT_PATTERN.test(path) &&
        !/\.d\.[cm]?ts$/.test(path) &&
        isInPlaces(path) &&
        !isTestFile(path) &&
        !isBenchmarkCode(path) &&
        !isExample(path) &&
        !isDocumentation(path) &&
        (complexity?.get(path) ?? 0) > 0 &&
        findReachingTests(state.imports, [path]).length > 0,
    )
    .toSorted((a, b) => computeWeight(b) - computeWeight(a) || (a < b ? -1 : 1))
    .slice(0, MAX_TEST_FILES);
}
