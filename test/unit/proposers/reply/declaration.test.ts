// Which code declares a function, in the languages that Selfware reads.

import { expect, test } from 'vitest';
import { declaresFunction } from '../../../../server/src/core/proposers/reply/declaration.ts';

test.each([
  'export async function rate(value: number): number {',
  'export default function* rate(value) {',
  'const rate = (value) => value;',
  'exports.rate = function (value) {',
  'rate(value) {\n  return value;\n}',
  'rate(\n  value: number,\n  by = f(1),\n): number {',
  'static async rate<T>(value: T) {',
  '#rate(value) {',
  '*rate() {',
  'get rate() {',
  'rate = async (value) => value;',
  'rate: (value) => value,',
  '@cached\n    def rate(self, value):',
  'async def rate(value):',
  'func rate(value int) int {',
  'func (s *Store) rate(value int) int {',
  'pub(crate) fn rate<T>(value: T) -> T {',
  'public static Map<String, List<int[]>> rate(int value) throws IOException {',
  'static const char *rate(int value)\n{',
  'double Store::rate(double value) const {',
  'def self.rate(value)',
  'fun <T> List<T>.rate(value: Int) = value',
  'private function rate($value) {',
  'function M.rate(value)',
])('%s', (code) => {
  expect(declaresFunction(code, 'rate')).toBe(true);
  expect(declaresFunction(code.replaceAll('rate', 'other'), 'rate')).toBe(false);
});

test.each([
  '',
  'console.log(value);',
  'rate(value);',
  'return rate(value);',
  'await rate(value);',
  'if (rate(value)) {\n  stop();\n}',
  'const other = rate(value);',
  'store.rate(value);',
  '// function rate(value) {',
  'const rates = 1;',
  'value.rate = 3;',
])('no declaration: %s', (code) => {
  expect(declaresFunction(code, 'rate')).toBe(false);
});

test('megabytes of uses take no more than seconds', () => {
  const before = process.threadCpuUsage();
  for (const text of ['rate(\n', 'rate ', 'let rat rate( '])
    expect(declaresFunction(`${text.repeat(200_000)}`, 'xrate')).toBe(false);
  expect(declaresFunction('rate(\n'.repeat(200_000), 'rate')).toBe(false);
  expect(declaresFunction('(rate '.repeat(200_000), 'rate')).toBe(false);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(10);
});
