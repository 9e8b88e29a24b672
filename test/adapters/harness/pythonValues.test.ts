// What distinguishes two Python values in a comparison of old and new code, by the program itself.

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = resolve('server/src/adapters/harness/python');
const HEAD = `import sys
sys.path.insert(0, ${JSON.stringify(FOLDER)})
from collections import defaultdict, deque
from selfware_values import Canon, Opaque

class Point:
    __slots__ = ("x", "__secret")
    def __init__(self, x, secret):
        self.x, self.__secret = x, secret

class Queue(deque):
    pass

def fails():
    raise KeyError(1)

def same(one, other):
    try:
        return Canon().of(one, 0) == Canon().of(other, 0)
    except Opaque:
        return "opaque"
`;

/** Whether each pair of expressions makes values that count as the same. */
function compared(pairs: readonly (readonly [string, string])[]): readonly (boolean | 'opaque')[] {
  const calls = pairs.map(([one, other]) => `same(${one}, ${other})`).join(', ');
  const program = `${HEAD}\nimport json\nprint(json.dumps([${calls}]))\n`;
  const { stdout, stderr } = spawnSync('python3', ['-B', '-c', program], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as (boolean | 'opaque')[];
}

test('the limit of a deque, the factory of a dictionary and private slots count', () => {
  const answers = compared([
    ['deque([1], 2)', 'deque([1], 2)'],
    ['deque([1], 2)', 'deque([1], 3)'],
    ['deque([1], 2)', 'deque([1])'],
    ['Queue([1], 2)', 'Queue([1], 3)'],
    ['defaultdict(list, a=1)', 'defaultdict(list, a=1)'],
    ['defaultdict(list, a=1)', 'defaultdict(dict, a=1)'],
    ['defaultdict(list)', 'defaultdict(None)'],
    ['defaultdict(lambda: 1)', 'defaultdict(lambda: 1)'],
    ['defaultdict(lambda: 1)', 'defaultdict(lambda: 2)'],
    ['defaultdict(fails)', 'defaultdict(fails)'],
    ['Point(1, 2)', 'Point(1, 2)'],
    ['Point(1, 2)', 'Point(2, 2)'],
    ['Point(1, 2)', 'Point(1, 3)'],
  ]);
  const [same, different] = [true, false];
  expect(answers).toEqual([
    ...[same, different, different, different],
    ...[same, different, different, same, different, 'opaque'],
    ...[same, different, different],
  ]);
});
