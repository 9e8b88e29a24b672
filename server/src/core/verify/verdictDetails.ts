// Details for the reader of a verdict besides its sentence: the output of the tests, or the mistakes that no test
// notices.

import type { Verdict } from '../model.ts';

/** Maximum number of shown lines of an output. */
const MAX_LINES = 24;
/** Maximum number of shown mutants. */
const MAX_MUTANTS = 8;
/** Matches a mutant as `describeMutant` formats it: place, old code, new code. */
const MUTANT_PATTERN = /^(.+?:\d+) (.+) → (.+)$/;

/** Text that explains a verdict. */
export interface VerdictDetails {
  readonly title: string;
  /** Lines without colours, not yet safe for a terminal. */
  readonly text: string;
}

/**
 * For failed tests: the runner's messages about them, or else the last lines of the output. For the gate guard: the
 * mutants that no test notices. Null for other verdicts, and if there is nothing to show.
 */
export function createVerdictDetails({ gate, outcome, evidence }: Verdict): VerdictDetails | null {
  if (gate === 'tests' && outcome === 'failed') {
    const { messages, output } = evidence;
    const text =
      typeof messages === 'string' ? takeFirstLines(messages, MAX_LINES) : takeLastLines(String(output ?? ''));
    return text === '' ? null : { title: 'What the tests say', text };
  }
  const { missed } = evidence;
  if (gate !== 'guard' || typeof missed !== 'string' || missed === '') return null;
  return {
    title: 'No test notices',
    text: takeFirstLines(missed.split('\n').map(formatAsCondition).join('\n'), MAX_MUTANTS),
  };
}

/**
 * The place and change of a mutant as a condition, such as "src/a.ts:5 if `<` becomes `<=`". Other lines stay as they
 * are.
 */
function formatAsCondition(mutant: string): string {
  const [, place, old, text] = MUTANT_PATTERN.exec(mutant) ?? [];
  if (place === undefined) return mutant;
  return `${place} if \`${old}\` ${text === ';' || text === 'nothing' ? 'is left out' : `becomes \`${text}\``}`;
}

function takeFirstLines(text: string, count: number): string {
  const lines = listNonEmptyLines(text);
  return [...lines.slice(0, count), ...(lines.length > count ? ['…'] : [])].join('\n');
}

function takeLastLines(text: string): string {
  const lines = listNonEmptyLines(text);
  return [...(lines.length > MAX_LINES ? ['…'] : []), ...lines.slice(-MAX_LINES)].join('\n');
}

function listNonEmptyLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}
