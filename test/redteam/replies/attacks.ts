// The library of attacks by replies, by class. A further one is a row in one of these files.

import { EVERY_ATTACK, meantFor } from '../pipeline/attacks.ts';
import type { ReplyAttack } from './attack.ts';
import { LEFT } from './attacks/agents.ts';
import { FITTED, SNEAKY } from './attacks/answers.ts';
import { NAMED } from './attacks/paths.ts';
import { WEAKENED } from './attacks/tests.ts';
import { WORDS } from './attacks/words.ts';

/** Without isolation, agents are not started, and nothing that a model wrote is run. */
const shutIn = (attack: ReplyAttack): ReplyAttack => ({
  ...attack,
  onlyShutIn: attack.runs === true || typeof attack.answer !== 'string',
});

export const REPLIES: readonly (readonly ReplyAttack[])[] = [WEAKENED, SNEAKY, FITTED, NAMED, WORDS, LEFT].map(
  (attacks) => attacks.map(shutIn),
);

/** Of the answers of a class that end alike, so many are tried in `npm test`. Those that are not filed run nothing. */
const [NOT_FILED, JUDGED] = [5, 1];
/** Answers whose tests run for real take half a minute each, so only the lane `pipeline` tries them. */
const isQuick = ({ runs }: ReplyAttack) => runs !== true;

/** All attacks, or some of each end of each class. */
export function repliesTried(confined: boolean, every = EVERY_ATTACK): readonly ReplyAttack[] {
  return REPLIES.flatMap((attacks) => {
    const here = meantFor(attacks, confined);
    const alike = ({ expected }: ReplyAttack) => here.filter((one) => one.expected === expected);
    const most = ({ expected }: ReplyAttack) => (expected === 'not filed' ? NOT_FILED : JUDGED);
    return every ? here : here.filter((attack) => isQuick(attack) && alike(attack).indexOf(attack) < most(attack));
  });
}
