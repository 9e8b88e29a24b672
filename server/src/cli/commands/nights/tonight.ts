// `selfware tonight add|issues|list|test|move|first|drop`: manages the queue of wishes for unattended runs.

import { readFile } from 'node:fs/promises';
import { createStderrLog } from '../../../adapters/system/system.ts';
import { writeJson, writeOut } from '../../../adapters/system/terminal.ts';
import { createWishId, findOpenIssues, changeWishQueue, type GithubIssue } from '../../../app/nights/wishQueue.ts';
import { addWishes, MAX_WISH_LENGTH, moveWish, resolveWishId } from '../../../core/run/wishChanges.ts';
import { parseWishList } from '../../../core/run/wishList.ts';
import { isPostponed, type Wish } from '../../../core/run/wishes.ts';
import type { AcceptanceOutcome } from '../../../core/session/ask/acceptanceTypes.ts';
import type { WishEvent } from '../../../core/model/nights.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import { requireConsent } from '../../agreement.ts';
import {
  createCommand,
  createCommandGroup,
  loadProcessSettings,
  withSession,
  type CommandFactory,
  type CommonOptions,
} from '../../invocation.ts';
import { createMaxCostOption, parseModelSettings } from '../../modelOptions.ts';
import { handleInterruption } from '../../interruption.ts';
import { isAtTerminal, refuseAgents, requirePerson } from '../../person.ts';
import { parseWholeNumber } from '../../parseWholeNumber.ts';
import { confirmAcceptanceTests, storeTests, createAcceptanceTest, describeTest } from './acceptance.ts';

interface AddOptions extends CommonOptions {
  readonly file?: string;
}

interface IssueOptions extends CommonOptions {
  readonly label: string;
  readonly limit: string;
}

/** The subcommand `tonight`. */
export const tonightCommand: CommandFactory = (setExitCode) =>
  createCommandGroup('tonight', 'wishes for the next night, in words (needs `selfware night --proposer`)')
    .addCommand(
      createCommand('list', 'the wishes, in the order in which they are tried').action((options: CommonOptions) =>
        changeQueue(options, () => []),
      ),
      { isDefault: true },
    )
    .addCommand(
      createCommand('add', 'adds a wish; also while a run is in progress')
        .argument('[words...]')
        .option('--file <path>', 'adds the items of the lists in this Markdown file that are not ticked')
        .action(async (words: readonly string[], options: AddOptions) => {
          await refuseAgents('A wish');
          if (words.length > 0 === (options.file !== undefined))
            throw new SelfwareError('usage', 'Say what you want in words, or name a file with --file.');
          const texts = options.file === undefined ? [words.join(' ')] : await readWishesInFile(options.file);
          await changeQueue(options, (queue) => addWishes(queue, texts, createWishId));
        }),
    )
    .addCommand(
      createCommand('issues', 'adds the open GitHub issues with a label, asked with your own `gh`')
        .requiredOption('--label <name>', 'such as selfware')
        .option('--limit <n>', 'at most this many', '20')
        .action(async (options: IssueOptions) => {
          await refuseAgents('A wish');
          const limit = parseWholeNumber('--limit', options.limit);
          const { rootDir } = await loadProcessSettings(options);
          const { signal } = handleInterruption();
          const issues = await findOpenIssues({ rootDir, env: process.env, signal }, options.label, limit);
          await changeQueue(options, (queue) => addWishes(queue, issues.map(createWishText), createWishId));
        }),
    )
    .addCommand(createTestCommand(setExitCode))
    .addCommand(
      createCommand('first', 'puts a wish before all others')
        .argument('<wish>', 'its id or number')
        .action((name: string, options: CommonOptions) =>
          changeQueue(options, (queue) => [{ type: 'wishFirst', data: { wish: resolveWishId(queue, name) } }]),
        ),
    )
    .addCommand(
      createCommand('move', 'moves a wish in the queue; also while a run is in progress')
        .argument('<wish>', 'its id or number')
        .argument('<place>', 'up, down, first, last, or its new number')
        .action((name: string, place: string, options: CommonOptions) =>
          changeQueue(options, (queue) => moveWish(queue, name, place)),
        ),
    )
    .addCommand(
      createCommand('drop', 'removes a wish')
        .argument('<wish>', 'its id or number')
        .action((name: string, options: CommonOptions) =>
          changeQueue(options, (queue) => [{ type: 'wishDropped', data: { wish: resolveWishId(queue, name) } }]),
        ),
    );

/**
 * The subcommand `tonight test`. At a terminal, it asks about each test. Without one, or with --json or --accept, its
 * exit code is 1 if a test was not accepted.
 */
const createTestCommand: CommandFactory = (setExitCode) =>
  createCommand('test', 'makes the acceptance test of a wish, shows it, and asks whether it is right')
    .argument('[wish]', 'its id or number; left out: each wish without one')
    .requiredOption('--proposer <name>', 'who writes it (`selfware models`)')
    .option('--accept', 'accept what was made, without reading it first')
    .addOption(createMaxCostOption())
    .action(async (name: string | undefined, options: TestOptions) => {
      await refuseAgents('An acceptance test');
      const setOptions = [...options.set, ...parseModelSettings(options)];
      await withSession({ ...options, set: setOptions }, async (invocation) => {
        const { rootDir, ownSettings, json, note, out, outJson } = invocation;
        const queue = await changeWishQueue(rootDir, process.env, createStderrLog('error'), () => []);
        const wishes =
          name === undefined
            ? queue.filter(({ tests }) => tests === null)
            : queue.filter(({ id }) => id === resolveWishId(queue, name));
        await requireConsent(invocation, options.proposer);
        const ignoresEarlier = name !== undefined;
        if (isAtTerminal() && !json && !options.accept)
          return confirmAcceptanceTests(invocation, wishes, options.proposer, ignoresEarlier);
        const results: { wish: string; outcome: AcceptanceOutcome; accepted: boolean }[] = [];
        for (const wish of wishes) {
          const outcome = await createAcceptanceTest(invocation, wish, options.proposer, ignoresEarlier);
          const isAccepted = options.accept === true && 'files' in outcome;
          if (isAccepted) {
            const show = () => note(describeTest(outcome, invocation));
            await requirePerson({ subject: 'Accepting a test', question: 'Accept this test?', ownSettings, show });
            await storeTests(invocation, wish, outcome.files);
          }
          if (!isAccepted) setExitCode(1);
          results.push({ wish: wish.id, outcome, accepted: isAccepted });
          if (json) continue;
          out(`${escapeInvisibleLine(wish.text)}  ${wish.id}`);
          out(
            'files' in outcome
              ? describeTest(outcome, invocation)
              : `No acceptance test: ${escapeInvisibleLine(outcome.refused)}`,
          );
          if ('files' in outcome && !isAccepted) out('Accept it at a terminal, or with --accept.');
        }
        if (json) return outJson(results);
        if (wishes.length === 0) out('Each wish has its acceptance test, or no wish waits.');
      });
    });

interface TestOptions extends CommonOptions {
  readonly proposer: string;
  readonly accept?: boolean;
  readonly maxCost?: string;
}

/** The wishes in a Markdown file. Throws `usage` if it contains none. */
async function readWishesInFile(path: string): Promise<readonly string[]> {
  const wishes = parseWishList(await readTextFile(path));
  if (wishes.length > 0) return wishes;
  throw new SelfwareError('usage', `${path} holds no list with an open item.`, {
    action: 'Write each wish as an item: `- [ ] Let parseDate accept ISO week dates`.',
  });
}

/** The text of a file. Throws `notFound` if it cannot be read. */
async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new SelfwareError('notFound', `${path} cannot be read.`, { action: 'Name an existing file.', cause });
  }
}

/** The words of a GitHub issue, cut to the maximum length of a wish. */
function createWishText({ number, title, body, author }: GithubIssue): string {
  return `Issue #${number} by ${author}: ${title}\n\n${body}`.trim().slice(0, MAX_WISH_LENGTH);
}

/** Records changes of the queue, and prints the changed queue. */
async function changeQueue(
  options: CommonOptions,
  change: (queue: readonly Wish[]) => readonly WishEvent[],
): Promise<void> {
  const { rootDir } = await loadProcessSettings(options);
  const queue = await changeWishQueue(rootDir, process.env, createStderrLog('error'), change);
  if (options.json) return writeJson(queue);
  if (queue.length === 0) return writeOut('No wish waits. Add one: selfware tonight add "…"');
  queue.forEach(({ id, text, tests, tries }, index) => {
    const lastTry = tries.at(-1);
    const tryText =
      lastTry && isPostponed(lastTry)
        ? 'waits, because nobody could be asked'
        : lastTry?.isDeferred
          ? 'waits for a quieter machine'
          : `tried ${tries.length === 1 ? 'once' : `${tries.length} times`}`;
    const lastTryText = lastTry ? ` (${tryText}: ${lastTry.reason ?? ''})` : '';
    const [firstLine = '', ...otherLines] = text.split('\n');
    const testText = tests === null ? '' : tests.length === 0 ? ', without a test' : ', with its test';
    writeOut(
      escapeInvisibleLine(
        `${index + 1}. ${firstLine}${otherLines.length > 0 ? ' …' : ''}  ${id}${testText}${lastTryText}`,
      ),
    );
  });
}
