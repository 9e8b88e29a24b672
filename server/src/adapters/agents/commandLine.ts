// Splits a person's command line into words, and fills in its placeholders. It understands the quotes and backslashes
// of a shell, and no other shell syntax.

import { SelfwareError } from '../../util/typedError.ts';
import type { McpServer } from './tools/provideTools.ts';

/** Maximum number of bytes in one argument, with a margin below the system's limit (execve(2)). */
const MAX_ARGUMENT_BYTES = 120_000;

/** Values of the placeholders in a command line. */
export interface PlaceholderValues {
  /** Path of the file with the task, as the command sees it. */
  readonly promptFile: string;
  /** The text of the task. */
  readonly prompt: string;
  /** The MCP server; null if there is none, which leaves its placeholders as they are. */
  readonly mcp: McpServer | null;
}

/**
 * The words of a command line. `setting`: its setting, for messages. Throws `usage` for a line that is empty or has an
 * open quote.
 */
export function splitCommandLine(line: string, setting = 'models.commands'): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let offset = 0; offset < line.length; offset += 1) {
    const character = line[offset]!;
    if (quote === '' && /\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) [quote, word] = [character, word ?? ''];
    else if (character === '\\' && quote !== "'" && offset + 1 < line.length)
      word = (word ?? '') + line[(offset += 1)]!;
    else word = (word ?? '') + character;
  }
  if (quote !== '')
    throw new SelfwareError('usage', `The command line ${line.slice(0, 100)} has an open quote.`, {
      action: `Correct it in ${setting}.`,
    });
  if (word !== null) words.push(word);
  if (words.length === 0)
    throw new SelfwareError('usage', 'A command line is empty.', { action: `Correct it in ${setting}.` });
  return words;
}

/**
 * The words with the values in place of the placeholders. If no word has a placeholder for the task, the result is a
 * command line that gives the task on standard input. A prompt that is too long for an argument is replaced by the
 * request to read `promptFile`.
 */
export function fillPlaceholders(commandLine: readonly string[], values: PlaceholderValues): readonly string[] {
  const { promptFile, prompt, mcp } = values;
  const shortPrompt =
    Buffer.byteLength(prompt) <= MAX_ARGUMENT_BYTES ? prompt : `Carry out the task in the file ${promptFile}.`;
  const words = commandLine.map((word) => fillWord(word, { prompt: shortPrompt, promptFile, ...createMcpValues(mcp) }));
  if (commandLine.some((word) => /\{prompt(?:File)?\}/.test(word))) return words;
  return ['/bin/sh', '-c', 'file=$1; shift; exec "$@" < "$file"', 'sh', promptFile, ...words];
}

/** The text with the MCP server in place of `{mcpServer}` and `{mcpConfig}`. */
export function fillMcp(text: string, mcp: McpServer | null): string {
  return fillWord(text, createMcpValues(mcp));
}

function createMcpValues(mcp: McpServer | null): Readonly<Record<string, string>> {
  return mcp === null ? {} : { mcpServer: mcp.program, mcpConfig: mcp.config };
}

/** The word with values in place of their names in braces. Braces in the values themselves are not replaced. */
function fillWord(word: string, values: Readonly<Record<string, string>>): string {
  return word.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? values[name]! : placeholder,
  );
}
