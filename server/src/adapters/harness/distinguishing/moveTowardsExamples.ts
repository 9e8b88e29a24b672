// Moves an input that shows mistakes towards the inputs of the tests: replaces the parts that are not needed to show
// the mistakes by values of the tests, which readers know.

import type { ExampleValue } from '../../../core/verify/counterexamples/plan.ts';
import type { ValueSpec } from '../messages.ts';
import { TOKEN_PATTERN } from './varyExamples.ts';
import { sampleEvenly } from '../../../util/values/sampleEvenly.ts';

type Input = readonly ValueSpec[];

/**
 * `MAX_REPLACEMENTS`: the maximum number of values of the tests that are tried in place of an argument. `MAX_NEAREST`: the
 * maximum number of texts of the tests towards which one text is moved.
 */
const [MAX_REPLACEMENTS, MAX_NEAREST] = [12, 3];
/** Maximum number of changes of a text. A text with more changes is no longer like one of the tests. */
const MAX_CHANGES = 3;
/**
 * Maximum number of characters of a text that is compared, because time and memory grow with the product of the lengths
 * of two texts.
 */
const MAX_COMPARED = 2_000;

/** A change of a text: `tokens` replace the tokens with the indices from `from` to `to` (exclusive). */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly tokens: readonly string[];
}

/** An input. `movedTexts`: those of its texts that were moved towards a text of the tests. */
export interface InputNearExample {
  readonly input: Input;
  readonly movedTexts: readonly string[];
}

/**
 * The input with as many arguments of the tests as possible, and with texts that differ as little as possible from
 * those of the tests. `shows`: returns true if an input still shows the mistakes; it is called at most `maxTries`
 * times.
 */
export async function moveTowardsExamples(
  input: Input,
  examples: readonly (readonly ExampleValue[])[],
  shows: (input: Input) => Promise<boolean>,
  maxTries: number,
): Promise<InputNearExample> {
  let tries = 0;
  const stillShows = async (next: Input) => tries++ < maxTries && (await shows(next));
  const similar: string[] = [];
  let best = input;
  for (const index of input.keys()) {
    const exampleValues = listExampleValuesAt(examples, index);
    const value = best[index];
    if (exampleValues.some((example) => isSameValue(example, value))) continue;
    const replacement = await findFirstShowing(sampleEvenly(exampleValues, MAX_REPLACEMENTS), (example) =>
      stillShows(best.with(index, example)),
    );
    if (replacement) {
      best = best.with(index, replacement.value);
      continue;
    }
    const texts = [
      ...new Set(exampleValues.flatMap((example) => [...findTexts(example)].map(({ text }) => text))),
    ].filter(({ length }) => length <= MAX_COMPARED);
    for (const textIndex of [...findTexts(value)].keys()) {
      const { text, put: replaceText } = [...findTexts(best[index])][textIndex]!;
      if (texts.includes(text) || text.length > MAX_COMPARED) continue;
      const movedText = await findNearestText(text, texts, (next) => stillShows(best.with(index, replaceText(next))));
      if (movedText === null) continue;
      best = best.with(index, replaceText(movedText));
      similar.push(movedText);
    }
  }
  return { input: best, movedTexts: similar };
}

/**
 * The text that differs least from a text of the tests and still shows the mistakes; null if that one differs too much,
 * or if there are no texts.
 */
async function findNearestText(
  text: string,
  exampleTexts: readonly string[],
  shows: (text: string) => Promise<boolean>,
): Promise<string | null> {
  const nearest = exampleTexts
    .map((from) => ({ from: collectTokens(from), changes: computeChanges(collectTokens(from), collectTokens(text)) }))
    .toSorted((a, b) => computeSize(a.changes) - computeSize(b.changes))
    .slice(0, MAX_NEAREST);
  let best: { readonly text: string; readonly changes: readonly Change[] } | null = null;
  for (const { from, changes } of nearest) {
    let remainingChanges = changes;
    for (const change of changes) {
      const fewerChanges = remainingChanges.filter((candidate) => candidate !== change);
      if (fewerChanges.length > 0 && (await shows(applyChanges(from, fewerChanges)))) remainingChanges = fewerChanges;
    }
    if (best === null || computeSize(remainingChanges) < computeSize(best.changes))
      best = { text: applyChanges(from, remainingChanges), changes: remainingChanges };
  }
  return best !== null && best.changes.length <= MAX_CHANGES ? best.text : null;
}

async function findFirstShowing<T>(
  values: readonly T[],
  shows: (value: T) => Promise<boolean>,
): Promise<{ readonly value: T } | null> {
  for (const value of values) if (await shows(value)) return { value };
  return null;
}

/** The different values of the tests at an index. */
function listExampleValuesAt(examples: readonly (readonly ExampleValue[])[], index: number): readonly ExampleValue[] {
  return [
    ...new Map(
      examples.flatMap((input) => (index < input.length ? [[serialiseValue(input[index]), input[index]!]] : [])),
    ).values(),
  ];
}

function serialiseValue(value: ValueSpec): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ?? 'undefined';
}

function isSameValue(left: ValueSpec, right: ValueSpec): boolean {
  return serialiseValue(left) === serialiseValue(right);
}

/**
 * The texts in a value and its lists and objects, at any depth. `put`: returns the value with another text at that
 * place.
 */
function* findTexts(value: ValueSpec): Generator<{ readonly text: string; put(text: string): ValueSpec }> {
  if (typeof value === 'string') yield { text: value, put: (text) => text };
  if (typeof value !== 'object' || value === null) return;
  if (value.$ === 'array')
    for (const [index, element] of value.of.entries())
      for (const { text, put } of findTexts(element))
        yield { text, put: (next) => ({ ...value, of: value.of.with(index, put(next)) }) };
  if (value.$ === 'record')
    for (const [index, [name, fieldValue]] of value.fields.entries())
      for (const { text, put } of findTexts(fieldValue))
        yield { text, put: (next) => ({ ...value, fields: value.fields.with(index, [name, put(next)]) }) };
}

function collectTokens(text: string): readonly string[] {
  return text.match(TOKEN_PATTERN) ?? [];
}

function computeSize(changes: readonly Change[]): number {
  return changes.reduce((sum, { from, to, tokens }) => sum + 1 + Math.max(to - from, tokens.length), 0);
}

function applyChanges(tokens: readonly string[], changes: readonly Change[]): string {
  return changes
    .reduceRight(
      (changed, change) => changed.toSpliced(change.from, change.to - change.from, ...change.tokens),
      [...tokens],
    )
    .join('');
}

/** The changes that turn the first list into the second, by a longest common subsequence. */
function computeChanges(from: readonly string[], to: readonly string[]): readonly Change[] {
  const commonLengths = Array.from({ length: from.length + 1 }, () => new Array<number>(to.length + 1).fill(0));
  for (let a = from.length - 1; a >= 0; a -= 1)
    for (let b = to.length - 1; b >= 0; b -= 1)
      commonLengths[a]![b] =
        from[a] === to[b]
          ? commonLengths[a + 1]![b + 1]! + 1
          : Math.max(commonLengths[a + 1]![b]!, commonLengths[a]![b + 1]!);
  const changes: Change[] = [];
  let [a, b] = [0, 0];
  while (a < from.length || b < to.length) {
    const [startA, startB] = [a, b];
    while ((a < from.length || b < to.length) && from[a] !== to[b])
      if (b >= to.length || (a < from.length && commonLengths[a + 1]![b]! >= commonLengths[a]![b + 1]!)) a += 1;
      else b += 1;
    if (a > startA || b > startB) changes.push({ from: startA, to: a, tokens: to.slice(startB, b) });
    while (a < from.length && b < to.length && from[a] === to[b]) [a, b] = [a + 1, b + 1];
  }
  return changes;
}
