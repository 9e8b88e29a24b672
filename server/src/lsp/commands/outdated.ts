// The server command `outdated`: looks up outdated dependencies, and proposes the update that a person chooses, like
// `selfware outdated`.

import { fencedBlock, joinLines, md } from '#protocol/markdown';
import type { CommandOutcome, UpdateChoice } from '#protocol/review';
import type { Advisory, CheckedDependency, LookUpPlan, UpdateDraft } from '../../core/model/dependencies.ts';
import { hasMinorUpdate } from '../../core/setup/updates/compatibleUpdates.ts';
import { createUpdateTitle, formatUpdateLine } from '../../core/setup/updates/describeUpdate.ts';
import { formatCount } from '../../util/counted.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';
import { readOptionalFlag, readOptionalText } from './commandArguments.ts';
import { offerReview } from '../offerReview.ts';
import type { Repository, ServerContext } from '../serverContext.ts';
import { toReview } from '../toProtocol.ts';
import { reportOutcome, requireTrust, runWithProgress, type CommandRequest, type ServerCommand } from './command.ts';

const TITLE = 'Selfware: Check for Outdated Dependencies';
/** Maximum number of packages of a lock file that the page names. */
const MAX_PACKAGES = 50;

/**
 * Answers by its arguments:
 *
 * - none: lists the updates. If nobody has agreed to ask the registry, asks for that instead (`registries`).
 * - `agreed`, with the agreement from that question: records the consent, and lists the updates.
 * - `update` with `version` and `manifest`, or `minor` for all minor and patch updates: drafts an update, and answers
 *   with its hash (`approve`) and a page about it. If the same update was turned down before, the message says so, and
 *   `again` has the hash, too.
 * - `approved`, with the hash: installs, files and checks the update; with `again: true`, although it was turned down.
 *
 * The last two need a client that shows reviews, because a person has to ask for the update and approve it; an agent
 * that drives an editor counts as a person.
 */
export const outdatedCommand: ServerCommand = async (context, request) => {
  const [agreedText, update, version = 'latest', approved, manifest] = (
    ['agreed', 'update', 'version', 'approved', 'manifest'] as const
  ).map((name) => readOptionalText(request.args, name));
  const isForAllMinor = readOptionalFlag(request.args, 'minor') ?? false;
  const isUpdate = isForAllMinor || update !== undefined;
  const repository = context.repositories.chosen();
  await repository.session();
  requireTrust(repository);
  // Only a client that asks the person itself can pass on the person's request and approval.
  if ((isUpdate || approved !== undefined) && !context.abilities.canReview) return refuseUpdate(context);
  if (approved !== undefined) return proposeUpdate(context, repository, request, approved);
  const title = 'Selfware: checking for outdated dependencies';
  const plan = await runWithProgress(context, repository, title, request, async (session, operation) => {
    const lookUpPlan = await session.dependencies.plan(operation);
    // Only a client that asks the person itself can pass on the person's answer.
    if (!context.abilities.canReview || agreedText !== describeAgreement(lookUpPlan) || lookUpPlan.unasked.length === 0)
      return lookUpPlan;
    await session.dependencies.consent(lookUpPlan);
    return { ...lookUpPlan, unasked: [] };
  });
  if (plan.unasked.length > 0) return askAboutRegistries(context, plan);
  if (isUpdate) {
    const requestedUpdate = { name: update ?? '', version, ...(manifest === undefined ? {} : { manifest }) };
    const packages = isForAllMinor ? 'minor' : [requestedUpdate];
    const draft = await runWithProgress(context, repository, title, request, (session, operation) =>
      session.dependencies.draft({ packages, scripts: [] }, operation),
    );
    const refusal = draft.refusal === null ? '' : `${draft.refusal} If you agree, it is checked once more.\n\n`;
    const message = `${refusal}${describeDraft(draft)}${draft.install === null ? '' : ', and install the packages of both sides to check it'}.`;
    const page = { title: TITLE, markdown: renderDraft(draft) };
    const retry = draft.refusal === null ? {} : { again: draft.hash };
    return { ok: true, message, review: null, approve: draft.hash, ...retry, page };
  }
  const { dependencies, others, unknown } = await runWithProgress(
    context,
    repository,
    title,
    request,
    (session, operation) => session.dependencies.outdated(operation),
  );
  const choices = dependencies.flatMap(createChoices);
  const updates = [...createGroupChoice(dependencies), ...choices, ...others.map(createAdvisoryChoice)];
  const updateCount = choices.filter((choice) => choice.version !== null).length;
  const sentences = [
    updateCount === 0
      ? 'No update is known.'
      : `${formatCount(updateCount, 'update')} of ${formatCount(dependencies.length, 'dependency', 'dependencies')}.`,
    ...unknown.map(({ reason, action }) => `${reason} ${action}`),
  ];
  const message = escapeInvisibleLine(sentences.join(' '));
  return reportOutcome(context, { ok: true, message, review: null, updates });
};

/**
 * Installs, files and checks the update that the person has approved. `approvedHash`: the hash of its draft. Throws the
 * errors of `dependencies.check`.
 */
async function proposeUpdate(
  context: ServerContext,
  repository: Repository,
  request: CommandRequest,
  approvedHash: string,
): Promise<CommandOutcome> {
  const title = 'Selfware: checking an update';
  const isRepeated = readOptionalFlag(request.args, 'again') ?? false;
  const { proposal, culprits } = await runWithProgress(context, repository, title, request, (session, operation) =>
    session.dependencies.check(approvedHash, operation, { again: isRepeated }),
  );
  const isVerified = proposal.status === 'verified';
  if (isVerified) offerReview(context, repository, proposal);
  const failedUpdatesText = culprits
    .map(({ update, reason }) => ` ${formatUpdateLine(update)} does not pass: ${reason}`)
    .join('');
  const message = isVerified
    ? `${proposal.title}: its checks have passed, and it waits for you.${failedUpdatesText}`
    : `${proposal.title} was refused: ${proposal.reason ?? 'its checks did not pass'}`;
  return reportOutcome(context, {
    ok: isVerified,
    message: escapeInvisibleLine(message),
    review: isVerified ? toReview(proposal, repository.uri) : null,
  });
}

/** The outcome for a client that cannot ask a person about an update. */
function refuseUpdate(context: ServerContext): CommandOutcome {
  const message =
    'This editor cannot ask you about an update, so none is made. Run `selfware outdated --update NAME` at a terminal.';
  return reportOutcome(context, { ok: false, message, review: null });
}

/** The text by which the client confirms the person's agreement: the hosts, and the data that they get. */
function describeAgreement({ unasked, data }: LookUpPlan): string {
  return `${unasked.join()} ${data.join()}`;
}

/** The outcome that asks for consent to send data to registries. */
function askAboutRegistries(context: ServerContext, plan: LookUpPlan): CommandOutcome {
  const { unasked, sends } = plan;
  const message = escapeInvisibleLine(`${unasked.join(', ')} would get ${sends}, and nobody has agreed to that.`);
  return reportOutcome(context, {
    ok: false,
    message,
    review: null,
    registries: { hosts: unasked, sends, agreement: describeAgreement(plan) },
  });
}

/**
 * The entries of a list for a dependency: the newest version within its range, and the latest version. If there is no
 * update, an entry that says what is vulnerable or unknown; empty if nothing is.
 */
export function createChoices(dependency: CheckedDependency): UpdateChoice[] {
  const { name, manifest, current, wanted, latest, update, advisories, unknown } = dependency;
  const versions = [...new Set([wanted, latest])].filter((version) => version !== null && version !== current);
  const advisoryTexts = (advisories ?? []).map(describeAdvisory);
  const detail = escapeInvisibleLine(
    [...advisoryTexts, ...(unknown === null ? [] : [`${unknown.reason} ${unknown.action}`])].join('; '),
  );
  const manifestText = manifest === 'package.json' ? '' : `, ${manifest}`;
  if (update !== 'none' && versions.length > 0)
    return versions.map((version) => ({
      ...{ name, manifest, version: version!, detail },
      description: escapeInvisibleLine(
        `${current ?? 'unknown'} → ${version}${version === latest ? ` (latest, ${update})` : ' (within the range)'}${manifestText}`,
      ),
    }));
  if (detail === '') return [];
  const stateText = advisoryTexts.length > 0 ? 'vulnerable' : 'unknown';
  const description = `${current ?? 'unknown'}: ${stateText}, no update is known${manifestText}`;
  return [{ name, manifest, version: null, description: escapeInvisibleLine(description), detail }];
}

/** The entry for all minor and patch updates as one change; empty if fewer than two are known. */
export function createGroupChoice(dependencies: readonly CheckedDependency[]): readonly UpdateChoice[] {
  const minorUpdates = dependencies.filter(hasMinorUpdate);
  if (minorUpdates.length < 2) return [];
  const detail = escapeInvisibleLine(minorUpdates.map(({ name }) => name).join(', '));
  const description = `${minorUpdates.length} known, as one change`;
  return [
    { ...{ name: 'All minor and patch updates', manifest: '', version: 'minor' }, description, detail, isGroup: true },
  ];
}

/** The entry about a vulnerable package that is not known to belong to any direct dependency. */
function createAdvisoryChoice(advisory: Advisory): UpdateChoice {
  const detail = escapeInvisibleLine(describeAdvisory(advisory));
  const name = escapeInvisibleLine(advisory.through ?? '');
  return { name, manifest: '', version: null, description: 'vulnerable, no direct dependency', detail };
}

function describeAdvisory({ severity, title, fixed, through }: Advisory): string {
  const place = through === null ? '' : ` (in ${through})`;
  return `${severity}: ${title}${place}${fixed === null ? '' : `, fixed in ${fixed}`}`;
}

function describeDraft({ updates }: UpdateDraft): string {
  const [firstUpdate] = updates;
  return updates.length === 1 && firstUpdate
    ? `Update ${firstUpdate.name} to ${firstUpdate.after}`
    : `Make ${updates.length} updates as one`;
}

/**
 * The page about a drafted update: its changes of the lock file, the advisories it fixes, and what will be installed.
 */
function renderDraft({ updates, left, lock, fixes, introduces, install }: UpdateDraft): string {
  const lockLines = [
    ...lock.changed.map(({ place, before: versionBefore, version }) => `${place} ${versionBefore} → ${version}`),
    ...lock.added.map(({ place, version }) => `+ ${place} ${version}`),
    ...lock.removed.map(({ place, version }) => `- ${place} ${version}`),
    ...lock.altered.map(({ place, fields }) => `${place}, same version, gains ${fields.join(', ')}`),
  ].slice(0, MAX_PACKAGES);
  const fixedAdvisories = (fixes ?? []).map(({ severity, title }) => md`- fixes ${severity}: ${title}`);
  const newAdvisories = (introduces ?? []).map(({ severity, title }) => md`- brings along ${severity}: ${title}`);
  return `${joinLines([
    md`# ${createUpdateTitle(updates).replace(/^u/, 'U')}`,
    '',
    ...(updates.length === 1 ? [] : updates.map((update) => md`- ${formatUpdateLine(update)}`)),
    ...left.map(({ name, reason }) => md`- ${name} stays as it is: ${reason}`),
    ...(updates.length === 1 ? [] : ['', md`If they fail together, parts of them are installed and checked, too.`]),
    '',
    ...[...fixedAdvisories, ...newAdvisories],
    '',
    md`In the lock file:`,
    '',
    fencedBlock(lockLines.join('\n')),
    '',
    ...(install === null
      ? [md`The packages of both sides are kept already, so nothing is installed.`]
      : [md`To check it, once you agree:`, '', fencedBlock(install)]),
  ])}\n`;
}
