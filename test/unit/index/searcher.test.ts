// The index in memory: what comes first, and that its order depends on what is in it, never on how it came there.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../helpers/properties.ts';
import { createSearcher } from '../../../server/src/core/index/search/createSearcher.ts';
import type { RepositorySignals, SearchedFile, Searcher } from '../../../server/src/core/index/search/searcher.ts';
import { searchedFile } from './searchedFiles.ts';
import type { Commit } from '../../../server/src/core/ports/git.ts';
import type { TermTable } from '../../../server/src/core/ports/search.ts';

const nothingKnown: RepositorySignals = { commits: [], activity: new Map(), ownVendors: [] };
const commit = (subject: string, ...paths: string[]): Commit => ({ hash: subject, atMs: 0, subject, paths });

function searcherWith(files: readonly SearchedFile[], table: TermTable | null = null): Searcher {
  const searcher = createSearcher({ table });
  searcher.put(files);
  return searcher;
}

function ask(searcher: Searcher, text: string, top = 10): string[] {
  return searcher.search({ text, vector: null, top }).map(({ path, startLine }) => `${path}:${startLine}`);
}

const files = [
  searchedFile('src/http/parseUrl.ts', 'Splits an address into scheme, host and path.\ndef parseUrl\n'),
  searchedFile(
    'src/http/retry.ts',
    'Sends a request again after a failure, waiting longer each time.\ndef retryRequest\n parseUrl(address)\n',
  ),
  searchedFile('src/config/reader.ts', 'Loads the settings file.\ndef readSettings\ndef ConfigReader\n'),
  searchedFile(
    'test/parseUrl.test.ts',
    'parseUrl splits an address into scheme host path\nparseUrl parseUrl parseUrl address address\n',
  ),
  searchedFile('src/mocks/clock.ts', 'A clock that stands still.\ndef frozenClock\n'),
  searchedFile('src/clock.ts', 'The clock of the machine.\ndef systemClock\nmock\n'),
  searchedFile('src/throttle.ts', 'def rateLimit\n'),
  searchedFile('src/impls.ts', 'code\n'),
];

describe('what comes first', () => {
  test.each([
    ['parseUrl', 'src/http/parseUrl.ts'],
    ['PARSEURL', 'src/http/parseUrl.ts'],
    ['parse_url', 'src/http/parseUrl.ts'],
    ['where do we split an address into host and path', 'src/http/parseUrl.ts'],
    ['how are failed requests sent again', 'src/http/retry.ts'],
    ['ConfigReader', 'src/config/reader.ts'],
    ['which clock is used', 'src/clock.ts'],
    ['clock mock', 'src/mocks/clock.ts'],
    ['rate limit', 'src/throttle.ts'],
    ['implementations', 'src/impls.ts'],
  ])('%s', (question, path) => {
    expect(ask(searcherWith(files), question)[0]).toBe(`${path}:1`);
  });

  test.each(['', '   ', '?!', 'qxzzvw', '\0', '日本語'])('%j finds nothing', (question) => {
    expect(ask(searcherWith(files), question)).toEqual([]);
  });

  test('odd questions harm nobody', () => {
    const searcher = searcherWith(files);
    for (const question of [
      '"',
      "'; DROP TABLE chunks; --",
      '*',
      'a'.repeat(50_000),
      'constructor __proto__ toString',
      'NOT AND OR',
      'x '.repeat(5_000),
      '(((',
      '\\',
    ])
      expect(ask(searcher, question)).toBeInstanceOf(Array);
    expect(ask(searcher, 'parseUrl', 0)).toEqual([]);
    expect(ask(createSearcher({ table: null }), 'parseUrl')).toEqual([]);
  });

  test('one file does not fill the list', () => {
    const many = searchedFile(
      'src/long.ts',
      Array.from(
        { length: 400 },
        (_, at) => `def sendRequest${at}\nsends a request to the server and waits for it\n`,
      ).join('\n'),
    );
    const hits = ask(searcherWith([...files, many]), 'send a request', 3);
    expect(many.chunks.length).toBeGreaterThan(5);
    expect(hits.some((hit) => hit.startsWith('src/http/retry.ts'))).toBe(true);
  });

  test('what commits and changes say', () => {
    const twins = ['src/a.ts', 'src/b.ts'].map((path) => searchedFile(path, 'def handle\n'));
    const searcher = searcherWith([...files, ...twins]);
    expect(ask(searcher, 'handle').slice(0, 2)).toEqual(['src/a.ts:1', 'src/b.ts:1']);
    for (const known of [
      { commits: [commit('Handle time-outs', 'src/b.ts')] },
      { activity: new Map([['src/b.ts', 4]]) },
    ]) {
      searcher.setSignals({ ...nothingKnown, ...known });
      expect(ask(searcher, 'handle').slice(0, 2)).toEqual(['src/b.ts:1', 'src/a.ts:1']);
      searcher.setSignals(nothingKnown);
      expect(ask(searcher, 'handle').slice(0, 2)).toEqual(['src/a.ts:1', 'src/b.ts:1']);
    }
  });
});

describe('vectors', () => {
  const toward = (index: number) => Float32Array.from({ length: 64 }, (_, at) => (at === index ? 1 : 0));

  test('of an embedder find what shares no word with the question', () => {
    const searcher = searcherWith([
      ...files,
      searchedFile('src/near.ts', 'apple\n', { vector: () => toward(3) }),
      searchedFile('src/far.ts', 'pear\n', { vector: () => toward(4) }),
    ]);
    expect(searcher.search({ text: 'fruit', vector: toward(3), top: 5 }).map(({ path }) => path)).toEqual([
      'src/near.ts',
    ]);
    expect(searcher.search({ text: 'fruit', vector: new Float32Array(8), top: 5 })).toEqual([]);
  });

  test('of a shipped table, too', () => {
    const rows = new Map([
      ['fruit', 1],
      ['appl', 1],
      ['clock', 2],
    ]);
    const table: TermTable = {
      profile: 'test',
      dimensions: 64,
      row: (term) => rows.get(term) ?? -1,
      rowsOf: (terms) => Int32Array.from(terms.split(' '), (term) => rows.get(term) ?? -1),
      sum: (numbers, weights) =>
        Float32Array.from({ length: 64 }, (_, at) => weights[Array.from(numbers).indexOf(at)] ?? 0),
    };
    expect(ask(searcherWith([...files, searchedFile('src/near.ts', 'apple\n')], table), 'fruit')).toEqual([
      'src/near.ts:1',
    ]);
  });
});

test('a file may come as it is read and again when it is parsed', () => {
  const text = 'def chargeCard\nmoney\n'.repeat(3);
  const searcher = searcherWith([...files, searchedFile('src/pay.ts', text, { refined: false })]);
  expect(searcher.search({ text: 'money', vector: null, top: 1 })).toMatchObject([
    { path: 'src/pay.ts', symbol: null },
  ]);
  searcher.put([searchedFile('src/pay.ts', text)]);
  expect(searcher.search({ text: 'chargeCard', vector: null, top: 1 })).toMatchObject([
    { path: 'src/pay.ts', symbol: 'chargeCard' },
  ]);
  expect([searcher.fileCount, searcher.chunkCount]).toEqual([files.length + 1, files.length + 1]);
});

test('whatever came and went, the order is that of an index made anew', () => {
  const word = fc.constantFrom(
    'parse',
    'url',
    'request',
    'retry',
    'clock',
    'readConfig',
    'HTTPServer',
    'send_all',
    'limit',
    'rate',
    'mock',
  );
  const text = fc
    .array(
      fc.oneof(
        word,
        word.map((name) => `\ndef ${name}`),
        fc.constant('\n'),
      ),
      { minLength: 1, maxLength: 40 },
    )
    .map((words) => words.join(' ').replaceAll(' \n', '\n'));
  const path = fc.constantFrom(
    'src/url.ts',
    'src/rate/limit.ts',
    'test/retry.test.ts',
    'lib/clock.py',
    'docs/guide.md',
  );
  const step = fc.oneof(
    fc.record({ put: path, text, refined: fc.boolean() }),
    fc.record({ remove: path }),
    fc.record({ describe: fc.dictionary(path, fc.nat(5)) }),
  );
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.array(word, { minLength: 1, maxLength: 4 }),
      (steps, question) => {
        const changed = createSearcher({ table: null });
        const now = new Map<string, SearchedFile>();
        let known = nothingKnown;
        for (const each of steps) {
          if ('put' in each) {
            const file = searchedFile(each.put, each.text, { refined: each.refined });
            changed.put([file]);
            now.set(each.put, file);
          } else if ('remove' in each) {
            changed.remove([each.remove]);
            now.delete(each.remove);
          } else {
            const counts = Object.entries(each.describe);
            known = {
              ownVendors: [],
              activity: new Map(counts),
              commits: counts.flatMap(([file, count]) =>
                ['Parse the rate limit', 'Retry'].slice(0, count).map((subject) => commit(subject, file, 'src/url.ts')),
              ),
            };
            changed.setSignals(known);
          }
        }
        const anew = createSearcher({ table: null });
        anew.setSignals(known);
        anew.put([...now.values()].sort((a, b) => (a.record.path < b.record.path ? 1 : -1)));
        const loaded = createSearcher({ table: null });
        const image = changed.exportImage({ profile: 'p', treeHash: 'tree' });
        expect(loaded.importImage(image, 'p', (place) => now.get(place)?.record ?? null)).toEqual({
          treeHash: 'tree',
          paths: expect.arrayContaining([...now.keys()]),
        });
        loaded.setSignals(known);
        for (const asked of [question.join(' '), question[0]!]) {
          const answer = anew.search({ text: asked, vector: null, top: 50 });
          expect(changed.search({ text: asked, vector: null, top: 50 })).toEqual(answer);
          expect(loaded.search({ text: asked, vector: null, top: 50 })).toEqual(answer);
        }
        expect([changed.fileCount, changed.chunkCount]).toEqual([anew.fileCount, anew.chunkCount]);
        expect([loaded.fileCount, loaded.chunkCount]).toEqual([anew.fileCount, anew.chunkCount]);
      },
    ),
    runs(150),
  );
});

test('after thousands of saves the index is swept, and nothing is lost', () => {
  const searcher = searcherWith(files);
  const before = searcher.search({ text: 'parse the address of a request', vector: null, top: 10 });
  for (let round = 0; round < 1_500; round++) searcher.put([searchedFile('src/busy.ts', `def busy${round}\n`)]);
  expect(ask(searcher, 'busy1499')).toEqual(['src/busy.ts:1']);
  searcher.remove(['src/busy.ts']);
  expect(searcher.search({ text: 'parse the address of a request', vector: null, top: 10 })).toEqual(before);
});

test('what seemed to be somebody else’s is found like other sources once its imports show that it is the product’s', () => {
  const text = 'Lists the sellers of a shop.\ndef listSellers\n';
  const others = searchedFile('app/vendors/list.ts', text);
  const vendored: SearchedFile = { ...others, record: { ...others.record, generated: true } };
  const searcher = searcherWith([vendored, searchedFile('app/z/list.ts', text), ...files]);
  expect(ask(searcher, 'list the sellers of a shop')[0]).toMatch(/^app\/z\//);
  searcher.setSignals({ ...nothingKnown, ownVendors: ['app/vendors'] });
  expect(ask(searcher, 'list the sellers of a shop')[0]).toMatch(/^app\/vendors\//);
});

test.each(['lib/changeset.ex', 'src/history.ts', 'lib/history.bash'])('%s is no documentation', (path) => {
  const text = 'Keeps what was said before.\ndef keepSaid\n';
  const [name, folder] = [path.slice(path.lastIndexOf('/') + 1), path.slice(0, path.lastIndexOf('/'))];
  const plain = `${folder}/zz${name.slice(name.lastIndexOf('.'))}`;
  const scoreOf = (searched: string) =>
    searcherWith([searchedFile(searched, text), ...files]).search({ text: 'keepSaid', vector: null, top: 1 })[0]!.score;
  expect(scoreOf(path)).toBeCloseTo(scoreOf(plain), 1);
  expect(scoreOf(path)).toBeGreaterThan(1.5 * scoreOf(`${path.replace(/\.\w+$/, '')}.md`));
});
