// Finds the services that the tests of a repository need, in its CI and compose files. A person approves the services
// before they are started.

import { parse } from 'yaml';
import { asObject } from './manifest.ts';
import type { Service, ServiceKind } from '../model/setup.ts';
import type { SetupFiles } from './manager.ts';

/** The names of the services for people. */
export const SERVICE_NAMES = {
  postgresql: 'PostgreSQL',
  redis: 'Redis',
  mysql: 'MySQL',
  mongodb: 'MongoDB',
} as const satisfies Record<ServiceKind, string>;

/** Matches the path of a workflow of GitHub Actions. */
const CI_PATTERN = /^\.github\/workflows\/[^/]+\.ya?ml$/;
/** Matches the path of a compose file at the root. */
const COMPOSE_PATTERN = /^(?:docker-)?compose[\w.-]*\.ya?ml$/;
/** Matches the image of each kind of service. */
const SERVICE_PATTERNS: readonly (readonly [RegExp, ServiceKind])[] = [
  [/^(?:[\w.-]+\/)*postgres(?:ql)?(?:[-_:@]|$)/i, 'postgresql'],
  [/^(?:[\w.-]+\/)*(?:redis|valkey)(?:[-_:@]|$)/i, 'redis'],
  [/^(?:[\w.-]+\/)*(?:mysql|mariadb)(?:[-_:@]|$)/i, 'mysql'],
  [/^(?:[\w.-]+\/)*mongo(?:db)?(?:[-_:@]|$)/i, 'mongodb'],
];
/** Matches actions and programs that start a service without an image. */
const STARTER_PATTERNS: readonly (readonly [RegExp, ServiceKind])[] = [
  [/\b(?:supercharge|shogo82148)\/[\w-]*redis[\w-]*@|\bredis-server\b|\bdocker-redis\b/i, 'redis'],
  [/\bpostgresql-action@|\bpg_ctl\b|\bpg_ctlcluster\b/i, 'postgresql'],
];
/** Matches the names of variables that are taken from a CI job that starts a service. */
const NAME_PATTERN = /^[A-Z][A-Z0-9_]{1,60}$/;
/** Matches variables that control other programs, which a repository may not set. */
const RESERVED_PATTERN =
  /^(?:PATH|HOME|TMPDIR|TMP|TEMP|NODE_OPTIONS|LD_\w+|DYLD_\w+|SELFWARE_\w*|CI|npm_\w+|GITHUB_\w+)$/i;

/**
 * Maximum length of a parsed file, in UTF-16 units. Real workflow and compose files are shorter, and a longer text
 * would block the main thread for seconds.
 */
const MAX_CHARACTERS = 100_000;

/** The services that tests need, and the values by which tests find them. */
export interface ServiceHints {
  readonly services: readonly Service[];
  /** Variables that a CI job sets if it starts services. `because`: the place, as `path:line`. */
  readonly values: readonly { readonly name: string; readonly value: string; readonly because: string }[];
}

/** The hints found so far: services by kind, values by name. */
interface CollectedHints {
  readonly services: Map<ServiceKind, Service>;
  readonly values: Map<string, ServiceHints['values'][number]>;
}

/** Returns the location of a text in the file that is being read, as `path:line`. */
type LocateText = (needle: string) => string;

/**
 * Hints at services in the CI and compose files. `tracked`: paths of files that git tracks. A file that does not parse
 * gives no hint.
 */
export function findServiceHints(tracked: readonly string[], files: SetupFiles): ServiceHints {
  const hints: CollectedHints = { services: new Map(), values: new Map() };
  for (const path of tracked.filter((candidate) => CI_PATTERN.test(candidate) || COMPOSE_PATTERN.test(candidate))) {
    const text = files.text(path) ?? '';
    const value = parseYamlOrEmpty(text);
    const locateText: LocateText = (needle) => `${path}:${findLine(text, needle)}`;
    if (COMPOSE_PATTERN.test(path))
      for (const service of Object.values(asObject(value['services'])).map(asObject))
        addImageService(hints, service['image'], readEnvironment(service['environment']), locateText);
    else
      for (const job of Object.values(asObject(value['jobs'])).map(asObject))
        addJobServices(hints, value, job, locateText);
  }
  return { services: [...hints.services.values()], values: [...hints.values.values()] };
}

/** Adds the service of an image. Returns false if the image belongs to no known service. */
function addImageService(
  { services }: CollectedHints,
  image: unknown,
  env: Readonly<Record<string, unknown>>,
  because: LocateText,
): boolean {
  const kind = typeof image === 'string' ? SERVICE_PATTERNS.find(([pattern]) => pattern.test(image))?.[1] : undefined;
  if (kind === undefined) return false;
  if (!services.has(kind)) services.set(kind, { kind, because: because(image as string), ...readDatabaseAccount(env) });
  return true;
}

/** Adds the services that a CI job starts and, if there are any, the variables that it sets. */
function addJobServices(
  hints: CollectedHints,
  workflow: Readonly<Record<string, unknown>>,
  job: Readonly<Record<string, unknown>>,
  because: LocateText,
): void {
  const steps = (Array.isArray(job['steps']) ? job['steps'] : []).map(asObject);
  const startsServices = [
    ...Object.values(asObject(job['services']))
      .map(asObject)
      .map((service) => addImageService(hints, service['image'], asObject(service['env']), because)),
    ...steps.flatMap(({ uses, run }) => [uses, run]).map((text) => addStartedService(hints, text, because)),
  ];
  // A job that starts no service sets its variables for another purpose.
  if (startsServices.includes(true))
    for (const part of [workflow, job, ...steps]) addValues(hints, asObject(part['env']), because);
}

/** Adds the service that an action or a command starts. Returns false if it starts no known service. */
function addStartedService({ services }: CollectedHints, text: unknown, because: LocateText): boolean {
  if (typeof text !== 'string') return false;
  const starter = STARTER_PATTERNS.find(([pattern]) => pattern.test(text));
  if (starter === undefined) return false;
  const [starterPattern, kind] = starter;
  if (!services.has(kind)) services.set(kind, { kind, because: because(starterPattern.exec(text)?.[0] ?? '') });
  return true;
}

/**
 * Adds the variables of a job whose names and values are plain: without runner expressions, and of at most 200
 * characters.
 */
function addValues({ values }: CollectedHints, env: Readonly<Record<string, unknown>>, because: LocateText): void {
  for (const [name, entryValue] of Object.entries(env)) {
    const value = typeof entryValue === 'number' || typeof entryValue === 'boolean' ? String(entryValue) : entryValue;
    if (typeof value !== 'string' || value.includes('${{') || value.length > 200) continue;
    if (NAME_PATTERN.test(name) && !RESERVED_PATTERN.test(name) && !values.has(name))
      values.set(name, { name, value, because: because(name) });
  }
}

/** The user and the database that an image of PostgreSQL creates. */
function readDatabaseAccount(env: Readonly<Record<string, unknown>>): Pick<Service, 'user' | 'database'> {
  const undefinedUnlessWord = (value: unknown) =>
    typeof value === 'string' && /^[\w-]{1,60}$/.test(value) ? value : undefined;
  const [user, database] = [undefinedUnlessWord(env['POSTGRES_USER']), undefinedUnlessWord(env['POSTGRES_DB'])];
  return { ...(user === undefined ? {} : { user }), ...(database === undefined ? {} : { database }) };
}

/** The environment of a compose service, which may be an object or a list of `NAME=value`. */
function readEnvironment(value: unknown): Readonly<Record<string, unknown>> {
  if (!Array.isArray(value)) return asObject(value);
  return Object.fromEntries(value.map((entry) => String(entry).split(/=(.*)/s).slice(0, 2) as [string, string]));
}

function parseYamlOrEmpty(text: string): Readonly<Record<string, unknown>> {
  if (text.length > MAX_CHARACTERS) return {};
  try {
    return asObject(parse(text, { merge: true, maxAliasCount: 100 }));
  } catch {
    // A CI file that does not parse gives no hint; reporting it is not Selfware's task.
    return {};
  }
}

/** The 1-based line of the first occurrence of a text; 1 if there is none. */
function findLine(text: string, needle: string): number {
  const index = text.indexOf(needle);
  return index < 0 ? 1 : text.slice(0, index).split('\n').length;
}
