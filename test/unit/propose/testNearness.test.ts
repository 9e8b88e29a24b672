// Which test file is about a function.

import { expect, test } from 'vitest';
import { isNamesake, rateNearness } from '../../../server/src/core/propose/characterization/testNearness.ts';

type Guarded = Parameters<typeof rateNearness>[1];

function best(guarded: Partial<Guarded>, files: Readonly<Record<string, string>>): string {
  const subject: Guarded = { path: 'index.js', name: 'Negotiator', qualifiedName: 'Negotiator', cases: [], ...guarded };
  return Object.entries(files)
    .map(([path, text]) => ({ path, near: rateNearness({ path, text }, subject) }))
    .toSorted((a, b) => b.near - a.near)[0]!.path;
}

test('the file that uses a member is about it, rather than one that uses its class alone', () => {
  const uses = (member: string) => `new Negotiator().${member}();`;
  const files = { 'test/charset.js': uses('charsets').repeat(3), 'test/encoding.js': uses('encodings') };
  expect(best({ qualifiedName: 'Negotiator.encodings' }, files)).toBe('test/encoding.js');
  const step = { before: 'it.encodings("a")', imported: null, after: '' };
  const cases = [{ given: [], steps: [step], result: { value: '1', promised: false } }];
  expect(best({ cases }, files)).toBe('test/encoding.js');
});

test('of files that use a function, one that is named after it or its file comes first, then the one with most uses', () => {
  const guarded = { path: 'lib/picomatch.js', name: 'makeRe', qualifiedName: 'makeRe' };
  const one = 'makeRe("a");';
  const files = { 'test/limits.js': one.repeat(9), 'test/regex.js': one.repeat(2), 'test/api.picomatch.js': one };
  expect(best(guarded, files)).toBe('test/api.picomatch.js');
  expect(best(guarded, { ...files, 'test/make-re.js': one })).toBe('test/make-re.js');
  expect(best(guarded, { ...files, 'test/api.picomatch.js': 'picomatch("a")' })).toBe('test/limits.js');
});

test('without any use, a name is all that shows it', () => {
  expect(best({ name: 'f', qualifiedName: 'f', path: 'src/sums.ts' }, { 'a.test.ts': '', 'sum.test.ts': '' })).toBe(
    'sum.test.ts',
  );
});

test('a test that is titled with the member comes before files that name an option like it', () => {
  const guarded = { path: 'src/datetime.js', name: 'DateTime', qualifiedName: 'DateTime.locale' };
  const getter = 'test("DateTime#locale returns the locale", () => expect(now().locale).toBe("be"));';
  const files = {
    'test/toFormat.test.js': 'at({ locale: "fr" }).toFormat();'.repeat(9),
    'test/getters.test.js': getter,
  };
  expect(best(guarded, files)).toBe('test/getters.test.js');
  expect(best(guarded, { ...files, 'test/getters.test.js': 'now().locale' })).toBe('test/getters.test.js');
  expect(best(guarded, { ...files, 'test/dateTime.test.js': 'now().locale;'.repeat(9) })).toBe('test/getters.test.js');
  const parse = { path: 'src/index.js', name: 'parse', qualifiedName: 'parse' };
  const calls = { 'all.test.js': 'parse(1);'.repeat(9), 'read.test.js': "test('parse() reads', () => parse(1))" };
  expect(best(parse, calls)).toBe('read.test.js');
});

test('a test of an `index` file has the name of its folder, too', () => {
  expect(isNamesake('test/Price.spec.ts', 'src/price.ts')).toBe(true);
  expect(isNamesake('test/docs/index.test.js', 'src/utils/index.js')).toBe(false);
  expect(isNamesake('test/utils/index.test.js', 'src/utils/index.js')).toBe(true);
  expect(isNamesake('src/utils/__tests__/index.test.js', 'src/utils/index.js')).toBe(true);
  expect(isNamesake('test/index.test.js', 'src/index.js')).toBe(true);
});

test('a test of another `index` file comes last', () => {
  const files = { 'test/docs/index.test.js': '', 'test/unpack.test.js': '' };
  expect(best({ path: 'src/utils/index.js', name: 'reverse', qualifiedName: 'reverse' }, files)).toBe(
    'test/unpack.test.js',
  );
});
