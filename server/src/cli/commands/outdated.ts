// `selfware outdated`: lists outdated and vulnerable dependencies, and proposes updates that a person requests.

import { SelfwareError, describeError } from '../../util/typedError.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';
import type { CheckedUpdate, LookUpPlan, OutdatedReport, UpdateDraft } from '../../core/model/dependencies.ts';
import type { Proposal } from '../../core/model.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions, type Invocation } from '../invocation.ts';
import { requirePersonOrYes } from '../person.ts';
import { formatCulprits, formatDraft, formatLookUpPlan, formatOutdated } from '../writers/outdated.ts';
import { formatProposal } from '../writers/proposal.ts';
import { collectNames } from '../collectNames.ts';

/** The advice for somebody who may not decide. */
const PLAN_HINT = '`selfware outdated --plan` shows what would be asked, and asks nothing.';
/** Matches NAME or NAME@VERSION; a name may have a scope, as in `@scope/name`. */
const PACKAGE_SPEC_PATTERN = /^(@?[^@]+)(?:@(.+))?$/;

interface OutdatedOptions extends CommonOptions {
  readonly plan?: boolean;
  readonly yes?: boolean;
  readonly update: readonly string[];
  readonly updateMinor?: boolean;
  readonly allowScripts: readonly string[];
  readonly again?: boolean;
}

/**
 * The subcommand `outdated`. Its exit code is that of `chooseExitCode` for the list; for updates, it is 1 if all were
 * proposed, and 2 if one of several could not be proposed.
 */
export const outdatedCommand: CommandFactory = (setExitCode) =>
  createCommand(
    'outdated',
    'outdated and vulnerable dependencies, from the registry after asking; --update proposes one, --update-minor many',
  )
    .option('--plan', 'only show which hosts would be asked, and what they would get')
    .option(
      '--update <name[@version]>',
      'propose this update, after installing and testing it in the sandbox (repeatable; default version: latest)',
      collectNames,
      [] as readonly string[],
    )
    .option(
      '--update-minor',
      'propose all minor and patch updates as one change; if they fail together, those that pass, and name the others',
    )
    .option('--allow-scripts <names>', 'packages whose install scripts may run', collectNames, [] as readonly string[])
    .option('--again', 'also if the same update was refused or rejected before')
    .option('--yes', 'do not ask; at a terminal, or where your own settings let scripts decide')
    .action((options: OutdatedOptions) =>
      withSession({ ...options, searches: false }, async (invocation) => {
        const { session, signal, report, json, colors, out, outJson } = invocation;
        const updates = options.update.map(parsePackageSpec);
        if (options.updateMinor && updates.length > 0)
          throw new SelfwareError('usage', '--update-minor and --update make different proposals.', {
            action: 'Ask for them one after the other.',
          });
        const plan = await session.dependencies.plan({ signal, report });
        if (options.plan) return json ? outJson(plan) : out(formatLookUpPlan(plan));
        await requireLookUpConsent(plan, options, invocation);
        if (options.updateMinor) {
          await requirePersonsRequest([], options, invocation);
          const { proposal, culprits, left } = await proposeUpdate('minor', options, invocation);
          setExitCode(1);
          return json ? outJson({ proposal, culprits, left }) : undefined;
        }
        if (updates.length > 0) {
          await requirePersonsRequest(updates, options, invocation);
          const proposals = await proposeUpdates(updates, options, invocation);
          setExitCode(proposals.length < updates.length ? 2 : 1);
          return json ? outJson(proposals) : undefined;
        }
        const answer = await session.dependencies.outdated({ signal, report });
        setExitCode(chooseExitCode(answer));
        if (json) outJson(answer);
        else out(formatOutdated(answer, colors));
      }),
    );

/**
 * Asks the person about all hosts without consent in one question, and records the consent, so that no host is asked
 * about twice. Throws the errors of `requirePersonOrYes`.
 */
async function requireLookUpConsent(
  plan: LookUpPlan,
  { yes = false }: OutdatedOptions,
  { session, ownSettings, note }: Invocation,
): Promise<void> {
  if (plan.unasked.length === 0) return;
  await requirePersonOrYes({
    subject: 'Looking up dependencies',
    does: `sends ${plan.sends} to ${plan.unasked.join(', ')}`,
    question: `Ask ${plan.unasked.join(', ')}, now and in future?`,
    look: PLAN_HINT,
    yes,
    ownSettings,
    show: () => note(formatLookUpPlan(plan)),
  });
  await session.dependencies.consent(plan);
}

/**
 * Makes sure that a person requests these updates, because they are recorded as the request of a person. An empty list
 * stands for all minor and patch updates. Throws the errors of `requirePersonOrYes`.
 */
async function requirePersonsRequest(
  updates: readonly NamedVersion[],
  { yes = false }: OutdatedOptions,
  { ownSettings, note }: Invocation,
): Promise<void> {
  const isForAllMinor = updates.length === 0;
  const namesText = isForAllMinor
    ? 'all minor and patch updates'
    : updates.map(({ name, version }) => `${name}@${version}`).join(', ');
  await requirePersonOrYes({
    subject: `Updating ${isForAllMinor ? 'dependencies' : updates.map(({ name }) => name).join(', ')}`,
    does: 'is filed as the request of a person',
    question: updates.length === 1 ? 'Make this update, as your request?' : 'Make these updates, as your request?',
    look: PLAN_HINT,
    yes,
    ownSettings,
    show: () => note(escapeInvisibleLine(`Asked for: ${namesText}`)),
  });
}

/** A package with the version to update to. */
interface NamedVersion {
  readonly name: string;
  readonly version: string;
}

/**
 * Proposes several updates. If one of several cannot be made, a note says so and the others are proposed; a single one
 * throws.
 */
async function proposeUpdates(
  updates: readonly NamedVersion[],
  options: OutdatedOptions,
  invocation: Invocation,
): Promise<readonly Proposal[]> {
  const proposals: Proposal[] = [];
  for (const update of updates)
    try {
      proposals.push((await proposeUpdate([update], options, invocation)).proposal);
    } catch (error) {
      if (updates.length === 1 || !(error instanceof SelfwareError) || invocation.signal.aborted) throw error;
      invocation.note(`${update.name}: ${describeError(error)}`);
    }
  return proposals;
}

/**
 * Makes the update of these packages, or of all minor and patch updates, as one change. Installs and checks it in the
 * sandbox, files it as a proposal, and prints the proposal unless the output is JSON. Nothing is applied before a
 * person approves the proposal.
 */
async function proposeUpdate(
  packages: readonly NamedVersion[] | 'minor',
  { yes = false, allowScripts: scripts, again = false }: OutdatedOptions,
  { session, ownSettings, signal, report, json, colors, note, out }: Invocation,
): Promise<CheckedUpdate & Pick<UpdateDraft, 'left'>> {
  const draft: UpdateDraft = await session.dependencies.draft({ packages, scripts }, { signal, report });
  const names = draft.updates.map(({ name }) => name).join(', ');
  const show = (): void => note(formatDraft(draft, colors));
  if (draft.install === null) show();
  else
    await requirePersonOrYes({
      subject: `Checking the update of ${names}`,
      does: 'installs packages',
      question: 'Install this once, and check the update?',
      look: PLAN_HINT,
      yes,
      ownSettings,
      show,
    });
  const { proposal, culprits } = await session.dependencies.check(draft.hash, { signal, report }, { again });
  if (!json) {
    const manifestEdits = proposal.edits.filter(({ path }) => path.endsWith('package.json'));
    out(formatProposal({ ...proposal, edits: manifestEdits }, colors));
    if (draft.updates.length > 1) for (const line of formatCulprits(culprits)) out(line);
    out(
      proposal.status === 'verified'
        ? `To apply it: selfware proposals approve ${proposal.id}`
        : `Refused, so it cannot be applied. The details: selfware proposals show ${proposal.id}`,
    );
  }
  return { proposal, culprits, left: draft.left };
}

/**
 * The exit code: 1 if a package is outdated or vulnerable; otherwise 2 if something is unknown, and 0 if everything is
 * current.
 */
function chooseExitCode({ dependencies, others, unknown }: OutdatedReport): 0 | 1 | 2 {
  const isActionable = ({ update, advisories }: OutdatedReport['dependencies'][number]) =>
    (advisories?.length ?? 0) > 0 || ['patch', 'minor', 'major'].includes(update);
  if (others.length > 0 || dependencies.some(isActionable)) return 1;
  const areAllKnown = dependencies.every(({ update, advisories }) => update !== 'unknown' && advisories !== null);
  return areAllKnown && unknown.length === 0 ? 0 : 2;
}

/**
 * The package and the version that an argument names; the version is `latest` by default. Throws `usage` if it names no
 * package.
 */
function parsePackageSpec(spec: string): NamedVersion {
  const [, name, version = 'latest'] = PACKAGE_SPEC_PATTERN.exec(spec) ?? [];
  if (name === undefined)
    throw new SelfwareError('usage', `${JSON.stringify(spec)} names no package.`, {
      action: 'Write it as NAME or NAME@VERSION.',
    });
  return { name, version };
}
