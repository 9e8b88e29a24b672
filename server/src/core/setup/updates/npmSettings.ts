// The settings of npm that a look-up or an update uses: those of the repository's .npmrc that name registries, that say
// how to reach them, or that determine how ranges are written. All others are omitted, because npm has settings that
// name programs.

import { parseJsonOrNull } from '../../../util/parseJson.ts';

/** Options that prevent npm from running a program which a setting or a package names. */
export const NO_PROGRAMS: readonly string[] = ['--ignore-scripts', '--git=/bin/false', '--script-shell=/bin/false'];

/** Address of npm's own registry. */
const DEFAULT_REGISTRY = 'https://registry.npmjs.org/';
/** Captures the key and the value of a setting. */
const LINE_PATTERN = /^([^=\s]{1,300})\s{0,20}=(.*)$/;
/** Matches the key of a registry, and captures its scope. */
const REGISTRY_KEY_PATTERN = /^(?:(@[\w.~-]{1,214}):)?registry$/;
const REGISTRY_PATH_PATTERN = /^[\w.~%/@+-]*$/;
/** Patterns of the keys that are passed to npm unchanged, each with a pattern of the allowed values. */
const ALLOWED_KEYS: readonly (readonly [RegExp, RegExp])[] = [
  [/^\/\/[\w.:~%/@+-]+:(?:_authToken|_auth|username|_password)$/, /^.*$/],
  [/^ca(?:\[\])?$/, /^.*$/],
  [/^(?:strict-ssl|save-exact|legacy-peer-deps)$/, /^(?:true|false)$/],
  [/^save-prefix$/, /^["']?[~^]?["']?$/],
];

/** The settings of an .npmrc that are used. */
export interface NpmSettings {
  /** The text of an .npmrc that contains only these settings. */
  readonly text: string;
  /** The registry of each scope such as `@a`. The key '' stands for packages without a scope. */
  readonly registries: ReadonlyMap<string, Registry>;
}

/** A registry: its host, or the reason why it cannot be asked. The reason never contains credentials of the address. */
type Registry = { readonly host: string; readonly problem: null } | { readonly problem: string };

/** Reads an .npmrc; null is treated like an empty one. Stops at the first section, whose keys npm does not use. */
export function readNpmSettings(npmrc: string | null): NpmSettings {
  const registries = new Map<string, Registry>([['', readRegistry('npm', DEFAULT_REGISTRY).registry]]);
  const lines: string[] = [];
  for (const line of (npmrc ?? '').replace(/^\uFEFF/, '').split(/[\r\n]+/)) {
    const trimmed = line.trim();
    if (/^\[[^\]]*\]$/.test(trimmed)) break;
    const [, key = '', valueText = ''] = LINE_PATTERN.exec(trimmed) ?? [];
    const value = valueText.trim();
    const scope = REGISTRY_KEY_PATTERN.exec(key);
    if (scope) {
      const { registry, address } = readRegistry(key, unquote(value));
      registries.set(scope[1] ?? '', registry);
      if (address !== null) lines.push(`${key}=${address}`);
    } else if (ALLOWED_KEYS.some(([keys, values]) => keys.test(key) && values.test(value)))
      lines.push(`${key}=${value}`);
  }
  return { text: lines.map((line) => `${line}\n`).join(''), registries };
}

/** The registry that npm asks about a package. */
export function findRegistry(name: string, { registries }: Pick<NpmSettings, 'registries'>): Registry {
  const scope = /^@[^/]+/.exec(name)?.[0];
  return (scope === undefined ? undefined : registries.get(scope)) ?? registries.get('')!;
}

/**
 * The registry at an address. `key`: the key of the setting. The returned `address` is passed to npm; null if the
 * registry cannot be asked.
 */
function readRegistry(key: string, text: string): { readonly registry: Registry; readonly address: string | null } {
  const refuse = (cause: string) => ({
    registry: { problem: `The registry that .npmrc names by ${key} ${cause}.` },
    address: null,
  });
  if (!URL.canParse(text)) return refuse('has no valid address');
  const { protocol, hostname, port, pathname, username, password } = new URL(text);
  if (protocol !== 'https:') return refuse(`is asked by ${protocol.slice(0, -1)}, and only https can be reached`);
  if (port !== '') return refuse(`answers at port ${port}, and only port 443 can be reached`);
  if (!REGISTRY_PATH_PATTERN.test(pathname)) return refuse('has an address with unusual characters');
  const login = username === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`;
  return { registry: { host: hostname, problem: null }, address: `https://${login}${hostname}${pathname}` };
}

/** The value of an .npmrc without its quotes. */
function unquote(value: string): string {
  if (/^'.*'$/.test(value)) return value.slice(1, -1);
  const parsed: unknown = /^".*"$/.test(value) ? parseJsonOrNull(value) : null;
  return typeof parsed === 'string' ? parsed : value.replace(/\s[;#].*$/, '').trimEnd();
}
