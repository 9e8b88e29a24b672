// The library of attacks by replies, by class. A further one is a row in one of these files.

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
