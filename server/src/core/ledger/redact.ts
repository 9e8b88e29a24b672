// Redacts secrets in everything that is recorded in the ledger, because nothing is ever removed from the ledger.

/**
 * Words that follow the name of a password in source code and are not secret: types and constants. Alternatives of a
 * regular expression.
 */
const NOT_SECRET_SOURCE =
  'string|number|boolean|unknown|any|null|undefined|never|str|bool|bytes|None|True|False|true|false';

/** Matches the value after the name of a password: in quotes, or up to the next separator. */
const PASSWORD_PATTERN = new RegExp(
  [
    String.raw`((?:password|passwd|passphrase|passcode|pwd)[\w-]{0,30}["']?\s{0,5}(?:=(?![=>~])|:(?![=:]))\s{0,5})`,
    String.raw`(?!(?:${NOT_SECRET_SOURCE})(?:[\s"',;)\]}|>&]|$))`,
    String.raw`(?:"[^"\n]*"|'[^'\n]*'|\[redacted:[a-z-]+\]|[^\s"',;&]+)`,
  ].join(''),
  'gi',
);

/**
 * Part of a regular expression that matches the name of a type: a word of `NOT_SECRET_SOURCE`, or letters that begin with a
 * capital. `[]` may follow.
 */
const TYPE_SOURCE = String.raw`(?:(?:${NOT_SECRET_SOURCE})\b|[A-Z][A-Za-z]{0,60})(?:\[\])?`;
/**
 * Matches the value of a `Cookie` or `Set-Cookie` header, up to a quote or the end of the line. A parameter or field
 * named `cookie` is code and does not match: the name of a type and a separator follow, and the remaining line has no
 * `name=value`, as a cookie would.
 */
const COOKIE_PATTERN = new RegExp(
  [
    String.raw`(\b(?!cookie[ \t]{0,5}:[ \t]{0,5}${TYPE_SOURCE}(?: \| ${TYPE_SOURCE}){0,4}[ \t]{0,5}(?=[,);=\r\n]|$)`,
    String.raw`(?:[^=\r\n]|(?<=[ \t])=(?:=|==|>)?(?=\s|$)){0,300}(?:[\r\n]|$))`,
    // Spells out both cases instead of using the flag `i`, because the name of a type must begin with a capital.
    String.raw`(?:[sS][eE][tT]-)?[cC][oO][oO][kK][iI][eE]["']?\s{0,5}:\s{0,5}["']?)[^\r\n"']+`,
  ].join(''),
  'g',
);

/**
 * Kinds of secrets with their patterns. The first group of a pattern is the text before the secret, which is kept.
 * Bounded repetitions keep the patterns linear on hostile texts.
 */
const SECRET_PATTERNS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    'private-key',
    /()-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  ['credentials', /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)(?!git@)[^\s/?#"'<>[\]]{1,500}(?=@)/gi],
  [
    'authorization',
    /(\b(?:proxy-)?authorization["']?\s{0,5}[:=]\s{0,5}["']?)(?:(?:bearer|basic|token|digest|negotiate|apikey)\s+)?[^\s"',;]+/gi,
  ],
  ['authorization', /(\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/-]{16,}=*/gi],
  ['authorization', COOKIE_PATTERN],
  ['aws', /()\b(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|ANPA|AIPA)[A-Z0-9]{16}\b/g],
  ['github', /()\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})/g],
  ['gitlab', /()\bgl(?:pat|ptt|dt|rt|cbt|ft|soat)-[A-Za-z0-9_-]{20,}/g],
  ['npm', /()\bnpm_[A-Za-z0-9]{30,}/g],
  ['slack', /()\b(?:xox[abceoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,})/g],
  ['slack', /(\bhooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]+/g],
  ['anthropic', /()\bsk-ant-[A-Za-z0-9_-]{16,}/g],
  ['openai', /()\bsk-[A-Za-z0-9_-]{20,}/g],
  ['stripe', /()\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}/g],
  ['google', /()\bAIza[A-Za-z0-9_-]{35}/g],
  ['jwt', /()\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g],
  ['password', PASSWORD_PATTERN],
  [
    'password',
    /(--(?:password|passwd|passphrase|token|secret|api-key|auth)(?:\s{1,5}|=))(?:"[^"\n]*"|'[^'\n]*'|[^\s"'-][^\s"']*)/gi,
  ],
];

/**
 * Matches an assignment to a name that may belong to a secret. The value, the second group, is redacted only if it
 * looks random.
 */
const ASSIGNMENT_PATTERN =
  /((?:secret|token|credential|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|auth)[\w-]{0,30}["']?\s{0,5}[:=]\s{0,5}["']?)([A-Za-z0-9+/_=.~-]{12,})/gi;

/** Matches names whose text is always a secret. */
const PASSWORD_NAME_PATTERN =
  /^(?:.*[_-])?(?:password|passwd|passphrase|passcode|pwd|authorization|cookie)$|(?:Password|Passphrase|Passcode)$/i;
/** Matches names whose text may be a secret. */
const SECRET_NAME_PATTERN =
  /secret|token|credential|(?:api|access|private|signing|encryption|account|client|auth)[_-]?key|^key$|^auth$|_auth/i;

/** Minimum entropy of a secret, in bits per character. A text with a lower entropy is treated as words. */
const MIN_ENTROPY = 3;

/**
 * A copy of plain data in which every recognised secret is `[redacted:KIND]`, in texts and in names of fields. Numbers,
 * booleans and the structure stay the same.
 */
export function redact(value: unknown): unknown {
  return redactField('', value);
}

function redactField(name: string, value: unknown): unknown {
  if (typeof value === 'string') return redactText(name, value);
  if (Array.isArray(value)) return value.map((entry) => redactField(name, entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [redactText('', key), redactField(key, entry)]),
  );
}

/**
 * The text without secrets. `name`: the name of its field, which may show that the complete text is a secret; empty if
 * there is none.
 */
function redactText(name: string, text: string): string {
  if (text === '' || /^\[redacted:[a-z-]+\]$/.test(text)) return text;
  if (PASSWORD_NAME_PATTERN.test(name)) return '[redacted:password]';
  let redactedText = text;
  for (const [kind, pattern] of SECRET_PATTERNS) redactedText = redactedText.replace(pattern, `$1[redacted:${kind}]`);
  redactedText = redactedText.replace(ASSIGNMENT_PATTERN, (match, prefix: string, secret: string) =>
    looksRandom(secret) ? `${prefix}[redacted:secret]` : match,
  );
  return SECRET_NAME_PATTERN.test(name) && looksRandom(redactedText) ? '[redacted:secret]' : redactedText;
}

/**
 * True for a text of at least 16 characters, with letters and digits and without white space, whose entropy is too high
 * for words.
 */
function looksRandom(text: string): boolean {
  if (text.length < 16 || /\s/.test(text) || !/\d/.test(text) || !/[A-Za-z]/.test(text)) return false;
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits >= MIN_ENTROPY;
}
