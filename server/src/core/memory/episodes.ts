// Computes episodes (events in the history of this repository) as a fold over the ledger and the commit history.
// Nothing is stored twice.

import type { Millis } from '../model.ts';
import type { Snapshot } from './adaptation.ts';
import { allocations } from './allocations.ts';
import { IMPORTANCE_BY_TIER, IMPORTANCE_TIERS, type Episode, type ImportanceTier } from './episodic.ts';
import type { Commit } from '../ports/git.ts';
import type { StoredEvent } from '../ports/ledger.ts';
import { isRecord } from '../../util/values/isRecord.ts';

/** Maximum number of newest commits that become episodes. */
const MAX_COMMITS = 200;

/** Types of events that are episodes without a proposal, with their contents. */
const OTHER_EPISODES: ReadonlyMap<string, (data: Data) => EpisodeContent | null> = new Map<
  string,
  (data: Data) => EpisodeContent | null
>([
  [
    'rolledBack',
    (data) => ({
      tier: 'high',
      text: `Checkpoint ${toText(data.checkpoint)} was rolled back${describeReason(data)}`,
    }),
  ],
  [
    'attempt',
    (data) =>
      data.outcome === 'refused'
        ? {
            tier: 'low',
            text: `Recipe ${toText(data.recipe)} could not realise ${toText(data.opportunity)}${describeReason(data)}`,
          }
        : null,
  ],
  [
    'opportunityDismissed',
    (data) => {
      const rule = toText(data.rule) && ` (${toText(data.rule)} in ${toText(data.path)})`;
      return {
        tier: 'high',
        text: `Opportunity ${toText(data.opportunity)}${rule} was dismissed${describeReason(data)}`,
      };
    },
  ],
  [
    'opportunityRestored',
    (data) => ({
      tier: 'normal',
      text: `The dismissal of opportunity ${toText(data.opportunity)} was undone.`,
    }),
  ],
  ['stopped', (data) => ({ tier: 'high', text: `Everything was stopped${describeReason(data)}` })],
  ['resumed', (data) => ({ tier: 'high', text: `Work was resumed${describeReason(data)}` })],
  [
    'remembered',
    (data) => {
      const tier = IMPORTANCE_TIERS.find((candidate) => candidate === data.tier);
      return tier && typeof data.importance === 'number'
        ? { tier, text: toText(data.text), importance: Math.min(1, Math.max(0, data.importance)) }
        : null;
    },
  ],
]);

/** The data of an event in the ledger, in an unchecked form. */
type Data = Readonly<Record<string, unknown>>;

/**
 * The episodes, oldest first. A proposal is one episode with the last step of its life. The other episodes are refused
 * attempts, rollbacks of checkpoints without a proposal, dismissals and their undoing, uses of the kill switch, notes
 * to remember, and recent commits. The number of accesses is the number of packs that recalled the episode. Events in
 * an unknown form are skipped.
 */
export function collectEpisodes(events: readonly StoredEvent[], commits: readonly Commit[]): Episode[] {
  const titles = new Map<string, string>();
  const episodes = new Map<string, Omit<Episode, 'accesses'>>();
  const accesses = new Map<string, number>();
  const addEpisode = (id: string, at: Millis, { tier, text, importance = IMPORTANCE_BY_TIER[tier] }: EpisodeContent) =>
    episodes.set(id, { id, at, tier, importance, text });

  for (const { id, at, type, data } of events) {
    if (!isRecord(data)) continue;
    if (type === 'packed')
      for (const recalled of collectRecalledEpisodes(data)) accesses.set(recalled, (accesses.get(recalled) ?? 0) + 1);
    if (type === 'proposed') {
      const proposalData = isRecord(data.proposal) ? data.proposal : {};
      const title = `${toText(proposalData.title)}${formatPlace(proposalData.opportunity)}`;
      titles.set(toText(proposalData.id), title);
      addEpisode(toText(proposalData.id), at, {
        tier: 'normal',
        text: `${title}: proposed. ${toText(proposalData.rationale)}`.trim(),
      });
      continue;
    }
    const proposal = toText(data.proposal);
    const step = PROPOSAL_STEPS.get(type);
    if (step && (proposal !== '' || !OTHER_EPISODES.has(type))) {
      const title = titles.get(proposal) ?? `Proposal ${proposal}`;
      const text =
        `${title}: ${step.describe(data)}${describeReason(data)} ${step.describeDetails?.(data) ?? ''}`.trim();
      addEpisode(proposal, at, { tier: step.tier, text });
    } else {
      const content = OTHER_EPISODES.get(type)?.(data);
      if (content) addEpisode(id, at, content);
    }
  }
  for (const { hash, atMs, subject, paths } of commits.slice(0, MAX_COMMITS)) {
    const text = `Commit ${hash.slice(0, 10)}: ${subject} (${listPaths(paths)})`;
    addEpisode(hash, atMs, { tier: 'normal', text, importance: IMPORTANCE_BY_TIER.low });
  }
  return [...episodes.values()]
    .map((episode) => ({ ...episode, accesses: accesses.get(episode.id) ?? 0 }))
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** The content of an episode. If `importance` is absent, the importance of the tier applies. */
interface EpisodeContent {
  readonly tier: ImportanceTier;
  readonly text: string;
  readonly importance?: number;
}

/** A step in the life of a proposal. */
interface Step {
  readonly tier: ImportanceTier;
  /** A text that states what happened to the proposal. */
  describe(data: Data): string;
  /** An optional text after the reason. */
  describeDetails?(data: Data): string;
}

const createDecisionText = (decision: string) => (data: Data) => `${decision} by ${toText(data.by)}`;

/** The steps in the life of a proposal, by type of event. */
const PROPOSAL_STEPS: ReadonlyMap<string, Step> = new Map<string, Step>([
  [
    'refused',
    {
      tier: 'normal',
      describe: () => 'refused by the gates',
      describeDetails: (data) => describeFailedGates(data.verdicts),
    },
  ],
  ['verified', { tier: 'normal', describe: () => 'passed its gates' }],
  ['approved', { tier: 'normal', describe: createDecisionText('approved') }],
  ['deferred', { tier: 'normal', describe: createDecisionText('deferred') }],
  ['rejected', { tier: 'high', describe: createDecisionText('rejected') }],
  ['applied', { tier: 'normal', describe: () => 'applied' }],
  ['kept', { tier: 'high', describe: () => 'kept' }],
  ['conflicted', { tier: 'high', describe: () => 'failed its probation and could not be rolled back' }],
  ['rolledBack', { tier: 'high', describe: createDecisionText('rolled back') }],
]);

/** The episodes that a pack has recalled. */
function collectRecalledEpisodes({ recalled }: Data): readonly string[] {
  return Array.isArray(recalled) ? recalled.map(String) : [];
}

/** The place of an opportunity in brackets; empty if it is unknown. */
function formatPlace(opportunity: unknown): string {
  if (!isRecord(opportunity)) return '';
  const placeText = [toText(opportunity.path), toText(opportunity.symbol)].filter(Boolean).join(' ');
  return placeText ? ` (${placeText})` : '';
}

/** The use of layers by earlier packs, in the order of the events. Events in an unknown form are skipped. */
export function collectSnapshots(events: readonly StoredEvent[]): Snapshot[] {
  return events.flatMap(({ type, data }): Snapshot[] => {
    if (type !== 'packed' || !isRecord(data) || !isRecord(data.layers) || typeof data.budgetTokens !== 'number')
      return [];
    const { taskType, layers } = data as unknown as Snapshot;
    const isSnapshot =
      Object.hasOwn(allocations, taskType) &&
      Object.keys(allocations[taskType]).every(
        (layer) => typeof layers[layer as keyof Snapshot['layers']]?.tokens === 'number',
      );
    return isSnapshot ? [{ taskType, budgetTokens: data.budgetTokens, layers }] : [];
  });
}

/** The failed gates with their reasons, as one text. */
function describeFailedGates(verdicts: unknown): string {
  if (!Array.isArray(verdicts)) return '';
  return verdicts
    .filter(isRecord)
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ gate, reason }) => `${toText(gate)}: ${toText(reason)}`)
    .join(' ');
}

/** The end of a sentence: a full stop, and the reason if there is one. */
function describeReason(data: Data): string {
  const reason = toText(data.reason);
  return reason ? `. ${reason}` : '.';
}

function listPaths(paths: readonly string[]): string {
  return paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ');
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
