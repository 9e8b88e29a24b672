// Decides whether a maintainer would write the arguments of a call of a Go function: values like those of the tests, no
// empty values, no negative numbers unless the tests or the code use some, and relations that all known calls keep.

import type { Node } from 'web-tree-sitter';
import { findArgumentRelations, findBrokenRelation, type Measure, type MeasuredCall } from '../../argumentRelations.ts';
import type { GoFunction } from './declarations.ts';
import type { GoExample } from './examples.ts';

/** Texts that any test may use. */
export const PLAIN_TEXTS = ['"foo"', '"bar"', '"foo bar"'] as const;
/** Maximum absolute number that any test may use. Larger numbers must occur in the code or its tests. */
const MAX_NUMBER = 1000;
const WORD_PATTERN = /[A-Z]?[a-z\u00c0-\u00ff]+|[A-Z]+/g;
const LITERAL_PATTERN = /"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){1,10}'|-?\b\d{1,30}(?:\.\d{1,30})?\b/g;
/** Matches code that distinguishes negative numbers: a comparison with 0, or a negative literal. */
const SIGNED_PATTERN = /[<>]=?\s*0\b|[=(,:{]\s*-\d|\breturn\s+-\d/;

/** The vocabulary of the tests and the code of a package, which shows how values are written. */
export interface GoVocabulary {
  readonly words: ReadonlySet<string>;
  /** The characters in texts other than letters, digits, underscores and spaces. */
  readonly signs: ReadonlySet<string>;
  readonly literals: ReadonlySet<string>;
}

/** The vocabulary of these files. */
export function readGoVocabulary(roots: readonly Node[]): GoVocabulary {
  const literals = roots.flatMap((root) =>
    root
      .descendantsOfType(['interpreted_string_literal', 'raw_string_literal', 'int_literal', 'float_literal'])
      .flatMap((node) => node?.text ?? []),
  );
  const texts = [...literals.filter((text) => /^["`]/.test(text)), ...PLAIN_TEXTS].map((text) => text.slice(1, -1));
  return {
    words: new Set(texts.flatMap(listWords)),
    signs: new Set(texts.flatMap((text) => [...text].filter((sign) => !/[\w ]/.test(sign)))),
    literals: new Set(literals),
  };
}

/** Checks of the arguments of one function. */
export interface GoOrdinary {
  /** True for a value that somebody would write as the argument at this index. */
  isUsualValue(text: string, index: number): boolean;
  /**
   * True if the arguments keep the relations that all known calls keep. A null stands for an argument that is not a
   * literal.
   */
  keepsRelations(argumentTexts: readonly (string | null)[]): boolean;
}

/** Creates the checks. `calls`: the calls of the function in tests. `callsInCode`: all other known calls. */
export function createGoOrdinary(
  { parameters, node }: Pick<GoFunction, 'parameters' | 'node'>,
  calls: readonly GoExample[],
  callsInCode: readonly GoExample[],
  { words, signs, literals }: GoVocabulary,
): GoOrdinary {
  const valuesAt = (index: number) => calls.flatMap(({ given }) => given[index] ?? []);
  const isSigned = SIGNED_PATTERN.test(node.text);
  const names = parameters.filter(({ variadic }) => !variadic).map(({ name }) => name);
  const relations = findArgumentRelations(
    names,
    [...calls, ...callsInCode].map(({ given }) => measureTexts(given)),
    node.text,
  );
  const isUsualText = (text: string, knownValues: readonly string[]): boolean => {
    if (text.trim() === '') return false;
    if (text !== text.trim() && !knownValues.some((other) => /^["`]\s|\s["`]$/.test(other))) return false;
    if ([...text].length === 1)
      return knownValues.length === 0
        ? literals.has(JSON.stringify(text))
        : knownValues.some((other) => other.length === 3);
    if (!listWords(text).every((word) => words.has(word)) || !/[\p{L}\d]/u.test(text)) return false;
    const knownSigns = knownValues.length === 0 ? signs : new Set(knownValues.join(''));
    return [...text].every((sign) => /[\w ]/.test(sign) || knownSigns.has(sign));
  };
  const isUsualLiteral = (literal: string, knownValues: readonly string[]): boolean => {
    if (/^["`]/.test(literal)) return isUsualText(literal.slice(1, -1), knownValues);
    const number = Number(literal);
    if (Number.isNaN(number)) return true;
    if (number < 0 && !isSigned && !knownValues.some((other) => /^-|[{ ]-\d/.test(other))) return false;
    return Math.abs(number) <= MAX_NUMBER || literals.has(literal.replace(/^-/, ''));
  };
  return {
    isUsualValue(text, index) {
      const knownValues = valuesAt(index);
      if (knownValues.includes(text)) return true;
      // A number for a character, or the other way round, is unlike all that the tests pass.
      if (knownValues.length > 0 && !knownValues.some((value) => isCharacter(value) === isCharacter(text)))
        return false;
      if (text === 'nil' || /^\[\]\w+\{\s*\}$/.test(text)) return false;
      return (text.match(LITERAL_PATTERN) ?? []).every((literal) => isUsualLiteral(literal, knownValues));
    },
    keepsRelations: (argumentTexts) => findBrokenRelation(relations, measureTexts(argumentTexts)) === null,
  };
}

/** True for a literal of a character, such as `'a'`. */
export function isCharacter(text: string): boolean {
  return text.startsWith("'");
}

function listWords(text: string): readonly string[] {
  return (text.match(WORD_PATTERN) ?? []).map((word) => word.toLowerCase());
}

/** The numbers, and the elements of the slices, among these arguments. */
function measureTexts(argumentTexts: readonly (string | null)[]): MeasuredCall {
  const readNumber = (text: string) => (/^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : null);
  return new Map(
    argumentTexts.flatMap((text, index): (readonly [string, Measure])[] => {
      const number = text === null ? null : readNumber(text);
      if (number !== null) return [[String(index), number]];
      const elements = /^\[\]\w+\{([^"'`]*)\}$/.exec(text ?? '')?.[1];
      if (elements === undefined) return [];
      return [[String(index), elements.trim() === '' ? [] : elements.split(',').map(readNumber)]];
    }),
  );
}
