// Reports the protected paths that a judged change touches.

import { isForContributors } from '../../paths/nonSourcePaths.ts';
import type { TreeChange } from '../../model/judgement.ts';
import { passed, unknown, type GateAnswer } from '../answer.ts';
import { isInertManifestEdit } from '../integrity/inertManifests.ts';
import { joinFirstThree } from './judgementTexts.ts';

/**
 * The answer of the gate `charter`. The change already exists, so edits of protected paths are only reported; a policy
 * may forbid them. Files that nothing executes count only if the settings protect them by name.
 */
export async function reportProtectedPaths(
  context: { protectedPaths(paths: readonly string[], inert: ReadonlySet<string>): Promise<readonly string[]> },
  { edits, bytes, left }: TreeChange,
): Promise<GateAnswer> {
  const paths = [...edits, ...bytes, ...left].map(({ path }) => path);
  const inert = new Set([
    ...edits.filter(isInertManifestEdit).map(({ path }) => path),
    ...paths.filter(isForContributors),
  ]);
  const touchedPaths = await context.protectedPaths([...new Set(paths)], inert);
  if (touchedPaths.length === 0) return passed('No protected path is touched.');
  return unknown(
    `A person has to look at ${joinFirstThree(touchedPaths)}: ${touchedPaths.length === 1 ? 'it decides' : 'they decide'} what is run, checked or allowed.`,
    {
      protected: touchedPaths.join('\n'),
    },
  );
}
