// Explains why no test passes in a run of the tests.

import { missingProgramSentence } from '../missingProgramText.ts';
import { removeEscapeSequences } from '../parse/plainText.ts';
import type { TestRun } from './testRun.ts';

/** Maximum number of characters of a quoted line. */
const MAX_QUOTED_CHARACTERS = 200;

/** The reason why no test passes in the run, as a sentence; null if one passes. */
export function explainNoTestPasses({ answer, value }: TestRun): string | null {
  if (answer.outcome === 'notFound') return missingProgramSentence(answer);
  if (answer.outcome === 'timedOut') return `\`${answer.line}\` was ended after ${Math.round(answer.millis / 1000)} s.`;
  if (answer.exceeded !== null) return `\`${answer.line}\` was ended: it took ${answer.exceeded}.`;
  if (failsBecauseOfEsm({ answer, value }))
    return 'The loader `esm`, which the tests use, does not work on this version of Node.';
  if (value === null)
    return `\`${answer.line}\` ends with ${answer.exitCode}, and no count can be read from it${quoteCause(answer.output)}`;
  if (value.passed > 0) return null;
  return `No test passes${value.failed > 0 ? `, and ${value.failed} fail` : ''}${quoteCause(answer.output)}`;
}

/**
 * True if the package `esm` was used to load the tests and did not work: since Node 22, it does not change `import`.
 */
function failsBecauseOfEsm({ answer, value }: Pick<TestRun, 'answer' | 'value'>): boolean {
  const printed = `${answer.line}\n${answer.packageManager ?? ''}\n${answer.output}`;
  return (
    (value?.passed ?? 0) === 0 &&
    /(?:-r|--require)[ =]esm\b/.test(printed) &&
    printed.includes('SyntaxError: Cannot use import statement outside a module')
  );
}

/**
 * The end of a sentence, with a quotation of the output: its first line that names a cause, otherwise its last line.
 */
function quoteCause(output: string): string {
  const printedLines = removeEscapeSequences(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('npm error A complete log') && !/^\d+$/.test(line));
  const line =
    printedLines.find((printedLine) =>
      /Error\b.{0,200}:|No module named|[Cc]annot find|[Nn]ot found|refused/.test(printedLine),
    ) ?? printedLines.at(-1);
  if (line === undefined) return '.';
  // pytest marks the lines of an error with an E.
  const quoted = line.replace(/^E {2,}/, '').slice(0, MAX_QUOTED_CHARACTERS);
  return `. It says: ${quoted}${/[.!?…]$/.test(quoted) ? '' : '.'}`;
}

/**
 * The advice for a repository in which no test passes, by the runner and the output of its run. A set-up installs only
 * JavaScript packages; tests in other languages use the tools of the machine.
 */
export function formatNoTestPassesAdvice(runner: string | null, run: TestRun): string {
  if (failsBecauseOfEsm(run))
    return 'Replace `esm`: Node loads modules without it, and tests run on the Node that Selfware needs.';
  if (runner === 'pytest')
    return (
      'Install what the tests need into the Python that runs them, for example with `pip install -e .` in a virtual ' +
      'environment called `.venv`, which is used without being active.'
    );
  if (runner === 'go' || runner === 'cargo')
    return `Run \`${runner} test\` once, so that it downloads what the tests need.`;
  return 'Set up the tests with `selfware setup`.';
}
