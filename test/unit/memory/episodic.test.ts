// Episodic memory under a virtual clock: tiers, compression, recall.

import { expect, test } from 'vitest';
import {
  recallEpisodes,
  computeRecallScore,
  retainEpisodes,
  computeWordSimilarity,
  type Episode,
  type ImportanceTier,
} from '../../../server/src/core/memory/episodic.ts';
import { pack } from './records.ts';

const hour = 3_600_000;
const day = 24 * hour;
const same = () => 1;

function episode(id: string, tier: ImportanceTier, at: number, text = `what happened in ${id}`, accesses = 0): Episode {
  return { id, at, tier, importance: 0.5, text, accesses };
}

test('the lowest tier goes first, the oldest of it first', () => {
  const all = [
    episode('c', 'critical', 0),
    episode('h', 'high', 0),
    episode('n1', 'normal', 5),
    episode('n2', 'normal', 6),
    episode('l1', 'low', 8),
    episode('l2', 'low', 7),
  ];
  const order: string[] = [];
  let before = all.map(({ id }) => id);
  for (let capacity = 200; capacity >= 0; capacity--) {
    const kept = retainEpisodes(all, capacity, hour).map(({ id }) => id);
    order.push(...before.filter((id) => !kept.includes(id)));
    before = kept;
  }
  expect(order).toEqual(['l2', 'l1', 'n1', 'n2', 'h', 'c']);
});

test('an old normal entry becomes a short low one; others stay as they are', () => {
  const text = `The gates refused it. ${'Because of this and that. '.repeat(40)}`;
  const all = [
    episode('old', 'normal', 0, text),
    episode('young', 'normal', 2 * day, text),
    episode('high', 'high', 0, text),
  ];
  const [old, young, high] = retainEpisodes(all, 1_000_000, 8 * day);
  expect(old).toMatchObject({ tier: 'low', importance: 0.25 });
  expect(old!.text.length).toBeLessThanOrEqual(120);
  expect(text.startsWith(old!.text.slice(0, -1))).toBe(true);
  expect([young, high]).toEqual([all[1], all[2]]);
});

test.each([
  ['now', 0, 0, 0.5 * 0.8 * 1],
  ['after 24 hours recency is a half', day, 0, 0.5 * 0.8 * 0.75],
  ['after two days a quarter', 2 * day, 0, 0.5 * 0.8 * 0.625],
  ['each access adds a tenth', 0, 3, 0.4 + 0.3],
  ['at most a half', 0, 9, 0.4 + 0.5],
])('score: %s', (_, age, accesses, expected) => {
  expect(computeRecallScore({ ...episode('e', 'high', 0), importance: 0.8, accesses }, 0.5, age)).toBeCloseTo(
    expected,
    12,
  );
});

test('recall gives the best first and never more than its budget', () => {
  const all = [
    episode('recent', 'normal', 10 * day),
    episode('old', 'normal', 0),
    episode('used', 'normal', 0, undefined, 5),
  ];
  expect(recallEpisodes(all, 'task', same, 10 * day, 1000).map(({ id }) => id)).toEqual(['used', 'recent', 'old']);
  const [first] = recallEpisodes(all, 'task', same, 10 * day, 1000);
  expect(recallEpisodes(all, 'task', same, 10 * day, first!.tokens).map(({ id }) => id)).toEqual(['used']);
  expect(recallEpisodes(all, 'task', same, 10 * day, 0)).toEqual([]);
});

test('what has nothing to do with the task stays away, however often it was recalled; what is critical comes in any case', () => {
  const all = [
    episode('used', 'normal', 0, 'shelves and crates', 9),
    episode('critical', 'critical', 0, 'never touch the till'),
    episode('right', 'normal', 0, 'the door does not open'),
  ];
  expect(recallEpisodes(all, 'open the door', computeWordSimilarity, 0, 1000).map(({ id }) => id)).toEqual([
    'right',
    'critical',
  ]);
});

test('a pack keeps to the share of the task', async () => {
  const all = Array.from({ length: 400 }, (_, index) =>
    episode(`${index}`, 'normal', index, `door ${'x'.repeat(100)}`),
  );
  const { layers, notes } = await pack(
    { episodes: { all, now: hour, similarity: same } },
    { budget: 10_000, taskType: 'Debugging', task: 'door' },
  );
  expect(layers.episodic.tokens).toBeLessThanOrEqual(3500);
  expect(layers.episodic.tokens).toBeGreaterThan(1900);
  expect(notes!.filter(({ layer }) => layer === 'episodic').length).toBeGreaterThan(30);
});
