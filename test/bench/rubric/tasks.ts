// Measures task completion: complete tasks by the command line, each in another repository with tests that really run.
// Recorded answers replace those of a model, so these tasks measure everything except the model.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCommandLine, type CommandLine } from '../../helpers/commandLine.ts';
import { gradesProject } from '../../helpers/gradesProject.ts';
import { answerMailbox } from '../../helpers/mailboxAnswers.ts';
import { manifestOf } from '../../helpers/manifest.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { DIMENSIONS, type Item } from './dimensions.ts';

/** The repository of a task, and the command line for it. */
interface World {
  readonly repository: TemporaryRepository;
  readonly selfware: CommandLine;
}

/** The outcome of a task; `seen`: the observation behind it. */
interface Outcome {
  readonly isDone: boolean;
  readonly seen: string;
}

/** A task: the files of its repository, and the steps. */
interface Task {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  run(world: World): Promise<Outcome>;
}

/** Maximum number of quoted characters of the output of a failed task. */
const MAX_SEEN = 200;
const MEAN_SOURCE =
  '/** The mean. */\nexport function mean(values) {\n  let sum = 0;\n  for (const value of values) sum ' +
  '+= value;\n  return sum / values.length;\n}\n';
const createTest = (name: string, path: string, lines: readonly string[]) =>
  [
    "import test from 'node:test';",
    "import assert from 'node:assert';",
    `import { ${name} } from '../src/${path}';`,
    ...lines,
    '',
  ].join('\n');
const meanProject = {
  'package.json': manifestOf('means'),
  'src/mean.js': MEAN_SOURCE,
  'test/mean.test.js': createTest('mean', 'mean.js', ["test('mean', () => assert.strictEqual(mean([1, 2, 3]), 2));"]),
};
const amountProject = {
  'package.json': manifestOf('amounts'),
  'tsconfig.json': '{"compilerOptions": {"strict": true, "target": "es2022", "module": "nodenext"}}\n',
  'src/clamp.ts': `/** The value, or the most that is allowed. */
export function clamp(value: number, most: number): number {
  return value > most ? most : value;
}

/** The length of the last text. */
export function lastLength(texts: readonly string[]): number {
  return texts[texts.length - 1]!.length;
}
`,
  'test/clamp.test.ts': createTest('clamp, lastLength', 'clamp.ts', [
    "test('clamp', () => assert.strictEqual(clamp(3, 10), 3));",
    "test('lastLength', () => assert.strictEqual(lastLength(['a', 'abc']), 3));",
  ]),
};
const emptyMeanTest = "\ntest('mean of nothing', () => assert.strictEqual(mean([]), 0));\n";
const correctedMean = MEAN_SOURCE.replace('let sum', 'if (values.length === 0) return 0;\n  let sum');

const TASKS: readonly Task[] = [
  {
    name: 'a night commits a missing test',
    files: amountProject,
    async run({ repository, selfware }) {
      await selfware.run(['night', '--for', '4m', '--no-wait', '--max-changes', '1']);
      const branch = (await repository.git('branch', '--list', 'selfware/*', '--format=%(refname:short)')).trim();
      const added = branch === '' ? '' : await repository.git('diff', `HEAD..${branch}`, '--', 'test');
      return { isDone: /^\+.*clamp\(/m.test(added), seen: added === '' ? 'no test was added' : 'a test was added' };
    },
  },
  {
    name: 'a call that breaks is found',
    files: amountProject,
    async run({ selfware }) {
      const { stdout } = await selfware.run(['counterexamples', '--time', '30']);
      return { isDone: stdout.includes('lastLength([])'), seen: stdout.split('\n')[0] ?? '' };
    },
  },
  {
    name: 'a failing test is fixed, by a recorded answer',
    files: { ...meanProject, 'test/mean.test.js': `${meanProject['test/mean.test.js']}${emptyMeanTest}` },
    run: (world) =>
      runWithAnswer(world, [{ file: 'src/mean.js', content: correctedMean }], ['propose', '--fix', 'mean of nothing']),
  },
  {
    name: 'a request in words is done, by a recorded answer',
    files: meanProject,
    async run(world) {
      const path = join(world.selfware.home, 'request.json');
      await writeFile(path, JSON.stringify({ request: 'The mean of no numbers is 0.' }));
      const test = createTest('mean', 'mean.js', [emptyMeanTest.trim()]);
      const edits = [
        { file: 'src/mean.js', content: correctedMean },
        { file: 'test/nothing.test.js', content: test },
      ];
      return runWithAnswer(world, edits, ['propose', '--request', path]);
    },
  },
  {
    name: 'a change that breaks behaviour is refused',
    files: meanProject,
    async run({ repository, selfware }) {
      await repository.write('src/mean.js', MEAN_SOURCE.replace('sum = 0', 'sum = 1'));
      const { code } = await selfware.run(['verify', '--base', 'HEAD']);
      return { isDone: code === 1, seen: `exit code ${code}` };
    },
  },
  {
    name: 'a right change passes',
    files: meanProject,
    async run({ repository, selfware }) {
      await repository.write('src/mean.js', correctedMean);
      await repository.write('test/mean.test.js', `${meanProject['test/mean.test.js']}${emptyMeanTest}`);
      const { code } = await selfware.run(['verify', '--base', 'HEAD']);
      return { isDone: code === 0, seen: `exit code ${code}` };
    },
  },
  {
    name: 'a change is applied and rolled back to the byte',
    files: gradesProject(['half']),
    async run({ repository, selfware }) {
      await selfware.decide();
      const path = 'src/half.js';
      const before = await repository.read(path);
      await selfware.run(['improve']);
      const proposal = (await selfware.json(['proposals', 'list'])).value.at(-1);
      if (!proposal) return { isDone: false, seen: 'nothing was proposed' };
      const { value } = await selfware.json(['proposals', 'approve', proposal.id]);
      const isApplied = (await repository.read(path)) !== before;
      await selfware.run(['checkpoints', 'rollback', value.checkpoint.id]);
      const isBack = (await repository.read(path)) === before;
      return { isDone: isApplied && isBack, seen: `applied: ${isApplied}, rolled back: ${isBack}` };
    },
  },
];
const POINTS_PER_TASK = DIMENSIONS['task completion'].max / TASKS.length;

/** Runs all tasks, one after the other. The score of a task that cannot run here is null. */
export async function measureTasks(note: (text: string) => void, signal: AbortSignal): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (const { name, files, run } of TASKS) {
    signal.throwIfAborted();
    note(name);
    const repository = await createTemporaryRepository(files);
    const selfware = await createCommandLine(repository.dir);
    const item = { dimension: 'task completion', name, max: POINTS_PER_TASK } as const;
    try {
      const { isDone, seen } = await run({ repository, selfware });
      items.push({ ...item, score: isDone ? POINTS_PER_TASK : 0, seen });
    } catch (error) {
      items.push({ ...item, score: null, seen: `it did not run: ${String(error).slice(0, MAX_SEEN)}` });
    } finally {
      await selfware.dispose();
      await repository.dispose();
    }
  }
  return items;
}

/** Gives this answer to each question of the command. The task is done if the command ends with a verified proposal. */
async function runWithAnswer({ selfware }: World, edits: readonly object[], args: readonly string[]): Promise<Outcome> {
  const folder = join(selfware.home, 'mail');
  const mail = await answerMailbox(folder, () => edits);
  try {
    const { stdout, stderr } = await selfware.run([...args, '--proposer', `mailbox:${folder}`, '--json']);
    const isDone = /"status":\s*"verified"/.test(stdout);
    return { isDone, seen: isDone ? 'verified' : describeFailure(stdout, stderr) };
  } finally {
    await mail.stop();
  }
}

/** The reason of the refusal; if there is none, the end of the output. */
function describeFailure(stdout: string, stderr: string): string {
  const text = /"reason":\s*"([^"]{1,1000})/.exec(stdout)?.[1] ?? (stderr || stdout).slice(-MAX_SEEN);
  return text.replaceAll(/\s+/g, ' ').slice(0, MAX_SEEN);
}
