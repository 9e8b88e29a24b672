// Creates the question for a task: the text of the task, and the files that it needs.

import { CHARACTERS_PER_TOKEN, estimateTokens } from '../../../util/tokens.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { shorten, escapeInvisibleLine } from '../../../util/visible.ts';
import type { AcceptanceFile } from '../../model/acceptance.ts';
import type { AskedTask } from '../../model/asks.ts';
import { fitTurns } from '../../memory/conversation.ts';
import type { Opportunity } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import { isTestFile } from '../../paths/tests.ts';
import { isConfiguration } from '../../paths/tools.ts';
import { AGENT_PROMPT } from '../../proposers/agentPrompt.ts';
import { showLinesAround, fitIntoBudget } from '../../proposers/excerpts.ts';
import {
  fenceText,
  joinLines,
  formatName,
  SYSTEM_PROMPT,
  type PromptContent,
  type ShownFile,
} from '../../proposers/prompt.ts';
import { findShownFunction } from '../../proposers/shownFunction.ts';
import type { SessionContext } from '../context.ts';
import { COUNTEREXAMPLE_RULE, findCounterexampleOf } from '../analyse/storedCounterexamples.ts';
import { listOpportunities } from '../analyse/listOpportunities.ts';
import { quotesAnyAttempt, recallLessons } from '../learn/recalling.ts';
import { collectAdvice, loadAdviceForRepository, countTokensForFolders } from '../learn/repositoryRuleFiles.ts';
import { describeRules } from '../learn/writtenRules.ts';
import { readTextOrNull } from '../search/packing.ts';
import { decidesChecks, isJudge } from '../verify/judgeFiles.ts';
import { findReachingTests } from '../verify/reachingTests.ts';
import type { TaskRequest } from './askTypes.ts';
import { findNamedPaths, findRelatedFiles } from './shown/relatedFiles.ts';
import { researchOnline } from './researching.ts';
import { findSimilarElsewhere } from './similarElsewhere.ts';
import { taskId } from './taskId.ts';
import { createCounterexampleTask } from './counterexampleTask.ts';
import { createFixTask } from './fixTask.ts';
import { prepareTextToSend, type TaskRefusal, type TaskText } from './taskText.ts';
import { createTestsTask } from './testsTask.ts';

/** The share of the budget for files that the target file of an opportunity may take. */
const TARGET_SHARE = 0.6;
/** The share of the budget for files that may not be changed. A larger share does not improve the answers. */
const RELATED_SHARE = 0.25;
/** The share of the budget for files that code of other repositories may take. */
const REFERENCE_SHARE = 0.1;
/** The share of the budget that the results of online research may take. */
const RESEARCH_SHARE = 0.1;
/** The share of the budget for the rule files that a person has acceptedtogether. */
const ADVICE_SHARE = 0.2;
/** Tokens that a question needs in addition to files, attempts and the person's request. */
const OVERHEAD_TOKENS = 1000;

/** Words in the names of lock files. */
const LOCK_FILE_WORDS: ReadonlySet<string> = new Set(['lock', 'lockb', 'lockfile', 'resolved']);

/** The demands of a request in words. */
const REQUEST_DEMANDS = [
  'Bring tests along that fail without the change and pass with it, in the style and the place of the existing tests.',
];

/** The demands of a request with accepted tests. */
const ACCEPTED_DEMANDS = [
  'The acceptance test becomes part of your change as it is: leave its files alone.',
  'Do what was asked for every input, not only for those of the test.',
];

/** Maximum number of characters by which a request is identified to the person who wrote it. */
const MAX_NAME_CHARACTERS = 80;

/** A task with its identifying data. `opportunity`: the place to improve; null for tasks without one. */
export interface IdentifiedTask {
  readonly task: AskedTask;
  readonly opportunity: Opportunity | null;
  /** Tests that a person has accepted for the request. */
  readonly acceptance?: readonly AcceptanceFile[];
}

/** Identifies a task. Throws `notFound` for an unknown opportunity, and `usage` for a request of empty `words`. */
export async function identifyTask(context: SessionContext, request: TaskRequest): Promise<IdentifiedTask> {
  if ('words' in request) {
    if (request.words.trim() === '') throw new SelfwareError('usage', 'The request is empty.');
    const { acceptance } = request;
    const words = shorten(escapeInvisibleLine(request.words.trim()), MAX_NAME_CHARACTERS);
    const task = { kind: 'request', id: taskId(request), opportunity: null, path: null, words } as const;
    return { task, opportunity: null, ...(acceptance === undefined ? {} : { acceptance }) };
  }
  if ('acceptance' in request)
    return { task: { kind: 'acceptance', id: taskId(request), opportunity: null, path: null }, opportunity: null };
  if ('migration' in request)
    return { task: { kind: 'migration', id: taskId(request), opportunity: null, path: null }, opportunity: null };
  if ('gain' in request)
    return { task: { kind: request.gain, id: taskId(request), opportunity: null, path: null }, opportunity: null };
  if ('tests' in request) {
    const path = request.tests;
    return { task: { kind: 'tests', id: taskId(request), opportunity: null, path }, opportunity: null };
  }
  if ('fix' in request)
    return { task: { kind: 'fix', id: taskId(request), opportunity: null, path: null }, opportunity: null };
  const { shown, hidden } = await listOpportunities(context);
  const allOpportunities = [...shown, ...hidden.map((hiddenOpportunity) => hiddenOpportunity.opportunity)];
  const opportunity = allOpportunities.find(({ id }) => id === request.opportunity);
  if (!opportunity)
    throw new SelfwareError('notFound', `There is no opportunity ${request.opportunity}.`, {
      action: 'Choose one of the list of opportunities.',
    });
  const { id, path, rule } = opportunity;
  return { task: { kind: 'opportunity', id: taskId(request), opportunity: id, path, rule }, opportunity };
}

/** The data that limit a question. */
interface QuestionLimits {
  /** The earlier attempts at the task, as texts. */
  readonly attempts: readonly string[];
  /** Number of attempts. Several answers to one question count as one. */
  readonly rounds: number;
  /** The limit of the proposer for the whole question, in tokens; null if only the setting limits it. */
  readonly maxTokens: number | null;
  /** True for an agent, which works in a copy of the repository. */
  readonly isAgent: boolean;
  /**
   * Returns true if online research may be added to a question that has `tokens` without it, so that it can still be
   * asked.
   */
  readonly mayResearch: (tokens: number) => boolean;
}

/**
 * Creates the question for a task. Refused, with a reason, if there is nothing to ask. Throws the errors of the task:
 * `notFound`, `usage`, `cancelled`.
 */
export async function createQuestion(
  context: SessionContext,
  request: TaskRequest,
  { task, opportunity }: IdentifiedTask,
  { attempts: allAttempts, rounds, maxTokens, isAgent, mayResearch }: QuestionLimits,
  operation: Operation,
): Promise<PromptContent | TaskRefusal> {
  const configuredTokens = context.settings['models.contextTokens'];
  const requestText = getRequestText(request);
  const subject = requestText ?? opportunity?.message ?? task.id;
  const rule = requestText === null ? (task.rule ?? task.kind) : null;
  const { turns: attempts, forgotten } = fitTurns(
    { system: isAgent ? AGENT_PROMPT : SYSTEM_PROMPT, task: subject, turns: allAttempts },
    maxTokens === null ? configuredTokens : Math.min(configuredTokens, maxTokens - OVERHEAD_TOKENS),
  );
  const recalledLessons = await recallLessons(context, { rule, words: subject }, operation.signal);
  const lessons = recalledLessons.filter((lesson) => !quotesAnyAttempt(attempts, lesson));
  const paths = task.path === null ? [] : [task.path];
  const rules = await describeRules(context, { kind: task.kind, isAgent, paths });
  const wordTokens = countTokens([...attempts, ...lessons, ...rules, requestText ?? '']);
  const contentTokens =
    maxTokens === null
      ? configuredTokens
      : Math.max(0, Math.min(configuredTokens, maxTokens - OVERHEAD_TOKENS - wordTokens));
  const generalAdvice = await loadAdviceForRepository(context, contentTokens * ADVICE_SHARE);
  const budget = contentTokens - countTokens(collectTexts(generalAdvice));
  const folderRoom = contentTokens * ADVICE_SHARE - countTokens(collectTexts(generalAdvice));
  // Only the file of the opportunity is known here; the other files that may be changed are chosen below.
  const reservedTokens = await countTokensForFolders(context, opportunity && [opportunity.path], folderRoom);
  const text = await createTaskText(context, request, opportunity, budget - reservedTokens, operation);
  if ('refused' in text) return text;
  const { sentence, demands, targets, elsewhere, addresses, target } = text;
  const targetPaths = new Set(targets.map(({ path }) => path));
  // For a change in words, the tests and the importers of the code matter as well. A fix and a migration name their
  // places themselves.
  const includesNeighbours = elsewhere && !('fix' in request || 'migration' in request);
  const choice = { excluded: targetPaths, withNeighbours: includesNeighbours };
  const related = await findRelatedFiles(context, text, choice, operation.signal);
  // A fix does not change tests, so tests other than the failing one would only distract. Lock files would, too.
  const relatedSources =
    'fix' in request ? related.filter(({ path }) => !isTestFile(path) && !isLockFile(path)) : related;
  if ('migration' in request && !isAgent && relatedSources.length === 0)
    return { refused: 'Nothing in the repository fits these words. Name the old code, such as a call, or a file.' };
  const remainingTokens = Math.max(0, budget - countTokens(collectTexts(targets)));
  const mayChange = [...targets, ...(elsewhere ? relatedSources : [])].map(({ path }) => path);
  const folderTokens = await countTokensForFolders(context, mayChange, Math.min(folderRoom, remainingTokens));
  const remaining = remainingTokens - folderTokens;
  const referenceTokens = Math.min(remaining, budget * REFERENCE_SHARE);
  const references = await findSimilarElsewhere(context, text.search, referenceTokens, operation);
  const researchTokens = Math.min(remaining - countTokens(collectTexts(references)), budget * RESEARCH_SHARE);
  const leastTokens = wordTokens + countTokens(collectTexts([...generalAdvice, ...targets, ...references]));
  const researchTopic = {
    task,
    wanted: mayResearch(leastTokens) ? (text.research ?? null) : null,
    texts: collectTexts([...targets, ...relatedSources]),
    isRetry: attempts.length > 0,
    size: researchTokens * CHARACTERS_PER_TOKEN,
  };
  const research = await researchOnline(context, researchTopic, operation);
  const unusedTokens = remainingTokens - countTokens(collectTexts([...references, ...research]));
  // Configuration explains how code is tested and laid out. Only a request that names it changes it.
  const namedPaths = new Set(findNamedPaths([...context.state.records.keys()], text.search));
  const isFixed = (path: string) =>
    'fix' in request ? isJudge(path) : (decidesChecks(path) || isConfiguration(path)) && !namedPaths.has(path);
  // A finding names another file if it is also about that file: the second place of equal code.
  const mayBeChanged = (path: string) =>
    elsewhere ? !isFixed(path) : opportunity !== null && namedPaths.has(path) && !isJudge(path);
  const roleOf = (path: string) => (mayBeChanged(path) ? ('target' as const) : ('related' as const));
  const roles = relatedSources.map((file) => ({ ...file, role: roleOf(file.path) }));
  const selectFilesWithin = (tokens: number) => [
    ...targets,
    ...fitIntoBudget(roles, elsewhere ? tokens : Math.min(tokens, budget * RELATED_SHARE)),
  ];
  // The files that fit may be in fewer folders than `relatedSources`, so their rule files may need less room.
  const adviceRoom = await countTokensForFolders(
    context,
    listChangeablePaths(selectFilesWithin(unusedTokens)),
    folderTokens,
  );
  const files = selectFilesWithin(unusedTokens - adviceRoom);
  const advice = [...generalAdvice, ...(await collectAdvice(context, listChangeablePaths(files), adviceRoom))];
  return {
    task: sentence,
    demands,
    files,
    attempts,
    ...(forgotten === 0 ? {} : { omittedAttempts: forgotten }),
    ...(lessons.length === 0 ? {} : { lessons }),
    ...(rules.length === 0 ? {} : { rules }),
    ...(references.length === 0 ? {} : { references }),
    ...(research.length === 0 ? {} : { research }),
    ...(advice.length === 0 ? {} : { advice }),
    rounds,
    ...(addresses === undefined ? {} : { addresses }),
    ...(target === undefined ? {} : { target }),
  };
}

/** The paths of the files that an answer may change. */
function listChangeablePaths(files: readonly ShownFile[]): readonly string[] {
  return files.flatMap(({ path, role }) => (role === 'target' ? [path] : []));
}

function collectTexts(files: readonly { readonly text: string }[]): readonly string[] {
  return files.map(({ text }) => text);
}

function countTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

/** True for a lock file of a package manager. */
function isLockFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return isJudge(path) && name.split(/[.-]/).some((part) => LOCK_FILE_WORDS.has(part));
}

/** Creates the text of a task of any kind. `budget`: tokens for files. */
async function createTaskText(
  context: SessionContext,
  request: TaskRequest,
  opportunity: Opportunity | null,
  budget: number,
  operation: Operation,
): Promise<TaskText | TaskRefusal> {
  if ('tests' in request) return createTestsTask(context, request.tests, budget, operation);
  if ('fix' in request) return createFixTask(context, request, budget, operation);
  if ('gain' in request) return createGainText(request);
  if ('words' in request) {
    const requestText = request.words.trim();
    const research = { words: requestText, subject: taskId(request) };
    const parts = { targets: [], elsewhere: true, firstFiles: [], search: requestText, research };
    const { acceptance = [] } = request;
    return acceptance.length === 0
      ? { sentence: requestText, demands: REQUEST_DEMANDS, ...parts }
      : { sentence: addAcceptance(requestText, acceptance), demands: ACCEPTED_DEMANDS, ...parts };
  }
  if ('acceptance' in request) return createAcceptanceText(request.acceptance.trim());
  if ('migration' in request) return createMigrationText(request.migration.trim());
  return createOpportunityText(context, opportunity!, budget * TARGET_SHARE);
}

/** Creates the text of the task to improve a place. Throws `notFound` if its file cannot be read. */
async function createOpportunityText(
  context: SessionContext,
  opportunity: Opportunity,
  budget: number,
): Promise<TaskText> {
  const { path, range, symbol, message } = opportunity;
  const text = await readTextOrNull(context, path);
  if (text === null) throw new SelfwareError('notFound', `${path} cannot be read.`);
  const counterexample =
    opportunity.rule === COUNTEREXAMPLE_RULE ? await findCounterexampleOf(context, opportunity) : null;
  if (counterexample) return createCounterexampleTask(context, counterexample, text, budget);
  const place = symbol === null ? '' : ` (${formatName(symbol)})`;
  const refused = (await context.ledger.refusals()).get(opportunity.id)?.reason ?? null;
  const tests = findReachingTests(context.state.imports, [path]).slice(0, 1);
  const shownLines = showLinesAround(text, range.startLine, range.endLine, budget);
  return {
    sentence: `In ${formatName(path)}, lines ${range.startLine} to ${range.endLine}${place}: ${joinLines(message)} Improve this place.`,
    demands: [
      opportunity.rule === 'unused-export'
        ? 'Keep what the code does, apart from the export that nobody uses: remove it, or stop exporting it.'
        : 'Keep what the code does. Nothing that it exports changes its name, its parameters or its result.',
      'If the finding names a limit, every step towards it counts. New functions have to stay within it.',
      ...(refused === null
        ? []
        : [`A mechanical rewrite was tried and gave nothing (${joinLines(refused)}), so do it by hand.`]),
    ],
    targets: [{ path, text: shownLines, role: 'target' }],
    target: findShownFunction(
      { path, text },
      shownLines,
      context.state.records.get(path)?.symbols ?? [],
      range,
      prepareTextToSend,
    ),
    elsewhere: false,
    firstFiles: [...tests, ...(context.state.imports.get(path) ?? [])],
    search: `${symbol ?? ''} ${message}`,
  };
}

/** The request with the tests that decide whether it is done. */
function addAcceptance(requestText: string, acceptance: readonly AcceptanceFile[]): string {
  const files = acceptance.map(({ path, after }) => `In ${escapeInvisibleLine(path)}:\n${fenceText(after)}`);
  return [requestText, 'It is done when this acceptance test passes.', ...files].join('\n\n');
}

/** Creates the text of the task to write an acceptance test. */
function createAcceptanceText(requestText: string): TaskText {
  return {
    sentence: `Write the acceptance test for this wish. Do not fulfil the wish itself:\n${fenceText(requestText)}`,
    demands: [
      'Change test files only: add cases to an existing test file, or write a new one where tests lie here.',
      'The test fails today, because the wish is not done, and passes for every correct way to do it.',
      'Test what the wish says through what the code exports, with inputs and results from the wish or worked out by hand.',
      'Use names that the code has. A new name only where the wish names it or leaves no other way.',
      'Use the test runner, the assertions and the style of the existing tests. Replace no module by a mock.',
    ],
    targets: [],
    elsewhere: true,
    firstFiles: [],
    search: requestText,
  };
}

/** Creates the text of the task to begin a migration. */
function createMigrationText(requestText: string): TaskText {
  return {
    sentence: `Begin this migration: make the change in two or three places, as examples of it.\n${fenceText(requestText)}`,
    demands: [
      'A program works out from your examples what they have in common, and makes the same change everywhere else.',
      'Choose places that differ in what varies, such as the arguments, and if possible in different files.',
      'Leave the other places as they are.',
      'Make the change in the same way each time, within one expression, such as a call with its arguments.',
      'Add the import that it needs, and do nothing else.',
      'Keep what the code does. Change no tests.',
    ],
    targets: [],
    elsewhere: true,
    firstFiles: [],
    search: requestText,
  };
}

/** Creates the text of the task to make a benchmark need less time or memory. */
function createGainText({ gain, about }: Extract<TaskRequest, { readonly gain: string }>): TaskText {
  const goal = gain === 'speed' ? 'faster' : 'smaller in memory';
  return {
    sentence: about,
    demands: [
      `Make the code ${goal}: the benchmark of this repository decides, in several series of runs, and 5 % is the least that counts.`,
      'Keep what the code does, and leave the benchmark and the tests as they are.',
    ],
    targets: [],
    elsewhere: true,
    firstFiles: [],
    search: about,
  };
}

/** A person's words in a task, or the description of a slow or large part; null for tasks without any words. */
function getRequestText(request: TaskRequest): string | null {
  if ('words' in request) return request.words;
  if ('gain' in request) return request.about;
  if ('migration' in request) return request.migration;
  return 'acceptance' in request ? request.acceptance : null;
}
