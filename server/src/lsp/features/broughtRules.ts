// Sends the text of a file of rules that the repository brings along, so that a person can read it.

import { requests } from '#protocol/methods';
import type { RuleFileRef, RuleFileText } from '#protocol/rules';
import { escapeInvisible } from '../../util/visible.ts';
import { guardRequest } from '../guardHandlers.ts';
import { parseRuleFileRef } from '../commands/rulesParams.ts';
import type { Feature } from '../serverContext.ts';

export const repositoryRules: Feature = ({ connection, log, repositories }) => {
  connection.onRequest(
    requests.broughtRules,
    guardRequest<RuleFileRef, RuleFileText | null>(log, requests.broughtRules, null, async (params) => {
      const { folder, path } = parseRuleFileRef(params);
      const repository = repositories.all().find(({ uri }) => uri === folder);
      if (!repository?.trusted) return null;
      const ruleFile = (await (await repository.session()).learned.repositoryRules()).find(
        (candidate) => candidate.path === path,
      );
      return ruleFile ? { text: escapeInvisible(ruleFile.text), hash: ruleFile.hash, state: ruleFile.state } : null;
    }),
  );
  return {};
};
