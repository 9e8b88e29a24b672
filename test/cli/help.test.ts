// The help lists the commands in groups, and the documentation has the same groups.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliEntry } from '../helpers/commandLine.ts';

test('each command is in a group, and the documentation has a section for each group with the same commands', () => {
  const help = execFileSync(process.execPath, [cliEntry, '--help'], { encoding: 'utf8' });
  const groups = groupsOf(help, /^(\S.*):$/, /^ {2}([a-z]\w+)/);
  expect(Object.keys(groups)[0]).toBe('Start here');
  expect(Object.values(groups).flat().length).toBeGreaterThan(40);
  expect(Object.keys(groups)).not.toContain('Commands');
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'commands.md'), 'utf8');
  const sections = groupsOf(page, /^## (.*)$/, /^\| `([a-z]\w+)/);
  for (const [title, commands] of Object.entries(groups)) {
    // The help explains itself, and one row explains a command and its opposite.
    const documented = commands.filter((name) => !['help', 'undismiss', 'resume'].includes(name));
    expect([title, [...new Set(sections[title])]]).toEqual([title, documented]);
  }
});

/** The names under each heading, in order. Headings without names are left out. */
function groupsOf(text: string, heading: RegExp, name: RegExp): Record<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  let current = '';
  for (const line of text.split('\n')) {
    current = heading.exec(line)?.[1] ?? current;
    const found = name.exec(line)?.[1];
    if (found !== undefined) groups.set(current, [...(groups.get(current) ?? []), found]);
  }
  return Object.fromEntries(groups);
}
