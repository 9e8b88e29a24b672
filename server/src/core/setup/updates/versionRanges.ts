// Decides whether a range of npm allows a version. Only versions that are not pre-releases are supported.

/** The three numbers of a version. */
type VersionNumbers = readonly [number, number, number];

/** Source of a pattern for a number or a wildcard of a comparator. */
const NUMBER_SOURCE = '(\\d+|[xX*])';
/** Captures the operator and the numbers of a comparator. */
const COMPARATOR_PATTERN = new RegExp(
  `^(\\^|~>?|[<>]=?|=)?v?${NUMBER_SOURCE}(?:\\.${NUMBER_SOURCE})?(?:\\.${NUMBER_SOURCE})?(?:[-+][\\w.+-]*)?$`,
);
/** Matches a range such as `1.0.0 - 2.0.0`. */
const HYPHEN_PATTERN = /^(\S+) - (\S+)$/;
/** Matches the name of a tag. */
const TAG_PATTERN = /^[a-zA-Z][\w-]*$/;

/**
 * True if the range allows the version. A tag such as `latest` allows every version, because npm then accepts the
 * version in the lock file. Null texts do not occur: a malformed range allows nothing.
 */
export function allowsVersion(range: string, version: string): boolean {
  const [versionNumbers] = readComparator(version)?.bounds ?? [];
  if (versionNumbers === undefined) return false;
  return range.split('||').some((alternative) => {
    const text = alternative.replace(/([<>=~^])\s+/g, '$1').trim();
    if (text === '' || TAG_PATTERN.test(text)) return true;
    const comparators = HYPHEN_PATTERN.test(text) ? text.replace(HYPHEN_PATTERN, '>=$1 <=$2') : text;
    return comparators.split(/\s+/).every((comparator) => satisfies(versionNumbers, comparator));
  });
}

/** True if the version meets the comparator. */
function satisfies(version: VersionNumbers, comparator: string): boolean {
  const parsed = readComparator(comparator);
  if (parsed === null) return false;
  const { operator, bounds, givenCount } = parsed;
  const [lowest, next] = [bounds[0], givenCount === 0 ? ([Infinity, 0, 0] as const) : bounds[1]];
  if (operator === '>=') return compareNumbers(version, lowest) >= 0;
  if (operator === '<') return compareNumbers(version, lowest) < 0;
  if (operator === '>') return compareNumbers(version, next) >= 0;
  if (operator === '<=') return compareNumbers(version, next) < 0;
  return compareNumbers(version, lowest) >= 0 && compareNumbers(version, next) < 0;
}

/**
 * Parses a comparator such as `^1.2`. `bounds`: the lowest version that it names, and the first version above it.
 * `givenCount`: number of its numbers without wildcards. Null if it is malformed.
 */
function readComparator(text: string) {
  const [match, operator = '', ...parts] = COMPARATOR_PATTERN.exec(text) ?? [];
  if (match === undefined) return null;
  const firstWildcard = parts.findIndex((part) => part === undefined || !/^\d/.test(part));
  const givenCount = firstWildcard === -1 ? 3 : firstWildcard;
  const from = [0, 1, 2].map((index) => (index < givenCount ? Number(parts[index]) : 0)) as unknown as VersionNumbers;
  const firstNonZero = from.findIndex((number) => number > 0);
  const caretIndex = firstNonZero === -1 || firstNonZero >= givenCount ? givenCount - 1 : firstNonZero;
  const raisedIndex =
    operator === '^' ? caretIndex : operator.startsWith('~') ? Math.min(givenCount - 1, 1) : givenCount - 1;
  const next = from.map((number, index) => (index < raisedIndex ? number : index === raisedIndex ? number + 1 : 0));
  return { operator, givenCount, bounds: [from, next as unknown as VersionNumbers] as const };
}

/** Negative if the left version is lower, positive if it is higher, 0 if both are equal. */
function compareNumbers(left: VersionNumbers, right: VersionNumbers): number {
  const index = left.findIndex((number, position) => number !== right[position]);
  return index === -1 ? 0 : left[index]! - right[index]!;
}
