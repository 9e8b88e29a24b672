// Plans what npm is asked about direct dependencies, and reads its answers. The answers are untrusted data.

import { parseJsonOrNull } from '../../../util/parseJson.ts';
import type { DirectDependency, UnknownPart } from '../../model/dependencies.ts';
import type { LookUpResult } from '../../ports/packages.ts';
import { asObject } from '../manifest.ts';

/** The ranges about which one question asks, by the name of the package. */
export type AskedRanges = Readonly<Record<string, string>>;

/** The versions of a package that a registry knows. */
export interface KnownVersions {
  /** The newest version in the range that was asked about. */
  readonly wanted: string;
  /** The version that the registry calls latest. */
  readonly latest: string;
}

/** Matches a version as registries write it. Only such texts of an answer are shown. */
const VERSION_PATTERN = /^\d+\.\d+\.\d+(?:[-+][\w.+-]{1,100})?$/;
/** Matches an error code of npm, or an HTTP status with a leading E. */
const CODE_PATTERN = /^E[\dA-Z_]{2,40}$/;
/** Matches npm's error codes for a registry that cannot be reached, or that does not answer for the moment. */
const NO_ANSWER_PATTERN =
  /^E(?:429|50[234]|AI_AGAIN|CONN\w*|NOTFOUND|TIMEDOUT|TIMEOUT|SOCKETTIMEOUT|PIPE|HOSTUNREACH|NETUNREACH|RR_\w+)$/;
/** Matches npm's error codes for a registry that does not offer advisories. */
const NOT_OFFERED_PATTERN = /^E(?:404|405|501)$/;
/** Matches npm's error codes for a missing or insufficient token. */
const REFUSED_PATTERN = /^E(?:401|403|NEEDAUTH|OTP)$/;

/**
 * The questions about these dependencies. Manifests may request different ranges of one package, but a question can
 * name it only once, so these go to several questions. Most repositories need only one.
 */
export function planLookUps(dependencies: readonly Pick<DirectDependency, 'name' | 'spec'>[]): readonly AskedRanges[] {
  const questions: Map<string, string>[] = [];
  for (const { name, spec } of dependencies) {
    if (questions.some((ranges) => ranges.get(name) === spec)) continue;
    const availableQuestion = questions.find((ranges) => !ranges.has(name));
    if (availableQuestion) availableQuestion.set(name, spec);
    else questions.push(new Map([[name, spec]]));
  }
  return questions.map((ranges) => Object.fromEntries(ranges));
}

/** The versions in an answer of `npm outdated --json`, by the name of the package; null if npm could not answer. */
export function readVersions({ stdout, exitCode }: LookUpResult): ReadonlyMap<string, KnownVersions> | null {
  const answer = parseJsonOrNull(stdout.trim() === '' && exitCode === 0 ? '{}' : stdout);
  if (typeof answer !== 'object' || answer === null || 'error' in answer) return null;
  return new Map(
    Object.entries(answer).flatMap(([name, entry]) => {
      const { wanted, latest } = asObject([entry].flat()[0]);
      return isVersion(wanted) && isVersion(latest) ? [[name.split(':')[0]!, { wanted, latest }] as const] : [];
    }),
  );
}

/**
 * The code of npm's error, such as `E401`; null if there is none. Its message is not shown, because it may contain
 * secrets.
 */
export function readErrorCode({ stdout, output }: LookUpResult): string | null {
  const answer = asObject(parseJsonOrNull(stdout));
  const codes = [asObject(answer['error'])['code'], answer['statusCode'], /npm error code (\S+)/.exec(output)?.[1]];
  return codes.map((code) => (typeof code === 'number' ? `E${code}` : code)).find(isCode) ?? null;
}

/** True if the registry was not reached, so that questions about single packages would fail in the same way. */
export function isUnreachable(code: string | null): boolean {
  return code !== null && NO_ANSWER_PATTERN.test(code);
}

/** True if the registry refuses the question, because a token is missing or is not sufficient. */
export function isRefused(code: string | null): boolean {
  return code !== null && REFUSED_PATTERN.test(code);
}

/**
 * Explains what a failed question leaves unknown, and what a person can do. `subject`: the start of the sentence.
 * `hosts`: the hosts that were asked.
 */
export function explainFailure(
  subject: string,
  { outcome, ...result }: LookUpResult,
  hosts: readonly string[],
): UnknownPart {
  const hostsText = hosts.join(', ');
  if (outcome === 'notFound')
    return { reason: `${subject} are unknown: npm was not found.`, action: 'Install npm, then run it again.' };
  const code = readErrorCode({ outcome, ...result });
  const codeText = code === null ? '' : ` (${code})`;
  if (isUnreachable(code))
    return {
      reason: `${subject} are unknown: ${hostsText} did not answer${codeText}.`,
      action: 'Check the connection and HTTPS_PROXY, then run it again.',
    };
  if (code !== null && NOT_OFFERED_PATTERN.test(code))
    return {
      reason: `${subject} are unknown: ${hostsText} does not offer them${codeText}.`,
      action: 'If another registry may see the names of your packages: `npm audit --registry ADDRESS`.',
    };
  if (isRefused(code))
    return {
      reason: `${subject} are unknown: ${hostsText} wants a token${codeText}.`,
      action:
        'Only a token in the .npmrc of the repository is used. Ask the registry yourself: `npm outdated` and `npm audit`.',
    };
  return {
    reason: `${subject} are unknown: npm could not look them up${codeText}.`,
    action: 'Run `npm outdated` and `npm audit` yourself: they say why.',
  };
}

function isVersion(value: unknown): value is string {
  return typeof value === 'string' && VERSION_PATTERN.test(value);
}

function isCode(code: unknown): code is string {
  return typeof code === 'string' && CODE_PATTERN.test(code);
}
