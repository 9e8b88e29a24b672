// Stores mistakes that no test notices, by file, and shows them as opportunities as long as the code and its tests are
// unchanged.

import { sha256 } from '../../../../util/hash.ts';
import { toProjectOpportunity } from '../../../analysis/project/projectFinding.ts';
import { readMemberOfStep } from '../../../propose/characterization/caseText.ts';
import { applySuppressions, type SuppressedOpportunity } from '../../../analysis/suppressions.ts';
import type { Opportunity } from '../../../model.ts';
import type { Result } from '../../../verify/guard/distinguishingCalls.ts';
import type { SurvivingMutant, UnguardedFunction } from '../../../verify/guard/unguarded.ts';
import type { SessionContext } from '../../context.ts';
import { CHARACTERISATION_RECIPE } from '../../propose/recipeNames.ts';
import { findReachingTests } from '../../verify/reachingTests.ts';
import { computeGround } from '../storedCounterexamples.ts';
import { readOwnTests, type OwnTests } from './ownTests.ts';
import { readStoredJson } from '../storedJson.ts';

/** The rule of these opportunities. */
export const UNGUARDED_RULE = 'unguarded-code';

/** The stored findings of one file. */
export interface KeptUnguarded {
  /** Hash of the code and the tests on which the findings depend. */
  readonly ground: string;
  /** The time limit of the search that has not finished the file, in seconds; null if enough mistakes were tried. */
  readonly seconds: number | null;
  /**
   * The time limit of the newest search, in seconds, if that search left a planned mistake untried. Also set if
   * `seconds` is null, because a finished file may have untried mistakes.
   */
  readonly untriedAfter?: number;
  /** Keys of the mutants that tests have noticed (`repeatedSearch.ts`). */
  readonly noticed?: readonly string[];
  /** The ground without the tests that searches have added. As long as it stays the same, `noticed` is valid. */
  readonly noticedOn?: string;
  /** Ids of the findings whose tests existed when mutants were noticed. */
  readonly held?: readonly string[];
  /** Of an unfinished search: keys of the mutants that survived, and a hash of the tests (`unfinished.ts`). */
  readonly survived?: { readonly tests: string; readonly keys: readonly string[] };
  /** Number of searches of the same code; absent after the first one. */
  readonly round?: number;
  /** Number of findings whose tests had been added when the file was searched again. */
  readonly done?: number;
  /** The functions with mistakes that no test notices. */
  readonly found: readonly UnguardedFunction[];
}

/** All stored findings, by path. */
export interface StoredUnguarded<Files = ReadonlyMap<string, KeptUnguarded>> {
  /** Results of searches that ran all tests that reach a file. */
  readonly complete: Files;
  /** Results of searches that ran only the nearest tests (`quick.ts`). A complete search ignores and replaces them. */
  readonly nearby: Files;
}

/** The name of the blob with the stored results. */
const BLOB_NAME = 'unguarded.json';
/** Increase this whenever the form of the blob, or the search, changes. */
const FORMAT_VERSION = 18;
/** The expected share of findings that people act on. */
const CONFIDENCE = 0.6;
/** The impact of a finding with one mistake. */
const IMPACT = 45;
/** Impact that each further mistake adds, the maximum, and the impact if only empty calls show mistakes. */
const [IMPACT_OF_FURTHER, MAX_IMPACT, IMPACT_OF_EMPTY_CALLS] = [5, 70, 15];
/** Empty arguments. A call with one of them shows little of the purpose of a function. */
const EMPTY_ARGUMENTS: ReadonlySet<string> = new Set(['""', '[]', '{}', 'null', 'undefined']);
/** Maximum number of mistakes that the evidence lists; its `count` includes the others. */
const MAX_IN_EVIDENCE = 20;
/** Maximum number of characters for the result of a call in a message. */
const MAX_RESULT_CHARACTERS = 60;
/** Maximum number of characters of a result in the line of a mistake. */
const [MAX_LINE_CHARACTERS, CHARACTERS_BEFORE] = [80, 24];

/** Decides whether stored findings still count: by the grounds of the files, and by the tests that were added since. */
export interface Grounds {
  /**
   * True if neither the code of the file nor its tests have changed since the search, apart from tests that were added
   * for other findings.
   */
  isSame(path: string, keptFile: KeptUnguarded): boolean;
  /**
   * True if the mutants that tests have noticed are still noticed: neither the code nor its tests have changed, apart
   * from added tests of findings. Unlike `isSame`, it also ignores added tests if findings are in Python or Go, whose
   * tests fit only exactly the same text.
   */
  isStillNoticed(path: string, keptFile: Pick<KeptUnguarded, 'noticedOn'>): boolean;
  /** The value of `noticedOn` for mutants that are noticed now. */
  noticedOn(path: string): string;
  /** The ground of findings that are stored now. */
  of(path: string, functions: readonly UnguardedFunction[]): string;
  /** The findings that still count, without those whose tests were added since; empty if the ground has changed. */
  current(path: string, keptFile: KeptUnguarded | undefined): readonly UnguardedFunction[];
  /** The ids of the findings, of any file, whose tests are in test files that reach this file. */
  heldIn(path: string, functions: readonly UnguardedFunction[]): readonly string[];
  /** The ids of the findings whose tests were added since the search. */
  doneIn(path: string, keptFile: KeptUnguarded): ReadonlySet<string>;
}

/** The grounds of the analysed tree. Reads from the ledger which tests were added for findings. */
export async function loadGrounds(context: SessionContext): Promise<Grounds> {
  return createGrounds(context.state, await readOwnTests(context, UNGUARDED_RULE));
}

/** Creates the grounds of a tree. `ownTests`: the tests that were added for findings. */
export function createGrounds(state: SessionContext['state'], ownTests: OwnTests): Grounds {
  const hashOf = (test: string) => state.analyses.get(test)?.hash ?? null;
  const hashGround = (path: string, paths: readonly string[], isFixed: boolean): string => {
    const tests = findReachingTests(state.imports, paths).toSorted();
    const parts = tests.flatMap((test): readonly (readonly [string, string | null])[] => {
      const hash = hashOf(test);
      const original = hash === null || isFixed ? hash : ownTests.originalOf(test, hash);
      // A file that was created for such tests counts as absent.
      return hash !== null && original === null ? [] : [[test, original]];
    });
    return sha256(new TextEncoder().encode(JSON.stringify([computeGround(state, path), ...parts]))).slice(0, 24);
  };
  const of: Grounds['of'] = (path, functions) =>
    // Tests in Python and Go are stored as insertions at lines, so they fit only exactly the same text.
    hashGround(
      path,
      collectPaths(path, functions),
      functions.some(({ test }) => 'splices' in test),
    );
  const isSame: Grounds['isSame'] = (path, { ground, found }) => ground === of(path, found);
  const noticedOn: Grounds['noticedOn'] = (path) => hashGround(path, [path], false);
  const heldIn: Grounds['heldIn'] = (path, functions) =>
    findReachingTests(state.imports, collectPaths(path, functions)).flatMap((test) =>
      ownTests.heldBy(test, hashOf(test) ?? ''),
    );
  const doneIn: Grounds['doneIn'] = (path, { found }) => {
    const held = new Set(heldIn(path, found));
    return new Set(found.map((unguarded) => createUnguardedOpportunity(unguarded).id).filter((id) => held.has(id)));
  };
  return {
    of,
    isSame,
    noticedOn,
    isStillNoticed: (path, keptFile) => keptFile.noticedOn === noticedOn(path),
    heldIn,
    doneIn,
    current(path, keptFile) {
      if (!keptFile || keptFile.found.length === 0 || !isSame(path, keptFile)) return [];
      const doneIds = doneIn(path, keptFile);
      return keptFile.found.filter((unguarded) => !doneIds.has(createUnguardedOpportunity(unguarded).id));
    },
  };
}

/**
 * The time in seconds of the search that has not finished the file; −1 if the file is searched in any case; null if it
 * is finished.
 */
function collectPaths(path: string, functions: readonly UnguardedFunction[]): readonly string[] {
  return [
    ...new Set([path, ...functions.flatMap(({ mistakes }) => mistakes.flatMap((mistake) => mistake.path ?? []))]),
  ];
}

/**
 * `open`: the files to search now. `undone`: the number of files that no search has finished yet, including `open`. An
 * unfinished file is searched again only with more time than before, because the same time would not suffice. `isSame`:
 * true if neither the file nor its tests have changed since. `seconds`: the time of this search. `includesUntried`:
 * true if a file with untried mistakes counts as unfinished, even if enough of its mistakes were tried.
 * `repeatedPaths`: finished files that are searched again. `spent`: if there are unfinished files but none is open, the
 * least time that one of them had; otherwise null.
 */
export function selectFilesToSearch(
  requestedPaths: readonly string[],
  stored: ReadonlyMap<string, KeptUnguarded>,
  isSame: (path: string, keptFile: KeptUnguarded) => boolean,
  seconds: number,
  includesUntried = false,
  repeatedPaths: ReadonlySet<string> = new Set(),
): { readonly open: readonly string[]; readonly undone: number; readonly spent: number | null } {
  // The time of the search that has not finished the file; −1 if the file is searched in any case; null if it is
  // finished.
  const spentByPath = new Map(
    requestedPaths.map((path): [string, number | null] => {
      const storedFindings = stored.get(path);
      if (storedFindings === undefined || repeatedPaths.has(path) || !isSame(path, storedFindings)) return [path, -1];
      return [path, storedFindings.seconds ?? (includesUntried ? (storedFindings.untriedAfter ?? null) : null)];
    }),
  );
  const unfinished = requestedPaths.filter((path) => spentByPath.get(path) !== null);
  const open = unfinished.filter((path) => spentByPath.get(path)! < seconds);
  const isWaiting = open.length === 0 && unfinished.length > 0;
  const spent = isWaiting ? Math.min(...unfinished.map((path) => spentByPath.get(path)!)) : null;
  return { open, undone: unfinished.length, spent };
}

/**
 * The findings of a search of one file. If the search has left mistakes untried, adds the findings of an earlier search
 * of the same code; of a function that both have found, the result with more mistakes counts.
 */
export function addEarlierFindings(current: KeptUnguarded, earlier: KeptUnguarded | undefined): KeptUnguarded {
  if ((current.seconds === null && current.untriedAfter === undefined) || earlier?.ground !== current.ground)
    return current;
  const functionByKey = new Map(earlier.found.map((unguarded) => [keyOf(unguarded), unguarded]));
  for (const unguarded of current.found)
    if ((functionByKey.get(keyOf(unguarded))?.mistakes.length ?? 0) <= unguarded.mistakes.length)
      functionByKey.set(keyOf(unguarded), unguarded);
  const isDone = current.seconds === null || earlier.seconds === null;
  return {
    ...current,
    seconds: isDone ? null : Math.max(current.seconds!, earlier.seconds!),
    found: [...functionByKey.values()],
  };
}

/** The stored findings; empty if nothing was searched. */
export async function readUnguarded(context: SessionContext): Promise<StoredUnguarded> {
  const emptyFindings: StoredUnguarded = { complete: new Map(), nearby: new Map() };
  // Another process may have searched since.
  const stored = (await readStoredJson(context, BLOB_NAME, '`selfware unguarded`')) as
    | ({ readonly format?: number } & Partial<StoredUnguarded<readonly (readonly [string, KeptUnguarded])[]>>)
    | null;
  if (stored?.format !== FORMAT_VERSION) return emptyFindings;
  return { complete: new Map(stored.complete), nearby: new Map(stored.nearby) };
}

/** Replaces the stored findings. */
export async function storeUnguarded(context: SessionContext, { complete, nearby }: StoredUnguarded): Promise<void> {
  const text = JSON.stringify({ format: FORMAT_VERSION, complete: [...complete], nearby: [...nearby] });
  await context.ports.blobs.write(BLOB_NAME, new TextEncoder().encode(text));
}

/**
 * The findings of a file that still count: those of complete searches, and those that only a search with the nearest
 * tests has.
 */
export function selectCurrentFindings(
  { complete, nearby }: StoredUnguarded,
  path: string,
  grounds: Pick<Grounds, 'current'>,
): readonly UnguardedFunction[] {
  const currentFunctions = grounds.current(path, complete.get(path));
  const ids = new Set(currentFunctions.map((unguarded) => createUnguardedOpportunity(unguarded).id));
  const nearbyFunctions = grounds.current(path, nearby.get(path));
  return [
    ...currentFunctions,
    ...nearbyFunctions.filter((unguarded) => !ids.has(createUnguardedOpportunity(unguarded).id)),
  ];
}

/**
 * Findings of earlier searches as opportunities, if code and tests have not changed since. `paths`: the files to
 * consider; undefined for all. Runs no tests.
 */
export async function loadKnownUnguarded(
  context: SessionContext,
  paths: readonly string[] | undefined,
): Promise<{ readonly opportunities: readonly Opportunity[]; readonly suppressed: readonly SuppressedOpportunity[] }> {
  const requestedPaths = paths && new Set(paths);
  const stored = await readUnguarded(context);
  const filesWithFindings = [...stored.complete, ...stored.nearby].filter(([, { found }]) => found.length > 0);
  if (filesWithFindings.length === 0) return { opportunities: [], suppressed: [] };
  const grounds = await loadGrounds(context);
  const parts = [...new Set(filesWithFindings.map(([path]) => path))].flatMap((path) => {
    const row = context.state.analyses.get(path);
    if (!row || (requestedPaths && !requestedPaths.has(path))) return [];
    return [
      applySuppressions(selectCurrentFindings(stored, path, grounds).map(createUnguardedOpportunity), row.suppressions),
    ];
  });
  return {
    opportunities: parts.flatMap(({ opportunities }) => opportunities),
    suppressed: parts.flatMap(({ suppressed }) => suppressed),
  };
}

/**
 * The function that the opportunity is about; null if the function, its imports or its tests have changed since the
 * search, or if its missing test was added.
 */
export async function findUnguardedFunction(
  context: SessionContext,
  { id, path }: Opportunity,
): Promise<UnguardedFunction | null> {
  const current = selectCurrentFindings(await readUnguarded(context), path, await loadGrounds(context));
  return current.find((candidate) => createUnguardedOpportunity(candidate).id === id) ?? null;
}

/**
 * Identifies a finding within its file and search. Calls of several steps are a separate finding for each way to create
 * their object.
 */
function keyOf(unguardedFunction: UnguardedFunction): string {
  return `${unguardedFunction.name}\0${findMaker(unguardedFunction)}`;
}

/** The member or the function that the last step uses; empty for single calls. */
export function memberOf({ steps = [] }: Pick<UnguardedFunction['calls'][number], 'steps'>): string {
  const lastStep = steps.at(-1);
  return (lastStep && readMemberOfStep(lastStep)) ?? '';
}

/**
 * The class or factory that creates the object whose members the steps call, and the member of the last step; empty for
 * single calls.
 */
function findMaker({ calls }: UnguardedFunction): string {
  const callOfSteps = calls.find(({ steps }) => steps !== undefined);
  const [makerStep] = callOfSteps?.steps ?? [];
  if (!callOfSteps || !makerStep) return '';
  const factory = /^\.[\w$]+/.exec(makerStep.after)?.[0] ?? '';
  const prefix = makerStep.before.endsWith('new ') ? 'new ' : '';
  return `${prefix}${makerStep.imported?.path ?? ''}#${makerStep.imported?.exportedAs ?? ''}${factory} ${memberOf(callOfSteps)}`;
}

/** The function with its mistakes, as an opportunity. */
export function createUnguardedOpportunity(unguardedFunction: UnguardedFunction): Opportunity {
  const { path, name, range, nameRange, mistakes, test } = unguardedFunction;
  const [first] = mistakes;
  const otherMistakes = mistakes.length - 1;
  const othersText =
    otherMistakes === 0 ? '' : `, nor ${otherMistakes === 1 ? '1 more mistake' : `${otherMistakes} more mistakes`}`;
  const mistake = `\`${first!.shown}\` in ${lineText(first!)}${othersText}`;
  const effect = `\`${first!.call}\` then ${shortenText(first!.then)}; now it ${shortenText(first!.now)}`;
  return toProjectOpportunity({
    rule: UNGUARDED_RULE,
    path,
    range,
    nameRange,
    symbol: name,
    about:
      unguardedFunction.round === undefined
        ? findMaker(unguardedFunction)
        : `${findMaker(unguardedFunction)} ${unguardedFunction.round}`,
    impact: computeImpact(unguardedFunction),
    confidence: CONFIDENCE,
    message: `no test${unguardedFunction.nearby ? ' nearby' : ''} notices ${mistake}: ${effect}.`,
    evidence: {
      mistakes: mistakes.slice(0, MAX_IN_EVIDENCE).map(formatMistake).join('\n'),
      count: mistakes.length,
      ...('refused' in test ? { noTest: test.refused } : { test: test.added, testPath: test.path }),
    },
    ...('refused' in test ? {} : { recipe: CHARACTERISATION_RECIPE }),
  });
}

/** The impact of a finding; it grows with the number of mistakes. */
function computeImpact({ calls, mistakes }: UnguardedFunction): number {
  if (calls.every(passesNothing)) return IMPACT_OF_EMPTY_CALLS;
  return Math.min(MAX_IMPACT, IMPACT + IMPACT_OF_FURTHER * (mistakes.length - 1));
}

/**
 * True for a call without arguments, or with at least one empty argument. The instance on which a member is used counts
 * as an argument that is not empty.
 */
export function passesNothing({
  given,
  around,
  steps,
}: Pick<UnguardedFunction['calls'][number], 'given' | 'around' | 'steps'>): boolean {
  return (
    (given.length === 0 && around === undefined && steps === undefined) ||
    given.some((argument) => EMPTY_ARGUMENTS.has(argument))
  );
}

function shortenText(text: string): string {
  return text.length > MAX_RESULT_CHARACTERS ? `${text.slice(0, MAX_RESULT_CHARACTERS - 1)}…` : text;
}

/** A mistake in words: `line 12: > → >=; clamp(10) then returns 11; now it returns 10`. */
export function formatMistake(mistake: SurvivingMutant): string {
  const { shown, call } = mistake;
  const [then, now] = shortenToDifference(mistake.then, mistake.now);
  return `${lineText(mistake)}: ${shown}; ${call} then ${then}; now it ${now}`;
}

/** Both texts. Long ones are shortened to the part around the first difference, after the first word. */
export function shortenToDifference(firstText: string, secondText: string): readonly [string, string] {
  if (Math.max(firstText.length, secondText.length) <= MAX_LINE_CHARACTERS) return [firstText, secondText];
  let equalCount = 0;
  while (equalCount < firstText.length && firstText[equalCount] === secondText[equalCount]) equalCount += 1;
  const shortenSide = (text: string) => {
    const word = /^\w+ /.exec(text)?.[0] ?? '';
    const from = Math.max(word.length, equalCount - CHARACTERS_BEFORE);
    const part = text.slice(from, from + MAX_LINE_CHARACTERS);
    const isCut = from + part.length < text.length;
    return `${word}${from > word.length ? '…' : ''}${part}${isCut ? '…' : ''}`;
  };
  return [shortenSide(firstText), shortenSide(secondText)];
}

/** The line of a mistake, with its file if that is not the file of the function. */
export function lineText({ line, path }: Pick<SurvivingMutant, 'line' | 'path'>): string {
  return path === undefined ? `line ${line}` : `line ${line} of ${path}`;
}

/** The result of a call in words, as the end of a sentence: `returns 3`. */
export function resultText(result: Result): string {
  if ('throws' in result) return `${result.promised ? 'rejects with' : 'throws'} ${result.throws}: ${result.message}`;
  return `${result.promised ? 'resolves to' : 'returns'} ${result.value}`;
}
