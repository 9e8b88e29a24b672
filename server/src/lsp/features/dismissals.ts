// Answers requests for the dismissals (opportunities that a person has hidden) in all folders of the window, so that
// the person can undo them.

import { requests } from '#protocol/methods';
import type { DismissalList } from '#protocol/reports';
import { KIND_TITLES } from '../commands/decisions.ts';
import { guardRequest } from '../guardHandlers.ts';
import type { Feature } from '../serverContext.ts';

/** Answers with the dismissals, newest first; folders that are not open yet are left out. */
export const dismissals: Feature = ({ connection, log, repositories }) => {
  connection.onRequest(
    requests.dismissals,
    guardRequest<unknown, DismissalList>(log, requests.dismissals, { dismissals: [] }, async () => {
      const dismissalsOfFolders = [];
      for (const repository of repositories.all()) {
        if (!repository.isOpen) continue;
        for (const dismissal of await (await repository.session()).opportunities.dismissals())
          dismissalsOfFolders.push({ ...dismissal, folder: repository.name });
      }
      return {
        dismissals: dismissalsOfFolders
          .toSorted((a, b) => b.at - a.at)
          .map(({ opportunity, rule, path, kind, reason, until, folder }) => ({
            opportunity,
            rule,
            path,
            why: [kind === 'other' && reason !== null ? null : KIND_TITLES[kind], reason]
              .filter((part) => part !== null)
              .join(': '),
            folder,
            until,
          })),
      };
    }),
  );
  return {};
};
