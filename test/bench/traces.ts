// Measures the gate differential on real repositories, with generated inputs and with calls that the tests make. It
// judges edits that keep the behaviour, and planted faults that the tests do not notice.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ts } from 'ts-morph';
import type { FileEdit } from '../../server/src/core/model.ts';
import { TRACED_CALLS } from '../../server/src/core/model/proofs.ts';
import type { GateAnswer } from '../../server/src/core/verify/answer.ts';
import { planMutants } from '../../server/src/core/verify/guard/planMutants.ts';
import { findFunctions } from '../../server/src/core/verify/traces/functions.ts';
import type { Bench, BenchOptions, Table } from './support/bench.ts';
import { findReturns, nameReturnedValue, type Place } from './support/namedReturns.ts';
import { shuffle } from './support/random.ts';
import { openGround, type Ground } from './traces/ground.ts';

/** The possible answers for an edit. */
const ANSWERS = [
  'same by inputs',
  'same by traces',
  'different by inputs',
  'different by traces',
  'unknown',
  'tests fail',
] as const;
type Answer = (typeof ANSWERS)[number];

/** The answers for one repository and one kind of edits. */
interface Measured {
  readonly repository: string;
  readonly kind: 'keeps behaviour' | 'planted fault';
  readonly answers: readonly Answer[];
  readonly notes: readonly string[];
}

/** A return statement in a function that a test calls, with the lines of the function. */
interface Called extends Place {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Number of judged edits of each kind and repository. */
const COUNTS = { tiny: 2, default: 10, large: 67 };
const MAX_MUTANTS = 200;

/** The bench: the answers of the gate by repository and kind of edit. */
export const traces: Bench = {
  name: 'traces',
  describe:
    'The gate differential on checkouts (--at DIR[,DIR…], with their packages) by generated inputs and by the calls of the tests: return statements of called functions, drawn by --seed, written otherwise, and planted faults in the same functions. --inputs N of each; --minutes ends it. Needs a build.',
  async run(options, signal) {
    const measurements: Measured[] = [];
    for (const dir of options.at) measurements.push(...(await measure(dir, options, signal)));
    return [createTable(measurements)];
  },
};

async function measure(dir: string, options: BenchOptions, signal: AbortSignal): Promise<Measured[]> {
  const repository = basename(dir);
  const copy = join(options.scratch, repository);
  execFileSync('cp', ['-a', '--reflink=auto', dir, copy]);
  const maxAnswers = options.inputs ?? COUNTS[options.size];
  const endAt = performance.now() + options.minutes * 60_000;
  await using ground = await openGround(copy, join(options.scratch, `${repository}-state`), signal);
  const calledReturns = await findCalledReturns(copy, ground, signal);
  options.note(`${repository}: ${calledReturns.length} return statements in called functions`);
  const drawnReturns = shuffle(calledReturns, options.seed, ({ path, start }) => `${path}:${start}`);
  const results: Measured[] = [];
  for (const kind of ['keeps behaviour', 'planted fault'] as const) {
    const answers: Answer[] = [];
    const notes: string[] = [];
    const until = kind === 'planted fault' ? endAt : performance.now() + (endAt - performance.now()) / 2;
    for (const place of drawnReturns) {
      signal.throwIfAborted();
      if (answers.filter((answer) => answer !== 'tests fail').length >= maxAnswers || performance.now() > until) break;
      const text = readFileSync(join(copy, place.path), 'utf8');
      const madeEdit =
        kind === 'keeps behaviour'
          ? { after: nameReturnedValue(text, place), shown: 'named' }
          : plantFault(text, place, options.seed);
      if (madeEdit === null) continue;
      const edit = { path: place.path, before: text, after: madeEdit.after };
      const answer = await ground.judge(edit, kind === 'planted fault', signal);
      answers.push(classifyAnswer(answer));
      const note = `${repository} ${place.path} ${place.name} ${madeEdit.shown}: ${answers.at(-1)}. ${answer?.reason ?? ''} ${String(answer?.evidence['traces'] ?? '')}`;
      options.note(note);
      notes.push(note.slice(0, 400));
    }
    results.push({ repository, kind, answers, notes });
  }
  return results;
}

/** The return statements in functions that a test calls. */
async function findCalledReturns(dir: string, ground: Ground, signal: AbortSignal): Promise<readonly Called[]> {
  const allReturns = findReturns(dir);
  const places: Called[] = [];
  const edits: FileEdit[] = [];
  for (const path of new Set(allReturns.map((place) => place.path))) {
    const returnsOfFile = allReturns.filter((place) => place.path === path);
    const before = readFileSync(join(dir, path), 'utf8');
    const sourceFile = ts.createSourceFile(path, before, ts.ScriptTarget.Latest, true);
    const { functions } = findFunctions(sourceFile);
    const lineOf = (position: number) => sourceFile.getLineAndCharacterOfPosition(position).line + 1;
    for (const place of returnsOfFile) {
      const enclosingFunctions = [...functions.values()].filter(
        ({ node }) => node.pos <= place.start && place.end <= node.end,
      );
      const innermost = enclosingFunctions.toSorted((a, b) => a.node.getWidth() - b.node.getWidth())[0];
      if (!innermost) continue;
      const { key: name, node } = innermost;
      places.push({ ...place, name, from: lineOf(node.getStart(sourceFile)), to: lineOf(node.end) });
    }
    const after = returnsOfFile
      .toSorted((a, b) => b.start - a.start)
      .reduce((text, { start, end }) => `${text.slice(0, start)}return [];${text.slice(end)}`, before);
    edits.push({ path, before, after });
  }
  const calledFunctions = await ground.findCalledFunctions(edits, signal);
  return places.filter(({ path, name }) => calledFunctions.has(`${path} ${name}`));
}

/** The text with a mutant of the function that the seed draws; null if there is none. */
function plantFault(text: string, { path, from, to, start }: Called, seed: number) {
  const before = text
    .split('\n')
    .filter((_, index) => index + 1 < from || index + 1 > to)
    .join('\n');
  const { mutants } = planMutants([{ path, before, after: text }], MAX_MUTANTS, () => false);
  const [mutant] = shuffle(mutants, seed, (candidate) => `${start} ${candidate.start} ${candidate.text}`);
  return mutant
    ? { after: `${text.slice(0, mutant.start)}${mutant.text}${text.slice(mutant.end)}`, shown: mutant.shown }
    : null;
}

/** The answer of the gate as a row of the table. */
function classifyAnswer(answer: GateAnswer | null): Answer {
  if (answer === null) return 'tests fail';
  const { outcome, evidence } = answer;
  if (outcome === 'passed') return evidence[TRACED_CALLS] === undefined ? 'same by inputs' : 'same by traces';
  if (outcome === 'failed') return evidence['tracedTest'] === undefined ? 'different by inputs' : 'different by traces';
  return 'unknown';
}

function createTable(measurements: readonly Measured[]): Table {
  const rows = measurements.map(({ repository, kind, answers }) => {
    const judgedAnswers = answers.filter((answer) => answer !== 'tests fail');
    const counts = ANSWERS.map((kind) => answers.filter((answer) => answer === kind).length);
    return [repository, kind, judgedAnswers.length, ...counts];
  });
  return {
    title: 'What the gate differential says',
    columns: [{ name: 'repository' }, { name: 'edits' }, { name: 'judged' }, ...ANSWERS.map((name) => ({ name }))],
    rows,
    notes: [
      'Edits that keep behaviour: “different” is wrong. Planted faults: “same” is wrong, unless the fault changes nothing. Where the tests fail, a planted fault does not reach the gate; edits that keep behaviour reach it without a run of the tests.',
      ...measurements.flatMap(({ notes }) => notes),
    ],
  };
}
