// Searches for calls that distinguish mutants: their results with a mutant differ from the results of the unchanged
// code. The result is a few small calls whose results are the same in a fresh process, in another time zone and
// language, at another time and with other random numbers.

import type { SkippedFunction } from '../../../core/verify/counterexamples/plan.ts';
import type {
  DistinguishingCall,
  DistinguishingOrder,
  DistinguishingReport,
} from '../../../core/verify/guard/distinguishingCalls.ts';
import type { ValueSpec } from '../messages.ts';
import { chooseCalls, computeReadingCost, type RatedCall } from './chooseCalls.ts';
import { createSwitchedSides, type SwitchedSides } from './switchedSides.ts';
import { formatCall } from './callText.ts';
import { collectFunctions } from './inputsNearExamples.ts';
import { conformsToParameters } from './typeConformance.ts';
import { selectRecordableResult } from './recordableResults.ts';
import { equalsWithoutOrder } from './compareUnordered.ts';
import { createFurtherInputs, type FurtherInputs } from './furtherInputs.ts';
import { collectFamiliarValues, collectVariationValues, createInputs } from './firstInputs.ts';
import { countTestInputs, rateStrangeness } from './rateInputs.ts';
import { findSmallestInput } from './smallestInput.ts';
import { isShortEnough } from './steps.ts';
import { createOrdinaryTest } from './ordinaryArguments.ts';

/** Weighted number of candidate calls of a mutant from which on no more are searched for it. */
const ENOUGH_WEIGHTED_CALLS = 6;
/**
 * A call whose strangeness costs a reader more than `FAMILIAR_ENOUGH` has only the weight `STRANGE_WEIGHT`, so that the
 * search for better ones continues.
 */
const [FAMILIAR_ENOUGH, STRANGE_WEIGHT] = [24, 0.25];
/**
 * The additional cost and the weight of a call that nobody would write (`ordinaryArguments.ts`). Such a call helps only
 * if it can be changed until it resembles a call of the tests.
 */
const [UNUSUAL_COST, UNUSUAL_WEIGHT] = [200, 0.1];
/**
 * Maximum number of inputs for which a function may hang or end its process. After more of them, no further inputs are
 * tried, because each costs the time of a new process.
 */
const MAX_BROKEN_INPUTS = 4;
/** The reason to skip a function whose calls return only undefined. */
const NOTHING_RETURNED = 'It returns nothing that could be compared.';
/** Minimum number of milliseconds for one function. If less time is left, the whole search ends. */
const MIN_MS = 200;
/** Milliseconds for choosing and simplifying the calls of a function, after the search for them. */
const FINISHING_MS = 4_000;
/** Maximum number of calls of a function that may be given up because they stay too long or unusual. */
const MAX_GIVEN_UP = 12;

/** Searches calls for all functions while time is left. `onReport` receives the report after each function. */
export async function findDistinguishingCalls(
  request: DistinguishingOrder,
  rootDir: string,
  entry: URL,
  onReport: (createReport: DistinguishingReport) => void,
): Promise<DistinguishingReport> {
  const sides = createSwitchedSides(request, rootDir, entry);
  const foundCalls: { of: number; calls: readonly DistinguishingCall[] }[] = [];
  const distinguishedMutants = new Set<number>();
  const mutantsOfTestCalls = new Set<number>();
  const mutantsBySubject: { of: number; mutants: readonly number[] }[] = [];
  const hungMutants = new Set<number>();
  const skipped: SkippedFunction[] = [];
  const counts = { functions: 0, inputs: 0 };
  const report = (doneCount: number): DistinguishingReport => ({
    obstacle: null,
    callsByFunction: [...foundCalls],
    detected: [...distinguishedMutants],
    detectedByTests: [...mutantsOfTestCalls],
    ...(request.exceptExamples && { toldBy: [...mutantsBySubject] }),
    skipped: [...skipped],
    ...counts,
    notCalledYet: request.subjects.length - doneCount,
  });
  let doneCount = 0;
  try {
    for (const [subjectIndex, subject] of request.subjects.entries()) {
      // `performance.now()` counts from the start of this thread, and so does the time of the order.
      const remainingMs = request.budgetMs - performance.now();
      if (remainingMs < MIN_MS) break;
      // A function may take up to three times its equal share; the time that it leaves goes to the functions after it.
      const until =
        performance.now() +
        Math.max(MIN_MS, Math.min(remainingMs, (3 * remainingMs) / (request.subjects.length - doneCount)));
      const search: SubjectSearch = {
        subjectIndex,
        order: request,
        sides,
        until,
        distinguished: distinguishedMutants,
        distinguishedByTests: mutantsOfTestCalls,
        mutantsOfSubject: new Set(),
        hung: hungMutants,
        // A single call is easier to read than several, so mutants that one shows need no steps.
        wantedMutants: new Set(subject.mutants ?? request.mutants),
        // Steps are varied in a different way.
        furtherInputs: subject.used
          ? null
          : createFurtherInputs(
              subject.examples,
              collectVariationValues(request, subjectIndex),
              request.nearbyCode ?? {},
              request.seed,
            ),
        functionTexts: collectFunctions([
          ...subject.examples,
          ...(subject.sequences ?? []).flatMap(({ making, steps }) => [making, ...steps.map(({ given }) => given)]),
        ]),
        droppedMutants: new Set(subject.used ? [...hungMutants, ...distinguishedMutants] : hungMutants),
        inputCount: 0,
        brokenCount: 0,
        hasAnswer: false,
        returnsNothing: false,
        skipReason: null,
        unfitReason: null,
      };
      const calls = await chooseCallsOfSubject(search);
      if (search.mutantsOfSubject.size > 0)
        mutantsBySubject.push({ of: subjectIndex, mutants: [...search.mutantsOfSubject] });
      if (search.inputCount > 0) counts.functions += 1;
      counts.inputs += search.inputCount;
      if (search.skipReason !== null)
        skipped.push({ path: subject.path, name: subject.name, reason: search.skipReason });
      else if (calls.length > 0) foundCalls.push({ of: subjectIndex, calls });
      doneCount += 1;
      onReport(report(doneCount));
    }
  } finally {
    sides.end();
  }
  return report(doneCount);
}

/** The search for calls of one function. */
interface SubjectSearch {
  /** Index in `order.subjects`. */
  readonly subjectIndex: number;
  readonly order: DistinguishingOrder;
  readonly sides: SwitchedSides;
  /** End of the search, on the clock of the thread. */
  readonly until: number;
  /** Mutants that a call of any function distinguishes. */
  readonly distinguished: Set<number>;
  /** Mutants that a call of the tests distinguishes, if the order excludes those calls. */
  readonly distinguishedByTests: Set<number>;
  /** Mutants that a call of this function distinguishes, those of the tests included. */
  readonly mutantsOfSubject: Set<number>;
  /** Mutants with which a call of any function hangs. */
  readonly hung: Set<number>;
  /** Mutants for which calls are searched. */
  readonly wantedMutants: ReadonlySet<number>;
  /** The texts of functions that the tests pass. */
  readonly functionTexts: readonly string[];
  /** Makes further inputs for mutants that no call distinguishes; null for inputs of several steps. */
  readonly furtherInputs: FurtherInputs | null;
  /** Mutants that are no longer tried, such as those that hang. */
  readonly droppedMutants: Set<number>;
  /** Number of inputs that were tried. */
  inputCount: number;
  /** Number of inputs for which the function hung or broke its process. */
  brokenCount: number;
  /** True if a call gave an answer other than undefined. */
  hasAnswer: boolean;
  /** True if a call returned undefined. */
  returnsNothing: boolean;
  /** The reason to skip the function, as a sentence; null if it is not skipped. */
  skipReason: string | null;
  /**
   * The reason why no test can record one of the calls, as a sentence for a person; null if there is no such reason.
   */
  unfitReason: string | null;
}

/**
 * Searches and chooses the calls of a function. Returns none if the function is skipped, or if `order.exceptExamples`
 * asks only which mutants are distinguished.
 */
async function chooseCallsOfSubject(search: SubjectSearch): Promise<readonly DistinguishingCall[]> {
  const { order, subjectIndex } = search;
  const candidates: RatedCall[] = [];
  const weightedCalls = new Map<number, number>();
  const texts = new Set<string>();
  const familiarValues = collectFamiliarValues(order, subjectIndex);
  const subject = order.subjects[subjectIndex]!;
  const isOrdinary = createOrdinaryTest(order, subjectIndex);
  const testInputCount = countTestInputs(subject);
  // One call is enough if the order asks only which mutants are distinguished.
  const enough = order.exceptExamples ? 1 : ENOUGH_WEIGHTED_CALLS;
  const tryInput = async (args: readonly ValueSpec[], level: number, isOfTests: boolean): Promise<void> => {
    const text = formatCallText(order, subjectIndex, args);
    if (texts.has(text)) return;
    texts.add(text);
    const call = await callIfDistinguishing(search, args, (mutant) => (weightedCalls.get(mutant) ?? 0) < enough);
    const tells = dropMutantsOfTestCalls(call?.tells ?? [], search, isOfTests);
    if (!call || tells.length === 0) return;
    const strangeness = rateStrangeness(subject, args, familiarValues);
    const isUsualInput = isOrdinary(args);
    const weight = isUsualInput ? (strangeness > FAMILIAR_ENOUGH ? STRANGE_WEIGHT : 1) : UNUSUAL_WEIGHT;
    for (const { mutant } of tells) weightedCalls.set(mutant, (weightedCalls.get(mutant) ?? 0) + weight);
    candidates.push({
      ...call,
      given: args,
      cost: computeReadingCost(call, level, strangeness) + (isUsualInput ? 0 : UNUSUAL_COST),
    });
  };
  const hasEnough = () => {
    for (const mutant of search.wantedMutants)
      if (!search.droppedMutants.has(mutant) && (weightedCalls.get(mutant) ?? 0) < enough) return false;
    return true;
  };
  const isFinished = () =>
    search.skipReason !== null ||
    search.brokenCount > MAX_BROKEN_INPUTS ||
    performance.now() >= search.until ||
    hasEnough();
  for (const level of [0, 1] as const) {
    for (const [inputIndex, args] of createInputs(order, subjectIndex, level).entries()) {
      if (isFinished()) break;
      // The calls of the tests are the first inputs of level 0.
      await tryInput(args, level, level === 0 && inputIndex < testInputCount);
    }
  }
  const isUncovered = (mutant: number) =>
    search.wantedMutants.has(mutant) &&
    !search.droppedMutants.has(mutant) &&
    !search.distinguished.has(mutant) &&
    !weightedCalls.has(mutant);
  for (const args of search.furtherInputs?.makeInputs(order.varied, isUncovered) ?? []) {
    if (isFinished()) break;
    if (subject.guided || conformsToParameters(args, subject.parameters, order.materials[subject.path]!.shapes))
      await tryInput(args, 0, false);
  }
  if (search.returnsNothing && !search.hasAnswer) search.skipReason ??= NOTHING_RETURNED;
  if (candidates.length === 0 && search.brokenCount > MAX_BROKEN_INPUTS)
    search.skipReason ??= 'Some of its calls take too long, or end the process.';
  if (candidates.length === 0) search.skipReason ??= search.unfitReason;
  if (search.skipReason !== null) return [];
  const noteDistinguished = ({ tells }: Pick<DistinguishingCall, 'tells'>) => {
    for (const { mutant } of tells) {
      search.distinguished.add(mutant);
      search.mutantsOfSubject.add(mutant);
    }
  };
  if (order.exceptExamples) {
    candidates.forEach(noteDistinguished);
    return [];
  }
  const chosenInputs = await chooseInputs(search, candidates, isOrdinary);
  for (const { call } of chosenInputs) noteDistinguished(call);
  return search.skipReason === null ? confirmCalls(search, chosenInputs) : [];
}

interface ChosenInput {
  readonly given: readonly ValueSpec[];
  readonly call: DistinguishingCall;
}

/** Chooses candidates and makes each as small as possible. Skips those that nobody would write or that are too long. */
async function chooseInputs(
  search: SubjectSearch,
  candidates: readonly RatedCall[],
  isOrdinary: (args: readonly ValueSpec[]) => boolean,
): Promise<readonly ChosenInput[]> {
  const { order, subjectIndex } = search;
  const until = performance.now() + FINISHING_MS;
  const chosenInputs: ChosenInput[] = [];
  const coveredMutants = new Set<number>();
  let openCandidates = candidates;
  let givenUpCount = 0;
  while (chosenInputs.length < order.maxCalls && givenUpCount <= MAX_GIVEN_UP) {
    const [next] = chooseCalls(openCandidates, 1, coveredMutants);
    if (!next) break;
    const isUsualNow = isOrdinary(next.given);
    const stillShows = async (args: readonly ValueSpec[]) => {
      if (performance.now() > until || (isUsualNow && !isOrdinary(args))) return false;
      const smaller = await callIfDistinguishing(search, args, (mutant) => next.newMutants.includes(mutant));
      return smaller !== null && smaller.tells.length === next.newMutants.length;
    };
    const smallestInput = await findSmallestInput(order, subjectIndex, next.given, stillShows);
    const call = isOrdinary(smallestInput) ? await callIfDistinguishing(search, smallestInput, () => true) : null;
    if (call && call.tells.length > 0 && isShortEnough(call)) {
      chosenInputs.push({ given: smallestInput, call });
      for (const { mutant } of call.tells) coveredMutants.add(mutant);
    } else givenUpCount += 1;
    openCandidates = openCandidates.filter((candidate) => candidate.given !== next.given);
  }
  return chosenInputs;
}

/**
 * The mutants that a call distinguishes. If the order excludes the calls of the tests, such a call distinguishes none,
 * and its mutants are dropped.
 */
function dropMutantsOfTestCalls(
  tells: DistinguishingCall['tells'],
  { order, droppedMutants, distinguishedByTests: toldByTests, mutantsOfSubject }: SubjectSearch,
  isOfTests: boolean,
): DistinguishingCall['tells'] {
  if (!order.exceptExamples || !isOfTests) return tells;
  for (const { mutant } of tells) {
    droppedMutants.add(mutant);
    toldByTests.add(mutant);
    mutantsOfSubject.add(mutant);
  }
  return [];
}

function formatCallText({ subjects }: DistinguishingOrder, subjectIndex: number, args: readonly ValueSpec[]): string {
  return formatCall(subjects[subjectIndex]!, args).call;
}

/**
 * Makes the call with the unchanged code, and with each wanted mutant that it reaches. Null if the call has no outcome,
 * or one that no test can record. A reason that a person should read is then put into `search.unfit` or
 * `search.inconclusive`.
 */
async function callIfDistinguishing(
  search: SubjectSearch,
  args: readonly ValueSpec[],
  isWanted: (mutant: number) => boolean,
): Promise<DistinguishingCall | null> {
  const { subjectIndex, order, sides } = search;
  const callText = formatCall(order.subjects[subjectIndex]!, args);
  const originalAnswer = await sides.callPlain(subjectIndex, args);
  search.inputCount += 1;
  if ('unloaded' in originalAnswer)
    search.skipReason = `It does not load here: ${originalAnswer.unloaded.split('\n')[0]}`;
  if ('broken' in originalAnswer) search.brokenCount += 1;
  if (!('switched' in originalAnswer)) return null;
  const { outcome, reached } = originalAnswer.switched;
  search.furtherInputs?.noteReached(reached, args);
  const recorded = selectRecordableResult(outcome, callText, search.functionTexts);
  if ('inconclusive' in recorded) search.skipReason = recorded.inconclusive;
  if ('unfit' in recorded && recorded.unfit !== true) search.unfitReason = recorded.unfit;
  const isNothing = !outcome.threw && outcome.expression === 'undefined';
  if (isNothing) search.returnsNothing = true;
  // Errors of the engine, and results of calls of a stand-in, do not count as answers.
  else if ('result' in recorded || ('unfit' in recorded && recorded.unfit === true && !outcome.threw))
    search.hasAnswer = true;
  if (!('result' in recorded)) return null;
  const tells: { mutant: number; then: string }[] = [];
  for (const mutant of reached) {
    if (!search.wantedMutants.has(mutant) || search.droppedMutants.has(mutant) || !isWanted(mutant)) continue;
    if (performance.now() >= search.until + FINISHING_MS) break;
    const mutatedAnswer = await sides.callMutated(subjectIndex, args, mutant);
    if (mutatedAnswer === null) {
      search.droppedMutants.add(mutant);
      search.hung.add(mutant);
    } else if (!equalsWithoutOrder(mutatedAnswer, outcome.first.result)) tells.push({ mutant, then: mutatedAnswer });
  }
  // If an earlier step fails with all of the mutants, a recorder without calls shows nothing.
  const isUncalled = callText.observed !== undefined && outcome.expression === '[]';
  if (isUncalled && tells.every(({ then }) => !then.startsWith('returns'))) tells.length = 0;
  return { ...callText, result: recorded.result, tells };
}

/**
 * The calls that three fresh processes confirm: one in the same environment, one in another time zone, language and
 * time, and one in which each call is made with a mutant that it distinguishes. Each call of several steps runs in
 * separate processes, so that no other call can prepare its state.
 */
async function confirmCalls(
  { subjectIndex, order, sides, functionTexts }: SubjectSearch,
  candidates: readonly { readonly given: readonly ValueSpec[]; readonly call: DistinguishingCall }[],
): Promise<readonly DistinguishingCall[]> {
  const { used } = order.subjects[subjectIndex]!;
  const callFresh: SwitchedSides['callFresh'] = async (of, calls, isAbroad) => {
    if (!used) return sides.callFresh(of, calls, isAbroad);
    const outcomes: Awaited<ReturnType<SwitchedSides['callFresh']>>[number][] = [];
    for (const call of calls) outcomes.push((await sides.callFresh(of, [call], isAbroad))[0] ?? null);
    return outcomes;
  };
  let confirmedCandidates = candidates;
  for (const isAbroad of [false, true]) {
    const outcomes = await callFresh(
      subjectIndex,
      confirmedCandidates.map(({ given: args }) => ({ given: args, mutant: null })),
      isAbroad,
    );
    confirmedCandidates = confirmedCandidates.filter(({ call }, index) => {
      const outcome = outcomes[index];
      const recorded =
        outcome && typeof outcome !== 'string' ? selectRecordableResult(outcome, call, functionTexts) : null;
      return recorded && 'result' in recorded && JSON.stringify(recorded.result) === JSON.stringify(call.result);
    });
  }
  const mutantResults = await callFresh(
    subjectIndex,
    confirmedCandidates.map(({ given: args, call }) => ({ given: args, mutant: call.tells[0]!.mutant })),
    false,
  );
  return confirmedCandidates
    .filter(({ call }, index) => mutantResults[index] === call.tells[0]!.then)
    .map(({ call }) => call);
}
