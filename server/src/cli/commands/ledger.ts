// `selfware ledger tail|query|verify|receipt`: prints past events, checks the integrity of the ledger, and exports or
// checks the proof of a change.

import { readFile, writeFile } from 'node:fs/promises';
import { checkLabel } from '../../protocol/plainWords.ts';
import { EVENT_TYPES } from '../../core/ledger/events.ts';
import { SelfwareError } from '../../util/typedError.ts';
import {
  createCommand,
  createCommandGroup,
  withSession,
  type CommandFactory,
  type CommonOptions,
} from '../invocation.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';
import { LABEL_WIDTH } from '../writers/human.ts';
import { parseWholeNumber } from '../parseWholeNumber.ts';
import type { Proposal } from '../../core/model.ts';
import type { StoredEvent } from '../../core/ports/ledger.ts';
import type { Session } from '../../core/session.ts';
import { ledgerSentence } from '../../core/session/ledger/ledgerLines.ts';
import { formatCount } from '../../util/counted.ts';
import { SKIPPED_TEXTS, type SkippedPlace } from '../../core/model/skippedPlaces.ts';

interface QueryOptions extends CommonOptions {
  readonly limit: string;
  readonly type?: readonly string[];
}

interface VerifyOptions extends CommonOptions {
  readonly change?: string;
  readonly receipt?: string;
}
interface ReceiptOptions extends CommonOptions {
  readonly out?: string;
}

/** The subcommand `ledger`. The exit code of `verify` is 1 if the ledger is broken or a proof does not hold. */
export const ledgerCommand: CommandFactory = (setExitCode) =>
  createCommandGroup('ledger', 'the record of all that happened: tail, query, verify, receipt')
    .addCommand(
      createCommand('tail', 'the last events')
        .option('--limit <n>', 'how many', '20')
        .action((options: QueryOptions) =>
          withSession(options, async ({ session, json, out, outJson }) => {
            const events = (
              await session.ledger.query({ limit: parseWholeNumber('--limit', options.limit), newestFirst: true })
            ).toReversed();
            if (json) outJson(events);
            else await printEvents(events, session, out);
          }),
        ),
      { isDefault: true },
    )
    .addCommand(
      createCommand('query', 'events of some types')
        .option('--type <types...>', 'e.g. applied rolledBack')
        .option('--limit <n>', 'how many', '1000')
        .action((options: QueryOptions) =>
          withSession(options, async ({ session, json, out, outJson }) => {
            const unknownTypes = (options.type ?? []).filter((type) => !EVENT_TYPES.includes(type));
            if (unknownTypes.length > 0)
              throw new SelfwareError('usage', `There are no events of the type ${unknownTypes.join(', ')}.`, {
                action: `Types are ${EVENT_TYPES.join(', ')}.`,
              });
            const events = await session.ledger.query({
              limit: parseWholeNumber('--limit', options.limit),
              ...(options.type ? { types: options.type } : {}),
            });
            if (json) outJson(events);
            else await printEvents(events, session, out);
          }),
        ),
    )
    .addCommand(
      createCommand(
        'verify',
        'checks the hash chain; with --change, runs the checks of a kept change again from its receipt',
      )
        .option('--change <id>', 'proposal or checkpoint')
        .option('--receipt <file>', 'an exported receipt, of this clone or of another clone')
        .action((options: VerifyOptions) =>
          withSession(options, async ({ session, signal, report, json, out, outJson }) => {
            if (options.change !== undefined || options.receipt !== undefined) {
              const proof = await session.verification.verifyChange(
                options.change ?? null,
                options.receipt === undefined ? null : await readTextFile(options.receipt),
                { signal, report },
              );
              if (proof.holds !== true) setExitCode(1);
              if (json) return outJson(proof);
              for (const { gate, then, now, reason } of proof.verdicts)
                out(
                  `${checkLabel(gate).padEnd(LABEL_WIDTH)} ${then.padEnd(8)} ${now === then ? 'and again' : `now ${now}`}: ${reason}`,
                );
              for (const sentence of [...proof.problems, ...(proof.notes ?? [])]) out(sentence);
              return out(
                `${proof.title}: ${proof.holds === null ? 'cannot be shown again.' : proof.holds ? 'holds.' : 'does not hold.'}`,
              );
            }
            const verification = await session.ledger.verify();
            if (!verification.intact) setExitCode(1);
            if (json) outJson(verification);
            else
              out(
                verification.intact
                  ? `${formatCount(verification.events, 'event')}, chain intact.`
                  : `Broken at event ${verification.brokenAt ?? 'unknown'}: ${verification.reason ?? 'unknown reason'}`,
              );
          }),
        ),
    )
    .addCommand(
      createCommand('receipt', 'the receipt of a kept change, with every text that it names, as one JSON file')
        .argument('<id>')
        .option('--out <file>', 'write it there')
        .action((id: string, options: ReceiptOptions) =>
          withSession(options, async ({ session, out }) => {
            const text = await session.ledger.receipt(id);
            if (options.out === undefined) return out(text.trimEnd());
            await writeNewFile(options.out, text);
            out(`Written to ${options.out}.`);
          }),
        ),
    );

/**
 * Creates the file that the person has named, readable and writable for this user only. Throws `conflict` if it exists,
 * and `unavailable` if it cannot be written.
 */
async function writeNewFile(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw new SelfwareError('conflict', `${file} is there already.`, { action: 'Choose another name.', cause });
    throw new SelfwareError('unavailable', `${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

/** The text of a file. Throws `notFound` if it cannot be read. */
async function readTextFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new SelfwareError('notFound', `${file} cannot be read.`, { cause });
  }
}

/**
 * Prints each event: as a sentence with the id of its proposal, which other commands accept; as one line for each place
 * that a run has passed over; or, if its type has no sentence, as JSON cut to 160 characters.
 */
async function printEvents(
  events: readonly StoredEvent[],
  { proposals }: Pick<Session, 'proposals'>,
  out: (text: string) => void,
): Promise<void> {
  const proposalById = new Map((await proposals.all()).map((proposal) => [proposal.id, proposal]));
  for (const event of events) out(formatEvent(event, proposalById));
}

/**
 * The text of an event: its number, time and type, followed by a sentence, by the places that were passed over, or by
 * its data as JSON.
 */
function formatEvent(event: StoredEvent, proposals: ReadonlyMap<string, Proposal>): string {
  const eventHead = `${String(event.sequence).padStart(5)}  ${new Date(event.at).toISOString()}  ${event.type.padEnd(12)}`;
  if (event.type === 'passedOver') return [eventHead.trimEnd(), ...formatSkippedPlaces(event)].join('\n');
  const sentence = ledgerSentence(event, proposals);
  if (sentence !== null) return escapeInvisibleLine(`${eventHead} ${sentence}${formatProposalId(event.data)}`);
  const data = JSON.stringify(event.data);
  return `${eventHead} ${data.length > 160 ? `${data.slice(0, 157)}...` : data}`;
}

/** The id of the event's proposal, after two spaces; '' if the event has no proposal. */
function formatProposalId(data: StoredEvent['data']): string {
  const { proposal } = data as { readonly proposal?: string | { readonly id: string } | null };
  const id = typeof proposal === 'string' ? proposal : proposal?.id;
  return id === undefined ? '' : `  ${id}`;
}

/** One line for each place that a run has passed over. */
function formatSkippedPlaces({ data }: StoredEvent): readonly string[] {
  const { places } = data as { readonly places: readonly SkippedPlace[] };
  return places.map(
    ({ by, rule, path, opportunity, reason }) =>
      `         ${escapeInvisibleLine(`${rule} in ${path} (${opportunity}), ${SKIPPED_TEXTS[by]}: ${reason}`)}`,
  );
}
