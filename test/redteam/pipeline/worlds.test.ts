// No hostile repository gets at what lies around it, and none has git run a program for us.

import { beforeAll, describe, expect, test } from 'vitest';
import { chooseIsolationUnderAttack } from '../../helpers/isolation.ts';
import { triedIn, WITH_WORLDS } from './attacks.ts';
import { spelled } from './attack.ts';
import { springTraps, TRAPS, type Sprung } from './traps.ts';

const { confined } = (await chooseIsolationUnderAttack()).isolation;

test.each(triedIn(WITH_WORLDS, confined).map((attack) => [attack.name, attack] as const))(
  '%s',
  async (_name, attack) => {
    const { answer, escaped } = await attack.run();
    expect(escaped, answer.detail).toEqual([]);
    expect(spelled(answer), answer.detail).toMatch(new RegExp(`^${attack.expected}`));
  },
);

describe('programs that git would run', () => {
  let sprung: Sprung;
  beforeAll(async () => {
    sprung = await springTraps();
  });

  test('a change was applied and rolled back among them, and nothing else is another', () => {
    expect(sprung.applied).toBe(1);
    expect(sprung.changed).toEqual([]);
  });

  test('nothing of them goes on running', () => {
    expect(sprung.left).toEqual([]);
  });

  test.each(TRAPS.map((trap) => [trap.name, trap] as const))('%s', (name, { springs }) => {
    expect(sprung.byUs.has(name)).toBe(false);
    // A trap that cannot snap shows nothing.
    if (springs) expect(sprung.byGit.has(name)).toBe(true);
  });
});
