// The conversation with a model stays within working memory's share of the window.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocations, computeLayerBudgets } from '../../../server/src/core/memory/allocations.ts';
import { fitTurns } from '../../../server/src/core/memory/conversation.ts';
import { estimateTokens } from '../../../server/src/util/tokens.ts';
import { runs } from '../../helpers/properties.ts';

const turn = (name: string, lines: number) => `${name}\n${'and it failed again\n'.repeat(lines)}`;

test('all turns stay while they fit', () => {
  const turns = [turn('one', 3), turn('two', 3)];
  expect(fitTurns({ system: 'S', task: 'T', turns }, 24_000)).toEqual({ turns, forgotten: 0 });
  expect(fitTurns({ system: 'S', task: 'T', turns: [] }, 0)).toEqual({ turns: [], forgotten: 0 });
});

test('the oldest turns are forgotten first; the last one stays', () => {
  const turns = Array.from({ length: 9 }, (_, index) => turn(`turn ${index + 1}`, 30));
  const kept = fitTurns({ system: 'S', task: 'T', turns }, 3_000);
  expect(kept.forgotten).toBeGreaterThan(2);
  expect(kept.turns).toEqual(turns.slice(kept.forgotten));
});

test('a last turn that is too long is cut at a line, even if the task leaves it no room', () => {
  const { turns, forgotten } = fitTurns(
    { system: 'S', task: 'T'.repeat(9_000), turns: [turn('one', 3), turn('two', 900)] },
    4_000,
  );
  expect(forgotten).toBe(1);
  expect(turns[0]).toMatch(/^two\n(and it failed again\n){10,60}\(The rest is not shown\.\)$/);
});

test('system message, task and turns never exceed the share of the window, if the constant part leaves room', () => {
  const words = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '失', '敗'), maxLength: 3_000 });
  fc.assert(
    fc.property(words, words, fc.array(words, { maxLength: 9 }), fc.nat(30_000), (system, task, turns, window) => {
      const kept = fitTurns({ system, task, turns }, window);
      expect(kept.turns.length + kept.forgotten).toBe(turns.length);
      expect(kept.turns.length).toBeGreaterThanOrEqual(Math.min(1, turns.length));
      const constant = estimateTokens(`system: ${system}\n`) + estimateTokens(`task: ${task}\n`);
      const share = computeLayerBudgets(allocations.Conversation, window).working;
      const shown = kept.turns.reduce((sum, text) => sum + estimateTokens(text), constant);
      expect(shown).toBeLessThanOrEqual(Math.max(share, constant + 250));
    }),
    runs(200),
  );
});
