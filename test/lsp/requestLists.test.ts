// Which requests and tasks the sidebar lists if there are more than it shows: those that need the person, then the newest.

import { expect, test } from 'vitest';
import type { FailedTask } from '../../server/src/core/model/asks.ts';
import { taskId } from '../../server/src/core/session/ask/taskId.ts';
import { listAllTasks, listRequests, createRequestStates } from '../../server/src/lsp/sidebar/requests.ts';
import { createPart } from '../helpers/createPart.ts';

const TOTAL = 25;
const failed = (kind: 'opportunity' | 'request', id: string, askedAt: number): FailedTask => ({
  task: { kind, id, opportunity: kind === 'opportunity' ? id : null, path: null, words: 'Words 3' },
  ...{ askedAt, answers: [], rounds: 9, crashes: 0, waits: true },
});
const described: string[] = [];

/** A session with many wishes, of which the third oldest has failed, and many failed tasks. */
function sessionOf(failedTasks: readonly FailedTask[]) {
  const wishes = Array.from({ length: TOTAL }, (_, index) => ({
    ...{ type: 'wishAdded', at: index, sequence: index + 1 },
    data: { wish: `w-${index}`, text: `Words ${index}` },
  }));
  const query = async ({ types }: { readonly types: readonly string[] }) =>
    wishes.filter(({ type }) => types.includes(type));
  const describeFailed = async ({ task }: FailedTask) => {
    described.push(task.id);
    return { task, attempts: 9, tried: ['No.'], learned: [], corrections: [] };
  };
  const proposals = { all: async () => [] };
  const section = { all: async () => failedTasks, describe: describeFailed };
  return createPart<Parameters<typeof listRequests>[0]>({ ledger: { query }, proposals, failedTasks: section });
}

test('a request that needs the person comes first, then the newest; all are found by the command', async () => {
  const session = sessionOf([failed('request', taskId({ words: 'Words 3' }), 1)]);
  const { requests, waitingTasks } = await listRequests(session, () => true);
  expect(requests.map(({ id }) => id).slice(0, 3)).toEqual(['w-3', 'w-24', 'w-23']);
  expect([requests.length, waitingTasks]).toEqual([10, []]);
  expect((await listRequests(session, () => true)).further).toEqual({ count: 15, needing: 0 });
  const wishes = [{ id: 'w-3', text: 'Words 3', at: 3, tests: null, tries: [] }];
  expect(await createRequestStates(session.failedTasks, wishes)).toMatchObject([
    { id: 'w-3', failed: { attempts: 9 } },
  ]);
});

test('obsolete tasks take no place of current ones, and only listed ones are described', async () => {
  const tasks = Array.from({ length: TOTAL }, (_, index) => failed('opportunity', `o-${index}`, index));
  described.length = 0;
  const isShown = (id: string) => Number(id.slice(2)) < 12;
  const { waitingTasks } = await listRequests(sessionOf(tasks), isShown);
  const ids = Array.from({ length: 10 }, (_, index) => `o-${11 - index}`);
  expect(waitingTasks.map(({ task }) => task)).toEqual(ids);
  expect(described.toSorted()).toEqual(ids.toSorted());
});

test('tasks that the sidebar does not list are counted, and found by the command', async () => {
  const tasks = Array.from({ length: TOTAL }, (_, index) => failed('opportunity', `o-${index}`, index));
  const session = sessionOf(tasks);
  const isShown = (id: string) => id !== 'o-7';
  // The other 15 are requests, of which none needs the person.
  expect((await listRequests(session, isShown)).further).toEqual({ count: 14 + 15, needing: 14 });
  const ids = (await listAllTasks(session.failedTasks, [], isShown)).map(({ task }) => task);
  expect(ids).toHaveLength(24);
  expect(ids.slice(0, 2)).toEqual(['o-24', 'o-23']);
});
