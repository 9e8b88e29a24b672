// What names, folders and commits say of a file, each by itself.

import { describe, expect, test } from 'vitest';
import { createCommitIndex } from '../../../server/src/core/index/search/commitIndex.ts';
import { extractFileNameTerms } from '../../../server/src/core/index/search/fileName.ts';
import { computeHistorySignals } from '../../../server/src/core/index/search/historySignals.ts';
import { createScratch } from '../../../server/src/core/index/search/scratch.ts';
import {
  computePenalties,
  createPenaltyFactor,
  computeTypesFactor,
} from '../../../server/src/core/index/search/penalties.ts';
import { HALF_LIFE_MS, MAX_FILES_OF_COMMIT, TYPES_PENALTY } from '../../../server/src/core/index/search/weights.ts';
import type { SymbolInfo } from '../../../server/src/core/model.ts';
import { searchedFile } from './searchedFiles.ts';
import type { Commit } from '../../../server/src/core/ports/git.ts';

const commit = (subject: string, paths: readonly string[], atMs = 0): Commit => ({
  hash: subject,
  atMs,
  subject,
  paths,
});

describe('the name of a file', () => {
  test.each([
    ['src/http/parseUrl.ts', ['parseurl', 'pars', 'url']],
    ['src/extract/mod.rs', ['extract']],
    ['packages/core/src/index.ts', ['core']],
    ['flask/__init__.py', ['flask']],
    ['src/main.c', ['main']],
    ['Makefile', ['makefil']],
  ])('%s', (path, terms) => {
    expect(extractFileNameTerms(path)).toEqual(terms);
  });
});

describe('where a file lies', () => {
  const factor = (path: string, ...terms: string[]) =>
    createPenaltyFactor(terms)(computePenalties({ path, generated: false }));

  test.each(['docs_src/tutorial.py', 'docs-examples/a.ts', 'doc_snippets/a.py', 'examples/a.ts'])(
    '%s is an example',
    (path) => {
      expect(factor(path)).toBeLessThan(1);
      expect(factor(path, 'exampl')).toBe(1);
    },
  );

  test.each(['src/docs.ts', 'documents/a.ts', 'src/docSource/a.ts'])('%s is not', (path) => {
    expect(factor(path)).toBe(1);
  });
});

describe('what a file declares', () => {
  const symbols = (kinds: readonly string[]) =>
    searchedFile('a.ts', kinds.map((_, at) => `def a${at}`).join('\n')).record.symbols.map((symbol, at) => ({
      ...symbol,
      kind: kinds[at]! as SymbolInfo['kind'],
    }));

  test.each([
    [[], 1],
    [['function', 'class'], 1],
    [['type', 'function'], 1 - TYPES_PENALTY / 2],
    [['type', 'interface'], 1 - TYPES_PENALTY],
  ])('%j', (kinds, factor) => {
    expect(computeTypesFactor({ symbols: symbols(kinds) })).toBeCloseTo(factor);
  });
});

describe('commits', () => {
  const worths = (commits: readonly Commit[], terms: readonly string[], living = (_: string) => true) => {
    const paths: string[] = [];
    const fileOf = (path: string) =>
      !living(path) ? -1 : paths.includes(path) ? paths.indexOf(path) : paths.push(path) - 1;
    const scratch = createScratch();
    const files = scratch.scores('files', 100);
    const index = createCommitIndex(commits);
    index.score(terms, fileOf, scratch.scores('commits', index.count), files);
    return new Map(paths.map((path, at) => [path, files.values[at]!]));
  };
  const others = Array.from({ length: 20 }, (_, at) => commit(`Change ${at}`, ['else.ts']));

  test('speak for what they touched, and nothing else', () => {
    expect([
      ...worths([commit('Retry requests', ['a.ts']), commit('Mend the clock', ['b.ts'])], ['retri']).keys(),
    ]).toEqual(['a.ts']);
    expect(worths([commit('Retry requests', ['a.ts'])], ['clock']).size).toBe(0);
    expect(worths([], ['clock']).size).toBe(0);
  });

  test('say less of each of many files, and nothing of very many', () => {
    const found = worths(
      [
        commit('Retry', ['alone.ts']),
        commit('Retry', ['one.ts', 'other.ts']),
        commit(
          'Retry',
          Array.from({ length: MAX_FILES_OF_COMMIT + 1 }, (_, at) => `${at}.ts`),
        ),
      ],
      ['retri'],
    );
    expect([...found.keys()]).toEqual(['alone.ts', 'one.ts', 'other.ts']);
    expect(found.get('alone.ts')).toBeGreaterThan(found.get('one.ts')!);
  });

  test('say less of a file that is changed all the time', () => {
    const found = worths(
      [
        commit('Retry', ['calm.ts', 'busy.ts']),
        ...Array.from({ length: 20 }, (_, at) => commit(`Change ${at}`, ['busy.ts'])),
      ],
      ['retri'],
    );
    expect(found.get('calm.ts')).toBeGreaterThan(found.get('busy.ts')!);
  });

  test('say little when none of them has much of the question', () => {
    const commits = [commit('Retry', ['a.ts']), ...others];
    expect(worths(commits, ['retri']).get('a.ts')).toBe(1);
    expect(worths(commits, ['retri', 'clock', 'stop']).get('a.ts')).toBeLessThan(0.5);
  });

  test('leave out files that are gone', () => {
    const commits = [commit('Retry', ['gone.ts']), commit('Retry twice', ['gone.ts', 'a.ts']), ...others];
    expect([...worths(commits, ['retri'], (path) => path !== 'gone.ts').keys()]).toEqual(['a.ts']);
  });

  test('leave the scratch as they found it', () => {
    const index = createCommitIndex([commit('Retry', ['a.ts'])]);
    const scratch = createScratch();
    const scores = scratch.scores('commits', index.count);
    index.score(['retri'], () => 0, scores, scratch.scores('files', 1));
    expect([scores.count, scores.values[0]]).toEqual([0, 0]);
  });

  test('count as activity by their age, counted from the newest', () => {
    const later = 5 * HALF_LIFE_MS;
    const { activity } = computeHistorySignals([
      commit('new', ['a.ts', 'b.ts', 'c.ts', 'd.ts'], later),
      commit('old', ['e.ts'], later - HALF_LIFE_MS),
    ]);
    expect([activity.get('a.ts'), activity.get('e.ts')]).toEqual([0.5, 0.5]);
    expect(computeHistorySignals([]).activity.size).toBe(0);
  });
});
