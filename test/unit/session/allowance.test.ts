// What each author may do, and how often: one place asks, a person gives, a charter only takes.

import { expect, test } from 'vitest';
import { tightenSettings } from '../../../server/src/app/charterFile.ts';
import { AUTHORS } from '../../../server/src/core/model/authors.ts';
import {
  DEFAULT_ALLOWANCES,
  CAPABILITIES,
  adjustAllowances,
  tightenAllowances,
} from '../../../server/src/core/model/capabilities.ts';
import { requireAllowed } from '../../../server/src/core/session/allowance.ts';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { charterSchema } from '../../../server/src/settings/charterFile.ts';
import { defaultSettings, readSettings } from '../../../server/src/settings/schema.ts';
import { createPart } from '../../helpers/createPart.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = 48 * HOUR + 10 * HOUR;

type Happened = { readonly type: string; readonly at: number; readonly data: unknown };

function contextWith(events: readonly Happened[], authors: (typeof defaultSettings)['charter.authors'] = {}) {
  const proposals = events
    .filter(({ type }) => type === 'proposed')
    .map(({ data }) => (data as { proposal: object }).proposal);
  return createPart<SessionContext>({
    settings: { ...defaultSettings, 'charter.authors': authors },
    ports: { clock: { now: () => NOW } },
    ledger: {
      query: async ({ types }: { types: readonly string[] }) =>
        events.filter(({ type }) => types.includes(type)).toSorted((one, other) => other.at - one.at),
      proposals: async () => proposals,
    },
  });
}

const proposed = (id: string, author: string, at: number): Happened => ({
  ...{ type: 'proposed', at },
  data: { proposal: { id, author, recipe: 'brought' } },
});
const applied = (proposal: string, at: number): Happened => ({ type: 'applied', at, data: { proposal } });
const approved = (proposal: string, by: string): Happened => ({ type: 'approved', at: 0, data: { proposal, by } });

test('without a word nobody but a person commits, reaches the network, installs or clones', async () => {
  for (const author of AUTHORS)
    for (const capability of CAPABILITIES) {
      const answer = requireAllowed(contextWith([]), author, capability);
      if (author === 'person' || ['propose', 'run', 'apply'].includes(capability)) await answer;
      else
        await expect(answer).rejects.toMatchObject({
          reason: 'forbidden',
          message: expect.stringContaining(capability),
        });
    }
});

test('beyond its requests a minute an author pauses until the oldest is a minute old; others do not', async () => {
  const events = [0, 1, 2].map((at) => proposed(`p${at}`, 'agent', NOW - 30_000 + at));
  const two = { agent: { requestsAMinute: 2 } };
  await expect(requireAllowed(contextWith(events, two), 'agent', 'propose')).rejects.toMatchObject({
    reason: 'paused',
    message: 'Paused: the charter allows an agent 2 proposals a minute, and 3 were made.',
    action: expect.stringMatching(/^It continues at 10:00 UTC/),
  });
  await requireAllowed(contextWith(events, { agent: { requestsAMinute: 4 } }), 'agent', 'propose');
  await requireAllowed(contextWith(events, two), 'client', 'propose');
  await requireAllowed(
    contextWith(
      events.map((one) => ({ ...one, at: NOW - MINUTE })),
      two,
    ),
    'agent',
    'propose',
  );
});

test('changes an hour count what was applied for an author, and for a person what they approved', async () => {
  const events = [
    ...[proposed('a', 'agent', 0), approved('a', 'charter'), applied('a', NOW - 10 * MINUTE)],
    ...[proposed('b', 'agent', 0), approved('b', 'person'), applied('b', NOW - 5 * MINUTE)],
    ...[proposed('c', 'agent', 0), approved('c', 'charter'), applied('c', NOW - 61 * MINUTE)],
  ];
  const one = { agent: { changesAnHour: 1 }, person: { changesAnHour: 1 } };
  await expect(requireAllowed(contextWith(events, one), 'agent', 'apply')).rejects.toMatchObject({
    reason: 'paused',
    message: 'Paused: the charter allows an agent 1 change an hour, and 1 was made.',
  });
  await expect(requireAllowed(contextWith(events, one), 'person', 'apply')).rejects.toMatchObject({ reason: 'paused' });
  await requireAllowed(contextWith(events, { agent: { changesAnHour: 2 } }), 'agent', 'apply');
});

test('changes a day hold however many hours they are spread over, and across processes', async () => {
  const events = [2, 9, 23, 25].flatMap((hours, index) => [
    ...[proposed(`p${index}`, 'model', 0), approved(`p${index}`, 'charter'), applied(`p${index}`, NOW - hours * HOUR)],
  ]);
  await expect(
    requireAllowed(contextWith(events, { model: { changesADay: 3 } }), 'model', 'apply'),
  ).rejects.toMatchObject({
    reason: 'paused',
    message: 'Paused: the charter allows a language model 3 changes a day, and 3 were made.',
    action: expect.stringMatching(/^It continues at 11:00 UTC/),
  });
  // The rate of two continues 15 hours from now, on the next day.
  await expect(
    requireAllowed(contextWith(events, { model: { changesADay: 2 } }), 'model', 'apply'),
  ).rejects.toMatchObject({ action: expect.stringMatching(/^It continues at 1970-01-04 01:00 UTC/) });
  await requireAllowed(contextWith(events, { model: { changesADay: 4 } }), 'model', 'apply');
  await requireAllowed(contextWith(events, { model: { changesADay: 3 } }), 'agent', 'apply');
});

test('a person gives and takes; a charter only takes', () => {
  const { settings, problems } = readSettings({ 'charter.authors': { agent: { may: ['propose', 'clone'] } } });
  expect(problems).toEqual([]);
  expect(adjustAllowances(settings['charter.authors']).agent).toEqual({
    ...DEFAULT_ALLOWANCES.agent,
    may: ['propose', 'clone'],
  });
  const charter = charterSchema.parse({
    authors: { agent: { may: CAPABILITIES, changesAnHour: 5, changesADay: 7, requestsAMinute: 999 } },
  });
  expect(adjustAllowances(tightenSettings(settings, charter)['charter.authors']).agent).toEqual({
    may: ['propose', 'clone'],
    changesAnHour: 5,
    changesADay: 7,
    requestsAMinute: DEFAULT_ALLOWANCES.agent.requestsAMinute,
  });
  expect(tightenAllowances({ model: { may: [] } }, DEFAULT_ALLOWANCES).model.may).toEqual([]);
  expect(tightenSettings(settings, {})['charter.authors']).toEqual(settings['charter.authors']);
});

test.each([{ robot: {} }, { agent: { may: ['everything'] } }, { agent: { changesAnHour: -1 } }])(
  '%j is no word about authors',
  (authors) => {
    expect(readSettings({ 'charter.authors': authors }).problems).toHaveLength(1);
    expect(charterSchema.safeParse({ authors }).success).toBe(false);
  },
);
