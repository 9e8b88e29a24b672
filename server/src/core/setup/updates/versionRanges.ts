// Decides whether a range of npm allows a version. Only versions that are not pre-releases are supported.

/** The three numbers of a version. */
type Numbers = readonly [number, number, number];

/** Source of a pattern for a number or a wildcard of a comparator. */
const PART = '(\\d+|[xX*])';
/** Captures the operator and the numbers of a comparator. */
const COMPARATOR = new RegExp(`^(\\^|~>?|[<>]=?|=)?v?${PART}(?:\\.${PART})?(?:\\.${PART})?(?:[-+][\\w.+-]*)?$`);
/** Matches a range such as `1.0.0 - 2.0.0`. */
const HYPHEN = /^(\S+) - (\S+)$/;
/** Matches the name of a tag. */
const TAG = /^[a-zA-Z][\w-]*$/;

/**
 * True if the range allows the version. A tag such as `latest` allows every version, because npm then accepts the
 * version in the lock file. Null texts do not occur: a malformed range allows nothing.
 */
export function allowsVersion(range: string, version: string): boolean {
  const [numbers] = readComparator(version)?.bounds ?? [];
  if (numbers === undefined) return false;
  return range.split('||').some((alternative) => {
    const text = alternative.replace(/([<>=~^])\s+/g, '$1').trim();
    if (text === '' || TAG.test(text)) return true;
    const comparators = HYPHEN.test(text) ? text.replace(HYPHEN, '>=$1 <=$2') : text;
    return comparators.split(/\s+/).every((comparator) => satisfies(numbers, comparator));
  });
}

/** True if the version meets the comparator. */
function satisfies(version: Numbers, comparator: string): boolean {
  const parsed = readComparator(comparator);
  if (parsed === null) return false;
  const { operator, bounds, givenCount } = parsed;
  const [from, next] = [bounds[0], givenCount === 0 ? ([Infinity, 0, 0] as const) : bounds[1]];
  if (operator === '>=') return compare(version, from) >= 0;
  if (operator === '<') return compare(version, from) < 0;
  if (operator === '>') return compare(version, next) >= 0;
  if (operator === '<=') return compare(version, next) < 0;
  return compare(version, from) >= 0 && compare(version, next) < 0;
}

/**
 * Parses a comparator such as `^1.2`. `bounds`: the lowest version that it names, and the first version above it.
 * `givenCount`: number of its numbers without wildcards. Null if it is malformed.
 */
function readComparator(text: string) {
  const [match, operator = '', ...parts] = COMPARATOR.exec(text) ?? [];
  if (match === undefined) return null;
  const wildcard = parts.findIndex((part) => part === undefined || !/^\d/.test(part));
  const givenCount = wildcard === -1 ? 3 : wildcard;
  const from = [0, 1, 2].map((index) => (index < givenCount ? Number(parts[index]) : 0)) as unknown as Numbers;
  const firstSet = from.findIndex((number) => number > 0);
  const caret = firstSet === -1 || firstSet >= givenCount ? givenCount - 1 : firstSet;
  const raised = operator === '^' ? caret : operator.startsWith('~') ? Math.min(givenCount - 1, 1) : givenCount - 1;
  const next = from.map((number, index) => (index < raised ? number : index === raised ? number + 1 : 0));
  return { operator, givenCount, bounds: [from, next as unknown as Numbers] as const };
}

/** Negative if the left version is lower, positive if it is higher, 0 if both are equal. */
function compare(left: Numbers, right: Numbers): number {
  const index = left.findIndex((number, position) => number !== right[position]);
  return index === -1 ? 0 : left[index]! - right[index]!;
}
