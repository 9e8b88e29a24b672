// Reads the known vulnerabilities of direct dependencies from an answer of `npm audit --json`, which is untrusted data.

import { parseJsonOrNull } from '../../../util/parseJson.ts';
import { ADVISORY_SEVERITIES, type Advisory, type AdvisorySeverity } from '../../model/dependencies.ts';
import type { LookUpResult } from '../../ports/packages.ts';
import { asObject } from '../manifest.ts';

/** The end of a range that names the first version without the vulnerability: `<1.2.3`. */
const FIRST_FIXED = /<\s*(\d+\.\d+\.\d+(?:-[\w.]+)?)\s*$/;
/** Maximum number of characters that are kept of a title, an address or a range. */
const MAX_LENGTH = 300;

/** The advisories of all packages in an answer. */
export type AuditReport = Readonly<Record<string, unknown>>;

/** The report in an answer; null if npm could not answer. */
export function readAudit({ stdout }: LookUpResult): AuditReport | null {
  const answer = asObject(parseJsonOrNull(stdout));
  const vulnerabilities = answer['vulnerabilities'];
  return typeof vulnerabilities === 'object' && vulnerabilities !== null ? asObject(vulnerabilities) : null;
}

/**
 * The advisories of a dependency and of all packages that it brings along, the most severe first, each once. None if
 * only copies of it at other places than these are vulnerable, such as one that another package brings along.
 */
export function findAdvisories(report: AuditReport, name: string, places: readonly string[]): readonly Advisory[] {
  const { nodes } = asObject(report[name]);
  if (!Array.isArray(nodes) || !nodes.some((node) => places.includes(String(node)))) return [];
  const advisories = new Map<string, Advisory>();
  const seen = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const via = asObject(report[next])['via'];
    for (const cause of Array.isArray(via) ? via : []) {
      if (typeof cause === 'string') open.push(cause);
      else {
        const advisory = readAdvisory(asObject(cause), next === name ? null : next);
        advisories.set(`${advisory.url} ${advisory.title} ${advisory.range}`, advisory);
      }
    }
  }
  return [...advisories.values()].sort((a, b) => severityRank(a.severity) - severityRank(b.severity));
}

/** The position of a severity in a list: the most severe comes first. */
export function severityRank(severity: AdvisorySeverity): number {
  return ADVISORY_SEVERITIES.indexOf(severity);
}

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
    fixed: FIRST_FIXED.exec(range)?.[1] ?? null,
    through,
  };
}
