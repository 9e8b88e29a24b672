// Finds relations between the arguments of a function that hold in all known calls: one number is at most as large as
// another, two arrays have the same length, or an array ascends. Nobody would write a call that breaks such a relation.

/**
 * The measured part of an argument: a number, or the elements of an array (null for an element that is not a number).
 */
export type Measure = number | readonly (number | null)[];
/** The measures of a call by argument: `1` for the argument at this index, `0.min` for a member of an object. */
export type MeasuredCall = ReadonlyMap<string, Measure>;

/** A relation that holds in all known calls. Its arguments are named as in `MeasuredCall`. */
export type ArgumentRelation =
  | { readonly kind: 'atMost' | 'below' | 'sameLength'; readonly left: string; readonly right: string }
  | { readonly kind: 'ascending'; readonly of: string };

/** Names of bounds that come in pairs: the lower one, then the upper one. */
const BOUND_NAMES = [
  ['minimum', 'maximum'],
  ['min', 'max'],
  ['lowest', 'highest'],
  ['lower', 'upper'],
  ['low', 'high'],
  ['lo', 'hi'],
  ['least', 'most'],
  ['smallest', 'largest'],
  ['begin', 'end'],
  ['start', 'end'],
  ['start', 'stop'],
] as const;
/** Minimum number of different pairs of values that show an order, if the names of the parameters do not show it. */
const MIN_PAIRS = 4;
/** Minimum number of arrays that show a relation of lengths, or that arrays ascend. */
const MIN_LISTS = 3;
/** Minimum number of elements of an array that shows an order. */
const MIN_ELEMENTS = 3;

/**
 * The relations between the arguments. `names`: the names of the parameters, in order. `code`: the code of the
 * function. If it compares two parameters, either may be the larger one, so no order is reported for them.
 */
export function findArgumentRelations(
  names: readonly string[],
  calls: readonly MeasuredCall[],
  code: string,
): readonly ArgumentRelation[] {
  const argumentKeys = [
    ...new Set([...names.map((_, index) => String(index)), ...calls.flatMap((call) => [...call.keys()])]),
  ];
  const getArgumentName = (argumentKey: string) =>
    argumentKey.includes('.') ? argumentKey.slice(argumentKey.lastIndexOf('.') + 1) : names[Number(argumentKey)]!;
  const namedKeys = argumentKeys.filter((argumentKey) => getArgumentName(argumentKey) !== undefined);
  const pairs = namedKeys.flatMap((left) =>
    namedKeys.filter((right) => right !== left).map((right) => [left, right] as const),
  );
  return [
    ...pairs.flatMap(([left, right]) => {
      const order = findOrder(calls, left, right, [getArgumentName(left), getArgumentName(right)], code);
      return order ? [order] : [];
    }),
    ...pairs
      .filter(([left, right]) => left < right && haveSameLength(calls, left, right))
      .map(([left, right]) => ({ kind: 'sameLength', left, right }) as const),
    ...namedKeys
      .filter((argumentKey) => alwaysAscends(calls, argumentKey))
      .map((argumentKey) => ({ kind: 'ascending', of: argumentKey }) as const),
  ];
}

/** The first relation that a call breaks; null if it breaks none. An omitted argument breaks no relation. */
export function findBrokenRelation(
  relations: readonly ArgumentRelation[],
  call: MeasuredCall,
): ArgumentRelation | null {
  return relations.find((relation) => !holdsIn(relation, call)) ?? null;
}

function holdsIn(relation: ArgumentRelation, call: MeasuredCall): boolean {
  if (relation.kind === 'ascending') {
    const list = call.get(relation.of);
    return !Array.isArray(list) || isAscending(list);
  }
  const [left, right] = [call.get(relation.left), call.get(relation.right)];
  if (relation.kind === 'sameLength')
    return !Array.isArray(left) || !Array.isArray(right) || left.length === right.length;
  if (typeof left !== 'number' || typeof right !== 'number') return true;
  return relation.kind === 'below' ? left < right : left <= right;
}

/** A value of a call, in the form of `ExampleValue` or of the harness. */
type Value = unknown;

/** Measures these arguments. */
export function measureArguments(values: readonly Value[]): MeasuredCall {
  const measures = new Map<string, Measure>();
  for (const [index, value] of values.entries()) {
    addMeasure(measures, String(index), value);
    if (isTagged(value, 'record'))
      for (const [name, field] of value.fields ?? []) addMeasure(measures, `${index}.${name}`, field);
  }
  return measures;
}

function addMeasure(measures: Map<string, Measure>, argumentKey: string, value: Value): void {
  if (typeof value === 'number') measures.set(argumentKey, value);
  else if (isTagged(value, 'array'))
    measures.set(
      argumentKey,
      (value.of ?? []).map((element) => (typeof element === 'number' ? element : null)),
    );
}

interface Tagged {
  readonly $: string;
  readonly of?: readonly Value[];
  readonly fields?: readonly (readonly [name: string, value: Value])[];
}

function isTagged(value: Value, tag: string): value is Tagged {
  return typeof value === 'object' && value !== null && (value as Tagged).$ === tag;
}

/** The order of two numbers that all calls with both of them keep; null if there is none, or if it may be chance. */
function findOrder(
  calls: readonly MeasuredCall[],
  left: string,
  right: string,
  names: readonly [left: string, right: string],
  code: string,
): ArgumentRelation | null {
  const values = calls.flatMap((call) => {
    const [low, high] = [call.get(left), call.get(right)];
    return typeof low === 'number' && typeof high === 'number' ? [[low, high] as const] : [];
  });
  if (!values.every(([low, high]) => low <= high)) return null;
  const areBounds = isPairOfBounds(...names);
  const differentPairCount = new Set(values.map((value) => value.join())).size;
  if (areBounds ? comparesDirectly(code, names) : differentPairCount < MIN_PAIRS || comparesInLine(code, names))
    return null;
  // A few calls do not show whether equal values are unusual.
  const isStrict = differentPairCount >= MIN_PAIRS && values.every(([low, high]) => low < high);
  return { kind: isStrict ? 'below' : 'atMost', left, right };
}

/**
 * True for names that differ only in a pair of `BOUND_NAMES`, such as `low` and `high`, or `minWidth` and `maxWidth`.
 */
function isPairOfBounds(left: string, right: string): boolean {
  const [lower, upper] = [left.toLowerCase(), right.toLowerCase()];
  return BOUND_NAMES.some(([low, high]) => {
    const boundOffset = lower.indexOf(low);
    return boundOffset >= 0 && upper === lower.slice(0, boundOffset) + high + lower.slice(boundOffset + low.length);
  });
}

/** True if the code compares the two names with each other. */
function comparesDirectly(code: string, [left, right]: readonly [string, string]): boolean {
  const isCompared = (first: string, second: string) =>
    new RegExp(
      `(?<![\\w$])${escapeDollars(first)}\\s*(?:[<>]=?|[!=]==?)\\s*(?:[\\w$]+\\.)*${escapeDollars(second)}(?![\\w$])`,
    ).test(code);
  return isCompared(left, right) || isCompared(right, left);
}

/** True if a line with a comparison, or with a call of `min` or `max`, mentions both names. */
function comparesInLine(code: string, names: readonly [string, string]): boolean {
  return code
    .split('\n')
    .some(
      (line) =>
        /[<>](?![=>])|[<>]=|\b(?:min|max)\s*\(/i.test(line.replaceAll('=>', '')) &&
        names.every((name) => new RegExp(`(?<![\\w$])${escapeDollars(name)}(?![\\w$])`).test(line)),
    );
}

function escapeDollars(name: string): string {
  return name.replaceAll('$', '\\$');
}

/** True if the two arrays have the same length in all calls, in at least `MIN_LISTS` calls and with several lengths. */
function haveSameLength(calls: readonly MeasuredCall[], left: string, right: string): boolean {
  const lengths = new Set<number>();
  let count = 0;
  for (const call of calls) {
    const [first, second] = [call.get(left), call.get(right)];
    if (!Array.isArray(first) || !Array.isArray(second)) continue;
    if (first.length !== second.length) return false;
    lengths.add(first.length);
    count += 1;
  }
  return count >= MIN_LISTS && lengths.size > 1;
}

/** True if the array ascends in all calls, and at least `MIN_LISTS` different arrays show it. */
function alwaysAscends(calls: readonly MeasuredCall[], argumentKey: string): boolean {
  const lists = calls.flatMap((call) => {
    const list = call.get(argumentKey);
    return Array.isArray(list) && list.length > 0 ? [list as readonly (number | null)[]] : [];
  });
  const longLists = new Set(lists.filter(({ length }) => length >= MIN_ELEMENTS).map((list) => list.join()));
  return longLists.size >= MIN_LISTS && lists.every((list) => isAscending(list) && !list.includes(null));
}

function isAscending(list: readonly (number | null)[]): boolean {
  return list.every((value, index) => index === 0 || value === null || (list[index - 1] ?? value) <= value);
}
