// Parses the Test Anything Protocol, which Node's runner (if its output is not a terminal), tape, tap and others write.

import { makeCounts, createCounts, captureGroups, sumMatches, type TestCase, type TestCounts } from '../testCounts.ts';
import { parseTapDiagnosis } from './tapDiagnosis.ts';

/** The counts of a run; null if the text is not TAP. */
export function parseTap(text: string): TestCounts | null {
  const points = [...text.matchAll(/^(not )?ok\b(?: \d+)?(.*)$/gm)];
  if (!/^(TAP version \d+|1\.\.\d+)/m.test(text)) return null;
  for (const cases of [collectSubtestCases(text), collectTitleCases(text)])
    if (cases.length > 0) {
      const count = (wanted: TestCase['outcome']) => cases.filter(({ outcome }) => outcome === wanted).length;
      const failedNames = cases.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
      return createCounts(count('passed'), count('failed'), count('skipped'), failedNames, cases);
    }
  const names = captureGroups(text, /^[ \t]*not ok\b(?: \d+)?(?: -)? (.+)$/gm).filter(
    (name) => !/# (todo|skip)\b/i.test(name),
  );
  if (/^# pass\s+\d+$/m.test(text)) {
    const failed = sumMatches(text, /^# (?:fail|cancelled)\s+(\d+)$/gm);
    return createCounts(
      sumMatches(text, /^# pass\s+(\d+)$/gm),
      failed,
      sumMatches(text, /^# (?:skipped|skip|todo)\s+(\d+)$/gm),
      names,
      collectCases(text),
    );
  }
  const skippedPoints = points.filter((point) => /# (todo|skip)\b/i.test(point[2] ?? ''));
  const countedPoints = points.filter((point) => !skippedPoints.includes(point));
  return makeCounts(
    countedPoints.filter((point) => !point[1]).length,
    countedPoints.filter((point) => point[1]).length,
    skippedPoints.length,
    names,
    collectCases(text),
  );
}

/** A subtest of tap that has begun. */
interface OpenSubtest {
  readonly indent: number;
  readonly name: string;
  /** True if it contains other subtests. */
  isOuter: boolean;
  hasFailedInner: boolean;
  /** The first failed assertion: its message, and the lines that describe it. */
  failure: { readonly message: string; readonly lines: string[] } | null;
}

/**
 * The innermost subtests in a report of tap, which writes the time of each one behind its name. In such a report,
 * assertions are separate points, and the outermost subtests are files. Empty for another report.
 */
function collectSubtestCases(text: string): TestCase[] {
  if (!/^ *ok \d+ - .*# time=[\d.]+m?s(?: \{)?$/m.test(text)) return [];
  const cases: TestCase[] = [];
  const openSubtests: OpenSubtest[] = [];
  let openBlock: string[] | null = null;
  for (const line of moveResultsToEnd(text.split(/\r?\n/))) {
    const header = /^( *)# Subtest: (.*)$/.exec(line);
    const point = /^( *)(not )?ok \d+(?: - (.*))?$/.exec(line);
    const innermost = openSubtests.at(-1);
    if (header) {
      if (innermost) innermost.isOuter = true;
      const [, blanks = '', name = ''] = header;
      openSubtests.push({ indent: blanks.length, name, isOuter: false, hasFailedInner: false, failure: null });
    } else if (point && innermost?.indent === point[1]!.length) {
      openBlock = null;
      openSubtests.pop();
      const parent = openSubtests.at(-1);
      if (point[2] && parent) parent.hasFailedInner = true;
      if (!innermost.isOuter || (point[2] && !innermost.hasFailedInner))
        cases.push(createCase(innermost, (openSubtests[0] ?? innermost).name, point));
    } else if (point && /# (todo|skip)\b/i.test(point[3] ?? '')) {
      // A test that does not run has no header.
      cases.push(createSkippedCase(openSubtests[0]?.name ?? null, point[3]!));
    } else if (point && innermost) {
      openBlock = null;
      if (!point[2] || innermost.failure !== null) continue;
      openBlock = [];
      innermost.failure = { message: point[3] ?? '', lines: openBlock };
    } else if (/^ *\.\.\.$/.test(line)) openBlock = null;
    else if (!/^ *---$/.test(line)) openBlock?.push(line);
  }
  return cases;
}

/**
 * Returns the lines in a uniform order. If files run in parallel, tap writes the result of a subtest first, and then
 * its content in braces. In the returned lines, the title comes first and the result last, as in other reports.
 */
function moveResultsToEnd(lines: readonly string[]): readonly string[] {
  const ordered: string[] = [];
  const openResults: { readonly indent: string; readonly result: readonly string[] }[] = [];
  let lastPoint: { readonly indent: string; readonly name: string; readonly offset: number } | null = null;
  for (const line of lines) {
    const [, indent, name] = /^( *)(?:not )?ok \d+ - (.*) # time=[\d.]+m?s(?: \{)?$/.exec(line) ?? [];
    if (indent !== undefined && name !== undefined) lastPoint = { indent, name, offset: ordered.length };
    // A description of the failure may be between the result and the brace.
    if (lastPoint && (line === `${lastPoint.indent}{` || (indent !== undefined && line.endsWith(' {')))) {
      const result = indent === undefined ? ordered.splice(lastPoint.offset) : [line.slice(0, -' {'.length)];
      openResults.push({ indent: lastPoint.indent, result });
      ordered.push(`${lastPoint.indent}# Subtest: ${lastPoint.name}`);
      lastPoint = null;
    } else if (openResults.length > 0 && line === `${openResults.at(-1)!.indent}}`)
      ordered.push(...openResults.pop()!.result);
    else ordered.push(line);
  }
  return [...ordered, ...openResults.toReversed().flatMap(({ result }) => result)];
}

/**
 * Creates the case of a subtest. `point`: its line, with the mark of a failure and the remaining text in groups 2 and
 * 3.
 */
function createCase({ name, failure }: OpenSubtest, file: string | null, point: RegExpExecArray): TestCase {
  const [, , not, pointText = ''] = point;
  const [, time, unit] = /# time=([\d.]+)(m?s)$/.exec(pointText) ?? [];
  const description = failure?.lines.length ? parseTapDiagnosis(failure.lines.join('\n')) : '';
  return {
    file,
    name,
    outcome: not ? 'failed' : 'passed',
    millis: time === undefined ? null : Number(time) * (unit === 's' ? 1000 : 1),
    ...(not && failure ? { failure: [failure.message, description].filter((part) => part !== '').join('\n') } : {}),
  };
}

function createSkippedCase(file: string | null, text: string): TestCase {
  return { file, name: text.replace(/ ?# (?:todo|skip)\b.*$/i, ''), outcome: 'skipped', millis: null };
}

/**
 * The tests in a report of tape, which writes the title of each test as a comment, and each of its assertions as a
 * point. Empty for another report.
 */
function collectTitleCases(text: string): TestCase[] {
  if (!/^# tests +\d+$/m.test(text) || /^ *# Subtest: /m.test(text)) return [];
  const tests: { readonly name: string; outcome: TestCase['outcome']; failure: string[] | null }[] = [];
  let title: string | null = null;
  let openBlock: string[] | null = null;
  for (const line of text.split(/\r?\n/)) {
    const point = /^(not )?ok \d+(?: (.*))?$/.exec(line);
    if (point) {
      const [, not, message = ''] = point;
      if (title !== null) tests.push({ name: title, outcome: 'skipped', failure: null });
      title = openBlock = null;
      const openTest = tests.at(-1);
      // Without a title, the points are from another library.
      if (!openTest) return [];
      if (/# (todo|skip)\b/i.test(message)) continue;
      if (not && openTest.failure === null) openTest.failure = openBlock = [message];
      openTest.outcome = not || openTest.failure !== null ? 'failed' : 'passed';
    } else if (line.startsWith('# ')) title = line.slice(2);
    else if (/^ +(?:---|\.\.\.)$/.test(line)) continue;
    else if (line.startsWith(' ')) openBlock?.push(line);
  }
  return tests.map(({ name, outcome, failure }) => {
    const [message = '', ...lines] = failure ?? [];
    const description = lines.length > 0 ? parseTapDiagnosis(lines.join('\n')) : '';
    return {
      ...{ file: null, name, outcome, millis: null },
      ...(failure ? { failure: [message, description].filter((part) => part !== '').join('\n') } : {}),
    };
  });
}

/** The points of tests, without those of suites, which follow the deeper indented points of their tests. */
function collectCases(text: string): TestCase[] {
  const points = [
    ...text.matchAll(/^([ \t]*)(not )?ok\b(?: \d+)?(?: -)?(?: (.*))?$((?:\n[ \t]*---$[^]*?^[ \t]*\.\.\.$)?)/gm),
  ];
  return points.flatMap(([, , not, description = '', openBlock = '']): TestCase[] => {
    if (/^[ \t]*type: 'suite'$/m.test(openBlock)) return [];
    const skipMark = /^(.*?) ?# (todo|skip)\b/i.exec(description);
    const millis = /^[ \t]*duration_ms: ([\d.]+)$/m.exec(openBlock)?.[1];
    return [
      {
        file: null,
        name: skipMark?.[1] ?? description,
        outcome: skipMark ? 'skipped' : not ? 'failed' : 'passed',
        millis: millis === undefined ? null : Number(millis),
        ...(not && !skipMark && openBlock !== ''
          ? { failure: parseTapDiagnosis(openBlock.replace(/^[ \t]*(?:---|\.\.\.)$/gm, '')) }
          : {}),
      },
    ];
  });
}
