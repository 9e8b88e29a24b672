// Versions of the files of rules. A writer of a rule has to name the version that it has read.

import { sha256 } from '../../util/hash.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { RuleEvent } from '../model/feedback.ts';

/** The data of the event that a rule was written to a file. */
export type RuleData = Extract<RuleEvent, { readonly type: 'ruleWritten' }>['data'];
/** By file of rules: its version. A file without an entry has a version that depends only on its path. */
type Versions = ReadonlyMap<string, string>;

/** The version of a file; it changes with each rule that is written to it. */
export function computeRuleVersion(versions: Versions, file: string): string {
  return versions.get(file) ?? sha256(`rules ${file}`).slice(0, 12);
}

/** The version after a rule was written. `ruleText` must differ for each event. */
export function computeNextVersion(versions: Versions, file: string, ruleText: string): string {
  return sha256(`${computeRuleVersion(versions, file)} ${ruleText}`).slice(0, 12);
}

/** Throws `stale` if the event names a version other than the current one. */
export function requireVersion(versions: Versions, { file, version }: Pick<RuleData, 'file' | 'version'>): void {
  if (version !== computeRuleVersion(versions, file))
    throw new SelfwareError('stale', `The rules of ${file} are not at version ${version}.`, {
      action: `Read them first: \`selfware rules read ${file}\`.`,
    });
}
