// The information that a person reads about a proposer before code is sent to it.

import type { ConsentQuestion, ImproveWithModelParams, ProposerChoice, ResearchQuestion } from '#protocol/models';
import type { AvailableProposer } from '../../core/ports/proposers.ts';
import { ROLES, type RoleSettings } from '../../core/proposers/roles.ts';
import {
  describeConsent,
  describeMissingConsent,
  researchNotice,
  sentCodeText,
  sentDataNotice,
} from '../../core/proposers/sentDataNotice.ts';
import type { Session } from '../../core/session.ts';
import { defaultSettings } from '../../settings/schema.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../util/visible.ts';

/** A proposer as an entry of a list. */
export function proposerChoice({ name, title, destination, why }: AvailableProposer): ProposerChoice {
  return {
    name: escapeInvisible(name),
    ...(title === undefined ? {} : { title: escapeInvisibleLine(title) }),
    where: destination === null ? 'code stays on this machine' : `code goes to ${escapeInvisible(destination)}`,
    why: escapeInvisible(why),
  };
}

/**
 * `role:auto` as an entry of a list, if the person has named proposers for a role. Their names are checked when asked.
 */
export function roleChoices(settings: RoleSettings): readonly ProposerChoice[] {
  const isSet = ROLES.some((role) => settings[`models.roles.${role}`] !== defaultSettings[`models.roles.${role}`]);
  const reason = 'By your settings models.roles.intent, .reasoning and .coding.';
  return isSet
    ? [
        {
          name: 'role:auto',
          title: 'One for Each Kind of Task',
          where: 'you are asked before code leaves this machine',
          why: reason,
        },
      ]
    : [];
}

/**
 * The question for the person; null if code stays on this machine, or if the person has agreed now or before.
 * `agreed`: the destination of the question to which the person agrees now; that is recorded.
 */
export async function createConsentQuestion(
  session: Session,
  proposer: string,
  agreed: string | undefined,
): Promise<ConsentQuestion | null> {
  const needed = await session.consents.needed(proposer);
  if (needed === null) return null;
  if (agreed === describeConsent(needed)) {
    await session.consents.agree(needed);
    // The proposers of a list may have more destinations.
    return createConsentQuestion(session, proposer, undefined);
  }
  const proposerNames = session.consents.withoutRoles(proposer);
  return {
    destination: describeConsent(needed),
    missing: escapeInvisible(describeMissingConsent(needed)),
    question: `Send ${sentCodeText(needed)} to ${escapeInvisible(needed.destination)}, now and in future?`,
    detail:
      `You are about to ask ${escapeInvisible(proposerNames)}. ${sentDataNotice(proposerNames, session.consents.sendsReferences())} ` +
      'Your answer is recorded in the ledger. You can withdraw it with “Selfware: Withdraw Consent to Send Code…”.',
  };
}

/**
 * The question for the person whether their search program may be asked; null if they have named none, or have answered
 * now or before. `mayResearch`: their current answer, which is valid for this session. It counts only for the question
 * `asked`, because the program may be a different one by now.
 */
export function researchQuestion(
  { research }: Pick<Session, 'research'>,
  { research: mayResearch, asked }: Pick<ImproveWithModelParams, 'research' | 'asked'>,
): ResearchQuestion | null {
  const tool = research.tool();
  if (tool === null) return null;
  const detail = `${escapeInvisible(researchNotice(tool, 'retries'))} Your answer holds until you close or reload this window.`;
  if (mayResearch !== undefined && asked === detail) research.allow(mayResearch ? 'retries' : 'never');
  if (research.answer() !== null) return null;
  return { question: `May Selfware search online with your program ${escapeInvisibleLine(tool.tool)}?`, detail };
}
