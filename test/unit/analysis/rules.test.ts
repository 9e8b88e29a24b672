// Every rule on its fixtures: what it finds in found.*, and that it keeps quiet on quiet.*. UPDATE_GOLDENS=1 rewrites
// found.*.json.

import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rules } from '../../../server/src/core/analysis/rules.ts';
import type { Opportunity } from '../../../server/src/core/model.ts';
import { findRuleFixtures } from '../../helpers/ruleFolders.ts';
import { analyseWithTree } from './analyseCase.ts';
import { mustBeHeaded } from './headed.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** Those about several files have fixtures of their own: projectRules.test.ts. */
const fileRules = rules.filter(({ scope }) => scope === 'file');

describe.each(fileRules)('$id', (rule) => {
  const found = fixturesOf(findRuleFixtures(rule.id), 'found');
  const quiet = fixturesOf(findRuleFixtures(rule.id), 'quiet');

  test.each(found)('$name', async ({ name, text }) => {
    const { opportunities, trouble } = await analyseWithTree(`src/${name}`, text);
    expect(trouble).toBeNull();
    const told = opportunities
      .filter((opportunity) => opportunity.rule === rule.id)
      .map((opportunity) => shown(opportunity, text));
    expect(told.length).toBeGreaterThan(0);
    for (const { message } of opportunities) mustBeHeaded(message);
    checkGolden(join(findRuleFixtures(rule.id), `${name}.json`), told);
  });

  test.each(quiet)('$name', async ({ name, text }) => {
    const { opportunities, trouble } = await analyseWithTree(`src/${name}`, text);
    expect(trouble).toBeNull();
    expect(
      opportunities
        .filter((opportunity) => opportunity.rule === rule.id)
        .map(({ message, range }) => `${range.startLine}: ${message}`),
    ).toEqual([]);
  });

  test('has found and quiet fixtures', () => {
    expect([found.length > 0, quiet.length > 0]).toEqual([true, true]);
  });

  test('has a page that shows an example and how to switch it off', () => {
    expect(existsSync(join(root, rule.page))).toBe(true);
    const page = readFileSync(join(root, rule.page), 'utf8');
    expect(page.startsWith(`# ${rule.title} (\`${rule.id}\`)\n`)).toBe(true);
    for (const part of [
      rule.description,
      '## Why it matters',
      '## Example',
      '```',
      '## To switch it off',
      `"${rule.id}"`,
    ])
      expect(page).toContain(part);
  });

  test('is within the scales', async () => {
    for (const { name, text } of found) {
      for (const opportunity of (await analyseWithTree(`src/${name}`, text)).opportunities) {
        expect(opportunity.impact).toBeGreaterThan(0);
        expect(opportunity.impact).toBeLessThanOrEqual(100);
        expect(opportunity.confidence).toBeGreaterThan(0);
        expect(opportunity.confidence).toBeLessThanOrEqual(1);
        expect(['hint', 'information']).toContain(opportunity.severity);
      }
    }
  });
});

/**
 * The sources of a rule. One that is long only to be long is told by its parts: `NAME.repeat` holds texts and how often
 * each stands, `#` for the count.
 */
function fixturesOf(
  folder: string,
  kind: 'found' | 'quiet',
): readonly { readonly name: string; readonly text: string }[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${kind}.`) && !name.endsWith('.json'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      if (!name.endsWith('.repeat')) return { name, text };
      const parts = JSON.parse(text) as readonly { readonly times: number; readonly text: string }[];
      return {
        name: name.slice(0, -'.repeat'.length),
        text: parts
          .map((part) =>
            Array.from({ length: part.times }, (_, count) => part.text.replaceAll('#', String(count))).join(''),
          )
          .join(''),
      };
    });
}

/** What a person would look at: where, what is underlined, what is said. */
function shown(opportunity: Opportunity, text: string): object {
  const { nameRange, range, message, severity, recipe, confidence, evidence } = opportunity;
  const line = text.split('\n')[nameRange.startLine - 1] ?? '';
  return {
    at: `${nameRange.startLine}:${nameRange.startColumn}`,
    underlined:
      nameRange.startLine === nameRange.endLine ? line.slice(nameRange.startColumn - 1, nameRange.endColumn - 1) : '…',
    lines: `${range.startLine}-${range.endLine}`,
    message,
    severity,
    recipe,
    confidence,
    evidence,
  };
}

function checkGolden(path: string, found: unknown): void {
  if (process.env['UPDATE_GOLDENS']) writeFileSync(path, `${JSON.stringify(found, null, 2)}\n`);
  expect(found).toEqual(JSON.parse(readFileSync(path, 'utf8')));
}
