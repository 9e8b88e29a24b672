// Mutates source texts: what an editor, a merge, a broken disk or a hostile hand could make of them. Same seed, same
// text.

import { hashText } from '../bench/support/random.ts';

/** Whole numbers 0 ≤ x < below, one after the other, by the seed alone. */
export type Dice = (below: number) => number;

export function diceOf(seed: string): Dice {
  let thrown = 0;
  return (below) => hashText(`${seed}/${thrown++}`) % Math.max(1, below);
}

type Mutation = (text: string, dice: Dice, other: string) => string;

/** UTF-16 units. Long enough for several functions; the bounds on whole files are others' tests. */
const LONGEST_WINDOW = 8_000;
const LONGEST_STRETCH = 200;
const MAX_MUTATIONS = 4;
const BRACKETS = [
  '(',
  '[',
  '{',
  '<',
  '`${',
  '"',
  "'",
  '/*',
  '"""',
  'if (a) {',
  'function f() {',
  '=> {',
  '<a>',
  '(function () {',
  'if a {',
  'else ',
];
const CLOSERS: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  'if (a) {': '}',
  'function f() {': '}',
  '<a>': '</a>',
  'if a {': '}',
};
const OPERATORS = [
  ' + ',
  ' && ',
  ' || ',
  ' ?? ',
  ', ',
  '.f()',
  '?.a',
  ' and ',
  ' = ',
  ' ? 1 : ',
  ' => ',
  '::',
  '; ',
  '\n',
  ' else if (a) b; ',
];
const GARBAGE = [
  '\0',
  '\ud800',
  '\udc00',
  '\udfff\ud800',
  '\ufeff',
  '\u2028',
  '\u2029',
  '\u202e',
  '\x1b[0m',
  '\r',
  '\ufffe',
  '\u{1f600}',
  '\u0000\u0001',
  '\x7f',
  '#!',
  '\\u{110000}',
  '\\',
];

const mutations: readonly Mutation[] = [
  // Cut off.
  (text, dice) => text.slice(0, dice(text.length)),
  (text, dice) => text.slice(dice(text.length)),
  // Characters and tokens go, double, change places.
  (text, dice) => stretch(text, dice, () => ''),
  (text, dice) => stretch(text, dice, (part) => part + part),
  (text, dice) => stretch(text, dice, (part) => [...part].reverse().join('')),
  (text, dice) => tokens(text, dice, (all, at) => all.splice(at, 1 + dice(3))),
  (text, dice) => tokens(text, dice, (all, at) => all.splice(at, 0, all[dice(all.length)] ?? '')),
  (text, dice) => tokens(text, dice, (all, at) => ([all[at], all[at + 1]] = [all[at + 1] ?? '', all[at] ?? ''])),
  (text, dice) => lines(text, dice, (all, at) => all.splice(at, 1)),
  (text, dice) => lines(text, dice, (all, at) => all.splice(dice(all.length), 0, ...all.slice(at, at + 1 + dice(20)))),
  (text, dice) => lines(text, dice, (all, at) => (all[at] = ' '.repeat(dice(12)) + (all[at] ?? '').trimStart())),
  // Half of one file, half of another.
  (text, dice, other) => text.slice(0, dice(text.length)) + other.slice(dice(other.length)),
  (text, dice, other) => insert(text, dice, other.slice(dice(other.length)).slice(0, LONGEST_STRETCH)),
  // Brackets that nobody closes, depth, chains, long lines.
  (text, dice) => insert(text, dice, pick(BRACKETS, dice)),
  (text, dice) => text.replace(/[)\]}]/g, (closer) => (dice(4) === 0 ? '' : closer)),
  (text, dice) => insert(text, dice, nested(pick(BRACKETS, dice), 1 << dice(12), dice)),
  (text, dice) => insert(text, dice, `a${pick(OPERATORS, dice)}`.repeat(1 << dice(13))),
  (text, dice) => insert(text, dice, pick(['a', '1', '"', ' ', '\t', '(', '// '], dice).repeat(1 << dice(16))),
  (text) => text.replace(/\n/g, ' '),
  (text, dice) => text.replace(/\n/g, pick(['\r\n', '\r', '\u2028', '\n\n\n'], dice)),
  // What no keyboard writes.
  (text, dice) => insert(text, dice, pick(GARBAGE, dice).repeat(1 + dice(5))),
  (text, dice) => stretch(text, dice, (part) => part.replace(/./g, () => String.fromCharCode(dice(0x10000)))),
  (text, dice) => stretch(text, dice, (part) => part.replace(/[^\n]/g, '\0')),
];

/** A window of `text`, mutated 1–4 times; `other` lends its parts. */
export function mutate(text: string, other: string, dice: Dice): string {
  let mutant = windowOf(text, dice);
  const lent = windowOf(other, dice);
  for (let count = 1 + dice(MAX_MUTATIONS); count > 0; count--)
    mutant = mutations[dice(mutations.length)]!(mutant, dice, lent);
  return mutant;
}

/** Changes single bytes, which need not be text any more. */
export function mutateBytes(bytes: Uint8Array, dice: Dice): Uint8Array {
  const mutant = Uint8Array.from(bytes);
  for (let count = 1 + dice(8); count > 0 && mutant.length > 0; count--) mutant[dice(mutant.length)] = dice(256);
  return dice(4) === 0 ? mutant.subarray(dice(mutant.length)) : mutant;
}

function windowOf(text: string, dice: Dice): string {
  if (text.length <= LONGEST_WINDOW) return text;
  const from = dice(3) === 0 ? 0 : dice(text.length - LONGEST_WINDOW);
  return text.slice(from, from + LONGEST_WINDOW);
}

function insert(text: string, dice: Dice, part: string): string {
  const at = dice(text.length + 1);
  return text.slice(0, at) + part + text.slice(at);
}

function stretch(text: string, dice: Dice, change: (part: string) => string): string {
  const from = dice(text.length);
  const to = from + 1 + dice(LONGEST_STRETCH);
  return text.slice(0, from) + change(text.slice(from, to)) + text.slice(to);
}

function tokens(text: string, dice: Dice, change: (all: string[], at: number) => void): string {
  const all = text.match(/\w+|\s+|[^\w\s]/g) ?? [];
  change(all, dice(all.length));
  return all.join('');
}

function lines(text: string, dice: Dice, change: (all: string[], at: number) => void): string {
  const all = text.split('\n');
  change(all, dice(all.length));
  return all.join('\n');
}

/** Closed again in half of the cases. */
function nested(opener: string, depth: number, dice: Dice): string {
  return opener.repeat(depth) + (dice(2) === 0 ? `1${(CLOSERS[opener] ?? '').repeat(depth)}` : '');
}

function pick(from: readonly string[], dice: Dice): string {
  return from[dice(from.length)] ?? '';
}
