// Which mechanism isolates commands while tests attack it: the first that works here, or the one that
// SELFWARE_TEST_ISOLATION names (`npm test -- --lane pipeline --isolation none`).

import {
  chooseIsolation,
  findFirstWorking,
  MECHANISMS,
  type ChosenIsolation,
} from '../../server/src/adapters/sandbox/isolation/choose.ts';
import type { ProbeFolders } from '../../server/src/adapters/sandbox/isolation/probe.ts';

/** The kind of the mechanism; empty: the first that works. `none`: as on a machine on which no mechanism works. */
export const wantedIsolation = process.env['SELFWARE_TEST_ISOLATION'] ?? '';

/** Throws if the named mechanism does not work here: an attack on another one would show nothing. */
export async function isolationUnderAttack(where?: ProbeFolders): Promise<ChosenIsolation> {
  if (wantedIsolation === '') return chooseIsolation(where);
  if (wantedIsolation === 'none') return findFirstWorking([], where);
  const named = MECHANISMS.filter(({ kind }) => kind === wantedIsolation);
  const choice = await findFirstWorking(named, where);
  if (choice.mechanism === null)
    throw new Error(`${wantedIsolation} does not work here: ${JSON.stringify(choice.isolation.tried)}`);
  return choice;
}
