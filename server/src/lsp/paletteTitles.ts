// Rewrites advice for our own client: palette commands replace the command lines that the core names.

import type { NoticeState } from '#protocol/state';
import type { ClientAbilities } from './clientAbilities.ts';

/**
 * Beginning of a command line, without the program → title in the palette. The first match counts. Other command lines
 * have no command in VS Code.
 */
export const paletteTitles: Readonly<Record<string, string>> = {
  resume: 'Resume',
  stop: 'Stop…',
  'proposals judge': 'Check Applied Changes',
  'proposals keep': 'Keep Change…',
  // The sidebar also shows changes that were kept or rolled back.
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

/** Command lines without a command in VS Code, which stay as they are. */
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

const COMMAND_LINE = /`selfware ([^`\n]+)`/g;

/** The text with titles of the palette in place of command lines, for our own client; any other gets it unchanged. */
export function insertCommandTitles(text: string, { canReview }: Pick<ClientAbilities, 'canReview'>): string {
  return canReview
    ? text.replace(COMMAND_LINE, (commandLine: string, commandText: string) => findTitle(commandText) ?? commandLine)
    : text;
}

/**
 * A page reworded by `insertCommandTitles`, except for its code blocks and for code within two or more backticks: these
 * quote the repository and the output of programs.
 */
export function pageWithCommandTitles(markdown: string, abilities: Pick<ClientAbilities, 'canReview'>): string {
  let fence: string | null = null;
  return markdown
    .split('\n')
    .map((line) => {
      const [, mark = '', info = ''] = /^\s*(`{3,})(.*)$/.exec(line) ?? [];
      if (fence !== null) {
        if (mark.length >= fence.length && info.trim() === '') fence = null;
        return line;
      }
      // A line that begins with a code span is not a fence.
      if (mark !== '' && !info.includes('`')) fence = mark;
      return fence === null ? lineWithCommandTitles(line, abilities) : line;
    })
    .join('\n');
}

/** A line of Markdown. Its code within two or more backticks stays as it is. */
function lineWithCommandTitles(line: string, abilities: Pick<ClientAbilities, 'canReview'>): string {
  // Texts and runs of backticks, in turn.
  const parts = line.split(/(`+)/);
  let [done, plain] = ['', ''];
  for (let offset = 0; offset < parts.length; offset += 1) {
    const part = parts[offset]!;
    const end = part.startsWith('``') ? parts.indexOf(part, offset + 1) : -1;
    if (end === -1) plain += part;
    else {
      done += insertCommandTitles(plain, abilities) + parts.slice(offset, end + 1).join('');
      plain = '';
      offset = end;
    }
  }
  return done + insertCommandTitles(plain, abilities);
}

/** The notice with its texts reworded by `insertCommandTitles`. */
export function noticeWithCommandTitles<T extends NoticeState>(
  notice: T,
  abilities: Pick<ClientAbilities, 'canReview'>,
): T {
  return {
    ...notice,
    message: insertCommandTitles(notice.message, abilities),
    action: notice.action && insertCommandTitles(notice.action, abilities),
  };
}

function findTitle(commandText: string): string | undefined {
  if (onlyInTerminal.some((beginning) => commandText.startsWith(beginning))) return undefined;
  const entry = Object.entries(paletteTitles).find(
    ([beginning]) => commandText === beginning || commandText.startsWith(`${beginning} `),
  );
  return entry && `"Selfware: ${entry[1]}"`;
}
