// The types of direct dependencies of a repository, of the facts that registries state about them, and of their
// updates.

import type { FileEdit, Proposal } from '../model.ts';
import type { SentData } from './asks.ts';
import type { AlteredEntry } from './lockEntries.ts';

/** The tables of a package.json whose packages are installed. */
export const DEPENDENCY_TABLES = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
/** The name of such a table. */
export type DependencyTable = (typeof DEPENDENCY_TABLES)[number];

/** The severities of advisories, the most severe first. */
export const ADVISORY_SEVERITIES = ['critical', 'high', 'moderate', 'low', 'info'] as const;
/** The severity of an advisory. */
export type AdvisorySeverity = (typeof ADVISORY_SEVERITIES)[number];

/** A dependency that a package.json of the repository lists. */
export interface DirectDependency {
  readonly name: string;
  /** Path of the package.json. */
  readonly manifest: string;
  readonly table: DependencyTable;
  /** The range or tag in the package.json, such as `^1.2.0`. */
  readonly spec: string;
  /** The version in the lock file; null if it is unknown. */
  readonly current: string | null;
}

/** A known vulnerability of a dependency, or of a package that is installed because of it. */
export interface Advisory {
  readonly severity: AdvisorySeverity;
  readonly title: string;
  /** The address of the advisory; null if there is none. */
  readonly url: string | null;
  /** The affected versions, as a range. */
  readonly range: string;
  /**
   * The first version of the vulnerable package that does not have the vulnerability; null if there is none, or if it
   * is unknown.
   */
  readonly fixed: string | null;
  /**
   * The vulnerable package that is installed because of the dependency; null if the dependency itself is vulnerable.
   */
  readonly through: string | null;
}

/** How far the newest version is from the current one. */
export type UpdateKind = 'patch' | 'minor' | 'major' | 'none' | 'unknown';

/** Why something is unknown, and what a person can do to find it out, as one sentence each. */
export interface UnknownPart {
  readonly reason: string;
  readonly action: string;
}

/** A direct dependency with the facts that the registry states about it. */
export interface CheckedDependency extends DirectDependency {
  /** The newest version that `spec` allows; null if it is unknown. */
  readonly wanted: string | null;
  /** The version that the registry calls latest; null if it is unknown. */
  readonly latest: string | null;
  /** The kind of the update from `current` to `latest`. */
  readonly update: UpdateKind;
  /** Known advisories, the most severe first; null if it is unknown whether there are any. */
  readonly advisories: readonly Advisory[] | null;
  /** The reason why its versions are unknown; null if they are known. */
  readonly unknown: UnknownPart | null;
}

/** A package about which nothing is asked, because the lock file downloads it from a host other than the registry. */
export interface LeftOutPackage {
  readonly name: string;
  /** The host from which the lock file downloads it. */
  readonly host: string;
}

/** The plan of a look-up in registries, before anything is sent. */
export interface LookUpPlan {
  /** The package manager; null if none was detected. */
  readonly manager: string | null;
  /** Path of the lock file whose versions are read; null if there is none that can be read. */
  readonly lock: string | null;
  readonly dependencies: readonly DirectDependency[];
  /** The hosts that are asked. */
  readonly hosts: readonly string[];
  /** A description of the data that are sent, as the end of a sentence. */
  readonly sends: string;
  /** The kinds of the data that are sent, as a consent records them. */
  readonly data: readonly SentData[];
  /** Packages about which nothing is asked, because the lock file downloads them from another host. */
  readonly leftOut: readonly LeftOutPackage[];
  /** Those of `hosts` to which nobody has agreed to send all of `data`. */
  readonly unasked: readonly string[];
  /** Facts that are unknown before the look-up, such as the versions without a lock file. */
  readonly unknown: readonly UnknownPart[];
}

/** The result of a look-up: vulnerable dependencies first, then patch, minor and major updates. */
export interface OutdatedReport extends Pick<LookUpPlan, 'manager' | 'lock' | 'hosts'> {
  readonly dependencies: readonly CheckedDependency[];
  /**
   * Advisories about packages for which no direct dependency is known as the reason. Their field `through` names the
   * package.
   */
  readonly others: readonly Advisory[];
  /** Facts that are unknown about all dependencies. */
  readonly unknown: readonly UnknownPart[];
}

/** A package of a lock file. `place`: its key there, such as `node_modules/a`. */
export interface LockedPackage {
  readonly place: string;
  readonly version: string;
}

/** The changes of an update in a lock file. */
export interface LockChanges {
  readonly added: readonly LockedPackage[];
  readonly removed: readonly LockedPackage[];
  readonly changed: readonly (LockedPackage & { readonly before: string })[];
  /** Hosts from which packages are downloaded only with the update. */
  readonly newHosts: readonly string[];
  /** Entries that change although their version stays the same. */
  readonly altered: readonly AlteredEntry[];
  /** Places of new or changed packages with install scripts. */
  readonly withScripts: readonly string[];
}

/** A package that a person asks to update. */
export interface UpdateTarget {
  readonly name: string;
  /** Path of the package.json that lists the package. If omitted, the first one that does. */
  readonly manifest?: string;
  /** A version, a range or a tag. */
  readonly version: string;
}

/** An update that a person asks for: packages that change together. */
export interface UpdateRequest {
  /** The packages by name. `minor`: all packages that have a newer version, except major updates. */
  readonly packages: readonly UpdateTarget[] | 'minor';
  /** True to leave a range unchanged if it allows the new version. For `minor`, this is always so. */
  readonly keepsRanges?: boolean;
  /** Names of packages whose install scripts may run. */
  readonly scripts: readonly string[];
}

/** The effect of an update on one dependency. */
export interface DependencyUpdate {
  readonly name: string;
  /** Path of the package.json that lists it. */
  readonly manifest: string;
  readonly table: DependencyTable;
  /** The range in the package.json before and after the update. Both are equal if only the lock file changes. */
  readonly range: { readonly before: string; readonly after: string };
  /** The version in the lock file before the update; null if the package was not in it. */
  readonly before: string | null;
  /** The version in the lock file after the update. */
  readonly after: string;
}

/** A dependency that an update of several dependencies does not change. `reason`: the reason, as a sentence. */
export interface LeftDependency {
  readonly name: string;
  readonly manifest: string;
  readonly reason: string;
}

/** An update that is prepared but not filed, for a person to approve. */
export interface UpdateDraft {
  /** Hash of the edits and of the planned installation. */
  readonly hash: string;
  /** The updated dependencies; at least one. */
  readonly updates: readonly DependencyUpdate[];
  /** The dependencies that stay unchanged; empty if the person named the packages. */
  readonly left: readonly LeftDependency[];
  readonly edits: readonly FileEdit[];
  readonly lock: LockChanges;
  /** The advisories that no longer apply after the update; null if they are unknown. */
  readonly fixes: readonly Advisory[] | null;
  /** The advisories that apply only after the update; null if they are unknown. */
  readonly introduces: readonly Advisory[] | null;
  /** The reason why the same edits were rejected before, as a sentence with the date; null if they were not. */
  readonly refusal: string | null;
  /**
   * The planned installation, as lines for a person; null if the packages for the old and the new code are already
   * stored.
   */
  readonly install: string | null;
}

/** A dependency whose update fails the checks. `reason`: the reason of the failure, as a sentence. */
export interface Culprit {
  readonly update: DependencyUpdate;
  readonly reason: string;
}

/** An update that was checked. */
export interface CheckedUpdate {
  /** If it is verified, it contains all updates except the culprits. If it is refused, it contains all updates. */
  readonly proposal: Proposal;
  /**
   * The updates that fail: each of them failed together with those that pass. Empty if all pass, or if no update was
   * found to be the cause.
   */
  readonly culprits: readonly Culprit[];
}
