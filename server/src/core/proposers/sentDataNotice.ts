// Writes the notices that a person reads before code is sent to another machine.

import { isTrainingDestination, type CodeConsent, type MissingConsent, type SentData } from '../model/asks.ts';
import type { ResearchTool, ResearchWhen } from '../ports/research.ts';
import { parseProposerNames } from './names.ts';

const MODEL_NOTICE = 'Each question holds source files, without what looks like a secret.';
const AGENT_NOTICE =
  'It works in a copy of this repository, in an enclosure, and reads every file there as it is. ' +
  'It reaches these hosts alone, with a copy of its login and with the keys of its providers. ' +
  'Its own settings decide which of these hosts gets which of them.';

const REFERENCES_NOTICE =
  'Each question also holds code of other repositories on this machine, because `models.references` is on.';

/** Describes the sent data as the object of a sentence. */
export function describeSentCode({ sends }: Pick<CodeConsent, 'sends'>): string {
  const packages = sends.filter((data) => data === 'packages' || data === 'lockedPackages');
  if (packages.length === sends.length) return packages.map((data) => SENT_TEXTS[data]).join(', ');
  const files = sends.includes('tree') ? 'all files of this repository' : 'code of this repository';
  return sends.includes('references') ? `${files} and code of other repositories` : files;
}

/**
 * The notice before held-out examples are sent to a model that is trained: everything that the consent covers may be
 * sent.
 */
export function formatHeldOutNotice({ destination, sends }: CodeConsent): string {
  return `Held-out examples go to ${destination}. It may have ${describeSentCode({ sends })}, in any question.`;
}

/** Describes a destination, with the data that are sent there if these are more than files in questions. */
export function describeConsent({ destination, sends }: CodeConsent): string {
  return sends.join() === 'excerpts' ? destination : `${destination} (${describeSentCode({ sends })})`;
}

/** Words for each kind of sent data. */
const SENT_TEXTS: Readonly<Record<SentData, string>> = {
  excerpts: 'files in questions',
  tree: 'all files of this repository',
  references: 'code of other repositories',
  packages: 'names of its direct dependencies',
  lockedPackages: 'names and versions of all packages in its lock file',
};

/** Describes what a person has agreed to for one destination, as the object of a sentence. */
export function describeAgreedCode({ destination, sends }: CodeConsent): string {
  if (isTrainingDestination(destination)) return 'what was learned here, to train a model';
  const shownData = sends.filter((data) => data !== 'excerpts' || !sends.includes('tree'));
  return shownData.map((data) => SENT_TEXTS[data]).join(' and ');
}

/** Explains in sentences what a withdrawal of consent means. */
export function withdrawalText(withdrawn: readonly Pick<CodeConsent, 'destination'>[]): string {
  const hosts = withdrawn.map(({ destination }) => destination).join('; ');
  return (
    `Withdrawn: nobody at ${hosts} is asked until you agree again. ` +
    'A question in progress still ends. What was sent before stays there. ' +
    'An embeddings server and online research are switched off in the settings.'
  );
}

/**
 * The end of a sentence about missing consent: the destination, the data that were agreed to, and the data that are
 * new.
 */
export function describeMissingConsent(missingConsent: MissingConsent): string {
  const { agreed } = missingConsent;
  if (agreed.length === 0) return `${describeConsent(missingConsent)}, and nobody has agreed to that.`;
  const describeData = (sends: readonly SentData[]) => sends.map((data) => SENT_TEXTS[data]).join(' and ');
  const isCovered = (data: SentData) => agreed.includes(data) || (data === 'excerpts' && agreed.includes('tree'));
  const newData = missingConsent.sends.filter((data) => !isCovered(data));
  return `${describeConsent(missingConsent)}. Agreed so far: ${describeData(agreed)}. New: ${describeData(newData)}.`;
}

/**
 * Describes in sentences the data that leave this machine if `proposer` is asked. `hasReferences`: the setting
 * `models.references`.
 */
export function formatSentDataNotice(proposer: string, hasReferences: boolean): string {
  const names = parseProposerNames(proposer);
  // Agents read all files of a copy of the repository; models receive only the files in the question.
  const agentCount = names.filter((name) => /^(?:agent|acp|command):/.test(name)).length;
  return [
    ...(agentCount < names.length ? [MODEL_NOTICE] : []),
    ...(agentCount > 0 ? [AGENT_NOTICE] : []),
    ...(hasReferences ? [REFERENCES_NOTICE] : []),
  ].join(' ');
}

/**
 * The notice before a search program is used. `when`: whether it is used before the first attempt or only after a
 * failed one.
 */
export function formatResearchNotice({ tool, destination, questions }: ResearchTool, when: ResearchWhen): string {
  const begin =
    when === 'always' ? 'Before the first attempt at a fix or a request' : 'If an attempt at a fix or a request fails';
  const where =
    destination === null ? 'It reaches no host, because the setting names none.' : `It reaches ${destination} alone.`;
  return (
    `${begin}, your search program ${tool} (setting models.research) is asked for the message of the test, or for the words of the ` +
    `request, at most ${questions === 1 ? 'once' : `${questions} times`} a task. ${where} What looks like a ` +
    'secret, a place or longer code is left out, and each query is recorded in the ledger.'
  );
}
