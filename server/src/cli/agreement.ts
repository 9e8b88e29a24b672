// Asks a person for consent on the command line: whether code may be sent to a host (once for each host, and again if
// the host would get more), and whether a run may search online (in each run).

import { formatResearchNotice, describeSentCode, formatSentDataNotice } from '../core/proposers/sentDataNotice.ts';
import type { ResearchWhen } from '../core/ports/research.ts';
import type { Invocation } from './invocation.ts';
import { SelfwareError } from '../util/typedError.ts';
import { detectAgentSession } from '../adapters/system/agentSession.ts';
import { isAtTerminal, askYesOrNo, requirePerson } from './person.ts';

/**
 * Asks about each destination to which a list of proposers sends code. Returns at once if all of them run on this
 * machine, or if a person has agreed before. Throws the errors of `requirePerson`.
 */
export async function requireConsent({ session, ownSettings, note }: Invocation, proposer: string): Promise<void> {
  for (;;) {
    const missingConsent = await session.consents.needed(proposer);
    if (missingConsent === null) return;
    const sentText = `${describeSentCode(missingConsent)} to ${missingConsent.destination}`;
    const proposerNames = session.consents.withoutRoles(proposer);
    await requirePerson({
      subject: `To send ${sentText}`,
      question: `Send ${sentText}, now and in future?`,
      ownSettings,
      show: () =>
        note(
          `You are about to ask ${proposerNames}. ${formatSentDataNotice(proposerNames, session.consents.sendsReferences())} ` +
            'You can withdraw your consent with `selfware models withdraw`.',
        ),
    });
    await session.consents.agree(missingConsent);
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
  const searchProgram = session.research.tool();
  if (searchProgram === null && isWanted)
    throw new SelfwareError('usage', 'There is no program for online research.', {
      action: `Name one in models.research, in your own settings: ${ownSettings.place}.`,
    });
  if (searchProgram === null) return false;
  const questionText = `Ask ${searchProgram.tool} online in this run?`;
  if (isWanted) {
    const purpose = 'To search online';
    await requirePerson({
      subject: purpose,
      question: questionText,
      ownSettings,
      show: () => note(formatResearchNotice(searchProgram, when)),
    });
  } else {
    if (!isAtTerminal() || (await detectAgentSession(process.env)) !== null) return false;
    note(formatResearchNotice(searchProgram, 'retries'));
    if (!(await askYesOrNo(questionText))) return false;
  }
  session.research.allow(isWanted ? when : 'retries');
  return true;
}
