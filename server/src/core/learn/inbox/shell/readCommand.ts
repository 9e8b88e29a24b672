// Tells what a command line may change, from its syntax tree. Nothing is run. Whatever cannot be read is refused.

import type { Node } from 'web-tree-sitter';
import type { CommandEffects } from '../../../model/inbox.ts';
import {
  GIT_EXCEPT,
  GIT_LIST_OPTIONS,
  GIT_LISTS,
  GIT_READERS,
  INTERPRETERS,
  READERS,
  REFUSED,
  REFUSED_TARGETS,
  RUNS_TEXT,
  WRAPPERS,
} from './programs.ts';

/** The effects of a command line, or why it is refused: the end of a sentence. */
export type CommandReading = { readonly effects: CommandEffects } | { readonly refused: string };

/** The longest command line that is read, in characters. */
export const MAX_COMMAND_CHARACTERS = 500;

const NOTHING: CommandReading = { effects: 'none' };
const UNKNOWN: CommandReading = { effects: 'unknown' };
const OUTPUT = /^(?:>|>>|>\||&>|&>>|<>|>&)$/;
/** Kinds of nodes that set variables, which can change what a program does. */
const SETTING: ReadonlySet<string> = new Set(['variable_assignment', 'declaration_command', 'unset_command']);

/** Reads the tree of a text in Bash. */
export function readCommand(root: Node): CommandReading {
  if (root.text.trim() === '') return { refused: 'it is empty' };
  if (root.text.length > MAX_COMMAND_CHARACTERS)
    return { refused: `it has more than ${MAX_COMMAND_CHARACTERS} characters` };
  if (root.hasError) return { refused: 'it cannot be read as a command line' };
  const readings: CommandReading[] = [];
  const pending: Node[] = [root];
  while (pending.length > 0) {
    const node = pending.pop()!;
    readings.push(readNode(node));
    pending.push(...childrenOf(node));
  }
  return worst(readings);
}

function readNode(node: Node): CommandReading {
  if (node.type === 'command') return readWords(childrenOf(node).filter(isWord).map(literal));
  if (node.type === 'file_redirect') return readRedirect(node);
  if (node.type === 'function_definition') return { refused: 'it defines a function, which may hide a program' };
  return SETTING.has(node.type) ? UNKNOWN : NOTHING;
}

/** The part of a command that is neither a redirection nor an assignment before its name. */
function isWord({ type }: Node): boolean {
  return !type.endsWith('_redirect') && !SETTING.has(type);
}

/** Output into a file is refused; into `/dev/null` or another stream it is harmless. */
function readRedirect(node: Node): CommandReading {
  const operator = node.children.find((child) => child !== null && OUTPUT.test(child.type));
  if (!operator) return NOTHING;
  const target = node.childForFieldName('destination');
  const text = target === null ? null : literal(target);
  return text === '/dev/null' || /^\d$/.test(text ?? '') ? NOTHING : { refused: 'it writes into a file' };
}

/** `words`: the program and its arguments; null for one that is known only when it runs. */
function readWords(words: readonly (string | null)[]): CommandReading {
  const [program, ...rest] = words;
  if (program === undefined) return NOTHING;
  if (program === null || !/^[\w./+:@[-]+$/.test(program))
    return { refused: 'the name of a program is not written out' };
  const name = program.slice(program.lastIndexOf('/') + 1);
  const reason = REFUSED.get(name) ?? (name.startsWith('mkfs.') ? REFUSED.get('mkfs') : undefined);
  if (reason !== undefined) return { refused: `${name} is not allowed: ${reason}` };
  if (WRAPPERS.has(name)) return readWrapped(name, rest);
  if (name === 'git') return readGit(rest);
  if (name === 'sed' && rest.some((word) => word === null || /^(?:-[a-zA-Z]*i|--in-place)/.test(word)))
    return { refused: 'sed is not allowed to write into files' };
  const inline = INTERPRETERS.get(name);
  if (inline && runsText(inline, rest)) return { refused: `${name} is not allowed: ${RUNS_TEXT}` };
  // A program from a path of its own may be anything, whatever its name.
  const reader = program === name ? READERS.get(name) : undefined;
  return reader ? readReader(name, reader, rest) : readRunner(name, rest);
}

/** True if an interpreter is given text to run, or reads it from its input because it is given no file. */
function runsText(inline: RegExp, rest: readonly (string | null)[]): boolean {
  if (rest.length === 1 && rest[0] === '--version') return false;
  return rest.some((word) => word !== null && inline.test(word)) || rest.every((word) => word?.startsWith('-') ?? true);
}

function readReader(
  name: string,
  { except = [], operands }: NonNullable<ReturnType<typeof READERS.get>>,
  rest: readonly (string | null)[],
): CommandReading {
  const isBad = (word: string | null) => word !== null && except.some((option) => word.startsWith(option));
  const bad = rest.find(isBad);
  if (bad) return readBadOption(name, bad, rest);
  // An argument that is only known at run time may be one of the options.
  if (except.length > 0 && rest.includes(null)) return UNKNOWN;
  const given = rest.filter((word) => word === null || !word.startsWith('-')).length;
  if (operands !== undefined && given > operands) return { refused: `${name} writes into its last operand` };
  return NOTHING;
}

/** An option with which a reading program writes, or starts another program. */
function readBadOption(name: string, option: string, rest: readonly (string | null)[]): CommandReading {
  if (!/^-(?:exec|ok)/.test(option))
    return { refused: `${name} ${option} is not allowed: it writes or runs a program` };
  return readWrapped(name, rest.slice(rest.indexOf(option) + 1));
}

/** A program that starts another one: each of its words may be that one. */
function readWrapped(name: string, rest: readonly (string | null)[]): CommandReading {
  if (rest.find((word) => !word?.startsWith('-')) === null)
    return { refused: `${name} starts a program whose name is not written out` };
  const refused = rest
    .map((word, at) => (word === null || word.startsWith('-') ? UNKNOWN : readWords(rest.slice(at))))
    .find((reading) => 'refused' in reading && !reading.refused.startsWith('the name'));
  if (refused && 'refused' in refused) return { refused: `${name} starts a program; ${refused.refused}` };
  return UNKNOWN;
}

function readGit(rest: readonly (string | null)[]): CommandReading {
  const [subcommand, ...options] = rest;
  if (subcommand === undefined || subcommand === '--version') return NOTHING;
  if (subcommand === null || subcommand.startsWith('-'))
    return { refused: 'git is not allowed with options before its subcommand' };
  if (GIT_LISTS.has(subcommand) && options.every((word) => word !== null && GIT_LIST_OPTIONS.has(word))) {
    // `git stash` alone stashes.
    if (subcommand !== 'stash' || options.length > 0) return NOTHING;
  }
  if (!GIT_READERS.has(subcommand))
    return { refused: `git ${subcommand} is not allowed: it may change the repository` };
  const bad = options.find((word) => word !== null && GIT_EXCEPT.some((option) => word.startsWith(option)));
  if (bad) return { refused: `git ${subcommand} ${bad} is not allowed: it writes or runs a program` };
  return options.includes(null) ? UNKNOWN : NOTHING;
}

/** Any other program: its effects are unknown, and a target with a destructive name is refused. */
function readRunner(name: string, rest: readonly (string | null)[]): CommandReading {
  const target = rest.find((word) => word?.split(/[:\s=]/).some((part) => REFUSED_TARGETS.has(part.toLowerCase())));
  if (target)
    return { refused: `${name} ${target} is not allowed: its name says that it removes or publishes something` };
  return UNKNOWN;
}

/** The text of a word without quotes; null if a part of it is known only when it runs. */
function literal(node: Node): string | null {
  switch (node.type) {
    case 'command_name':
    case 'string':
    case 'concatenation': {
      if (node.type === 'string' && node.text.includes('\\')) return null;
      const parts = childrenOf(node).map(literal);
      if (node.type === 'string' && parts.length === 0) return node.text.slice(1, -1);
      return parts.includes(null) ? null : parts.join('');
    }
    case 'word':
      return /^~|[{}*?]/.test(node.text) ? null : node.text.replace(/\\(.)/g, '$1');
    case 'string_content':
    case 'number':
      return node.text;
    case 'raw_string':
      return node.text.slice(1, -1);
    default:
      return node.isNamed ? null : node.text;
  }
}

function childrenOf(node: Node): readonly Node[] {
  return node.namedChildren.filter((child): child is Node => child !== null && child.type !== 'comment');
}

function worst(readings: readonly CommandReading[]): CommandReading {
  return (
    readings.find((reading) => 'refused' in reading) ??
    readings.find((reading) => 'effects' in reading && reading.effects === 'unknown') ??
    NOTHING
  );
}
