// What people agree to now, after consents and withdrawals.

import { expect, test } from 'vitest';
import { findNamedConsents, foldConsents } from '../../../server/src/core/ledger/consents.ts';
import { describeAgreedCode } from '../../../server/src/core/proposers/sentDataNotice.ts';
import { createTrainingDestination, type SentData } from '../../../server/src/core/model/asks.ts';

const consented = (at: number, destination: string, sends?: readonly SentData[]) => ({
  type: 'consented',
  at,
  data: sends ? { destination, sends } : { destination },
});
const withdrawn = (at: number, destination: string) => ({ type: 'consentWithdrawn', at, data: { destination } });

test('consents add up until they are withdrawn, and only what was agreed to since then counts', () => {
  const events = [consented(1, 'a.example'), consented(2, 'a.example', ['tree', 'references'])];
  expect([...foldConsents(events).values()]).toEqual([
    { destination: 'a.example', sends: ['excerpts', 'tree', 'references'], since: 1 },
  ]);
  const without = [...events, consented(3, 'b.example', ['excerpts']), withdrawn(4, 'a.example')];
  expect([...foldConsents(without).keys()]).toEqual(['b.example']);
  expect(foldConsents([...without, consented(5, 'a.example', ['excerpts'])]).get('a.example')).toEqual({
    destination: 'a.example',
    sends: ['excerpts'],
    since: 5,
  });
});

test('what is malformed, and a withdrawal without a consent, change nothing', () => {
  const events = [
    { type: 'consented', at: 1, data: { destination: 3 } },
    { type: 'consented', at: 2, data: { destination: 'a.example', sends: 'tree' } },
    withdrawn(3, 'b.example'),
  ];
  expect(foldConsents(events).size).toBe(0);
});

test('a host also names the destinations that have it among others', () => {
  const agreed = foldConsents([
    consented(1, 'a.example'),
    consented(2, 'a.example, b.example', ['tree']),
    consented(3, 'the provider of the model, acme'),
    consented(4, 'the provider of the model, other'),
  ]);
  const named = (host: string) => findNamedConsents(agreed, host).map(({ destination }) => destination);
  expect(named('a.example')).toEqual(['a.example', 'a.example, b.example']);
  expect(named('a.example, b.example')).toEqual(['a.example', 'a.example, b.example']);
  expect(named('the provider of the model, acme')).toEqual(['the provider of the model, acme']);
  expect(named('b.example')).toEqual(['a.example, b.example']);
  expect(named('example')).toEqual([]);
});

test.each<[readonly SentData[], string]>([
  [['excerpts'], 'files in questions'],
  [['excerpts', 'tree'], 'all files of this repository'],
  [['excerpts', 'references'], 'files in questions and code of other repositories'],
])('%s is told as what may be sent', (sends, text) => {
  expect(describeAgreedCode({ destination: 'a.example', sends })).toBe(text);
  expect(describeAgreedCode({ destination: createTrainingDestination('train'), sends })).toBe(
    'what was learned here, to train a model',
  );
});
