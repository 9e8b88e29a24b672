// Finds a mutant that new tests notice and all other tests miss.

import { detectRunner } from '../detect/testRunner.ts';
import { tryInProcess } from '../guard/inProcess.ts';
import { describeMutant, runProbed, type MutantStatus } from '../guard/mutantRuns.ts';
import type { Mutant, MutantPlan } from '../guard/planMutants.ts';
import type { TestRun } from '../testing/testRun.ts';
import { markTimeDependent } from '../busyMachine.ts';
import { formatCount, failed, passed, unknown, type GateAnswer } from '../answer.ts';
import { RUN_COUNT } from './fix.ts';
import { measureEarnedPoints, addEarnedPoints } from './earnedPoints.ts';
import { describeNoticedMistakes } from './noticedMistakes.ts';
import { createQuietTests, type QuietTests } from './testsWithoutMutant.ts';
import {
  isMissedInTwoRuns,
  areProbesHarmless,
  runOtherTestsWithMutant,
  type OtherTestsResult,
} from './missedByOthers.ts';
import {
  findContradiction,
  isNoticedAlone,
  runOtherTests,
  runNewTestsWithMutant,
  tryQuietTests,
  runWithoutNewTests,
  type NewTestRunContext,
} from './newTestRuns.ts';
import { NOTICED_MISTAKES, QUIET_TESTS } from '../../model/evidence.ts';

/**
 * Minimum number of mutants that are tried even if the time is up, because on a busy machine the earlier runs may take
 * all of it.
 */
const MIN_TRIED_MUTANTS = 2;
/**
 * Maximum number of requested mutants that are tried before the runs that record which mutants the other tests reach.
 */
const MAX_REQUESTED = 3;
/** Maximum number of requested mutants that are tried in any case while some new tests have noticed none. */
const MAX_FOR_QUIET_TESTS = 8;
/** Time in milliseconds for mutants in further lines that no test ran before. Each needs its own runs. */
const EXTRA_TIME_FOR_NEW_LINES_MS = 20_000;
/** Time in milliseconds for further mutants while some new tests have noticed none. */
const EXTRA_TIME_FOR_QUIET_TESTS_MS = 15_000;

/** The input of a search for mutants that only the new tests notice. */
export interface MutantSearch extends NewTestRunContext {
  readonly plan: MutantPlan;
  /** The first run of the files with the new tests, without a mutant. */
  readonly first: TestRun;
}

/** The state of a search. */
interface SearchState extends MutantSearch {
  readonly quiet: QuietTests;
  /** Descriptions, by `describeMutant`, of the mutants for which the tests were written. */
  readonly requested: ReadonlySet<string>;
  /** The mutants of the plan that have one of these descriptions. */
  readonly requestedMutants: readonly Mutant[];
  /** Time for the search, in seconds. */
  readonly seconds: number;
  readonly endAt: number;
  /** The statuses of mutants in runs with several mutants. */
  readonly jointStatuses: Map<Mutant, MutantStatus>;
  /** Mutants that do not prove the tests, as runs with a single mutant have shown. */
  readonly excluded: Map<Mutant, MutantStatus>;
  /** Excluded mutants that the new tests notice, but other tests also notice. */
  readonly noticedByOthers: Set<Mutant>;
  /** Runs the new tests with probes. Later calls return the result of the first. */
  probeNewTests(): ReturnType<typeof runProbed>;
}

/** A mutant that the new tests notice and all others miss. */
interface ShownMutant {
  readonly mutant: Mutant;
  /** Number of mutants that were tried. */
  readonly triedCount: number;
  /** The run of the new tests without a mutant. */
  readonly baseline: TestRun;
  /** True if no other test reaches the mutant; false if one does, or if that is unknown. */
  readonly isNew: boolean;
  /** Further mutants that the new tests may notice. */
  findFurther(): Promise<readonly Mutant[]>;
  /** Further mutants that perhaps no other test reaches. */
  findFurtherNew(): Promise<readonly Mutant[]>;
}

/**
 * Creates the answer for the new tests. A single mutant that only they notice is enough. Requested mutants come first:
 * a search has shown that the other tests miss them, so one run of all other tests usually decides.
 */
export async function findUnnoticedMutant(search: MutantSearch): Promise<GateAnswer> {
  const { run, plan, newTests, textOf, command, chosen, signal } = search;
  const { clock, proof } = run.context;
  const seconds = proof?.settings.guardSeconds ?? 0;
  const requested = new Set(run.proposal.addresses);
  let probedRun: ReturnType<typeof runProbed> | undefined;
  const state: SearchState = {
    ...search,
    quiet: createQuietTests(newTests),
    requested,
    requestedMutants: plan.mutants.filter((mutant) => requested.has(describeMutant(mutant))),
    seconds,
    endAt: clock.now() + seconds * 1000,
    jointStatuses: new Map(),
    excluded: new Map(),
    noticedByOthers: new Set(),
    probeNewTests: () => (probedRun ??= runProbed(run, textOf, plan, command, chosen.commands, signal)),
  };
  const shownMutant = await findRequestedMutant(state);
  return shownMutant === null ? findAnyMutant(state) : answerWith(state, shownMutant);
}

/** Finds a requested mutant that only the new tests notice; null if none is found soon. */
async function findRequestedMutant(state: SearchState): Promise<ShownMutant | null> {
  const { run, plan, requestedMutants, first, quiet, jointStatuses, excluded } = state;
  if (requestedMutants.length === 0) return null;
  if (requestedMutants.length > 1) await tryInOneRun(state, requestedMutants, first);
  // If a runner cannot try several mutants in one run, all of them count as noticed here. Mutants of one line may have
  // the same description, so some of them may be noticed by other tests; unique ones come first.
  const countNamesakes = (mutant: Mutant) =>
    requestedMutants.filter((candidate) => describeMutant(candidate) === describeMutant(mutant)).length;
  const candidates = requestedMutants
    .filter((mutant) => (jointStatuses.get(mutant) ?? 'noticed') === 'noticed')
    .toSorted((a, b) => countNamesakes(a) - countNamesakes(b));
  /**
   * Mutants for which the run of the other tests was inconclusive. If no requested mutant is shown, they are tried
   * again together with all others.
   */
  const open = new Map<Mutant, MutantStatus>();
  for (const [index, mutant] of candidates.slice(0, MAX_REQUESTED).entries()) {
    if (run.context.clock.now() > state.endAt && index >= MIN_TRIED_MUTANTS) return null;
    const status = await runNewTestsWithMutant(state, mutant, first, quiet);
    if (status !== 'noticed') {
      excluded.set(mutant, status);
      continue;
    }
    const probeIds = new Set(requestedMutants.map(({ probe }) => probe));
    const probes = plan.probes.filter(({ id }) => probeIds.has(id));
    const otherTestsResult = await runOtherTests(state, probes, mutant);
    if (otherTestsResult.status !== 'missed') {
      if (otherTestsResult.status === 'noticed') state.noticedByOthers.add(mutant);
      (otherTestsResult.status === 'noticed' ? excluded : open).set(mutant, 'unjudged');
      continue;
    }
    for (const [candidate, openStatus] of open) excluded.set(candidate, openStatus);
    jointStatuses.set(mutant, status);
    const isNew = mutant.probe !== null && !otherTestsResult.reached.has(mutant.probe);
    const findFurther = async () => {
      const { reached } = await state.probeNewTests();
      const isReached = ({ probe }: Mutant) => probe === null || reached.has(probe);
      const reachedCandidates = [...new Set([...candidates, ...plan.mutants.filter(isReached)])];
      return reachedCandidates.filter((candidate) => candidate !== mutant && isOpen(candidate, state));
    };
    // If the other tests reach this mutant, there are no further new ones. Otherwise, coverage decides later which are
    // new.
    const findFurtherNew = async () => (isNew ? findFurther() : []);
    return { mutant, triedCount: index + 1, baseline: first, isNew, findFurther, findFurtherNew };
  }
  return null;
}

/** The answer with any mutant that the new tests reach. Mutants that no other test reaches come first. */
async function findAnyMutant(state: SearchState): Promise<GateAnswer> {
  const { run, chosen, plan, textOf, signal, newTests, requested, quiet, jointStatuses, excluded, endAt } = state;
  const { clock } = run.context;
  const tests = newTests.length;
  const probedNewRun = await state.probeNewTests();
  // Code that runs when the module is loaded has no probe.
  const reachedMutants = plan.mutants.filter(({ probe }) => probe === null || probedNewRun.reached.has(probe));
  if (reachedMutants.length === 0) return failed('The new tests run none of the code that they import.', { tests });
  const probedOtherRun = await runWithoutNewTests(run, () =>
    runProbed(run, textOf, plan, chosen.commands.allTests, chosen.commands, signal),
  );
  // Some tests fail with probes, such as those that run without Node's own modules, in a simulated browser. It is then
  // unknown what the tests reach, and each mutant needs its own run of them.
  const othersRunWithProbes = areProbesHarmless(probedOtherRun.probed, chosen.base);
  const isUnknownToOthers = ({ probe }: Mutant) =>
    othersRunWithProbes && probe !== null && !probedOtherRun.reached.has(probe);
  const priority = (mutant: Mutant) =>
    (requested.has(describeMutant(mutant)) ? 2 : 0) + (isUnknownToOthers(mutant) ? 1 : 0);
  const orderedMutants = reachedMutants.toSorted((a, b) => priority(b) - priority(a));
  const untried = orderedMutants.filter((mutant) => !jointStatuses.has(mutant) && !excluded.has(mutant));
  await tryInOneRun(state, untried, probedNewRun.probed);
  // A mutant that the new tests miss in a joint run is not tried again.
  const missedMutants = orderedMutants.filter(
    (mutant) => jointStatuses.get(mutant) === 'survived' || jointStatuses.get(mutant) === 'unreached',
  );
  const isOpen = (mutant: Mutant) => !excluded.has(mutant);
  const noticedTogether = orderedMutants.filter((mutant) => jointStatuses.get(mutant) === 'noticed' && isOpen(mutant));
  const undecidedMutants = orderedMutants.filter(
    (mutant) => (!jointStatuses.has(mutant) || jointStatuses.get(mutant) === 'stopped') && isOpen(mutant),
  );
  let triedCount = missedMutants.length + excluded.size;
  let noticed = state.noticedByOthers.size;
  let open = 0;
  const promisingMutants = [...noticedTogether, ...undecidedMutants];
  for (const [index, mutant] of promisingMutants.entries()) {
    if (clock.now() > endAt && index >= MIN_TRIED_MUTANTS) break;
    triedCount += 1;
    const status = await runNewTestsWithMutant(state, mutant, probedNewRun.probed, quiet);
    if (status !== 'noticed') {
      excluded.set(mutant, status);
      continue;
    }
    noticed += 1;
    const statusWithOthers = await tryMutantOnOthers(mutant);
    if (statusWithOthers === 'open') open += 1;
    if (statusWithOthers !== 'missed') {
      excluded.set(mutant, 'unjudged');
      continue;
    }
    jointStatuses.set(mutant, status);
    const furtherMutants = promisingMutants.slice(index + 1);
    return answerWith(state, {
      mutant,
      triedCount,
      baseline: probedNewRun.probed,
      isNew: isUnknownToOthers(mutant),
      findFurther: async () => furtherMutants,
      findFurtherNew: async () =>
        promisingMutants.filter((candidate) => isUnknownToOthers(candidate) && !excluded.has(candidate)),
    });
  }
  return answerWithoutMutant(state, { othersRunWithProbes, reached: orderedMutants.length, triedCount, noticed, open });

  async function tryMutantOnOthers(mutant: Mutant): Promise<OtherTestsResult> {
    if (isUnknownToOthers(mutant)) return 'missed';
    return runWithoutNewTests(run, async () => {
      if (othersRunWithProbes) return runOtherTestsWithMutant(state, mutant, probedOtherRun.probed);
      return (await isMissedInTwoRuns(state, mutant)) ? 'missed' : 'open';
    });
  }
}

/** The answer with a mutant that only the new tests notice, unless further runs contradict it. */
async function answerWith(state: SearchState, shown: ShownMutant): Promise<GateAnswer> {
  const { run, chosen, newTests, requested, requestedMutants, quiet, jointStatuses, excluded, endAt } = state;
  const { mutant, baseline, triedCount: mutants } = shown;
  const { clock } = run.context;
  const tests = newTests.length;
  const contradiction = await findContradiction(state, mutant, baseline);
  if (contradiction !== null) return { ...contradiction, evidence: { ...contradiction.evidence, tests, mutants } };
  const furtherStatuses = await findMistakesOfQuietTests(state, shown);
  const isRequested = requested.has(describeMutant(mutant));
  // If a runner cannot try several mutants in one run, the runs with a single requested mutant count.
  const statuses = new Map([...jointStatuses, ...excluded, ...furtherStatuses]);
  const { text, noticed: mistakes } = describeNoticedMistakes(
    describeMutant(mutant),
    isRequested ? requestedMutants.flatMap((candidate) => statuses.get(candidate) ?? []) : [],
    isRequested ? requested.size : 1,
    { isPart: chosen.isPart, isNearby: run.proposal.nearby },
  );
  return addEarnedPoints(
    passed(
      `${formatCount(tests, 'new test passes', 'new tests pass')} ${RUN_COUNT} times, and ` +
        `${tests === 1 ? 'notices' : 'notice'} ${text}.${quiet.sentence}`,
      {
        tests,
        [NOTICED_MISTAKES]: mistakes,
        mutant: describeMutant(mutant),
        mutants,
        ...(quiet.size === 0 ? {} : { [QUIET_TESTS]: quiet.size }),
      },
    ),
    await measureEarnedPoints(run, chosen.base, {
      confirmed: shown.isNew ? mutant : null,
      unconfirmed: await shown.findFurtherNew(),
      until: Math.min(endAt, clock.now() + EXTRA_TIME_FOR_NEW_LINES_MS),
      isNoticed: (candidate) => isNoticedAlone(state, candidate, baseline),
    }),
  );
}

/**
 * Tries mutants until each new test has noticed one. Each test was written for some of the requested mutants, so a few
 * of these are tried in any case, and others only while there is time. Returns the status of each tried mutant.
 */
async function findMistakesOfQuietTests(
  state: SearchState,
  { mutant, baseline, findFurther }: ShownMutant,
): Promise<ReadonlyMap<Mutant, MutantStatus>> {
  const { run, requestedMutants, quiet, endAt } = state;
  const otherMutants = requestedMutants
    .filter((candidate) => candidate !== mutant && isOpen(candidate, state))
    .slice(0, MAX_FOR_QUIET_TESTS);
  const statuses = await tryQuietTests(state, quiet, {
    others: otherMutants,
    until: Number.POSITIVE_INFINITY,
    baseline,
  });
  if (quiet.size === 0) return statuses;
  const until = Math.min(endAt, run.context.clock.now() + EXTRA_TIME_FOR_QUIET_TESTS_MS);
  const furtherMutants = (await findFurther()).filter((candidate) => !statuses.has(candidate));
  return new Map([...statuses, ...(await tryQuietTests(state, quiet, { others: furtherMutants, until, baseline }))]);
}

/** True unless the mutant was excluded, or a run of all tests has missed it. */
function isOpen(mutant: Mutant, { jointStatuses, excluded }: SearchState): boolean {
  return !excluded.has(mutant) && (jointStatuses.get(mutant) ?? 'noticed') === 'noticed';
}

/** The answer if no mutant was found that only the new tests notice. */
function answerWithoutMutant(
  { seconds, newTests }: SearchState,
  {
    othersRunWithProbes,
    reached,
    triedCount,
    noticed,
    open,
  }: {
    readonly othersRunWithProbes: boolean;
    readonly reached: number;
    readonly triedCount: number;
    readonly noticed: number;
    /** Number of noticed mutants for which it is unknown whether the other tests also notice them. */
    readonly open: number;
  },
): GateAnswer {
  const evidence = { tests: newTests.length, mutants: triedCount, noticed };
  // If the other tests fail with any change of the code, they seem to notice everything.
  if (!othersRunWithProbes)
    return markTimeDependent(
      unknown(
        'The other tests do not run as they did before, so nobody can say what only the new ones notice.',
        evidence,
      ),
    );
  if (triedCount < reached)
    return markTimeDependent(
      unknown(
        `Within ${seconds} s no mistake was found that only the new tests notice (${triedCount} of ${reached} mutants tried).`,
        evidence,
      ),
    );
  if (open > 0)
    return markTimeDependent(
      unknown(
        `The other tests were stopped, or not all of them ran, with ${formatCount(open, 'mutant')} that the new tests notice, so nobody can say whether only the new ones do.`,
        evidence,
      ),
    );
  return failed(
    noticed === 0
      ? `The new tests notice none of ${formatCount(triedCount, 'mutant')} of the code that they run.`
      : noticed === 1
        ? 'The one mutant that the new tests notice is noticed by other tests already.'
        : `Each of the ${formatCount(noticed, 'mutant')} that the new tests notice is noticed by other tests already.`,
    evidence,
  );
}

/** Tries the mutants in one run of the new tests if the runner allows that. */
async function tryInOneRun(state: SearchState, chosenMutants: readonly Mutant[], baseline: TestRun): Promise<void> {
  const { run, plan, textOf, command, chosen, seconds, signal, jointStatuses } = state;
  const result = await tryInProcess(
    run,
    plan,
    textOf,
    {
      ...{ command, chosenMutants, commands: chosen.commands },
      runner: detectRunner(chosen.command, await run.project())?.name,
      preload: run.context.proof?.inTests ?? null,
      millis: (seconds * 1000) / 2,
      baseMillis: baseline.answer.millis,
    },
    signal,
  );
  for (const [mutant, status] of result.statuses) jointStatuses.set(mutant, status);
}
