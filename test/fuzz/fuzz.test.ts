// A slice of `npm run bench -- fuzz`: mutated sources of every language neither crash nor hang the analysis.

import { expect, test } from 'vitest';
import { groupByLanguage, mutantOf, runCampaign } from './campaign.ts';
import { fuzzSources } from './sources.ts';

const SEED = 1;
const INPUTS = 300;
/** Enough to tell that mutants are analysed, not only refused; how many there are depends on what is installed. */
const MIN_FUNCTIONS = INPUTS / 2;
/** Languages with a grammar. */
const LANGUAGES = 20;

const sources = fuzzSources([], SEED);

test('mutants are analysed or refused, whatever they are', { timeout: 600_000 }, async () => {
  const { byLanguage, faults } = await runCampaign(
    { inputs: INPUTS, seed: SEED, sources, note: () => undefined },
    new AbortController().signal,
  );
  expect(faults.map(({ mutant, ...fault }) => fault)).toEqual([]);
  expect(byLanguage.size).toBe(LANGUAGES);
  expect([...byLanguage.values()].reduce((sum, { functions }) => sum + functions, 0)).toBeGreaterThan(MIN_FUNCTIONS);
});

test('the same seed gives the same mutants, another seed others', () => {
  const groups = groupByLanguage(sources);
  const mutants = (seed: number) => Array.from({ length: 50 }, (_, input) => mutantOf(input, seed, groups).mutant);
  expect(mutants(3)).toEqual(mutants(3));
  expect(mutants(3)).not.toEqual(mutants(4));
});
