// Asks a person for consent on the command line: whether code may be sent to a host (once for each host, and again if
// the host would get more), and whether a run may search online (in each run).

import { researchNotice, sentCodeText, sentDataNotice } from '../core/proposers/sentDataNotice.ts';
import type { ResearchWhen } from '../core/ports/research.ts';
import type { Invocation } from './invocation.ts';
import { SelfwareError } from '../util/typedError.ts';
import { detectAgentSession } from '../adapters/system/agentSession.ts';
import { isAtTerminal, isAgreed, requirePerson } from './person.ts';

/**
 * Asks about each destination to which a list of proposers sends code. Returns at once if all of them run on this
 * machine, or if a person has agreed before. Throws the errors of `requirePerson`.
 */
export async function requireConsent({ session, ownSettings, note }: Invocation, proposer: string): Promise<void> {
  for (;;) {
    const needed = await session.consents.needed(proposer);
    if (needed === null) return;
    const where = `${sentCodeText(needed)} to ${needed.destination}`;
    const proposerNames = session.consents.withoutRoles(proposer);
    await requirePerson({
      subject: `To send ${where}`,
      question: `Send ${where}, now and in future?`,
      ownSettings,
      show: () =>
        note(
          `You are about to ask ${proposerNames}. ${sentDataNotice(proposerNames, session.consents.sendsReferences())} ` +
            'You can withdraw your consent with `selfware models withdraw`.',
        ),
    });
    await session.consents.agree(needed);
  }
}

/**
 * Asks a person whether their search program may be used in this run, and returns true if they have agreed. With
 * `isWanted` (`--research`), throws `usage` if there is no such program, and the errors of `requirePerson`. Otherwise a
 * person is asked only at a terminal, and "no" is not an error. `when`: the attempts that a requested search may
 * support.
 */
export async function confirmResearch(
  { session, ownSettings, note }: Pick<Invocation, 'session' | 'ownSettings' | 'note'>,
  isWanted: boolean,
  when: ResearchWhen = 'always',
): Promise<boolean> {
  const tool = session.research.tool();
  if (tool === null && isWanted)
    throw new SelfwareError('usage', 'There is no program for online research.', {
      action: `Name one in models.research, in your own settings: ${ownSettings.place}.`,
    });
  if (tool === null) return false;
  const questionText = `Ask ${tool.tool} online in this run?`;
  if (isWanted) {
    const purpose = 'To search online';
    await requirePerson({
      subject: purpose,
      question: questionText,
      ownSettings,
      show: () => note(researchNotice(tool, when)),
    });
  } else {
    if (!isAtTerminal() || (await detectAgentSession(process.env)) !== null) return false;
    note(researchNotice(tool, 'retries'));
    if (!(await isAgreed(questionText))) return false;
  }
  session.research.allow(isWanted ? when : 'retries');
  return true;
}
