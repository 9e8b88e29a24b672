// Determines the possible effects of a command line from its syntax tree, without running it. A line is refused if it
// does not parse, or if it may destroy something, act outside of the repository, or run code that cannot be read.

import type { Node } from 'web-tree-sitter';
import type { CommandEffects } from '../../../model/inbox.ts';
import {
  CLOSED_READERS,
  GIT_CLOSED_READERS,
  GIT_READERS,
  TEXT_OPTIONS_OF_INTERPRETERS,
  OPTIONS_OF_READERS,
  REASON_BY_REFUSED_PROGRAM,
  REFUSED_TARGETS,
  RUNS_TEXT_REASON,
  WRAPPER_PROGRAMS,
} from './programs.ts';

/** The effects of a command line, or the reason why it is refused, as the end of a sentence. */
export type CommandReading = { readonly effects: CommandEffects } | { readonly refused: string };

/** Maximum number of characters of a command line. */
const MAX_COMMAND_CHARACTERS = 500;

const NO_COMMAND_READING: CommandReading = { effects: 'none' };
const UNKNOWN_READING: CommandReading = { effects: 'unknown' };
/** Operators that redirect output. */
const OUTPUT_PATTERN = /^(?:>|>>|>\||&>|&>>|<>|>&)$/;
/** Types of nodes that set variables. */
const SETS_VARIABLES: ReadonlySet<string> = new Set(['variable_assignment', 'declaration_command', 'unset_command']);
/** Types of nodes that have no effects themselves. If a line has any other node, its effects are unknown. */
const WITHOUT_EFFECTS: ReadonlySet<string> = new Set([
  'command',
  'command_name',
  'concatenation',
  'file_descriptor',
  'file_redirect',
  'list',
  'number',
  'pipeline',
  'program',
  'raw_string',
  'redirected_statement',
  'string',
  'string_content',
  'word',
]);
/** Matches invisible characters, and spaces that Bash does not treat as spaces. */
const INVISIBLE_PATTERN = /[\p{C}\p{Z}\p{DI}]/u;

/**
 * The effects of a command line, or the reason why it is refused. `root`: the root of its syntax tree, parsed as Bash.
 */
export function readCommand(line: string, root: Node): CommandReading {
  if (line.trim() === '') return { refused: 'it is empty' };
  if (line.length > MAX_COMMAND_CHARACTERS) return { refused: `it has more than ${MAX_COMMAND_CHARACTERS} characters` };
  if (INVISIBLE_PATTERN.test(line.replaceAll(' ', '')))
    return { refused: 'it has a line break, a tab or a character that is not seen' };
  if (root.hasError) return { refused: 'it cannot be read as a command line' };
  const readings: CommandReading[] = [];
  const pending: Node[] = [root];
  while (pending.length > 0) {
    const node = pending.pop()!;
    readings.push(readNode(node));
    pending.push(...collectChildren(node));
  }
  return selectWorstReading(readings);
}

/** The effects of one node of the syntax tree, without those of the nodes inside it. */
function readNode(node: Node): CommandReading {
  if (node.type === 'command') return readWords(collectChildren(node).filter(isWord).map(readLiteral));
  if (node.type === 'file_redirect') return readRedirect(node);
  if (node.type === 'function_definition') return { refused: 'it defines a function, which may hide a program' };
  return WITHOUT_EFFECTS.has(node.type) ? NO_COMMAND_READING : UNKNOWN_READING;
}

/** True for a node of a command that is its name or an argument, and not a redirection or an assignment. */
function isWord({ type }: Node): boolean {
  return !type.endsWith('_redirect') && !SETS_VARIABLES.has(type);
}

/**
 * Reads a redirection. Output to a file is refused; to `/dev/null` or another stream it is harmless. For input the
 * effects are unknown, because Bash opens network connections for some paths.
 */
function readRedirect(node: Node): CommandReading {
  const operator = node.children.find((child) => child !== null && OUTPUT_PATTERN.test(child.type));
  if (!operator) return UNKNOWN_READING;
  const target = node.childForFieldName('destination');
  const text = target === null ? null : readLiteral(target);
  return text === '/dev/null' || /^\d$/.test(text ?? '') ? NO_COMMAND_READING : { refused: 'it writes into a file' };
}

/** Reads a program with its arguments. `words`: their texts; null for a word that is known only at run time. */
function readWords(words: readonly (string | null)[]): CommandReading {
  const [program, ...args] = words;
  if (program === undefined) return NO_COMMAND_READING;
  if (program === null || !/^[\w./+:@[-]+$/.test(program))
    return { refused: 'the name of a program is not written out' };
  const name = program.slice(program.lastIndexOf('/') + 1);
  const reason =
    REASON_BY_REFUSED_PROGRAM.get(name) ??
    (name.startsWith('mkfs.') ? REASON_BY_REFUSED_PROGRAM.get('mkfs') : undefined);
  if (reason !== undefined) return { refused: `${name} is not allowed: ${reason}` };
  if (WRAPPER_PROGRAMS.has(name)) return readWrapped(name, args);
  if (name === 'git') return readGit(args);
  if (name === 'sed' && args.some((word) => word === null || /^(?:-[a-zA-Z]*i|--in-place)/.test(word)))
    return { refused: 'sed is not allowed to write into files' };
  const textOptions = TEXT_OPTIONS_OF_INTERPRETERS.get(name);
  if (textOptions && runsText(textOptions, args)) return { refused: `${name} is not allowed: ${RUNS_TEXT_REASON}` };
  // With a path, the name does not show which program it is.
  if (program === name && onlyReads(name, args, OPTIONS_OF_READERS, CLOSED_READERS)) return NO_COMMAND_READING;
  const execIndex = name === 'find' ? args.findIndex((word) => word !== null && /^-(?:exec|ok)/.test(word)) : -1;
  return execIndex < 0 ? readRunner(name, args) : readWrapped(name, args.slice(execIndex + 1));
}

/** True if an interpreter gets code by an option, or reads code from its input because no file is given. */
function runsText(inline: RegExp, args: readonly (string | null)[]): boolean {
  if (args.length === 1 && args[0] === '--version') return false;
  return args.some((word) => word !== null && inline.test(word)) || args.every((word) => word?.startsWith('-') ?? true);
}

/** True if a program is in one of the lists and has only arguments that this list allows. */
function onlyReads(
  name: string,
  args: readonly (string | null)[],
  readers: ReadonlyMap<string, string>,
  restrictedReaders: ReadonlyMap<string, string>,
): boolean {
  const allowedText = readers.get(name) ?? restrictedReaders.get(name);
  if (allowedText === undefined) return false;
  const allowedWords = new Set(allowedText.split(' '));
  return args.every(
    (word) =>
      // A word that is only known at run time may be an option.
      word !== null &&
      (allowedWords.has(word.replace(/^(--[a-z-]+)=.*$/, '$1')) ||
        /^-\d+$/.test(word) ||
        (readers.has(name) && !word.startsWith('-'))),
  );
}

/**
 * Reads a program that starts another program. Each of its words is read as if it were the other program: the first
 * refusal counts. If there is none, the effects are unknown.
 */
function readWrapped(name: string, args: readonly (string | null)[]): CommandReading {
  if (args.find((word) => !word?.startsWith('-')) === null)
    return { refused: `${name} starts a program whose name is not written out` };
  const refusedReading = args
    .map((word, index) => (word === null || word.startsWith('-') ? UNKNOWN_READING : readWords(args.slice(index))))
    .find((reading) => 'refused' in reading && !reading.refused.startsWith('the name'));
  if (refusedReading && 'refused' in refusedReading)
    return { refused: `${name} starts a program; ${refusedReading.refused}` };
  return UNKNOWN_READING;
}

/**
 * Reads the words after `git`. A subcommand of `GIT_READERS` with options that are not allowed has unknown effects.
 * Options before the subcommand, and all other subcommands, are refused.
 */
function readGit(args: readonly (string | null)[]): CommandReading {
  const [subcommand, ...options] = args;
  if (subcommand === undefined || subcommand === '--version') return NO_COMMAND_READING;
  if (subcommand === null || subcommand.startsWith('-'))
    return { refused: 'git is not allowed with options before its subcommand' };
  if (onlyReads(subcommand, options, GIT_READERS, GIT_CLOSED_READERS)) return NO_COMMAND_READING;
  if (onlyReads(`${subcommand} ${options[0]}`, options.slice(1), GIT_READERS, GIT_CLOSED_READERS))
    return NO_COMMAND_READING;
  if (GIT_READERS.has(subcommand)) return UNKNOWN_READING;
  return { refused: `git ${subcommand} is not allowed: it may change the repository` };
}

/**
 * Reads any other program, such as a runner of scripts: its effects are unknown, and words with destructive names are
 * refused.
 */
function readRunner(name: string, args: readonly (string | null)[]): CommandReading {
  const target = args.find((word) => word?.split(/[:\s=]/).some((part) => REFUSED_TARGETS.has(part.toLowerCase())));
  if (target)
    return { refused: `${name} ${target} is not allowed: its name says that it removes or publishes something` };
  return UNKNOWN_READING;
}

/** The text of a word without quotes; null if a part of it is known only at run time. */
function readLiteral(node: Node): string | null {
  switch (node.type) {
    case 'command_name':
    case 'string':
    case 'concatenation': {
      const children = collectChildren(node);
      // The nodes of a string do not include spaces at its ends.
      if (node.type === 'string')
        return node.text.includes('\\') || children.some(({ type }) => type !== 'string_content')
          ? null
          : node.text.slice(1, -1);
      const parts = children.map(readLiteral);
      return parts.includes(null) ? null : parts.join('');
    }
    case 'word':
      return /^~|[{}*?[\]]/.test(node.text) ? null : node.text.replace(/\\(.)/g, '$1');
    case 'string_content':
    case 'number':
      return node.text;
    case 'raw_string':
      return node.text.slice(1, -1);
    default:
      return node.isNamed ? null : node.text;
  }
}

function collectChildren(node: Node): readonly Node[] {
  return node.namedChildren.filter((child): child is Node => child !== null && child.type !== 'comment');
}

/** The first refusal; otherwise `UNKNOWN_READING` if any reading is unknown, otherwise `NO_COMMAND_READING`. */
function selectWorstReading(readings: readonly CommandReading[]): CommandReading {
  return (
    readings.find((reading) => 'refused' in reading) ??
    readings.find((reading) => 'effects' in reading && reading.effects === 'unknown') ??
    NO_COMMAND_READING
  );
}
