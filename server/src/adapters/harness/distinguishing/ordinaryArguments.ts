// Decides whether a maintainer would write the arguments of a call: values like those of the tests, no empty ones, no
// large numbers, and no texts with unknown words or with signs in unusual positions.

import type { Subject } from '../../../core/verify/counterexamples/plan.ts';
import { findBrokenRelation, measureArguments } from '../../../core/verify/guard/argumentRelations.ts';
import type { DistinguishingOrder } from '../../../core/verify/guard/distinguishingCalls.ts';
import { PLAIN_WORDS } from '../shrinkValues.ts';
import type { ValueSpec } from '../messages.ts';
import { checksRecordedCalls } from './steps.ts';

type Input = readonly ValueSpec[];
/**
 * A value that contains no other values, and the place at which it is passed: the index of its argument, then names of
 * members (`.name`) and lists (`[]`).
 */
type Leaf = readonly [place: string, value: ValueSpec];

/**
 * How texts are written at a place: the pairs of neighbouring tokens, the tokens that stand on both sides of a number,
 * as in `1.2.3`, and signs that may stand anywhere.
 */
interface TextForms {
  readonly tokenPairs: ReadonlySet<string>;
  readonly tokensAroundNumbers: ReadonlySet<string>;
  readonly freeSigns: readonly string[];
}

/**
 * Minimum number of texts that show how texts are written at a place. With fewer, the texts of other places also count.
 */
const ENOUGH_TEXTS = 4;
/**
 * Maximum number of signs in a text that consists mostly of signs, which means that it has more than two for each other
 * character.
 */
const MAX_SIGNS = 4;
/** Maximum absolute value of an integer that occurs neither in the code nor in its tests. */
const MAX_NUMBER = 1000;
/** Matches words, numbers, white space, and runs of one sign. */
const TEXT_TOKEN_PATTERN = /[A-Za-z\u00c0-\u00ff]+|\d+|\s+|([^])\1*/g;
/** Matches the parts of a word in camel case. */
const WORD_PART_PATTERN = /[A-Z]?[a-z\u00c0-\u00ff]+|[A-Z]+/g;

/** Creates a function that returns true for inputs of the subject that a maintainer would write. */
export function createOrdinaryTest(order: DistinguishingOrder, subjectIndex: number): (input: Input) => boolean {
  const subject = order.subjects[subjectIndex]!;
  const { constants } = order.materials[subject.path]!;
  const examples = listTestInputs(subject);
  const testLeaves = examples.flatMap((input) => collectLeaves(subject, input));
  const knownLeaves = new Set(testLeaves.map(formatLeafKey));
  const allTestLeaves = order.subjects.flatMap((otherSubject) =>
    listTestInputs(otherSubject).flatMap((input) => collectLeaves(otherSubject, input)),
  );
  const passedTexts = new Set(selectTexts(allTestLeaves));
  const knownNumbers = new Set<ValueSpec>([...constants.numbers, ...listValues(allTestLeaves)]);
  const textsInCode = [
    ...selectTexts(allTestLeaves),
    ...constants.strings.filter((text) => /\w\w/.test(text)),
    ...PLAIN_WORDS,
  ];
  const knownWords = new Set(textsInCode.flatMap(splitWords));
  const memberNames = new Set(allTestLeaves.flatMap(([place]) => place.split('.').slice(1)));
  const objectPlaces = new Set(
    testLeaves.flatMap(([place, value]) => [...listPlacesAround(place), ...(isContainer(value) ? [place] : [])]),
  );
  const usesOfTests = new Set(examples.flatMap((input) => listUses(subject, input)));
  const textsOfTests = [...new Set(selectTexts(testLeaves))];
  const codeSigns = constants.strings.filter((text) => /^[^\w\s]{2,}$/.test(text));
  const listTextsAt = (place: string) => selectTexts(testLeaves.filter(([leafPlace]) => leafPlace === place));
  const formsByPlace = new Map<string, TextForms>();
  const provideForms = (place: string): TextForms => {
    const forms = formsByPlace.get(place) ?? createForms(place);
    formsByPlace.set(place, forms);
    return forms;
  };
  const createForms = (place: string): TextForms => {
    const knownTexts = new Set(listTextsAt(place));
    if (knownTexts.size >= ENOUGH_TEXTS) return createTextForms([...knownTexts], []);
    if (textsOfTests.length >= ENOUGH_TEXTS) return createTextForms(textsOfTests, []);
    return createTextForms([...textsOfTests, ...textsInCode], codeSigns);
  };
  const isUsualCharacter = (text: string, place: string): boolean => {
    const knownTexts = listTextsAt(place);
    return knownTexts.length === 0 ? passedTexts.has(text) : knownTexts.some(({ length }) => length === 1);
  };
  const isUsualText = (text: string, place: string): boolean => {
    const signs = [...text].filter((sign) => !/[\w\s]/.test(sign)).length;
    if (signs > MAX_SIGNS && signs > (text.length - signs) * 2) return false;
    if (text.length === 1 && !isUsualCharacter(text, place)) return false;
    if (!/[a-z\d\u00c0-\u00ff]/i.test(text) && !textsOfTests.some((ownText) => ownText.includes(text))) return false;
    if (!splitWords(text).every((word) => knownWords.has(word))) return false;
    const { tokenPairs, tokensAroundNumbers, freeSigns } = provideForms(place);
    if (!listTokensAroundNumbers(text).every((token) => tokensAroundNumbers.has(token))) return false;
    // Signs that have a meaning in the code may stand anywhere if the tests do not show where they stand.
    const parts = freeSigns.reduce<readonly string[]>((all, sign) => all.flatMap((part) => part.split(sign)), [text]);
    if (parts.length > 1)
      return parts.every((part) =>
        listPairs(part)
          .slice(1, -1)
          .every((pair) => tokenPairs.has(pair)),
      );
    return listPairs(text).every((pair) => tokenPairs.has(pair));
  };
  const isUsualNumber = (number: number, place: string): boolean => {
    if (knownNumbers.has(number) && Number.isInteger(number) && number >= 0) return true;
    const numbersAtPlace = listValues(testLeaves.filter(([leafPlace]) => leafPlace === place)).filter(
      (value) => typeof value === 'number',
    );
    if (number < 0 && !numbersAtPlace.some((value) => value < 0)) return false;
    return Number.isInteger(number)
      ? Math.abs(number) <= MAX_NUMBER
      : numbersAtPlace.some((value) => !Number.isInteger(value));
  };
  const fewestArguments = countFewestArguments(subject);
  return (input) => {
    if (input.length === 0 && subject.parameters.length > 0 && examples.every(({ length }) => length > 0)) return false;
    // Without types, only the tests show that an argument may be omitted.
    if (countArguments(subject, input).some((count, index) => count < (fewestArguments[index] ?? 0))) return false;
    // Objects that are made like this one are used only as in the tests.
    if (!listUses(subject, input).every((use) => usesOfTests.has(use))) return false;
    if (findBrokenRelation(subject.relations ?? [], measureArguments(selectRelatedArguments(subject, input))))
      return false;
    return collectLeaves(subject, input).every((leaf) => {
      const [place, value] = leaf;
      if (knownLeaves.has(formatLeafKey(leaf))) return true;
      // Without types, only the tests show which other values may replace an object.
      if (subject.guided && objectPlaces.has(place)) return false;
      // Names of members that have only one letter, or only signs, are made up.
      if (
        place
          .split('.')
          .slice(1)
          .some((name) => !memberNames.has(name) && !/\w\w/.test(name))
      )
        return false;
      if (typeof value === 'string') return value.trim() !== '' && isUsualText(value, place);
      if (typeof value === 'number') return isUsualNumber(value, place);
      if (value === null || value === undefined) return false;
      // Without types, only tests show that a flag may be passed by its position.
      if (typeof value === 'boolean') return !subject.guided || place.includes('.');
      return typeof value !== 'object' || (value.$ !== 'array' && value.$ !== 'record');
    });
  };
}

/**
 * The arguments that relations are about: for a member, those of its call, without those of the constructor; otherwise
 * all.
 */
function selectRelatedArguments({ member }: Subject, input: Input): Input {
  const lastValue = input.at(-1);
  return member ? (typeof lastValue === 'object' && lastValue?.$ === 'array' ? lastValue.of : []) : input;
}

/**
 * The smallest number of arguments in the tests: of the function, or of the object's maker and of the member. Empty if
 * types show which arguments may be omitted.
 */
function countFewestArguments(subject: Subject): readonly number[] {
  if (!subject.guided || subject.used) return [];
  const counts = subject.examples.map((example) => countArguments(subject, example));
  return (counts[0] ?? []).map((_, index) => Math.min(...counts.map((count) => count[index] ?? 0)));
}

/** The number of arguments of the function, or of the object's maker and of the member. */
function countArguments({ member }: Subject, input: Input): readonly number[] {
  if (!member) return [input.length];
  return input.map((value) => (typeof value === 'object' && value?.$ === 'array' ? value.of.length : 1));
}

/** The inputs of the tests, in the form of `createInputs` (`firstInputs.ts`). */
function listTestInputs({ used, examples, sequences = [] }: Subject): readonly Input[] {
  if (!used) return examples;
  return sequences.map(({ making, steps }) => [
    { $: 'array', of: making },
    ...steps.map(({ use, given }): ValueSpec => ({ $: 'array', of: [use, ...given] })),
  ]);
}

/** The leaves of all arguments. In the inputs of a member or of steps, each list is a list of arguments. */
function collectLeaves({ member, used }: Subject, input: Input): readonly Leaf[] {
  const argumentsOf = (value: ValueSpec) => (typeof value === 'object' && value?.$ === 'array' ? value.of : [value]);
  return input.flatMap((value, inputIndex) => {
    if (used && inputIndex > 0) {
      const [use, ...useArguments] = argumentsOf(value);
      return useArguments.flatMap((argument, index) => listLeaves(`use ${String(use)} ${index}`, argument));
    }
    if (used || member)
      return argumentsOf(value).flatMap((argument, index) => listLeaves(`${inputIndex} ${index}`, argument));
    return listLeaves(String(inputIndex), value);
  });
}

/**
 * The uses of an object in the steps of an input, without steps that only check calls. Each is a text with the places
 * of the values that the maker gets and the index of the use. None if the subject is not used in steps.
 */
function listUses(subject: Subject, input: Input): readonly string[] {
  if (!subject.used) return [];
  const makerPlaces = [...new Set(collectLeaves(subject, input.slice(0, 1)).map(([place]) => place))].toSorted().join();
  return input
    .slice(1)
    .filter((step) => !checksRecordedCalls(subject.used, step))
    .flatMap((step) =>
      typeof step === 'object' && step?.$ === 'array' ? [`${makerPlaces}|${String(step.of[0])}`] : [],
    );
}

function listLeaves(place: string, value: ValueSpec): readonly Leaf[] {
  if (typeof value === 'object' && value !== null) {
    if ((value.$ === 'array' || value.$ === 'set') && value.of.length > 0) {
      // An array inside an array is mostly a tuple, so an empty text belongs to one position of it.
      const isTuple = place.endsWith('[]');
      return value.of.flatMap((item, index) => listLeaves(`${place}[${isTuple && item === '' ? index : ''}]`, item));
    }
    if (value.$ === 'record' && value.fields.length > 0)
      return value.fields.flatMap(([name, part]) => listLeaves(`${place}.${name}`, part));
  }
  return [[place, value]];
}

/** True for an object or a list, here an empty one. */
function isContainer(value: ValueSpec): boolean {
  return typeof value === 'object' && value !== null && (value.$ === 'record' || value.$ === 'array');
}

/** The places of the objects and arrays around a place: `1` and `1.engines` for `1.engines.yaml`. */
function listPlacesAround(place: string): readonly string[] {
  return [...place.matchAll(/[.[]/g)].map(({ index }) => place.slice(0, index));
}

function formatLeafKey([place, value]: Leaf): string {
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
  return `${place}\0${text ?? 'undefined'}`;
}

function listValues(leaves: readonly Leaf[]): readonly ValueSpec[] {
  return leaves.map(([, value]) => value);
}

function selectTexts(leaves: readonly Leaf[]): readonly string[] {
  return listValues(leaves).filter((value) => typeof value === 'string');
}

/** The words of a text in lower case. Words in camel case are split. */
function splitWords(text: string): readonly string[] {
  return (text.match(WORD_PART_PATTERN) ?? []).map((word) => word.toLowerCase());
}

/** How these texts are written. */
function createTextForms(texts: readonly string[], freeSigns: readonly string[]): TextForms {
  return {
    tokenPairs: listNeighbourPairs(texts),
    tokensAroundNumbers: new Set(texts.flatMap(listTokensAroundNumbers)),
    freeSigns,
  };
}

/** The pairs of neighbouring tokens in these texts and in plain words. */
function listNeighbourPairs(texts: readonly string[]): ReadonlySet<string> {
  return new Set([...texts, ...PLAIN_WORDS.filter((word) => word !== '1')].flatMap(listPairs));
}

/**
 * The pairs of neighbouring tokens in a text, including its start and its end. All words count as the same token, and
 * so do all numbers.
 */
function listPairs(text: string): readonly string[] {
  const tokens = listTokens(text);
  return [...tokens, 'end'].map((token, index) => `${tokens[index - 1] ?? 'start'} ${token}`);
}

/** The tokens that stand on both sides of a number: `.` for `1.2.3`, none for `-1.5`. */
function listTokensAroundNumbers(text: string): readonly string[] {
  const tokens = listTokens(text);
  return tokens.filter((token, index) => tokens[index + 1] === 'number' && tokens[index + 2] === token);
}

/** The tokens of a text; `word` for each word, and `number` for each number. */
function listTokens(text: string): readonly string[] {
  return (text.match(TEXT_TOKEN_PATTERN) ?? []).map((token) =>
    /^[A-Za-z\u00c0-\u00ff]/.test(token) ? 'word' : /^\d/.test(token) ? 'number' : token,
  );
}
