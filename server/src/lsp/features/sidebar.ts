// What our own client shows: the state on request, a word when it has changed, and a proposal laid out for review.

import type { CancellationToken } from 'vscode-languageserver/node';
import { notifications, requests } from '#protocol/methods';
import type { ProposalRef, Review } from '#protocol/review';
import type { SidebarState } from '#protocol/state';
import { describeError } from '../../util/typedError.ts';
import { proposalRefFrom } from '../fromProtocol.ts';
import { guarded, inBackground } from '../guard.ts';
import type { Repository } from '../repository.ts';
import type { Feature, ServerContext } from '../serverContext.ts';
import { emptySidebarState, sidebarState } from '../sidebarState.ts';
import { reviewTo } from '../toProtocol.ts';
import { throttled } from '../throttled.ts';

/** Four a second are enough for an eye. */
const tellEveryMillis = 250;

export const sidebar: Feature = (context) => {
  const { connection, repositories, events, log } = context;
  const tell = throttled(tellEveryMillis, () => inBackground(log, 'stateChanged', () => connection.sendNotification(notifications.stateChanged)));
  const state = guarded<unknown, SidebarState>(log, 'state', emptySidebarState('', false, []), () => stateOf(context));
  // Without parameters the library passes the token alone.
  connection.onRequest(requests.state, (...args: readonly unknown[]) => state(undefined, args.at(-1) as CancellationToken));
  connection.onRequest(
    requests.review,
    guarded<ProposalRef, Review | null>(log, 'review', null, async (params) => {
      const { proposal: id } = proposalRefFrom([params]);
      if (id === undefined) return null;
      const repository = await repositories.owner((session) => knows(session.proposals(), id));
      return reviewTo(await (await repository.session()).proposal(id), repository.uri);
    }),
  );
  // Other clients would only log an unknown notification.
  if (context.abilities.canReview) events.status.event(() => tell());
  return {};
};

async function stateOf({ repositories }: ServerContext): Promise<SidebarState> {
  const [repository] = repositories.all();
  if (!repository) return emptySidebarState('', repositories.trusted, [{ severity: 'info', message: 'No folder is open.', action: 'Open the folder of a repository.' }]);
  try {
    const session = await repository.session();
    const state = sidebarState(await session.status(), repository.progress, await session.opportunities());
    return { ...state, notices: [...repository.notices, ...state.notices] };
  } catch (error) {
    return emptySidebarState(repository.name, repository.trusted, noticesOf(repository, error));
  }
}

function noticesOf({ notices }: Repository, error: unknown): SidebarState['notices'] {
  return notices.some(({ severity }) => severity === 'error') ? notices : [...notices, { severity: 'error', message: describeError(error), action: null }];
}

async function knows(list: Promise<readonly { readonly id: string }[]>, id: string): Promise<boolean> {
  return (await list).some((entry) => entry.id === id);
}
