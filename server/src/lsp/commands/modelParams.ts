// Parses the arguments of the server commands about language models.

import type { ImproveWithModelParams, InstallComponentParams, WithdrawConsentParams } from '#protocol/models';
import { SelfwareError } from '../../util/typedError.ts';
import { readFlagField, readOptionalFlag, readOptionalText } from './commandArguments.ts';

/**
 * Parses the arguments of the command `improveWithModel`. Throws `usage` if more than one task is given, or if a field
 * has the wrong type.
 */
export function parseImproveWithModelParams(args: readonly unknown[] | undefined): ImproveWithModelParams {
  const names = ['proposer', 'opportunity', 'words', 'tests', 'wish', 'agreed', 'asked'] as const;
  const values = names.flatMap((name) => {
    const value = readOptionalText(args, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const research = readOptionalFlag(args, 'research');
  const params: ImproveWithModelParams = {
    ...Object.fromEntries(values),
    again: readFlagField(args, 'again'),
    ...(research === undefined ? {} : { research }),
  };
  if ([params.opportunity, params.words, params.tests, params.wish].filter((param) => param !== undefined).length > 1)
    throw new SelfwareError('usage', 'Give an opportunity, words, a file for tests or a wish, not several of them.');
  return params;
}

/** Parses the arguments of the command `installComponent`. Throws `usage` if a field has the wrong type. */
export function parseInstallComponentParams(args: readonly unknown[] | undefined): InstallComponentParams {
  const [component, model, agreed] = (['component', 'model', 'agreed'] as const).map((name) =>
    readOptionalText(args, name),
  );
  return {
    ...(component === undefined ? {} : { component }),
    ...(model === undefined ? {} : { model }),
    ...(agreed === undefined ? {} : { agreed }),
  };
}

/** Parses the arguments of the command `withdrawConsent`. Throws `usage` if the destination is not a text. */
export function parseWithdrawConsentParams(args: readonly unknown[] | undefined): WithdrawConsentParams {
  const destination = readOptionalText(args, 'destination');
  return destination === undefined ? {} : { destination };
}
