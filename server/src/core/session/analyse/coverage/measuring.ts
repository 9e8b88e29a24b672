// Measures test coverage: runs the repository's tests in a sandbox with its own coverage tool, or with V8's.

import { canonicalJson } from '../../../../util/canonicalJson.ts';
import { sha256 } from '../../../../util/hash.ts';
import { SelfwareError } from '../../../../util/typedError.ts';
import type { Operation } from '../../../operation.ts';
import type { CoveredFile } from '../../../score/coverage/coveredFile.ts';
import { readGoProfile, keepCodeLines } from '../../../score/coverage/goProfile.ts';
import { readIstanbul } from '../../../score/coverage/istanbul.ts';
import { readLcov } from '../../../score/coverage/lcov.ts';
import { measureCoverage } from '../../../score/coverage/measureCoverage.ts';
import { resolveInTree } from '../../../score/coverage/report.ts';
import type { Worktree } from '../../../ports/sandbox.ts';
import { isRootTest, isTestFile } from '../../../paths/tests.ts';
import { INSTALLATION_MARKS } from '../../../verify/environment.ts';
import { planCoverageRun, type CoverageRun } from '../../../verify/coverage/coverageRun.ts';
import type { LinesOrder, LinesReport } from '../../../verify/coverage/lineReport.ts';
import { detectRunner } from '../../../verify/detect/testRunner.ts';
import type { VerifyContext } from '../../../verify/context.ts';
import { withUnchangedTests, type UnchangedTests } from '../../../verify/testing/unchangedTests.ts';
import { formatRunnerAdvice } from '../../../verify/testing/wrappedRunner.ts';
import { formatCount } from '../../../../util/counted.ts';
import type { SessionContext } from '../../context.ts';
import { readTreeState } from '../../verify/treeState.ts';
import { runHarness } from '../harnessRun.ts';
import type { CoverageReport, MeasuringRequest } from '../analysisTypes.ts';
import { storeCoverage, readCoverage, loadCurrentCoverage, type StoredCoverage } from './storedCoverage.ts';

/** Time limit for reading the coverage that V8 wrote. */
const READ_MS = 120_000;
/** Matches pytest's message about the option of a missing plugin. */
const NO_SUCH_OPTION_PATTERN = /unrecognized arguments|no such option/;
const NO_PYTEST_COV = 'pytest needs the package `pytest-cov` to count lines, and it is not installed.';
/** Maximum number of characters of the last line of output that a message quotes. */
const MAX_QUOTED_CHARACTERS = 160;

/**
 * Measures the coverage of the tree and stores it. Returns the stored figures while the tree, the command, the set-up
 * and the tools are the same, unless tests failed in that run or the request contains `again`. `makeVerifyContext`
 * creates the context in which the tests run; it is always called, because the key of stored figures depends on it.
 * Throws `untrusted`, `cancelled`, the errors of a sandbox, and `unavailable` if nothing can count the lines here.
 */
export async function measureAndKeepCoverage(
  context: SessionContext,
  makeVerifyContext: () => Promise<VerifyContext>,
  operation: MeasuringRequest,
): Promise<CoverageReport> {
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so none of its commands is run.', {
      action: 'Trust the workspace first.',
    });
  const verifyContext = await makeVerifyContext();
  const inputsKey = await computeInputsKey(context, verifyContext);
  const storedCoverage = operation.again ? null : await readCoverage(context);
  if (storedCoverage && inputsKey !== null && storedCoverage.ground === inputsKey && !storedCoverage.failed)
    return createReport(context, storedCoverage, true);
  const measuredCoverage = await withUnchangedTests(
    verifyContext,
    'Runs the tests as they are',
    operation.signal,
    (tests) => runCoverage(context, tests, inputsKey, operation),
  );
  if ('refused' in measuredCoverage)
    throw new SelfwareError('unavailable', measuredCoverage.refused, { action: 'Set `selfware.verify.testCommand`.' });
  await storeCoverage(context, measuredCoverage);
  return createReport(context, measuredCoverage, false);
}

/** The key of everything that a measurement depends on; null if the tree cannot be recorded. */
async function computeInputsKey(context: SessionContext, { settings, setUp }: VerifyContext): Promise<string | null> {
  const tree = (await readTreeState(context))?.key;
  if (tree === undefined) return null;
  const installed = await Promise.all(
    INSTALLATION_MARKS.map(async (path) => {
      const bytes = await context.ports.files.read(path);
      return bytes && sha256(bytes);
    }),
  );
  const { testCommand } = settings;
  return sha256(canonicalJson({ tree, testCommand, setUp: setUp ?? null, tools: context.tools, installed }));
}

/**
 * Runs the tests so that lines are counted. Throws `unavailable` if nothing can count them, if the run did not end in
 * time, or if no line was counted.
 */
async function runCoverage(
  context: SessionContext,
  { worktree, commands, project, chosen }: UnchangedTests,
  inputsKey: string | null,
  { signal, report }: Operation,
): Promise<StoredCoverage> {
  const plan = await planCoverageRun({
    command: chosen.commands.allTests,
    name: detectRunner(chosen.command, project)?.name ?? null,
    dir: worktree.dir,
    exists: (path) => worktree.exists(path),
  });
  if ('refused' in plan) throw new SelfwareError('unavailable', plan.refused, {});
  report?.({ stage: 'verifying', done: 0, total: null, message: `Runs the tests, counted by ${plan.toolName}` });
  // Go does not create the folder of its profile.
  if (plan.format === 'go') await worktree.write([{ path: plan.path, before: null, after: '' }]);
  const { answer, value } = await commands.rerun(
    'candidate',
    plan.command,
    async (result) => ({ counts: chosen.commands.parse(result), output: result.output }),
    signal,
  );
  if (answer.outcome !== 'exited')
    throw new SelfwareError('unavailable', `The tests did not end in time while ${plan.toolName} counted lines.`, {
      action: 'Raise `selfware.verify.timeoutSeconds`.',
    });
  const files = await readFiles(context, worktree, plan, signal);
  if (files.length === 0) {
    const name = detectRunner(chosen.command, project)?.name ?? null;
    const passedCount = value.counts?.passed ?? 0;
    if (name === null && plan.format === 'v8' && passedCount > 0)
      throw new SelfwareError('unavailable', explainUnseenLine(answer.line, passedCount), {
        action: formatRunnerAdvice(project),
      });
    const lacksPlugin = plan.toolName === 'coverage.py' && NO_SUCH_OPTION_PATTERN.test(value.output);
    throw new SelfwareError('unavailable', lacksPlugin ? NO_PYTEST_COV : explainNoCoverage(plan, value.output), {
      action: lacksPlugin ? 'Install it where pytest is.' : 'See that the tests run (`selfware doctor`).',
    });
  }
  return {
    ...addFileHashes(context, files),
    ground: inputsKey,
    command: answer.line,
    by: plan.toolName,
    millis: answer.millis,
    ...countsOf(value.counts),
  };
}

/** The numbers of tests that passed and failed; null if the output does not show them. */
function countsOf(counts: { readonly passed: number; readonly failed: number } | null) {
  return { passed: counts?.passed ?? null, failed: counts?.failed ?? null };
}

/**
 * The reason why no line was counted although tests passed. The runner is unknown, because another program starts it.
 */
function explainUnseenLine(line: string, passedCount: number): string {
  return (
    `${formatCount(passedCount, 'test')} passed, but the runner behind \`${line}\` is not known, and Node saw ` +
    `no code of the repository as it is written: no line was counted.`
  );
}

function explainNoCoverage({ toolName, format }: CoverageRun, output: string): string {
  if (format === 'v8') return 'No code of the repository ran in Node, or not as it is written, so no line was counted.';
  const lastOutputLine = output.trim().split('\n').at(-1)?.trim() ?? '';
  const end = lastOutputLine === '' ? '' : `; the run ended with “${lastOutputLine.slice(0, MAX_QUOTED_CHARACTERS)}”`;
  return `${toolName} has left no report of coverage${end}.`;
}

/**
 * The product files that the report of the run names, by their paths in the tree, with their lines. Files of tests are
 * omitted.
 */
async function readFiles(
  context: SessionContext,
  worktree: Worktree,
  plan: CoverageRun,
  signal: AbortSignal,
): Promise<readonly CoveredFile[]> {
  const { analyses } = context.state;
  const mapToTree = (files: readonly CoveredFile[]) =>
    files.flatMap((file) => {
      const path = resolveInTree(file.path, (candidate) => analyses.has(candidate));
      return path === null || isTestFile(path) ? [] : [{ ...file, path }];
    });
  if (plan.format === 'v8') return mapToTree(await readV8(context, worktree, plan.path, signal));
  const bytes = await worktree.read(plan.path);
  const parseReport = { istanbul: readIstanbul, lcov: readLcov, go: readGoProfile }[plan.format];
  const files = mapToTree((bytes && parseReport(new TextDecoder().decode(bytes))) ?? []);
  if (plan.format !== 'go') return files;
  return Promise.all(
    files.map(async (file) =>
      keepCodeLines(file, new TextDecoder().decode((await worktree.read(file.path)) ?? undefined)),
    ),
  );
}

/** The lines that V8 has counted, read by the harness. A file whose lines are unclear has none. */
async function readV8(
  { ports }: SessionContext,
  worktree: Worktree,
  coverage: string,
  signal: AbortSignal,
): Promise<readonly CoveredFile[]> {
  if (!ports.harness)
    throw new SelfwareError('unavailable', 'This installation has nothing that reads the coverage of V8.', {
      action: 'Install Selfware again.',
    });
  const request: LinesOrder = { coverage };
  const { files, unclear } = await runHarness<LinesReport>(
    worktree,
    ports.harness,
    request,
    {
      timeoutMs: READ_MS,
      soFar: () => undefined,
      failure: (isLate) => ({
        message: isLate
          ? `The figures of V8 could not be read within ${READ_MS / 1000} s.`
          : 'The figures of V8 could not be read.',
        action: 'Let your test runner write a report of coverage (coverage/lcov.info); Selfware reads it.',
      }),
    },
    signal,
  );
  return [
    ...Object.entries(files).map(([path, lines]) => ({ path, lines: new Map(lines), functions: [] })),
    ...unclear.map((path) => ({ path, lines: new Map<number, number>(), functions: [] })),
  ];
}

/** The measured files with the hashes of their texts, and by path the hashes of all other analysed files. */
function addFileHashes(
  { state }: SessionContext,
  files: readonly CoveredFile[],
): Pick<StoredCoverage, 'files' | 'others'> {
  const measuredPaths = new Set(files.map(({ path }) => path));
  return {
    files: files.map(({ path, lines, functions }) => ({
      path,
      hash: state.analyses.get(path)!.hash,
      lines: [...lines],
      functions,
    })),
    others: Object.fromEntries(
      [...state.analyses].flatMap(([path, { hash }]) => (measuredPaths.has(path) ? [] : [[path, hash]])),
    ),
  };
}

async function createReport(
  context: SessionContext,
  coverage: StoredCoverage,
  isStored: boolean,
): Promise<CoverageReport> {
  const { explanation, byFile } = await measureCoverage(
    context.ports.files,
    context.state.analyses,
    loadCurrentCoverage(coverage, context),
  );
  const { command, by, millis, passed, failed } = coverage;
  const productFiles = [...byFile].filter(([path]) => !isRootTest(path));
  const sumMeasure = (measure: string) =>
    byFile.size === 0 ? null : productFiles.reduce((sum, [, measures]) => sum + (measures[measure] ?? 0), 0);
  const lines = new Map(coverage.files.map((file) => [file.path, file.lines]));
  return {
    ...{ command, by, millis, passed, failed, known: isStored, explanation },
    covered: sumMeasure('coverage.covered'),
    coverable: sumMeasure('coverage.coverable'),
    files: productFiles.map(([path, measures]) => ({
      path,
      covered: measures['coverage.covered'] ?? 0,
      coverable: measures['coverage.coverable'] ?? 0,
      missed: (lines.get(path) ?? []).flatMap(([line, hits]) => (hits === 0 ? [line] : [])),
    })),
  };
}
