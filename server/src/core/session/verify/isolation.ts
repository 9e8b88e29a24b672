// Decides what a lack of isolation means for applying changes, and describes the isolation for people.

import { SelfwareError } from '../../../util/typedError.ts';
import { notify, type SessionContext } from '../context.ts';
import type { Isolation } from '../../ports/sandbox.ts';

/** The advice if no isolation works on this machine. */
export const NO_ISOLATION_ACTION =
  'On Linux, install bubblewrap, allow user namespaces, or install Docker; `selfware doctor` says what was tried.';

/** The reason why a person is asked on a machine without isolation. */
export const NO_ISOLATION =
  'Nothing is applied without your approval here: this machine cannot isolate the commands that prove a change.';

/**
 * Throws `forbidden` if commands are not isolated. A test could then have affected something outside of its sandbox, so
 * a person has to decide.
 */
export async function requireIsolation({ ports }: SessionContext): Promise<void> {
  if ((await ports.sandbox.isolation()).confined) return;
  throw new SelfwareError('forbidden', NO_ISOLATION, { action: NO_ISOLATION_ACTION });
}

/** Adds a notice if the checks are not isolated, so that a person who approves a change knows how it was proved. */
export async function notifyIfNotIsolated(context: SessionContext): Promise<void> {
  if ((await context.ports.sandbox.isolation()).confined) return;
  notify(context, {
    severity: 'warning',
    message: 'The checks of this repository run without isolation: they can write and connect wherever you can.',
    action: NO_ISOLATION_ACTION,
  });
}

/**
 * Describes the isolation for `doctor`: the isolation in use, or the mechanisms that were tried and why they do not
 * work.
 */
export function describeIsolation({ kind, tried, walls = [] }: Isolation): {
  readonly detail: string;
  readonly action: string;
} {
  const failedMechanisms = tried
    .filter(({ trouble }) => trouble !== null)
    .map((mechanism) => `${mechanism.kind}: ${mechanism.trouble}`);
  const usedIsolationText =
    kind === 'none'
      ? 'none: commands of the repository can write and connect wherever you can'
      : `${kind}: ${['tested where the checks run', ...walls].join(', ')}`;
  return {
    detail:
      failedMechanisms.length > 0 && kind === 'none'
        ? `${usedIsolationText} (${failedMechanisms.join('; ')})`
        : usedIsolationText,
    action: `Changes are applied only with your approval. ${NO_ISOLATION_ACTION}`,
  };
}
