// Reads the known vulnerabilities of direct dependencies from an answer of `npm audit --json`, which is untrusted data.

import { parseJsonOrNull } from '../../../util/parseJson.ts';
import { ADVISORY_SEVERITIES, type Advisory, type AdvisorySeverity } from '../../model/dependencies.ts';
import type { LookUpResult } from '../../ports/packages.ts';
import { asObject } from '../manifest.ts';

/** Matches the end of a range that names the first version without the vulnerability: `<1.2.3`. */
const FIRST_FIXED_PATTERN = /<\s*(\d+\.\d+\.\d+(?:-[\w.]+)?)\s*$/;
/** Maximum length of a title, an address or a range, in characters; the remaining ones are cut off. */
const MAX_LENGTH = 300;

/**
 * A dependency in the lock file. `place`: its place. `reached`: its place, and the places of all packages that it
 * brings along.
 */
export interface ReachedPlaces {
  readonly place: string;
  readonly reached: ReadonlySet<string>;
}

/** The vulnerable packages in an answer of npm, by the name of the package. The entries are untrusted. */
export type AuditReport = Readonly<Record<string, unknown>>;

/** The report in an answer; null if npm could not answer. */
export function readAudit({ stdout }: LookUpResult): AuditReport | null {
  const answer = asObject(parseJsonOrNull(stdout));
  const vulnerabilities = answer['vulnerabilities'];
  return typeof vulnerabilities === 'object' && vulnerabilities !== null ? asObject(vulnerabilities) : null;
}

/**
 * The advisories of a dependency and of all packages that it brings along, the most severe first, each once. Empty if
 * only copies of the dependency at other places are vulnerable, such as a copy that another package brings along.
 */
export function findAdvisories(
  report: AuditReport,
  name: string,
  { place, reached }: ReachedPlaces,
): readonly Advisory[] {
  return sortAdvisories(
    listVulnerableNames(report, { place, reached }).flatMap((reachedName) =>
      readAdvisories(
        report,
        reachedName,
        reachedName === name && readNodes(report, reachedName).includes(place) ? null : reachedName,
      ),
    ),
  );
}

/** The advisories of packages that none of these dependencies brings along. Their field `through` names the package. */
export function findOtherAdvisories(report: AuditReport, dependencies: readonly ReachedPlaces[]): readonly Advisory[] {
  const attributedNames = new Set(dependencies.flatMap((places) => listVulnerableNames(report, places)));
  const unattributedNames = Object.keys(report).filter((name) => !attributedNames.has(name));
  return sortAdvisories(unattributedNames.flatMap((name) => readAdvisories(report, name, name)));
}

/** The vulnerable packages at these places, and those that npm names as their causes. */
function listVulnerableNames(report: AuditReport, { place, reached }: ReachedPlaces): readonly string[] {
  const names = new Set<string>();
  const openNames = Object.keys(report).filter((name) =>
    readNodes(report, name).some((node) => node === place || reached.has(node)),
  );
  for (let name = openNames.pop(); name !== undefined; name = openNames.pop()) {
    if (names.has(name)) continue;
    names.add(name);
    openNames.push(...readCausesOf(report, name).filter((cause) => typeof cause === 'string'));
  }
  return [...names];
}

/**
 * The advisories about a vulnerable package itself; one advisory without details if npm says only that the package is
 * vulnerable. `through`: the value of that field.
 */
function readAdvisories(report: AuditReport, name: string, through: string | null): readonly Advisory[] {
  const causes = readCausesOf(report, name);
  const ownAdvisories = causes
    .filter((cause) => typeof cause !== 'string')
    .map((cause) => readAdvisory(asObject(cause), through));
  const isExplained =
    ownAdvisories.length > 0 || causes.some((cause) => typeof cause === 'string' && Object.hasOwn(report, cause));
  return isExplained || !Object.hasOwn(report, name) ? ownAdvisories : [readAdvisory(asObject(report[name]), through)];
}

/** The advisories without repetitions, the most severe first. */
function sortAdvisories(advisories: readonly Advisory[]): readonly Advisory[] {
  const uniqueAdvisories = new Map(
    advisories.map(
      (advisory) => [[advisory.through, advisory.url, advisory.title, advisory.range].join(' '), advisory] as const,
    ),
  );
  return [...uniqueAdvisories.values()].sort((a, b) => severityRank(a.severity) - severityRank(b.severity));
}

/** The causes that npm names for a vulnerable package: the names of other packages, and advisories. */
function readCausesOf(report: AuditReport, name: string): readonly unknown[] {
  const { via } = asObject(Object.hasOwn(report, name) ? report[name] : null);
  return Array.isArray(via) ? via : [];
}

/** The places of a vulnerable package in the lock file. */
function readNodes(report: AuditReport, name: string): readonly string[] {
  const { nodes } = asObject(Object.hasOwn(report, name) ? report[name] : null);
  return Array.isArray(nodes) ? nodes.filter((node) => typeof node === 'string') : [];
}

/** The rank of a severity, for sorting: the most severe comes first. */
export function severityRank(severity: AdvisorySeverity): number {
  return ADVISORY_SEVERITIES.indexOf(severity);
}

/** The advisory in an entry of the answer, with its texts shortened. */
function readAdvisory(cause: Readonly<Record<string, unknown>>, through: string | null): Advisory {
  const text = (key: string) => {
    const value = cause[key];
    return typeof value === 'string' ? value.slice(0, MAX_LENGTH) : '';
  };
  const range = text('range');
  const url = text('url');
  return {
    severity: ADVISORY_SEVERITIES.find((severity) => severity === cause['severity']) ?? 'info',
    title: text('title') || 'a known vulnerability',
    url: /^https:\/\/\S+$/.test(url) ? url : null,
    range,
    fixed: FIRST_FIXED_PATTERN.exec(range)?.[1] ?? null,
    through,
  };
}
