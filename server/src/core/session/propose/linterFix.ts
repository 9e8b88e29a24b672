// Uses the repository's own linter like a recipe: the linter fixes one rule in one file, in a sandbox, and the result
// becomes a proposal.

import { posix } from 'node:path';
import { throwIfCancelled } from '../../../util/typedError.ts';
import type { Opportunity } from '../../model.ts';
import { readProject } from '../../verify/detect/project.ts';
import { findLintAreas, type LintArea } from '../../verify/linters/lintAreas.ts';
import { fixers, applyFixes } from '../../verify/linters/lintFixers.ts';
import type { LintFinding } from '../../verify/linters/findings.ts';
import type { SessionContext } from '../context.ts';
import { parseLinterRule } from '../analyse/lintOpportunities.ts';
import { findLinterProblems, runLinter } from '../analyse/linting.ts';
import type { Worktree } from '../../ports/sandbox.ts';
import type { JobTable } from '../../jobs.ts';

type AppliedRecipe = JobTable['applyRecipe']['output'];

/**
 * Creates the edit with which the linter fixes one rule in the file. Expected failures are refusals. Throws
 * `cancelled`, and the errors of a sandbox.
 */
export async function fixByLinter(
  context: SessionContext,
  { path, rule: id }: Opportunity,
  signal: AbortSignal,
): Promise<AppliedRecipe> {
  if (!context.trusted) return { refused: 'The workspace is not trusted, so none of its linters is run.' };
  const linterRule = parseLinterRule(id);
  const before = decodeText(await context.ports.files.read(path));
  if (!linterRule || before === null) return { refused: 'The file no longer exists, or it is not valid UTF-8.' };
  const worktree = await context.ports.sandbox.open(signal);
  try {
    if (decodeText(await worktree.read(path)) !== before)
      return { refused: 'The sandbox holds a different text of the file.' };
    const area = (await findLintAreas(worktree, await readProject(worktree), [path], '')).find(
      ({ linter, pathsFor }) => linter.kind === linterRule.kind && pathsFor([path]).length > 0,
    );
    if (!area) return { refused: `${fixers[linterRule.kind].name} no longer checks the file.` };
    const result = await fixOneRule(context, worktree, area, path, before, linterRule.rule, signal);
    throwIfCancelled(signal);
    if ('refused' in result) return result;
    const { after, findings } = result;
    const { name } = fixers[linterRule.kind];
    const messages = [...new Set(findings.map(({ message }) => message))];
    return {
      edits: [{ path, before, after }],
      title: `Fix ${name} ${linterRule.rule} in ${posix.basename(path)}`,
      rationale: `${name} of the repository finds ${findings.length === 1 ? 'it' : `${findings.length} of it`} here and fixes it automatically, with this rule alone and its safe fixes alone. It says: ${messages.slice(0, 3).join(' ')}`,
    };
  } finally {
    await worktree.dispose();
  }
}

/** The text after the fix and the fixed findings, or the reason why there is none. */
type OneRuleFix = { readonly after: string; readonly findings: readonly LintFinding[] } | { readonly refused: string };

/**
 * Fixes the findings of one rule: by the linter's command for one rule or, if it has none, by the fixes that its
 * findings contain.
 */
async function fixOneRule(
  context: SessionContext,
  worktree: Worktree,
  area: LintArea,
  path: string,
  before: string,
  rule: string,
  signal: AbortSignal,
): Promise<OneRuleFix> {
  const [areaPath] = area.pathsFor([path]);
  const fixer = fixers[area.linter.kind!];
  const checkCommand = areaPath !== undefined && area.linter.command([areaPath]);
  if (!checkCommand) return { refused: `${fixer.name} no longer checks the file.` };
  const allFindings = await findLinterProblems(context, worktree, area, checkCommand, signal);
  if (typeof allFindings === 'string') return { refused: allFindings };
  const findingsOfFile = allFindings.filter((finding) => finding.path === areaPath);
  const findings = findingsOfFile.filter((finding) => finding.rule === rule);
  if (findings.length === 0) return { refused: `${fixer.name} no longer finds it.` };
  const command = fixer.fixRule(
    area.project,
    areaPath,
    rule,
    [...new Set(findingsOfFile.map((finding) => finding.rule))].filter((otherRule) => otherRule !== rule),
  );
  const after = command
    ? await computeTextAfterFix(context, worktree, command, path, signal)
    : applyFixes(before, findings, fixer.offsetUnit);
  return after === null || after === before
    ? { refused: `${fixer.name} changes nothing by this rule alone.` }
    : { after, findings };
}

/** Runs the command of the linter, and returns the text of the file afterwards. */
async function computeTextAfterFix(
  context: SessionContext,
  worktree: Worktree,
  command: Parameters<typeof runLinter>[2],
  path: string,
  signal: AbortSignal,
): Promise<string | null> {
  await runLinter(context, worktree, command, signal);
  return decodeText(await worktree.read(path));
}

/**
 * The text of UTF-8 bytes, with its byte-order mark; null if there are no bytes, or if they are not valid UTF-8, which
 * shows in U+FFFD.
 */
function decodeText(bytes: Uint8Array | null): string | null {
  const text = bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return text === null || text.includes('\uFFFD') ? null : text;
}
