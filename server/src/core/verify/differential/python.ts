// Compares the old and the new code of Python files. The program `adapters/harness/python/selfware_compare.py` plans
// and runs the comparison in the sandbox, with the Python that runs the tests.

import type { FileEdit } from '../../model.ts';
import { UNPROVEN_KEY } from '../../model/proofs.ts';
import { isTestFile } from '../../paths/tests.ts';
import { passed, unknown, type GateAnswer } from '../answer.ts';
import { markTimeDependent } from '../busyMachine.ts';
import type { DetectedCommand } from '../detect/command.ts';
import { detectTests } from '../detect/testCommand.ts';
import type { GateInput } from '../gate.ts';
import type { ProofContext } from '../proof.ts';
import { judgeReport } from './judge.ts';
import { REPORT_MARK, type HarnessReport } from './plan.ts';
import { deriveSeed } from './seed.ts';

/** Path of the order in the work tree. */
const REQUEST_PATH = 'node_modules/.selfware/python.json';
/**
 * Maximum number of inputs for each function. If one shows a difference, Hypothesis then searches for a smaller input.
 */
const MAX_INPUTS = 300;
/** Extra time, in milliseconds, for starting Python and for loading both sides. */
const EXTRA_MS = 60_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const PYTHON_FILE = /\.pyw?$/;
/** Matches a Python interpreter in a test command, such as `/usr/bin/python3` in `/usr/bin/python3 -m pytest`. */
const INTERPRETER_PATTERN = /(?:^|\s)((?:[\w./-]*\/)?python[\d.]*)\s+-m\s/;

/** The report of the comparison of Python code. */
interface PythonReport extends Omit<HarnessReport, 'unexercised'> {
  /** Files whose code is the same. */
  readonly identical: readonly string[];
  readonly gaps: readonly string[];
  /** The version of Hypothesis that generated the inputs; null if it is not installed for this Python. */
  readonly hypothesis: string | null;
}

/** True for the path of a Python file. */
export function isPython(path: string): boolean {
  return PYTHON_FILE.test(path);
}

/** True for an edit of Python code that is not a test. */
export function isPythonCode({ path }: FileEdit): boolean {
  return isPython(path) && !isTestFile(path);
}

/** The answer for Python code. `edits`: edits of Python code (`isPythonCode`). Throws the errors of the sandbox. */
export async function comparePython(
  run: GateInput,
  edits: readonly FileEdit[],
  { proof, isMeantToDiffer }: { readonly proof: ProofContext; readonly isMeantToDiffer: boolean },
  signal: AbortSignal,
): Promise<GateAnswer> {
  if (!proof.python) return unknown('This installation has no programs that compare Python code.');
  const { worktree } = run;
  const seed = deriveSeed(run.proposal);
  const budgetMs = proof.settings.differentialSeconds * 1000;
  const request = {
    root: worktree.dir,
    files: edits.flatMap(({ path, before, after }) =>
      before === null || after === null ? [] : [[`${worktree.dir}/${path}`, before, after]],
    ),
    created: edits.flatMap(({ path, before }) => (before === null ? [path] : [])),
    deleted: edits.flatMap(({ path, after }) => (after === null ? [path] : [])),
    seed,
    budgetMs,
    runs: MAX_INPUTS,
  };
  await worktree.write([{ path: REQUEST_PATH, before: null, after: JSON.stringify(request) }]);
  const command = [
    await findInterpreter(run),
    `${proof.python}/selfware_compare.py`,
    `${worktree.dir}/${REQUEST_PATH}`,
  ];
  const result = await worktree
    .run({ command, timeoutMs: budgetMs + EXTRA_MS, maxOutputBytes: MAX_OUTPUT_BYTES }, signal)
    .finally(() => worktree.write([{ path: REQUEST_PATH, before: null, after: null }]));
  signal.throwIfAborted();
  if (result.outcome === 'notFound') return unknown(`\`${command[0]}\` was not found, so no Python code was compared.`);
  const report = parseReport(result.stdout);
  if (!report) {
    const evidence = { exitCode: result.exitCode, output: result.stderr.slice(-2_000) };
    return result.outcome === 'timedOut'
      ? markTimeDependent(unknown(`The comparison was ended after ${Math.round(result.millis / 1000)} s.`, evidence))
      : unknown('The comparison of the Python code crashed.', evidence);
  }
  return createAnswer(report, { seed, isMeantToDiffer });
}

/** The answer for a report. Equal results suggest that both sides behave alike, but do not prove it. */
function createAnswer(
  report: PythonReport,
  options: { readonly seed: number; readonly isMeantToDiffer: boolean },
): GateAnswer {
  const { identical, gaps, targets, obstacle } = report;
  if (targets.length === 0 && obstacle === null) {
    if (gaps.length > 0) return unknown(gaps[0]!, { gaps: gaps.join('\n') });
    if (identical.length > 0)
      return passed('The Python code is the same except for comments, layout and documentation.', {
        files: identical.length,
        identical: identical.length,
      });
  }
  // Equal answers are no proof in Python, so it is not measured which conditions the inputs exercise.
  const answer = judgeReport({ gaps }, { ...report, unexercised: [] }, { ...options, tests: 'node' });
  const inputEvidence: GateAnswer['evidence'] = {
    ...(report.hypothesis === null ? {} : { hypothesis: report.hypothesis }),
    // Annotations say little about the values that Python functions really receive, so equal answers are only a sign.
    ...(answer.outcome === 'passed' ? { [UNPROVEN_KEY]: 'the inputs are made from annotations alone' } : {}),
  };
  const fullAnswer = { ...answer, evidence: { ...answer.evidence, ...inputEvidence } };
  return fullAnswer.outcome === 'unknown' && targets.some(({ outOfTime }) => outOfTime)
    ? markTimeDependent(fullAnswer)
    : fullAnswer;
}

/** Combines the answers of two comparisons. The result passes only if both do. */
export function combineTwoAnswers(first: GateAnswer, second: GateAnswer): GateAnswer {
  const worseAnswer =
    [first, second].find(({ outcome }) => outcome === 'failed') ??
    [first, second].find(({ outcome }) => outcome === 'unknown');
  if (worseAnswer) return worseAnswer;
  return passed(`${first.reason} ${second.reason}`, { ...first.evidence, ...second.evidence });
}

/** The Python of the test command; otherwise, the first one in PATH. */
async function findInterpreter(run: GateInput): Promise<string> {
  const { settings, setUp } = run.context;
  const setting = settings.testCommand.trim() === '' ? (setUp?.testCommand ?? '') : settings.testCommand;
  return findInterpreterInCommand(detectTests(await run.project(), setting));
}

/** The Python in a test command; otherwise, the first one in PATH. */
export function findInterpreterInCommand(command: DetectedCommand | null): string {
  return INTERPRETER_PATTERN.exec(command?.command.join(' ') ?? '')?.[1] ?? 'python3';
}

function parseReport(output: string): PythonReport | null {
  const line = output.split('\n').findLast((candidate) => candidate.startsWith(REPORT_MARK));
  return line === undefined ? null : (JSON.parse(line.slice(REPORT_MARK.length)) as PythonReport);
}
