// Measures edit success: Selfware improves a repository with one flaw in each file without a model. A kept change
// counts if the code still behaves the same with inputs that Selfware did not have.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommandLine } from '../../helpers/commandLine.ts';
import { manifestOf } from '../../helpers/manifest.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { DIMENSIONS, type Item } from './dimensions.ts';
import { EDIT_TASKS, type EditTask } from './editTasks.ts';

const POINTS_PER_TASK = DIMENSIONS['edit success'].max / EDIT_TASKS.length;
const [SECONDS, MAX_CHANGES] = [420, 30];

/** Measures all edit tasks in one run of `improve`. */
export async function measureEdits(scratch: string, note: (text: string) => void): Promise<readonly Item[]> {
  const before = await Promise.all(
    EDIT_TASKS.map((task) => runTask(scratch, `${task.rule}-before`, task, task.source)),
  );
  const files = Object.fromEntries(
    EDIT_TASKS.flatMap((task, index) => [
      [pathOf(task), task.source],
      [`test/${task.rule}.test.js`, createTest(task, before[index]!.slice(0, task.shown.length))],
    ]),
  );
  const rules = Object.fromEntries(EDIT_TASKS.map(({ rule }) => [rule, 'hint']));
  const repository = await createTemporaryRepository({
    ...files,
    'package.json': manifestOf('edits'),
    'tsconfig.json': '{"compilerOptions": {"strict": true, "target": "es2022", "module": "nodenext"}}\n',
    '.selfware/settings.json': JSON.stringify({ 'analysis.rules': rules }),
  });
  const selfware = await createCommandLine(repository.dir);
  try {
    await selfware.decide();
    note('improves a repository with twelve flaws');
    const limitOptions = ['--for', `${SECONDS}s`, '--max-changes', String(MAX_CHANGES)];
    const noSearch = ['--set', 'night.searchFurther=false'];
    const run = await selfware.run(['night', 'run', '--no-wait', ...limitOptions, ...noSearch]);
    if (run.code !== 0) throw new Error(`The run of the edit tasks ended with ${run.code}: ${run.stderr.slice(-500)}`);
    const branch = (await repository.git('branch', '--list', 'selfware/*', '--format=%(refname:short)')).trim();
    return await Promise.all(
      EDIT_TASKS.map(async (task, index) => {
        const text = branch === '' ? task.source : await repository.git('show', `${branch}:${pathOf(task)}`);
        return {
          dimension: 'edit success',
          name: task.rule,
          max: POINTS_PER_TASK,
          ...(await judgeEdit(task, before[index]!, text)),
        };
      }),
    );
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }

  async function judgeEdit(task: EditTask, expected: readonly string[], text: string) {
    if (text.trim() === task.source.trim()) return { score: 0, seen: 'no change was kept' };
    const after = await runTask(scratch, `${task.rule}-after`, task, text);
    const isSame = JSON.stringify(after) === JSON.stringify(expected);
    return isSame
      ? { score: POINTS_PER_TASK, seen: 'changed, does the same' }
      : { score: 0, seen: 'changed, does something else' };
  }
}

function pathOf({ rule, typed }: EditTask): string {
  return `src/${rule}.${typed ? 'ts' : 'js'}`;
}

/** The results of `run` for the shown and then the hidden arguments, as JSON, or as the name of the thrown error. */
async function runTask(scratch: string, name: string, task: EditTask, text: string): Promise<readonly string[]> {
  const folder = join(scratch, 'edits');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.${task.typed ? 'mts' : 'mjs'}`);
  writeFileSync(path, text);
  const { run } = (await import(path)) as { readonly run: (...args: readonly unknown[]) => unknown };
  return [...task.shown, ...task.hidden].map((args) => {
    try {
      return JSON.stringify(run(...structuredClone(args))) ?? 'undefined';
    } catch (error) {
      return `throws ${(error as Error).name}`;
    }
  });
}

/** A test file that asserts these results for the shown arguments. */
function createTest(task: EditTask, answers: readonly string[]): string {
  const { rule, shown } = task;
  const cases = shown.map(
    (args, index) =>
      `  assert.deepStrictEqual(run(${args.map((arg) => JSON.stringify(arg)).join(', ')}), ${answers[index]});`,
  );
  return [
    "import test from 'node:test';",
    "import assert from 'node:assert';",
    `import { run } from '../${pathOf(task)}';`,
    `test('${rule}', () => {`,
    ...cases,
    '});',
    '',
  ].join('\n');
}
