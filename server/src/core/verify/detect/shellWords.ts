// Splits a simple command line of a package script into commands and words. Commands are joined by `&&`; variables,
// escapes, pipes and redirections are not supported.

/** One command of a line. */
export interface ShellCommand {
  /** Assignments such as `NAME=value` before the command. */
  readonly environment: readonly string[];
  readonly words: readonly Word[];
}

/** A word of a command. */
export interface Word {
  /** The word without quotes. */
  readonly value: string;
  /** The word as written, including quotes. */
  readonly text: string;
}

const WORD_PATTERN = /^(?:[^\s'"\\$`|&;<>()#*?[\]{}~!]|[*?]|[[\]{}~!#](?=\S|$)|"[^"$`\\]*"|'[^']*')+/;

/** The commands of the line; null if it uses anything else. Patterns such as `test/*.js` stay as they are. */
export function parseShellLine(line: string): ShellCommand[] | null {
  const commands: ShellCommand[] = [];
  let words: Word[] = [];
  let remaining = line.trim();
  while (remaining !== '') {
    if (remaining.startsWith('&&')) {
      if (words.length === 0) return null;
      commands.push(createCommand(words));
      words = [];
      remaining = remaining.slice(2).trimStart();
      continue;
    }
    const text = WORD_PATTERN.exec(remaining)?.[0];
    if (text === undefined) return null;
    words.push({
      text,
      value: text.replace(
        /"([^"]*)"|'([^']*)'/g,
        (_, double: string | undefined, single: string | undefined) => double ?? single ?? '',
      ),
    });
    remaining = remaining.slice(text.length);
    if (remaining !== '' && !/^(\s|&&)/.test(remaining)) return null;
    remaining = remaining.trimStart();
  }
  return words.length === 0 ? null : [...commands, createCommand(words)];
}

/** Quotes a string as one word for a POSIX shell, if it needs quotes. */
export function shellQuoteIfNeeded(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

function createCommand(words: readonly Word[]): ShellCommand {
  const firstWordIndex = words.findIndex(({ text }) => !/^[A-Za-z_]\w*=/.test(text));
  const assignmentCount = firstWordIndex < 0 ? words.length : firstWordIndex;
  return { environment: words.slice(0, assignmentCount).map(({ text }) => text), words: words.slice(assignmentCount) };
}
