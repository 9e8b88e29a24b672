// A program that the checks of no earlier run have started: what checks the changes may have been replaced.

import type { Anomaly, Facts } from './facts.ts';

/** Fewer earlier runs with known commands do not show what is usual. */
const MIN_RUNS = 3;

export function unexpectedCommand({ commits, run, since }: Facts): Anomaly | null {
  const earlier = commits.filter((one) => one.run !== run && (one.change.commands ?? []).length > 0);
  if (new Set(earlier.map((one) => one.run)).size < MIN_RUNS) return null;
  const passed = commits.filter((one) => one.run === run && one.at <= since);
  const known = new Set([...earlier, ...passed].flatMap(({ change }) => (change.commands ?? []).map(programOf)));
  for (const one of commits) {
    if (one.run !== run || one.at <= since) continue;
    const command = one.change.commands?.find((line) => !known.has(programOf(line)));
    if (command === undefined) continue;
    const reason = `“${one.change.title}” was checked with \`${command}\`; no earlier run has started that program.`;
    return { kind: 'unexpectedCommand', reason };
  }
  return null;
}

/** The words of a command line before its options and paths: `npx vitest run`. Variables before them do not count. */
function programOf(line: string): string {
  const words = line.split(/\s+/).filter((word) => word !== '');
  const rest = words.slice(words.findIndex((word) => !/^\w+=/.test(word)));
  const end = rest.findIndex((word, at) => at > 0 && /^-|[/.*]/.test(word));
  return rest.slice(0, end < 0 ? rest.length : end).join(' ');
}
