// Converts the findings of a linter to evidence of a verdict: a text, from which lessons are read.

import type { Problem } from './problem.ts';

/** Maximum number of stored findings, one for each rule of the linter. */
const MAX_FINDINGS = 8;
/** Maximum number of characters of a message. */
const MAX_CHARACTERS = 200;
/** Separator between the parts of a finding. No part contains a tab or a line end. */
const SEPARATOR = '\t';

/** One finding of a linter. */
export type EvidenceFinding = Pick<Problem, 'path' | 'code' | 'message'>;

/** The first finding of each rule, one on each line. Findings without a rule are skipped. */
export function formatLintEvidence(problems: readonly Problem[]): string {
  const firstByRule = new Map<string, string>();
  for (const { path, code, message } of problems)
    if (code !== '' && !firstByRule.has(code))
      firstByRule.set(code, [code, path, message.slice(0, MAX_CHARACTERS)].map(joinLines).join(SEPARATOR));
  return [...firstByRule.values()].slice(0, MAX_FINDINGS).join('\n');
}

function joinLines(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * The findings in the evidence of a verdict; empty for verdicts without such evidence, such as those of older versions.
 */
export function readLintEvidence(
  evidence: Readonly<Record<string, string | number | null>>,
): readonly EvidenceFinding[] {
  const { findings } = evidence;
  if (typeof findings !== 'string') return [];
  return findings.split('\n').flatMap((line) => {
    const [code, path, message] = line.split(SEPARATOR);
    return code && path !== undefined && message !== undefined ? [{ code, path, message }] : [];
  });
}
