// Sends the text of a file of rules that the repository brings along, so that a person can read it.

import { requests } from '#protocol/methods';
import type { BroughtRef, BroughtText } from '#protocol/rules';
import { visible } from '../../util/visible.ts';
import { guarded } from '../guard.ts';
import { broughtRefFrom } from '../commands/rulesParams.ts';
import type { Feature } from '../serverContext.ts';

export const broughtRules: Feature = ({ connection, log, repositories }) => {
  connection.onRequest(
    requests.broughtRules,
    guarded<BroughtRef, BroughtText | null>(log, requests.broughtRules, null, async (params) => {
      const { folder, path } = broughtRefFrom(params);
      const repository = repositories.all().find(({ uri }) => uri === folder);
      if (!repository?.trusted) return null;
      const found = (await (await repository.session()).learned.brought()).find((one) => one.path === path);
      return found ? { text: visible(found.text), hash: found.hash, state: found.state } : null;
    }),
  );
  return {};
};
