// Creates the question for a person before the code of a change runs on a machine that cannot isolate it.

import type { Session } from '../core/session.ts';
import { SelfwareError } from '../util/typedError.ts';
import { toOneLine } from './bounds.ts';
import type { ToolConsentQuestion, ToolCall } from './tool.ts';

/**
 * Number of seconds for which a call waits for the checks by default. It is less than the 60 s after which most clients
 * give up. Afterwards, the checks continue without the caller.
 */
export const DEFAULT_WAIT_SECONDS = 50;

/**
 * The question whether new code may run without isolation; null if the sandbox is isolated. `purpose`: the purpose of
 * the code, in words.
 */
export async function createIsolationQuestion(session: Session, purpose: string): Promise<ToolConsentQuestion | null> {
  if (await session.verification.isConfined()) return null;
  return {
    ask: {
      title: 'Run this change without isolation?',
      message:
        "A change is checked by running the repository's own checks with it in place, and this machine has no means to " +
        `isolate them: they can write and connect wherever you can.\n\n${toOneLine(purpose)}`,
    },
  };
}

/**
 * The question about isolation that a person must answer before the call continues; null if there is none, or if the
 * person has agreed. Throws `forbidden` if the person has declined, or if nobody can be asked.
 */
export async function createPendingQuestion(
  { session, consent }: ToolCall,
  purpose: string,
): Promise<ToolConsentQuestion | null> {
  const question = await createIsolationQuestion(session, purpose);
  if (!question || consent === 'given') return null;
  if (consent === 'unasked') return question;
  throw new SelfwareError(
    'forbidden',
    consent === 'declined'
      ? 'The person declined: nothing was run.'
      : 'Verifying this edit would run it without isolation, and that needs the consent of a person.',
    {
      action:
        'On Linux, install bubblewrap, allow user namespaces, or install Docker; or let a person run `selfware propose --request FILE`.',
    },
  );
}
