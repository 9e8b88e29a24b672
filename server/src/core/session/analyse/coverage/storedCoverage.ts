// Stores the test coverage that Selfware measured, and decides which parts of it are still valid.

import type { CoveredFile } from '../../../score/coverage/coveredFile.ts';
import { isMocked, isTest } from '../../../paths/tests.ts';
import type { OwnCoverage } from '../../../score/coverage/measureCoverage.ts';
import type { SessionContext } from '../../context.ts';
import { formatCount } from '../../../../util/counted.ts';
import { readStoredJson } from '../storedJson.ts';

/** The name of the blob with the stored coverage. */
const BLOB_NAME = 'coverage.json';
/** Change this whenever the form of the blob or the way of counting changes. */
const FORMAT_VERSION = 2;

/** A measurement of the test coverage. */
export interface StoredCoverage {
  /**
   * Key of everything on which the measurement depends: tree, command, set-up, tools and installed packages. Null if
   * the tree could not be recorded.
   */
  readonly ground: string | null;
  /** The command that ran, as a person would type it. */
  readonly command: string;
  /** The tool that counted the lines. */
  readonly by: string;
  /** Duration of the run in milliseconds. */
  readonly millis: number;
  /** Number of tests that passed in the run; null if unknown. */
  readonly passed: number | null;
  /** Number of tests that failed in the run; null if unknown. */
  readonly failed: number | null;
  /**
   * The measured files. `hash`: content hash of the text. `lines`: how often each line ran; empty if that is unclear.
   */
  readonly files: readonly {
    readonly path: string;
    readonly hash: string;
    readonly lines: readonly (readonly [line: number, hits: number])[];
    readonly functions: CoveredFile['functions'];
  }[];
  /**
   * By path: the content hash of every other analysed file when the coverage was measured. A change of such a file may
   * change what the tests reach.
   */
  readonly others: Readonly<Record<string, string>>;
}

/** The last measurement; null if there is none in the present format. */
export async function readCoverage({ ports }: SessionContext): Promise<StoredCoverage | null> {
  const coverage = (await readStoredJson({ ports }, BLOB_NAME, '`selfware coverage`')) as
    | (StoredCoverage & { readonly format?: number })
    | null;
  return coverage?.format === FORMAT_VERSION ? coverage : null;
}

/** Replaces the measurement. */
export async function storeCoverage({ ports }: SessionContext, coverage: StoredCoverage): Promise<void> {
  await ports.blobs.write(BLOB_NAME, new TextEncoder().encode(JSON.stringify({ format: FORMAT_VERSION, ...coverage })));
}

/** The coverage of the current files according to the last measurement; null if nothing was measured. */
export async function readOwnCoverage(context: SessionContext): Promise<OwnCoverage | null> {
  const coverage = await readCoverage(context);
  return coverage && loadCurrentCoverage(coverage, context);
}

/**
 * The part of the measurement that is valid for the analysed files: files that have changed since have no lines. If a
 * test has been changed, added or deleted, nothing is valid, because any line may now run that did not, or the reverse.
 */
export function loadCurrentCoverage(coverage: StoredCoverage, { state }: Pick<SessionContext, 'state'>): OwnCoverage {
  const hashOf = (path: string) => state.analyses.get(path)?.hash;
  const changedCount =
    coverage.files.filter(({ path, hash }) => hashOf(path) !== hash).length +
    Object.entries(coverage.others).filter(([path, hash]) => hashOf(path) !== hash).length;
  if (haveTestsChanged(coverage, state.analyses))
    return {
      explanation: `Tests changed since \`selfware coverage\` measured them (\`${coverage.command}\`).`,
      files: [],
    };
  const changedNote = changedCount === 0 ? '' : ` ${formatCount(changedCount, 'file')} changed since.`;
  return {
    explanation: `Coverage was measured by \`selfware coverage\` (\`${coverage.command}\`).${changedNote}`,
    files: coverage.files.map(({ path, hash, lines, functions }) => ({
      path,
      lines: new Map(hashOf(path) === hash ? lines : []),
      functions,
    })),
  };
}

/** True if a test was changed, added or deleted since the measurement. */
function haveTestsChanged(coverage: StoredCoverage, analyses: SessionContext['state']['analyses']): boolean {
  const testsBefore = Object.entries(coverage.others).filter(([path]) => isTestCode(path));
  if (testsBefore.some(([path, hash]) => analyses.get(path)?.hash !== hash)) return true;
  return [...analyses.keys()].filter(isTestCode).length > testsBefore.length;
}

/** True for tests and their mocks. Benchmarks do not count, because the tests do not run them. */
function isTestCode(path: string): boolean {
  return isTest(path) || isMocked(path);
}
