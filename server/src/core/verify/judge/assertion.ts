// The type of a test's assertion, and the functions that compare how much assertions demand.

import type { FramePart, TestFrame } from './frame/testFrame.ts';

/** One check of a test. */
export interface Assertion {
  /** The normalised code, without differences of layout and quotes. */
  readonly text: string;
  /** 1-based line number. */
  readonly line: number;
  /** The expression whose value the assertion checks. */
  readonly subject: string;
  readonly matcher: string;
  readonly isNegated: boolean;
  readonly expected: string;
  /** The condition or `catch` in the test case on which the assertion depends; usually empty. */
  readonly guard: string;
  readonly rank: Rank;
}

/** The facts about one test case, or about the code outside of all cases. */
export interface TestCaseFacts {
  readonly path: string;
  /** The path before the file was renamed; absent if it was not. */
  readonly from?: string;
  /** Titles, outermost first; empty for the code outside of all cases. */
  readonly name: string;
  readonly line: number;
  /** True if the case is skipped, perhaps only under a condition. */
  readonly skipped: boolean;
  /** True if the case is skipped under any condition; absent if the reader does not recognise conditions. */
  readonly skipsAlways?: boolean;
  /**
   * The conditions under which the runner includes the test: build constraints, or a suite that calls it. Empty or
   * absent if there are none.
   */
  readonly needs?: readonly string[];
  /** True if the case, or a group around it, is marked so that the other tests do not run. */
  readonly only: boolean;
  /** True if the case runs whenever the file runs, because it is in no function, loop or condition. */
  readonly certain: boolean;
  /** Number of rows of a table of cases in the call; null if there is no table. */
  readonly rows: number | null;
  /** The normalised rows; absent if they are not read. */
  readonly table?: readonly string[];
  /** For the code outside of all cases: the other declarations of the file, normalised. */
  readonly parts?: readonly string[];
  /** For the code outside of all cases: what the cases use of it; absent if it is not read. */
  readonly frame?: TestFrame;
  /** The names that the case uses; absent if they are not read. */
  readonly words?: readonly string[];
  /** The declarations inside the case; absent if they are not read. */
  readonly declares?: readonly FramePart[];
  readonly body: string;
  readonly assertions: readonly Assertion[];
}

/**
 * The strictness of an assertion. 3: exactly this value. 2: a part or a property of the value. 1: that there is a
 * value, or a value that it must not have.
 */
export type Rank = 1 | 2 | 3;

/** Matches words of matchers that demand exactly one value. */
const EXACT_PATTERN =
  /^(?:toBe|toEqual|toStrictEqual|equals?|eq|eqls?|strictEqual|deep|deepEqual|deepStrictEqual|is|same|toMatchInlineSnapshot|toMatchSnapshot|snapshot|toHaveBeen(?:Last|Nth)?CalledWith|toHaveBeenCalledTimes|calledWith|toBeNull|toBeUndefined|toBeNaN|toBeTrue|toBeFalse|true|false|null|undefined|toHaveLength|lengthOf|length|members|toHaveReturnedWith|expect|identical|strictSame)$/;
/** Matches words of matchers that demand hardly anything. */
const WEAK_PATTERN =
  /^(?:toBeDefined|toBeTruthy|toBeFalsy|ok|notOk|exists?|truthy|falsy|toHaveBeenCalled|toBeCalled|called|instanceOf|instanceof|toBeInstanceOf|toBeTypeOf|typeOf|isTypeOf|toHaveReturned|assert|assertTrue|not|isNot|notEqual|notDeepEqual|notStrictEqual|notDeepStrictEqual|doesNotThrow|notThrows|notThrowsAsync|doesNotReject|pass|should)$/;
/** Matches words of matchers that demand an error. */
const THROW_PATTERN = /^(?:toThrow|toThrowError|throws?|throwsAsync|rejects|rejectedWith|rejected)$/;

/** Matches matchers with a lower limit. */
const AT_LEAST_PATTERN = /(?:^|\.)(?:toBeGreaterThan(?:OrEqual)?|above|greaterThan|atLeast|least|gte?|min)$/;

/** Matches matchers with an upper limit. */
const AT_MOST_PATTERN = /(?:^|\.)(?:toBeLessThan(?:OrEqual)?|below|lessThan|atMost|most|lte?|max)$/;

/** Matches matchers for a property or an error whose second argument is its value or its message. */
const PROPERTY_PATTERN =
  /(?:^|\.)(?:toHaveProperty|property|ownProperty|ownPropertyDescriptor|nestedProperty|deepProperty|throws?|rejectedWith)$/;
/** Matches a chain that begins with the value under test. */
const CHAINED_PATTERN = /^(?:await\s)?(?:(?:\w+\.)?expect(?:\.soft)?\(|should\(|.*\.should\.)/;

/** Matches expected values that leave a part open. */
const ANYTHING_PATTERN =
  /\bexpect\.(?:any|anything|objectContaining|arrayContaining|stringContaining|stringMatching)\b/g;

/**
 * Matches subjects that grow slowly with the code. For them, an upper limit that rises by at most `SMALL_GROWTH` is not
 * looser.
 */
const GROWING_SUBJECT_PATTERN = /bytes|size|gzip|bundle|duration|elapsed|memory|heap/i;

/** Factor up to which a higher limit for such a subject counts as equally strict. */
const SMALL_GROWTH = 1.1;

/** The rank of an assertion: 1 if it is negated, 2 if its matcher is unknown. */
export function rankAssertion({
  matcher,
  isNegated,
  expected,
}: Pick<Assertion, 'matcher' | 'isNegated' | 'expected'>): Rank {
  if (isNegated) return 1;
  const words = matcher.split('.');
  if (words.some((word) => THROW_PATTERN.test(word))) return expected === '' ? 1 : 2;
  if (words.some((word) => EXACT_PATTERN.test(word))) return 3;
  return words.every((word) => WEAK_PATTERN.test(word)) ? 1 : 2;
}

/**
 * True if the new of two assertions about the same value demands less: it has a lower rank, a longer guard, more
 * matchers such as `expect.any`, or a looser limit. If both are negated, the one that is more specific about the value
 * demands less.
 */
export function isWeakerAssertion(old: Assertion, current: Assertion): boolean {
  if (current.rank < old.rank || (current.guard !== old.guard && current.guard.length > old.guard.length)) return true;
  // The more exactly a negated assertion describes its value, the less it forbids.
  return old.isNegated && current.isNegated ? isMoreSpecific(current, old) : isMoreSpecific(old, current);
}

/** True if the first of two assertions describes fewer values than the second one. */
function isMoreSpecific(left: Assertion, right: Assertion): boolean {
  if ((right.expected.match(ANYTHING_PATTERN) ?? []).length > (left.expected.match(ANYTHING_PATTERN) ?? []).length)
    return true;
  if (left.matcher !== right.matcher) return false;
  if (left.isNegated && losesValue(left, right)) return true;
  const [before, after] = [collectNumbers(left.expected), collectNumbers(right.expected)];
  const [first, second] = [before[0], after[0]];
  if (first === undefined || second === undefined) return false;
  if (AT_LEAST_PATTERN.test(left.matcher)) return second < first;
  if (AT_MOST_PATTERN.test(left.matcher)) return second > first && !isBudget(left, first, second);
  if (/toBeCloseTo$/.test(left.matcher)) return (after[1] ?? 2) < (before[1] ?? 2);
  if (/closeTo|approximately/i.test(left.matcher)) return (after[1] ?? 0) > (before[1] ?? 0);
  return false;
}

/**
 * True if the first of two assertions about a property or an error states its value or message, and the second does
 * not: `expect(a).property('b', 1)`. Methods of an assertion library do not count, because their last argument may be a
 * message.
 */
export function losesValue(first: Assertion, second: Assertion): boolean {
  const [before, after] = [splitArguments(first.expected), splitArguments(second.expected)];
  const isNamed = PROPERTY_PATTERN.test(first.matcher) && CHAINED_PATTERN.test(first.text) && before.length > 1;
  if (!isNamed || first.matcher !== second.matcher || after.length > 1) return false;
  // `throw('no')` demands the same message as `throw(Error, 'no')`.
  return before[0] === before.at(-1) || after[0] !== before.at(-1);
}

/** True if the current assertion demands the same property value, or the same error message, as `old`. */
export function demandsSameValue(old: Assertion, current: Assertion): boolean {
  const [first = '', ...otherArguments] = splitArguments(old.expected);
  const name = /throw|reject/.test(old.matcher) ? 'message' : /[\w$]+(?=[^\w$]*$)/.exec(first)?.[0];
  const isExact = current.rank === 3 && !current.isNegated && current.guard.length <= old.guard.length;
  return (
    isExact &&
    (current.subject.match(/[\w$]+/g) ?? []).some((word) => word === name) &&
    splitArguments(current.expected)[0] === otherArguments.at(-1)
  );
}

/** The arguments in a normalised text: the parts between commas outside of quotes, regular expressions and brackets. */
export function splitArguments(text: string): readonly string[] {
  const parts: string[] = [];
  let [depth, partStart] = [0, 0];
  for (const { 0: token, index } of text.matchAll(
    /'(?:\\.|[^'\\])*(?:'|\\?$)|`[^`]*(?:`|$)|(?<=(?:^|[(,[:]) ?)\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\/|[([{]|[)\]}]|,/gs,
  )) {
    if (token === ',' && depth === 0) {
      parts.push(text.slice(partStart, index).trim());
      partStart = index + 1;
    } else if ('([{'.includes(token)) depth++;
    else if (')]}'.includes(token)) depth--;
  }
  return text.trim() === '' ? [] : [...parts, text.slice(partStart).trim()];
}

/** True if the limit is for a subject that grows with the code, and rises only slightly. */
function isBudget({ subject }: Assertion, before: number, after: number): boolean {
  return GROWING_SUBJECT_PATTERN.test(subject) && before > 0 && after <= before * SMALL_GROWTH;
}

function collectNumbers(text: string): readonly number[] {
  return (text.match(/-?\d[\d_]*(?:\.\d+)?/g) ?? []).map((word) => Number(word.replaceAll('_', '')));
}
