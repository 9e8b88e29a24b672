// Folds the events `consented` and `consentWithdrawn` into the consents that people give now, by destination.

import type { AgreedConsent, SentData } from '../model/asks.ts';
import type { Ledger } from './ledger.ts';

/** Reads the current consents. Destinations are in the order in which a person first agreed to them. */
export async function readConsents(ledger: Pick<Ledger, 'query'>): Promise<ReadonlyMap<string, AgreedConsent>> {
  return foldConsents(await ledger.query({ types: ['consented', 'consentWithdrawn'] }));
}

/**
 * The consents after these events, which must be given oldest first. Consents for the same destination add up; a
 * withdrawal removes all of them. Events without a destination are ignored.
 */
export function foldConsents(
  events: readonly { readonly type: string; readonly at: number; readonly data: unknown }[],
): ReadonlyMap<string, AgreedConsent> {
  const agreed = new Map<string, AgreedConsent>();
  for (const { type, at, data } of events) {
    const { destination, sends = ['excerpts'] } = data as Partial<AgreedConsent>;
    if (typeof destination !== 'string' || !Array.isArray(sends)) continue;
    const earlierConsent = agreed.get(destination);
    if (type === 'consentWithdrawn') agreed.delete(destination);
    else if (type === 'consented')
      agreed.set(destination, {
        destination,
        sends: [...new Set<SentData>([...(earlierConsent?.sends ?? []), ...sends])],
        since: earlierConsent?.since ?? at,
      });
  }
  return agreed;
}

/** The destinations whose newest event is a withdrawal. */
export async function readWithdrawn(ledger: Pick<Ledger, 'query'>): Promise<ReadonlySet<string>> {
  const withdrawn = new Set<string>();
  for (const { type, data } of await ledger.query({ types: ['consented', 'consentWithdrawn'] })) {
    const { destination } = data as Partial<AgreedConsent>;
    if (typeof destination !== 'string') continue;
    if (type === 'consentWithdrawn') withdrawn.add(destination);
    else withdrawn.delete(destination);
  }
  return withdrawn;
}

/**
 * The consents that a withdrawal for the destination `namedDestination` concerns: its own, and those that share a host with it.
 * Nothing more is then sent to any of its hosts.
 */
export function findNamedConsents(
  agreed: ReadonlyMap<string, AgreedConsent>,
  namedDestination: string,
): readonly AgreedConsent[] {
  const hosts = new Set(hostsOf(namedDestination));
  return [...agreed.values()].filter(
    ({ destination }) => destination === namedDestination || hostsOf(destination).some((host) => hosts.has(host)),
  );
}

/**
 * The hosts of a destination, which may be several. Omits parts with a space, which are words about the destination,
 * such as about a provider.
 */
function hostsOf(destination: string): readonly string[] {
  return destination.split(', ').filter((part) => !part.includes(' '));
}
