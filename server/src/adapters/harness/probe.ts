// Makes the calls that check a law for given values.

import { isDeepStrictEqual } from 'node:util';
import type { CounterexampleKind, Law, Subject } from '../../core/verify/counterexamples/plan.ts';
import type { Shape } from '../../core/verify/differential/plan.ts';
import { explainTypeContradiction } from './typeContradictions.ts';
import { findEngineError } from './engineError.ts';
import { createDescriber, describeThrown } from './describe.ts';
import { createValue } from './createValue.ts';
import type { ValueSpec, ProbeResult } from './messages.ts';
import { drainIterator, isIteratorOfCode } from './results/iterators.ts';
import type { Accessors } from './perform.ts';
import { formatAsCode } from './sourceCode.ts';
import type { ControlledEnvironment } from './controlledEnvironment.ts';

/** The functions and shapes that a probe needs. */
export interface ProbeParts {
  readonly subjects: readonly Subject[];
  /** Access to the functions, by the path of the file and the name. */
  readonly accessors: ReadonlyMap<string, Accessors>;
  readonly environment: ControlledEnvironment;
  readonly rootDir: string;
  /** Named shapes, by the path of the file and the name. */
  readonly shapes: Readonly<Record<string, Readonly<Record<string, Shape>>>>;
}

/** The end of a call: its value or its error. */
type CallEnd = ({ readonly value: unknown } | { readonly error: unknown }) & { readonly via?: SettledFrom };

/** What the call itself returned, if its value or error came only from that. */
type SettledFrom = 'promise' | 'iterator';

/**
 * Matches the names of functions that read a format. Some errors of the engine in them only show that a text does not
 * have this format.
 */
const READER_NAME_PATTERN =
  /^(?:decode|parse|from|unpack|unescape|deserialize|read|load|inflate|to)(?![a-z])|(?:Decode|Parse|ToString)$/;
/** Matches errors of the engine by which a function that reads a format refuses a text. */
const REFUSAL_ERROR_PATTERN = /^(?:URIError|RangeError: Invalid code point)/;

/**
 * Matches the names of functions that read formats which only machines write. Errors of the engine in them are ignored,
 * because generated texts are not in such a format.
 */
const MACHINE_FORMAT_NAME_PATTERN = /^(?:decode|unpack|inflate|deserialize|decompress|unmarshal)(?![a-z])|Decode$/;
/** Matches errors of the engine about an impossible length or count. */
const LENGTH_ERROR_PATTERN = /^RangeError: (?!Maximum call stack)/;

/** Matches the names of reducers. One without a start value refuses an empty list, as the built-in one does. */
const REDUCER_NAME_PATTERN = /^(?:reduce|fold)|(?:Reduce|Reduced)$/;
/** Matches the error of the engine by which a reducer refuses an empty list. */
const EMPTY_REDUCE_PATTERN = /^TypeError: Reduce of empty array/;

/**
 * Matches the error of the engine for a path that leads into a string or a number. Its message tells the caller what is
 * wrong.
 */
const PRIMITIVE_WRITE_PATTERN = /^TypeError: Cannot create property /;

const HOLDING_RESULT: ProbeResult = { holds: true };

/**
 * Checks the law for `args`: the arguments of the function, or three values for a comparator, or the starting value for
 * a round trip. Inconclusive if the code has an effect outside of the process.
 */
export async function probeLaw(law: Law, args: readonly ValueSpec[], parts: ProbeParts): Promise<ProbeResult> {
  const violation = await runProbe(law, args, parts);
  const effect = parts.environment.readEffect();
  return effect === null ? violation : { inconclusive: `it asks for ${effect}` };
}

function runProbe(law: Law, args: readonly ValueSpec[], parts: ProbeParts): Promise<ProbeResult> {
  parts.environment.reset();
  switch (law.kind) {
    case 'breaks':
      return probeBreaks(law, args, parts);
    case 'settles':
      return probeSettles(parts.subjects[law.of]!, args, parts);
    case 'order':
      return probeOrder(parts.subjects[law.of]!, args, parts);
    case 'roundTrip':
      return probeRoundTrip(law, args, parts);
  }
}

async function probeBreaks(
  { of, result }: Extract<Law, { kind: 'breaks' }>,
  args: readonly ValueSpec[],
  parts: ProbeParts,
): Promise<ProbeResult> {
  const subject = parts.subjects[of]!;
  const probeOnce = async () => findBreach(await callSubject(subject, collectArguments(args, parts), parts));
  const firstBroken = await probeOnce();
  if (firstBroken === null) return HOLDING_RESULT;
  const secondBroken = await probeOnce();
  if (secondBroken?.site !== firstBroken.site) return { inconclusive: 'it depends on earlier calls' };
  const text = formatCall(subject, args);
  return { broken: { call: text, calls: [text], equals: null, stated: [text], ...firstBroken } };

  function findBreach(end: CallEnd): {
    kind: CounterexampleKind;
    expected: string;
    observed: string;
    site: string;
    unlike?: string;
    tested?: string;
  } | null {
    const settledText = end.via && { tested: callWithSettling(formatCall(subject, args), end.via) };
    if ('error' in end) {
      const error = findEngineError(end.error, parts.rootDir);
      if (!error || MACHINE_FORMAT_NAME_PATTERN.test(subject.name)) return null;
      if (READER_NAME_PATTERN.test(subject.name) && REFUSAL_ERROR_PATTERN.test(error.text)) return null;
      if (REDUCER_NAME_PATTERN.test(subject.name) && EMPTY_REDUCE_PATTERN.test(error.text)) return null;
      if (PRIMITIVE_WRITE_PATTERN.test(error.text)) return null;
      if (LENGTH_ERROR_PATTERN.test(error.text) && args.some(hasNegativeOrFraction)) return null;
      return {
        ...settledText,
        kind: 'engineError',
        expected: 'should return a value, or throw an error that says what is wrong',
        observed: `throws ${error.text}`,
        site: error.site,
      };
    }
    const contradiction = result && explainTypeContradiction(end.value, result.shape, parts.shapes[subject.path] ?? {});
    if (contradiction === null) return null;
    const { text: valueText, isExact } = createDescriber()(end.value, 'it');
    const type = typeof end.value;
    // A value that cannot be written, such as a function, is recognised by its type.
    const typeResult = !isExact &&
      type !== 'object' && {
        tested: `typeof ${settledText?.tested ?? formatCall(subject, args)}`,
        unlike: JSON.stringify(type),
      };
    return {
      ...settledText,
      ...(isExact && { unlike: valueText }),
      ...typeResult,
      kind: 'wrongType',
      expected: `should return \`${result!.type}\`, as its type says`,
      observed: `returns ${contradiction.includes(' at `') ? `${valueText}: ${contradiction}` : contradiction}`,
      site: `${subject.path} ${subject.name} ${contradiction.replace(/".*"|\d+/g, '…')}`,
    };
  }
}

/**
 * True if an argument is or contains a negative or fractional number. Such a number cannot be a length or a count, so
 * an error about a length refuses it rightly.
 */
function hasNegativeOrFraction(spec: ValueSpec): boolean {
  if (typeof spec === 'number') return !Number.isInteger(spec) || spec < 0;
  if (spec === null || typeof spec !== 'object') return false;
  if (spec.$ === 'array' || spec.$ === 'set') return spec.of.some(hasNegativeOrFraction);
  return spec.$ === 'record' && spec.fields.some(([, value]) => hasNegativeOrFraction(value));
}

async function probeSettles(subject: Subject, args: readonly ValueSpec[], parts: ProbeParts): Promise<ProbeResult> {
  const firstCall = await callSubject(subject, collectArguments(args, parts), parts);
  if ('error' in firstCall) return HOLDING_RESULT;
  const [firstText, copy] = [formatExpression(firstCall.value), copyValue(firstCall.value)];
  if (firstText === null || copy === null) return HOLDING_RESULT;
  const [, ...otherArguments] = collectArguments(args, parts);
  const callOnResult = await callSubject(subject, [firstCall.value, ...otherArguments], parts);
  if ('value' in callOnResult && equalsCopy(copy.value, callOnResult.value)) return HOLDING_RESULT;
  const repeated = await callSubject(subject, collectArguments(args, parts), parts);
  if (!('value' in repeated) || !equalsCopy(copy.value, repeated.value))
    return { inconclusive: 'it depends on earlier calls' };
  const inner = formatCall(subject, args);
  return {
    broken: {
      kind: 'settles',
      call: `${subject.name}(${[inner, ...args.slice(1).map(formatAsCode)].join(', ')})`,
      calls: [inner],
      expected: `should return ${firstText}, like \`${inner}\``,
      observed: formatOutcome(callOnResult),
      // The law states only that a second call changes nothing, not what the first call returns.
      equals: inner,
      site: null,
    },
  };
}

async function probeOrder(subject: Subject, args: readonly ValueSpec[], parts: ProbeParts): Promise<ProbeResult> {
  const [a, b, c] = args as readonly [ValueSpec, ValueSpec, ValueSpec];
  const compare = async (spec: ValueSpec, otherSpec: ValueSpec): Promise<number | null> => {
    const end = await callSubject(subject, collectArguments([spec, otherSpec], parts), parts);
    return 'value' in end && typeof end.value === 'number' ? end.value : null;
  };
  const [ab, ba] = [await compare(a, b), await compare(b, a)];
  if (ab === null || ba === null) return HOLDING_RESULT;
  const [abText, baText] = [formatCall(subject, [a, b]), formatCall(subject, [b, a])];
  const sum = Math.sign(ab) + Math.sign(ba);
  if (sum !== 0)
    return {
      broken: {
        kind: 'order',
        call: `Math.sign(${abText}) + Math.sign(${baText})`,
        calls: [abText],
        expected: 'should return 0: the two orders of the values have opposite signs',
        observed: `returns ${sum}, because the two calls return ${ab} and ${ba}`,
        equals: '0',
        site: null,
      },
    };
  const [bc, ac] = [await compare(b, c), await compare(a, c)];
  if (bc === null || ac === null || ab > 0 || bc > 0 || ac <= 0) return HOLDING_RESULT;
  const [bcText, acText] = [formatCall(subject, [b, c]), formatCall(subject, [a, c])];
  return {
    broken: {
      kind: 'order',
      call: `${abText} <= 0 && ${bcText} <= 0 && ${acText} > 0`,
      calls: [abText, bcText],
      expected:
        'should return false: the first value is not after the second, nor the second after the third, ' +
        'so the first cannot be after the third',
      observed: `returns true, because the three comparisons give ${ab}, ${bc} and ${ac}`,
      equals: 'false',
      site: null,
    },
  };
}

async function probeRoundTrip(
  law: Extract<Law, { kind: 'roundTrip' }>,
  args: readonly ValueSpec[],
  parts: ProbeParts,
): Promise<ProbeResult> {
  const [encode, decode] = [parts.subjects[law.encode]!, parts.subjects[law.decode]!];
  const startEnd: CallEnd = law.image
    ? await callSubject(decode, collectArguments(args, parts), parts)
    : { value: collectArguments(args, parts)[0] as unknown };
  if ('error' in startEnd) return HOLDING_RESULT;
  const before = copyValue(startEnd.value);
  const start = formatExpression(startEnd.value);
  if (before === null || start === null) return HOLDING_RESULT;
  const encoded = await callSubject(encode, [startEnd.value], parts);
  if ('error' in encoded) return HOLDING_RESULT;
  const encodedText = formatExpression(encoded.value);
  const decoded = await callSubject(decode, [encoded.value], parts);
  if ('value' in decoded && equalsCopy(before.value, decoded.value)) return HOLDING_RESULT;
  const from = law.image ? formatCall(decode, args) : formatAsCode(args[0]);
  return {
    broken: {
      kind: 'roundTrip',
      call: `${decode.name}(${encode.name}(${from}))`,
      calls: law.image ? [formatCall(decode, args)] : [formatCall(encode, args)],
      expected: `should return ${start}${law.image ? `, like \`${from}\`` : ''}`,
      observed: `${formatOutcome(decoded)}; \`${encode.name}\` makes ${encodedText ?? 'something'} of it`,
      ...(encodedText !== null && { stated: [`${encode.name}(${start})`, `${decode.name}(${encodedText})`] }),
      equals: from,
      site: null,
    },
  };
}

async function callSubject(
  subject: Subject,
  args: readonly unknown[],
  { accessors, environment }: ProbeParts,
): Promise<CallEnd> {
  let via: { readonly via: SettledFrom } | undefined;
  try {
    const [value, self] = accessors.get(subject.path)![subject.name]!();
    let returned: unknown = Reflect.apply(value as (...all: unknown[]) => unknown, self, args);
    if (isIteratorOfCode(returned)) {
      via = { via: 'iterator' };
      returned = drainIterator(returned);
    }
    const settledPromises = await environment.settle([returned]);
    const result = returned instanceof Promise ? settledPromises.get(returned) : undefined;
    if (!result) return { value: returned, ...via };
    return { ...(result.rejected ? { error: result.value } : { value: result.value }), via: 'promise' };
  } catch (error) {
    return { error, ...via };
  }
}

function collectArguments(args: readonly ValueSpec[], { environment }: ProbeParts): unknown[] {
  return args.map((spec, index) => createValue(spec, `argument ${index + 1}`, environment));
}

/** The text of a call that waits for its result (`promise`), or takes all values of its iterator. */
function callWithSettling(text: string, via: SettledFrom): string {
  return via === 'promise' ? `await ${text}` : `[...${text}]`;
}

function formatCall(subject: Subject, args: readonly ValueSpec[]): string {
  return `${subject.name}(${args.map(formatAsCode).join(', ')})`;
}

/** A copy that later calls cannot change, as `value`; null if the value cannot be copied. */
function copyValue(value: unknown): { readonly value: unknown } | null {
  try {
    return { value: structuredClone(value) };
  } catch {
    return null;
  }
}

function equalsCopy(copy: unknown, value: unknown): boolean {
  const copiedValue = copyValue(value);
  return copiedValue !== null && isDeepStrictEqual(copy, copiedValue.value);
}

/** The value as an expression; null if it cannot be written as one. */
function formatExpression(value: unknown): string | null {
  const { text, isExact } = createDescriber()(value, 'it');
  if (isExact) return text;
  // An object without a prototype can also be written as an object literal.
  return text.includes('<no prototype> ') && !/<(?!no prototype> )/.test(text)
    ? text.replaceAll('<no prototype> ', '')
    : null;
}

function formatOutcome(end: CallEnd): string {
  return 'error' in end ? `throws ${describeThrown(end.error)}` : `returns ${createDescriber()(end.value, 'it').text}`;
}
