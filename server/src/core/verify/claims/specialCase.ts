// Detects code that was made only for the change's own tests: it treats inputs close to those of the tests as before.

import type { FileEdit } from '../../model.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import type { DetectedCommand } from '../detect/command.ts';
import type { GateInput } from '../gate.ts';
import type { TestCommands, TestRun } from '../testing/testRun.ts';
import { listAddedLines, MAX_LINE_LENGTH } from './addedTests.ts';
import { NEAR_TITLE } from './specialCasePlan.ts';

/** Matches a number or a string literal. A capturing group, as the source of a pattern. */
const LITERAL_SOURCE = String.raw`(-?\d[\d_]*(?:\.\d+)?|'[^'\n]+'|"[^"\n]+"|\`[^\`$\n]+\`)`;

/** Match comparisons with a literal, and literals in arrays and as keys, because code may look values up there. */
const COMPARISON_PATTERNS = [
  new RegExp(String.raw`[!=]==?\s*${LITERAL_SOURCE}`, 'g'),
  new RegExp(String.raw`${LITERAL_SOURCE}\s*[!=]==?`, 'g'),
  new RegExp(String.raw`\bcase\s+${LITERAL_SOURCE}\s*:`, 'g'),
  new RegExp(String.raw`\.(?:includes|has|get|startsWith|endsWith|is)\(\s*${LITERAL_SOURCE}`, 'g'),
  new RegExp(String.raw`[{,[]\s*\[?${LITERAL_SOURCE}\]?\s*[:,]`, 'g'),
];

/** Literals that occur in all kinds of code and tests. */
const COMMON_LITERALS = new Set(['0', '1', '-1', '2']);

/**
 * Describes how the new code uses a literal from the tests for which it seems to be made, such as “asks for 17”; null
 * if nothing indicates that. In scripts, copies of the tests in which one input differs slightly run with and without
 * the change. The result is null if the change affects some copy of each input. In other languages, and if no input can
 * be varied, a comparison with a literal of the tests is enough.
 */
export async function findSpecialCase(
  run: GateInput,
  shown: readonly string[],
  command: DetectedCommand,
  commands: TestCommands,
  signal: AbortSignal,
): Promise<string | null> {
  const { planNear } = run.context;
  const existingTests = run.edits.some(isTestEdit) ? [] : await readExistingTests(run, shown);
  const edits = [...run.edits, ...existingTests];
  const plan = await planNear?.(edits, shown);
  if (!plan) return findComparedTestLiteral(edits);
  const { literal, how } = plan;
  const usePhrase = how === 'compared' ? `asks for ${literal}` : `answers with ${literal}`;
  const usePhraseIfCompared = how === 'compared' ? usePhrase : null;
  if (plan.edits.length === 0) return usePhraseIfCompared;
  const { worktree } = run;
  const runSimilarTests = async () => {
    await worktree.write(plan.edits);
    try {
      return collectResults(await run.rerun('mutant', command, commands.parse, signal));
    } finally {
      await worktree.write(plan.edits, { reverse: true });
    }
  };
  const code = run.edits.filter((edit) => !isTestEdit(edit));
  const withChange = await runSimilarTests();
  const answersWithoutChange = await run.without(code, runSimilarTests);
  const isChangedByInput = new Map<string, boolean>();
  for (const [key, answer] of withChange) {
    const [input = ''] = key.split('.');
    if (answersWithoutChange.has(key))
      isChangedByInput.set(input, isChangedByInput.get(input) || answersWithoutChange.get(key) !== answer);
  }
  if (isChangedByInput.size === 0) return usePhraseIfCompared;
  return [...isChangedByInput.values()].every(Boolean) ? null : usePhrase;
}

/**
 * The existing test files that contain these tests, as edits that create them. `shown`: keys of tests, made by
 * `createTestKey`.
 */
async function readExistingTests({ worktree }: GateInput, shown: readonly string[]): Promise<readonly FileEdit[]> {
  const paths = new Set(shown.flatMap((key) => (key.includes(' › ') ? [key.split(' › ')[0]!] : [])));
  const edits = await Promise.all(
    [...paths].map(async (path) => {
      const bytes = await worktree.read(path);
      return bytes ? [{ path, before: null, after: new TextDecoder().decode(bytes) }] : [];
    }),
  );
  return edits.flat();
}

/**
 * Maps the number of each copy (`2.1`) to its result: the outcome and the message of the runner, without stack trace
 * and positions.
 */
function collectResults({ value }: TestRun): ReadonlyMap<string, string> {
  return new Map(
    (value?.cases ?? []).flatMap(({ name, outcome, failure }) => {
      const title = NEAR_TITLE.exec(name);
      if (!title || outcome === 'skipped') return [];
      const failureLine = (failure ?? '')
        .split('\n')
        .filter((line) => !/^\s*(?:at |❯|\[Error)/.test(line))
        .join('\n')
        .replace(/:\d+:\d+/g, '');
      return [[`${title[1]}.${title[2]}`, `${outcome} ${failureLine}`] as const];
    }),
  );
}

/** Judges only by the text, in other languages and for tests whose inputs `planNear` cannot vary. */
function findComparedTestLiteral(edits: readonly FileEdit[]): string | null {
  const lines = listAddedLines(edits.filter(isTestEdit)).map(({ line }) => line);
  return findComparedLiteral(edits, lines);
}

/**
 * The first literal with which the new code compares and that also occurs in these lines, as “asks for 17”; null if
 * there is none.
 */
export function findComparedLiteral(edits: readonly FileEdit[], lines: readonly string[]): string | null {
  const code = listAddedLines(edits.filter((edit) => !isTestEdit(edit))).map(({ line }) => line);
  const usedLiterals = new Set(
    lines
      .flatMap((line) => line.slice(0, MAX_LINE_LENGTH).match(new RegExp(LITERAL_SOURCE, 'g')) ?? [])
      .map(removeQuotes),
  );
  for (const line of code.filter(({ length }) => length <= MAX_LINE_LENGTH))
    for (const pattern of COMPARISON_PATTERNS)
      for (const [, literal = ''] of line.matchAll(pattern))
        if (!COMMON_LITERALS.has(literal) && usedLiterals.has(removeQuotes(literal))) return `asks for ${literal}`;
  return null;
}

function removeQuotes(literal: string): string {
  return literal.replace(/^['"`]|['"`]$/g, '');
}
