// Finds the code that tests reach: by coverage that fits the current file (measured by Selfware, or from a report),
// otherwise by the dependency graph. Also decides which code is itself test code.

import type { TestReach } from '../../analysis/project/projectView.ts';
import { isTestFile } from '../../paths/tests.ts';
import type { DependencyGraph } from '../../index/graph/dependencyGraph.ts';
import { computeReach, countUsers } from '../../index/graph/reach.ts';
import { readFittingCoverage } from '../../score/coverage/measureCoverage.ts';
import type { SessionContext } from '../context.ts';
import { readOwnCoverage } from '../analyse/coverage/storedCoverage.ts';
import type { FileAnalysis } from '../../ports/catalogue.ts';

/**
 * Creates the functions that tell, for the analysed files, which definitions tests reach, and how many tests use them.
 */
export async function computeTestReach(
  context: SessionContext,
  graph: DependencyGraph,
  analyses: ReadonlyMap<string, FileAnalysis>,
): Promise<TestReach> {
  const reach = computeReach(graph, isTestCode);
  const fittingFiles = await readFittingCoverage(context.ports.files, analyses, await readOwnCoverage(context));
  return {
    tests: reach.starts,
    findReach(path, { path: symbol, nameRange, range }) {
      // The line of the name is executed when the file is loaded; only a call executes the lines inside.
      const linesInside = [...(fittingFiles.get(path)?.lines ?? [])].filter(
        ([line]) => line > nameRange.startLine && line <= range.endLine,
      );
      if (linesInside.length === 0) return { reached: reach.has(path, symbol), source: 'graph' };
      return { reached: linesInside.some(([, hits]) => hits > 0), source: 'coverage' };
    },
    countUsers: (path, symbol) => countUsers(graph, path, symbol.path, isTestFile),
  };
}

/** True for test files, and for modules named `test` or `tests` in Rust, where tests are in the file that they test. */
export function isTestCode(path: string, symbol: string | null): boolean {
  return isTestFile(path) || (symbol !== null && path.endsWith('.rs') && /^tests?(\.|$)/.test(symbol));
}
