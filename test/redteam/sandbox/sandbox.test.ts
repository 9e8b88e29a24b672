// No attack gets out of the sandbox, by any of the mechanisms that work on this machine.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFirstWorking, MECHANISMS } from '../../../server/src/adapters/sandbox/isolation/choose.ts';
import { wantedIsolation } from '../../helpers/isolation.ts';
import { isMeantFor } from './attack.ts';
import { ATTACKS } from './attacks.ts';
import { battleground, type Battleground } from './ground.ts';

const choices = await Promise.all(
  MECHANISMS.map(async (mechanism) => ({ mechanism, choice: await findFirstWorking([mechanism]) })),
);

// The mechanism that is used here, or that was asked for, stands the whole library; what `main.ts` prints is about all
// of them.
const used = choices.filter(
  ({ mechanism, choice }) =>
    choice.isolation.confined && (wantedIsolation === '' || mechanism.kind === wantedIsolation),
);

test('what was asked for works here', () => {
  if (wantedIsolation !== '' && wantedIsolation !== 'none') expect(used).toHaveLength(1);
});

test('mechanisms that do not work on this machine say why', () => {
  for (const { mechanism, choice } of choices)
    if (!choice.isolation.confined)
      expect(choice.isolation).toMatchObject({
        kind: 'none',
        tried: [{ kind: mechanism.kind, trouble: expect.stringMatching(/\S/) }],
      });
  expect(choices.map(({ mechanism }) => mechanism.kind)).toContain('bubblewrap');
});

describe.each(used.slice(0, 1))('$mechanism.kind', ({ choice }) => {
  let ground: Battleground;
  beforeAll(async () => {
    ground = await battleground(choice);
  });
  afterAll(async () => {
    await ground[Symbol.asyncDispose]();
  });
  test.each(ATTACKS.filter((attack) => isMeantFor(attack, choice)).map((attack) => [attack.name, attack] as const))(
    '%s',
    async (_name, attack) => {
      const { escaped, result } = await ground.attack(attack);
      expect(escaped, JSON.stringify(result)).toBe(false);
    },
  );
});
