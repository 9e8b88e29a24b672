// Working memory under a virtual clock: what leaves first, and what never does.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWorkingMemory, MAX_ACTIVE_FILES } from '../../../server/src/core/memory/working.ts';
import { runs } from '../../helpers/properties.ts';
import { renderPack } from '../../../server/src/core/memory/render.ts';
import { never, pack } from './records.ts';

function memory(budget: number) {
  const clock = { time: 0, now: () => clock.time };
  const working = createWorkingMemory(clock, budget);
  const shown = () => working.items().map(({ kind, text }) => (kind === 'file' ? text : kind));
  return { clock, working, shown };
}

const minute = 60_000;

test('the least important for its age leaves first, the system message never', () => {
  const { clock, working, shown } = memory(60);
  working.setSystemMessage('You mend this repository.');
  working.begin('Mend the shop.');
  working.say('person', 'It does not open.', 0.9);
  clock.time += 10 * minute;
  working.say('agent', 'I look at the door.', 0.2);
  clock.time += minute;
  // Ages: the person's message 11 minutes at 0.9, the agent's 1 minute at 0.2: 0.08 against 0.2 a minute.
  working.access('door.ts', 30, 0.5);
  expect(working.items().map(({ text }) => text)).toEqual([
    'You mend this repository.',
    'Mend the shop.',
    'I look at the door.',
    'door.ts',
  ]);
  expect(shown()).toContain('task');
  expect(working.tokens()).toBeLessThanOrEqual(60);
});

test('a system message stays even where it alone is too long', () => {
  const { working, shown } = memory(10);
  working.setSystemMessage('x'.repeat(100));
  working.say('person', 'hello', 1);
  expect(shown()).toEqual(['system']);
});

test('a second system message or task replaces the first', () => {
  const { working } = memory(1000);
  working.setSystemMessage('one');
  working.begin('first');
  working.setSystemMessage('two');
  working.begin('second');
  expect(working.items().map(({ text }) => text)).toEqual(['two', 'second']);
});

test('at most ten active files; the one that matters least for its age makes room', () => {
  const { clock, working, shown } = memory(1_000_000);
  for (let at = 0; at < MAX_ACTIVE_FILES; at++) {
    working.access(`f${at}.ts`, 100, at === 3 ? 0.1 : 0.9);
    clock.time += minute;
  }
  working.access('new.ts', 100, 0.5);
  expect(shown()).toEqual(['f0.ts', 'f1.ts', 'f2.ts', 'f4.ts', 'f5.ts', 'f6.ts', 'f7.ts', 'f8.ts', 'f9.ts', 'new.ts']);
});

test('looking at a file again renews it and keeps its higher importance', () => {
  const { clock, working } = memory(1_000_000);
  working.access('a.ts', 100, 0.9);
  clock.time += minute;
  working.access('a.ts', 120, 0.2);
  expect(working.items()).toMatchObject([{ text: 'a.ts', importance: 0.9, usedAt: minute, reference: false }]);
});

test('a file of more than 10,000 tokens is a reference', () => {
  const { working } = memory(1_000_000);
  working.access('long.ts', 10_001, 1);
  working.access('short.ts', 10_000, 1);
  expect(working.items().map(({ text, reference, tokens }) => [text, reference, tokens < 100])).toEqual([
    ['long.ts', true, true],
    ['short.ts', false, false],
  ]);
});

test('never over its budget but for the system message, whatever happens', () => {
  const step = fc.record({
    what: fc.constantFrom('say', 'access', 'begin', 'instruct'),
    size: fc.nat(400),
    importance: fc.double({ min: 0, max: 1, noNaN: true }),
    wait: fc.nat(100_000),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(500), (steps, budget) => {
      const { clock, working } = memory(budget);
      let instructed = false;
      for (const { what, size, importance, wait } of steps) {
        clock.time += wait;
        if (what === 'say') working.say('person', 'x'.repeat(size), importance);
        else if (what === 'access') working.access(`f${size}.ts`, size, importance);
        else if (what === 'begin') working.begin('t'.repeat(size), importance);
        else working.setSystemMessage('s'.repeat(size));
        instructed ||= what === 'instruct';
        const system = working.items().filter(({ kind }) => kind === 'system');
        expect(system.length).toBe(instructed ? 1 : 0);
        if (working.items().length > system.length) expect(working.tokens()).toBeLessThanOrEqual(budget);
        expect(working.items().filter(({ kind }) => kind === 'file').length).toBeLessThanOrEqual(MAX_ACTIVE_FILES);
      }
    }),
    runs(100),
  );
});

test('a pack shows it: system message, task, conversation, files', async () => {
  const { working } = memory(1000);
  working.setSystemMessage('You mend this repository.');
  working.begin('Mend the shop.');
  working.say('person', 'It does not open.', 0.9);
  working.access('door.ts', 5, 0.5);
  const read = async (path: string) => (path === 'door.ts' ? 'open();\n' : null);
  const packed = await pack({ working: working.items(), read }, { budget: 10_000 });
  expect(await renderPack(packed, { records: new Map(), read }, never)).toBe(
    '# Working memory\n\nsystem: You mend this repository.\ntask: Mend the shop.\nperson: It does not open.\n## door.ts\nopen();\n\n',
  );
});
