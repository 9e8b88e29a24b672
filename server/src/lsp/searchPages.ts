// Renders the results of searches on request as Markdown pages: calls that break functions, mistakes that no test
// notices, wrong examples in the documentation, and lines that no test runs.

import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { fencedBlock, codeSpan, joinLines, link, md, tableRow, type Markdown } from '#protocol/markdown';
import type { ReportPage } from '#protocol/reports';
import type {
  CounterexampleReport,
  CoverageReport,
  ExampleReport,
  UnguardedReport,
} from '../core/session/analyse/analysisTypes.ts';
import { shortenToDifference, lineText } from '../core/session/analyse/unguarded/unguardedMistakes.ts';
import type { SurvivingMutant } from '../core/verify/guard/unguarded.ts';
import type { SkippedFunction } from '../core/verify/counterexamples/plan.ts';
import { countReasons } from '../core/verify/counterexamples/skippedFunctions.ts';
import { formatCount } from '../util/counted.ts';
import { groupThousands } from '../util/thousands.ts';
import { formatPercent, formatRanges } from '../core/score/coverage/coverageTexts.ts';

/**
 * Maximum numbers on a page: findings, mistakes for each function, reasons why functions were not called, and ranges of
 * lines for each file.
 */
const MAX_ROWS = { findings: 50, mistakes: 8, reasons: 8, ranges: 8 } as const;

/** The page with calls that break functions. `rootDir`: the absolute path of the repository, for links to its files. */
export function renderCallsPage(report: CounterexampleReport, rootDir: string): ReportPage {
  const { finds, functions, inputs, leftOut } = report;
  const outcome = finds.length === 0 && functions > 0 ? md` No call broke any of them.` : md``;
  const sections = finds
    .slice(0, MAX_ROWS.findings)
    .flatMap(({ path, name, nameRange, call, observed, expected, precondition, test }) => [
      createHeading(rootDir, path, nameRange.startLine, name),
      '',
      md`${codeSpan(call)}: ${observed} ${expected}`,
      ...(precondition === undefined ? [] : ['', md`Its comment says “${precondition}”, so the call may be wrong.`]),
      '',
      ...('refused' in test
        ? [md`${test.refused}`]
        : [md`A test that shows it, for ${codeSpan(test.path)}:`, '', fencedBlock(test.text.trimEnd())]),
      '',
    ]);
  return createPage('Selfware: Calls That Break', [
    md`${formatCount(functions, 'function')} called ${formatCount(inputs, 'time')}.${outcome}`,
    '',
    ...renderUnfinished(report.undone),
    ...sections,
    ...renderOmitted(finds.length),
    ...renderSkipped(leftOut),
  ]);
}

/** The page with examples whose stated result is wrong. `rootDir`: the absolute path of the repository, for links. */
export function renderExamplesPage({ wrong, unclear, documents, checks }: ExampleReport, rootDir: string): ReportPage {
  const checkedText = md`${formatCount(checks, 'stated result')} in ${formatCount(documents, 'document')}`;
  const outcome =
    wrong.length > 0
      ? md`${formatCount(wrong.length, 'wrong example')} among ${checkedText}. *Improve* in the list of opportunities in the sidebar proposes to correct it. If the document is right, the code has a fault.`
      : md`${checkedText}.${checks > 0 ? md` None of them was shown to be wrong.` : md``}`;
  return createPage('Selfware: Examples of the Documentation', [
    outcome,
    '',
    ...wrong
      .slice(0, MAX_ROWS.findings)
      .flatMap(({ path, line, call, stated, actual }) => [
        createHeading(rootDir, path, line, call),
        '',
        md`It returns ${codeSpan(actual)}. The example says ${codeSpan(stated)}.`,
        '',
      ]),
    ...renderOmitted(wrong.length),
    ...(unclear.length === 0
      ? []
      : [
          md`${formatCount(unclear.length, 'example')} could not be judged. On the command line, ${codeSpan('selfware examples --skipped')} lists them.`,
        ]),
  ]);
}

/** The page with mistakes that no test notices. `rootDir`: the absolute path of the repository, for links. */
export function renderMistakesPage(report: UnguardedReport, rootDir: string): ReportPage {
  const { found, leftOut } = report;
  const sections = found
    .slice(0, MAX_ROWS.findings)
    .flatMap(({ path, name, nameRange, mistakes, test }) => [
      createHeading(rootDir, path, nameRange.startLine, name),
      '',
      ...mistakes.slice(0, MAX_ROWS.mistakes).map((mistake) => renderMistake(mistake)),
      ...(mistakes.length > MAX_ROWS.mistakes ? [md`- ${mistakes.length - MAX_ROWS.mistakes} more`] : []),
      '',
      ...('refused' in test
        ? [md`No test was written: ${test.refused}`]
        : [
            md`Tests that would notice them, for ${codeSpan(test.path)}.`,
            md`*Improve* proposes them, in the list of opportunities in the sidebar and on the function:`,
            '',
            fencedBlock(test.added.trim()),
          ]),
      '',
    ]);
  return createPage('Selfware: Missing Tests', [
    summariseMistakes(report),
    '',
    ...renderUnfinished(report.undone),
    ...(report.advice && (report.undone > 0 || report.mutants === 0) ? [md`${report.advice}`, ''] : []),
    ...renderUntested(report, rootDir),
    ...sections,
    ...renderOmitted(found.length),
    ...renderSkipped(leftOut),
  ]);
}

/** The lines about functions that no test reaches; empty if there are none. */
function renderUntested({ untested }: UnguardedReport, rootDir: string): readonly (Markdown | string)[] {
  if (!untested || untested.count === 0) return [];
  const omittedCount = untested.count - untested.listed.length;
  return untested.listed
    .flatMap(({ path, name, line }) => [createHeading(rootDir, path, line, name), '', md`No test reaches it.`, ''])
    .concat(omittedCount > 0 ? [md`No test reaches ${formatCount(omittedCount, 'more function')}.`, ''] : []);
}

/** A mistake as an item of a list. */
function renderMistake(mistake: SurvivingMutant): Markdown {
  const [usualResult, changedResult] = shortenToDifference(mistake.then, mistake.now);
  return md`- ${lineText(mistake)}, ${codeSpan(mistake.shown)}: ${codeSpan(mistake.call)} then ${renderResult(usualResult)}; now it ${renderResult(changedResult)}`;
}

/** A result such as "returns 3", with the value as code. */
function renderResult(text: string): Markdown {
  const [verb, value] = /^(returns|throws|resolves to|rejects with) (.+)$/s.exec(text)?.slice(1) ?? [];
  return verb && value ? md`${verb} ${codeSpan(value)}` : md`${text}`;
}

/**
 * The sentences about how many mistakes were tried, how many of them no test noticed, and which of these the page
 * lists.
 */
function summariseMistakes({ found, mutants, survivors }: UnguardedReport): Markdown {
  const listText =
    found.length > 0
      ? md`Below are those that change what a call returns.`
      : md`No call was found that returns something else because of one of them, so none is listed.`;
  if (mutants === 0)
    return found.length > 0
      ? md`No small mistake was tried this time. Below is what earlier searches found.`
      : md`No small mistake was tried, so this says nothing about the tests.`;
  const triedText = md`${formatCount(mutants, 'small mistake')} tried`;
  if (survivors === 0 && found.length === 0) return md`${triedText}; the tests noticed all of them.`;
  return md`${triedText}; no test noticed ${survivors} of them. ${listText}`;
}

/**
 * The sentence that the time was not enough for everything; empty if it was. `remainingCount`: the number of files or
 * checks that were left out.
 */
function renderUnfinished(remainingCount: number): readonly (Markdown | string)[] {
  if (remainingCount === 0) return [];
  return [md`The time was not enough for everything. Run the search again to continue.`, ''];
}

/**
 * The page with the lines that no test runs. The files with most of these lines come first. `rootDir`: the absolute
 * path of the repository, for links.
 */
export function renderCoveragePage(report: CoverageReport, rootDir: string): ReportPage {
  const { covered, coverable, explanation, failed, files } = report;
  const ratio = `${groupThousands(covered ?? 0)} of ${groupThousands(coverable ?? 0)}`;
  const filesWithGaps = files
    .filter((file) => file.covered < file.coverable)
    .toSorted((a, b) => b.coverable - b.covered - (a.coverable - a.covered));
  const summary =
    covered === null || coverable === null
      ? md`The coverage of the whole folder is unknown: ${explanation}`
      : md`The tests run **${formatPercent(covered, coverable)}** of the lines with statements (${ratio}). The points count this.`;
  return createPage('Selfware: Test Coverage', [
    summary,
    '',
    describeMeasurement(report),
    ...(failed ? ['', md`${formatCount(failed, 'test')} failed, so some code may not have run.`] : []),
    '',
    ...(filesWithGaps.length === 0
      ? []
      : [
          md`| File | Run | Lines that no test runs |`,
          md`|---|---:|---|`,
          ...filesWithGaps.slice(0, MAX_ROWS.findings).map(renderCoverageRow),
        ]),
    ...(filesWithGaps.length > MAX_ROWS.findings
      ? ['', md`And ${formatCount(filesWithGaps.length - MAX_ROWS.findings, 'more file')}.`]
      : []),
  ]);

  function renderCoverageRow(file: CoverageReport['files'][number]): Markdown {
    const ranges = formatRanges(file.missed);
    const moreText = ranges.length > MAX_ROWS.ranges ? ` and ${ranges.length - MAX_ROWS.ranges} more` : '';
    const rangesText =
      ranges.length === 0 ? 'no test loads it' : `${ranges.slice(0, MAX_ROWS.ranges).join(', ')}${moreText}`;
    return tableRow(
      link(file.path, `${pathToFileURL(join(rootDir, file.path)).href}#L${file.missed[0] ?? 1}`),
      formatPercent(file.covered, file.coverable),
      rangesText,
    );
  }
}

function describeMeasurement({ command, by, millis, known }: CoverageReport): Markdown {
  return known
    ? md`Measured before with ${codeSpan(command)}; nothing has changed since.`
    : md`Measured with ${codeSpan(command)} in ${(millis / 1000).toFixed(1)} s; lines counted by ${by}.`;
}

function createPage(title: string, body: readonly (Markdown | string)[]): ReportPage {
  return { title, markdown: `${joinLines([md`# ${title.replace(/^Selfware: /, '')}`, '', ...body]).toString()}\n` };
}

function createHeading(rootDir: string, path: string, line: number, name: string): Markdown {
  return md`## ${name} (${link(`${path}:${line}`, `${pathToFileURL(join(rootDir, path)).href}#L${line}`)})`;
}

function renderOmitted(findingCount: number): readonly Markdown[] {
  return findingCount > MAX_ROWS.findings
    ? [md`${findingCount - MAX_ROWS.findings} more are in the list of opportunities.`]
    : [];
}

/** The section about functions that were not called, with the most frequent reasons; empty if all were called. */
function renderSkipped(skipped: readonly SkippedFunction[]): readonly (Markdown | string)[] {
  if (skipped.length === 0) return [];
  return [
    md`## Not called: ${formatCount(skipped.length, 'function')}`,
    '',
    ...countReasons(skipped)
      .slice(0, MAX_ROWS.reasons)
      .map(({ reason, count }) => md`- ${count} × ${reason}`),
  ];
}
