// Reads what a rule in words demands, if it demands nothing but matters of style that a tool can enforce, such as
// single quotes or no type `any`.

/** What a rule demands, or what a tool enforces. `subject`: a key of `SUBJECTS`. */
export interface Demand {
  readonly subject: string;
  /** Such as `single`, `2 spaces`, or `never` for what must not be there. */
  readonly value: string;
}

interface Subject {
  /** Matches the words that the subject needs, besides the general ones. All are in lower case. */
  readonly words: RegExp;
  /** Each possible value with what names it. `$1` in a value: what the first group of the pattern has matched. */
  readonly values: Readonly<Record<string, RegExp>>;
  /** The value that is demanded if one of `values` is forbidden; without an entry, none is. */
  readonly opposites?: Readonly<Record<string, string>>;
}

/** The value of a thing that may be there. It is never demanded. */
const PRESENT = 'present';

/** A thing that must not be there: only forbidding it demands something. */
function banned(pattern: RegExp, words: RegExp): Subject {
  return { words, values: { [PRESENT]: pattern }, opposites: { [PRESENT]: 'never' } };
}

/** Something that is wanted or not. */
function either(pattern: RegExp, words: RegExp): Subject {
  return { words, values: { always: pattern }, opposites: { always: 'never' } };
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  quotes: {
    words: /^(?:single|double|quot\w*|marks?|strings?|literals?|around)$/,
    values: { single: /\bsingle quot/, double: /\bdouble quot/ },
    opposites: { single: 'double', double: 'single' },
  },
  semicolons: either(/\bsemicolons?\b/, /^(?:semicolons?|end|ends|statements?|terminate)$/),
  indentation: {
    words: /^(?:indent\w*|tabs?|spaces?|\d+|two|four|eight|by|wide)$/,
    values: { tabs: /\btabs?\b/, '$1 spaces': /\b(2|two|4|four|8|eight) spaces?\b/ },
  },
  'line width': {
    words: /^(?:lines?|longer|wide|width|maximum|length|characters?|columns?|at|most|more|limit|\d+)$/,
    values: { $1: /\blines?\b.{0,60}?\b(\d{2,3})\b|\b\d{2,3}(?= (?:characters?|columns?))/ },
  },
  'trailing commas': either(/\btrailing commas?\b/, /^(?:trailing|commas?|lists?|multiline)$/),
  'final newline': either(
    /\b(?:final|trailing) newline|\bend .{0,30}\bnewline/,
    /^(?:final|trailing|newlines?|end|at)$/,
  ),
  'trailing spaces': banned(/\btrailing (?:white ?)?spaces?\b/, /^(?:trailing|white|white?spaces?|spaces?|remove)$/),
  'line endings': {
    words: /^(?:lf|crlf|lines?|endings?|unix|windows)$/,
    values: { lf: /\b(?:lf|unix)\b/, crlf: /\b(?:crlf|windows)\b/ },
  },
  any: banned(/\bany\b/, /^(?:any|types?|typed|explicit)$/),
  'implicit any': banned(/\bimplicit any\b/, /^(?:any|types?|implicit)$/),
  strict: either(/\bstrict (?:mode|types?|checks?|typescript)\b/, /^(?:strict|modes?|types?|checks?|typescript)$/),
  'strict null checks': either(/\bstrict null checks?\b/, /^(?:strict|null|checks?)$/),
  'unused variables': banned(/\bunused (?:variables?|locals?)\b/, /^(?:unused|variables?|locals?|remove|delete)$/),
  'unused imports': banned(/\bunused imports?\b/, /^(?:unused|imports?|remove|delete)$/),
  var: banned(/\bvar\b/, /^(?:var|let|const|declarations?|declare|variables?)$/),
  const: either(/\bconst\b/, /^(?:const|let|over|variables?|reassigned|declare)$/),
  'strict equality': either(/===|\bstrict equality\b/, /^(?:={2,3}|!={1,2}|strict|equality|compare|comparisons?)$/),
  console: banned(/\bconsole(?:\.log)?\b/, /^(?:console(?:\.log)?|calls?|log|statements?)$/),
  debugger: banned(/\bdebugger\b/, /^(?:debugger|statements?)$/),
  'default exports': banned(/\bdefault exports?\b/, /^(?:default|named|exports?|export)$/),
  'non-null assertions': banned(/\bnon-null assertions?\b/, /^(?:non-null|assertions?|operators?)$/),
  'floating promises': banned(/\bfloating promises?\b/, /^(?:floating|promises?)$/),
  'import order': either(
    /\b(?:sort|sorted|order) (?:\w+ )?imports?\b|\bimports? sorted\b/,
    /^(?:sort|sorted|order|imports?)$/,
  ),
  'type imports': either(
    /\bimport type\b|\btype-only imports?\b|\btype imports?\b/,
    /^(?:import|imports|types?|type-only)$/,
  ),
  braces: either(/\b(?:curly )?braces\b/, /^(?:curly|braces|around|if|else|loops?|bodies|body|blocks?)$/),
  'nested ternaries': banned(
    /\bnested (?:ternar|conditional)/,
    /^(?:nested|ternar\w+|conditional|operators?|expressions?)$/,
  ),
};

/** Words that demand nothing of their own. */
const GENERAL_WORDS = new Set(
  (
    'a all always an and are avoid be code codebase consistently do does don’t each ever every everywhere file files ' +
    'for omit forbid forbidden have has here in instead is it javascript js keep leave make must never new no not of only ' +
    'or our out over please prefer project rather repository scripts should source sources sure than that the their ' +
    'there this throughout to ts typescript use used uses using we with without write written you your'
  ).split(' '),
);
/** Words after which something is forbidden. */
const NEGATION =
  /\b(?:no|not|never|avoid|don’t|without|forbid|omit|leave out|instead of|rather than|remove|delete|over)\b(?: [\w.-]+){0,4} $/;
const DOUBLE_NEGATION = /\b(?:not|never|don’t|without) (?:removing|remove|deleting|delete|omit|avoid|leave out)\b/;
const NUMBERS: Readonly<Record<string, string>> = { two: '2', four: '4', eight: '8' };

/**
 * Everything that the rule demands; empty if it demands nothing that a tool can enforce, or anything besides. So a rule
 * with a reason, an exception or a place in its words is never one that a tool enforces.
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
  if (DOUBLE_NEGATION.test(clause)) return null;
  const forbidden: string[] = [];
  for (const [value, pattern] of Object.entries(values)) {
    const match = pattern.exec(clause);
    if (!match) continue;
    const matchedText = match[1] ?? match[0];
    if (NEGATION.test(clause.slice(0, match.index))) forbidden.push(value);
    else if (value !== PRESENT) return value.replace('$1', NUMBERS[matchedText] ?? matchedText);
  }
  // If each of two values is forbidden, something else is wanted.
  const [value] = forbidden;
  return value === undefined || forbidden.length > 1 ? null : (opposites[value] ?? null);
}

/** Without what a longer demand says: “no implicit any” is not also “no any”. */
function removeIncluded(demands: readonly Demand[]): readonly Demand[] {
  const names = demands.map(({ subject }) => subject);
  return demands.filter(
    ({ subject }) =>
      !(subject === 'any' && names.includes('implicit any')) && !(subject === 'const' && names.includes('var')),
  );
}

function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[`"“”()*]|(?<!\w)['’]|['’](?!\w)/g, '')
    .replaceAll("'", '’')
    .replace(/do not/g, 'don’t')
    .replace(/\s+/g, ' ')
    .trim();
}
