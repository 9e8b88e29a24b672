// Reads the demands of a rule in words, if all of them are matters of style that a tool can enforce, such as single
// quotes, or no type `any`.

/** A demand of a rule, or a demand that a tool enforces. `subject`: a key of `SUBJECTS`. */
export interface Demand {
  readonly subject: string;
  /**
   * The demanded form, such as `single` or `2 spaces`; `always` or `never` for something that must or must not occur.
   */
  readonly value: string;
}

/** A matter of style that a rule can demand. */
interface Subject {
  /** Matches the words that the subject needs, besides the general ones. All are in lower case. */
  readonly words: RegExp;
  /** For each value, the pattern of its name. `$1` in a value stands for the first group of the match. */
  readonly values: Readonly<Record<string, RegExp>>;
  /** By forbidden value: the value that is demanded instead. If a forbidden value has no entry, nothing is demanded. */
  readonly opposites?: Readonly<Record<string, string>>;
}

/** The value of a subject whose presence is never demanded, only its absence. */
const PRESENT = 'present';

/** A subject that a rule can only forbid. */
function createForbiddenSubject(pattern: RegExp, words: RegExp): Subject {
  return { words, values: { [PRESENT]: pattern }, opposites: { [PRESENT]: 'never' } };
}

/** A subject that a rule can demand or forbid. */
function createOptionalSubject(pattern: RegExp, words: RegExp): Subject {
  return { words, values: { always: pattern }, opposites: { always: 'never' } };
}

/** The matters of style by their names. */
const SUBJECTS: Readonly<Record<string, Subject>> = {
  quotes: {
    words: /^(?:single|double|quot\w*|marks?|strings?|literals?|around)$/,
    values: { single: /\bsingle quot/, double: /\bdouble quot/ },
    opposites: { single: 'double', double: 'single' },
  },
  semicolons: createOptionalSubject(/\bsemicolons?\b/, /^(?:semicolons?|end|ends|statements?|terminate)$/),
  indentation: {
    words: /^(?:indent\w*|tabs?|spaces?|\d+|two|four|eight|by|wide)$/,
    values: { tabs: /\btabs?\b/, '$1 spaces': /\b(2|two|4|four|8|eight) spaces?\b/ },
  },
  'line width': {
    words: /^(?:lines?|longer|wide|width|maximum|length|characters?|columns?|at|most|more|limit|\d+)$/,
    values: { $1: /\blines?\b.{0,60}?\b(\d{2,3})\b|\b\d{2,3}(?= (?:characters?|columns?))/ },
  },
  'trailing commas': createOptionalSubject(/\btrailing commas?\b/, /^(?:trailing|commas?|lists?|multiline)$/),
  'final newline': createOptionalSubject(
    /\b(?:final|trailing) newline|\bend .{0,30}\bnewline/,
    /^(?:final|trailing|newlines?|end|at)$/,
  ),
  'trailing spaces': createForbiddenSubject(
    /\btrailing (?:white ?)?spaces?\b/,
    /^(?:trailing|white|white?spaces?|spaces?|remove)$/,
  ),
  'line endings': {
    words: /^(?:lf|crlf|lines?|endings?|unix|windows)$/,
    values: { lf: /\b(?:lf|unix)\b/, crlf: /\b(?:crlf|windows)\b/ },
  },
  any: createForbiddenSubject(/\bany\b/, /^(?:any|types?|typed|explicit)$/),
  'implicit any': createForbiddenSubject(/\bimplicit any\b/, /^(?:any|types?|implicit)$/),
  strict: createOptionalSubject(
    /\bstrict (?:mode|types?|checks?|typescript)\b/,
    /^(?:strict|modes?|types?|checks?|typescript)$/,
  ),
  'strict null checks': createOptionalSubject(/\bstrict null checks?\b/, /^(?:strict|null|checks?)$/),
  'unused variables': createForbiddenSubject(
    /\bunused (?:variables?|locals?)\b/,
    /^(?:unused|variables?|locals?|remove|delete)$/,
  ),
  'unused imports': createForbiddenSubject(/\bunused imports?\b/, /^(?:unused|imports?|remove|delete)$/),
  var: createForbiddenSubject(/\bvar\b/, /^(?:var|let|const|declarations?|declare|variables?)$/),
  const: createOptionalSubject(/\bconst\b/, /^(?:const|let|over|variables?|reassigned|declare)$/),
  'strict equality': createOptionalSubject(
    /===|\bstrict equality\b/,
    /^(?:={2,3}|!={1,2}|strict|equality|compare|comparisons?)$/,
  ),
  console: createForbiddenSubject(/\bconsole(?:\.log)?\b/, /^(?:console(?:\.log)?|calls?|log|statements?)$/),
  debugger: createForbiddenSubject(/\bdebugger\b/, /^(?:debugger|statements?)$/),
  'default exports': createForbiddenSubject(/\bdefault exports?\b/, /^(?:default|named|exports?|export)$/),
  'non-null assertions': createForbiddenSubject(/\bnon-null assertions?\b/, /^(?:non-null|assertions?|operators?)$/),
  'floating promises': createForbiddenSubject(/\bfloating promises?\b/, /^(?:floating|promises?)$/),
  'import order': createOptionalSubject(
    /\b(?:sort|sorted|order) (?:\w+ )?imports?\b|\bimports? sorted\b/,
    /^(?:sort|sorted|order|imports?)$/,
  ),
  'type imports': createOptionalSubject(
    /\bimport type\b|\btype-only imports?\b|\btype imports?\b/,
    /^(?:import|imports|types?|type-only)$/,
  ),
  braces: createOptionalSubject(
    /\b(?:curly )?braces\b/,
    /^(?:curly|braces|around|if|else|loops?|bodies|body|blocks?)$/,
  ),
  'nested ternaries': createForbiddenSubject(
    /\bnested (?:ternar|conditional)/,
    /^(?:nested|ternar\w+|conditional|operators?|expressions?)$/,
  ),
};

/** Words that add no demand to a rule. */
const GENERAL_WORDS = new Set(
  (
    'a all always an and are avoid be code codebase consistently do does don’t each ever every everywhere file files ' +
    'for omit forbid forbidden have has here in instead is it javascript js keep leave make must never new no not of only ' +
    'or our out over please prefer project rather repository scripts should source sources sure than that the their ' +
    'there this throughout to ts typescript use used uses using we with without write written you your'
  ).split(' '),
);
/** Words that forbid whatever follows within four words. */
const NEGATION_PATTERN =
  /\b(?:no|not|never|avoid|don’t|without|forbid|omit|leave out|instead of|rather than|remove|delete|over)\b(?: [\w.-]+){0,4} $/;
/** Matches two negations in a row (“never omit”). Clauses with them are not read. */
const DOUBLE_NEGATION_PATTERN =
  /\b(?:not|never|don’t|without) (?:removing|remove|deleting|delete|omit|avoid|leave out)\b/;
/** By number word: its digits. */
const DIGITS_BY_NUMBER_WORD: Readonly<Record<string, string>> = { two: '2', four: '4', eight: '8' };

/**
 * The demands of a rule. Empty if it demands nothing that a tool can enforce, or if it contains any word that belongs
 * to no such demand. Therefore a rule with a reason, an exception or a place never counts as enforced.
 */
export function findDemands(text: string): readonly Demand[] {
  const clauses = normalise(text).split(/ ?[,;:.](?= |$) ?| but | and (?=no |not |never |avoid )/);
  const demands: Demand[] = [];
  const subjects: Subject[] = [];
  for (const [name, subject] of Object.entries(SUBJECTS)) {
    const value = clauses.map((clause) => findValue(clause, subject)).find((foundValue) => foundValue !== null);
    if (value === undefined || value === null) continue;
    demands.push({ subject: name, value });
    subjects.push(subject);
  }
  const isCovered = (word: string) => GENERAL_WORDS.has(word) || subjects.some(({ words }) => words.test(word));
  const words = clauses.flatMap((clause) => clause.split(' ')).filter((word) => word !== '');
  return words.every(isCovered) ? removeIncluded(demands) : [];
}

/** The value that a clause demands; null if it demands none. */
function findValue(clause: string, { values, opposites = {} }: Subject): string | null {
  if (DOUBLE_NEGATION_PATTERN.test(clause)) return null;
  const forbidden: string[] = [];
  for (const [value, pattern] of Object.entries(values)) {
    const match = pattern.exec(clause);
    if (!match) continue;
    const matchedText = match[1] ?? match[0];
    if (NEGATION_PATTERN.test(clause.slice(0, match.index))) forbidden.push(value);
    else if (value !== PRESENT) return value.replace('$1', DIGITS_BY_NUMBER_WORD[matchedText] ?? matchedText);
  }
  // If two values are forbidden, it is unclear what the rule demands instead.
  const [value] = forbidden;
  return value === undefined || forbidden.length > 1 ? null : (opposites[value] ?? null);
}

/** The demands without those whose words are a part of a longer one: “no implicit any” does not demand “no any”. */
function removeIncluded(demands: readonly Demand[]): readonly Demand[] {
  const names = demands.map(({ subject }) => subject);
  return demands.filter(
    ({ subject }) =>
      !(subject === 'any' && names.includes('implicit any')) && !(subject === 'const' && names.includes('var')),
  );
}

/** The text in lower case, without quotation marks and brackets, with uniform apostrophes and spaces. */
function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[`"“”()*]|(?<!\w)['’]|['’](?!\w)/g, '')
    .replaceAll("'", '’')
    .replace(/do not/g, 'don’t')
    .replace(/\s+/g, ' ')
    .trim();
}
