// The programs of a command line, as the rule about unexpected commands compares them.

import { expect, test } from 'vitest';
import { parsePrograms } from '../../../server/src/core/run/anomalies/programs.ts';

test.each([
  ['pytest tests', 'pytest unit'],
  ['make test', 'make check'],
  ['npx vitest run a.test.ts', 'CI=1 npx vitest run --reporter=json b.test.ts'],
  ['npx --no-install eslint a.ts', 'npx eslint --fix src'],
  ['python -m pytest tests', 'python -m pytest -q other'],
  ['node --test a.test.js', 'node --test-reporter=tap --test b.test.js'],
  ['uv run pytest a', 'uv run pytest b'],
  ['npm test --workspace a', 'npm -w b test'],
  ['go test ./a', 'go test -run X ./b'],
  ['npm run lint 2>&1', 'npm run lint'],
  ["sh -c 'eslint a'", "sh -c 'eslint b'"],
])('%s and %s start the same', (one, other) => {
  expect(parsePrograms(one)).toEqual(parsePrograms(other));
});

test.each([
  ['python -m pytest', 'python -m evil'],
  ['node --test', 'node ./evil.js'],
  ['node --test', 'node --import ./evil.js --test'],
  ['node --test', 'node --import=./evil.js --test'],
  ["node -e 'a()'", "node -e 'b()'"],
  ["sh -c 'eslint a'", "sh -c 'evil a'"],
  ['sh check.sh', 'sh evil.sh'],
  ['npm test', 'npm run build'],
  ['npx vitest', 'npx jest'],
  ['uv run pytest', 'uv run evil'],
  ['cargo test', 'cargo run'],
  ['npm test', 'npm test && evil'],
])('%s and %s do not', (one, other) => {
  expect(parsePrograms(one)).not.toEqual(parsePrograms(other));
});

test('variables alone start nothing, and each command of a line counts', () => {
  expect(parsePrograms('FOO=1')).toEqual([]);
  expect(parsePrograms('CI=1 npm run lint && node --test a.test.js')).toEqual(['npm run lint', 'node --test']);
});
