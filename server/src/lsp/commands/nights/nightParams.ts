// Parses the arguments of the server commands about a night (an unattended run), and about tasks that wait for a
// person.

import type { DecideNightParams, NightRef } from '#protocol/nights';
import type { DropTaskParams, WriteRuleParams } from '#protocol/requests';
import { readOptionalText, readOptionalTexts, readFlagField, readTextField } from '../commandArguments.ts';

/** Parses the name of a night's branch, if it is given. Throws `usage` if it is not a text. */
export function parseNightRef(args: readonly unknown[] | undefined): NightRef {
  const night = readOptionalText(args, 'night');
  return night === undefined ? {} : { night };
}

/** Parses the arguments of `acceptNight` and `dropNight`. Throws `usage` if a field has the wrong type. */
export function parseDecideNightParams(args: readonly unknown[] | undefined): DecideNightParams {
  const changes = readOptionalTexts(args, 'changes');
  const reason = readOptionalText(args, 'reason');
  return {
    ...parseNightRef(args),
    ...(changes === undefined ? {} : { changes }),
    ...(reason === undefined ? {} : { reason }),
    apply: readFlagField(args, 'apply'),
  };
}

/** Parses the arguments of the command `dropTask`. Throws `usage` if the task is missing or not a text. */
export function parseDropTaskParams(args: readonly unknown[] | undefined): DropTaskParams {
  return { task: readTextField(args, 'task') };
}

/** Parses the arguments of the command `writeRule`. Throws `usage` if the text is missing or not a text. */
export function parseWriteRuleParams(args: readonly unknown[] | undefined): WriteRuleParams {
  return { text: readTextField(args, 'text') };
}
