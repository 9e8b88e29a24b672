// Writes the section of the report of a night about new versions of Selfware.

import { codeSpan, md, type Insertable } from '../../../protocol/markdown.ts';
import { TAKE_OVER_RULES } from '../takeOver.ts';
import type { Night } from '../nightTypes.ts';
import { MINUTE_MS } from '../../../util/timing/durations.ts';

/** What happened to a version of Selfware at each step, as the end of a sentence. */
const UPGRADE_TEXTS: Readonly<Record<Night['upgrades'][number]['step'], string>> = {
  offered: 'was offered and is checked',
  refused: 'was refused',
  switched: 'has taken over',
  kept: `is kept: it has run for ${TAKE_OVER_RULES.probationMs / MINUTE_MS} minutes`,
  doubted: 'was replaced by the version before it',
  rolledBack: 'was rolled back',
};

/** The section; empty if no version was offered. */
export function createUpgradesSection({ upgrades }: Night): readonly Insertable[] {
  if (upgrades.length === 0) return [];
  const lineOf = ({ version, hash, step, reason }: Night['upgrades'][number]) =>
    md`- Version ${version} (${codeSpan(hash)}) ${UPGRADE_TEXTS[step]}.${reason === null ? '' : ` ${reason}`}`;
  return [md`## New versions of Selfware`, '', ...upgrades.map(lineOf), ''];
}
