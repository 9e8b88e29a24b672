// Parses the parameters of requests and server commands about rules for models and agents.

import type { RuleFileRef, DecideRuleFileParams, DecideRuleParams } from '#protocol/rules';
import { SelfwareError } from '../../util/typedError.ts';
import { readTextField } from './commandArguments.ts';

/** Parses the reference to a file of repository rules. Throws `usage` for a field that is missing or wrong. */
export function parseRuleFileRef(params: unknown): RuleFileRef {
  return { folder: readTextField([params], 'folder'), path: readTextField([params], 'path') };
}

/** Parses the arguments of the command `decideBrought`. Throws `usage` for a field that is missing or wrong. */
export function parseDecideRuleFileParams(args: readonly unknown[] | undefined): DecideRuleFileParams {
  return { ...parseRuleFileRef(args?.[0]), hash: readTextField(args, 'hash'), verdict: parseVerdict(args) };
}

/** Parses the arguments of the command `decideRule`. Throws `usage` for a field that is missing or wrong. */
export function parseDecideRuleParams(args: readonly unknown[] | undefined): DecideRuleParams {
  return { rule: readTextField(args, 'rule'), text: readTextField(args, 'text'), verdict: parseVerdict(args) };
}

function parseVerdict(args: readonly unknown[] | undefined): 'accepted' | 'refused' {
  const verdict = readTextField(args, 'verdict');
  if (verdict === 'accepted' || verdict === 'refused') return verdict;
  throw new SelfwareError('usage', 'verdict must be accepted or refused.');
}
