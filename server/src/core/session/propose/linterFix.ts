// Uses the repository's own linter like a recipe: it fixes one rule in one file, in a sandbox, and the result becomes a
// proposal.

import { posix } from 'node:path';
import { throwIfCancelled } from '../../../util/typedError.ts';
import type { Opportunity } from '../../model.ts';
import { readProject } from '../../verify/detect/project.ts';
import { lintAreas, type LintArea } from '../../verify/linters/areas.ts';
import { fixers, withFixes } from '../../verify/linters/fixers.ts';
import type { LintFinding } from '../../verify/linters/findings.ts';
import type { SessionContext } from '../context.ts';
import { linterRuleOf } from '../look/lintOpportunities.ts';
import { askLinter, runLinter } from '../look/linting.ts';
import type { Worktree } from '../../ports/sandbox.ts';
import type { JobTable } from '../../jobs.ts';

type Realised = JobTable['realise']['output'];

/** Everything expected is a refusal. Throws what a sandbox throws. */
export async function fixByLinter(
  context: SessionContext,
  { path, rule: id }: Opportunity,
  signal: AbortSignal,
): Promise<Realised> {
  if (!context.trusted) return { refused: 'The workspace is not trusted, so none of its linters is run.' };
  const asked = linterRuleOf(id);
  const before = textOf(await context.ports.files.read(path));
  if (!asked || before === null) return { refused: 'The file no longer exists, or it is not valid UTF-8.' };
  const worktree = await context.ports.sandbox.open(signal);
  try {
    if (textOf(await worktree.read(path)) !== before)
      return { refused: 'The sandbox holds a different text of the file.' };
    const area = (await lintAreas(worktree, await readProject(worktree), [path], '')).find(
      ({ linter, pathsFor: told }) => linter.kind === asked.kind && told([path]).length > 0,
    );
    if (!area) return { refused: `${fixers[asked.kind].name} no longer checks the file.` };
    const mended = await mend(context, worktree, area, path, before, asked.rule, signal);
    throwIfCancelled(signal);
    if ('refused' in mended) return mended;
    const { after, findings } = mended;
    const { name } = fixers[asked.kind];
    const messages = [...new Set(findings.map(({ message }) => message))];
    return {
      edits: [{ path, before, after }],
      title: `${posix.basename(path)}: let ${name} mend ${asked.rule}`,
      rationale: `${name} of the repository finds ${findings.length === 1 ? 'it' : `${findings.length} of it`} here and fixes it automatically, with this rule alone and its safe fixes alone. It says: ${messages.slice(0, 3).join(' ')}`,
    };
  } finally {
    await worktree.dispose();
  }
}

type Mended = { readonly after: string; readonly findings: readonly LintFinding[] } | { readonly refused: string };

async function mend(
  context: SessionContext,
  worktree: Worktree,
  area: LintArea,
  path: string,
  before: string,
  rule: string,
  signal: AbortSignal,
): Promise<Mended> {
  const [told] = area.pathsFor([path]);
  const fixer = fixers[area.linter.kind!];
  const look = told !== undefined && area.linter.command([told]);
  if (!look) return { refused: `${fixer.name} no longer checks the file.` };
  const found = await askLinter(context, worktree, area, look, signal);
  if (typeof found === 'string') return { refused: found };
  const all = found.filter((finding) => finding.path === told);
  const findings = all.filter((finding) => finding.rule === rule);
  if (findings.length === 0) return { refused: `${fixer.name} no longer finds it.` };
  const command = fixer.fixRule(
    area.project,
    told,
    rule,
    [...new Set(all.map((finding) => finding.rule))].filter((other) => other !== rule),
  );
  const after = command
    ? await textAfterFix(context, worktree, command, path, signal)
    : withFixes(before, findings, fixer.offsets);
  return after === null || after === before
    ? { refused: `${fixer.name} changes nothing by this rule alone.` }
    : { after, findings };
}

async function textAfterFix(
  context: SessionContext,
  worktree: Worktree,
  command: Parameters<typeof runLinter>[2],
  path: string,
  signal: AbortSignal,
): Promise<string | null> {
  await runLinter(context, worktree, command, signal);
  return textOf(await worktree.read(path));
}

/** Null if it is not UTF-8; a byte-order mark is kept. */
function textOf(bytes: Uint8Array | null): string | null {
  const text = bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return text === null || text.includes('\uFFFD') ? null : text;
}
