// Chooses the mechanism of isolation that tests attack: the first that works on this machine, or the one in the
// variable SELFWARE_TEST_ISOLATION (set by `npm test -- --lane pipeline --isolation none`).

import {
  chooseIsolation,
  findFirstWorking,
  MECHANISMS,
  type ChosenIsolation,
} from '../../server/src/adapters/sandbox/isolation/choose.ts';
import type { ProbeFolders } from '../../server/src/adapters/sandbox/isolation/probe.ts';

/** The kind of the mechanism. Empty: the first that works. `none`: none, as on a machine on which none works. */
export const wantedIsolation = process.env['SELFWARE_TEST_ISOLATION'] ?? '';

/**
 * Chooses the mechanism. Throws if the wanted one does not work here, because attacks on another would prove nothing.
 */
export async function chooseIsolationUnderAttack(where?: ProbeFolders): Promise<ChosenIsolation> {
  if (wantedIsolation === '') return chooseIsolation(where);
  if (wantedIsolation === 'none') return findFirstWorking([], where);
  const wantedMechanisms = MECHANISMS.filter(({ kind }) => kind === wantedIsolation);
  const choice = await findFirstWorking(wantedMechanisms, where);
  if (choice.mechanism === null)
    throw new Error(`${wantedIsolation} does not work here: ${JSON.stringify(choice.isolation.tried)}`);
  return choice;
}
