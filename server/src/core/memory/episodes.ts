// Episodes: what happened here, as a fold over the ledger and the history of commits. Nothing of it is stored a second
// time.
import type { Millis } from '../model.ts';
import type { Snapshot } from './adaptation.ts';
import { allocations } from './allocations.ts';
import { IMPORTANCE, TIERS, type Episode, type Tier } from './episodic.ts';
import type { Commit } from '../ports/git.ts';
import type { StoredEvent } from '../ports/ledger.ts';

/** Older commits are history, not memory. */
const COMMITS = 200;

type Data = Readonly<Record<string, unknown>>;

/**
 * Oldest first. A proposal is one episode that follows its life; refusals, decisions, changes kept or rolled back, the
 * kill switch,
 * what was asked to be remembered and recent commits are the others. Access counts come from the packs that recalled an
 * episode.
 * Events in an unknown form are passed over.
 */
export function episodesOf(events: readonly StoredEvent[], commits: readonly Commit[]): Episode[] {
  const proposals = new Map<string, { readonly title: string; readonly place: string }>();
  const episodes = new Map<string, Omit<Episode, 'accesses'>>();
  const accesses = new Map<string, number>();
  const put = (id: string, at: Millis, tier: Tier, text: string, importance = IMPORTANCE[tier]) =>
    episodes.set(id, { id, at, tier, importance, text });

  for (const { id, at, type, data } of events) {
    if (!isData(data)) continue;
    const proposal = textOf(data.proposal);
    const known = proposals.get(proposal);
    const of = (what: string) =>
      `${known?.title ?? `Proposal ${proposal}`}${known?.place ?? ''}: ${what}${reasonOf(data)}`;
    switch (type) {
      case 'proposed': {
        const made = isData(data.proposal) ? data.proposal : {};
        const opportunity = isData(made.opportunity) ? made.opportunity : {};
        const place = [textOf(opportunity.path), textOf(opportunity.symbol)].filter(Boolean).join(' ');
        proposals.set(textOf(made.id), { title: textOf(made.title), place: place ? ` (${place})` : '' });
        put(
          textOf(made.id),
          at,
          'normal',
          `${textOf(made.title)}${place ? ` (${place})` : ''}: proposed. ${textOf(made.rationale)}`.trim(),
        );
        break;
      }
      case 'refused':
        put(proposal, at, 'normal', `${of('refused by the gates')} ${failedGates(data.verdicts)}`.trim());
        break;
      case 'verified':
        put(proposal, at, 'normal', of('passed its gates'));
        break;
      case 'approved':
      case 'deferred':
        put(proposal, at, 'normal', of(`${type} by ${textOf(data.by)}`));
        break;
      case 'rejected':
        put(proposal, at, 'high', of(`rejected by ${textOf(data.by)}`));
        break;
      case 'applied':
        put(proposal, at, 'normal', of('applied'));
        break;
      case 'kept':
        put(proposal, at, 'high', of('kept'));
        break;
      case 'conflicted':
        put(proposal, at, 'high', of('failed its probation and could not be taken back'));
        break;
      case 'rolledBack':
        put(
          proposal || id,
          at,
          'high',
          proposal
            ? of(`rolled back by ${textOf(data.by)}`)
            : `Checkpoint ${textOf(data.checkpoint)} was rolled back${reasonOf(data)}`,
        );
        break;
      case 'attempt':
        if (data.outcome === 'refused')
          put(
            id,
            at,
            'low',
            `Recipe ${textOf(data.recipe)} could not realise ${textOf(data.opportunity)}${reasonOf(data)}`,
          );
        break;
      case 'opportunityDismissed':
        put(
          id,
          at,
          'high',
          `Opportunity ${textOf(data.opportunity)}${textOf(data.rule) && ` (${textOf(data.rule)} in ${textOf(data.path)})`} was dismissed${reasonOf(data)}`,
        );
        break;
      case 'opportunityRestored':
        put(id, at, 'normal', `The dismissal of opportunity ${textOf(data.opportunity)} was taken back.`);
        break;
      case 'stopped':
      case 'resumed':
        put(id, at, 'high', `${type === 'stopped' ? 'Everything was stopped' : 'Work was resumed'}${reasonOf(data)}`);
        break;
      case 'remembered': {
        const tier = TIERS.find((one) => one === data.tier);
        if (tier && typeof data.importance === 'number')
          put(id, at, tier, textOf(data.text), Math.min(1, Math.max(0, data.importance)));
        break;
      }
      case 'packed':
        if (Array.isArray(data.recalled))
          for (const recalled of data.recalled)
            accesses.set(String(recalled), (accesses.get(String(recalled)) ?? 0) + 1);
        break;
    }
  }
  for (const { hash, atMs, subject, paths } of commits.slice(0, COMMITS))
    put(hash, atMs, 'normal', `Commit ${hash.slice(0, 10)}: ${subject} (${named(paths)})`, IMPORTANCE.low);
  return [...episodes.values()]
    .map((episode) => ({ ...episode, accesses: accesses.get(episode.id) ?? 0 }))
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** What packs used of their layers, oldest first. */
export function snapshotsOf(events: readonly StoredEvent[]): Snapshot[] {
  return events.flatMap(({ type, data }): Snapshot[] => {
    if (type !== 'packed' || !isData(data) || !isData(data.layers) || typeof data.budgetTokens !== 'number') return [];
    const { taskType, layers } = data as unknown as Snapshot;
    const whole =
      Object.hasOwn(allocations, taskType) &&
      Object.keys(allocations[taskType]).every(
        (layer) => typeof layers[layer as keyof Snapshot['layers']]?.tokens === 'number',
      );
    return whole ? [{ taskType, budgetTokens: data.budgetTokens, layers }] : [];
  });
}

function failedGates(verdicts: unknown): string {
  if (!Array.isArray(verdicts)) return '';
  return verdicts
    .filter(isData)
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ gate, reason }) => `${textOf(gate)}: ${textOf(reason)}`)
    .join(' ');
}

function reasonOf(data: Data): string {
  const reason = textOf(data.reason);
  return reason ? `. ${reason}` : '.';
}

function named(paths: readonly string[]): string {
  return paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ');
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
