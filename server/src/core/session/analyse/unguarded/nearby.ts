// Collects the texts, numbers and option names in the lines around a mutant. Inputs that show the mutant often contain
// one of them.

import type { Near } from '../../../verify/guard/distinguishingCalls.ts';

/** The place of a mutant. */
interface Place {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
}

/** Maximum number of characters of a text, and of texts of one mistake. */
const [MAX_LENGTH, MAX_TEXTS] = [16, 24];
/** Number of lines before and after the line of the mistake. */
const LINES_AROUND = 1;
/** Matches a string literal, or a template literal without placeholders. */
const STRING_PATTERN = /'(?:[^'\\\n]|\\.){0,100}'|"(?:[^"\\\n]|\\.){0,100}"|`[^`\\\n$]{0,100}`/g;
/** Matches a number literal. */
const NUMBER_PATTERN = /(?<![\w$.])(?:0x[\da-fA-F_]+|\d[\d_]*(?:\.\d+)?)(?![\w$])/g;
/** Matches a regular expression where a value may be. */
const REGEXP_PATTERN = /[=(,:!&|?]\s*\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/[a-z]*/g;
/** Matches a member that is not called, such as `options.strict`; its name may be the name of an option. */
const OPTION_PATTERN = /\.([A-Za-z_$][\w$]*)\b(?![\w$]*\s*\()/g;
/** Matches a name that by convention denotes a constant. */
const CONSTANT_PATTERN = /\b[A-Z][A-Z\d]*_[A-Z\d_]+\b|\b[A-Z]{3,}\b/g;
/** Matches the declaration of such a constant, as a variable or as a member. */
const DECLARED_PATTERN =
  /\b([A-Z][A-Z\d_]{2,})\s*[:=]\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|0x[\da-fA-F_]+|\d[\d_]*)/g;
/** Ranges of the codes of ASCII characters that occur in texts, including tabs and line breaks. */
const CHARACTER_RANGES: readonly (readonly [first: number, last: number])[] = [
  [9, 10],
  [13, 13],
  [32, 126],
];

/** The values around each of these places, in their order. */
export function collectNearbyValues(
  places: readonly Place[],
  sources: readonly { readonly path: string; readonly text: string }[],
): readonly Near[] {
  const valueByConstant = new Map(
    sources.flatMap(({ text }) =>
      [...text.matchAll(DECLARED_PATTERN)].map(([, name = '', value = '']) => [name, value]),
    ),
  );
  const lines = new Map(sources.map(({ path, text }) => [path, text.split('\n')]));
  return places.map(({ path, line }) => {
    const nearbyLines = (lines.get(path) ?? [])
      .slice(Math.max(0, line - 1 - LINES_AROUND), line + LINES_AROUND)
      .join('\n');
    const constants = [...nearbyLines.matchAll(CONSTANT_PATTERN)].flatMap(([name]) => valueByConstant.get(name) ?? []);
    return findNearValues(nearbyLines, constants.join(' '));
  });
}

/** The values in `code` and in `constants`, the values of the constants that the code names. */
function findNearValues(code: string, constants: string): Near {
  const literals = `${code}\n${constants}`;
  const codeWithoutStrings = literals.replaceAll(STRING_PATTERN, ' ');
  const numbers = [...codeWithoutStrings.matchAll(NUMBER_PATTERN)].map(([digits]) =>
    Number(digits.replaceAll('_', '')),
  );
  const texts = [
    ...[...literals.matchAll(STRING_PATTERN)].map(([literal]) => readStringLiteral(literal)),
    ...numbers.flatMap((number) =>
      CHARACTER_RANGES.some(([first, last]) => first <= number && number <= last) ? [String.fromCharCode(number)] : [],
    ),
    ...[...code.matchAll(REGEXP_PATTERN)].flatMap(([, pattern = '']) => collectCharacters(pattern)),
  ];
  const shortTexts = texts.filter((text) => text !== '' && text.length <= MAX_LENGTH);
  return {
    strings: [...new Set(shortTexts)].slice(0, MAX_TEXTS),
    numbers: [...new Set(numbers.flatMap((number) => [number, number + 1, number - 1]))],
    keys: [...new Set([...codeWithoutStrings.matchAll(OPTION_PATTERN)].map(([, name = '']) => name))],
  };
}

/** The value of a string literal, with the most frequent escapes replaced. */
function readStringLiteral(literal: string): string {
  return literal
    .slice(1, -1)
    .replaceAll(/\\(.)/g, (_, character: string) => CHARACTER_BY_ESCAPE[character] ?? character);
}

const CHARACTER_BY_ESCAPE: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', 0: '\0' };

/** Characters that the pattern names, without quantifiers and anchors. */
function collectCharacters(pattern: string): readonly string[] {
  return [...pattern.matchAll(/\\(.)|([^\\()[\]{}|^$*+?.])/g)].map(([, escaped, plain]) => {
    if (escaped === undefined) return plain ?? '';
    return (
      { d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a', b: ' ', B: 'a', n: '\n', t: '\t', r: '\r' }[escaped] ?? escaped
    );
  });
}
