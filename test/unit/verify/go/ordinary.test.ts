// Which calls of Go functions are made: those that somebody would write.

import { expect, test } from 'vitest';
import { planGoCalls } from '../../../../server/src/core/verify/guard/go/calls/planCalls.ts';
import { formatShownCall } from '../../../../server/src/core/verify/guard/go/calls/code.ts';
import { parser } from '../../index/support.ts';

/** The calls of each function, as people read them. */
async function callsOf(code: string, tests: string): Promise<readonly (readonly string[])[]> {
  const files = [
    { path: 'a.go', text: `package a\n\n${code}` },
    { path: 'a_test.go', text: `package a\n\nimport "testing"\n\n${tests}` },
  ];
  const plan = (await planGoCalls(parser, { folder: '', files, paths: ['a.go'] }))!;
  return plan.subjects.map((subject) => subject.calls.map((call) => formatShownCall(subject, call)));
}

test('bounds keep their order, numbers are not negative, and texts have words of the tests', async () => {
  const [clamp = [], label = []] = await callsOf(
    'func Clamp(value, low, high int) int { return value }\n\nfunc Label(text string) string { return text + "s" }\n',
    'func TestAll(t *testing.T) {\n\tClamp(5, 1, 10)\n\tLabel("red apple")\n}\n',
  );
  expect(clamp.length).toBeGreaterThan(20);
  for (const call of clamp) {
    const [value, low, high] = call.match(/-?\d+/g)!.map(Number);
    expect({ call, isKept: low! <= high! && value! >= 0 }).toEqual({ call, isKept: true });
  }
  expect(label).toEqual(expect.arrayContaining(['Label("red apple")', 'Label("RED APPLE")', 'Label("foo")']));
  expect(label.filter((call) => /Hello|"ed apple|""|_/.test(call))).toEqual([]);
});

test('a negative number is passed if a test does so, and exchanged bounds if the code compares them', async () => {
  const [sign = [], span = []] = await callsOf(
    [
      'func Sign(value int) int { return value }',
      'func Span(low, high int) int { if low > high { return 0 }; return high - low }',
    ].join('\n\n'),
    'func TestAll(t *testing.T) { Sign(-3); Span(1, 9) }\n',
  );
  expect(sign).toContain('Sign(-2)');
  expect(span.some((call) => /Span\(10, 1\)/.test(call))).toBe(true);
});

test('a character is passed where the tests pass one, and a number where they pass a number', async () => {
  const [join = [], repeat = []] = await callsOf(
    [
      'func Join(text string, sign uint8) string { return text + string(sign) }',
      'func Repeat(text string, times byte) string { return text + string(times) }',
    ].join('\n\n'),
    'func TestAll(t *testing.T) { Join("a b", \'.\'); Repeat("a b", 2) }\n',
  );
  expect(join).toEqual(expect.arrayContaining(['Join("a b", \'.\')', 'Join("a b", \'_\')']));
  expect(join.filter((call) => /, \d+\)$/.test(call))).toEqual([]);
  expect(repeat.length).toBeGreaterThan(3);
  expect(repeat.filter((call) => /'\)$/.test(call))).toEqual([]);
});
