// Searches for calls that break a law (`Law` in plan.ts), such as functions that raise an error of the engine. A call
// that breaks a law is made smaller, confirmed in fresh processes, and reported.

import fc from 'fast-check';
import type {
  Counterexample,
  Law,
  SkippedFunction,
  SearchOrder,
  SearchReport,
  Subject,
} from '../../core/verify/counterexamples/plan.ts';
import { compileAll } from './compile.ts';
import type { ValueSpec, ProbeResult, SideStart } from './messages.ts';
import type { Shape } from '../../core/verify/differential/plan.ts';
import type { Level } from './plausibleValues.ts';
import { CALL_MS, startSide, type ProbeAnswer, type SideProcess } from './sideProcesses.ts';
import { takesLongerWithSize } from './breaking/growingTime.ts';
import { collectSubjects, createLawInputs } from './breaking/lawInputs.ts';
import { makeSmaller } from './shrinkValues.ts';
import { formatAsCode } from './sourceCode.ts';
import { WRONG_FORMAT_PATTERN } from './distinguishing/switchedSides.ts';

/** Maximum number of counterexamples of one law. Only a law about errors can have several, from different places. */
const MAX_COUNTEREXAMPLES = 3;
/** Maximum number of hanging calls of one law: the first, and those with which fast-check tries to shrink it. */
const MAX_HANGS = 4;
/** Number of hanging calls without a defect after which the search for a law ends. Each takes its whole time limit. */
const MAX_EXCUSED_HANGS = 2;
/** Milliseconds for a call in a fresh process. They are enough on a busy machine. */
const CONFIRM_MS = 10_000;
/** Minimum number of milliseconds for one law. If less time is left, the whole search ends. */
const MIN_MS = 150;
/** Maximum length of a call. A longer one is hard to read, and its values are unlikely in real use. */
const MAX_CALL_LENGTH = 240;

const GROWING_TIME = 'It takes very long with larger numbers, and ends with smaller ones.';

/** Searches counterexamples for all laws while time is left. `onReport` receives the report after each law. */
export async function searchCounterexamples(
  request: SearchOrder,
  rootDir: string,
  entry: URL,
  onReport: (createReport: SearchReport) => void,
): Promise<SearchReport> {
  // `performance.now()` counts from the start of this thread, and so does the time of the order.
  const endAt = request.budgetMs;
  const sides = createSides(request, rootDir, entry);
  const counterexamples: Counterexample[] = [];
  const triedCounts: Record<number, number> = {};
  const skipped = new Map<string, SkippedFunction>();
  const cutShort: number[] = [];
  const report = (doneCount: number): SearchReport => ({
    obstacle: null,
    counterexamples: [...counterexamples],
    inputCounts: { ...triedCounts },
    skipped: [...skipped.values()],
    done: doneCount,
    cutShort: [...cutShort],
    total: request.laws.length,
  });
  const { laws } = request;
  // The start of the process does not count towards the time of the first law.
  await sides.start();
  let doneCount = 0;
  for (const law of laws) {
    const remainingMs = endAt - performance.now();
    if (remainingMs < MIN_MS) break;
    // A law may take up to four times its equal share; the time that it leaves goes to the laws after it.
    const share = Math.max(MIN_MS, Math.min(remainingMs, (4 * remainingMs) / (laws.length - doneCount)));
    const result = await searchLaw({ law, order: request, sides, searchEnd: performance.now() + share });
    counterexamples.push(...result.counterexamples);
    for (const subjectIndex of collectSubjects(law))
      triedCounts[subjectIndex] = (triedCounts[subjectIndex] ?? 0) + result.inputCount;
    if (result.skipReason !== null) {
      const { path, name } = request.subjects[collectSubjects(law)[0]!]!;
      skipped.set(`${path} ${name}`, { path, name, reason: result.skipReason });
    }
    if (result.isCut) cutShort.push(doneCount);
    doneCount += 1;
    onReport(report(doneCount));
  }
  sides.end();
  return report(doneCount);
}

/** The result of the search for one law. */
interface LawResult {
  readonly counterexamples: readonly Counterexample[];
  /** Number of inputs that were tried. */
  readonly inputCount: number;
  /** The reason why the calls showed nothing, as a sentence; null if they did. */
  readonly skipReason: string | null;
  /** True if the time of the law ended before all inputs were tried, and nothing was found. */
  readonly isCut: boolean;
}

/** The search for one law. */
interface LawSearch extends LawInput {
  /** Places (`formatSite`) of the errors that were found already. */
  readonly knownSites: Set<string>;
  /** Number of inputs that were tried. */
  inputCount: number;
  /** Number of hanging calls that may show a defect. */
  hangCount: number;
  /** Number of hanging calls that show no defect. */
  excusedHangCount: number;
  skipReason: string | null;
}

interface LawInput {
  readonly law: Law;
  readonly order: SearchOrder;
  readonly sides: Sides;
  /** End of the search, on the clock of the thread. */
  readonly searchEnd: number;
}

/** A call that breaks the law. */
type Broken = Extract<ProbeResult, { readonly broken: unknown }>;

async function searchLaw(input: LawInput): Promise<LawResult> {
  const { law, order, sides, searchEnd } = input;
  const lawSearch: LawSearch = {
    ...input,
    knownSites: new Set(),
    inputCount: 0,
    hangCount: 0,
    excusedHangCount: 0,
    skipReason: null,
  };
  const counterexamples: Counterexample[] = [];
  const isFinished = () => shouldEndEarly(lawSearch) || lawSearch.hangCount > 0 || performance.now() >= searchEnd;
  for (const level of [0, 1, 2] as const) {
    if (order.runs[level] === 0 || (level === 2 && counterexamples.length > 0)) break;
    for (
      let round = 0;
      round < MAX_COUNTEREXAMPLES && counterexamples.length < MAX_COUNTEREXAMPLES && !isFinished();
      round += 1
    ) {
      const violation = await findBreakingInput(lawSearch, level, order.seed + level + 7 * round);
      if (violation === null) break;
      const args = await findSmallerInput(law, violation.args, order, sides, violation.broken);
      if (violation.broken === 'hangs' && (await takesLongerWithSize(law, args, sides))) {
        lawSearch.skipReason = GROWING_TIME;
        return createResult();
      }
      const counterexample = await confirmBreach(law, args, order, sides, level);
      if (counterexample && counterexample.call.length <= MAX_CALL_LENGTH) counterexamples.push(counterexample);
      lawSearch.knownSites.add(counterexample?.site ?? formatSite(violation.broken));
      // Errors may come from several places, so only the search for them continues, up to a limit. Any other law rarely
      // fails in a second way.
      if (law.kind !== 'breaks') return createResult();
    }
  }
  return createResult();

  function createResult(): LawResult {
    const { inputCount, skipReason, hangCount } = lawSearch;
    const isShown = counterexamples.length > 0 || hangCount > 0 || skipReason !== null;
    return {
      counterexamples: counterexamples,
      inputCount: inputCount,
      skipReason: skipReason,
      isCut: !isShown && performance.now() >= searchEnd,
    };
  }
}

/** True if no further input should be tried, although there may be time left. */
function shouldEndEarly({ skipReason, excusedHangCount }: LawSearch): boolean {
  return skipReason !== null || excusedHangCount >= MAX_EXCUSED_HANGS;
}

/** An input for which the law is broken, as small as fast-check could make it; null if none was found. */
async function findBreakingInput(
  lawSearch: LawSearch,
  level: Level,
  seed: number,
): Promise<{ readonly args: readonly ValueSpec[]; readonly broken: Broken | 'hangs' } | null> {
  const { law, order, searchEnd } = lawSearch;
  let violation: Broken | 'hangs' | null = null;
  const property = fc.asyncProperty(createLawInputs(law, order, level), async (args) => {
    if (shouldEndEarly(lawSearch) || lawSearch.hangCount >= MAX_HANGS) return;
    if (violation !== null && performance.now() >= searchEnd) return;
    const brokenNow = await findBreach(lawSearch, args, level);
    if (brokenNow === null) return;
    violation = brokenNow;
    throw new Error('broken');
  });
  const details = await fc.check(property, {
    seed,
    numRuns: order.runs[level],
    interruptAfterTimeLimit: Math.max(1, searchEnd - performance.now()),
    markInterruptAsFailure: false,
    timeout: undefined as unknown as number,
  });
  return details.failed && details.counterexample && violation !== null
    ? { args: details.counterexample[0], broken: violation }
    : null;
}

/**
 * The breach of the law by an input; null if there is none, if its place is known already, or if it shows no defect.
 */
async function findBreach(
  lawSearch: LawSearch,
  args: readonly ValueSpec[],
  level: Level,
): Promise<Broken | 'hangs' | null> {
  const { law, order, sides, knownSites } = lawSearch;
  const answer = await sides.ask(law, args);
  lawSearch.inputCount += 1;
  if ('unloaded' in answer) {
    lawSearch.skipReason = `It does not load here: ${answer.unloaded.reason.split('\n')[0]}`;
    return null;
  }
  if ('hangs' in answer || 'broken' in answer) {
    // A huge number may take long on purpose.
    const { readsClock } = order.subjects[collectSubjects(law)[0]!]!;
    if (readsClock || law.kind !== 'breaks' || level === 2) {
      lawSearch.excusedHangCount += 1;
      if (shouldEndEarly(lawSearch))
        lawSearch.skipReason =
          readsClock && 'hangs' in answer
            ? 'It waits for the clock, which stands still here.'
            : `${MAX_EXCUSED_HANGS} inputs took too long or ended the process, so no others were tried.`;
      return null;
    }
    lawSearch.hangCount += 1;
    return 'hangs';
  }
  const { probed } = answer;
  if ('inconclusive' in probed) lawSearch.skipReason = formatAsSentence(probed.inconclusive);
  if (!('broken' in probed) || knownSites.has(formatSite(probed))) return null;
  // A refusal of a huge length is right.
  return level === 2 && probed.broken.observed.startsWith('throws RangeError') ? null : probed;
}

/** A smaller input that breaks the law in the same way; `args` itself if the call hangs or none was found. */
async function findSmallerInput(
  law: Law,
  args: readonly ValueSpec[],
  request: SearchOrder,
  sides: Sides,
  violation: Broken | 'hangs',
): Promise<readonly ValueSpec[]> {
  // Each attempt with an endless call takes its whole time limit.
  if (violation === 'hangs') return args;
  const subject = request.subjects[collectSubjects(law)[0]!]!;
  const { shapes } = request.materials[subject.path]!;
  const firstShape = subject.parameters[0]!.shape;
  const findShape = (index: number): Shape => {
    if (law.kind === 'roundTrip') return law.image ? { kind: 'string' } : (law.input ?? firstShape);
    if (law.kind === 'order') return firstShape;
    const { parameters } = subject;
    const parameter = parameters[Math.min(index, parameters.length - 1)]!;
    return parameter.rest && parameter.shape.kind === 'array' ? parameter.shape.of : parameter.shape;
  };
  return makeSmaller(args, findShape, shapes, async (smallerArgs) => {
    const answer = await sides.ask(law, smallerArgs);
    return 'probed' in answer && 'broken' in answer.probed && formatSite(answer.probed) === formatSite(violation);
  });
}

/** A text that identifies the place of the error. Empty if the call hangs or the error has no place. */
function formatSite(violation: Broken | 'hangs'): string {
  return violation === 'hangs' ? '' : (violation.broken.site ?? '');
}

/**
 * The counterexample, if two fresh processes show the same breach; otherwise null. One process is enough for a call
 * that hangs, because it has hung in another process before.
 */
async function confirmBreach(
  law: Law,
  args: readonly ValueSpec[],
  request: SearchOrder,
  sides: Sides,
  level: Level,
): Promise<Counterexample | null> {
  const firstAnswer = await sides.askFresh(law, args);
  const secondAnswer = 'hangs' in firstAnswer ? firstAnswer : await sides.askFresh(law, args);
  if ('unloaded' in firstAnswer || 'unloaded' in secondAnswer) return null;
  const [subjectIndex = 0, partnerIndex] = law.kind === 'roundTrip' ? [law.encode, law.decode] : [law.of];
  const subject = request.subjects[subjectIndex]!;
  const partner = partnerIndex === undefined ? null : request.subjects[partnerIndex]!;
  const common = {
    path: subject.path,
    name: subject.name,
    exportedAs: subject.exportedAs,
    partner: partner && { path: partner.path, name: partner.name, exportedAs: partner.exportedAs },
    unlikely: level === 2 || subject.precondition !== undefined,
    ...(subject.precondition !== undefined && { precondition: subject.precondition }),
  };
  if ('probed' in firstAnswer && 'probed' in secondAnswer) {
    if (!('broken' in firstAnswer.probed) || JSON.stringify(firstAnswer.probed) !== JSON.stringify(secondAnswer.probed))
      return null;
    return { ...common, ...firstAnswer.probed.broken, kind: firstAnswer.probed.broken.kind };
  }
  if ('probed' in firstAnswer || 'probed' in secondAnswer || law.kind !== 'breaks') return null;
  const call = `${subject.name}(${args.map(formatAsCode).join(', ')})`;
  return {
    ...common,
    kind: 'endless',
    call,
    calls: [call],
    expected: 'should take less time',
    observed:
      'hangs' in firstAnswer
        ? `took longer than ${CONFIRM_MS / 1000} s`
        : 'ends its process, as a call does that needs more and more memory',
    equals: null,
    site: `${subject.path} ${subject.name} endless`,
  };
}

function formatAsSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

interface Sides {
  start(): Promise<void>;
  /** Checks a law for these values in a running process. A call that takes longer than `CALL_MS` hangs. */
  ask(law: Law, args: readonly ValueSpec[]): Promise<ProbeAnswer>;
  /** Checks a law for these values in a new process, within `CONFIRM_MS`. */
  askFresh(law: Law, args: readonly ValueSpec[]): Promise<ProbeAnswer>;
  end(): void;
}

/**
 * Creates the sides: a process for code that loads in the formats that the configuration states, and one for code that
 * loads only as ES modules. Each is started when it is first needed.
 */
function createSides(request: SearchOrder, rootDir: string, entry: URL): Sides {
  const starts = new Map<boolean, SideStart>();
  const runningSides = new Map<boolean, SideProcess>();
  /** Paths of files that load only as ES modules. */
  const modulePaths = new Set<string>();
  const shapes = Object.fromEntries(
    Object.entries(request.materials).map(([path, material]) => [path, material.shapes]),
  );
  const provideStart = (loadsAsModules: boolean): SideStart => {
    const knownStart = starts.get(loadsAsModules);
    if (knownStart) return knownStart;
    const targets: readonly Subject[] = request.subjects;
    const { newCode } = compileAll({ targets: [...targets], files: [], emit: request.emit }, rootDir, loadsAsModules);
    const start = {
      rootDir,
      codes: newCode,
      watched: [],
      targets,
      emit: request.emit,
      onlyPath: null,
      loadsLazily: true,
      shapes,
    } as const;
    starts.set(loadsAsModules, start);
    return start;
  };
  const provideSide = async (loadsAsModules: boolean): Promise<SideProcess | null> => {
    const running = runningSides.get(loadsAsModules);
    if (running) return running;
    const side = await startSide(entry, provideStart(loadsAsModules));
    if ('obstacle' in side) return null;
    runningSides.set(loadsAsModules, side);
    return side;
  };
  const endSide = (loadsAsModules: boolean): void => {
    runningSides.get(loadsAsModules)?.end();
    runningSides.delete(loadsAsModules);
  };
  const listPaths = (law: Law) => collectSubjects(law).map((index) => request.subjects[index]!.path);
  const ask = async (law: Law, args: readonly ValueSpec[], millis: number): Promise<ProbeAnswer> => {
    const loadsAsModules = listPaths(law).some((path) => modulePaths.has(path));
    const side = await provideSide(loadsAsModules);
    if (!side) return { unloaded: { path: listPaths(law)[0]!, reason: 'the process does not start' } };
    const answer = await side.probe(law, args, millis);
    if ('probed' in answer) return answer;
    endSide(loadsAsModules);
    if (!('unloaded' in answer) || loadsAsModules || !WRONG_FORMAT_PATTERN.test(answer.unloaded.reason)) return answer;
    for (const path of listPaths(law)) modulePaths.add(path);
    const repeatedAnswer = await ask(law, args, millis);
    if ('unloaded' in repeatedAnswer) for (const path of listPaths(law)) modulePaths.delete(path);
    return 'unloaded' in repeatedAnswer ? answer : repeatedAnswer;
  };
  return {
    start: async () => void (await provideSide(false)),
    ask: (law, args) => ask(law, args, CALL_MS),
    async askFresh(law, args) {
      for (const loadsAsModules of [...runningSides.keys()]) endSide(loadsAsModules);
      return ask(law, args, CONFIRM_MS);
    },
    end() {
      for (const loadsAsModules of [...runningSides.keys()]) endSide(loadsAsModules);
    },
  };
}
