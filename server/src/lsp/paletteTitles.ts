// Rewrites advice for Selfware's own client: where the core names a command line, the text names the command of VS
// Code's palette instead.

import type { NoticeState } from '#protocol/state';
import type { ClientAbilities } from './clientAbilities.ts';

/**
 * The titles of commands in the palette, by the beginning of the command line (without the program). The first match
 * counts.
 */
export const paletteTitles: Readonly<Record<string, string>> = {
  resume: 'Resume',
  stop: 'Stop…',
  'proposals judge': 'Check Applied Changes',
  'proposals keep': 'Keep Change…',
  // The sidebar, because it also shows changes that were kept or rolled back.
  'proposals list --all': 'Show Sidebar',
  'proposals list': 'Review Proposal…',
  'checkpoints list': 'Roll Back…',
  'checkpoints rollback': 'Roll Back…',
  'ledger verify --change': 'Verify Change…',
  'ledger verify': 'Verify Ledger',
  'models install': 'Install a Component…',
  'models consents': 'Withdraw Consent to Send Code…',
  'models withdraw': 'Withdraw Consent to Send Code…',
  models: 'Improve with a Model…',
  coverage: 'Find Missing Tests or Faults…',
  setup: 'Set Up Tests…',
  outdated: 'Check for Outdated Dependencies…',
  verify: 'Judge This Branch…',
  doctor: 'Check the Set-Up',
  'baseline create': 'Baseline…',
  'baseline update': 'Baseline…',
  'night accept': "Take the Night's Changes…",
  'night continue': 'Continue the Night',
  'night stop': 'End the Night',
  'night drop': "Drop the Night's Changes…",
  'night squash': "Squash the Night's Changes…",
  'night pr': 'Open a Pull Request for the Night…',
  night: 'Run Overnight…',
  report: 'Show Last Night',
  'tonight list': 'Wishes for the Night…',
  'tonight add': 'Wishes for the Night…',
  'dismiss --list': 'Undismiss…',
  undismiss: 'Undismiss…',
  'learn recipes': 'Repeat an Edit…',
  learned: 'Forget a Lesson…',
  'rules accept': 'Read Rules of This Repository…',
  inbox: 'Decide About a Proposed Command or Skill…',
};

/**
 * Beginnings of command lines without a command in VS Code, which are not replaced. They take precedence over
 * `paletteTitles`.
 */
export const onlyInTerminal: readonly string[] = [
  'learn export',
  'learn rollback',
  'learn status',
  'learn train',
  'setup --at',
  'outdated --update ',
  'tonight',
  'night notify',
  'night --detach',
  'proposals show',
  'report --all',
  'ledger query',
  'counterexamples',
  'unguarded',
  'examples',
  'hot',
  'feedback',
  'performance',
  'propose --request',
  'references',
  'rules list',
  'rules on',
  'rules read',
  'rules seed',
  'rules trial',
  'rules update',
];

/** Matches a command line of Selfware in backquotes; the group is the part after the name of the program. */
const COMMAND_LINE = /`selfware ([^`\n]+)`/g;

/**
 * The text with command lines replaced by titles of the palette, for Selfware's own client; unchanged for other
 * clients.
 */
export function insertCommandTitles(text: string, { canReview }: Pick<ClientAbilities, 'canReview'>): string {
  return canReview
    ? text.replace(COMMAND_LINE, (commandLine: string, commandText: string) => findTitle(commandText) ?? commandLine)
    : text;
}

/**
 * Applies `insertCommandTitles` to a page of Markdown, except to code blocks and to code within two or more backticks,
 * because these quote the repository and the output of programs.
 */
export function insertTitlesIntoPage(markdown: string, abilities: Pick<ClientAbilities, 'canReview'>): string {
  let fence: string | null = null;
  return markdown
    .split('\n')
    .map((line) => {
      const [, backticks = '', fenceInfo = ''] = /^\s*(`{3,})(.*)$/.exec(line) ?? [];
      if (fence !== null) {
        if (backticks.length >= fence.length && fenceInfo.trim() === '') fence = null;
        return line;
      }
      // A line that begins with a code span is not the start of a code block.
      if (backticks !== '' && !fenceInfo.includes('`')) fence = backticks;
      return fence === null ? insertTitlesIntoLine(line, abilities) : line;
    })
    .join('\n');
}

/** Applies `insertCommandTitles` to a line of Markdown, except to code within two or more backticks. */
function insertTitlesIntoLine(line: string, abilities: Pick<ClientAbilities, 'canReview'>): string {
  // Texts and runs of backticks, alternately.
  const parts = line.split(/(`+)/);
  let [finishedText, pendingText] = ['', ''];
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index]!;
    const endIndex = part.startsWith('``') ? parts.indexOf(part, index + 1) : -1;
    if (endIndex === -1) pendingText += part;
    else {
      finishedText += insertCommandTitles(pendingText, abilities) + parts.slice(index, endIndex + 1).join('');
      pendingText = '';
      index = endIndex;
    }
  }
  return finishedText + insertCommandTitles(pendingText, abilities);
}

/** Applies `insertCommandTitles` to the texts of a notice. */
export function insertTitlesIntoNotice<T extends NoticeState>(
  notice: T,
  abilities: Pick<ClientAbilities, 'canReview'>,
): T {
  return {
    ...notice,
    message: insertCommandTitles(notice.message, abilities),
    action: notice.action && insertCommandTitles(notice.action, abilities),
  };
}

/** The title of the palette's command for a command line, in quotes; undefined if there is none. */
function findTitle(commandText: string): string | undefined {
  if (onlyInTerminal.some((commandStart) => commandText.startsWith(commandStart))) return undefined;
  const entry = Object.entries(paletteTitles).find(
    ([commandStart]) => commandText === commandStart || commandText.startsWith(`${commandStart} `),
  );
  return entry && `"Selfware: ${entry[1]}"`;
}
