// Gate 6: the repository's own tests pass, or fail exactly as they did before.

import { evidenceOf, type CommandAnswer } from '../commands.ts';
import { detectTests } from '../detect/testCommand.ts';
import { counted, failed, passed, unknown, type Gate, type GateAnswer } from '../gate.ts';
import type { TestCounts } from '../parse/testCounts.ts';
import { parseTestOutput } from '../parse/testOutput.ts';

/** A test run with what could be read from it. */
interface TestRun {
  readonly answer: CommandAnswer;
  readonly counts: TestCounts | null;
}

export const tests: Gate = async (run, signal) => {
  if (!run.context.trusted) return unknown('Not run: the workspace is not trusted.');
  const command = detectTests(await run.project(), run.context.settings.testCommand);
  if (!command) return unknown('No tests were found.');
  const candidate = readRun(await run.candidate(command, signal));
  if (candidate.answer.outcome === 'notFound') return unknown(`\`${candidate.answer.line}\` could not be started: it is not installed.`, evidenceOf(candidate.answer));
  if (isGreen(candidate)) {
    const known = run.knownBase(command);
    return judgeGreen(candidate, known ? readRun(known) : null);
  }
  const base = readRun(await run.base(command, signal));
  return candidate.answer.outcome === 'timedOut' ? judgeHang(candidate, base) : judgeRed(candidate, base);
};

function readRun(answer: CommandAnswer): TestRun {
  return { answer, counts: parseTestOutput(answer.output) };
}

function isGreen({ answer, counts }: TestRun): boolean {
  return answer.outcome === 'exited' && answer.exitCode === 0 && (counts?.failed ?? 0) === 0;
}

/** An exit code of 0 proves nothing without a test that ran. */
function judgeGreen(candidate: TestRun, base: TestRun | null): GateAnswer {
  const evidence = measured(candidate, base);
  const { counts } = candidate;
  if (!counts) return unknown('The tests ran, but no count could be read from their output.', evidence);
  if (base?.counts && counts.passed < base.counts.passed) return failed(fewer(counts, base.counts), evidence);
  if (counts.passed === 0) return unknown('No test ran.', evidence);
  return passed(`${counted(counts.passed, 'test')} passed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}.`, evidence);
}

/** Hanging is the change's fault only when the base is shown to end. */
function judgeHang(candidate: TestRun, base: TestRun): GateAnswer {
  const evidence = measured(candidate, base);
  const seconds = Math.round(candidate.answer.millis / 1000);
  const inTime = base.answer.outcome === 'exited' && base.answer.millis < candidate.answer.millis / 2;
  if (inTime) return failed(`The tests do not end with the change: stopped after ${seconds} s, and without it they take ${Math.ceil(base.answer.millis / 1000)} s.`, evidence);
  return unknown(`The tests were ended after ${seconds} s.`, evidence);
}

function judgeRed(candidate: TestRun, base: TestRun): GateAnswer {
  const evidence = measured(candidate, base);
  if (base.answer.outcome !== 'exited') return unknown('The tests fail with the change, and without it they did not end: there is nothing to compare with.', evidence);
  if (isGreen(base)) return failed(describeFailures(candidate), evidence);
  const after = candidate.counts;
  const before = base.counts;
  if (!before) return unknown('The tests fail with and without the change, and no count could be read from their output.', evidence);
  if (!after) return failed(`The tests break down with the change; without it ${before.passed} passed and ${before.failed} failed.`, evidence);

  const known = new Set(before.failedNames);
  const fresh = after.failedNames.filter((name) => !known.has(name));
  if (fresh.length > 0 || after.failed > before.failed) return failed(`${counted(Math.max(fresh.length, after.failed - before.failed), 'new failing test')}${list(fresh)}`, evidence);
  if (after.passed < before.passed) return failed(fewer(after, before), evidence);
  if (after.passed === 0) return unknown('No test passes, with or without the change.', evidence);
  return passed(`Red before: ${counted(before.failed, 'test')} ${before.failed === 1 ? 'fails' : 'fail'} with and without the change; ${after.passed} passed.`, evidence);
}

function describeFailures({ answer, counts }: TestRun): string {
  if (counts && counts.failed > 0) return `${counted(counts.failed, 'test')} ${counts.failed === 1 ? 'fails' : 'fail'} with the change and not without it${list(counts.failedNames)}`;
  return `\`${answer.line}\` ends with ${answer.exitCode} with the change and with 0 without it.`;
}

function fewer(after: TestCounts, before: TestCounts): string {
  return `Fewer tests pass with the change: ${after.passed} instead of ${before.passed}.`;
}

function list(names: readonly string[]): string {
  if (names.length === 0) return '.';
  return `: ${names.slice(0, 5).join('; ')}${names.length > 5 ? '; …' : '.'}`;
}

function measured({ answer, counts }: TestRun, base: TestRun | null): GateAnswer['evidence'] {
  const of = (side: TestCounts | null | undefined, suffix: string) => (side ? { [`passed${suffix}`]: side.passed, [`failed${suffix}`]: side.failed, [`skipped${suffix}`]: side.skipped } : {});
  return { ...evidenceOf(answer), ...of(counts, ''), ...of(base?.counts, 'Before'), ...(counts && counts.failedNames.length > 0 ? { failing: counts.failedNames.slice(0, 20).join('\n') } : {}) };
}
