// A walk for a few rules alone counts as the whole one does, on a sample of our own sources.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { analyseSource, type SourceAnalysis } from '../../../server/src/core/analysis/analyse.ts';
import { WALK_RULES } from '../../../server/src/core/analysis/rules.ts';
import { languageOfPath } from './analyseCase.ts';

/** The sample is every third file. */
const STRIDE = 3;
const sources = join(import.meta.dirname, '..', '..', '..', 'server', 'src', 'core');

test('every function has the same figures, every finding is the same', () => {
  const paths = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort();
  expect(paths.length).toBeGreaterThan(200);
  let found = 0;
  for (const path of paths.filter((_, at) => at % STRIDE === 0)) {
    const input = {
      path: `src/${path.replaceAll('\\', '/')}`,
      text: readFileSync(join(sources, path), 'utf8'),
      language: languageOfPath(path),
      tree: null,
      symbols: null,
      generated: false,
    };
    const [whole, brief] = [analyseSource(input), analyseSource({ ...input, only: WALK_RULES })];
    expect(figures(brief)).toEqual(figures(whole));
    expect(brief.opportunities).toEqual(whole.opportunities.filter(({ rule }) => WALK_RULES.has(rule)));
    expect(brief.imports).toEqual(whole.imports);
    found += brief.opportunities.length;
  }
  expect(found).toBeGreaterThan(0);
});

function figures({ functions }: SourceAnalysis): unknown[] {
  return functions
    .filter(({ cognitive }) => cognitive > 0)
    .map(({ halstead: _, maintainability: __, ...rest }) => rest);
}
