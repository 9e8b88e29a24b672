// The pages of searches on request: calls that break functions, and mistakes that no test notices.

import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { block, code, lines, link, md, type Markdown } from '#protocol/markdown';
import type { ReportPage } from '#protocol/reports';
import type { CounterexampleReport, UnguardedReport } from '../core/session/look/seen.ts';
import { mistakeLine } from '../core/session/look/unguarded/kept.ts';
import type { LeftOut } from '../core/verify/counterexamples/plan.ts';
import { reasonsOf } from '../core/verify/counterexamples/leftOut.ts';
import { counted } from '../util/counted.ts';

/** Findings on a page, mistakes of a function, and reasons why functions were not called. */
const MAX = { findings: 50, mistakes: 8, reasons: 8 } as const;

/** The page of calls that break functions. `rootDir`: absolute folder of the repository, for links. */
export function callsPage({ finds, functions, inputs, leftOut }: CounterexampleReport, rootDir: string): ReportPage {
  const sections = finds
    .slice(0, MAX.findings)
    .flatMap(({ path, name, nameRange, call, observed, expected, test }) => [
      heading(rootDir, path, nameRange.startLine, name),
      '',
      md`${code(call)}: ${observed} ${expected}`,
      '',
      md`A test that shows it, for ${code(test.path)}:`,
      '',
      block(test.text.trimEnd()),
      '',
    ]);
  return pageOf('Selfware: Calls That Break', [
    md`${counted(functions, 'function')} called ${counted(inputs, 'time')}.`,
    '',
    ...sections,
    ...more(finds.length),
    ...notCalled(leftOut),
  ]);
}

/** The page of mistakes that no test notices. `rootDir`: absolute folder of the repository, for links. */
export function mistakesPage({ found, mutants, survivors, leftOut }: UnguardedReport, rootDir: string): ReportPage {
  const sections = found
    .slice(0, MAX.findings)
    .flatMap(({ path, name, nameRange, mistakes, test }) => [
      heading(rootDir, path, nameRange.startLine, name),
      '',
      ...mistakes.slice(0, MAX.mistakes).map((mistake) => md`- ${mistakeLine(mistake)}`),
      ...(mistakes.length > MAX.mistakes ? [md`- ${mistakes.length - MAX.mistakes} more`] : []),
      '',
      ...('refused' in test
        ? [md`No test was written: ${test.refused}`]
        : [
            md`Tests that would notice them, for ${code(test.path)}. *Improve…* on the function proposes them:`,
            '',
            block(test.added.trim()),
          ]),
      '',
    ]);
  return pageOf('Selfware: Missing Tests', [
    md`${counted(mutants, 'small mistake')} tried; no test noticed ${survivors} of them. Below are those that change what a call returns.`,
    '',
    ...sections,
    ...more(found.length),
    ...notCalled(leftOut),
  ]);
}

function pageOf(title: string, body: readonly (Markdown | string)[]): ReportPage {
  return { title, markdown: `${lines([md`# ${title.replace(/^Selfware: /, '')}`, '', ...body]).toString()}\n` };
}

function heading(rootDir: string, path: string, line: number, name: string): Markdown {
  return md`## ${name} (${link(`${path}:${line}`, `${pathToFileURL(join(rootDir, path)).href}#L${line}`)})`;
}

function more(all: number): readonly Markdown[] {
  return all > MAX.findings ? [md`${all - MAX.findings} more are in the list of opportunities.`] : [];
}

/** The section about functions that were not called, with the most frequent reasons. */
function notCalled(leftOut: readonly LeftOut[]): readonly (Markdown | string)[] {
  if (leftOut.length === 0) return [];
  return [
    md`## Not called: ${counted(leftOut.length, 'function')}`,
    '',
    ...reasonsOf(leftOut)
      .slice(0, MAX.reasons)
      .map(({ reason, count }) => md`- ${count} × ${reason}`),
  ];
}
