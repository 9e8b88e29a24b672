// Finds the lines and the files of the tree that no test runs.

import { SelfwareError } from '../../../../util/typedError.ts';
import type { Operation } from '../../../operation.ts';
import { readFittingCoverage, measureCoverage } from '../../../score/coverage/measureCoverage.ts';
import type { VerifyContext } from '../../../verify/context.ts';
import type { SessionContext } from '../../context.ts';
import { findReachingTests } from '../../verify/reachingTests.ts';
import { readOwnCoverage } from './storedCoverage.ts';
import { measureAndKeepCoverage } from './measuring.ts';

/**
 * Returns a function that is true for a line with a statement that no test runs, and for each line of a file that no
 * test loads. Null if the coverage is unknown. `makeVerifyContext` creates the context in which unknown coverage is
 * measured; if it is null, unknown coverage is not measured.
 */
export async function findUncoveredLines(
  context: SessionContext,
  operation: Operation,
  makeVerifyContext: (() => Promise<VerifyContext>) | null,
): Promise<((path: string, line: number) => boolean) | null> {
  return (
    (await findUncoveredIfMeasured(context)) ??
    (makeVerifyContext && (await tryToMeasure(context, makeVerifyContext, operation))
      ? findUncoveredIfMeasured(context)
      : null)
  );
}

async function findUncoveredIfMeasured(context: SessionContext) {
  const { ports, state } = context;
  const coverage = await readOwnCoverage(context);
  const { byFile } = await measureCoverage(ports.files, state.analyses, coverage);
  if (byFile.size === 0) return null;
  const coverageByPath = await readFittingCoverage(ports.files, state.analyses, coverage);
  return (path: string, line: number) => {
    const coveredFile = coverageByPath.get(path);
    return coveredFile ? coveredFile.lines.get(line) === 0 : byFile.has(path);
  };
}

/** Measures the coverage. False if nothing can count the lines. */
async function tryToMeasure(
  context: SessionContext,
  makeVerifyContext: () => Promise<VerifyContext>,
  operation: Operation,
): Promise<boolean> {
  try {
    await measureAndKeepCoverage(context, makeVerifyContext, operation);
    return true;
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'unavailable') return false;
    throw error;
  }
}

/**
 * Product files of which no test runs any line; empty if the coverage is unknown. A report of the repository may be
 * older than the tests, so a file that a test imports is among them only if Selfware has measured it.
 */
export async function findFilesWithoutTests(context: SessionContext): Promise<ReadonlySet<string>> {
  const { ports, state } = context;
  const coverage = await readOwnCoverage(context);
  const { byFile } = await measureCoverage(ports.files, state.analyses, coverage);
  const hitsByPath = new Map(coverage?.files.map(({ path, lines }) => [path, [...lines.values()]]));
  const isKnownUntested = (path: string) => {
    const hits = hitsByPath.get(path) ?? [];
    return hits.length > 0 ? hits.every((count) => count === 0) : findReachingTests(state.imports, [path]).length === 0;
  };
  return new Set(
    [...byFile].flatMap(([path, measures]) =>
      (measures['coverage.coverable'] ?? 0) > 0 && measures['coverage.covered'] === 0 && isKnownUntested(path)
        ? [path]
        : [],
    ),
  );
}
