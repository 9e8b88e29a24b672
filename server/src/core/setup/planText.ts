// Formats the plan of a set-up as the text that a person approves: every command with the file that requests it, and
// what it may access.

import type { SetupPlan } from '../model/setup.ts';
import type { MachineFacts } from '../ports/packages.ts';
import { SERVICE_NAMES } from './services.ts';

/**
 * Facts for the text that are not part of the plan. `tests`: the test command; null if none is known. `byFiles`:
 * packages whose install scripts the settings of the repository allow. `exact`: true if a lock file fixes the versions.
 */
export interface PlanContext {
  readonly facts: MachineFacts;
  readonly tests: string | null;
  readonly byFiles: readonly { readonly name: string; readonly because: string }[];
  readonly exact: boolean;
}

/** The text of a plan, as lines of plain text. Equal plans have equal texts. */
export function formatPlan(
  plan: Omit<SetupPlan, 'text' | 'hash'>,
  { facts, tests, byFiles, exact }: PlanContext,
): string {
  const lines: string[] = [];
  const addLine = (text: string) => lines.push(text);
  addLine('What would run once, in a scratch copy of the repository:');
  if (plan.steps.length === 0) addLine('  nothing: no package has to be installed.');
  for (const [index, step] of plan.steps.entries())
    addLine(
      `  ${index + 1}. ${step.command}\n     by ${step.because}; ${step.network ? 'with network' : 'without network'}`,
    );
  if (!exact) addLine('  There is no lock file, so another day may install other versions.');
  if (plan.steps.length > 0) {
    addLine('Network: only these hosts, through a gate of Selfware that refuses every other one:');
    addLine(`  ${plan.hosts.join(', ')}`);
    addLine(
      'Read: the system, and the scratch copy. No home folder, no tokens, no variables of yours, not your files.',
    );
    addLine(`Written: the scratch copy; what it installs is kept as packages/${plan.name} in the state folder.`);
    addLine(`Scripts of packages: ${formatScripts(plan, byFiles)}`);
  }
  if (plan.refusedCode.length > 0) addLine(`Code of the repository that is not run: ${plan.refusedCode.join(', ')}`);
  addLine(
    tests === null
      ? 'No test command was found, so changes can be judged by everything except your tests.'
      : `Then, and for every later proof, without network: ${tests}`,
  );
  for (const { kind, because, database } of plan.services)
    addLine(
      `Started beside the tests, inside the sandbox: ${SERVICE_NAMES[kind]} (${facts.programs[kind] ?? ''}), empty${database === undefined ? '' : `, with the database ${database}`}; by ${because}`,
    );
  for (const { name, value, because } of plan.values) addLine(`Variable for the tests: ${name}=${value} (${because})`);
  for (const { what, action } of plan.missing) addLine(`Missing: ${what}. ${action}`);
  addLine(`Node ${facts.node} on ${facts.platform}-${facts.arch}, the one that runs the tests.`);
  return lines.join('\n');
}

/** Says which packages may run install scripts, and which may not. */
function formatScripts(plan: Omit<SetupPlan, 'text' | 'hash'>, byFiles: PlanContext['byFiles']): string {
  const { wantScripts, allowedScripts } = plan;
  const findAllowedBy = (name: string) => byFiles.find((entry) => entry.name === name)?.because ?? 'your word';
  const allowedWithReasons = allowedScripts.map((name) => `${name} (${findAllowedBy(name)})`);
  const otherScripts = wantScripts?.filter((name) => !allowedScripts.includes(name)) ?? null;
  const runText = allowedWithReasons.length === 0 ? 'none is run' : `run: ${allowedWithReasons.join(', ')}`;
  if (otherScripts === null)
    return `${runText}. The lock file does not say which packages have some; you are told afterwards.`;
  return otherScripts.length === 0
    ? `${runText}.`
    : `${runText}. Not run: ${otherScripts.join(', ')}. Allow with --allow-scripts NAME.`;
}
