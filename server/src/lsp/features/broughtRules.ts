// Sends the text of a file of rules that the repository brings along, so that a person can read it.

import { requests } from '#protocol/methods';
import type { BroughtRef, BroughtText } from '#protocol/rules';
import { escapeInvisible } from '../../util/visible.ts';
import { guardRequest } from '../guardHandlers.ts';
import { parseBroughtRef } from '../commands/rulesParams.ts';
import type { Feature } from '../serverContext.ts';

export const broughtRules: Feature = ({ connection, log, repositories }) => {
  connection.onRequest(
    requests.broughtRules,
    guardRequest<BroughtRef, BroughtText | null>(log, requests.broughtRules, null, async (params) => {
      const { folder, path } = parseBroughtRef(params);
      const repository = repositories.all().find(({ uri }) => uri === folder);
      if (!repository?.trusted) return null;
      const ruleFile = (await (await repository.session()).learned.brought()).find(
        (candidate) => candidate.path === path,
      );
      return ruleFile ? { text: escapeInvisible(ruleFile.text), hash: ruleFile.hash, state: ruleFile.state } : null;
    }),
  );
  return {};
};
