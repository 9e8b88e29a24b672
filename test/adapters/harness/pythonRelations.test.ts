// Relations between the arguments of Python functions, by the program itself.

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = resolve('server/src/adapters/harness/python');

/** The relations that the program finds in calls of a function. */
function relationsOf(names: readonly string[], calls: readonly Readonly<Record<string, number>>[], code: unknown) {
  const program = [
    'import json, sys',
    'sys.path.insert(0, sys.argv[1])',
    'from selfware_relations import find_relations',
    'print(json.dumps(find_relations(*json.loads(sys.argv[2]))))',
  ].join('\n');
  const words = ['-B', '-c', program, FOLDER, JSON.stringify([names, calls, code])];
  const { stdout, stderr } = spawnSync('python3', words, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as unknown;
}

const callsWith = (second: string) => [5, 7, 9, 10].map((value, at) => ({ low: at + 1, [second]: value }));
const CODE = 'def clip(low, *values):\n    return [max(low, v) for v in values if v < 100]';

test('the arguments that a function takes beyond its parameters have no relations', () => {
  expect(relationsOf(['low'], callsWith('*'), CODE)).toEqual([]);
  expect(relationsOf(['low'], callsWith('other'), CODE)).toEqual([['below', 'low', 'other']]);
  expect(relationsOf(['low'], callsWith('other('), CODE)).toEqual([['below', 'low', 'other(']]);
});

test('a search that fails finds nothing', () => {
  expect(relationsOf(['low'], callsWith('other'), null)).toEqual([]);
});
