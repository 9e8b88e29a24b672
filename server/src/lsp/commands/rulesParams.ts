// Reads the parameters of requests and commands about rules.

import type { BroughtRef, DecideBroughtParams, DecideRuleParams } from '#protocol/rules';
import { SelfwareError } from '../../util/typedError.ts';
import { textOf } from '../fromProtocol.ts';

/** Reads the reference to a rule file of the repository. Throws `usage` for a field that is missing. */
export function parseBroughtRef(params: unknown): BroughtRef {
  return { folder: textOf([params], 'folder'), path: textOf([params], 'path') };
}

/** Reads the arguments of the command `decideBrought`. Throws `usage` for a field that is missing or wrong. */
export function decideBroughtParamsFrom(args: readonly unknown[] | undefined): DecideBroughtParams {
  return { ...parseBroughtRef(args?.[0]), hash: textOf(args, 'hash'), verdict: verdictOf(args) };
}

/** Reads the arguments of the command `decideRule`. Throws `usage` for a field that is missing or wrong. */
export function decideRuleParamsFrom(args: readonly unknown[] | undefined): DecideRuleParams {
  return { rule: textOf(args, 'rule'), text: textOf(args, 'text'), verdict: verdictOf(args) };
}

function verdictOf(args: readonly unknown[] | undefined): 'accepted' | 'refused' {
  const verdict = textOf(args, 'verdict');
  if (verdict === 'accepted' || verdict === 'refused') return verdict;
  throw new SelfwareError('usage', 'verdict must be accepted or refused.');
}
