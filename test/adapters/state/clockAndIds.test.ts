// Clock and ids, of the machine and virtual.

import { describe, expect, it } from 'vitest';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import { createMemoryClock, createMemoryIds } from '../../helpers/memoryClock.ts';
import type { Ids } from '../../../server/src/core/ports/system.ts';

const makers: Readonly<Record<string, () => Ids>> = {
  "of the machine's clock": () => createIds(systemClock),
  'of a clock that stands still': () => createIds(createMemoryClock()),
  'of a clock that runs backwards': () => {
    const clock = createMemoryClock();
    const ids = createIds(clock);
    return {
      next(kind) {
        clock.advance(-3_600_000);
        return ids.next(kind);
      },
    };
  },
  'in memory': createMemoryIds,
};

describe.each(Object.entries(makers))('Ids %s', (_name, make) => {
  it('are unique, sort by time and are fit for file names and refs', () => {
    const ids = make();
    const made = Array.from({ length: 2000 }, () => ids.next('proposal'));
    expect(new Set(made).size).toBe(made.length);
    expect([...made].sort()).toEqual(made);
    for (const id of made) expect(id).toMatch(/^[a-z0-9-]{1,64}$/);
  });

  it('tell what they name', () => {
    const ids = make();
    expect((['proposal', 'checkpoint', 'event', 'sandbox'] as const).map((kind) => ids.next(kind).slice(0, 2))).toEqual(
      ['p-', 'c-', 'e-', 's-'],
    );
  });
});

describe('Ids of a clock', () => {
  it('name the day', () => {
    const clock = createMemoryClock(Date.UTC(2026, 10, 21, 23, 59, 59, 999));
    const ids = createIds(clock);
    expect(ids.next('proposal')).toMatch(/^p-20261121-2jcpzz-[0-9a-z]{4}$/);
    clock.advance(1);
    expect(ids.next('proposal')).toMatch(/^p-20261122-000000-[0-9a-z]{4}$/);
  });

  it('of two processes differ in the same millisecond', () => {
    const made = Array.from({ length: 200 }, () => createIds(createMemoryClock()).next('event'));
    expect(new Set(made).size).toBeGreaterThan(195);
  });
});

describe('the virtual clock', () => {
  it('moves when it is told to', () => {
    const clock = createMemoryClock(1000);
    clock.advance(500);
    expect(clock.now()).toBe(1500);
  });
});
