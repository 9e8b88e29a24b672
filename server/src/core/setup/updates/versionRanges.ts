// Says whether a range of npm allows a version that is no pre-release.

type Numbers = readonly [number, number, number];

const PART = '(\\d+|[xX*])';
const COMPARATOR = new RegExp(`^(\\^|~>?|[<>]=?|=)?v?${PART}(?:\\.${PART})?(?:\\.${PART})?(?:[-+][\\w.+-]*)?$`);
const HYPHEN = /^(\S+) - (\S+)$/;
const TAG = /^[a-zA-Z][\w-]*$/;

/** True if the range allows the version. npm lets a tag such as `latest` allow whatever the lock file has. */
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

/** The first version of a comparator, and the first one behind it. `givenCount`: how many numbers it names. */
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

function compare(left: Numbers, right: Numbers): number {
  const index = left.findIndex((number, position) => number !== right[position]);
  return index === -1 ? 0 : left[index]! - right[index]!;
}
