// Answers requests for the text of a file of repository rules, which a person reads before deciding on it.

import { requests } from '#protocol/methods';
import type { RuleFileRef, RuleFileText } from '#protocol/rules';
import { escapeInvisible } from '../../util/visible.ts';
import { guardRequest } from '../guardHandlers.ts';
import { parseRuleFileRef } from '../commands/rulesParams.ts';
import type { Feature } from '../serverContext.ts';

/**
 * Answers with the text, its hash and its state; null if the folder is not open or not trusted, or has no such file.
 */
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
