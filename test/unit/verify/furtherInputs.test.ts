// Inputs for mistakes that no call shows yet: those that reach the mistake, changed by what stands around it.

import { expect, test } from 'vitest';
import { computeStrangeness } from '../../../server/src/adapters/harness/distinguishing/inputsNearExamples.ts';
import { createFurtherInputs } from '../../../server/src/adapters/harness/distinguishing/furtherInputs.ts';
import { collectNearbyValues } from '../../../server/src/core/session/analyse/unguarded/nearby.ts';

const GROUND = { strings: [], numbers: [], keys: ['deep', 'wide'], isSigned: false, fixed: false };
const SEED = 7;

test('the texts, numbers and options around a mistake are read, also behind the names of constants', () => {
  const scan = `const { CHAR_BANG } = require('./constants');
const first = 'far away';

function scan(text, options) {
  if (options.deep === true && text[0] === CHAR_BANG) return 'it\\'s';
  if (/^(?:\\d+|[;,])$/.test(text) || text.length > 0x10 || text[1] === TAB) return text.slice(2);
}
`;
  const constants = "module.exports = { CHAR_BANG: 33, SEPARATOR: ';', TAB: 0x09 };\n";
  const sources = [
    { path: 'scan.js', text: scan },
    { path: 'constants.js', text: constants },
  ];
  const [inCondition, inNext, missing] = collectNearbyValues(
    [
      { path: 'scan.js', line: 5 },
      { path: 'scan.js', line: 7 },
      { path: 'other.js', line: 1 },
    ],
    sources,
  );
  expect(inCondition?.strings).toEqual(expect.arrayContaining(['!', "it's", ';', '1', '\t']));
  expect(inCondition?.strings).not.toContain('far away');
  expect(inCondition?.numbers).toEqual(expect.arrayContaining([33, 16, 17, 15, 0]));
  expect(inCondition?.keys).toContain('deep');
  expect(inNext?.keys).toEqual(['length']);
  expect(missing).toEqual({ strings: [], numbers: [], keys: [] });
});

test('inputs that reach a mistake are changed by what stands around it, until a call shows it', () => {
  const near = { 3: { strings: ['!'], numbers: [33], keys: ['deep', 'unknown'] } };
  const further = createFurtherInputs([['abc', { $: 'record', fields: [['wide', true]] }]], GROUND, near, SEED);
  further.noteReached([3, 4], ['abc', { $: 'record', fields: [['wide', true]] }]);
  const made = [...further.makeInputs(200, (mutant) => mutant === 3)];
  expect(made).toHaveLength(200);
  expect(made.some(([text]) => text === '!abc')).toBe(true);
  expect(made.some(([text]) => text === 'a!bc' || text === 'a!c')).toBe(true);
  expect(JSON.stringify(made)).toContain('["deep",true]');
  expect(JSON.stringify(made)).not.toContain('unknown');
  expect([...further.makeInputs(10, () => false)]).toEqual([]);
  let left = 3;
  expect([...further.makeInputs(10, () => left-- > 0)].length).toBeLessThan(10);
});

test('the same inputs make the same further ones, and without examples no argument is added or left out', () => {
  const made = () => {
    const further = createFurtherInputs([], GROUND, { 1: { strings: [], numbers: [8], keys: [] } }, SEED);
    further.noteReached([1], [5, 'a']);
    return [...further.makeInputs(60, () => true)];
  };
  expect(made()).toEqual(made());
  expect(made().every(({ length }) => length === 2)).toBe(true);
  expect(made().some(([number]) => number === 8)).toBe(true);
});

test('a text that differs from those of the tests in several places costs more than one that differs in one', () => {
  const examples = [['text/html;level=1'], ['text/plain, */*']];
  const cost = (text: string) => computeStrangeness([text], examples, new Set());
  expect(cost('text/html;level=1, */*')).toBeGreaterThan(cost('text/html;level=2'));
  expect(cost('1=level;html/text" ,*/plain')).toBeGreaterThan(cost('text/html;level=1, */*'));
  expect(cost('text/html;level=1')).toBe(0);
});
