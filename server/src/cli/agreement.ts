// Asks a person once for each host whether code may be sent there, again if it would get more, and in each run whether it may search online.

import { researchNotice, sentCodeText, sentDataNotice } from '../core/proposers/sentDataNotice.ts';
import type { ResearchWhen } from '../core/ports/research.ts';
import type { Invocation } from './invocation.ts';
import { SelfwareError } from '../util/typedError.ts';
import { detectAgentSession } from '../adapters/system/agentSession.ts';
import { isAtTerminal, isAgreed, requirePerson } from './person.ts';

/**
 * Asks about each destination of a list of proposers. Returns at once if all run on this machine, or if a person has
 * agreed before. Throws the errors of `requirePerson`.
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
 * Asks a person whether their search program may be asked in this run. With `isWanted` (`--research`), throws `usage`
 * if there is none, and the errors of `requirePerson`; otherwise a person at a terminal is asked, and "no" is not an
 * error. Returns true if they have agreed. `when`: the time at which a wanted search is used.
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
