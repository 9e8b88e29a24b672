// Parses JUnit's XML as Node's runner, pytest, Bun and others write it. https://github.com/testmoapp/junitxml describes
// the common parts.

import { countTestCases, condenseTestFailure, type TestCase, type TestCounts } from '../testCounts.ts';

/** Matches a tag, a comment or a CDATA section. A value may contain `>`, because Node does not escape it. */
const TAG_PATTERN =
  /<!--[^]*?(?:-->|(?![^]))|<!\[CDATA\[[^]*?(?:\]\]>|(?![^]))|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;

/** A case whose element has not ended yet. */
interface OpenCase {
  file: string | null;
  name: string;
  outcome: TestCase['outcome'];
  millis: number | null;
  failure?: string;
}

/** Returns the counts; null if the text is not a JUnit report. */
export function readJunit(text: string): TestCounts | null {
  if (!/<testsuites?\b/.test(text)) return null;
  const cases: TestCase[] = [];
  const suites: string[] = [];
  let openTestCase: OpenCase | null = null;
  /** Offset at which the text of a failure begins. */
  let failureOffset: number | null = null;
  for (const match of text.matchAll(TAG_PATTERN)) {
    const [element, closing, tag, attributes = '', selfClosing] = match;
    if (tag === 'testsuite' && closing) suites.pop();
    else if (tag === 'testsuite' && !selfClosing) suites.push(findAttribute(attributes, 'name') ?? '');
    else if (tag === 'testcase' && closing && openTestCase) {
      cases.push(openTestCase);
      openTestCase = null;
    } else if (tag === 'testcase') {
      openTestCase = createOpenCase(attributes, suites);
      if (!selfClosing) continue;
      cases.push(openTestCase);
      openTestCase = null;
    } else if (openTestCase && (tag === 'failure' || tag === 'error')) {
      openTestCase.outcome = 'failed';
      openTestCase.failure = condenseTestFailure(
        closing && failureOffset !== null
          ? joinFailure(openTestCase.failure ?? '', unescapeXml(text.slice(failureOffset, match.index)))
          : (openTestCase.failure ?? findAttribute(attributes, 'message') ?? ''),
      );
      failureOffset = closing || selfClosing ? null : match.index + element.length;
    } else if (openTestCase && tag === 'skipped' && openTestCase.outcome === 'passed') openTestCase.outcome = 'skipped';
  }
  return countTestCases(cases);
}

/** The start of the error in which Node's runner wraps the error of a test. */
const NODE_WRAPPER = '[Error [ERR_TEST_FAILURE]: ';
/** Matches frames of Node, and properties of errors that have no information about the defect. */
const NODE_NOISE = /^\s*(?:at .*node:|(?:generatedMessage|operator|diff): |code: 'ERR_ASSERTION',?$)/;

/**
 * Joins the message and the text of a failure. For Node's runner, only the error of the test remains, so that "actual"
 * and "expected" are near the beginning: the runner prints the message twice more, and ten of its own frames before
 * them.
 */
function joinFailure(message: string, text: string): string {
  const wrapper = text.trim();
  const cause = wrapper.indexOf('\n  cause: ');
  if (!wrapper.startsWith(NODE_WRAPPER) || cause < 0) return `${message}\n${text}`;
  const error = wrapper
    .slice(cause + '\n  cause: '.length)
    .replace(/\n {2}}\n}$|\n}$/, '')
    .split('\n')
    .filter((line) => !NODE_NOISE.test(line))
    .map((line) => (line.startsWith('  ') ? line.slice(2) : line))
    .join('\n');
  return error.includes(message) ? error : `${message}\n${error}`;
}

function createOpenCase(attributes: string, suites: readonly string[]): OpenCase {
  const seconds = Number(findAttribute(attributes, 'time') ?? Number.NaN);
  const file = findAttribute(attributes, 'file');
  const className = findAttribute(attributes, 'classname') ?? '';
  // For Node, the suites are the titles around a test. For other runners, the class contains its location.
  const suiteTitles =
    file !== null && className !== '' && suites.join('.') === className
      ? suites
      : className === 'test'
        ? []
        : [removeModule(className, file)];
  return {
    file,
    name: [...suiteTitles, findAttribute(attributes, 'name') ?? ''].filter((part) => part !== '').join(' › '),
    outcome: 'passed',
    millis: Number.isNaN(seconds) ? null : seconds * 1000,
  };
}

/** Returns the class without its module, which pytest puts before it: `tests.test_a.TestB` in `tests/test_a.py`. */
function removeModule(place: string, file: string | null): string {
  const module = file?.endsWith('.py') ? file.slice(0, -'.py'.length).replaceAll('/', '.') : null;
  return module !== null && `${place}.`.startsWith(`${module}.`) ? place.slice(module.length + 1) : place;
}

function findAttribute(attributes: string, name: string): string | null {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  const value = match?.[1] ?? match?.[2];
  if (value === undefined) return null;
  return unescapeXml(value);
}

function unescapeXml(text: string): string {
  return text
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    .replace(/&#(?:x([\da-f]+)|(\d+));/gi, (entity, hex: string | undefined, decimal: string | undefined) => {
      const code = hex === undefined ? Number.parseInt(decimal!, 10) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    })
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, '&');
}
