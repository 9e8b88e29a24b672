// What a person is told before code goes to another machine.

const ASKED = 'Each question holds source files, without what looks like a secret.';
const WORKS =
  'It works in a copy of this repository, in an enclosure, and reads every file there as it is. ' +
  'It reaches these hosts alone, with a copy of its login.';

/** What leaves this machine if `proposer` is asked, as sentences. */
export function whatIsSent(proposer: string): string {
  return /^(?:agent|command):/.test(proposer) ? WORKS : ASKED;
}
