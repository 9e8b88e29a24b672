// Leaves up to a number of questions of each kind of task, so that a repository with many places of one kind also gets
// questions of the other kinds.

import { execFileSync } from 'node:child_process';
import { isBenchmarkCode, isTestFile } from '../../../server/src/core/paths/tests.ts';
import { isDocumentation, isExample } from '../../../server/src/core/paths/nonSourcePaths.ts';
import { isRefusalByFileConvention } from '../../../server/src/core/propose/ownForm.ts';
import type { TaskRequest } from '../../../server/src/core/session/ask/askTypes.ts';
import type { PlaceWithoutResult } from '../../../server/src/core/session/propose/requests.ts';
import type { Session } from '../../../server/src/core/session.ts';
import type { Kind } from './kinds.ts';
import type { LeftTask, Place } from './questions.ts';

const SCRIPT_PATTERN = /(?<!\.d)\.[cm]?[jt]sx?$/;
/** Number of files without a question about missing tests after which the bench gives up on tests. */
const MAX_WITHOUT_QUESTION = 4;

/** A possible task. `id`: the id of its opportunity, or `tests PATH`. */
interface Candidate extends LeftTask {
  readonly id: string;
}

/**
 * Leaves at most `each` questions of every kind. `refused`: the places that recipes have refused. `keep` is called with
 * all tasks so far after each question, so that a stopped run loses nothing.
 */
export async function askByKind(
  session: Session,
  { dir, mail, name }: Place,
  { each, refused, kinds }: { each: number; refused: readonly PlaceWithoutResult[]; kinds: readonly Kind[] },
  { note, keep }: { note: (text: string) => void; keep: (leftTasks: readonly LeftTask[]) => void },
  signal: AbortSignal,
): Promise<void> {
  const left: LeftTask[] = [];
  const candidates = { ...(await listPlaces(session, refused)), tests: listFiles(dir) };
  const leaveTasksOfKind = async (kind: Kind, maxTasks: number) => {
    let [foundCount, vainCount] = [0, 0];
    for (const { id, ...task } of candidates[kind]) {
      if (foundCount >= maxTasks || (kind === 'tests' && vainCount >= MAX_WITHOUT_QUESTION)) break;
      signal.throwIfAborted();
      const outcome = await session.questions.ask({ task: task.request, proposer: `later:${mail}`, signal });
      if (outcome.leftAt === undefined) {
        vainCount += 1;
        note(`${name}: nothing to ask about ${id}: ${outcome.refused}`);
        continue;
      }
      foundCount += 1;
      left.push(task);
      keep(left);
    }
    note(`${name}: ${kind}: ${foundCount} questions`);
    return foundCount;
  };
  for (const kind of kinds) if (kind !== 'other place') await leaveTasksOfKind(kind, each);
  // If recipes refused fewer than `each` places, other places make up the difference.
  const refusedCount = left.filter(({ kind }) => kind === 'refused by a recipe').length;
  if (kinds.includes('other place')) await leaveTasksOfKind('other place', each - refusedCount);
}

/** The opportunities in product code, by the kind of task to which they lead. */
async function listPlaces(
  session: Session,
  refused: readonly PlaceWithoutResult[],
): Promise<Record<Exclude<Kind, 'tests'>, readonly Candidate[]>> {
  const { shown, hidden } = await session.opportunities.listWithHidden();
  const opportunities = [...shown, ...hidden.map(({ opportunity }) => opportunity)].filter(({ path }) =>
    isProductScript(path),
  );
  const isRefused = (id: string) =>
    refused.some(({ opportunity, refused: reason }) => opportunity === id && !isRefusalByFileConvention(reason));
  const toCandidates = (kind: Kind, selection: typeof opportunities): readonly Candidate[] =>
    selection.map(({ id, rule, path }) => ({ id, kind, rule, path, request: { opportunity: id } }));
  const isOther = (rule: string) => rule !== 'type-hole' && rule !== 'counterexample' && rule !== 'unguarded-code';
  return {
    fix: toCandidates(
      'fix',
      opportunities.filter(({ rule }) => rule === 'counterexample'),
    ),
    'type hole': toCandidates(
      'type hole',
      opportunities.filter(({ rule }) => rule === 'type-hole'),
    ),
    'refused by a recipe': toCandidates(
      'refused by a recipe',
      opportunities.filter(({ id, rule }) => isOther(rule) && isRefused(id)),
    ),
    'other place': toCandidates(
      'other place',
      opportunities.filter(({ recipe, rule }) => isOther(rule) && recipe === null),
    ),
  };
}

/** The files that may lack tests, the largest first. */
function listFiles(dir: string): readonly Candidate[] {
  const lines = execFileSync('git', ['-C', dir, 'ls-tree', '-r', '-l', '-z', 'HEAD'], { encoding: 'utf8' }).split('\0');
  const files = lines.flatMap((line) => {
    const [attributes = '', path = ''] = line.split('\t');
    return isProductScript(path) ? [{ path, bytes: Number(attributes.split(/\s+/).at(-1)) }] : [];
  });
  return files
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ path }) => {
      const request: TaskRequest = { tests: path };
      return { id: `tests ${path}`, kind: 'tests', rule: 'tests', path, request };
    });
}

function isProductScript(path: string): boolean {
  return (
    SCRIPT_PATTERN.test(path) &&
    !isTestFile(path) &&
    !isBenchmarkCode(path) &&
    !isExample(path) &&
    !isDocumentation(path)
  );
}
