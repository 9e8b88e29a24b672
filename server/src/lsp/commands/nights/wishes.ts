// The server command `wishes`: shows the queue of wishes (requests in words for unattended runs), and adds, reorders
// and removes wishes, even while a run is in progress.

import type { WishesParams } from '#protocol/nights';
import type { WaitingTask } from '#protocol/requests';
import { createWishId } from '../../../app/nights/wishQueue.ts';
import { addWishes, moveWish, resolveWishId } from '../../../core/run/wishChanges.ts';
import type { WishEvent } from '../../../core/model/nights.ts';
import type { Wish } from '../../../core/run/wishes.ts';
import type { Session } from '../../../core/session.ts';
import { formatCount } from '../../../util/counted.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { parseWishesParams } from '../../fromProtocol.ts';
import { listAllTasks, markRunning, createRequestStates } from '../../sidebar/requests.ts';
import { createSuccess, type ServerCommand } from '../command.ts';

/**
 * Makes the requested change, and answers with the queue; without a change, also with the tasks that wait for the
 * person. Throws `usage` for a wish that is empty or too long, `notFound` if there is no such wish, and `untrusted` for
 * a change in a workspace that is not trusted.
 */
export const wishesCommand: ServerCommand = async (context, { args }) => {
  const params = parseWishesParams(args);
  const repository = context.repositories.chosen();
  // It is known only after opening the folder whether it is trusted.
  const session = await repository.session();
  const isChange = Object.keys(params).length > 0;
  if (!repository.trusted && isChange)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so its wishes are not changed.', {
      action: 'Trust the workspace first.',
    });
  const nights = await context.nights();
  const queue = await nights.wishes(repository.rootDir, (waiting) => createEvents(waiting, params));
  context.events.status.fire(repository);
  const message = queue.length === 0 ? 'No wish waits.' : `${formatCount(queue.length, 'wish waits', 'wishes wait')}.`;
  const wishes = markRunning(repository, await createRequestStates(session.failedTasks, queue));
  const addedText = params.add?.trim();
  const wish = addedText === undefined ? undefined : queue.find(({ text }) => text === addedText)?.id;
  const waitingTasksPart = isChange ? {} : { waitingTasks: await loadWaitingTasks(session, queue) };
  return { ...createSuccess(message), wishes, ...waitingTasksPart, ...(wish === undefined ? {} : { wish }) };
};

/** The tasks of models that wait for the person, without those about hidden opportunities. */
async function loadWaitingTasks(session: Session, queue: readonly Wish[]): Promise<readonly WaitingTask[]> {
  const { shown } = await session.opportunities.listWithHidden();
  const shownIds = new Set(shown.map(({ id }) => id));
  return listAllTasks(session.failedTasks, queue, (opportunity) => shownIds.has(opportunity));
}

/** The events that make the requested change of the queue. */
function createEvents(queue: readonly Wish[], { add, first, drop, ...moves }: WishesParams): readonly WishEvent[] {
  if (add !== undefined) return addWishes(queue, [add], createWishId);
  if (first !== undefined) return [{ type: 'wishFirst', data: { wish: resolveWishId(queue, first) } }];
  if (drop !== undefined) return [{ type: 'wishDropped', data: { wish: resolveWishId(queue, drop) } }];
  return Object.entries(moves).flatMap(([place, wish]) => moveWish(queue, wish, place));
}
