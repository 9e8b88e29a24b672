// Makes the choices and questions with which a person decides whether code is sent to a proposer (a model or an agent).

import type { ConsentQuestion, ImproveWithModelParams, ProposerChoice, ResearchQuestion } from '#protocol/models';
import type { AvailableProposer } from '../../core/ports/proposers.ts';
import { ROLES, type RoleSettings } from '../../core/proposers/roles.ts';
import {
  describeConsent,
  describeMissingConsent,
  formatResearchNotice,
  describeSentCode,
  formatSentDataNotice,
} from '../../core/proposers/sentDataNotice.ts';
import type { Session } from '../../core/session.ts';
import { defaultSettings } from '../../settings/schema.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../util/visible.ts';

/** The entry of a list for a proposer. Invisible characters are escaped. */
export function toProposerChoice({ name, title, destination, why }: AvailableProposer): ProposerChoice {
  return {
    name: escapeInvisible(name),
    ...(title === undefined ? {} : { title: escapeInvisibleLine(title) }),
    where: destination === null ? 'code stays on this machine' : `code goes to ${escapeInvisible(destination)}`,
    why: escapeInvisible(why),
  };
}

/**
 * The entry of a list for `role:auto`, which asks the proposer of each kind of task; empty if the person has set no
 * proposer for a role. Whether these proposers exist is checked when they are asked.
 */
export function listRoleChoices(settings: RoleSettings): readonly ProposerChoice[] {
  const hasRoleSettings = ROLES.some(
    (role) => settings[`models.roles.${role}`] !== defaultSettings[`models.roles.${role}`],
  );
  const reason = 'By your settings models.roles.intent, .reasoning and .coding.';
  return hasRoleSettings
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
 * The question for consent to send code; null if code stays on this machine, or if the person has already agreed.
 * `agreedDestination`: the destination of the question to which the person agrees now; this consent is recorded in the
 * ledger.
 */
export async function createConsentQuestion(
  session: Session,
  proposer: string,
  agreedDestination: string | undefined,
): Promise<ConsentQuestion | null> {
  const neededConsent = await session.consents.needed(proposer);
  if (neededConsent === null) return null;
  if (agreedDestination === describeConsent(neededConsent)) {
    await session.consents.agree(neededConsent);
    // If several proposers are named, consent to further destinations may be needed.
    return createConsentQuestion(session, proposer, undefined);
  }
  const proposerNames = session.consents.withoutRoles(proposer);
  return {
    destination: describeConsent(neededConsent),
    missing: escapeInvisible(describeMissingConsent(neededConsent)),
    question: `Send ${describeSentCode(neededConsent)} to ${escapeInvisible(neededConsent.destination)}, now and in future?`,
    detail:
      `You are about to ask ${escapeInvisible(proposerNames)}. ${formatSentDataNotice(proposerNames, session.consents.sendsReferences())} ` +
      'Your answer is recorded in the ledger. You can withdraw it with “Selfware: Withdraw Consent to Send Code…”.',
  };
}

/**
 * The question whether the person's search program may be used; null if they have configured none, or have already
 * answered. `mayResearch`: their answer, which is valid until the session ends. It counts only if `asked` is the text
 * of the current question, because the program may have been changed in the meantime.
 */
export function createResearchQuestion(
  { research }: Pick<Session, 'research'>,
  { research: mayResearch, asked }: Pick<ImproveWithModelParams, 'research' | 'asked'>,
): ResearchQuestion | null {
  const tool = research.tool();
  if (tool === null) return null;
  const detail = `${escapeInvisible(formatResearchNotice(tool, 'retries'))} Your answer holds until you close or reload this window.`;
  if (mayResearch !== undefined && asked === detail) research.allow(mayResearch ? 'retries' : 'never');
  if (research.answer() !== null) return null;
  return { question: `May Selfware search online with your program ${escapeInvisibleLine(tool.tool)}?`, detail };
}
