// Rules about several files on small repositories: found-* as in expected.json, quiet-* and quiet without a word.
// UPDATE_GOLDENS=1 rewrites expected.json.

import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findProjectOpportunities } from '../../../server/src/core/analysis/project/projectOpportunities.ts';
import { rules } from '../../../server/src/core/analysis/rules.ts';
import type { Opportunity } from '../../../server/src/core/model.ts';
import type { Texts } from '../index/graphSupport.ts';
import { findRuleFixtures } from '../../helpers/ruleFolders.ts';
import { mustBeHeaded } from './headed.ts';
import { foundIn, projectViewOf, textsIn } from './projectCase.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const projectRules = rules.filter(({ needs }) => needs === 'project');
const GOLDEN = 'expected.json';

describe.each(projectRules)('$id', ({ id, title, page, description }) => {
  const fixtures = findRuleFixtures(id);
  const cases = readdirSync(fixtures).sort();

  test('has something to find and something to pass over', () => {
    expect(cases.some((name) => name.startsWith('found'))).toBe(true);
    expect(cases.some((name) => name.startsWith('quiet'))).toBe(true);
  });

  test.each(cases.filter((name) => name.startsWith('found')))('%s', async (name) => {
    const folder = join(fixtures, name);
    const found = await foundIn(sources(folder), id);
    expect(found.length).toBeGreaterThan(0);
    for (const { impact, confidence, message } of found) {
      mustBeHeaded(message);
      expect(impact).toBeGreaterThan(0);
      expect(impact).toBeLessThanOrEqual(100);
      expect(confidence).toBeGreaterThan(0);
      expect(confidence).toBeLessThanOrEqual(1);
    }
    const shownNow = found.map(shown);
    const golden = join(folder, GOLDEN);
    if (process.env['UPDATE_GOLDENS'] === '1' || !existsSync(golden))
      writeFileSync(golden, `${JSON.stringify(shownNow, null, 2)}\n`);
    expect(shownNow).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
  });

  test.each(cases.filter((name) => name.startsWith('quiet')))('%s', async (name) => {
    expect(
      (await foundIn(sources(join(fixtures, name)), id)).map(({ path, message }) => `${path}: ${message}`),
    ).toEqual([]);
  });

  test('has a page that shows an example and how to switch it off', () => {
    const text = readFileSync(join(root, page), 'utf8');
    expect(text.startsWith(`# ${title} (\`${id}\`)\n`)).toBe(true);
    for (const part of [description, '## Why it matters', '## Example', '```', '## To switch it off', `"${id}"`])
      expect(text).toContain(part);
  });
});

test('the order of the files says nothing, and ids stay when code is added elsewhere', async () => {
  const texts = sources(join(findRuleFixtures('unused-export'), 'found-dead'));
  const view = await projectViewOf(texts);
  const { signal } = new AbortController();
  expect(await findProjectOpportunities({ ...view, files: view.files.toReversed() }, signal)).toEqual(
    await findProjectOpportunities(view, signal),
  );
  const ids = (await foundIn(texts, 'unused-export')).map(({ id }) => id);
  const longer = { ...texts, 'src/price.ts': `// One line more.\n\n${texts['src/price.ts']}` };
  expect((await foundIn(longer, 'unused-export')).map(({ id }) => id)).toEqual(ids);
});

test('an aborted signal ends it between rules', async () => {
  const view = await projectViewOf(sources(join(findRuleFixtures('import-cycle'), 'found-pair')));
  await expect(findProjectOpportunities(view, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});

function sources(folder: string): Texts {
  const { [GOLDEN]: _golden, ...texts } = textsIn(folder) as Record<string, string>;
  return texts;
}

/** What a person would look at. */
function shown({
  path,
  range,
  nameRange,
  symbol,
  severity,
  message,
  confidence,
  evidence,
  related = [],
}: Opportunity): object {
  return {
    at: `${path}:${nameRange.startLine}:${nameRange.startColumn}`,
    lines: `${range.startLine}-${range.endLine}`,
    symbol,
    severity,
    message,
    confidence,
    evidence,
    related: related.map((place) => `${place.path}:${place.range.startLine} ${place.message}`),
  };
}
