// The direct dependencies of a repository, with what a registry knows of them.

import type { FileEdit, Proposal } from '../model.ts';
import type { SentData } from './asks.ts';
import type { AlteredEntry } from './lockEntries.ts';

/** Tables of a package.json whose packages are installed. */
export const DEPENDENCY_TABLES = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
export type DependencyTable = (typeof DEPENDENCY_TABLES)[number];

/** From the most severe on. */
export const ADVISORY_SEVERITIES = ['critical', 'high', 'moderate', 'low', 'info'] as const;
export type AdvisorySeverity = (typeof ADVISORY_SEVERITIES)[number];

/** A package that a package.json of the repository asks for. */
export interface DirectDependency {
  readonly name: string;
  /** Path of the package.json. */
  readonly manifest: string;
  readonly table: DependencyTable;
  /** What the package.json asks for, such as `^1.2.0`. */
  readonly spec: string;
  /** The version in the lock file; null if it is unknown. */
  readonly current: string | null;
}

/** A known vulnerability of a dependency, or of a package that it brings along. */
export interface Advisory {
  readonly severity: AdvisorySeverity;
  readonly title: string;
  readonly url: string | null;
  /** The affected versions, as a range. */
  readonly range: string;
  /** The first version of the vulnerable package without it; null if there is none, or if it is unknown. */
  readonly fixed: string | null;
  /** The vulnerable package that the dependency brings along; null if it is the dependency itself. */
  readonly through: string | null;
}

/** How far the newest version is from the current one. */
export type UpdateKind = 'patch' | 'minor' | 'major' | 'none' | 'unknown';

/** Something that is unknown, as a sentence, with the next step. */
export interface UnknownPart {
  readonly reason: string;
  readonly action: string;
}

/** A direct dependency, with what the registry knows of it. */
export interface CheckedDependency extends DirectDependency {
  /** The newest version that `spec` allows; null if it is unknown. */
  readonly wanted: string | null;
  /** The version that the registry calls latest; null if it is unknown. */
  readonly latest: string | null;
  /** From `current` to `latest`. */
  readonly update: UpdateKind;
  /** Known advisories, the most severe first; null if it is unknown whether there are any. */
  readonly advisories: readonly Advisory[] | null;
  /** Why its versions are unknown; null if they are known. */
  readonly unknown: UnknownPart | null;
}

/** A package that comes from another host than the one that would be asked about it. */
export interface LeftOutPackage {
  readonly name: string;
  /** Where the lock file has it from. */
  readonly host: string;
}

/** What a look-up asks, before anything is asked. */
export interface LookUpPlan {
  readonly manager: string | null;
  /** Path of the lock file whose versions are read; null if there is none that can be read. */
  readonly lock: string | null;
  readonly dependencies: readonly DirectDependency[];
  /** The hosts that are asked. */
  readonly hosts: readonly string[];
  /** What is sent, as the end of a sentence. */
  readonly sends: string;
  /** The same, as a consent records it. */
  readonly data: readonly SentData[];
  /** Packages about which nothing is asked, because the lock file has them from another host. */
  readonly leftOut: readonly LeftOutPackage[];
  /** Those of `hosts` that nobody has agreed to send all of `data`. */
  readonly unasked: readonly string[];
  /** What is unknown already, such as the versions without a lock file. */
  readonly unknown: readonly UnknownPart[];
}

/** The answer of a look-up: vulnerable dependencies first, then patch, minor and major updates. */
export interface OutdatedReport extends Pick<LookUpPlan, 'manager' | 'lock' | 'hosts'> {
  readonly dependencies: readonly CheckedDependency[];
  /** Advisories of packages that no direct dependency is known to bring along; `through` is the package. */
  readonly others: readonly Advisory[];
  /** What is unknown about all of them. */
  readonly unknown: readonly UnknownPart[];
}

/** A package of a lock file, at a place such as `node_modules/a`. */
export interface LockedPackage {
  readonly place: string;
  readonly version: string;
}

/** What an update changes in a lock file. */
export interface LockChanges {
  readonly added: readonly LockedPackage[];
  readonly removed: readonly LockedPackage[];
  readonly changed: readonly (LockedPackage & { readonly before: string })[];
  /** Hosts from which packages are downloaded only with the update. */
  readonly newHosts: readonly string[];
  /** Entries that change at an unchanged version. */
  readonly altered: readonly AlteredEntry[];
  /** Places of new or changed packages with install scripts. */
  readonly withScripts: readonly string[];
}

/** A package that a person asks to update. */
export interface UpdateTarget {
  readonly name: string;
  /** Path of the package.json that asks for it. If omitted, the first one. */
  readonly manifest?: string;
  /** A version, a range or a tag. */
  readonly version: string;
}

/** An update that a person asks for: packages that change together. */
export interface UpdateRequest {
  /** The packages by name; `minor` is all that have a newer version which is no major update. */
  readonly packages: readonly UpdateTarget[] | 'minor';
  /** True if a range stays as it is when it allows the new version; always for `minor`. */
  readonly keepsRanges?: boolean;
  /** Names of packages whose install scripts may run. */
  readonly scripts: readonly string[];
}

/** What an update makes of one dependency. */
export interface DependencyUpdate {
  readonly name: string;
  /** Path of the package.json that asks for it. */
  readonly manifest: string;
  readonly table: DependencyTable;
  /** The range in the package.json; the same twice if only the lock file changes. */
  readonly range: { readonly before: string; readonly after: string };
  /** The version in the lock file before; null if it had none. */
  readonly before: string | null;
  readonly after: string;
}

/** A dependency that an update of several leaves as it is, and why, as a sentence. */
export interface LeftDependency {
  readonly name: string;
  readonly manifest: string;
  readonly reason: string;
}

/** A made update that is not filed yet, for a person to approve. */
export interface UpdateDraft {
  /** Hash of the edits and of what would be installed. */
  readonly hash: string;
  /** At least one. */
  readonly updates: readonly DependencyUpdate[];
  /** Empty if the packages were asked for by name. */
  readonly left: readonly LeftDependency[];
  readonly edits: readonly FileEdit[];
  readonly lock: LockChanges;
  /** The advisories that end with the update, and those that begin with it; null if they are unknown. */
  readonly fixes: readonly Advisory[] | null;
  readonly introduces: readonly Advisory[] | null;
  /** Why the same edits were turned down before, as a sentence with the date; null if they were not. */
  readonly refusal: string | null;
  /** What would be installed, in whole lines for a person; null if the packages of both sides are kept already. */
  readonly install: string | null;
}

/** A dependency whose update does not pass the checks, and why. */
export interface Culprit {
  readonly update: DependencyUpdate;
  readonly reason: string;
}

/** An update that was checked. */
export interface CheckedUpdate {
  /** Verified, with all updates but the culprits; otherwise refused, with all of them. */
  readonly proposal: Proposal;
  /** The updates that fail, each alone with those that pass. Empty if all pass, or if the cause is none of them. */
  readonly culprits: readonly Culprit[];
}
