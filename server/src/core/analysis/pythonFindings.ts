// Collects the findings of the rules for Python. Ruff finds the problems; each rule decides which of them to report.

import { isTestFile } from '../paths/tests.ts';
import type { PythonLinter } from '../ports/sources.ts';
import { pythonFinders } from '../rules/allFinders.ts';
import type { Finding } from '../rules/finding.ts';
import type { PythonFile } from '../rules/finders.ts';
import { findLineIndex, findLineStarts } from './lines.ts';

/** The findings in a Python file. `wantedRules`: ids of the rules that are asked; if undefined, all rules. */
export function findPythonProblems(
  path: string,
  text: string,
  lint: PythonLinter,
  wantedRules: ReadonlySet<string> | undefined,
): readonly Finding[] {
  const finders = Object.entries(pythonFinders).flatMap(([id, finder]) =>
    !wantedRules || wantedRules.has(id) ? [finder] : [],
  );
  if (finders.length === 0) return [];
  const file = createPythonFile(path, text);
  const problems = lint(
    text,
    finders.flatMap(({ codes }) => codes),
  );
  return finders.flatMap(({ codes, find }) => {
    const problemsOfRule = problems.filter(({ code }) => codes.includes(code));
    return problemsOfRule.length === 0 ? [] : find(problemsOfRule, file);
  });
}

function createPythonFile(path: string, text: string): PythonFile {
  const starts = findLineStarts(text);
  return {
    path,
    text,
    lines: text.split(/\r\n|\r|\n/),
    lineIndexAt: (offset) => findLineIndex(starts, offset),
    isTest: isTestFile(path),
  };
}
