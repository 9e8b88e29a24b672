// Serves the sidebar of Selfware's own client: its state on request, a notification whenever the state has changed, and
// the opportunities page by page.

import type { CancellationToken } from 'vscode-languageserver/node';
import { notifications, requests } from '#protocol/methods';
import type {
  OpportunitiesParams,
  OpportunityFiles,
  OpportunityFilesParams,
  OpportunityPage,
} from '#protocol/opportunities';
import type { ProposalRef, Review } from '#protocol/review';
import type { SidebarState } from '#protocol/state';
import { describeError } from '../../util/typedError.ts';
import { parseProposalRef } from '../fromProtocol.ts';
import { guardRequest, runInBackground } from '../guardHandlers.ts';
import { insertTitlesIntoState } from '../sidebar/commandTitles.ts';
import type { Feature, ServerContext, Repository } from '../serverContext.ts';
import { listOpportunityFiles, createOpportunityPage } from '../sidebar/opportunityPages.ts';
import { parseOpportunitiesParams, parseWindow } from '../sidebar/params.ts';
import { createStates, type States } from '../sidebar/stateOf.ts';
import { createEmptyState, countWaiting } from '../sidebarState.ts';
import { toReview } from '../toProtocol.ts';
import { throttle } from '../throttle.ts';
import type { Log } from '../../core/ports/system.ts';

/** The folder of the empty state: '' stands for a window without a folder. */
const NO_FOLDER = { name: '', uri: '' };

/** Minimum time between two notifications in milliseconds. A person would not notice more than four in a second. */
const MIN_NOTIFY_MS = 250;
/** Minimum time between two updates in milliseconds, while a person types in a file with a kept change. */
const MIN_UPDATE_TYPED_MS = 1000;

/** Registers the handlers. */
export const sidebar: Feature = (context) => {
  const { connection, repositories, events, log } = context;
  const states = createStates(context);
  const editedRepositories = new Set<Repository>();
  const notifySoon = throttle(MIN_NOTIFY_MS, () =>
    runInBackground(log, 'stateChanged', () => connection.sendNotification(notifications.stateChanged)),
  );
  const answerState = guardRequest<unknown, SidebarState>(
    log,
    'state',
    createEmptyState(NO_FOLDER, false, []),
    async () => {
      const state = await createState(context, states);
      return insertTitlesIntoState(state, context.abilities);
    },
  );
  // For a request without parameters, the library passes only the cancellation token.
  connection.onRequest(requests.state, (...args: readonly unknown[]) =>
    answerState(undefined, args.at(-1) as CancellationToken),
  );
  connection.onRequest(
    requests.opportunities,
    guardRequest<OpportunitiesParams, OpportunityPage | null>(log, 'opportunities', null, async (params) => {
      const { list, quiet, turnedDown, revision } = await states.opportunities(repositories.chosen());
      return createOpportunityPage(list, revision, parseOpportunitiesParams(params), quiet, turnedDown);
    }),
  );
  connection.onRequest(
    requests.opportunityFiles,
    guardRequest<OpportunityFilesParams, OpportunityFiles | null>(log, 'opportunityFiles', null, async (params) => {
      const { list, revision } = await states.opportunities(repositories.chosen());
      return listOpportunityFiles(list, revision, parseWindow(params));
    }),
  );
  connection.onRequest(
    requests.review,
    guardRequest<ProposalRef, Review | null>(log, 'review', null, async (params) => {
      const { proposal: id } = parseProposalRef([params]);
      if (id === undefined) return null;
      const repository = await repositories.owner((session) => includesId(session.proposals.all(), id));
      return toReview(await (await repository.session()).proposals.get(id), repository.uri);
    }),
  );
  // A person may undo a kept change in the editor. The sidebar shows that even before the file is saved.
  const updateEdited = throttle(MIN_UPDATE_TYPED_MS, () => {
    for (const repository of editedRepositories) events.status.fire(repository);
    editedRepositories.clear();
  });
  context.documents.onDidChangeContent(({ document }) => {
    const place = repositories.locate(document.uri);
    if (!place || !states.holdsChange(place.repository, place.path)) return;
    editedRepositories.add(place.repository);
    updateEdited();
  });
  events.opportunities.event(({ repository }) => states.opportunitiesChanged(repository));
  events.status.event((repository) => {
    if (repository) states.statusChanged(repository);
  });
  // Other clients do not know this notification, and would only log it.
  if (context.abilities.canReview) {
    events.status.event(() => notifySoon());
    events.opportunities.event(() => notifySoon());
  }
  return {};
};

/** The state of the chosen folder. If it cannot be read, an empty state with a notice about the error. */
async function createState({ repositories, log }: ServerContext, states: States): Promise<SidebarState> {
  const openRepositories = repositories.all();
  if (openRepositories.length === 0)
    return createEmptyState(NO_FOLDER, repositories.trusted, [
      { severity: 'info', message: 'No folder is open.', action: 'Open the folder of a repository.' },
    ]);
  const repository = repositories.chosen();
  const folders =
    openRepositories.length > 1
      ? await Promise.all(
          openRepositories.map(async (folder) => ({
            uri: folder.uri,
            name: folder.name,
            waiting: await countWaitingIn(folder, log),
          })),
        )
      : [];
  try {
    return { ...(await states.state(repository)), folders };
  } catch (error) {
    return { ...createEmptyState(repository, repository.trusted, composeNotices(repository, error)), folders };
  }
}

/**
 * Number of proposals that wait in a folder; null if the folder is not open yet or its session fails, which must not
 * affect the other folders.
 */
async function countWaitingIn(folder: Repository, log: Log): Promise<number | null> {
  if (!folder.isOpen) return null;
  try {
    return countWaiting(await (await folder.session()).proposals.all());
  } catch (error) {
    log.write('debug', `What waits in ${folder.name} is not known.`, error);
    return null;
  }
}

/** The notices of a repository that cannot be shown; the error is added unless one of them is an error. */
function composeNotices({ notices }: Repository, error: unknown): SidebarState['notices'] {
  return notices.some(({ severity }) => severity === 'error')
    ? notices
    : [...notices, { severity: 'error', message: describeError(error), action: null }];
}

async function includesId(items: Promise<readonly { readonly id: string }[]>, id: string): Promise<boolean> {
  return (await items).some((entry) => entry.id === id);
}
