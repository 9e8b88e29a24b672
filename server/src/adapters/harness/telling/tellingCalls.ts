// Searches for calls whose results tell mutants from the code as it is: few of them, small, and the same in a fresh
// process, in another time zone and language, at another time and with other random numbers.

import fc from 'fast-check';
import type { LeftOut } from '../../../core/verify/counterexamples/plan.ts';
import type { Parameter, Shape } from '../../../core/verify/differential/plan.ts';
import type { TellingCall, TellingOrder, TellingReport } from '../../../core/verify/guard/telling.ts';
import type { ValueSpec } from '../messages.ts';
import { createPlausible, type Level } from '../plausible.ts';
import { chosenCalls, costOf, type Candidate } from './chosenCalls.ts';
import { createSwitchedSides, type SwitchedSides } from './switchedSides.ts';
import { madeSmaller } from '../smaller.ts';
import { codeOf } from '../sourceCode.ts';
import { writtenCall } from './callText.ts';
import { aroundExamples, hasNegative, isKindred, scalarsIn, strangeness, wordsIn } from './aroundExamples.ts';
import { fitsParameters } from './fitting.ts';
import { recordable } from './recordable.ts';
import { isReordered } from './reordered.ts';
import { variedExamples } from './variedExamples.ts';

/** Number of calls that tell a mutant after which more would hardly be better. */
const ENOUGH_CALLS = 6;
/**
 * Maximum number of inputs for which a function may hang or end its process. These inputs are left out; after more of
 * them, no further inputs are tried, because each costs the time of a new process.
 */
const MAX_BROKEN = 4;
const NOTHING_RETURNED = 'It returns nothing that could be compared.';
const MIN_MS = 200;
/** Time for choosing, making smaller and repeating the calls of a function. */
const FINISHING_MS = 4_000;
/** Maximum length of a text that counts as a word. */
const MAX_WORD_LENGTH = 12;
const MAX_TRIES = 120;

/** Runs the search for all functions. `soFar` receives the report after each function. */
export async function tellingCalls(
  order: TellingOrder,
  rootDir: string,
  entry: URL,
  soFar: (report: TellingReport) => void,
): Promise<TellingReport> {
  const sides = createSwitchedSides(order, rootDir, entry);
  const found: { of: number; calls: readonly TellingCall[] }[] = [];
  const told = new Set<number>();
  const hung = new Set<number>();
  const leftOut: LeftOut[] = [];
  const counts = { functions: 0, inputs: 0 };
  const report = (done: number): TellingReport => ({
    obstacle: null,
    found: [...found],
    told: [...told],
    leftOut: [...leftOut],
    ...counts,
    undone: order.subjects.length - done,
  });
  let done = 0;
  try {
    for (const [of, subject] of order.subjects.entries()) {
      const remainingMs = order.budgetMs - performance.now();
      if (remainingMs < MIN_MS) break;
      const until =
        performance.now() + Math.max(MIN_MS, Math.min(remainingMs, (3 * remainingMs) / (order.subjects.length - done)));
      const seeking: Seeking = {
        of,
        order,
        sides,
        until,
        told,
        hung,
        dropped: new Set(hung),
        inputs: 0,
        broken: 0,
        answers: false,
        silent: false,
        inconclusive: null,
        unfit: null,
      };
      const calls = await callsOf(seeking);
      if (seeking.inputs > 0) counts.functions += 1;
      counts.inputs += seeking.inputs;
      if (seeking.inconclusive !== null)
        leftOut.push({ path: subject.path, name: subject.name, reason: seeking.inconclusive });
      else if (calls.length > 0) found.push({ of, calls });
      done += 1;
      soFar(report(done));
    }
  } finally {
    sides.end();
  }
  return report(done);
}

/** One function under way. */
interface Seeking {
  readonly of: number;
  readonly order: TellingOrder;
  readonly sides: SwitchedSides;
  readonly until: number;
  /** Mutants that a call of any function tells. */
  readonly told: Set<number>;
  /** Mutants with which a call of any function hangs. */
  readonly hung: Set<number>;
  /** Mutants that hang, and those that the calls of the tests tell, if these are left out. */
  readonly dropped: Set<number>;
  inputs: number;
  broken: number;
  /** True if a call gave an answer other than undefined. */
  answers: boolean;
  /** True if a call returned undefined. */
  silent: boolean;
  /** Why the function is left alone, as a sentence. */
  inconclusive: string | null;
  /** Why a call cannot be recorded, as a sentence. */
  unfit: string | null;
}

async function callsOf(seeking: Seeking): Promise<readonly TellingCall[]> {
  const { order, of } = seeking;
  const candidates: Candidate[] = [];
  const tellingCounts = new Map<number, number>();
  const texts = new Set<string>();
  const familiar = familiarIn(order, of);
  const { examples } = order.subjects[of]!;
  for (const level of [0, 1] as const) {
    for (const [at, args] of inputsOf(order, of, level).entries()) {
      if (seeking.inconclusive !== null || seeking.broken > MAX_BROKEN || performance.now() >= seeking.until) break;
      const text = textOf(order, of, args);
      if (texts.has(text)) continue;
      texts.add(text);
      const tried = await tellingWith(seeking, args, (mutant) => (tellingCounts.get(mutant) ?? 0) < ENOUGH_CALLS);
      // The calls of the tests come first.
      const tells = leftBy(tried?.tells ?? [], seeking, level === 0 && at < examples.length);
      if (!tried || tells.length === 0) continue;
      for (const { mutant } of tells) tellingCounts.set(mutant, (tellingCounts.get(mutant) ?? 0) + 1);
      candidates.push({ ...tried, given: args, cost: costOf(tried, level, strangeness(args, examples, familiar)) });
    }
  }
  if (seeking.silent && !seeking.answers) seeking.inconclusive ??= NOTHING_RETURNED;
  if (candidates.length === 0 && seeking.broken > MAX_BROKEN) seeking.inconclusive ??= 'Some of its calls do not end.';
  if (candidates.length === 0) seeking.inconclusive ??= seeking.unfit;
  if (seeking.inconclusive !== null) return [];
  candidates.flatMap(({ tells }) => tells).forEach(({ mutant }) => seeking.told.add(mutant));
  if (order.exceptExamples) return [];
  const until = performance.now() + FINISHING_MS;
  const chosen: { given: readonly ValueSpec[]; call: TellingCall }[] = [];
  for (const { given: args, newMutants } of chosenCalls(candidates, order.most)) {
    const smaller = await smallest(seeking, args, newMutants, until);
    const call = await tellingWith(seeking, smaller, () => true);
    if (call && call.tells.length > 0) chosen.push({ given: smaller, call });
  }
  return seeking.inconclusive === null ? confirmed(seeking, chosen) : [];
}

/** What a call tells; nothing if it is one of the tests, whose mutants are left out then. */
function leftBy(tells: TellingCall['tells'], { order, dropped }: Seeking, isOfTests: boolean): TellingCall['tells'] {
  if (!order.exceptExamples || !isOfTests) return tells;
  for (const { mutant } of tells) dropped.add(mutant);
  return [];
}

function inputsOf(order: TellingOrder, of: number, level: Level & (0 | 1)): readonly (readonly ValueSpec[])[] {
  const { path, parameters, examples, guided, signed } = order.subjects[of]!;
  const varied = level === 0 ? variedOf(order, of) : [];
  if (guided) return level === 0 ? [...aroundExamples(examples, []), ...varied] : [];
  const values = createPlausible(order.materials[path]!, level).argumentsOf(parameters);
  const made = fc.sample(values, { seed: order.seed + level, numRuns: order.runs[level] });
  // What a function does with negative numbers that it does not expect is an accident.
  const fit = signed || examples.some(hasNegative) ? made : made.filter((given) => !hasNegative(given));
  return level === 0 ? [...aroundExamples(examples, fit), ...varied, ...fit] : fit;
}

/** Inputs that differ a little from those of the tests, and that the declared types allow. */
function variedOf(order: TellingOrder, of: number): readonly (readonly ValueSpec[])[] {
  const { path, parameters, examples, guided, signed, member, keys } = order.subjects[of]!;
  const { shapes, constants } = order.materials[path]!;
  const ground = {
    ...constants,
    keys: keys ?? optionNamesIn(parameters, shapes),
    signed: signed || examples.some(hasNegative),
    fixed: member !== undefined,
  };
  const made = variedExamples(examples, ground, order.seed, order.varied);
  return guided ? made : made.filter((given) => fitsParameters(given, parameters, shapes));
}

/** The names of all members of the objects that the parameters take. */
function optionNamesIn(parameters: readonly Parameter[], shapes: Readonly<Record<string, Shape>>): readonly string[] {
  const named = (shape: Shape): readonly string[] => {
    if (shape.kind === 'ref') return shapes[shape.name]?.kind === 'record' ? named(shapes[shape.name]!) : [];
    if (shape.kind === 'union') return shape.of.flatMap(named);
    return shape.kind === 'record' ? shape.fields.map(({ name }) => name) : [];
  };
  return [...new Set(parameters.flatMap(({ shape }) => named(shape)))];
}

/** The texts and numbers that a reader knows from the code and its tests. */
function familiarIn(order: TellingOrder, of: number): ReadonlySet<string | number> {
  const { path, examples } = order.subjects[of]!;
  return new Set([...order.materials[path]!.constants.strings, ...examples.flatMap(scalarsIn)]);
}

function textOf({ subjects }: TellingOrder, of: number, args: readonly ValueSpec[]): string {
  return writtenCall(subjects[of]!, args).call;
}

/** Makes the call as it is and with each wanted mutant that it reaches. Null if its result cannot be recorded. */
async function tellingWith(
  seeking: Seeking,
  args: readonly ValueSpec[],
  isWanted: (mutant: number) => boolean,
): Promise<TellingCall | null> {
  const { of, order, sides } = seeking;
  const written = writtenCall(order.subjects[of]!, args);
  const plain = await sides.plain(of, args);
  seeking.inputs += 1;
  if ('unloaded' in plain) seeking.inconclusive = `It does not load here: ${plain.unloaded.split('\n')[0]}`;
  if ('broken' in plain) seeking.broken += 1;
  if (!('switched' in plain)) return null;
  const { outcome, reached } = plain.switched;
  const recorded = recordable(outcome, written.call);
  if ('inconclusive' in recorded) seeking.inconclusive = recorded.inconclusive;
  if ('unfit' in recorded && recorded.unfit !== true) seeking.unfit = recorded.unfit;
  const isNothing = !outcome.threw && outcome.expression === 'undefined';
  if (isNothing) seeking.silent = true;
  // Errors of the engine, and what comes of the calls of a stand-in, are no answers.
  else if ('result' in recorded || ('unfit' in recorded && recorded.unfit === true && !outcome.threw))
    seeking.answers = true;
  if (!('result' in recorded)) return null;
  const tells: { mutant: number; then: string }[] = [];
  const wanted = new Set(order.mutants);
  for (const mutant of reached) {
    if (!wanted.has(mutant) || seeking.dropped.has(mutant) || !isWanted(mutant)) continue;
    if (performance.now() >= seeking.until + FINISHING_MS) break;
    const then = await sides.mutated(of, args, mutant);
    if (then === null) {
      seeking.dropped.add(mutant);
      seeking.hung.add(mutant);
    } else if (!isReordered(then, outcome.first.result)) tells.push({ mutant, then });
  }
  return { ...written, result: recorded.result, tells };
}

/** Smaller arguments that still tell these mutants. */
async function smallest(
  seeking: Seeking,
  args: readonly ValueSpec[],
  news: readonly number[],
  until: number,
): Promise<readonly ValueSpec[]> {
  const { order, of } = seeking;
  const { parameters, path } = order.subjects[of]!;
  const shapeAt = (at: number): Shape => {
    const parameter = parameters[Math.min(at, parameters.length - 1)]!;
    return parameter.rest && parameter.shape.kind === 'array' ? parameter.shape.of : parameter.shape;
  };
  const tellsAll = async (tried: readonly ValueSpec[]) => {
    // Different values stay different, because a reader can distinguish them.
    if (performance.now() > until || repeatedTexts(tried) > repeatedTexts(args)) return false;
    const call = await tellingWith(seeking, tried, (mutant) => news.includes(mutant));
    return call !== null && call.tells.length === news.length;
  };
  // Texts built from words of the tests are kept, because readers of the tests know them.
  const words = wordsIn(order.subjects[of]!.examples);
  const kindred = args.every((value) => isKindred(value, words)) ? scalarsIn(args) : [];
  const limits = {
    words: MAX_WORD_LENGTH,
    kept: new Set([...familiarIn(order, of), ...kindred]),
    most: MAX_TRIES,
  };
  // Arguments that change nothing are left out, from the end.
  let shorter = args;
  while (shorter.length > 0 && parameters[shorter.length - 1]?.optional && (await tellsAll(shorter.slice(0, -1))))
    shorter = shorter.slice(0, -1);
  return madeSmaller(shorter, shapeAt, order.materials[path]!.shapes, tellsAll, limits);
}

/** The number of texts among the values that repeat an earlier one. */
function repeatedTexts(args: readonly ValueSpec[]): number {
  const texts =
    args
      .map(codeOf)
      .join(' ')
      .match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  return texts.length - new Set(texts).size;
}

/** The calls about which fresh processes agree, one of them abroad, and one that only makes the calls with a mutant. */
async function confirmed(
  { of, sides }: Seeking,
  chosen: readonly { readonly given: readonly ValueSpec[]; readonly call: TellingCall }[],
): Promise<readonly TellingCall[]> {
  let agreed = chosen;
  for (const abroad of [false, true]) {
    const outcomes = await sides.fresh(
      of,
      agreed.map(({ given: args }) => ({ given: args, mutant: null })),
      abroad,
    );
    agreed = agreed.filter(({ call }, at) => {
      const outcome = outcomes[at];
      const recorded = outcome && typeof outcome !== 'string' ? recordable(outcome, call.call) : null;
      return recorded && 'result' in recorded && JSON.stringify(recorded.result) === JSON.stringify(call.result);
    });
  }
  const mutantResults = await sides.fresh(
    of,
    agreed.map(({ given: args, call }) => ({ given: args, mutant: call.tells[0]!.mutant })),
    false,
  );
  return agreed.filter(({ call }, at) => mutantResults[at] === call.tells[0]!.then).map(({ call }) => call);
}
