// Parses tests from a report that a runner wrote to a file.

import { parseJsonOrNull } from '../../../util/parseJson.ts';
import { readJestJson } from './reports/jestJson.ts';
import { readJunit } from './reports/junit.ts';
import { readMochaJson } from './reports/mochaJson.ts';
import type { TestCounts } from './testCounts.ts';

/** The format of a report: Jest's JSON, Mocha's JSON, or JUnit's XML. */
export type ReportFormat = 'jest' | 'mocha' | 'junit';

/** Returns the counts; null if the report is missing or not readable in this format. */
export function parseTestReport(text: string | null, format: ReportFormat): TestCounts | null {
  if (text === null) return null;
  if (format === 'junit') return readJunit(text);
  const document = parseJsonOrNull(text);
  return format === 'jest' ? readJestJson(document) : readMochaJson(document);
}
