// Writes the list of what the model was learned from: repository, commit, licence, pairs.
// Usage: node tools/embedding/listSources.ts --pairs DIR --out server/models/SOURCES.md

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoriesIn } from './dataset.ts';
import { isHeldOut } from './split.ts';

interface Source {
  readonly repository: string;
  readonly commit: string;
  readonly licence: string;
  readonly counts: Readonly<Record<string, number>>;
}

const { values } = parseArgs({ options: { pairs: { type: 'string' }, out: { type: 'string' } } });
if (!values.pairs || !values.out) throw new Error('Usage: listSources.ts --pairs DIR --out FILE');
const rows = repositoriesIn(values.pairs).map((name, index) => {
  const { repository, commit, licence, counts } = JSON.parse(
    readFileSync(join(values.pairs!, `${name}.json`), 'utf8'),
  ) as Source;
  const pairs = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `| ${repository} | ${commit.slice(0, 12)} | ${licence} | ${pairs} | ${isHeldOut(index) ? 'measured only' : 'learned'} |`;
});
writeFileSync(
  values.out,
  [
    '# Sources of the term table',
    '',
    '<!-- Written by tools/embedding/listSources.ts. -->',
    '',
    'Licence: of the repository at this commit, read from its licence files.',
    '',
    '| repository | commit | licence | pairs | use |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n'),
);
