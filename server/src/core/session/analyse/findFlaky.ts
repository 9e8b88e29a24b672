// Shows flaky tests that verifications have met as opportunities, until their file changes.

import type { Opportunity } from '../../model.ts';
import { toProjectOpportunity } from '../../analysis/project/projectFinding.ts';
import { createRangesInText } from '../../analysis/project/rangesInText.ts';
import { applySuppressions, type SuppressedOpportunity } from '../../analysis/suppressions.ts';
import type { SessionContext } from '../context.ts';
import { readFlakyTests, type FlakyTest } from '../verify/flakyTests.ts';

/** The expected share of findings that people act on. */
const CONFIDENCE = 0.7;
/** The impact of a flaky test. */
const IMPACT = 55;
/**
 * Minimum number of characters of a part of a title that is searched in the file. A shorter one may occur anywhere in a
 * file.
 */
const MIN_TITLE = 3;

/**
 * The flaky tests in files that have not changed since these tests were observed. `paths`: the files to consider;
 * undefined for all. Runs no tests.
 */
export async function findFlaky(
  { ports, state }: SessionContext,
  paths: readonly string[] | undefined,
): Promise<{ readonly opportunities: readonly Opportunity[]; readonly suppressed: readonly SuppressedOpportunity[] }> {
  const requestedPaths = paths && new Set(paths);
  const opportunities: Opportunity[] = [];
  const suppressed: SuppressedOpportunity[] = [];
  for (const test of await readFlakyTests(ports)) {
    const { file, hash, name } = test;
    if (file === undefined || hash === undefined || name === undefined || (requestedPaths && !requestedPaths.has(file)))
      continue;
    const row = state.analyses.get(file);
    if (row?.hash !== hash) continue;
    const bytes = await ports.files.read(file).catch(() => null);
    if (bytes === null) continue;
    const opportunity = createOpportunity({ ...test, file, name }, new TextDecoder().decode(bytes));
    const parts = applySuppressions([opportunity], row.suppressions);
    opportunities.push(...parts.opportunities);
    suppressed.push(...parts.suppressed);
  }
  return { opportunities, suppressed };
}

function createOpportunity(
  test: FlakyTest & { readonly file: string; readonly name: string },
  text: string,
): Opportunity {
  const { file, name, seenAt } = test;
  const lastSeen = new Date(seenAt).toISOString().slice(0, 10);
  const [start, length] = findRangeOfTest(name, text);
  return toProjectOpportunity({
    rule: 'flaky-test',
    path: file,
    ...createRangesInText(text, start, length),
    symbol: null,
    about: name,
    impact: IMPACT,
    confidence: CONFIDENCE,
    message: `the test “${name}” passed and failed on the same code, last on ${lastSeen}.`,
    evidence: { test: name, lastSeen },
  });
}

/** The range of a test's title, as start and length; the first line if the title is not written as it is reported. */
function findRangeOfTest(name: string, text: string): readonly [start: number, length: number] {
  const title = name.split(/ › |::/).at(-1)!;
  // Some runners join the titles with spaces.
  const wordsOfTitle = title.split(' ');
  for (let from = 0; from < wordsOfTitle.length; from++) {
    const part = wordsOfTitle.slice(from).join(' ');
    if (part.length < MIN_TITLE) break;
    const index = text.indexOf(part);
    if (index >= 0 && !part.includes('\n')) return [index, part.length];
  }
  return [0, Math.max(1, text.split('\n', 1)[0]!.length)];
}
