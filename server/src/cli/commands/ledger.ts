// `selfware ledger tail|query|verify`: what happened, and whether the record holds.

import { Command } from 'commander';
import type { StoredEvent } from '../../core/ports.ts';
import { command, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { whole } from './improve.ts';

interface QueryOptions extends CommonOptions {
  readonly limit: string;
  readonly type?: readonly string[];
}

export const ledgerCommand: CommandFactory = (setExitCode) =>
  new Command('ledger')
    .description('events: tail, query, verify')
    .addCommand(
      command('tail', 'the last events')
        .option('--limit <n>', 'how many', '20')
        .action((options: QueryOptions) =>
          withSession(options, async ({ session, json, out, outJson }) => {
            const events = (await session.ledger({ limit: whole('--limit', options.limit), newestFirst: true })).toReversed();
            if (json) outJson(events);
            else for (const event of events) out(line(event));
          }),
        ),
    )
    .addCommand(
      command('query', 'events of some types')
        .option('--type <types...>', 'e.g. applied rolledBack')
        .option('--limit <n>', 'how many', '1000')
        .action((options: QueryOptions) =>
          withSession(options, async ({ session, json, out, outJson }) => {
            const events = await session.ledger({ limit: whole('--limit', options.limit), ...(options.type ? { types: options.type } : {}) });
            if (json) outJson(events);
            else for (const event of events) out(line(event));
          }),
        ),
    )
    .addCommand(
      command('verify', 'checks the hash chain').action((options: CommonOptions) =>
        withSession(options, async ({ session, json, out, outJson }) => {
          const verification = await session.verifyLedger();
          if (!verification.intact) setExitCode(1);
          if (json) outJson(verification);
          else out(verification.intact ? `${verification.events} events, chain intact.` : `Broken at event ${verification.brokenAt ?? 'unknown'}: ${verification.reason ?? 'unknown reason'}`);
        }),
      ),
    );

function line(event: StoredEvent): string {
  const data = JSON.stringify(event.data);
  return `${String(event.sequence).padStart(5)}  ${new Date(event.at).toISOString()}  ${event.type.padEnd(12)} ${data.length > 160 ? `${data.slice(0, 157)}...` : data}`;
}
