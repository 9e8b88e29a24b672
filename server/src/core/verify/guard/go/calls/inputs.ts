// Creates calls of Go functions: with the values of the tests, with small variations of these, and with values that the
// types allow.

import type { GoCall, GoValue } from './plan.ts';
import { isBasic, type GoDeclarations, type GoFunction, type GoParameter } from './declarations.ts';
import { isPlainList, type GoExample } from './examples.ts';
import { createGoOrdinary, isCharacter, PLAIN_TEXTS, type GoOrdinary, type GoVocabulary } from './ordinary.ts';
import { sampleEvenly } from '../../../../../util/values/sampleEvenly.ts';

/** Maximum number of calls of a function. */
const MAX_CALLS = 240;
/** Maximum number of values for one parameter. */
const MAX_VALUES = 48;
/** Ranks: values of tests, values close to these or from the code, and values that only fit the type. */
const [OF_TESTS, NEAR, BY_TYPE] = [0, 1, 2] as const;
const INPUT_SEED = 20261127;

/** A value and how unusual it is: `OF_TESTS`, `NEAR` or `BY_TYPE`. */
interface Ranked {
  readonly value: GoValue;
  readonly rank: number;
}

/** The known facts about a package from which the arguments of its functions are chosen. */
export interface Materials {
  readonly declarations: GoDeclarations;
  readonly examples: readonly GoExample[];
  /** The calls in the code of the package, without those in tests. */
  readonly callsInCode: readonly GoExample[];
  readonly vocabulary: GoVocabulary;
  /** Functions that create values of a declared type from plain values, by the name of the type without `*`. */
  readonly makers: ReadonlyMap<string, GoFunction>;
}

/** The first function, for each declared type, that creates a value of the type from plain values only. */
export function findMakers(
  functions: readonly GoFunction[],
  declarations: GoDeclarations,
  isUsable: (goFunction: GoFunction) => boolean,
): ReadonlyMap<string, GoFunction> {
  const makers = new Map<string, GoFunction>();
  for (const candidate of functions) {
    const [result = '', error] = candidate.results;
    const type = result.replace(/^\*/, '');
    const isMaker =
      !candidate.receiver &&
      !candidate.generic &&
      /^[A-Z]/.test(candidate.name) &&
      declarations.types.has(type) &&
      (candidate.results.length === 1 || (candidate.results.length === 2 && error === 'error'));
    if (!isMaker || makers.has(type) || !isUsable(candidate)) continue;
    const fixedParameters = candidate.parameters.filter(({ variadic }) => !variadic);
    if (fixedParameters.every((parameter) => findPlainType(parameter.type, declarations) !== null))
      makers.set(type, candidate);
  }
  return makers;
}

/** The basic type, or slice of one, to which a type resolves; null for other types. */
function findPlainType(type: string, { types }: Pick<GoDeclarations, 'types'>): string | null {
  if (isBasic(type) || isPlainList(type)) return type;
  const underlyingType = types.get(type);
  return underlyingType !== undefined && isBasic(underlyingType) ? underlyingType : null;
}

/** The reason why the function is not called; null if it can be called. */
export function explainNotCalled(goFunction: GoFunction, { declarations, makers }: Materials): string | null {
  if (goFunction.generic) return 'It has type parameters.';
  if (goFunction.results.length === 0) return 'It returns nothing.';
  if (goFunction.receiver && !makers.has(goFunction.receiver.type))
    return `No function makes a ${goFunction.receiver.type} of plain values.`;
  const unusableParameter = goFunction.parameters.find(
    ({ type, variadic }) =>
      !variadic && findPlainType(type, declarations) === null && !makers.has(type.replace(/^\*/, '')),
  );
  return unusableParameter ? `No value of the type ${unusableParameter.type} is made.` : null;
}

/** The calls, those with values of the tests first. Omits calls that nobody would write. */
export function createCalls(goFunction: GoFunction, materials: Materials): readonly GoCall[] {
  const { declarations, makers } = materials;
  const draw = createDraw(INPUT_SEED);
  const { examplesOfFunction, ordinary } = createOrdinary(goFunction, materials);
  const receivers = goFunction.receiver
    ? createMadeValues(makers.get(goFunction.receiver.type)!, materials, draw)
    : null;
  const fixedParameters = goFunction.parameters.filter(({ variadic }) => !variadic);
  const restParameter = goFunction.parameters.find(({ variadic }) => variadic);
  const columns = fixedParameters.map((parameter, index) =>
    collectValues(parameter, index, goFunction, { examplesOfFunction, ordinary }, materials, draw),
  );
  const calls = new Map<string, GoCall>();
  const add = (receiver: Ranked | null, callArguments: readonly Ranked[]) => {
    const parts = receiver ? [receiver, ...callArguments] : callArguments;
    const call = {
      receiver: receiver?.value ?? null,
      given: callArguments.map(({ value }) => value),
      rank: parts.reduce((sum, { rank }) => sum + rank, 0),
    };
    const key = JSON.stringify([call.receiver, call.given]);
    if (calls.size >= MAX_CALLS || calls.has(key)) return;
    const texts = call.given.map((value) => ('text' in value ? value.text : null));
    if (ordinary.keepsRelations(texts)) calls.set(key, call);
  };
  const isComplete = (callArguments: GoExample['given']): callArguments is readonly string[] =>
    callArguments.every((text) => text !== null);
  if (!receivers && fixedParameters.every(({ type }) => findPlainType(type, declarations) !== null))
    for (const { given } of examplesOfFunction)
      if (
        given.length >= fixedParameters.length &&
        (restParameter || given.length === fixedParameters.length) &&
        isComplete(given)
      )
        add(
          null,
          given.map((text) => ({ value: { text }, rank: OF_TESTS })),
        );
  if (columns.some(({ length }) => length === 0) || receivers?.length === 0) return [...calls.values()];
  const lists = receivers ? [receivers, ...columns] : columns;
  // Uses each value once with the first value of every other parameter, and then random combinations.
  for (const [listIndex, list] of lists.entries())
    for (const value of list)
      addCombination(lists.map((candidates, index) => (index === listIndex ? value : candidates[0]!)));
  for (let tries = 0; tries < MAX_CALLS * 2 && lists.length > 1 && calls.size < MAX_CALLS; tries += 1)
    addCombination(lists.map((list) => list[draw(list.length)]!));
  return [...calls.values()];

  function addCombination(parts: readonly Ranked[]): void {
    const additionalValues = createRestValues(restParameter, draw);
    if (receivers) add(parts[0]!, [...parts.slice(1), ...additionalValues]);
    else add(null, [...parts, ...additionalValues]);
  }

  function createRestValues(parameter: GoParameter | undefined, choose: Draw): readonly Ranked[] {
    const type = parameter && findPlainType(parameter.type, declarations);
    if (!type) return [];
    const values = createUsualValues(type).filter((text) => ordinary.isUsualValue(text, fixedParameters.length));
    return Array.from({ length: values.length === 0 ? 0 : choose(3) }, () => ({
      value: { text: values[choose(values.length)]! },
      rank: BY_TYPE,
    }));
  }
}

/**
 * The values for one parameter, at most `MAX_VALUES`; values of tests come first. Omits values that nobody would write.
 */
function collectValues(
  parameter: GoParameter,
  index: number,
  goFunction: GoFunction,
  { examplesOfFunction, ordinary }: OrdinaryExamples,
  materials: Materials,
  draw: Draw,
): readonly Ranked[] {
  const { declarations, makers } = materials;
  const type = findPlainType(parameter.type, declarations);
  if (type === null) return createMadeValues(makers.get(parameter.type.replace(/^\*/, ''))!, materials, draw);
  const valuesInTests = examplesOfFunction.flatMap(({ given }) => given[index] ?? []);
  const constantNames = [...declarations.constants].filter(([, of]) => of === parameter.type).map(([name]) => name);
  const values = new Map<string, number>();
  const add = (rank: number, texts: readonly string[]) => {
    for (const text of texts)
      if (!values.has(text) && (rank === OF_TESTS || ordinary.isUsualValue(text, index))) values.set(text, rank);
  };
  add(OF_TESTS, [...valuesInTests, ...constantNames]);
  add(NEAR, [
    ...collectValuesInCode(goFunction, type),
    ...valuesInTests.flatMap((text) => createNearValues(text, type)),
  ]);
  if (constantNames.length === 0) add(BY_TYPE, createUsualValues(type));
  const rankedValues = [...values].map(([text, rank]): Ranked => ({ value: { text }, rank }));
  const valuesOfTests = rankedValues.filter(({ rank }) => rank === OF_TESTS).slice(0, MAX_VALUES / 2);
  const otherValues = rankedValues.filter((value) => !valuesOfTests.includes(value));
  return [...valuesOfTests, ...sampleEvenly(otherValues, MAX_VALUES - valuesOfTests.length)];
}

/** The calls of a function in tests, and the checks that they imply. */
interface OrdinaryExamples {
  readonly examplesOfFunction: readonly GoExample[];
  readonly ordinary: GoOrdinary;
}

/** Collects the calls of a function in tests, and creates the checks for them. */
function createOrdinary(goFunction: GoFunction, { examples, callsInCode, vocabulary }: Materials): OrdinaryExamples {
  const shortName = goFunction.name.slice(goFunction.name.indexOf('.') + 1);
  const isOfFunction = ({ name }: GoExample) => name === shortName;
  const examplesOfFunction = examples.filter(isOfFunction);
  const callsOfFunctionInCode = callsInCode.filter(isOfFunction);
  return {
    examplesOfFunction,
    ordinary: createGoOrdinary(goFunction, examplesOfFunction, callsOfFunctionInCode, vocabulary),
  };
}

/** Values that this function creates: called as in the tests, then with random values. */
function createMadeValues(maker: GoFunction, materials: Materials, draw: Draw): readonly Ranked[] {
  const { examplesOfFunction: examplesOfMaker, ordinary } = createOrdinary(maker, materials);
  const fixedParameters = maker.parameters.filter(({ variadic }) => !variadic);
  const columns = fixedParameters.map((parameter, index) =>
    collectValues(parameter, index, maker, { examplesOfFunction: examplesOfMaker, ordinary }, materials, draw),
  );
  const fails = maker.results.length === 2;
  const rankedLists = new Map<string, Ranked>();
  const add = (callArguments: readonly string[], rank: number) => {
    const key = callArguments.join('\0');
    if (!rankedLists.has(key) && (rank === OF_TESTS || ordinary.keepsRelations(callArguments)))
      rankedLists.set(key, { value: { maker: maker.name, given: callArguments, fails }, rank });
  };
  for (const { given } of examplesOfMaker)
    if (given.length === fixedParameters.length && given.every((text) => text !== null))
      add(given as readonly string[], OF_TESTS);
  if (columns.some(({ length }) => length === 0)) return [...rankedLists.values()];
  for (let tries = 0; tries < MAX_VALUES && rankedLists.size < MAX_VALUES; tries += 1) {
    const parts = columns.map((list) => list[draw(list.length)]!);
    add(
      parts.map(({ value }) => ('text' in value ? value.text : '')),
      Math.max(NEAR, ...parts.map(({ rank }) => rank)),
    );
  }
  return [...rankedLists.values()];
}

/** Literals of the type in the body of the function, and numbers next to them. */
function collectValuesInCode({ node }: GoFunction, type: string): readonly string[] {
  const texts = (kind: string) => node.descendantsOfType(kind).flatMap((node) => node?.text ?? []);
  if (type === 'string') return texts('interpreted_string_literal').filter((text) => !text.includes('%'));
  if (type === 'rune') return texts('rune_literal');
  if (!/int|byte/.test(type) || type.startsWith('[]')) return [];
  const numbers = texts('int_literal')
    .filter((text) => /^\d{1,9}$/.test(text))
    .flatMap((text) => [text, String(Number(text) + 1), ...(Number(text) > 0 ? [String(Number(text) - 1)] : [])]);
  return /^(?:byte|uint8)$/.test(type) ? [...texts('rune_literal'), ...numbers] : numbers;
}

/** Values that differ slightly from this one. */
function createNearValues(text: string, type: string): readonly string[] {
  if (isCharacter(text)) return ["'-'", "'_'", "'a'"].filter((character) => character !== text);
  if (/^\d{1,9}$/.test(text) && type !== 'string') {
    const value = Number(text);
    return [String(value + 1), ...(value > 0 ? [String(value - 1)] : [])];
  }
  if (/^-\d{1,9}$/.test(text)) return [String(Number(text) + 1), text.slice(1)];
  // Only strings without escape sequences.
  const plainText = /^"([ !#-[\]-~]*)"$/.exec(text)?.[1];
  if (plainText === undefined || plainText === '') return [];
  const numbers = plainText.replace(/\d+/, (digits) => String(Number(digits.slice(0, 9)) + 1));
  return [plainText.slice(0, -1), plainText.slice(1), numbers, plainText.toUpperCase(), plainText.replace(/[-_. ]/, '')]
    .filter((constantText) => constantText !== plainText && constantText !== '')
    .map((constantText) => `"${constantText}"`);
}

/** Some usual values of a plain type, as code. */
function createUsualValues(type: string): readonly string[] {
  if (type.startsWith('[]')) {
    const inner = createUsualValues(type.slice(2));
    return [
      `${type}{${inner[0]}}`,
      `${type}{${inner.slice(0, 3).join(', ')}}`,
      `${type}{}`,
      `${type}{${inner[1]}, ${inner[1]}}`,
    ];
  }
  if (type === 'string')
    return [...PLAIN_TEXTS, '"Foo"', '"a"', '"Hello World"', '"abc"', '"a_b-c"', '"12"', '""', '"a.b"', '" a "'];
  if (type === 'bool') return ['true', 'false'];
  if (type === 'rune') return ["'a'", "'Z'", "'0'", "' '"];
  if (type.startsWith('float')) return ['1.5', '0', '2', '10', '0.1', '100.25'];
  return ['1', '2', '3', '0', '10', '7', '100'];
}

type Draw = (limit: number) => number;

/** Creates a linear congruential generator of numbers below a limit, which is the same in each run. */
function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
