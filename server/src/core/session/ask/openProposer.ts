// Opens the proposers that a person has named, after checking that code may be sent to them.

import { SelfwareError } from '../../../util/typedError.ts';
import type { Proposer } from '../../ports/proposers.ts';
import type { AskedTask, CodeConsent, SentData } from '../../model/asks.ts';
import { resolveProposers } from '../../proposers/roles.ts';
import { describeConsent } from '../../proposers/sentDataNotice.ts';
import { notify, type SessionContext } from '../context.ts';

/**
 * For each list of names (without roles), the proposer that answered last, so that a failed one is not tried before it
 * again.
 */
const lastAnswered = new WeakMap<SessionContext, Map<string, string>>();

/**
 * The proposers of a list such as `ollama:a, openai:b`, in the order in which they are asked, beginning with the one
 * that answered last in this session. `kind`: the kind of the task, which decides about roles. Checks everything before
 * a program runs or code is sent. Throws `untrusted`, `usage` for an invalid name, and `forbidden` if nobody has agreed
 * to send code to one of the destinations.
 */
export async function openProposers(
  context: SessionContext,
  list: string,
  kind: AskedTask['kind'],
): Promise<readonly Proposer[]> {
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so no model is asked about it.', {
      action: 'Trust the workspace first.',
    });
  const needed = await findNeededConsent(context, list);
  if (needed !== null)
    throw new SelfwareError(
      'forbidden',
      `Code would go to ${describeConsent(needed)}, and nobody has agreed to that.`,
      {
        action: 'Run the command at a terminal of your own: it asks once.',
      },
    );
  const names = resolveProposers(list, context.settings, kind);
  const from = Math.max(0, names.indexOf(lastAnswered.get(context)?.get(names.join()) ?? ''));
  return [...names.slice(from), ...names.slice(0, from)].map((name) => context.ports.proposers.open(name));
}

/**
 * Lets the next question to this list for a task of this kind begin with this proposer. A notice names it if others
 * were asked before and gave no answer: `failures`.
 */
export function preferProposer(
  context: SessionContext,
  list: string,
  kind: AskedTask['kind'],
  { name }: Pick<Proposer, 'name'>,
  failures: readonly string[],
): void {
  if (failures.length > 0)
    notify(context, {
      severity: 'info',
      message: `${name} was asked instead, and answered. ${failures.join(' ')}`,
      action: null,
    });
  const names = lastAnswered.get(context) ?? new Map<string, string>();
  names.set(resolveProposers(list, context.settings, kind).join(), name);
  lastAnswered.set(context, names);
}

/**
 * Throws the error of the first proposer if every question to each of the list would end with one, so that nobody is
 * asked for consent, and no test runs, in vain. Throws `usage`.
 */
export function requireAskable({ ports, settings }: SessionContext, names: string): void {
  const hindrances = resolveProposers(names, settings, null).map(
    (name) => ports.proposers.open(name).hindrance?.() ?? null,
  );
  const [first = null] = hindrances;
  if (first !== null && !hindrances.includes(null)) throw first;
}

/**
 * The first host that would receive code although nobody has agreed yet, and what it would receive; null if there is
 * none. Asks about every role that the list may stand for. Throws `usage`.
 */
export async function findNeededConsent(
  { ledger, ports, settings }: SessionContext,
  names: string,
): Promise<CodeConsent | null> {
  const wanted = resolveProposers(names, settings, null).flatMap((name): CodeConsent[] => {
    const { destination, hasTree } = ports.proposers.open(name);
    const references: readonly SentData[] = settings['models.references'] ? ['references'] : [];
    return destination === null ? [] : [{ destination, sends: [hasTree ? 'tree' : 'excerpts', ...references] }];
  });
  if (wanted.length === 0) return null;
  const agreed = new Map<string, Set<SentData>>();
  for (const { data } of await ledger.query({ types: ['consented'] })) {
    const { destination, sends = ['excerpts'] } = data as Partial<CodeConsent>;
    if (typeof destination !== 'string' || !Array.isArray(sends)) continue;
    agreed.set(destination, new Set([...(agreed.get(destination) ?? []), ...sends]));
  }
  // Whoever may read every file may read excerpts.
  const isAgreed = (destination: string, data: SentData) =>
    agreed.get(destination)?.has(data) || (data === 'excerpts' && agreed.get(destination)?.has('tree'));
  return wanted.find(({ destination, sends }) => !sends.every((data) => isAgreed(destination, data))) ?? null;
}
