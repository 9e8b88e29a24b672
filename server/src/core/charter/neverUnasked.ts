// Lists what no run does without a person, and what never happens in a run, whatever the evidence is. Each line names
// the capability or the protected paths that enforce it, so that tests can check it.

import { AUTHORS } from '../model/authors.ts';
import { DEFAULT_ALLOWANCES, type Capability } from '../model/capabilities.ts';

/** A line of the table that is shown before a run. */
export interface FixedRow {
  /** The kind of change, as the subject of a sentence. */
  readonly change: string;
  /** What happens to such a change, as the end of the sentence. */
  readonly becomes: string;
  /** The capability that only a person has. */
  readonly capability?: Capability;
  /** Examples of paths that no proposal may edit. */
  readonly protectedPaths?: readonly string[];
}

const PERSON_ONLY_ROWS: readonly (Pick<FixedRow, 'change'> & { readonly capability: Capability })[] = [
  { change: 'Cloning a repository', capability: 'clone' },
  { change: 'Installing packages', capability: 'install' },
];

const NEVER_ROWS: readonly (Pick<FixedRow, 'change'> & { readonly protectedPaths: readonly string[] })[] = [
  {
    change: 'A change of the mission and of your rules (`MISSION.md`, `.selfware`, settings of the editor)',
    protectedPaths: [
      'MISSION.md',
      'docs/mission.md',
      '.selfware/charter.json',
      '.selfwareignore',
      '.vscode/settings.json',
    ],
  },
  {
    change: 'A change of benchmark logs (`bench*.log`, `benchmark-results`, `.benchmarks`)',
    protectedPaths: [
      ...['bench.log', 'logs/benchmark-2026.log', 'bench.jsonl', 'benchmark-results/one.json', 'benchmark_logs/a.txt'],
      ...['bench-results/one.csv', '.benchmarks/Linux/0001.json'],
    ],
  },
  {
    change: 'A change of the git history, its refs or its hooks',
    protectedPaths: ['.git/HEAD', '.git/refs/heads/main', '.git/hooks/pre-commit', '.gitattributes', '.husky/pre-push'],
  },
  {
    change: 'A change of anything outside the repository, or of a repository inside it',
    protectedPaths: ['../other/a.ts', '/etc/passwd', 'src/../../a.ts', 'C:/a.ts'],
  },
];

/** The lines: first those about what waits for a person, then those about what never happens. */
export function describeNeverUnasked(): readonly FixedRow[] {
  const isOnlyForPersons = (capability: Capability) =>
    AUTHORS.every((author) => author === 'person' || !DEFAULT_ALLOWANCES[author].may.includes(capability));
  return [
    { change: 'Deleting a file', becomes: 'waits for you' },
    ...PERSON_ONLY_ROWS.flatMap((row) =>
      isOnlyForPersons(row.capability) ? { ...row, becomes: 'waits for you; no run does it' } : [],
    ),
    ...NEVER_ROWS.map((row) => ({ ...row, becomes: 'never happens' })),
  ];
}
