// `selfware tonight add|list|first|drop`: the queue of wishes for unattended runs.

import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { createStderrLog } from '../../adapters/system/system.ts';
import { writeJson, writeOut } from '../../adapters/system/terminal.ts';
import { withWishes } from '../../app/nights/wishQueue.ts';
import type { Wish } from '../../core/run/wishes.ts';
import type { WishEvent } from '../../core/model/nights.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { visibleLine } from '../../util/visible.ts';
import { command, settingsFor, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { refuseAgents } from '../person.ts';

/** A longer wish is a document, not a request. */
const LONGEST = 4_000;

export const tonightCommand: CommandFactory = () =>
  new Command('tonight')
    .description('what you want done in the next night, in words (needs `selfware night --proposer`)')
    .addCommand(
      command('list', 'the wishes, in the order in which they are tried').action((options: CommonOptions) =>
        changeQueue(options, () => null),
      ),
      { isDefault: true },
    )
    .addCommand(
      command('add', 'adds a wish; also while a run is in progress')
        .argument('<words...>')
        .action(async (words: readonly string[], options: CommonOptions) => {
          await refuseAgents('A wish');
          const text = words.join(' ').trim();
          if (text === '' || text.length > LONGEST)
            throw new SelfwareError('usage', `A wish has 1 to ${LONGEST} characters, and this one has ${text.length}.`);
          const wish = `w-${randomUUID().slice(0, 8)}`;
          await changeQueue(options, () => ({ type: 'wishAdded', data: { wish, text } }));
        }),
    )
    .addCommand(
      command('first', 'puts a wish before all others')
        .argument('<wish>', 'its id or number')
        .action((name: string, options: CommonOptions) =>
          changeQueue(options, (queue) => ({ type: 'wishFirst', data: { wish: named(queue, name) } })),
        ),
    )
    .addCommand(
      command('drop', 'removes a wish')
        .argument('<wish>', 'its id or number')
        .action((name: string, options: CommonOptions) =>
          changeQueue(options, (queue) => ({ type: 'wishDropped', data: { wish: named(queue, name) } })),
        ),
    );

async function changeQueue(
  options: CommonOptions,
  change: (queue: readonly Wish[]) => WishEvent | null,
): Promise<void> {
  const { rootDir } = await settingsFor(options);
  const queue = await withWishes(rootDir, process.env, createStderrLog('error'), change);
  if (options.json) return writeJson(queue);
  if (queue.length === 0) return writeOut('No wish waits. Add one: selfware tonight add "…"');
  queue.forEach(({ id, text, tries }, at) => {
    const last = tries.at(-1);
    const tried = last ? ` (tried ${tries.length === 1 ? 'once' : `${tries.length} times`}: ${last.reason ?? ''})` : '';
    writeOut(visibleLine(`${at + 1}. ${text}  ${id}${tried}`));
  });
}

function named(queue: readonly Wish[], name: string): string {
  const wish = queue.find(({ id }, at) => id === name || String(at + 1) === name);
  if (wish) return wish.id;
  throw new SelfwareError('notFound', `There is no wish ${name}.`, { action: 'Run `selfware tonight list`.' });
}
