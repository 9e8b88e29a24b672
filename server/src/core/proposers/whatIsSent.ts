// The information for a person before code is sent to another machine.

import type { ResearchTool } from '../ports/research.ts';
import { namesIn } from './names.ts';

const ASKED = 'Each question holds source files, without what looks like a secret.';
const WORKS =
  'It works in a copy of this repository, in an enclosure, and reads every file there as it is. ' +
  'It reaches these hosts alone, with a copy of its login.';

const REFERENCES =
  'Each question also holds code of other repositories on this machine, because `models.references` is on.';

/**
 * The data that leave this machine if `proposer` is asked, as sentences. `references`: the setting `models.references`.
 */
export function whatIsSent(proposer: string, references: boolean): string {
  const names = namesIn(proposer);
  const works = names.filter((name) => /^(?:agent|acp|command):/.test(name)).length;
  return [
    ...(works < names.length ? [ASKED] : []),
    ...(works > 0 ? [WORKS] : []),
    ...(references ? [REFERENCES] : []),
  ].join(' ');
}

/** What a person is told before their search program is asked. */
export function researchInWords({ tool, destination, questions }: ResearchTool): string {
  const where = destination === null ? 'It reaches no host.' : `It reaches ${destination} alone.`;
  return (
    `If an attempt at a fix or a request fails, ${tool} is asked for the message of the test, or for the words of the ` +
    `request, at most ${questions === 1 ? 'once' : `${questions} times`} a task. ${where} Secrets, folders and longer ` +
    'pieces of code are left out, and each query is recorded in the ledger.'
  );
}
