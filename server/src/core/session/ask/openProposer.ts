// Opens the proposers that a person has named, after checking that code may be sent to them.

import { SelfwareError } from '../../../util/typedError.ts';
import type { Proposer } from '../../ports/proposers.ts';
import type { AskedTask, CodeConsent, MissingConsent, SentData } from '../../model/asks.ts';
import { readConsents, readWithdrawn } from '../../ledger/consents.ts';
import { resolveProposers } from '../../proposers/roles.ts';
import { describeMissingConsent } from '../../proposers/sentDataNotice.ts';
import { createNameOrder } from '../learn/proposerTrials.ts';
import { notify, type SessionContext } from '../context.ts';

/**
 * By session and list of names (without roles): the proposers that gave no answer in this session, in the order in
 * which they failed. They are asked after all others.
 */
const unansweringByList = new WeakMap<SessionContext, Map<string, readonly string[]>>();

/** The advice for consenting again. */
const TO_AGREE_AGAIN = 'Run a command with `--proposer NAME` and no other name.';

/** By session: the proposers about which a notice has said that they are not asked. */
const reportedNames = new WeakMap<SessionContext, Set<string>>();

/**
 * The proposers of a list such as `ollama:a, openai:b`, in the order in which they are asked: those that gave no answer
 * in this session are last. `kind`: the kind of the task, which decides about roles. `rule`: its rule, by which the
 * proposers of a role are ordered; null if the order does not matter. Checks everything before a program runs or code
 * is sent. Empty if a person has withdrawn the consent for all proposers of this kind, but not for all of the list.
 * Throws `untrusted`, `usage` for an invalid name, and `forbidden` if nobody has agreed to send code to one of the
 * destinations.
 */
export async function openProposers(
  context: SessionContext,
  list: string,
  kind: AskedTask['kind'],
  rule: string | null = null,
): Promise<readonly Proposer[]> {
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so no model is asked about it.', {
      action: 'Trust the workspace first.',
    });
  const unagreed = await explainUnagreed(context, list);
  if (unagreed !== null) throw unagreed;
  const wantedNames = resolveProposers(list, context.settings, kind);
  const askableNames = await readAskable(context, list);
  const names =
    rule === null
      ? moveFailedLast(context, list, kind, wantedNames).filter((name) => askableNames.has(name))
      : (await orderByRule(context, list, kind))(rule);
  for (const name of wantedNames) if (!askableNames.has(name)) notifyLeftOut(context, name);
  return names.map((name) => context.ports.proposers.open(name));
}

/**
 * The names of a list that may be asked, for tasks of any kind, after people have withdrawn consents. The whole list is
 * considered, because the consent for all names of one kind or rule may be withdrawn.
 */
async function readAskable(context: SessionContext, list: string): Promise<ReadonlySet<string>> {
  return new Set(await excludeWithdrawn(context, resolveProposers(list, context.settings, null)));
}

/**
 * Removes the names for whose destination a person has withdrawn the consent. Returns all names if nobody else is left,
 * so that the caller reports the missing consent.
 */
async function excludeWithdrawn(
  { ledger, repositoryLedger, ports }: SessionContext,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length < 2) return names;
  const withdrawnDestinations = await readWithdrawn(repositoryLedger ?? ledger);
  const remaining = names.filter((name) => {
    const { destination } = ports.proposers.open(name);
    return destination === null || !withdrawnDestinations.has(destination);
  });
  return remaining.length > 0 ? remaining : names;
}

/** Adds a notice, once in a session, that a name is not asked because the consent was withdrawn. */
function notifyLeftOut(context: SessionContext, name: string): void {
  const names = reportedNames.get(context) ?? new Set<string>();
  reportedNames.set(context, names);
  if (names.has(name)) return;
  names.add(name);
  notify(context, {
    severity: 'info',
    message: `${name} is not asked, because you have withdrawn your consent to send code there.`,
    action: TO_AGREE_AGAIN,
  });
}

/**
 * The error `forbidden` if code would go to a host for which nobody agrees to that now; null if asking is allowed. Call
 * this again before each question, because a person may withdraw their consent at any time. Throws `usage` if the list
 * cannot be read.
 */
export async function explainUnagreed(context: SessionContext, names: string): Promise<SelfwareError | null> {
  const missingConsent = await findNeededConsent(context, names);
  return missingConsent === null
    ? null
    : new SelfwareError('forbidden', `Code would go to ${describeMissingConsent(missingConsent)}`, {
        action: 'Run the command at a terminal of your own: it asks once.',
      });
}

/** The error `forbidden` if nobody is left for tasks of this kind. */
export function createNobodyLeftError(kind: AskedTask['kind']): SelfwareError {
  return new SelfwareError(
    'forbidden',
    `Nobody is left for tasks of the kind ${kind}, because you have withdrawn your consent to send code there.`,
    { action: TO_AGREE_AGAIN },
  );
}

/**
 * Returns a function that returns the names of the list that may be asked for a rule, in the order in which they are
 * asked.
 */
export async function orderByRule(
  context: SessionContext,
  list: string,
  kind: AskedTask['kind'],
): Promise<(rule: string) => readonly string[]> {
  const order = await createNameOrder(context, list, kind);
  const askable = await readAskable(context, list);
  return (rule) => moveFailedLast(context, list, kind, order(rule)).filter((name) => askable.has(name));
}

/** Moves the names that gave no answer in this session to the end. */
function moveFailedLast(
  context: SessionContext,
  list: string,
  kind: AskedTask['kind'],
  names: readonly string[],
): readonly string[] {
  const key = resolveProposers(list, context.settings, kind).join();
  const failed = unansweringByList.get(context)?.get(key) ?? [];
  return [...names.filter((name) => !failed.includes(name)), ...failed];
}

/**
 * Records that `name` answered. The proposers that were asked before it, and gave no answer, are asked last for later
 * tasks of this kind. If there were any (`failures` gives their reasons), a notice names the proposer that answered.
 */
export function preferProposer(
  context: SessionContext,
  { list, kind }: { readonly list: string; readonly kind: AskedTask['kind'] },
  proposers: readonly Pick<Proposer, 'name'>[],
  { name }: Pick<Proposer, 'name'>,
  failures: readonly string[],
): void {
  if (failures.length > 0)
    notify(context, {
      severity: 'info',
      message: `${name} was asked instead, and answered. ${failures.join(' ')}`,
      action: null,
    });
  const names = proposers.map((proposer) => proposer.name);
  const failed = names.slice(0, names.indexOf(name));
  const key = resolveProposers(list, context.settings, kind).join();
  const lists = unansweringByList.get(context) ?? new Map<string, readonly string[]>();
  const earlier = (lists.get(key) ?? []).filter((earlierName) => earlierName !== name && !failed.includes(earlierName));
  lists.set(key, [...earlier, ...failed]);
  unansweringByList.set(context, lists);
}

/**
 * Throws the error of the first proposer if no proposer of the list could answer, so that nobody is asked for consent,
 * and no test runs, in vain. Throws `usage` if the list cannot be read.
 */
export function requireAskable({ ports, settings }: SessionContext, names: string): void {
  const hindrances = resolveProposers(names, settings, null).map(
    (name) => ports.proposers.open(name).findHindrance?.() ?? null,
  );
  const [first = null] = hindrances;
  if (first !== null && !hindrances.includes(null)) throw first;
}

/**
 * The first host that would receive more than a person has agreed to, what it would receive, and what was agreed; null
 * if there is none. Considers the proposers of every role in the list. Leaves out proposers whose consent was
 * withdrawn, as long as others of the list may be asked. Throws `usage` if the list cannot be read.
 */
export async function findNeededConsent(context: SessionContext, names: string): Promise<MissingConsent | null> {
  const { ledger, repositoryLedger, ports, settings } = context;
  const askedNames = await excludeWithdrawn(context, resolveProposers(names, settings, null));
  const neededConsents = askedNames.flatMap((name): CodeConsent[] => {
    const { destination, hasTree } = ports.proposers.open(name);
    const references: readonly SentData[] = settings['models.references'] ? ['references'] : [];
    return destination === null ? [] : [{ destination, sends: [hasTree ? 'tree' : 'excerpts', ...references] }];
  });
  if (neededConsents.length === 0) return null;
  // People withdraw consents in the ledger of the repository, even while a run works in its own tree.
  const agreed = await readConsents(repositoryLedger ?? ledger);
  // Whoever may read every file may read excerpts.
  const isAgreed = (destination: string, data: SentData) =>
    agreed.get(destination)?.sends.some((sent) => sent === data || (data === 'excerpts' && sent === 'tree'));
  const needed = neededConsents.find(({ destination, sends }) => !sends.every((data) => isAgreed(destination, data)));
  return needed ? { ...needed, agreed: agreed.get(needed.destination)?.sends ?? [] } : null;
}
